// The live channel: while something is held, its pictures are asked for over a socket of its own, without a run of the
// page, and once more, in full, when it is released. One question is on its way, and of those that wait only the newest
// counts. pages/shared/live/scene.py has the questions and answers. Without the channel the runs of the page draw.

import { unpack } from "./unpack.js";
import { kept } from "./words.js";

const LOST = 5000; // milliseconds after which an answer does not come any more
const PATIENCE = 150; // milliseconds that a run waits for the full picture
const AGAIN = [500, 1000, 2000, 5000, 15000, 60000]; // milliseconds before each try to open the socket again
const LOST_TRIES = 4; // to open the socket, after which it is said that nothing follows
const UNKNOWN = 4004; // the server has closed the socket because it does not know the scene
const IDLE = 4008; // and because nothing was asked for a while: it is opened when something is

/**
 * A plane that follows.
 * @typedef {object} Follower
 * @property {string} name
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
 */

export class Live {
  /** @type {(address: string) => WebSocket} */
  #connect;
  /** @type {ParentNode} */
  #page;
  #address = "";
  /** @type {string | undefined} the id of the scene of the page */
  #scene;
  /** @type {WebSocket | undefined} */
  #socket;
  #idle = false;
  #tries = 0;
  #again = 0;
  #lost = 0;
  /** @type {Question | undefined} */
  #flying;
  /** @type {Question | undefined} */
  #next;
  /** @type {Set<Follower>} */
  #followers = new Set();
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {Map<string, { version: number, planes: Record<string, any> }>} the last full pictures of each scene */
  #full = new Map();

  /** @param {(address: string) => WebSocket} connect  @param {ParentNode} page */
  constructor(connect, page) {
    this.#connect = connect;
    this.#page = page;
  }

  /** Where the server listens. */
  at(address) {
    this.#address = address;
  }

  /**
   * A plane of the scene with this id.
   * @param {Follower} follower
   * @param {string} scene
   */
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

  /**
   * Call `told` when `lost` has changed.
   * @param {() => void} told
   * @returns {() => void} to end that
   */
  listen(told) {
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  }

  /** The full picture of a plane in this version, if the channel has brought it. */
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
    if (!next || this.#flying || !this.open) return;
    this.#flying = next;
    this.#next = undefined;
    const { change, moving } = next;
    const message = { scene: this.#scene, moving, changes: change.changes ?? {}, ...change.script?.() };
    this.#socket?.send(JSON.stringify(message));
    clearTimeout(this.#lost);
    this.#lost = setTimeout(() => this.#socket?.close(), LOST);
  }

  #take(bytes) {
    const { version, planes, numbers } = unpack(bytes);
    const question = this.#flying;
    if (!question) return;
    clearTimeout(this.#lost);
    this.#flying = undefined;
    this.#send(); // the server draws the next picture while this one is shown
    const { moving, change } = question;
    if (planes) this.#show(planes, numbers, version, { moving, edited: Boolean(change.script) });
    question.end?.();
  }

  #show(planes, numbers, version, how) {
    if (!how.moving && this.#scene) this.#full.set(this.#scene, { version, planes });
    for (const follower of this.#followers) {
      const figure = planes[follower.name];
      if (figure) follower.follow(figure, version, how);
    }
    for (const element of this.#page.querySelectorAll("[data-live]")) {
      const given = numbers[/** @type {HTMLElement} */ (element).dataset.live ?? ""];
      if (given === undefined) continue;
      const text = element.closest?.(".svm-edge") ? kept(given) : given;
      if (text !== element.textContent) element.textContent = text;
    }
  }

  // ---------------------------------------------------------------------------------------- socket

  #open() {
    clearTimeout(this.#again);
    if (!this.#address || this.#socket) return;
    const socket = this.#connect(this.#address);
    this.#socket = socket;
    this.#idle = false;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#count(0);
    socket.onmessage = ({ data }) => this.#take(new Uint8Array(data));
    socket.onclose = ({ code }) => this.#closed(code);
  }

  #closed(code) {
    const broken = [this.#flying, this.#next];
    this.#socket = this.#flying = this.#next = undefined;
    clearTimeout(this.#lost);
    for (const question of broken) question?.end?.();
    if (code === UNKNOWN)
      this.#scene = undefined; // the page brings another one
    else if (code === IDLE) this.#idle = true;
    else this.#retry();
  }

  #count(tries) {
    const before = this.lost;
    this.#tries = tries;
    if (this.lost !== before) for (const told of this.#listeners) told();
  }

  #retry() {
    const wait = AGAIN[Math.min(this.#tries, AGAIN.length - 1)];
    this.#count(this.#tries + 1);
    this.#again = setTimeout(() => this.#open(), wait);
  }
}

/** That of this page. */
export const live = new Live((address) => new WebSocket(address), globalThis.document);
