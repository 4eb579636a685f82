// What the reader does without a connection is sent when it is back; a sentence says that it is away. A socket that is
// dead without a word ends, and a busy browser or a slow line makes none end that lives.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { deflateSync } from "node:zlib";
import { openSocket, PULSE, withHeartbeat } from "../../pages/shared/plane/web/base/sockets.js";
import { Connection } from "../../pages/shared/plane/web/controls/connection.js";

test("a run follows each time without a connection, which may have swallowed what was sent just before", (context) => {
  /** @type {(() => void)[]} */
  const changes = [];
  context.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.MutationObserver = /** @type {any} */ (
    function Observer(change) {
      changes.push(change);
      return { observe() {} };
    }
  );
  globalThis.addEventListener ??= () => {};
  const app = { dataset: { testConnectionState: "CONNECTED" } };
  const line = { textContent: "", append: () => {} };
  const dialogs = [{ textContent: "Are you connected to the internet?" }]; // Streamlit's own
  const body = { appendChild: (part) => part };
  const page = { body, createElement: () => line, querySelector: () => app, querySelectorAll: () => dialogs };
  const [browser, back, away] = [{ onLine: true }, mock.fn(), new Connection()];
  globalThis.document = /** @type {any} */ (page);
  Object.defineProperty(globalThis, "navigator", { value: browser, configurable: true });
  away.start();
  away.addEventListener("back", back);
  const [look, reword] = changes;
  const state = (/** @type {string} */ name, time = 0) => {
    app.dataset.testConnectionState = name;
    look();
    context.mock.timers.tick(time);
  };

  look(); // the line was there all the time
  assert.equal(back.mock.callCount(), 0);
  state("PINGING_SERVER", 1000);
  assert.equal(line.textContent, "", "a short pause needs no words");
  state("CONNECTED", 5000);
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 1]);

  state("PINGING_SERVER", 2000);
  assert.match(line.textContent, /is kept and sent when/);
  reword();
  assert.equal(dialogs[0].textContent, line.textContent);
  state("CONNECTED");
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 2]);

  browser.onLine = false;
  look();
  context.mock.timers.tick(2000);
  assert.match(line.textContent, /No connection/);
  browser.onLine = true;
  look();
  assert.deepEqual([line.textContent, back.mock.callCount()], ["", 3]);
});

describe("a socket", () => {
  let [now, heard, waking] = [0, [], new EventTarget()];
  globalThis.CloseEvent ??= /** @type {any} */ (class extends Event {});

  class Socket extends EventTarget {
    readyState = 1;
    sent = [];
    send(data) {
      this.sent.push(data);
    }
    close() {
      this.readyState = 2;
    }
    hear(data) {
      this.dispatchEvent(Object.assign(new Event("message"), { data }));
    }
  }

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    mock.method(performance, "now", () => now);
    [now, heard, waking] = [0, [], new EventTarget()];
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  const classOfSockets = () => withHeartbeat(/** @type {any} */ (Socket), [[waking, "online"]]);
  const open = (Noticing = classOfSockets()) => {
    const socket = /** @type {any} */ (new Noticing("ws://here"));
    for (const name of ["message", "close"]) socket.addEventListener(name, ({ data }) => heard.push(data ?? name));
    return socket;
  };
  const advance = (time) => {
    now += time;
    mock.timers.tick(time);
  };

  test("that hears nothing asks, and ends without an answer", () => {
    const socket = open();
    socket.send("question");
    advance(2000);
    assert.deepEqual(socket.sent, ["question", PULSE]);
    advance(5499);
    assert.deepEqual([heard, socket.readyState], [[], 1]);
    advance(1);
    assert.deepEqual([heard, socket.readyState], [["close"], 2]);
    socket.hear("late");
    socket.dispatchEvent(new Event("close")); // the browser's, which comes after a minute
    socket.send("more");
    advance(100_000);
    assert.deepEqual(heard, ["close"]);
  });

  test("what is heard keeps it open, and the owner does not hear the answer", () => {
    const socket = open();
    socket.send("question");
    advance(1999);
    socket.hear("answer");
    advance(100_000);
    assert.deepEqual([socket.sent, heard], [["question"], ["answer"]]);
    socket.send("question");
    advance(2000);
    socket.hear(PULSE);
    advance(100_000);
    assert.deepEqual([socket.sent.length, heard], [3, ["answer"]]);
  });

  test("it asks when the browser wakes or has another network, until it has ended", () => {
    const socket = open();
    waking.dispatchEvent(new Event("online"));
    assert.deepEqual(socket.sent, [PULSE]);
    advance(5500);
    assert.deepEqual(heard, ["close"]);
    waking.dispatchEvent(new Event("online"));
    assert.deepEqual(socket.sent, [PULSE]);
  });

  test("a browser that was busy or asleep asks again before it gives up", () => {
    const socket = open();
    socket.send("question");
    advance(2000);
    now += 300_000;
    advance(5500);
    assert.deepEqual([socket.sent, heard], [["question", PULSE, PULSE], []]);
    socket.hear(PULSE);
    advance(100_000);
    assert.deepEqual(heard, []);
  });

  test("soon after an end the next one has more time, as a large message on a slow line needs", () => {
    const Noticing = classOfSockets();
    const times = [7500, 13_000, 24_000].map((time) => {
      const [socket, before] = [open(Noticing), heard.length];
      socket.send("question");
      advance(2000);
      advance(time - 2001);
      const early = heard.length;
      advance(1);
      return [early - before, heard.length - before];
    });
    assert.deepEqual(times, Array(3).fill([0, 1]));
    advance(60_001);
    const socket = open(Noticing);
    socket.send("question");
    advance(2000);
    advance(5500);
    assert.equal(heard.length, 4);
  });
});

