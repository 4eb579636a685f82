// The live channel: while something is held, its pictures are asked for over a socket of its own, without a run of the
// page, and once more, in full, when it is released. As many questions are on their way as the link carries, and of
// those that wait only the newest counts. pages/shared/live/scene.py has the questions and answers. Without the channel
// the runs of the page draw.

import { openSocket } from "./sockets.js";
import { unpack } from "./unpack.js";
import { keepTogether } from "./words.js";

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
 * @typedef {import("../plane.js").Plane} Plane
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

/** Its event "lost" says that `isLost` has changed. */
export class Live extends EventTarget {
  address = ""; // where the server listens
  /** @type {string | undefined} the id of the scene of the page */
  #scene;
  /** @type {any} */
  #socket;
  #isIdle = false;
  #tries = 0;
  #retryTimer = 0;
  /** @type {Question[]} on their way: answers come in the same order */
  #questions = [];
  #window = 1; // of them at a time
  #isFull = false; // answers have waited for others: the link holds about so many
  #lastSent = -Infinity; // milliseconds, when the last one left
  #sendTimer = 0;
  /** @type {[since: number, then: number, before: number]} when the last seconds began, the quickest answer in them and
   * in those before */
  #recent = [0, Infinity, Infinity];
  /** @type {{ question: Question, bytes: Uint8Array } | undefined} an answer that waits for the next frame */
  #answer;
  /** @type {Map<Plane, () => void>} planes whose newest figure is not drawn yet, the one that waits longest first */
  #waitingPlanes = new Map();
  #isScheduled = false;
  #ownDelay = 0; // milliseconds by which an answer may be late because the browser draws
  #frameTime = 0; // and for the whole frame, in which it hears nothing
  #isAlone = false; // one plane was drawn in it
  /** @type {Question | undefined} */
  #nextQuestion;
  /** @type {Set<Plane>} */
  #followers = new Set();
  /** @type {Map<string, { version: number, planes: Record<string, any> }>} the last full pictures of each scene */
  #fullPictures = new Map();

