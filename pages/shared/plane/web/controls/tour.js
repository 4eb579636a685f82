// A walk over the page in a few steps, where the reader asks for it. It stands in a corner and locks nothing.

import { part } from "../base/dom.js";

export class Tour {
  #root;
  #card;
  /** @type {{ at: string, title: string, text: string }[]} */
  #steps = [];
  #step = 0;
  /** @type {Element | undefined} what the step is about */
  #target;

  /** @param {HTMLElement} root of tour.html */
  constructor(root) {
    this.#root = root;
    this.#card = part(root, "tour");
    part(root, "tour-begin").onclick = () => this.#begin();
    part(root, "tour-next").onclick = () => this.#goTo(this.#step + 1);
    part(root, "tour-leave").onclick = () => this.leave();
  }

  receive(payload) {
    if (payload) this.#steps = payload.tour;
  }

  #begin() {
    this.#card.hidden = false;
    document.addEventListener("keydown", this.#handleKey);
    this.#goTo(0);
  }

  #handleKey = (event) => {
    if (event.key === "Escape") this.leave();
  };

  #goTo(step) {
    this.#target?.classList.remove("svm-toured");
    if (step >= this.#steps.length) return this.leave();
    this.#step = step;
    const { at, title, text } = this.#steps[step];
    this.#target = document.querySelector(at) ?? undefined;
    const accent = getComputedStyle(this.#root).getPropertyValue("--st-primary-color");
    /** @type {HTMLElement | undefined} */ (this.#target)?.style.setProperty("--svm-toured", accent);
    this.#target?.classList.add("svm-toured");
    this.#target?.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a phone it is out of sight
    const next = step + 1 < this.#steps.length ? "Next" : "Done";
    const words = { title, text, count: `${step + 1} of ${this.#steps.length}`, next };
    for (const [name, word] of Object.entries(words)) part(this.#root, `tour-${name}`).textContent = word;
  }

  leave() {
    this.#target?.classList.remove("svm-toured");
    document.removeEventListener("keydown", this.#handleKey);
    if (this.#card.contains(document.activeElement)) part(this.#root, "tour-begin").focus();
    this.#card.hidden = true;
  }
}
