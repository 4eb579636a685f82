import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Live } from "../../pages/shared/plane/web/base/live.js";
import { pack } from "./replay.js";

let [sockets, shown, numbers, now] = [[], [], [], 0];
/** @type {any[]} */
let frames = [];
/** @type {Live} */
let live;

/** A worker that has a socket. */
class Socket {
  address;
  sent = [];
  constructor() {
    sockets.push(this);
  }
  postMessage(data) {
    if (this.address) this.sent.push(JSON.parse(data));
    else this.address = data;
  }
  terminate() {}
  tell(name, told = {}) {
    this.onmessage({ data: { name, ...told } });
  }
  close(code = 1006) {
    this.tell("close", { code });
  }
  open() {
    this.tell("open");
  }
  answer(told) {
    this.tell("message", { data: pack({ version: this.sent.length, planes: {}, numbers: {}, ...told }).buffer });
  }
  refuse() {
    this.tell("message", { data: pack({ refused: "No." }).buffer });
  }
}

const follower = (name) => ({
  name,
  follow: (...how) => shown.push([name, ...how]),
});
const socket = () => sockets.at(-1);
const move = (C) => live.hold({ changes: { C } });
const release = (C) => live.release({ changes: { C } }, () => shown.push("run"));
globalThis.Worker = /** @type {any} */ (Socket);
globalThis.document = /** @type {any} */ ({ querySelectorAll: () => numbers });
const delayDrawing = () => {
  globalThis.requestAnimationFrame = (act) => frames.push(act);
};

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  [sockets, shown, frames, now] = [[], [], [], 0];
  numbers = [{ dataset: { live: "error" }, textContent: "3 %" }];
  globalThis.requestAnimationFrame = /** @type {any} */ ((act) => act());
  live = new Live();
  live.address = "ws://here/live";
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const joinPlane = (...names) => {
  for (const name of names) live.join(follower(name), "scene");
  socket().open();
};

