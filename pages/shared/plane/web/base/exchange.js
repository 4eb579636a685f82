// What is heard of the edits of points: the live channel shows what they do, while points move and when they rest; then
// Python gets the whole script. One message is on its way, and the next one has all that came meanwhile.

const LOST = 10000; // milliseconds after which an unanswered message is taken as lost
const CHOSEN = 250; // milliseconds for which a point is chosen before the choice is sent to Python

/**
 * The points, as they are when a message leaves.
 * @typedef {object} Sender
 * @property {() => { step: [number, number], edits: import("../editing/edits.js").Row[] }} script
 * @property {() => number | null} chosen
 * @property {() => void} changed something was sent, or has to be
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
  answered = 0;

  #sender;
  #live;
  #sent = 0;
  /** There is something to send. */
  #dirty = false;
  #moving = false;
  #pushes = 0;
  /** So many of them are in messages that were answered or lost, */
  #heard = 0;
  /** and so many in those and in the message on its way. */
  #told = 0;
  /** A message is on its way. */
  #waiting = false;
  #telling = 0;
  #overdue = 0;

  /** @param {Sender} sender  @param {Channel} channel */
  constructor(sender, channel) {
    this.#sender = sender;
    this.#live = channel;
  }

  /** `ack` is the newest message that Python has received. */
  answer(ack) {
    if (ack >= this.#sent) this.#arrived();
    this.answered = ack;
    this.#flush();
  }

  /** Python began anew: what it has not answered is sent `again` with the next answer, or is of no interest. */
  restart({ again }) {
    if (again) {
      this.#dirty ||= this.#waiting;
      this.#waiting = false;
    } else this.#arrived();
  }

  /** The edits have changed: points are still `moving`, which the live channel alone shows, or they rest. */
  push(moving) {
    this.#moving = moving;
    this.#dirty = true;
    this.#pushes += 1;
    const change = { script: () => ({ version: this.version, ...this.#sender.script() }) };
    if (moving) this.#live.hold(change);
    else this.#live.release(change, () => this.#flush());
    this.#sender.changed();
  }

  /** The point `id` was chosen, or none: Python hears of it soon, unless another message contains it. */
  choose(id) {
    clearTimeout(this.#telling);
    this.#telling = id === undefined ? 0 : setTimeout(() => this.#tell(), CHOSEN);
  }

  /** Whether Python has yet to answer an edit: until then these points are newer than those of a figure. */
  get waits() {
    return this.#pushes > this.#heard;
  }

  /** Changes whenever the points do: by a version from Python, or by an edit. */
  get state() {
    return `${this.version}/${this.#pushes}`;
  }

  /** Whether all edits and choices have been sent and answered. */
  get settled() {
    return !this.#dirty && !this.#waiting && !this.#telling;
  }

  #tell() {
    this.#telling = 0;
    this.#dirty = true;
    this.#flush();
  }

  #flush() {
    if (this.send && this.#dirty && !this.#moving && !this.#waiting) {
      this.#dirty = false;
      this.#waiting = true;
      this.#told = this.#pushes;
      this.#sent += 1;
      clearTimeout(this.#overdue);
      this.#overdue = setTimeout(() => this.#lost(), LOST);
      this.choose(undefined); // this message contains it
      const { version } = this;
      this.send("edits", { version, seq: this.#sent, chosen: this.#sender.chosen(), ...this.#sender.script() });
    }
    this.#sender.changed();
  }

  #arrived() {
    this.#waiting = false;
    this.#heard = this.#told;
  }

  #lost() {
    if (!this.#waiting) return;
    this.#arrived();
    this.#flush();
  }
}