  /** A plane of the scene with this id. @param {Plane} follower @param {string} scene */
  join(follower, scene) {
    this.#followers.add(follower);
    if (scene === this.#scene) return;
    this.#scene = scene;
    if (!this.isLost) this.#tries = 0;
    this.#connect();
  }

  /** @param {Plane} follower */
  leave(follower) {
    this.#followers.delete(follower);
    this.#waitingPlanes.delete(follower);
  }

  /** The server is back after the browser was without it: the next try is made now. */
  reconnect() {
    if (this.#scene && !this.#isIdle) this.#connect();
  }

  /** Whether questions can be asked at this moment. */
  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Whether the socket does not open, as behind a proxy that passes no websockets. */
  get isLost() {
    return this.#tries >= LOST_TRIES;
  }

  /** The page has brought the full picture of a plane in this version. */
  keepPicture(scene, version, name, figure) {
    const { version: last, planes } = this.#fullPictures.get(scene) ?? {};
    this.#fullPictures.set(scene, { version, planes: { ...(last === version && planes), [name]: figure } });
  }

  /** The full picture of a plane in this version, if the page has it. */
  picture(scene, version, name) {
    const { version: last, planes } = this.#fullPictures.get(scene) ?? {};
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
      if (this.#nextQuestion === question) this.#nextQuestion = undefined; // the run is earlier
      end();
    }, PATIENCE);
    if (!this.#ask(question)) end();
  }

  #ask(question) {
    if (!this.isOpen) {
      if (this.#isIdle) this.#connect();
      return false;
    }
    this.#nextQuestion = question;
    this.#send();
    return true;
  }

  #send() {
    const next = this.#nextQuestion;
    const most = next?.moving && this.#isBehind ? 1 : Math.floor(this.#window);
    if (!next || this.#questions.length >= most || !this.isOpen) return;
    const now = performance.now();
    const { change, moving } = next;
    const far = this.#quickestAnswer > FAR + this.#ownDelay && this.#quickestAnswer < Infinity;
    const early = this.#lastSent + this.#quickestAnswer / this.#window - now;
    if (moving && far && most > 1 && early > 0) {
      // questions that leave together would wait for each other on their way, and the server answers the last one alone
      this.#sendTimer ||= setTimeout(() => {
        this.#sendTimer = 0;
        this.#send();
      }, early);
      return;
    }
    this.#nextQuestion = undefined;
    this.#lastSent = now;
    const light = moving && far && { light: true };
    const { version, planes } = this.#fullPictures.get(this.#scene ?? "") ?? {};
    const known = moving && [...this.#followers].every(({ name }) => planes?.[name]) && { known: version };
    const how = { moving, ...light, ...known };
    const message = { scene: this.#scene, ...how, changes: change.changes ?? {}, ...change.script?.() };
    this.#questions.push({ ...next, sent: now });
    this.#socket.send(JSON.stringify(message));
  }

  #receive(socket, bytes) {
    const question = socket === this.#socket && this.#questions.shift();
    if (!question) return;
    const now = performance.now();
    this.#adjustWindow(now - (question.sent ?? 0), now);
    // the server draws the next picture while this one is shown
    if (!this.#nextQuestion?.moving || !this.#isBehind) this.#send();
    this.#answer = { question, bytes };
    // a slow browser draws at once: the next question then leaves in the middle of a frame, after what is drawn in it
    if (question.moving && (this.#isScheduled || !this.#isBehind)) this.#schedule();
    else this.#showAnswer();
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#showAnswer(true);
    });
  }

  // What was answered last: of the coarse pictures that come between two frames of the screen one is unpacked.
  #showAnswer(isInFrame = false) {
    const begun = performance.now();
    if (isInFrame) this.#handleFrame(begun);
    const { question, bytes } = this.#answer ?? {};
    this.#answer = undefined;
    const { version, planes: told, numbers, of } = bytes ? unpack(bytes) : {};
    const planes = of === undefined ? told : this.#restorePlanes(told, of);
    if (question && planes) {
      const { moving, change } = question;
      this.#showFigures(planes, numbers, version, { moving, edited: Boolean(change.script) });
    }
    this.#draw(begun + (question?.moving === false ? Infinity : BUSY));
    const spent = performance.now() - begun;
    if (planes) this.#ownDelay = 2 * spent;
    if (!isInFrame) requestAnimationFrame(() => this.#handleFrame(performance.now() - spent));
    question?.end?.();
  }

  // Ask what is newest, and measure the frame, which began at that moment; what waits for a slow browser is drawn after
  // it if no answer is to come.
  #handleFrame(begun) {
    this.#send();
    setTimeout(() => {
      this.#frameTime = performance.now() - begun;
      if (this.#waitingPlanes.size && !this.#questions.length) this.#schedule();
    }, 0);
  }

  // Two planes a frame, that of the hand and the one that waits longest, and more of them while there is time; the
  // others have their turn with the next frame, with what is then their newest figure.
  #draw(latest) {
    this.#isAlone = this.#frameTime > LONG && !this.#isAlone;
    for (let count = 1; this.#waitingPlanes.size; count++) {
      if (count > (this.#isAlone ? 1 : 2) && performance.now() > latest) {
        if (!this.#isBehind) this.#schedule(); // an empty frame would delay the next answer
        return;
      }
      const waiting = [...this.#waitingPlanes.keys()];
      const follower = (count === 1 && waiting.find(({ isEditable }) => isEditable)) || waiting[0];
      const follow = this.#waitingPlanes.get(follower);
      this.#waitingPlanes.delete(follower);
      follow?.();
    }
  }

  // Milliseconds of the quickest answer of the last seconds.
  get #quickestAnswer() {
    return Math.min(this.#recent[1], this.#recent[2]);
  }

  // Whether the browser takes longer for a frame than server and link for an answer, which it hears after the frame.
  // One that was asked for ahead would wait for the frame after it, so a question leaves with each frame.
  get #isBehind() {
    return this.#frameTime > SLOW && this.#quickestAnswer < NEAR * this.#frameTime;
  }

  // More questions at a time, or fewer: the link shall be full, but no answer shall wait for others.
  #adjustWindow(time, now) {
    const [since, then, before] = this.#recent;
    this.#recent = now > since + RECENT ? [now, time, then] : [since, Math.min(then, time), before];
    const waited = time - this.#quickestAnswer - this.#ownDelay > Math.max(QUEUED, PART * this.#quickestAnswer);
    this.#isFull ||= waited;
    if (waited) this.#window = Math.max(1, FEWER * this.#window);
    else if (this.#nextQuestion) this.#window = Math.min(MOST, this.#window + (this.#isFull ? 1 / this.#window : 1));
  }

  // Planes that are told as what differs from the full ones of a version, if the page still has those.
  #restorePlanes(told, of) {
    const { version, planes } = this.#fullPictures.get(this.#scene ?? "") ?? {};
    if (!planes || version !== of) return undefined;
    const restored = Object.entries(told).map(([name, plane]) => [name, applyDifference(planes[name], plane)]);
    return Object.fromEntries(restored);
  }

  #showFigures(planes, numbers, version, how) {
    if (!how.moving && this.#scene) this.#fullPictures.set(this.#scene, { version, planes });
    for (const follower of this.#followers) {
      const figure = planes[follower.name];
      if (figure) this.#waitingPlanes.set(follower, () => follower.follow(figure, version, how));
    }
    for (const element of document.querySelectorAll("[data-live]")) {
      const given = numbers[/** @type {HTMLElement} */ (element).dataset.live ?? ""];
      if (given === undefined) continue;
      const text = element.closest?.(".svm-edge") ? keepTogether(given) : given;
      if (text !== element.textContent) replaceText(element, text);
    }
  }

  // ---------------------------------------------------------------------------------------- socket

  #connect() {
    clearTimeout(this.#retryTimer);
    if (!this.address || this.#socket) return;
    const socket = openSocket(this.address);
    this.#socket = socket;
    this.#isIdle = false;
    socket.addEventListener("open", () => this.#countTries(0));
    socket.addEventListener("message", ({ data }) => this.#receive(socket, new Uint8Array(data)));
    socket.addEventListener("close", ({ code }) => this.#handleClose(code));
  }

  #handleClose(code) {
    const broken = [...this.#questions, this.#nextQuestion];
    this.#socket = this.#nextQuestion = undefined;
    this.#questions = [];
    for (const question of broken) question?.end?.();
    if (this.#waitingPlanes.size) this.#schedule();
    if (code === UNKNOWN)
      this.#scene = undefined; // the page brings another one
    else if (code === IDLE) this.#isIdle = true;
    else {
      const wait = AGAIN[Math.min(this.#tries, AGAIN.length - 1)];
      this.#countTries(this.#tries + 1);
      this.#retryTimer = setTimeout(() => this.#connect(), wait);
    }
  }

  #countTries(tries) {
    const before = this.isLost;
    this.#tries = tries;
    if (this.isLost !== before) this.dispatchEvent(new Event("lost"));
  }
}

// What a difference makes of a value, as `differences` in component.py tells it.
function applyDifference(value, difference) {
  if (Array.isArray(difference)) return difference[0];
  if (!value) return undefined; // a plane that the page does not have
  const other = Array.isArray(value) ? [...value] : { ...value };
  for (const place in difference) other[place] = applyDifference(value[place], difference[place]);
  return other;
}

// Where an element gets other children, the browser looks at the styles of the whole page again.
function replaceText(element, text) {
  if (element.firstChild && element.firstChild === element.lastChild) element.firstChild.nodeValue = text;
  else element.textContent = text;
}

/** That of this page. */
export const live = new Live();
