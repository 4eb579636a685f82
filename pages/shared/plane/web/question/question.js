// A question as a form: what is asked, the answer, and, once it is locked in, what was said, what is, and why. The
// answers of kind line, points and place are drawn on the plane as well (answer_drawing.js).

import { make, part } from "../base/dom.js";
import { writeMarkdown } from "../base/words.js";
import { answerOf, answerWords, moveEntry, numberAt, numberWithUnit, scaleShare } from "./answer.js";

const DRAWN = new Set(["line", "points", "place"]);
const MISSING = {
  choose: "Choose an option",
  number: "Move the slider",
  line: "Move an end of the line",
  points: "Choose a point",
  place: "Move the point",
};
const PAUSE = 250; // milliseconds without a change after which an answer is kept
let count = 0;

export class Question {
  #root;
  #answer = answerOf("");
  /** @type {any} */
  #spec = {};
  /** @type {(() => void) | undefined} shows the answer */
  #refresh;
  #send;
  #hasActed = false;
  /** @type {string | undefined} the answer that Python knows, as JSON */
  #knownAnswer;
  /** @type {{ form: string, key: string, given: any } | undefined} an answer that waits for a pause */
  #waitingMessage;
  #timer = 0;

  /** @param {HTMLElement} root of question.html */
  constructor(root) {
    this.#root = root;
    part(root, "commit").onclick = (event) => {
      event.preventDefault();
      if (this.#isReady) this.#act("commit");
    };
    part(root, "back").onclick = () => this.#act("before");
  }

  receive(payload, send) {
    this.#send = send;
    if (!payload) return;
    if (payload.key !== this.#spec.key || payload.question !== this.#spec.question) {
      this.#sendWaiting();
      this.#knownAnswer = JSON.stringify(payload.given ?? null);
    }
    this.#spec = payload;
    this.#answer.removeEventListener("change", this.#update);
    this.#answer = answerOf(payload.question);
    this.#answer.addEventListener("change", this.#update);
    const { key, kind, locked } = payload;
    const shown = this.#root.dataset;
    if (shown.key !== key || shown.locked !== String(locked)) this.#build();
    Object.assign(shown, { key, kind, locked: String(locked) });
    this.#showTexts();
    this.#answer.receive(payload);
    if (this.#hasActed) this.#focus(locked || Boolean(payload.note));
    this.#hasActed = false;
  }

  leave() {
    this.#sendWaiting();
    this.#answer.removeEventListener("change", this.#update);
  }

  #showTexts() {
    const { place, asked, feedback, note, buttons, commit, locked, first } = this.#spec;
    part(this.#root, "back").disabled = first;
    writeMarkdown(part(this.#root, "place"), place);
    writeMarkdown(part(this.#root, "asked"), asked);
    const box = part(this.#root, "feedback");
    box.hidden = !feedback && !note;
    box.dataset.right = String(Boolean(feedback?.right));
    const rows = feedback?.rows ?? [];
    const pairs = rows.map(([name, text]) => {
      const told = writeMarkdown(make("dd"), text);
      told.dataset.live = `row-${name}`; // see lesson_question.live
      return [make("dt", { textContent: name }), told];
    });
    box.querySelector("dl").replaceChildren(...pairs.flat());
    writeMarkdown(part(this.#root, "note"), note ?? "");
    Object.assign(part(this.#root, "commit"), { hidden: locked || !commit, textContent: commit });
    const acts = buttons.map(([action, label, main]) =>
      make("button", { type: "button", textContent: label, className: main ? "svm-main" : "", value: action }),
    );
    for (const button of acts) button.onclick = () => this.#act(button.value);
    part(this.#root, "next").replaceChildren(...acts);
  }

  #focus(told) {
    const planes = (told && isNarrow() && this.#root.closest(".st-key-stage")?.querySelectorAll(".svm-plane")) || [];
    const plane = planes.length === 1 ? planes[0] : undefined; // below two the words would be out of sight
    part(this.#root, told ? "feedback" : "asked").focus({ preventScroll: !isNarrow() || Boolean(plane) });
    plane?.scrollIntoView({ block: "start" }); // what the answer has changed there
  }

  #act(action) {
    this.#hasActed = true;
    if (action === "commit") this.#answer.dropDraft();
    this.#sendAnswer(action);
  }

  #sendAnswer(action, { form, key, given } = this.#message) {
    clearTimeout(this.#timer);
    this.#waitingMessage = undefined;
    const id = crypto.randomUUID?.() ?? String(Date.now() + Math.random());
    this.#knownAnswer = JSON.stringify(given ?? null);
    this.#send?.("answer", { id, form, key, action, given: given ?? null });
  }

  get #message() {
    return { form: this.#spec.question, key: this.#answer.key, given: this.#currentAnswer };
  }

  // An order can be locked in as it stands.
  get #currentAnswer() {
    const { kind, commit, entries } = this.#spec;
    return this.#answer.given ?? (kind === "order" && commit ? entries.map(([key]) => key) : undefined);
  }

  get #isReady() {
    const { isReady, locked, given } = this.#answer;
    return isReady || (!locked && given === undefined && Boolean(this.#currentAnswer));
  }

  // Sends an answer that waits for a pause.
  #sendWaiting() {
    if (this.#waitingMessage) this.#sendAnswer("keep", this.#waitingMessage);
  }

  // ------------------------------------------------------------------------------------- the answer

  #build() {
    const { kind, locked } = this.#spec;
    const box = part(this.#root, "answer");
    const builders = { choose: this.#buildOptions, number: this.#buildNumber, order: this.#buildOrder };
    box.replaceChildren();
    box.setAttribute("role", builders[kind] === this.#buildOptions ? "radiogroup" : "group");
    this.#refresh = undefined;
    box.inert = Boolean(locked) && kind === "order";
    (builders[kind] ?? this.#buildHint).call(this, box);
  }

  #update = () => {
    this.#refresh?.();
    const { key, kind, given, locked, here } = this.#answer;
    if (!this.#spec.commit && key === this.#spec.key && JSON.stringify(given ?? null) !== this.#knownAnswer) {
      clearTimeout(this.#timer);
      this.#waitingMessage = this.#message;
      this.#timer = setTimeout(() => this.#sendWaiting(), PAUSE);
    }
    if (this.#spec.commit && !locked) this.#answer.keepDraft();
    const same = this.#spec.counted && JSON.stringify(given) === JSON.stringify(this.#spec.given);
    part(this.#root, "commit").disabled = same || !this.#isReady;
    const words = DRAWN.has(kind) ? answerWords(kind, given) : kind === "order" && given ? this.#orderWords(given) : "";
    const { commit } = this.#spec;
    const missing = !here && commit && !this.#isReady && !same ? `${MISSING[kind]}, then press “${commit}”.` : "";
    part(this.#root, "given").textContent = locked ? "" : [here, words, missing].filter(Boolean).join(" ");
  };

  #buildOptions(box) {
    const { options, right, locked } = this.#spec;
    const name = `svm-option-${++count}`;
    const inputs = options.map((text, k) => {
      const input = make("input", { type: "radio", name, value: String(k), disabled: locked });
      input.onchange = () => this.#answer.put(k);
      const label = make("label", { className: "svm-option" }, input, writeMarkdown(make("span"), text));
      if (locked && k === right) label.dataset.right = "";
      box.append(label);
      return input;
    });
    this.#refresh = () => {
      for (const [k, input] of inputs.entries()) input.checked = this.#answer.given === k;
    };
  }

  #buildNumber(box) {
    const { scale, locked } = this.#spec;
    const { low, high, step, log } = scale;
    const ends = log ? [Math.log10(low), Math.log10(high)] : [low, high];
    const numberOf = (place) => numberAt(place, scale);
    const placeOf = (number) => (log ? Math.log10(number) : number);
    const slides = { min: ends[0], max: ends[1], step: log ? 0.01 : step, disabled: locked };
    const range = make("input", { type: "range", className: "svm-range", ariaLabel: "Your answer", ...slides });
    const output = make("output", { className: "svm-value" });
    range.oninput = range.onpointerup = () => this.#answer.put(numberOf(range.valueAsNumber)); // also where it lies
    const withUnit = (number) => numberWithUnit(number, scale);
    const withoutUnit = (number) => numberWithUnit(number, /[a-z]/.test(scale.unit) ? { ...scale, unit: "" } : scale);
    const track = make("div", { className: "svm-track" }, range);
    for (const [name, number] of Object.entries(scale.marks ?? {})) {
      const words = [make("b", { textContent: withoutUnit(number) }), name === "said" ? " you" : " it is"];
      const mark = make("span", { className: `svm-mark svm-mark-${name}` }, ...words);
      mark.style.setProperty("--svm-at", `${100 * scaleShare(number, scale)}%`);
      track.append(mark);
    }
    track.toggleAttribute("data-marked", Boolean(scale.marks));
    const middle = numberOf((ends[0] + ends[1]) / 2);
    const isOdd = !log && Number.isInteger(step) && (ends[1] - ends[0]) % (2 * step); // of five points there is none
    const between = `${isOdd ? "" : withoutUnit(middle)}${log ? " · logarithmic" : ""}`;
    const limits = [withoutUnit(low), between, withoutUnit(high)];
    const texts = limits.map((textContent) => make("span", { textContent }));
    box.append(output, track, make("p", { className: "svm-limits" }, ...texts));
    this.#refresh = () => {
      const { given } = this.#answer;
      // several places of a slider of powers stand for one rounded number: a thumb put back would never pass them
      if (given === undefined || numberOf(range.valueAsNumber) !== given)
        range.value = String(given === undefined ? (ends[0] + ends[1]) / 2 : placeOf(given));
      track.toggleAttribute("data-untouched", given === undefined);
      const now = withUnit(numberOf(range.valueAsNumber));
      output.textContent = given === undefined ? `Move the slider, now at ${now}` : withUnit(given);
      range.setAttribute("aria-valuetext", output.textContent);
    };
  }

  #buildOrder(box) {
    const { entries, locked } = this.#spec;
    const names = new Map(entries);
    const list = make("ol", { className: "svm-order" });
    const currentOrder = () => this.#answer.given ?? entries.map(([key]) => key);
    const move = (from, to) => this.#answer.put(moveEntry(currentOrder(), from, to));
    box.append(list);
    this.#refresh = () => {
      const held = /** @type {HTMLButtonElement | null} */ (document.activeElement?.closest(".svm-order button"));
      const again = held && `${held.dataset.key} ${held.value}`;
      list.replaceChildren(
        ...currentOrder().map((key, k) => {
          const item = make("li", {}, make("span", { textContent: names.get(key) ?? key }));
          item.dataset.key = key;
          for (const [by, sign, words] of /** @type {const} */ ([
            [-1, "↑", "up"],
            [1, "↓", "down"],
          ])) {
            const label = `${names.get(key)} ${words}`;
            const named = { textContent: sign, title: label, ariaLabel: label };
            const button = make("button", { type: "button", value: words, ...named });
            button.dataset.key = key;
            button.disabled = locked || k + by < 0 || k + by >= names.size;
            button.onclick = () => move(k, k + by);
            item.append(button);
            if (again === `${key} ${words}`)
              queueMicrotask(() => (button.disabled ? item.querySelector("button:enabled") : button)?.focus());
          }
          if (!locked) enableDragging(item, list, (to) => move(k, to));
          return item;
        }),
      );
    };
  }

  #orderWords(given) {
    const names = new Map(this.#spec.entries);
    return `Your order: ${given.map((key) => names.get(key) ?? key).join(", ")}.`;
  }

  #buildHint(box) {
    box.append(writeMarkdown(make("p", { className: "svm-hint" }), this.#spec.hint));
  }
}

const isNarrow = () => innerWidth <= 640;

// An entry of a list that is dragged to another place of it.
function enableDragging(item, list, drop) {
  let from = 0;
  item.onpointerdown = (event) => {
    if (event.button !== 0 || event.target.closest("button")) return;
    from = event.clientY;
    item.setPointerCapture(event.pointerId);
    item.toggleAttribute("data-held", true);
  };
  item.onpointermove = (event) => {
    if (item.hasPointerCapture(event.pointerId)) item.style.translate = `0 ${event.clientY - from}px`;
  };
  const endDrag = () => {
    item.style.translate = "";
    item.removeAttribute("data-held");
  };
  item.onpointercancel = endDrag;
  item.onpointerup = ({ clientY }) => {
    if (!item.hasAttribute("data-held")) return;
    const others = [...list.children].filter((other) => other !== item);
    const middleOf = (other) => other.getBoundingClientRect().top + other.offsetHeight / 2;
    const to = others.filter((other) => middleOf(other) < clientY).length;
    endDrag();
    if (to !== [...list.children].indexOf(item)) drop(to);
  };
}