describe("a question", () => {
  test("without a channel is none", () => {
    assert.equal(move(1), false);
    live.join(follower("plane"), "scene");
    assert.equal(move(1), false);
    socket().open();
    assert.equal(move(1), true);
    assert.deepEqual(socket().sent, [{ scene: "scene", moving: true, changes: { C: 1 } }]);
  });

  test("is one at a time, and then the newest", () => {
    joinPlane("plane");
    const valuesSent = () => socket().sent.map(({ changes }) => changes.C);
    for (const C of [1, 2, 3]) move(C);
    assert.deepEqual(valuesSent(), [1]);
    socket().answer({ planes: { plane: "a" } });
    assert.deepEqual(valuesSent(), [1, 3]);
  });

  const wait = (time) => {
    now += time;
    mock.timers.tick(time);
  };

  /** What the hand asks in so many milliseconds over a link: [when it is asked, when it is answered], in pairs. */
  const askOver = (there, each, length) => {
    const [asked, before] = [[], socket().sent.length];
    const end = now + length;
    let free = 0;
    for (; now < end || free >= now; wait(1)) {
      if (now < end) move(now);
      for (let k = before + asked.length; k < socket().sent.length; k++) {
        free = Math.max(free, now + there) + each;
        asked.push([now, free]);
      }
      for (const [, back] of asked) if (back === now) socket().answer({});
    }
    return asked;
  };

  test("waits for no answer where the link holds more of them, and for none leaves with another one", () => {
    joinPlane("plane");
    const asked = askOver(400, 5, 4000).slice(-80);
    const gaps = asked.slice(1).map(([at], k) => at - asked[k][0]);
    assert.ok(Math.min(...gaps) > 20 && Math.max(...gaps) < 34, `${gaps}`);
    for (let k = 1; k < 4; k++) {
      const count = socket().sent.length;
      move(k);
      wait(30);
      assert.equal(socket().sent.length, count + 1, "without an answer");
    }
  });

  test("leaves later where answers wait for each other, so that the last one comes soon", () => {
    joinPlane("plane");
    const asked = askOver(400, 60, 9000).slice(-50);
    const times = asked.map(([at, back]) => back - at);
    assert.ok(asked[49][0] - asked[0][0] < 3500 && Math.max(...times) < 580, `${times}`);
  });

  test("counts on the link that is there", () => {
    joinPlane("plane");
    askOver(20, 5, 2000);
    const asked = askOver(400, 5, 12_000);
    assert.ok(asked.length > 120);
  });

  test("about what moves asks for few bytes where answers are long on their way", () => {
    joinPlane("plane");
    const isLight = () => socket().sent.at(-1).light;
    move(1);
    assert.equal(isLight(), undefined, "nothing is known of the link");
    now += 300;
    socket().answer({});
    move(2);
    assert.equal(isLight(), true);
    socket().answer({});
    release(3);
    socket().answer({});
    assert.equal(isLight(), undefined, "what was released is whole");
  });

  test("leaves before the answer to the last one is shown, on the planes that it names", () => {
    joinPlane("plane", "other");
    const countSent = () => socket().sent.length;
    live.join({ ...follower("spectrum"), follow: () => shown.push(countSent()) }, "scene");
    move(1);
    move(2);
    socket().answer({ planes: { plane: "a", spectrum: "b" } });
    assert.deepEqual(shown, [["plane", "a", 1, { moving: true, edited: false }], 2]);
  });

  test("about a release lets the run begin when it is answered, with a picture or without", () => {
    joinPlane("plane");
    release(1);
    assert.deepEqual(shown, []);
    socket().answer({ planes: { plane: "a" } });
    release(2);
    socket().refuse();
    assert.deepEqual(shown, [["plane", "a", 1, { moving: false, edited: false }], "run", "run"]);
    mock.timers.tick(1000);
    assert.equal(shown.length, 3);
  });

  test("about a release delays the run no longer than a moment, and not at all without a channel", () => {
    release(1);
    assert.deepEqual(shown, ["run"]);
    joinPlane("plane");
    release(2);
    mock.timers.tick(149);
    assert.equal(shown.length, 1);
    mock.timers.tick(1);
    assert.equal(shown.length, 2);
    socket().answer({ planes: { plane: "a" } });
    assert.deepEqual(shown.slice(2), [["plane", "a", 1, { moving: false, edited: false }]]);
  });

  test("about a release is not asked once the run has begun", () => {
    joinPlane("plane");
    move(1);
    release(2);
    mock.timers.tick(150);
    socket().answer({});
    assert.deepEqual([shown, socket().sent.length], [["run"], 1]);
  });

  test("tells the edits as they are when it leaves", () => {
    joinPlane("plane");
    let edits = [[1, 1, 0, 0]];
    const script = () => ({ version: 7, step: [0, 0], edits });
    move(1);
    live.hold({ script });
    edits = [[2, 1, 0, 0]];
    socket().answer({});
    assert.deepEqual(socket().sent.at(-1).edits, edits);
  });
});

