// The toolbar of an editor: what a tap does, the commands, and the sentence about what was done last.

import { LOOKS, lookOf } from "../base/classes.js";
import { drawIcons, make, part } from "../base/dom.js";
import { recall, remember } from "../base/memory.js";
import { pageTheme } from "../base/theme.js";
import { tones } from "../base/tones.js";
import { Voice } from "../base/voice.js";

const OPEN = "tools"; // what the browser remembers of the toolbar: all tools are in sight
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
const COMMANDS = ["flip", "remove", "mark", "toggle", "jitter", "undo", "redo", "snap", "sweep"];

export class Toolbar {
  #root;
  #editor;
  #sentence;
  #voice = new Voice((text) => this.#writeSentence(text));

  /** @param {HTMLElement} root of toolbar.html  @param {import("./point_editor.js").PointEditor} editor */
  constructor(root, editor) {
    this.#root = root;
    this.#editor = editor;
    this.#sentence = part(root, "said");
    drawIcons(root);
    tones.addSwitch(part(root, "tones"));
    root.onclick = ({ target }) => this.#handlePress(/** @type {Element} */ (target).closest("button"));
    part(root, "unfold").onclick = () => this.#fold(!root.hasAttribute("data-folded"));
    root.addEventListener("keydown", (event) => handleShortcut(event, editor) || this.#moveFocus(event));
    // with its last point a plane goes, which had the focus; that can be undone all the same
    document.body.onkeydown = (event) => {
      if (root.isConnected && !editor.edits.ids.length) handleShortcut(event, editor);
    };
    root.addEventListener("focusin", ({ target }) => this.#setStop(/** @type {Element} */ (target).closest("button")));
    this.#fold(!recall(OPEN));
  }

  // Few tools are in sight, and none is at work that is not.
  #fold(on) {
    this.#root.toggleAttribute("data-folded", on);
    part(this.#root, "unfold").setAttribute("aria-expanded", String(!on));
    remember(OPEN, on ? "" : "open");
    if (on) this.#editor.tool = "edit";
    this.show();
  }

  get #buttons() {
    return [...this.#root.querySelectorAll("button")].filter((button) =>
      button.checkVisibility({ visibilityProperty: true }),
    );
  }

  // The toolbar is one stop of the Tab key; the arrows lead through it.
  #moveFocus(event) {
    const [step, buttons] = [STEPS[event.key], this.#buttons];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = buttons.indexOf(event.target.closest("button")) + step;
    buttons[Math.min(Math.max(at, 0), buttons.length - 1)].focus();
    event.preventDefault();
  }

  #setStop(button) {
    for (const other of this.#root.querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
  }

  receive(payload, send) {
    this.#editor.toolbar = this;
    const { colours } = pageTheme(this.#root);
    for (const { ink } of LOOKS) this.#root.style.setProperty(`--svm-${ink}`, colours[ink]);
    if (!payload) return;
    this.#root.toggleAttribute("data-quiet", Boolean(payload.quiet));
    this.#editor.receive(payload, send);
  }

  show() {
    const editor = this.#editor;
    this.#offerClasses(editor);
    for (const button of this.#root.querySelectorAll("button")) {
      const { label, tool, command } = button.dataset;
      const checked = label ? Number(label) === editor.label : tool === editor.tool;
      if (label || tool) button.setAttribute("aria-checked", String(checked));
      // a button that is `disabled` would lose the focus
      if (command) button.setAttribute("aria-disabled", String(!editor.isPossible(command)));
    }
    const buttons = this.#buttons;
    this.#setStop(buttons.find((button) => button.getAttribute("tabindex") === "0") ?? buttons[0]);
    this.#root.dataset.answered = String(editor.exchange.lastAnswer);
    this.#root.dataset.settled = String(editor.exchange.isSettled);
  }

  // A button for each class; none in a regression.
  #offerClasses({ edits: { labels }, classes }) {
    this.#root.toggleAttribute("data-regression", !labels.length);
    const group = part(this.#root, "classes");
    const names = labels.map((label) => classes[label]);
    if (String([...group.children].map(({ textContent }) => textContent)) === String(names)) return;
    group.replaceChildren(...labels.map((label, k) => classButton(label, names[k], lookOf(labels, label))));
    const flip = part(this.#root, "flip");
    flip.title = `${labels.length > 2 ? "Next class" : "Flip"}: change the class of the chosen points (X)`;
    /** @type {HTMLElement} */ (flip.lastElementChild).textContent = labels.length > 2 ? "Next class" : "Flip";
  }

  /** Say what was done, or where something is that is `moving`. */
  say(text, how) {
    this.#voice.say(text, how);
  }

  // In the line below the controls; a page without controls has a line of its own.
  #writeSentence(text) {
    const line = document.querySelector(".svm-announcement") ?? this.#sentence;
    line.dataset.edit = text;
    line.textContent = text;
  }

  #handlePress(button) {
    if (!button || button.ariaDisabled === "true") return;
    const editor = this.#editor;
    const { label, tool, command } = button.dataset;
    if (label) {
      editor.label = Number(label);
      if (editor.tool === "select") editor.tool = "edit";
    }
    if (tool) editor.tool = tool;
    if (COMMANDS.includes(command)) editor[command]();
    this.show();
  }
}

// The button of a class.
function classButton(label, name, { ink }) {
  const looks = [make("i", { className: `svm-${ink}` }), make("b", { className: "svm-class", textContent: name })];
  const button = make("button", { type: "button", role: "radio", title: "New points are of this class" }, ...looks);
  button.dataset.label = String(label);
  return button;
}

/** Keys that mean the same on a plane and on the toolbar; true if the key was one of them. */
export function handleShortcut(event, editor) {
  if (!(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) editor.redo();
  else if (key === "z") editor.undo();
  else if (key === "a") editor.select(editor.edits.ids);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
