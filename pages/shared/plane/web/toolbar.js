// The toolbar of a board: what a tap does, the commands, and the sentence about what was done last.

import { LOOKS, lookOf } from "./classes.js";
import { part } from "./dom.js";
import { pageTheme } from "./theme.js";
import { tones } from "./tones.js";
import { Voice } from "./voice.js";

const COMMANDS = ["flip", "remove", "mark", "toggle", "jitter", "undo", "redo", "snap", "sweep"];

export class Toolbar {
  /** @type {Uint8Array | undefined} what was shown last */
  bytes;

  #root;
  #board;
  #sentence;
  #voice = new Voice((text) => this.#write(text));

  /**
   * @param {HTMLElement} root of toolbar.html
   * @param {import("./board.js").Board} board
   */
  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    this.#sentence = part(root, "said");
    tones.switchedBy(part(root, "tones"));
    root.onclick = ({ target }) => this.#press(/** @type {Element} */ (target).closest("button"));
    root.addEventListener("keydown", (event) => shortcuts(event, board));
  }

  receive(payload, bytes, send) {
    this.bytes = bytes;
    this.#board.attach(this);
    const { colours } = pageTheme(this.#root);
    for (const { ink } of LOOKS) this.#root.style.setProperty(`--svm-${ink}`, colours[ink]);
    if (payload) this.#board.receive(payload, send);
  }

  leave() {}

  show() {
    const board = this.#board;
    this.#offer(board);
    for (const button of this.#root.querySelectorAll("button")) {
      const { label, tool, command } = button.dataset;
      const checked = label ? Number(label) === board.label : tool === board.tool;
      if (label || tool) button.setAttribute("aria-checked", String(checked));
      // a button that is `disabled` would lose the focus
      if (command) button.setAttribute("aria-disabled", String(!board.possible(command)));
    }
    this.#root.dataset.answered = String(board.answered);
    this.#root.dataset.settled = String(board.settled);
  }

  // A button for each class; none in a regression.
  #offer({ edits: { labels }, classes }) {
    this.#root.toggleAttribute("data-regression", !labels.length);
    const group = part(this.#root, "classes");
    const names = labels.map((label) => classes[label]);
    if (String([...group.children].map(({ textContent }) => textContent)) === String(names)) return;
    group.replaceChildren(...labels.map((label, k) => choice(label, names[k], lookOf(labels, label))));
    const flip = part(this.#root, "flip");
    flip.title = `${labels.length > 2 ? "Next class" : "Flip"}: change the class of the chosen points (X)`;
    /** @type {HTMLElement} */ (flip.lastElementChild).textContent = labels.length > 2 ? "Next class" : "Flip";
  }

  /** Say what was done, or where something is that is `moving`. */
  say(text, how) {
    this.#voice.say(text, how);
  }

  // In the line below the controls; a page without controls has a line of its own.
  #write(text) {
    const line = document.querySelector(".svm-announcement") ?? this.#sentence;
    line.dataset.edit = text;
    line.textContent = text;
  }

  #press(button) {
    if (!button || button.ariaDisabled === "true") return;
    const board = this.#board;
    const { label, tool, command } = button.dataset;
    if (label) {
      board.label = Number(label);
      if (board.tool === "select") board.tool = "edit";
    }
    if (tool) board.tool = tool;
    if (COMMANDS.includes(command)) board[command]();
    this.show();
  }
}

// The button of a class.
function choice(label, name, { ink }) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    title: "New points are of this class",
  });
  button.setAttribute("role", "radio");
  button.dataset.label = String(label);
  const text = Object.assign(document.createElement("b"), { className: "svm-class", textContent: name });
  button.append(Object.assign(document.createElement("i"), { className: `svm-${ink}` }), text);
  return button;
}

/** Keys that mean the same on a plane and on the toolbar; true if the key was one of them. */
export function shortcuts(event, board) {
  if (!(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) board.redo();
  else if (key === "z") board.undo();
  else if (key === "a") board.select(board.edits.ids);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
