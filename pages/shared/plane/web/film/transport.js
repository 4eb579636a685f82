// The controls of a film: play, pause, step, scrub, speed, and the sentence on the moment.

import { make, part } from "../base/dom.js";
import { remember, remembered } from "../base/memory.js";
import { tones } from "../base/tones.js";

const WHOLE = "why"; // what the browser remembers: the sentences on a moment are in sight, however many
const BRIEF = 2; // so many always are
const SPEEDS = [2, 5, 12, 30, 60]; // frames a second

export class Transport {
  #root;
  #film;
  #scrub;
  #label;
  #ownWhy;
  #key = "";
  #lines = "0";
  #chosen;
  #speed;
  #play;
  #steps;
  #whole;
  #tones;

  /**
   * @param {HTMLElement} root of transport.html
   * @param {import("./film.js").Film} film
   */
  constructor(root, film) {
    this.#root = root;
    this.#film = film;
    this.#scrub = part(root, "scrub");
    this.#label = part(root, "label");
    this.#ownWhy = part(root, "why");
    this.#chosen = part(root, "chosen");
    this.#speed = part(root, "speed");
    this.#play = part(root, "play");
    this.#steps = part(root, "steps");
    this.#whole = part(root, "whole");
    this.#tones = part(root, "tones");
    tones.switchedBy(this.#tones);
    root.onclick = (event) => this.#press(event);
    root.onkeydown = (event) => {
      if (/** @type {Element} */ (event.target).tagName !== "SELECT") film.key(event);
    };
    this.#scrub.oninput = () => film.go(Number(this.#scrub.value));
    this.#speed.innerHTML = SPEEDS.map((rate) => `<option value="${rate}">${rate} a second</option>`).join("");
    this.#speed.value = String(film.speed);
    this.#speed.onchange = () => {
      film.speed = Number(this.#speed.value);
    };
  }

  receive(payload, send) {
    this.#film.attach(this);
    if (payload) this.#key = payload.transport;
    if (payload) this.#film.receive(payload, send);
    this.#fit();
    this.show();
  }

  // Room for the longest list of words: what lies below does not jump while the film plays.
  #fit() {
    const { ticks, steps, speed } = this.#film;
    const most = (values) => String(Math.max(0, ...values));
    this.#root.toggleAttribute("data-single", ticks.length < 2);
    this.#steps.hidden = steps === null || steps === undefined;
    this.#steps.setAttribute("aria-pressed", String(Boolean(steps)));
    this.#tones.hidden = !ticks.some(({ height }) => typeof height === "number");
    this.#label.style.setProperty("--svm-letters", most(ticks.map(({ label }) => label.length)));
    this.#speed.value = String(speed);
    this.#lines = most(ticks.map(({ words }) => words.length));
    this.#whole.hidden = Number(this.#lines) <= BRIEF || this.#root.hasAttribute("data-single");
    this.#tones.parentElement.hidden = [this.#tones, this.#steps, this.#whole].every(({ hidden }) => hidden);
  }

  // The list of words on the moment: elsewhere on the page where it has a place there.
  get #why() {
    return document.querySelector(`.svm-why[data-of="${this.#key}"]`) ?? this.#ownWhy;
  }

  // After a click of the pointer the keys belong to the film, after the keyboard's to the button.
  #press(event) {
    const film = this.#film;
    const button = event.target.closest("button");
    const actions = {
      first: () => film.end(0),
      back: () => film.step(-1),
      play: () => film.play(),
      forward: () => film.step(1),
      last: () => film.end(1),
      steps: () => film.refine(),
      whole: () => {
        remember(WHOLE, remembered(WHOLE) ? "" : "open");
        this.show();
      },
    };
    actions[button?.dataset.act]?.();
    if (button && event.detail) this.#root.focus({ preventScroll: true });
  }

  /** The moment that the film shows, and whether it plays. */
  show() {
    const film = this.#film;
    const { label = "", words = [], iteration } = film.ticks[film.tick] ?? {};
    Object.assign(this.#scrub, { max: film.last, value: film.tick });
    this.#scrub.setAttribute("aria-valuetext", label);
    this.#label.textContent = label;
    this.#play.lastElementChild.textContent = film.playing ? "Pause" : "Play";
    const why = this.#why;
    why.style.setProperty("--svm-lines", this.#lines);
    why.setAttribute("aria-live", film.playing ? "off" : "polite");
    this.#ownWhy.hidden = why !== this.#ownWhy;
    if (this.#ownWhy.hidden) this.#ownWhy.replaceChildren();
    const brief = !this.#whole.hidden && !remembered(WHOLE);
    why.toggleAttribute("data-brief", brief);
    why.tabIndex = brief ? -1 : 0;
    this.#whole.setAttribute("aria-expanded", String(!brief));
    why.replaceChildren(...words.map((text) => make("li", { textContent: text })));
    this.about();
    Object.assign(this.#root.dataset, { tick: film.tick, iteration, playing: film.playing });
  }

  /** The text of the viewers about the point that is held. */
  about() {
    const viewers = [...this.#film.viewers];
    this.#chosen.hidden = !viewers.some((viewer) => viewer.detailed);
    this.#chosen.textContent = viewers.map((viewer) => viewer.chosen(this.#film.tick)).find(Boolean) ?? "";
  }

  leave() {
    this.#film.pause();
  }
}
