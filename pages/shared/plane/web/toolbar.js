// The toolbar of a board: what a tap does, the commands, and the sentence about what was done last.

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
  #buttons;

  /**
   * @param {HTMLElement} root of toolbar.html
   * @param {import("./board.js").Board} board
   */
  constructor(root, board) {
    this.#root = root;
    this.#board = board;
    this.#sentence = part(root, "said");
    /** @type {HTMLButtonElement[]} */
    this.#buttons = [...root.querySelectorAll("button")];
    tones.switchedBy(part(root, "tones"));
    root.onclick = ({ target }) => this.#press(/** @type {Element} */ (target).closest("button"));
    root.addEventListener("keydown", (event) => shortcuts(event, board));
  }

  receive(payload, bytes, send) {
    this.bytes = bytes;
    this.#board.attach(this);
    const { plus, minus } = pageTheme(this.#root).colours;
    this.#root.style.setProperty("--svm-plus", plus);
    this.#root.style.setProperty("--svm-minus", minus);
    if (payload) this.#board.receive(payload, send);
  }

  leave() {}

  show() {
    const board = this.#board;
    this.#root.toggleAttribute("data-regression", board.edits.regression);
    for (const button of this.#buttons) {
      const { label, tool, command } = button.dataset;
      if (label) part(button, "class").textContent = board.classes[label] ?? "";
      const checked = label ? Number(label) === board.label : tool === board.tool;
      if (label || tool) button.setAttribute("aria-checked", String(checked));
      // a button that is `disabled` would lose the focus
      if (command) button.setAttribute("aria-disabled", String(!board.possible(command)));
    }
    this.#root.dataset.answered = String(board.answered);
    this.#root.dataset.settled = String(board.settled);
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
