// What is heard of the edits of points: the live channel shows what they do, while points move and when they rest; then
// Python gets the whole script. One message is on its way, and the next one has all that came meanwhile.

const LOST = 10000; // milliseconds after which an unanswered message is taken as lost
const CHOSEN = 250; // milliseconds for which a point is chosen before the choice is sent to Python

/**
 * The points, as they are when a message leaves.
 * @typedef {object} Sender
 * @property {() => { step: [number, number], edits: import("../editing/edits.js").Row[] }} script
 * @property {() => number | null} chosenPoint
 * @property {() => void} onChange something was sent, or has to be
 *
 * @typedef {import("./live.js").Live} Live
 * @typedef {{ hold: (change: import("./live.js").Change) => unknown, release: Live["release"] }} Channel
 */

export class Exchange {
  /** @type {number | undefined} the version of the points that Python has sent */
  version;
  /** The way to Python, once there is one. */
  send;
  /** The number of the newest message that was answered. */
  lastAnswer = 0;

  #sender;
  #live;
  #lastSent = 0;
  /** There is something to send. */
  #isDirty = false;
  #isMoving = false;
  #pushes = 0;
  /** So many of them are in messages that were answered or lost, */
  #answeredPushes = 0;
  /** and so many in those and in the message on its way. */
  #sentPushes = 0;
  /** A message is on its way. */
  #isWaiting = false;
  #choiceTimer = 0;
  #lossTimer = 0;

  /** @param {Sender} sender  @param {Channel} channel */
  constructor(sender, channel) {
    this.#sender = sender;
    this.#live = channel;
  }

  /** `ack` is the newest message that Python has received. */
  acknowledge(ack) {
    if (ack >= this.#lastSent) this.#acceptAnswer();
    this.lastAnswer = ack;
    this.#flush();
  }

  /** Python began anew: what it has not answered is sent `again` with the next answer, or is of no interest. */
  restart({ again }) {
    if (again) {
      clearTimeout(this.#lossTimer);
      this.#isDirty ||= this.#isWaiting;
      this.#isWaiting = false;
    } else this.#acceptAnswer();
  }

  /** The edits have changed: points are still `moving`, which the live channel alone shows, or they rest. */
  push(moving) {
    this.#isMoving = moving;
    this.#isDirty = true;
    this.#pushes += 1;
    const change = { script: () => ({ version: this.version, ...this.#sender.script() }) };
    if (moving) this.#live.hold(change);
    else this.#live.release(change, () => this.#flush());
    this.#sender.onChange();
  }

  /** The point `id` was chosen, or none: Python hears of it soon, unless another message contains it. */
  choose(id) {
    clearTimeout(this.#choiceTimer);
    this.#choiceTimer = 0;
    if (id === undefined) return;
    this.#choiceTimer = setTimeout(() => {
      this.#choiceTimer = 0;
      this.#isDirty = true;
      this.#flush();
    }, CHOSEN);
  }

  /** Whether Python has yet to answer an edit: until then these points are newer than those of a figure. */
  get hasPendingEdits() {
    return this.#pushes > this.#answeredPushes;
  }

  /** Changes whenever the points do: by a version from Python, or by an edit. */
  get state() {
    return `${this.version}/${this.#pushes}`;
  }

  /** Whether all edits and choices have been sent and answered. */
  get isSettled() {
    return !this.#isDirty && !this.#isWaiting && !this.#choiceTimer;
  }

  #flush() {
    if (this.send && this.#isDirty && !this.#isMoving && !this.#isWaiting) {
      this.#isDirty = false;
      this.#isWaiting = true;
      this.#sentPushes = this.#pushes;
      this.#lastSent += 1;
      this.#lossTimer = setTimeout(() => {
        this.#acceptAnswer();
        this.#flush();
      }, LOST);
      this.choose(undefined); // this message contains it
      const told = { version: this.version, seq: this.#lastSent, chosen: this.#sender.chosenPoint() };
      this.send("edits", { ...told, ...this.#sender.script() });
    }
    this.#sender.onChange();
  }

  #acceptAnswer() {
    clearTimeout(this.#lossTimer);
    this.#isWaiting = false;
    this.#answeredPushes = this.#sentPushes;
  }
}
