// The live channel: while something is held, its pictures are asked for over a socket of its own, without a run of the
// page. One question is on its way, and of those that wait only the newest counts. pages/shared/live/pictures.py has
// the questions and answers. Without the channel `ask` returns false, and pages work by runs alone.

import { unpack } from "./unpack.js";
import { kept } from "./words.js";

const LOST = 5000; // milliseconds after which an answer does not come any more
const AGAIN = [500, 1000, 2000, 5000, 15000, 60000]; // milliseconds before each try to open the socket again
const UNKNOWN = 4004; // the server has closed the socket because the token is unknown

/**
 * A plane that follows.
 * @typedef {object} Follower
 * @property {string} name
 * @property {(figure: any, how: { asked: number, moving: boolean }) => void} follow show this figure
 * @property {() => void} revert show what the page has sent last, if something else is shown
 *
 * What a board adds to a question: the edits as they are when it leaves.
 * @typedef {() => { rev: number | undefined, step: number[], edits: number[][] }} Script
 *
 * @typedef {object} Question
 * @property {Record<string, number>} changes
 * @property {boolean} moving
 * @property {Script} [script]
 * @property {() => void} [failed] there will be no answer
 * @property {() => void} [done] it is answered, with a picture or without
 */

export class Live {
  /** @type {(address: string) => WebSocket} */
  #connect;
  /** @type {ParentNode} */
  #page;
  #address = "";
  /** @type {string | undefined} */
  #token;
  /** @type {WebSocket | undefined} */
  #socket;
  #tries = 0;
  #again = 0;
  #lost = 0;
  #asked = 0;
  /** @type {Question | undefined} */
  #flying;
  /** @type {Question | undefined} */
  #next;
  /** @type {Set<Follower>} */
  #followers = new Set();
  /** @type {Map<Element, string | null>} texts that a coarse picture has replaced */
  #texts = new Map();

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
   * A plane of the scene with this token.
   * @param {Follower} follower
   * @param {string} token
   */
  join(follower, token) {
    this.#followers.add(follower);
    if (token === this.#token) return;
    this.#token = token;
    this.#tries = 0;
    this.#open();
  }

  /** @param {Follower} follower */
  leave(follower) {
    this.#followers.delete(follower);
  }

  /** Whether questions can be asked at this moment. */
  get open() {
    return this.#socket?.readyState === 1;
  }

  /** The number of the newest question: what the page sends from now on is newer than its answer. */
  get asked() {
    return this.#asked + (this.#next ? 1 : 0);
  }

  /**
   * Ask for the pictures with these values of controls; `moving` for coarse ones.
   * @param {Record<string, number>} changes
   * @param {{ moving: boolean, script?: Script, failed?: () => void, done?: () => void }} how
   * @returns {boolean} false without a channel
   */
  ask(changes, { moving, script, failed, done }) {
    if (!this.open) return false;
    this.#next = { changes, moving, script, failed, done };
    this.#send();
    return true;
  }

  #send() {
    const next = this.#next;
    if (!next || this.#flying || !this.open) return;
    this.#flying = next;
    this.#next = undefined;
    this.#asked += 1;
    const { changes, moving, script } = next;
    const message = { token: this.#token, seq: this.#asked, moving, changes, ...script?.() };
    this.#socket?.send(JSON.stringify(message));
    clearTimeout(this.#lost);
    this.#lost = setTimeout(() => this.#socket?.close(), LOST);
  }

  #take(bytes) {
    const { seq, planes, numbers, refused } = unpack(bytes);
    const question = this.#flying;
    if (!question || seq !== this.#asked) return;
    clearTimeout(this.#lost);
    this.#flying = undefined;
    this.#send(); // the server draws the next picture while this one is shown
    if (refused === undefined) this.#show(planes, numbers, { asked: seq, moving: question.moving });
    else if (!question.moving) this.#revert();
    else question.failed?.();
    question.done?.();
  }

  #show(planes, numbers, { asked, moving }) {
    for (const follower of this.#followers) {
      const figure = planes[follower.name];
      if (figure) follower.follow(figure, { asked, moving });
    }
    if (!moving) this.#texts.clear();
    for (const element of this.#page.querySelectorAll("[data-live]")) {
      const given = numbers[/** @type {HTMLElement} */ (element).dataset.live ?? ""];
      if (given === undefined) continue;
      const text = element.closest?.(".svm-edge") ? kept(given) : given;
      if (text === element.textContent) continue;
      if (moving && !this.#texts.has(element)) this.#texts.set(element, element.textContent);
      element.textContent = text;
    }
  }

  // ---------------------------------------------------------------------------------------- socket

  #open() {
    clearTimeout(this.#again);
    if (!this.#address || this.#socket) return;
    const socket = this.#connect(this.#address);
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#tries = 0;
    };
    socket.onmessage = ({ data }) => this.#take(new Uint8Array(data));
    socket.onclose = ({ code }) => this.#closed(code);
  }

  #closed(code) {
    const broken = this.#next ?? this.#flying;
    this.#socket = this.#flying = this.#next = undefined;
    clearTimeout(this.#lost);
    this.#revert();
    broken?.failed?.();
    if (code === UNKNOWN)
      this.#token = undefined; // the page brings another one
    else this.#retry();
  }

  #retry() {
    const wait = AGAIN[Math.min(this.#tries, AGAIN.length - 1)];
    this.#tries += 1;
    this.#again = setTimeout(() => this.#open(), wait);
  }

  #revert() {
    for (const follower of this.#followers) follower.revert();
    for (const [element, text] of this.#texts) element.textContent = text;
    this.#texts.clear();
  }
}

/** That of this page. */
export const live = new Live((address) => new WebSocket(address), globalThis.document);

/**
 * While a control is held, and once when it is released: `changes` are the values of controls by name, as in the link.
 * @param {Record<string, number>} changes
 * @param {{ moving: boolean, done?: () => void }} how
 */
export const ask = (changes, how) => live.ask(changes, how);
