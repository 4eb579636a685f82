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
 * @param {any} Base WebSocket, or a class like it
 * @param {[EventTarget, string][]} wakeEvents events after which the connection may be another one
 */
export function withHeartbeat(Base, wakeEvents) {
  let [patience, lastDeath] = [PATIENCE, -Infinity];

  return class extends Base {
    #timer = 0;
    /** @type {Event | undefined} what it has told when it was found dead */
    #closeEvent;

    /** @param {string | URL} address  @param {string | string[]} [protocols] */
    constructor(address, protocols) {
      super(address, protocols);
      const ping = () => this.#ping();
      for (const [one, name] of wakeEvents) one.addEventListener(name, ping);
      // the owner's listeners come after these
      this.addEventListener("message", (event) => {
        this.#stopTimer();
        if (this.#closeEvent || event.data === PULSE) event.stopImmediatePropagation();
      });
      this.addEventListener("close", (event) => {
        this.#stopTimer();
        for (const [one, name] of wakeEvents) one.removeEventListener(name, ping);
        if (this.#closeEvent && event !== this.#closeEvent) event.stopImmediatePropagation(); // it has been told
      });
    }

    /** @param {Parameters<WebSocket["send"]>[0]} data */
    send(data) {
      super.send(data);
      if (!this.#timer) this.#startTimer(SILENCE, () => this.#ping());
    }

    #ping() {
      if (this.readyState !== 1) return;
      super.send(PULSE);
      if (performance.now() > lastDeath + AGAIN) patience = PATIENCE;
      this.#startTimer(patience, () => this.#declareDead());
    }

    #startTimer(time, then) {
      this.#stopTimer();
      const latest = performance.now() + time + LATE;
      this.#timer = setTimeout(() => (performance.now() > latest ? this.#ping() : then()), time);
    }

    #stopTimer() {
      clearTimeout(this.#timer);
      this.#timer = 0;
    }

    // The browser itself waits for a minute for the other side to agree.
    #declareDead() {
      this.#closeEvent = new CloseEvent("close", { code: 1006 });
      lastDeath = performance.now();
      patience *= 2;
      this.close();
      this.dispatchEvent(this.#closeEvent);
    }
  };
}

/**
 * The inside of a worker whose page has a socket: it is told the address, then what to send. What is compressed by zlib
 * is unpacked, and what comes behind it waits.
 * @param {any} scope
 */
function relay(scope) {
  const COMPRESSED = 0x78; // the first byte of zlib; that of `pack` is 4 more than a multiple of 8
  const post = (told) => scope.postMessage(told, told.data instanceof ArrayBuffer ? [told.data] : []);
  const decompress = async (data) => {
    const bytes = typeof data !== "string" && new Uint8Array(data);
    if (!bytes || bytes[0] !== COMPRESSED) return data;
    const { readable, writable } = new DecompressionStream("deflate");
    const writer = writable.getWriter(); // a Blob would take a way through another process
    for (const done of [writer.write(bytes), writer.close()]) done.catch(() => {}); // the reader is told, too
    return new Response(readable).arrayBuffer();
  };
  let socket;
  /** @type {Promise<any>} */
  let last = Promise.resolve();
  scope.onmessage = ({ data: sent }) => {
    if (socket) return socket.send(sent);
    socket = new WebSocket(sent);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => post({ name: "open" });
    socket.onmessage = ({ data }) => {
      const all = Promise.all([decompress(data), last]);
      last = all.then(([whole]) => post({ name: "message", data: whole })).catch(() => socket.close());
    };
    socket.onclose = ({ code }) => last.then(() => post({ name: "close", code }));
  };
  scope.end = () => socket.close();
}

let [source, forbidden] = ["", false];
const hasWorkers = () => !forbidden && "Worker" in globalThis;

function startWorker() {
  if (hasWorkers()) {
    source ||= URL.createObjectURL(new Blob([`(${relay})(self)`]));
    return new Worker(source);
  }
  /** @type {any} */
  const scope = { postMessage: (data) => worker.onmessage({ data }) };
  /** @type {any} */
  const worker = { postMessage: (data) => scope.onmessage({ data }), terminate: () => scope.end() };
  relay(scope);
  return worker;
}

/**
 * A socket like the browser's, in a worker if there are any. A page has a message in pieces of a kilobyte, each a task
 * of its own and most of them behind the next frame: on a slow machine 50 kB take as long as a third of a picture and
 * come a frame too late. From a worker it has them in one piece.
 */
class RelayedSocket extends EventTarget {
  readyState = 0;
  #worker;

  /** @param {string | URL} address */
  constructor(address) {
    super();
    this.#worker = startWorker();
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = () => {
      forbidden = true;
      this.#receive({ name: "close", code: 1006 });
    };
    this.#worker.postMessage(String(address));
  }

  /** @param {string} text */
  send(text) {
    if (this.readyState === 1) this.#worker.postMessage(text);
  }

  close() {
    this.readyState = 3;
    this.#worker.terminate();
  }

  #receive({ name, ...told }) {
    if (this.readyState === 3) return;
    this.readyState = 1;
    if (name === "close") this.close();
    this.dispatchEvent(Object.assign(new Event(name), told));
  }
}

/** @type {[EventTarget, string][]} */
const wakeEvents = [];
if (globalThis.document) {
  const { connection } = /** @type {any} */ (navigator); // not in every browser
  wakeEvents.push([globalThis, "online"], [globalThis, "pageshow"], [document, "visibilitychange"]);
  if (connection) wakeEvents.push([connection, "change"]);
  globalThis.WebSocket = /** @type {any} */ (withHeartbeat(globalThis.WebSocket, wakeEvents));
}
const PulseSocket = withHeartbeat(RelayedSocket, wakeEvents);

/** A socket to this address; of the page where the browser has no workers, or a host forbids them. */
export const openSocket = (/** @type {string} */ address) => new (hasWorkers() ? PulseSocket : RelayedSocket)(address);
