// Playing a film: the frames lie in the browser, one clock moves all planes and curves that share its name.

import { wantsStill } from "../base/dom.js";
import { named } from "../base/named.js";
import { tones } from "../base/tones.js";

const PATIENCE = 3000; // milliseconds until a request is repeated
const KEYS = { " ": "play", ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last" };
const REST = 800; // milliseconds without another moment, after which the link may have this one

/**
 * @typedef {object} Tick a moment
 * @property {string} label its name
 * @property {string[]} words sentences on it
 * @property {number} iteration its true number
 * @property {number | null} [height] where its objective lies between the best value, 0, and the worst of the run, 1
 *
 * @typedef {object} Viewer what shows the moment
 * @property {(tick: number) => void} showTick
 * @property {boolean} detailed whether it has the support values of single points
 * @property {(tick: number) => string | undefined} chosen words on the point that is held
 */

export class Film {
  /** @type {Set<Viewer>} */
  viewers = new Set();
  /** @type {Tick[]} */
  ticks = [];
  tick = 0;
  /** Moments a second. */
  speed = 12;
  playing = false;
  /** @type {number | undefined} the version of the moments */
  version;
  /** @type {boolean | null | undefined} whether these are single steps; nothing where there is no choice */
  steps;
  /** @type {import("./transport.js").Transport | undefined} its controls */
  transport;

  #send;
  /** @type {unknown} */
  #run;
  /** @type {[boolean, boolean] | undefined} whether the run has more single steps before the first, after the last */
  #beyond;
  /** @type {{ version: number | undefined, now: number, goesOn: boolean } | undefined} the last request to Python */
  #asked;
  /** @type {number | undefined} where Python wanted the film to be */
  #start;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;

  receive({ version, run, ticks, start, ends, steps, beyond, speed, plays }, send) {
    this.#send = send;
    if (!this.version) this.speed = speed ?? this.speed;
    const named = start !== this.#start ? start : undefined;
    this.#start = start ?? undefined;
    if (version === this.version && named !== undefined && named !== null) this.#jump(named);
    if (version === this.version) return;
    const goesOn = this.#asked?.goesOn && run === this.#run;
    const part = this.version && this.tick < this.last ? this.tick / this.last : 1;
    Object.assign(this, { version, ticks, steps, playing: false });
    this.#run = run;
    this.#beyond = beyond;
    this.#asked = undefined;
    this.#jump(start ?? (ends ? part * this.last : wantsStill() ? this.last : 0));
    if (goesOn || (plays && !wantsStill())) this.play();
  }

  // The reader has changed the moment: Python is told when the film has come to rest.
  #moved() {
    clearTimeout(this.#rest);
    if (this.playing || this.#asked) return;
    this.#rest = setTimeout(() => {
      const { iteration } = this.ticks[this.tick] ?? {};
      if (!this.playing && !this.#asked && iteration !== undefined)
        this.#send?.("moment", { run: this.#run, iteration });
    }, REST);
  }

  get last() {
    return Math.max(this.ticks.length - 1, 0);
  }

  #jump(tick) {
    this.tick = Math.min(Math.max(Math.round(tick), 0), this.last);
    for (const viewer of this.viewers) viewer.showTick(this.tick);
    this.transport?.show();
  }

  // As the reader wishes or the film plays: this is heard, too.
  #go(tick) {
    this.#jump(tick);
    tones.hear([this.ticks[this.tick]?.height]);
  }

  step(by) {
    this.pause();
    if (!this.#leaves(by)) this.#go(this.tick + by);
    this.#moved();
  }

  // Beyond the end of a window of single steps lies the next window.
  #leaves(by, goesOn = false) {
    if (this.tick + by >= 0 && this.tick + by <= this.last) return false;
    if (!this.#beyond?.[by < 0 ? 0 : 1]) return false;
    this.#ask(this.ticks[this.tick].iteration, { by, goesOn });
    return true;
  }

  /** The first or the last of all moments, in this window or not. */
  end(side) {
    this.pause();
    if (this.#beyond?.[side]) this.#ask(side ? Number.MAX_SAFE_INTEGER : 0);
    else this.#go(side ? this.last : 0);
    this.#moved();
  }

  #ask(iteration, { by = 0, goesOn = false, steps = this.steps } = {}) {
    const now = performance.now();
    if (this.#asked && this.#asked.version === this.version && now - this.#asked.now < PATIENCE) return;
    this.#asked = { version: this.version, now, goesOn };
    this.#send?.("film", { run: this.#run, steps, iteration, by, now });
  }

  /** From the moment on the screen to the last; from the last, all anew. A film that plays is paused. */
  play() {
    if (this.playing) return this.pause();
    if (this.tick === this.last && !this.#leaves(1, true)) this.#go(0);
    if (this.#asked) return;
    this.playing = true;
    let [began, from, speed] = [performance.now(), this.tick, this.speed];
    const next = (now) => {
      if (!this.playing) return;
      if (speed !== this.speed) [began, from, speed] = [now, this.tick, this.speed];
      const tick = Math.min(from + Math.floor((Math.max(now - began, 0) * speed) / 1000), this.last);
      if (tick !== this.tick) this.#go(tick);
      if (this.tick < this.last) {
        requestAnimationFrame(next);
        return;
      }
      this.pause();
      this.#leaves(1, true);
    };
    requestAnimationFrame(next);
    this.transport?.show();
  }

  pause() {
    const played = this.playing;
    this.playing = false;
    if (this.#asked) this.#asked.goesOn = false;
    this.transport?.show();
    if (played) this.#moved();
  }

  go(tick) {
    this.pause();
    this.#go(tick);
    this.#moved();
  }

  /** Space on a button presses the button. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    if (!KEYS[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(KEYS[event.key]);
  }

  /** What the button of that name does. */
  act(name) {
    const acts = {
      first: () => this.end(0),
      back: () => this.step(-1),
      play: () => this.play(),
      forward: () => this.step(1),
      last: () => this.end(1),
      steps: () => this.#ask(this.ticks[this.tick].iteration, { steps: !this.steps }), // around this moment, or whole
    };
    acts[name]?.();
  }
}

/** The film of that name. */
export const filmOf = named(() => new Film());
