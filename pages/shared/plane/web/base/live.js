// The live channel: while something is held, its pictures are asked for over a socket of its own, without a run of the
// page, and once more, in full, when it is released. As many questions are on their way as the link carries, and of
// those that wait only the newest counts. pages/shared/live/scene.py has the questions and answers. Without the channel
// the runs of the page draw.

import { openSocket } from "./sockets.js";
import { unpack } from "./unpack.js";
import { kept } from "./words.js";

const PATIENCE = 150; // milliseconds that a run waits for the full picture
const AGAIN = [500, 1000, 2000, 5000, 15000, 60000]; // milliseconds before each try to open the socket again
const LOST_TRIES = 4; // to open the socket, after which it is said that nothing follows
const UNKNOWN = 4004; // the server has closed the socket because it does not know the scene
const IDLE = 4008; // and because nothing was asked for a while: it is opened when something is
const MOST = 16; // questions on their way
const QUEUED = 40; // milliseconds that an answer waits for others before fewer questions are asked
const PART = 0.1; // of the quickest answer, that it waits where answers are slow
const FEWER = 0.95; // times as many questions after an answer that has waited
const RECENT = 2000; // milliseconds for which the quickest answer counts, and as many more: the link may change
const FAR = 40; // milliseconds of the quickest answer from which on pictures are asked for in few bytes
const BUSY = 12; // milliseconds of a frame after which no third plane is drawn in it
const LONG = 60; // and of the last one, after which no second plane is, but in every other frame
const SLOW = 30; // milliseconds of a frame from which on the browser is the bottleneck if answers come
const NEAR = 1.2; // within so many frames

/**
 * A plane that follows.
 * @typedef {object} Follower
 * @property {string} name
 * @property {boolean} [editable] its points can be moved: it is drawn first
 * @property {(figure: any, version: number, how: { moving: boolean, edited: boolean }) => void} follow show this
 *   figure: while something is moving or not, of points that were edited here or of what a control asks for
 *
 * What may change: values of controls by name, as in the link, and the points as they are when the question leaves.
 * @typedef {{ changes?: Record<string, number>, script?: () => object }} Change
 *
 * @typedef {object} Question
 * @property {Change} change
 * @property {boolean} moving
 * @property {() => void} [end] it is answered, with a picture or without, or will not be
 * @property {number} [sent] milliseconds, when it left
 */

/** Its event "lost" says that `lost` has changed. */
export class Live extends EventTarget {
  address = ""; // where the server listens
  /** @type {string | undefined} the id of the scene of the page */
  #scene;
  /** @type {any} */
  #socket;
  #idle = false;
  #tries = 0;
  #again = 0;
  /** @type {Question[]} on their way: answers come in the same order */
  #flying = [];
  #most = 1; // of them at a time
  #filled = false; // answers have waited for others: the link holds about so many
  #left = -Infinity; // milliseconds, when the last one left
  #turn = 0;
  /** @type {[since: number, then: number, before: number]} when the last seconds began, the quickest answer in them and
   * in those before */
  #recent = [0, Infinity, Infinity];
  /** @type {{ question: Question, bytes: Uint8Array } | undefined} an answer that waits for the next frame */
  #pending;
  /** @type {Map<Follower, () => void>} planes whose newest figure is not drawn yet, the one that waits longest first */
  #due = new Map();
  #soon = false;
  #drawing = 0; // milliseconds that the browser took for the last picture
  #frame = 0; // and for the whole frame, in which it hears nothing
  #alone = false; // one plane was drawn in it
  /** @type {Question | undefined} */
  #next;
  /** @type {Set<Follower>} */
  #followers = new Set();
  /** @type {Map<string, { version: number, planes: Record<string, any> }>} the last full pictures of each scene */
  #full = new Map();

