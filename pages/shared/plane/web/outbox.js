// Messages of which only the newest counts: at most one is on its way.

/** Milliseconds after which an unanswered message is taken as lost. */
export const LOST = 10000;

export class Outbox {
  /** The number of the newest message that was answered. */
  answered = 0;

  #clock;
  #dirty = false;
  #moving = false;
  #waiting = false;
  #sent = 0;
  #sentAt = -Infinity;
  #sentMoving = false;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** There is something to send, about points that are still `moving` or about the end of the move. */
  put(moving) {
    this.#moving = moving;
    this.#dirty = true;
  }

  /**
   * The message that may be sent now, if any. What is final overtakes a message about a point on its way: Streamlit
   * then gives that run up.
   * @returns {{ seq: number, moving: boolean } | undefined}
   */
  take() {
    const busy = this.#waiting && !this.#lost && (this.#moving || !this.#sentMoving);
    if (!this.#dirty || busy) return undefined;
    this.#dirty = false;
    this.#waiting = true;
    this.#sent += 1;
    this.#sentAt = this.#clock();
    this.#sentMoving = this.#moving;
    return { seq: this.#sent, moving: this.#moving };
  }

  /** `ack` is the newest message that the other side has received. */
  answer(ack) {
    if (ack >= this.#sent || this.#lost) this.#waiting = false;
    this.answered = ack;
  }

  /**
   * The other side has received nothing, and answers nothing of what was sent.
   * @param {{ again: boolean }} what is to be sent again
   */
  restart({ again }) {
    if (again) this.#dirty ||= this.#waiting;
    this.#waiting = false;
  }

  /** A message has been sent and not yet answered. */
  get waits() {
    return this.#dirty || this.#waiting;
  }

  /** The last message was final, and is answered. */
  get settled() {
    return !this.waits && !this.#moving;
  }

  /** A message is still to come, with the state of that moment. */
  get pending() {
    return this.#dirty || this.#moving;
  }

  get #lost() {
    return this.#clock() - this.#sentAt >= LOST;
  }
}
