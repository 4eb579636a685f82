import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Live } from "../../pages/shared/plane/web/live.js";

// as `pack` in plane.py, without arrays
function packed(spec) {
  const json = new TextEncoder().encode(JSON.stringify(spec));
  const bytes = new Uint8Array(4 + json.length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  return bytes.buffer;
}

let [sockets, shown, failed, numbers] = [[], [], [], []];
/** @type {Live} */
let live;

class Socket {
  readyState = 0;
  sent = [];
  constructor(address) {
    this.address = address;
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  answer(told) {
    this.onmessage({ data: packed({ seq: this.sent.at(-1).seq, planes: {}, numbers: {}, ...told }) });
  }
}

const follower = (name) => ({
  name,
  follow: (figure, how) => shown.push([name, figure, how.asked, how.moving]),
  revert: () => shown.push([name, "reverted"]),
});
const socket = () => sockets.at(-1);
const move = (C) => live.ask({ C }, { moving: true, failed: () => failed.push(C) });

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  [sockets, shown, failed] = [[], [], []];
  numbers = [{ dataset: { live: "error" }, textContent: "3 %" }];
  live = new Live((address) => new Socket(address), { querySelectorAll: () => numbers });
  live.at("ws://here/live");
});
afterEach(() => mock.timers.reset());

const joined = (...names) => {
  for (const name of names) live.join(follower(name), "token");
  socket().open();
};

describe("a question", () => {
  test("without a channel is none", () => {
    assert.equal(move(1), false);
    live.join(follower("plane"), "token");
    assert.equal(move(1), false);
    socket().open();
    assert.equal(move(1), true);
    assert.deepEqual(socket().sent, [{ token: "token", seq: 1, moving: true, changes: { C: 1 } }]);
  });

  test("is one at a time, and then the newest", () => {
    joined("plane");
    for (const C of [1, 2, 3]) move(C);
    assert.deepEqual(
      socket().sent.map(({ changes }) => changes.C),
      [1],
    );
    socket().answer({ planes: { plane: "a" } });
    assert.deepEqual(
      socket().sent.map(({ changes }) => changes.C),
      [1, 3],
    );
  });

  test("leaves before the answer to the last one is shown, and that answer has its own number", () => {
    joined("plane");
    const sent = () => socket().sent.length;
    live.join({ ...follower("spectrum"), follow: () => shown.push(sent()) }, "token");
    move(1);
    move(2);
    socket().answer({ planes: { plane: "a", spectrum: "b" } });
    assert.deepEqual(shown, [["plane", "a", 1, true], 2]);
  });

  test("is done when it is answered, with a picture or without", () => {
    joined("plane");
    const done = () => shown.push("done");
    live.ask({}, { moving: false, done });
    socket().answer({ planes: { plane: "a" } });
    live.ask({}, { moving: false, done });
    socket().answer({ refused: "No." });
    assert.deepEqual(shown, [["plane", "a", 1, false], "done", ["plane", "reverted"], "done"]);
  });

  test("tells the edits as they are when it leaves", () => {
    joined("plane");
    let edits = [[1, 1, 0, 0]];
    const script = () => ({ rev: 7, step: [0, 0], edits });
    move(1);
    live.ask({}, { moving: true, script });
    edits = [[2, 1, 0, 0]];
    socket().answer({});
    assert.deepEqual(socket().sent.at(-1).edits, edits);
  });
});

describe("an answer", () => {
  test("is for the planes that it names, with the number of its question", () => {
    joined("plane", "spectrum", "other");
    move(1);
    socket().answer({ planes: { plane: "a", spectrum: "b" } });
    assert.deepEqual(shown, [
      ["plane", "a", 1, true],
      ["spectrum", "b", 1, true],
    ]);
  });

  test("to another question is none", () => {
    joined("plane");
    move(1);
    socket().answer({ seq: 9, planes: { plane: "late" } });
    assert.deepEqual(shown, []);
  });

  test("brings numbers, which stay with the full picture", () => {
    joined("plane");
    move(1);
    socket().answer({ numbers: { error: "5 %", unknown: "x" } });
    assert.equal(numbers[0].textContent, "5 %");
    live.ask({}, { moving: false });
    socket().answer({ numbers: { error: "6 %" } });
    socket().close();
    assert.equal(numbers[0].textContent, "6 %");
  });

  test("may be that there is none: of a move the asker hears, after a release the page's picture comes back", () => {
    joined("plane");
    move(1);
    socket().answer({ refused: "No." });
    assert.deepEqual([failed, shown], [[1], []]);
    live.ask({}, { moving: false });
    socket().answer({ refused: "No." });
    assert.deepEqual(shown, [["plane", "reverted"]]);
  });

  test("is older than what the page sends while its question waits", () => {
    joined("plane");
    assert.equal(live.asked, 0);
    move(1);
    assert.equal(live.asked, 1);
    move(2);
    assert.equal(live.asked, 2);
    socket().answer({});
    assert.equal(live.asked, 2);
  });
});

describe("a socket that closes", () => {
  test("takes back what is not certain, tells the asker once, and is opened again, later and later", () => {
    joined("plane");
    move(1);
    socket().answer({ numbers: { error: "5 %" } });
    move(2);
    move(3);
    socket().close();
    assert.deepEqual([failed, shown.at(-1), numbers[0].textContent], [[3], ["plane", "reverted"], "3 %"]);
    assert.equal(move(4), false);
    for (const wait of [500, 1000, 2000, 5000, 15000, 60000, 60000]) {
      const before = sockets.length;
      mock.timers.tick(wait - 1);
      assert.equal(sockets.length, before);
      mock.timers.tick(1);
      assert.equal(sockets.length, before + 1);
      socket().close();
    }
    mock.timers.tick(60000);
    socket().open();
    assert.equal(move(5), true);
  });

  test("because the token leads nowhere waits for another one", () => {
    joined("plane");
    socket().close(4004);
    mock.timers.tick(100000);
    assert.equal(sockets.length, 1);
    live.join(follower("plane"), "new");
    assert.equal(sockets.length, 2);
    socket().open();
    move(1);
    assert.equal(socket().sent[0].token, "new");
  });

  test("is closed when no answer comes", () => {
    joined("plane");
    move(1);
    mock.timers.tick(4999);
    assert.deepEqual(failed, []);
    mock.timers.tick(1);
    assert.deepEqual(failed, [1]);
  });

  test("another page goes on with the same one", () => {
    joined("plane");
    live.join(follower("overlay"), "of another page");
    move(1);
    assert.deepEqual([sockets.length, socket().sent[0].token], [1, "of another page"]);
  });
});