describe("an answer", () => {
  test("brings numbers", () => {
    joinPlane("plane");
    move(1);
    socket().answer({ numbers: { error: "5 %", unknown: "x" } });
    assert.equal(numbers[0].textContent, "5 %");
    const text = { nodeValue: "5 %" };
    numbers = [{ ...numbers[0], firstChild: text, lastChild: text }];
    move(2);
    socket().answer({ numbers: { error: "7 %" } });
    assert.equal(text.nodeValue, "7 %", "an element with other children makes the browser look at all styles");
  });

  test("with the full picture is kept for planes that are made anew", () => {
    joinPlane("plane");
    move(1);
    socket().answer({ planes: { plane: "coarse" } });
    assert.equal(live.picture("scene", 1, "plane"), undefined);
    release(2);
    socket().answer({ planes: { plane: "full" } });
    assert.equal(live.picture("scene", 2, "plane"), "full");
    assert.deepEqual([live.picture("scene", 1, "plane"), live.picture("other", 2, "plane")], [undefined, undefined]);
  });

  test("that tells what differs from pictures of the page makes others of them, if they are still there", () => {
    joinPlane("plane");
    live.join(follower("other"), "scene");
    const knownVersion = () => socket().sent.at(-1).known;
    live.keepPicture("scene", 5, "plane", { data: [{ z: 1, x: 2 }, { y: 0 }], layout: { a: [1] } });
    move(1);
    assert.equal(knownVersion(), undefined, "one plane has no picture");
    socket().answer({});
    live.keepPicture("scene", 5, "other", { data: [] });
    live.keepPicture("scene", 5, "fourth", "of the run alone");
    move(2);
    assert.equal(knownVersion(), 5);
    const planes = { plane: { data: { 0: { z: [7] }, 1: { y: [[3]] } } }, other: {}, third: { data: { 0: {} } } };
    for (const name of ["third", "fourth"]) live.join(follower(name), "scene");
    socket().answer({ planes, of: 5 });
    const made = { data: [{ z: 7, x: 2 }, { y: [3] }], layout: { a: [1] } };
    const how = { moving: true, edited: false };
    assert.deepEqual(shown, [
      ["plane", made, 2, how],
      ["other", { data: [] }, 2, how], // it may show another one now
    ]);
    move(3);
    live.keepPicture("scene", 6, "plane", "newer");
    socket().answer({ planes, of: 5 });
    for (const name of ["other", "third", "fourth"]) live.keepPicture("scene", 6, name, "newer");
    release(4);
    assert.deepEqual([shown.length, knownVersion()], [2, undefined], "what was released is whole");
  });

  test("that is coarse is not unpacked but for the last between two frames, and none after a full one", () => {
    delayDrawing();
    joinPlane("plane");
    for (const plane of ["a", "b"]) {
      move(1);
      socket().answer({ planes: { plane } });
    }
    assert.deepEqual([shown, frames.length], [[], 1]);
    frames[0]();
    assert.deepEqual(shown, [["plane", "b", 2, { moving: true, edited: false }]]);
    move(2);
    socket().answer({ planes: { plane: "c" } });
    release(3);
    socket().answer({ planes: { plane: "full" } });
    frames[1]();
    assert.deepEqual(shown.slice(1), [["plane", "full", 4, { moving: false, edited: false }], "run"]);
  });
});

describe("a browser that draws slowly", () => {
  const slowPlane = (name) => ({
    name,
    follow(figure) {
      shown.push(name + figure);
      now += 30;
    },
  });
  beforeEach(() => {
    delayDrawing();
    for (const name of ["a", "b", "c"]) live.join(slowPlane(name), "scene");
    socket().open();
  });
  const nextFrame = () => frames.shift()?.();
  const picture = (figure) => {
    move(1);
    socket().answer({ planes: { a: figure, b: figure, c: figure } });
  };

  test("draws two planes a frame, the others next, with their newest figure", () => {
    picture(1);
    nextFrame();
    assert.deepEqual(shown, ["a1", "b1"]);
    nextFrame();
    assert.deepEqual(shown, ["a1", "b1", "c1"], "all of them when nothing newer comes");
    picture(2);
    nextFrame();
    picture(3);
    nextFrame();
    assert.deepEqual(shown.slice(3), ["a2", "b2", "c3", "a3"]);
    live.release({ changes: {} }, () => shown.push("run"));
    socket().answer({ planes: { a: 4, b: 4, c: 4 } });
    assert.deepEqual(shown.slice(7), ["b4", "a4", "c4", "run"], "and all at once when it is released");
    assert.ok(nextFrame() === undefined && shown.length === 11);
  });

  test("draws the plane of the hand first, and where that takes long alone in every other frame", () => {
    live.join({ ...slowPlane("hand"), isEditable: true }, "scene");
    const drawMove = (figure) => {
      move(1);
      socket().answer({ planes: { a: figure, b: figure, hand: figure } });
      shown = [];
      nextFrame();
      now += 5; // to paint
      mock.timers.tick(1);
      return shown;
    };
    const lists = [1, 2, 3, 4].map(drawMove);
    assert.deepEqual(lists, [["hand1", "a1"], ["hand2"], ["hand3", "b3"], ["hand4"]]);
  });

  test("asks when a frame begins where answers come within it, once, and draws the rest when nothing is asked", () => {
    const valuesSent = () => socket().sent.map(({ changes }) => changes?.C);
    const frame = (C) => {
      move(C);
      nextFrame();
      mock.timers.tick(1);
    };
    move(1);
    socket().answer({ planes: { a: 1, b: 1, c: 1 } });
    frame(2);
    assert.deepEqual(valuesSent(), [1, 2]);
    move(3);
    socket().answer({ planes: { a: 2, b: 2, c: 2 } });
    assert.deepEqual(valuesSent(), [1, 2], "what is newest when the frame begins");
    frame(4);
    assert.deepEqual(valuesSent(), [1, 2, 4]);
    assert.equal(frames.length, 0, "the third plane waits for the answer that is on its way");
    move(5);
    socket().answer({ planes: { a: 3, b: 3, c: 3 } });
    assert.equal(shown.at(-1).slice(1), "3", "drawn at once, before the frame in which the next question leaves");
    assert.deepEqual(valuesSent(), [1, 2, 4]);
    nextFrame();
    assert.deepEqual(valuesSent(), [1, 2, 4, 5], "also when the hand rests");
    live.release({ changes: { C: 6 } }, () => {});
    assert.deepEqual(valuesSent().slice(4), [6], "a release waits for none");
    frames = [];
    socket().close();
    assert.equal(frames.length, 1, "nor for one that never comes");
  });

  test("does not take its own work for a slow link", () => {
    let answered = 0;
    const askAfter = (time) => {
      for (let k = 0; k < 9; k++) move(k);
      const sent = socket().sent.slice(answered);
      now += time;
      answered += sent.length;
      for (const { moving } of sent) socket().answer({ planes: moving && { a: 1, b: 1, c: 1 } });
      while (frames.length) nextFrame();
      return [sent.length, sent.some(({ light }) => light)];
    };
    askAfter(20);
    assert.deepEqual([170, 170, 170].map(askAfter), Array(3).fill([2, false]));
    askAfter(600);
    assert.deepEqual(askAfter(170), [1, false], "what takes longer than both is the link");
  });
});

