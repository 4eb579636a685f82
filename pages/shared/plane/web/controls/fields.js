// The fields of the control bar, one class for each kind. A field shows what Python sends, {name, kind, label, short,
// help, rank, value, ...}, and reports to the bar what the reader holds or changes.

import { make } from "../base/dom.js";

let count = 0;

/** The text of a number: at most four digits that matter, no exponent where it can be avoided. */
export function shortNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(2).split("e").map(Number).join("e");
  return String(Number(value.toPrecision(size >= 1000 ? 7 : 4)));
}

export class Field {
  name;
  root = make("div", { className: "svm-field" });
  spec;
  id = `svm-field-${++count}`;
  #knownOptions = "";
  /** @type {any} the element that has the value, in the fields that have one */
  input;
  /** @type {any} the element that has the name, in the fields that have one */
  words;

  constructor(spec, bar) {
    this.name = spec.name;
    this.spec = spec;
    this.bar = bar;
    this.root.dataset.name = spec.name;
    this.root.dataset.kind = spec.kind;
    Object.defineProperty(this.root, "field", { value: this });
    this.build();
  }

  /** @param {boolean} waits whether a value that the reader chose is still on its way */
  show(spec, waits) {
    this.spec = spec;
    this.root.title = spec.off || (spec.help ?? "");
    this.root.toggleAttribute("data-off", Boolean(spec.off));
    if (this.words) this.words.textContent = spec.short;
    this.input?.setAttribute("aria-label", spec.label); // the long name is for screen readers
    this.update(spec, waits);
    if (this.input) this.input.disabled = Boolean(spec.off);
  }

  makeLabel() {
    this.words = make("label", { className: "svm-name", htmlFor: this.id });
    return this.words;
  }

  /** Whether the options are others than at the last call: what is made anew loses the focus. */
  hasNewOptions({ options }) {
    const before = this.#knownOptions;
    this.#knownOptions = JSON.stringify(options);
    return this.#knownOptions !== before;
  }

  build() {}
  update(_spec, _waits) {}
}

/** A number in a field, on a slider, or both. */
class Numeric extends Field {
  build() {
    this.input = make("input", { id: this.id, type: "number", className: "svm-number" });
    this.root.append(make("div", { className: "svm-top" }, this.makeLabel(), this.input));
    this.input.onchange = () => this.takeTyped();
    if (this.spec.kind !== "number") this.addSlider();
  }

  addSlider() {
    this.root.classList.add("svm-slides");
    this.range = make("input", { type: "range", className: "svm-range" });
    this.root.append(this.range);
    this.range.oninput = () => {
      this.input.value = shortNumber(this.sliderValue);
      this.range.setAttribute("aria-valuetext", shortNumber(this.sliderValue));
      this.bar.hold(this.name, this.sliderValue);
    };
    // An arrow key that is held is one change, when it is let go.
    this.range.onkeydown = ({ key }) => {
      this.keyed ||= key.startsWith("Arrow") || key.startsWith("Page") || key === "Home" || key === "End";
    };
    this.range.onchange = () => this.keyed || this.bar.change(this.name, this.sliderValue);
    this.range.onkeyup = this.range.onblur = () => this.letGo(this.sliderValue);
  }

  // Python refuses what is out of range, in the sentence that a link gets, and sends the last valid value.
  takeTyped() {
    const value = this.input.valueAsNumber;
    if (Number.isNaN(value)) return this.update(this.spec, false);
    this.bar.change(this.name, value);
    this.showValue(value);
  }

  // What the slider stands at.
  get sliderValue() {
    const { kind } = this.spec;
    const place = this.range.valueAsNumber;
    return kind === "logarithmic" ? Number((10 ** place).toPrecision(3)) : Number(place.toPrecision(12));
  }

  showValue(value) {
    const { kind, powers } = this.spec;
    const typed = document.activeElement === this.input && Number(this.input.value) === value;
    if (!typed) this.input.value = kind === "logarithmic" ? shortNumber(value) : String(Number(value.toPrecision(12)));
    if (!this.range) return;
    const place = kind === "logarithmic" ? Math.min(Math.max(Math.log10(value), powers[0]), powers[1]) : value;
    this.range.value = String(place);
    this.range.setAttribute("aria-valuetext", shortNumber(value));
  }

  update(spec, waits) {
    const { kind, low, high, step, powers } = spec;
    const logarithmic = kind === "logarithmic";
    Object.assign(this.input, { min: low, max: high, step: logarithmic || kind === "slider" ? "any" : step });
    if (this.range) {
      const [from, to] = logarithmic ? powers : [low, high];
      Object.assign(this.range, { min: from, max: to, step });
      this.range.setAttribute("aria-label", spec.label);
      this.range.disabled = Boolean(spec.off);
      this.input.setAttribute("aria-label", `${spec.label}, value`);
    }
    if (spec.off) this.input.value = "";
    else if (!waits && !this.keyed && !this.range?.matches(":active")) this.showValue(spec.value);
  }

  /** The value while something on a picture is held that stands for it. */
  pull(value) {
    this.keyed = true;
    this.showValue(value);
    this.bar.hold(this.name, value);
  }

  /** The value at which it was left, by keys or by a hand on the picture. */
  letGo(value) {
    if (this.keyed && value !== this.spec.value) this.bar.change(this.name, value);
    this.keyed = false;
  }
}

class Check extends Field {
  build() {
    this.input = make("input", { id: this.id, type: "checkbox" });
    this.root.append(this.makeLabel(), this.input);
    this.input.onchange = () => this.bar.change(this.name, this.input.checked);
  }