describe("a socket that is relayed", () => {
  const inside = [];
  class Inside {
    sent = [];
    constructor(address) {
      Object.assign(this, { address });
      inside.push(this);
    }
    send(data) {
      this.sent.push(data);
    }
    close() {
      this.onclose({ code: 1006 });
    }
  }
  const open = () => {
    Object.assign(globalThis, { WebSocket: Inside });
    const socket = /** @type {any} */ (openSocket("ws://here")); // in this page: Node has no workers like a browser's
    const heard = [];
    for (const name of ["open", "message", "close"])
      socket.addEventListener(name, ({ data, code }) => heard.push([name, data ?? code, socket.readyState]));
    socket.send("too early");
    inside.at(-1).onopen();
    return { socket, heard, within: inside.at(-1) };
  };
  const settlePromises = () => new Promise(setImmediate);

  test("is one like the page's", async () => {
    const { socket, heard, within } = open();
    socket.send("question");
    within.onmessage({ data: "answer" });
    await settlePromises();
    within.onclose({ code: 4004 });
    await settlePromises();
    assert.deepEqual([within.address, within.sent], ["ws://here", ["question"]]);
    assert.deepEqual(heard, [
      ["open", undefined, 1],
      ["message", "answer", 1],
      ["close", 4004, 3],
    ]);
  });

  test("brings unpacked what is compressed, and what comes behind it waits", async () => {
    const { heard, within } = open();
    const bytes = (...values) => Uint8Array.from(values).buffer;
    within.onmessage({ data: Uint8Array.from(deflateSync(new Uint8Array(bytes(4, 5)))).buffer });
    within.onmessage({ data: bytes(4, 6) });
    while (heard.length < 3) await settlePromises();
    assert.deepEqual(
      heard.slice(1).map(([, data]) => [...new Uint8Array(data)]),
      [
        [4, 5],
        [4, 6],
      ],
    );
    within.onmessage({ data: bytes(0x78, 1) });
    while (heard.length < 4) await settlePromises();
    assert.deepEqual(heard.at(-1), ["close", 1006, 3], "what cannot be unpacked ends it");
  });

  test("says nothing more when it has ended", async () => {
    const { socket, heard, within } = open();
    socket.close();
    within.onmessage({ data: "late" });
    await settlePromises();
    assert.equal(heard.length, 1);
  });

  test("is the page's where a host forbids workers", () => {
    let worker;
    class Forbidden {
      constructor() {
        worker = this;
      }
      postMessage() {}
      terminate() {}
    }
    Object.assign(globalThis, { WebSocket: Inside, Worker: Forbidden });
    const first = /** @type {any} */ (openSocket("ws://first"));
    worker.onerror();
    assert.equal(first.readyState, 3);
    openSocket("ws://second");
    assert.equal(inside.at(-1).address, "ws://second");
  });
});
