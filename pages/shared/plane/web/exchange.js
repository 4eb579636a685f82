// What is heard of the edits of a board: while points move, the live channel shows it; when they rest, Python gets the
// whole script (outbox.js says when). Its last picture is the full one: what Python then sends may be what a plane has
// had before, which is not drawn again.

import { LOST, Outbox } from "./outbox.js";

const CHOSEN = 250; // milliseconds for which a point is chosen before the choice is sent to Python

/**
 * The board, as it is when a message leaves.
 * @typedef {object} Sender
 * @property {() => { step: [number, number], edits: import("./edits.js").Row[] }} script
 * @property {() => number | null} chosen
 * @property {() => void} changed something was sent, or has to be
 */

export class Exchange {
  /** @type {number | undefined} the revision of the points that Python has sent */
  rev;

  #sender;
  #live;
  /** @type {((state: string, value: object) => void) | undefined} */
  #send;
  #outbox = new Outbox();
  /** Points move, and the live channel shows it. */
  #followed = false;
  /** The live channel could not show this move. */
  #refused = false;
  #telling = 0;
  #overdue = 0;

  /**
   * @param {Sender} sender
   * @param {{ ask: import("./live.js").Live["ask"] }} channel
   */
  constructor(sender, channel) {
    this.#sender = sender;
    this.#live = channel;
  }

  /** From now on `send` is the way to Python. */
  open(send) {
    this.#send = send;
  }

  /** Python has received the message `ack`. */
  answer(ack) {
    this.#outbox.answer(ack);
    this.#flush();
  }

  /** Python began anew: what it has not answered is sent `again` with the next answer, or is of no interest. */
  restart({ again }) {
    this.#outbox.restart({ again });
  }

  /** The edits have changed: points are still `moving`, or they rest. */
  push(moving) {
    if (!moving && this.#followed) this.#ask(false);
    this.#followed = moving && !this.#refused && this.#ask(true);
    if (!moving) this.#refused = false;
    if (!this.#followed) {
      this.#outbox.put(moving);
      this.#flush();
    }
    this.#sender.changed();
  }

  /** The point `id` was chosen, or none: Python hears of it soon, unless another message contains it. */
  choose(id) {
    clearTimeout(this.#telling);
    this.#telling = id === undefined ? 0 : setTimeout(() => this.#tell(), CHOSEN);
  }

  /** Whether Python has yet to answer: until then the points of the board are newer than those of a figure. */
  get waits() {
    return this.#followed || this.#outbox.waits;
  }

  /** Whether all edits have been sent and answered. */
  get settled() {
    return this.#outbox.settled && !this.#telling && !this.#followed;
  }

  /** The number of the newest message that was answered. */
  get answered() {
    return this.#outbox.answered;
  }

  #ask(moving) {
    const script = () => ({ rev: this.rev, ...this.#sender.script() });
    return this.#live.ask({}, { moving, script, failed: () => this.#unfollowed() });
  }

  // The channel does not answer, in the middle of a move: Python shall draw it.
  #unfollowed() {
    if (!this.#followed) return;
    this.#followed = false;
    this.#refused = true;
    this.push(true);
  }

  #tell() {
    this.#telling = 0;
    if (!this.#outbox.pending && !this.#followed) this.push(false);
  }

  #flush() {
    if (!this.#send) return;
    const message = this.#outbox.take();
    if (!message) return;
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#flush(), LOST + 100); // what waits for the answer does not do so for ever
    this.choose(undefined); // this message contains it
    this.#send("edits", { rev: this.rev, ...message, chosen: this.#sender.chosen(), ...this.#sender.script() });
  }
}