  /** A plane of the scene with this id. @param {Follower} follower @param {string} scene */
  join(follower, scene) {
    this.#followers.add(follower);
    if (scene === this.#scene) return;
    this.#scene = scene;
    if (!this.lost) this.#tries = 0;
    this.#open();
  }

  /** @param {Follower} follower */
  leave(follower) {
    this.#followers.delete(follower);
    this.#due.delete(follower);
  }

  /** The server is back after the browser was without it: the next try is made now. */
  back() {
    if (this.#scene && !this.#idle) this.#open();
  }

  /** Whether questions can be asked at this moment. */
  get open() {
    return this.#socket?.readyState === 1;
  }

  /** Whether the socket does not open, as behind a proxy that passes no websockets. */
  get lost() {
    return this.#tries >= LOST_TRIES;
  }

  /** The page has brought the full picture of a plane in this version. */
  keep(scene, version, name, figure) {
    const { version: last, planes } = this.#full.get(scene) ?? {};
    this.#full.set(scene, { version, planes: { ...(last === version && planes), [name]: figure } });
  }

  /** The full picture of a plane in this version, if the page has it. */
  picture(scene, version, name) {
    const { version: last, planes } = this.#full.get(scene) ?? {};
    return last === version ? planes?.[name] : undefined;
  }

  /**
   * Ask for coarse pictures while something is held.
   * @param {Change} change
   * @returns {boolean} false without a channel
   */
  hold(change) {
    return this.#ask({ change, moving: true });
  }

  /**
   * Ask for the full pictures of what was released, and call `then` for the run: at once without a channel, else when
   * they are there, or take too long.
   * @param {Change} change
   * @param {() => void} then
   */
  release(change, then) {
    let waits = true;
    const end = () => {
      clearTimeout(timer);
      if (waits) then();
      waits = false;
    };
    const question = { change, moving: false, end };
    const timer = setTimeout(() => {
      if (this.#next === question) this.#next = undefined; // the run is earlier
      end();
    }, PATIENCE);
    if (!this.#ask(question)) end();
  }

  #ask(question) {
    if (!this.open) {
      if (this.#idle) this.#open();
      return false;
    }
    this.#next = question;
    this.#send();
    return true;
  }

  #send() {
    const next = this.#next;
    const most = next?.moving && this.#behind ? 1 : Math.floor(this.#most);
    if (!next || this.#flying.length >= most || !this.open) return;
    const now = performance.now();
    const { change, moving } = next;
    const far = this.#quickest > FAR + this.#own && this.#quickest < Infinity;
    const early = this.#left + this.#quickest / this.#most - now;
    if (moving && far && most > 1 && early > 0) return this.#later(early);
    this.#next = undefined;
    this.#left = now;
    const light = moving && far && this.#socket.unpacks && { light: true };
    const { version, planes } = this.#full.get(this.#scene ?? "") ?? {};
    const known = moving && [...this.#followers].every(({ name }) => planes?.[name]) && { known: version };
    const how = { moving, ...light, ...known };
    const message = { scene: this.#scene, ...how, changes: change.changes ?? {}, ...change.script?.() };
    this.#flying.push({ ...next, sent: now });
    this.#socket.send(JSON.stringify(message));
  }

  // Questions that leave together would wait for each other on their way, and the server answers the last one alone.
  #later(time) {
    this.#turn ||= setTimeout(() => {
      this.#turn = 0;
      this.#send();
    }, time);
  }

  #heard(socket, bytes) {
    const question = socket === this.#socket && this.#flying.shift();
    if (!question) return;
    const now = performance.now();
    this.#pace(now - (question.sent ?? 0), now);
    // the server draws the next picture while this one is shown
    if (!this.#next?.moving || !this.#behind) this.#send();
    this.#pending = { question, bytes };
    if (question.moving) this.#schedule();
    else this.#unveil();
  }

  #schedule() {
    if (this.#soon) return;
    this.#soon = true;
    requestAnimationFrame(() => {
      this.#soon = false;
      this.#unveil();
    });
  }

  // What was answered last: of the coarse pictures that come between two frames of the screen one is unpacked.
  #unveil() {
    const begun = performance.now();
    this.#send();
    setTimeout(() => (this.#frame = performance.now() - begun), 0);
    const { question, bytes } = this.#pending ?? {};
    this.#pending = undefined;
    const { version, planes: told, numbers, of } = bytes ? unpack(bytes) : {};
    const planes = of === undefined ? told : this.#differing(told, of);
    if (question && planes) {
      const { moving, change } = question;
      this.#show(planes, numbers, version, { moving, edited: Boolean(change.script) });
    }
    this.#draw(begun + (question?.moving === false ? Infinity : BUSY));
    if (planes) this.#drawing = performance.now() - begun;
    question?.end?.();
  }

  // Two planes a frame, that of the hand and the one that waits longest, and more of them while there is time; the
  // others have their turn with the next frame, with what is then their newest figure.
  #draw(latest) {
    this.#alone = this.#frame > LONG && !this.#alone;
    for (let count = 1; this.#due.size; count++) {
      if (count > (this.#alone ? 1 : 2) && performance.now() > latest) {
        if (!this.#behind || !this.#flying.length) this.#schedule(); // an empty frame would only delay the next answer
        return;
      }
      const waiting = [...this.#due.keys()];
      const follower = (count === 1 && waiting.find(({ editable }) => editable)) || waiting[0];
      const follow = this.#due.get(follower);
      this.#due.delete(follower);
      follow?.();
    }
  }

  // Milliseconds of the quickest answer of the last seconds.
  get #quickest() {
    return Math.min(this.#recent[1], this.#recent[2]);
  }

  // Milliseconds by which an answer may be late because the browser draws.
  get #own() {
    return 2 * this.#drawing;
  }

  // Whether the browser takes longer for a frame than server and link for an answer, which it hears after the frame.
  // One that was asked for ahead would wait for the frame after it, so each question leaves when a frame begins.
  get #behind() {
    return this.#frame > SLOW && this.#quickest < NEAR * this.#frame;
  }

  // More questions at a time, or fewer: the link shall be full, but no answer shall wait for others.
  #pace(time, now) {
    const [since, then, before] = this.#recent;
    this.#recent = now > since + RECENT ? [now, time, then] : [since, Math.min(then, time), before];
    const waited = time - this.#quickest - this.#own > Math.max(QUEUED, PART * this.#quickest);
    this.#filled ||= waited;
    if (waited) this.#most = Math.max(1, FEWER * this.#most);
    else if (this.#next) this.#most = Math.min(MOST, this.#most + (this.#filled ? 1 / this.#most : 1));
  }

  // Planes that are told as what differs from the full ones of a version, if the page still has those.
  #differing(told, of) {
    const { version, planes } = this.#full.get(this.#scene ?? "") ?? {};
    if (!planes || version !== of) return undefined;
    return Object.fromEntries(Object.entries(told).map(([name, plane]) => [name, made(planes[name], plane)]));
  }

  #show(planes, numbers, version, how) {
    if (!how.moving && this.#scene) this.#full.set(this.#scene, { version, planes });
    for (const follower of this.#followers) {
      const figure = planes[follower.name];
      if (figure) this.#due.set(follower, () => follower.follow(figure, version, how));
    }
    for (const element of document.querySelectorAll("[data-live]")) {
      const given = numbers[/** @type {HTMLElement} */ (element).dataset.live ?? ""];
      if (given === undefined) continue;
      const text = element.closest?.(".svm-edge") ? kept(given) : given;
      if (text !== element.textContent) write(element, text);
    }
  }

  // ---------------------------------------------------------------------------------------- socket

  #open() {
    clearTimeout(this.#again);
    if (!this.address || this.#socket) return;
    const socket = openSocket(this.address);
    this.#socket = socket;
    this.#idle = false;
    socket.addEventListener("open", () => this.#count(0));
    socket.addEventListener("message", ({ data }) => this.#heard(socket, new Uint8Array(data)));
    socket.addEventListener("close", ({ code }) => this.#closed(code));
  }

  #closed(code) {
    const broken = [...this.#flying, this.#next];
    this.#socket = this.#next = undefined;
    this.#flying = [];
    for (const question of broken) question?.end?.();
    if (this.#due.size) this.#schedule();
    if (code === UNKNOWN)
      this.#scene = undefined; // the page brings another one
    else if (code === IDLE) this.#idle = true;
    else {
      const wait = AGAIN[Math.min(this.#tries, AGAIN.length - 1)];
      this.#count(this.#tries + 1);
      this.#again = setTimeout(() => this.#open(), wait);
    }
  }

  #count(tries) {
    const before = this.lost;
    this.#tries = tries;
    if (this.lost !== before) this.dispatchEvent(new Event("lost"));
  }
}

// What a difference makes of a value, as `differences` in component.py tells it.
function made(value, difference) {
  if (Array.isArray(difference)) return difference[0];
  if (!value) return undefined; // a plane that the page does not have
  const other = Array.isArray(value) ? [...value] : { ...value };
  for (const place in difference) other[place] = made(value[place], difference[place]);
  return other;
}

// Where an element gets other children, the browser looks at the styles of the whole page again.
function write(element, text) {
  if (element.firstChild && element.firstChild === element.lastChild) element.firstChild.nodeValue = text;
  else element.textContent = text;
}

/** That of this page. */
export const live = new Live();