describe("a socket that closes", () => {
  test("lets the run begin that waits, and is opened again, later and later", () => {
    joinPlane("plane");
    move(2);
    release(3);
    socket().close();
    assert.deepEqual(shown, ["run"]);
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
    assert.deepEqual([move(5), socket().sent.length], [true, 1]);
  });

  test("that does not open again is told, and so is one that does", () => {
    live.join(follower("plane"), "scene");
    const told = [];
    live.addEventListener("lost", () => told.push(live.isLost));
    for (const wait of [500, 1000, 2000, 5000]) {
      socket().close();
      mock.timers.tick(wait);
    }
    assert.deepEqual(told, [true]);
    live.join(follower("plane"), "scene of another page");
    assert.ok(live.isLost);
    socket().open();
    assert.deepEqual(told, [true, false]);
  });

  test("because the scene is unknown waits for another one", () => {
    joinPlane("plane");
    socket().close(4004);
    mock.timers.tick(100000);
    assert.equal(sockets.length, 1);
    live.join(follower("plane"), "new");
    assert.equal(sockets.length, 2);
    socket().open();
    move(1);
    assert.equal(socket().sent[0].scene, "new");
  });

  test("is opened at once when the server is back", () => {
    joinPlane("plane");
    for (const wait of [500, 1000, 2000, 5000, 15000]) {
      socket().close();
      mock.timers.tick(wait);
    }
    socket().close();
    const before = sockets.length;
    live.reconnect();
    live.reconnect();
    assert.equal(sockets.length, before + 1);
    socket().open();
    assert.equal(live.isLost, false);
    mock.timers.tick(100000);
    assert.equal(sockets.length, before + 1);
  });

  test("because nothing was asked opens again when something is", () => {
    joinPlane("plane");
    socket().close(4008);
    mock.timers.tick(100000);
    assert.deepEqual([sockets.length, live.isLost], [1, false]);
    assert.equal(move(1), false);
    assert.equal(move(2), false);
    assert.equal(sockets.length, 2);
    socket().open();
    assert.equal(move(3), true);
  });

  test("another page goes on with the same one", () => {
    joinPlane("plane");
    live.join(follower("overlay"), "of another page");
    move(1);
    assert.deepEqual([sockets.length, socket().sent[0].scene], [1, "of another page"]);
  });
});
