// Connections that are dead without a word, as after a phone has slept or gone from one network to another: the browser
// takes them for open, and would for minutes. A socket that has heard nothing since something was sent asks the server,
// which answers at once (`note_websockets` in pages/shared/server/sessions.py). Without an answer it ends, and its
// owner opens another one, as after any end. The owner is this app or Streamlit, which both use the browser's class.

export const PULSE = "svm-lab: are you there?"; // and the answer to it
const SILENCE = 2000; // milliseconds after which it is asked
const PATIENCE = 5500; // milliseconds for the answer; one that waits for a large message on a slow line is not dead,
const AGAIN = 60_000; // so that after an end within so many milliseconds it is twice as long
const LATE = 1000; // milliseconds by which a clock is late where the browser was busy or asleep, and has not listened

/**
 * The class of sockets that end so.
 * @param {typeof WebSocket} Base
 * @param {[EventTarget, string][]} waking events after which the connection may be another one
 */
export function noticing(Base, waking) {
  let [patience, ended] = [PATIENCE, -Infinity];

  return class extends Base {
    #timer = 0;
    #dead = false;

    /** @param {string | URL} address  @param {string | string[]} [protocols] */
    constructor(address, protocols) {
      super(address, protocols);
      const ask = () => this.#ask();
      for (const [one, name] of waking) one.addEventListener(name, ask);
      // the owner's listeners come after these
      this.addEventListener("message", (event) => {
        this.#rest();
        if (this.#dead || event.data === PULSE) event.stopImmediatePropagation();
      });
      this.addEventListener("close", (event) => {
        this.#rest();
        for (const [one, name] of waking) one.removeEventListener(name, ask);
        if (this.#dead && event.isTrusted) event.stopImmediatePropagation(); // it has been told
      });
    }

    /** @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      super.send(data);
      if (!this.#timer) this.#wait(SILENCE, () => this.#ask());
    }

    #ask() {
      if (this.readyState !== 1) return;
      super.send(PULSE);
      if (performance.now() > ended + AGAIN) patience = PATIENCE;
      this.#wait(patience, () => this.#end());
    }

    #wait(time, then) {
      this.#rest();
      const latest = performance.now() + time + LATE;
      this.#timer = setTimeout(() => (performance.now() > latest ? this.#ask() : then()), time);
    }

    #rest() {
      clearTimeout(this.#timer);
      this.#timer = 0;
    }

    // The browser itself waits for a minute for the other side to agree.
    #end() {
      this.#dead = true;
      ended = performance.now();
      patience *= 2;
      this.close();
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }
  };
}

if (globalThis.document) {
  const { connection } = /** @type {any} */ (navigator); // not in every browser
  globalThis.WebSocket = noticing(globalThis.WebSocket, [
    [globalThis, "online"],
    [globalThis, "pageshow"],
    [document, "visibilitychange"],
    ...(connection ? [/** @type {[EventTarget, string]} */ ([connection, "change"])] : []),
  ]);
}
