// The controls of a film: play, pause, step, scrub, speed, and the sentence on the moment.

import { drawIcons, make, part } from "../base/dom.js";
import { recall, remember } from "../base/memory.js";
import { tones } from "../base/tones.js";

const WHOLE = "why"; // what the browser remembers: the sentences on a moment are in sight, however many
const BRIEF = 2; // so many always are
const SPEEDS = [2, 5, 12, 30, 60]; // frames a second
const PARTS = ["scrub", "label", "why", "chosen", "speed", "play", "steps", "whole", "tones"];

export class Transport {
  #root;
  #film;
  /** @type {Record<string, any>} its elements by their names */
  #parts;
  #key = "";
  #lines = "0";

  /** @param {HTMLElement} root of transport.html  @param {import("./film.js").Film} film */
  constructor(root, film) {
    this.#root = root;
    this.#film = film;
    this.#parts = Object.fromEntries(PARTS.map((name) => [name, part(root, name)]));
    const { scrub, speed, tones: button } = this.#parts;
    drawIcons(root);
    tones.addSwitch(button);
    root.onclick = (event) => this.#handlePress(event);
    root.onkeydown = (event) => {
      if (/** @type {Element} */ (event.target).tagName !== "SELECT") film.handleKey(event);
    };
    scrub.oninput = () => film.goTo(Number(scrub.value));
    speed.append(...SPEEDS.map((rate) => make("option", { value: rate, textContent: `${rate} a second` })));
    speed.value = String(film.speed);
    speed.onchange = () => {
      film.speed = Number(speed.value);
    };
  }

  receive(payload, send) {
    this.#film.transport = this;
    if (payload) this.#key = payload.transport;
    if (payload) this.#film.receive(payload, send);
    this.#fit();
    this.show();
  }

  // Room for the longest list of words: what lies below does not jump while the film plays.
  #fit() {
    const { ticks, steps: single, speed: rate } = this.#film;
    const { label, speed, steps, whole, tones: button } = this.#parts;
    const largest = (values) => String(Math.max(0, ...values));
    this.#root.toggleAttribute("data-single", ticks.length < 2);
    steps.hidden = single === null || single === undefined;
    steps.setAttribute("aria-pressed", String(Boolean(single)));
    button.hidden = !ticks.some(({ height }) => typeof height === "number");
    label.style.setProperty("--svm-letters", largest(ticks.map((tick) => tick.label.length)));
    speed.value = String(rate);
    this.#lines = largest(ticks.map(({ words }) => words.length));
    whole.hidden = Number(this.#lines) <= BRIEF || this.#root.hasAttribute("data-single");
    button.parentElement.hidden = [button, steps, whole].every(({ hidden }) => hidden);
  }

  // After a click of the pointer the keys belong to the film, after the keyboard's to the button.
  #handlePress(event) {
    const button = event.target.closest("button");
    if (button?.dataset.act === "whole") {
      remember(WHOLE, recall(WHOLE) ? "" : "open");
      this.show();
    } else this.#film.act(button?.dataset.act);
    if (button && event.detail) this.#root.focus({ preventScroll: true });
  }

  /** The moment that the film shows, and whether it plays. */
  show() {
    const film = this.#film;
    const { label = "", words = [], iteration } = film.ticks[film.tick] ?? {};
    const { scrub, label: name, play, whole, why: own } = this.#parts;
    Object.assign(scrub, { max: film.lastTick, value: film.tick });
    scrub.setAttribute("aria-valuetext", label);
    name.textContent = label;
    play.lastElementChild.textContent = film.isPlaying ? "Pause" : "Play";
    // the list of words on the moment: elsewhere on the page where it has a place there
    const why = document.querySelector(`.svm-why[data-of="${this.#key}"]`) ?? own;
    why.style.setProperty("--svm-lines", this.#lines);
    why.setAttribute("aria-live", film.isPlaying ? "off" : "polite");
    own.hidden = why !== own;
    if (own.hidden) own.replaceChildren();
    const brief = !whole.hidden && !recall(WHOLE);
    why.toggleAttribute("data-brief", brief);
    why.tabIndex = brief ? -1 : 0;
    whole.setAttribute("aria-expanded", String(!brief));
    why.replaceChildren(...words.map((text) => make("li", { textContent: text })));
    this.showPoint();
    Object.assign(this.#root.dataset, { tick: film.tick, iteration, playing: film.isPlaying });
  }

  /** The text of the viewers about the point that is held. */
  showPoint() {
    const viewers = [...this.#film.viewers];
    const { chosen } = this.#parts;
    chosen.hidden = !viewers.some((viewer) => viewer.hasDetails);
    chosen.textContent = viewers.map((viewer) => viewer.describePoint(this.#film.tick)).find(Boolean) ?? "";
  }

  leave() {
    this.#film.pause();
  }
}
