// Playing a film: the frames lie in the browser, one clock moves all planes and curves that share its name.

import { prefersReducedMotion } from "../base/dom.js";
import { memoize } from "../base/memoize.js";
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
 */

export class Film {
  /** @type {Set<import("./playback.js").Playback>} what shows the moment */
  viewers = new Set();
  /** @type {Tick[]} */
  ticks = [];
  tick = 0;
  /** Moments a second. */
  speed = 12;
  isPlaying = false;
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
  #hasMore;
  /** @type {{ version: number | undefined, now: number, goesOn: boolean } | undefined} the last request to Python */
  #request;
  /** @type {number | undefined} where Python wanted the film to be */
  #start;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #restTimer;

  receive({ version, run, ticks, start, ends, steps, beyond, speed, plays }, send) {
    this.#send = send;
    if (!this.version) this.speed = speed ?? this.speed;
    const named = start !== this.#start ? start : undefined;
    this.#start = start ?? undefined;
    if (version === this.version && named !== undefined && named !== null) this.#jump(named);
    if (version === this.version) return;
    const goesOn = this.#request?.goesOn && run === this.#run;
    const part = this.version && this.tick < this.lastTick ? this.tick / this.lastTick : 1;
    Object.assign(this, { version, ticks, steps, isPlaying: false });
    this.#run = run;
    this.#hasMore = beyond;
    this.#request = undefined;
    this.#jump(start ?? (ends ? part * this.lastTick : prefersReducedMotion() ? this.lastTick : 0));
    if (goesOn || (plays && !prefersReducedMotion())) this.play();
  }

  // The reader has changed the moment: Python is told when the film has come to rest.
  #reportRest() {
    clearTimeout(this.#restTimer);
    if (this.isPlaying || this.#request) return;
    this.#restTimer = setTimeout(() => {
      const { iteration } = this.ticks[this.tick] ?? {};
      if (!this.isPlaying && !this.#request && iteration !== undefined)
        this.#send?.("moment", { run: this.#run, iteration });
    }, REST);
  }

  get lastTick() {
    return Math.max(this.ticks.length - 1, 0);
  }

  #jump(tick) {
    this.tick = Math.min(Math.max(Math.round(tick), 0), this.lastTick);
    for (const viewer of this.viewers) viewer.showTick(this.tick);
    this.transport?.show();
  }

  // As the reader wishes or the film plays: this is heard, too.
  #showAloud(tick) {
    this.#jump(tick);
    tones.playIfOn([this.ticks[this.tick]?.height]);
  }

  step(by) {
    this.pause();
    if (!this.#askBeyond(by)) this.#showAloud(this.tick + by);
    this.#reportRest();
  }

  // Beyond the end of a window of single steps lies the next window.
  #askBeyond(by, goesOn = false) {
    if (this.tick + by >= 0 && this.tick + by <= this.lastTick) return false;
    if (!this.#hasMore?.[by < 0 ? 0 : 1]) return false;
    this.#ask(this.ticks[this.tick].iteration, { by, goesOn });
    return true;
  }

  /** The first or the last of all moments, in this window or not. */
  goToEnd(side) {
    this.pause();
    if (this.#hasMore?.[side]) this.#ask(side ? Number.MAX_SAFE_INTEGER : 0);
    else this.#showAloud(side ? this.lastTick : 0);
    this.#reportRest();
  }

  #ask(iteration, { by = 0, goesOn = false, steps = this.steps } = {}) {
    const now = performance.now();
    if (this.#request && this.#request.version === this.version && now - this.#request.now < PATIENCE) return;
    this.#request = { version: this.version, now, goesOn };
    this.#send?.("film", { run: this.#run, steps, iteration, by, now });
  }

  /** From the moment on the screen to the last; from the last, all anew. A film that plays is paused. */
  play() {
    if (this.isPlaying) return this.pause();
    if (this.tick === this.lastTick && !this.#askBeyond(1, true)) this.#showAloud(0);
    if (this.#request) return;
    this.isPlaying = true;
    let [began, from, speed] = [performance.now(), this.tick, this.speed];
    const advance = (now) => {
      if (!this.isPlaying) return;
      if (speed !== this.speed) [began, from, speed] = [now, this.tick, this.speed];
      const tick = Math.min(from + Math.floor((Math.max(now - began, 0) * speed) / 1000), this.lastTick);
      if (tick !== this.tick) this.#showAloud(tick);
      if (this.tick < this.lastTick) return requestAnimationFrame(advance);
      this.pause();
      this.#askBeyond(1, true);
    };
    requestAnimationFrame(advance);
    this.transport?.show();
  }

  pause() {
    const played = this.isPlaying;
    this.isPlaying = false;
    if (this.#request) this.#request.goesOn = false;
    this.transport?.show();
    if (played) this.#reportRest();
  }

  goTo(tick) {
    this.pause();
    this.#showAloud(tick);
    this.#reportRest();
  }

  /** Space on a button presses the button. */
  handleKey(event) {
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
      first: () => this.goToEnd(0),
      back: () => this.step(-1),
      play: () => this.play(),
      forward: () => this.step(1),
      last: () => this.goToEnd(1),
      steps: () => this.#ask(this.ticks[this.tick].iteration, { steps: !this.steps }), // around this moment, or whole
    };
    acts[name]?.();
  }
}

/** The film of that name. */
export const filmOf = memoize(() => new Film());