  update(spec, waits) {
    if (!waits) this.input.checked = spec.value && !spec.off;
  }
}

/** What `makeOption` makes of each option of a list, below the heading of its group where there are several. */
function groupOptions({ options, groups = {} }, makeOption, addHeading) {
  const named = new Map(options.map(([key]) => [groups[key] ?? "", []]));
  for (const [key, words] of options) named.get(groups[key] ?? "").push(makeOption(key, words));
  return [...named].flatMap(([name, list]) => (name && named.size > 1 ? addHeading(name, list) : list));
}

/** The curve of an option, if it has one, as a small picture, which is seen before its name and heard after it. */
function sketchOf({ sketches = {} }, key) {
  if (!(key in sketches)) return [];
  const { heights, colour, words } = sketches[key];
  const points = heights.map((height, k) => `${k / 2},${18 - height}`).join(" ");
  const picture = make("span", { className: "svm-sketch", role: "img", ariaLabel: words });
  picture.style.color = colour;
  picture.innerHTML = `<svg viewBox="-1 0 27 20" aria-hidden="true"><polyline points="${points}" /></svg>`;
  return [picture];
}

class Choice extends Field {
  build() {
    this.input = make("select", { id: this.id });
    this.root.append(this.makeLabel(), this.input);
    this.input.onchange = () => this.bar.change(this.name, this.input.value);
  }

  update(spec, waits) {
    if (this.hasNewOptions(spec)) {
      // a browser that shows no pictures in a list shows the words
      const makeOption = (value, words) => make("option", { value }, words, ...sketchOf(spec, value));
      const addGroup = (label, list) => make("optgroup", { label }, ...list);
      this.input.replaceChildren(...groupOptions(spec, makeOption, addGroup));
      // a class: with :has() the whole page would be looked at anew with each number that changes
      this.input.classList.toggle("svm-sketched", this.input.querySelector(".svm-sketch") !== null);
    }
    if (!waits) this.input.value = spec.value;
  }
}

/** Buttons of which one or none is pressed, which stands for the first of the options. */
class Chips extends Field {
  build() {
    this.root.setAttribute("role", "group");
  }

  update(spec, waits) {
    this.root.setAttribute("aria-label", spec.label);
    const [[none], ...offered] = spec.options;
    const chosen = waits ? this.chosen : spec.value;
    if (this.hasNewOptions(spec)) {
      this.root.replaceChildren(...offered.map(([value, words]) => this.makeChip(value, words, none)));
    }
    for (const chip of this.root.querySelectorAll("button")) {
      chip.title = spec.closed[chip.value] ?? spec.help;
      chip.disabled = chip.value in spec.closed;
    }
    this.markChosen(chosen);
  }

  makeChip(value, textContent, none) {
    const button = make("button", { type: "button", className: "svm-chip", value, textContent });
    button.onclick = () => {
      this.markChosen(this.chosen === value ? none : value);
      this.bar.change(this.name, this.chosen);
    };
    return button;
  }

  markChosen(chosen) {
    this.chosen = chosen;
    for (const chip of this.root.children) chip.ariaPressed = String(chip.value === chosen);
  }
}

/** Some of many: a list of boxes that opens under a button. */
class Several extends Field {
  build() {
    this.words = make("span", { className: "svm-name" });
    this.button = make("summary");
    this.boxes = make("div", { className: "svm-boxes", role: "group" });
    this.root.append(this.words, make("details", { className: "svm-drop" }, this.button, this.boxes));
  }

  get chosenKeys() {
    return [...this.boxes.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  update(spec, waits) {
    this.boxes.setAttribute("aria-label", spec.label);
    if (this.hasNewOptions(spec)) {
      const addHeading = (textContent, list) => [make("p", { className: "svm-group-name", textContent }), ...list];
      this.boxes.replaceChildren(...groupOptions(spec, (value, words) => this.makeCheckbox(value, words), addHeading));
    }
    if (!waits) {
      const chosen = new Set(spec.value.split(","));
      for (const input of this.boxes.querySelectorAll("input")) input.checked = chosen.has(input.value);
    }
    this.showCount();
  }

  makeCheckbox(value, words) {
    const input = make("input", { type: "checkbox", value });
    input.onchange = () => {
      this.showCount();
      this.bar.change(this.name, this.chosenKeys.join(","));
    };
    return make("label", {}, input, words, ...sketchOf(this.spec, value));
  }

  showCount() {
    const { most, options } = this.spec;
    const full = most && this.chosenKeys.length >= most;
    for (const input of this.boxes.querySelectorAll("input")) input.disabled = Boolean(full) && !input.checked;
    this.button.textContent = `${this.chosenKeys.length} of ${options.length}`;
    this.button.setAttribute("aria-label", `${this.spec.label}: ${this.chosenKeys.length} of ${options.length}`);
  }
}

class Button extends Field {
  build() {
    this.input = this.words = make("button", { type: "button", className: "svm-button" });
    this.root.append(this.input);
    this.input.onclick = () => this.bar.press(this.name);
  }
}

class Words extends Field {
  update({ label }) {
    this.root.replaceChildren(make("p", { textContent: label }));
  }
}

const KINDS = { check: Check, choice: Choice, chips: Chips, several: Several, button: Button, text: Words };

/** The field of a control, whose value is a number where its kind is none of these. */
export const fieldOf = (spec, bar) => new (KINDS[spec.kind] ?? Numeric)(spec, bar);
