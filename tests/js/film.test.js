import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Film, filmOf } from "../../pages/shared/plane/web/film/film.js";

/** A browser whose clock is wound by hand. */
const clock = { time: 0, quiet: false, waiting: [] };
function wind(milliseconds) {
  clock.time += milliseconds;
  for (const act of clock.waiting.splice(0)) act(clock.time);
}
globalThis.requestAnimationFrame = (act) => clock.waiting.push(act);
globalThis.matchMedia = /** @type {any} */ (() => ({ matches: clock.quiet }));

const ticks = (count, first = 0) =>
  Array.from({ length: count }, (_, k) => ({ label: `moment ${k}`, words: [], iteration: first + k }));

let [sent, seen] = [[], []];
/** @type {Film} */
let film;
const send = (state, value) => sent.push([state, value]);
const receive = (given) => film.receive({ version: 1, run: "run", ticks: ticks(10), ...given }, send);

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => clock.time);
  Object.assign(clock, { time: 1000, quiet: false, waiting: [] });
  [sent, seen] = [[], []];
  film = new Film();
  film.viewers.add({ showTick: (tick) => seen.push(tick), hasDetails: false, describePoint: () => undefined });
});
afterEach(() => mock.timers.reset());

describe("the moment that is shown first", () => {
  test("is the first, or the last where motion is not wanted", () => {
    receive({});
    assert.deepEqual([film.tick, film.lastTick, seen], [0, 9, [0]]);
    clock.quiet = true;
    receive({ version: 2 });
    assert.equal(film.tick, 9);
  });

  test("plays by itself where that is asked for, unless motion is not wanted", () => {
    receive({ plays: true, start: 0 });
    assert.equal(film.isPlaying, true);
    wind(1000);
    assert.equal(film.tick, 9);
    clock.quiet = true;
    receive({ version: 2, plays: true, start: 0 });
    assert.deepEqual([film.isPlaying, film.tick], [false, 0]);
  });

  test("is the one that Python names, where there is such a one", () => {
    receive({ start: 4 });
    assert.equal(film.tick, 4);
    receive({ version: 2, start: 99 });
    assert.equal(film.tick, 9);
  });

  test("is the last where Python wants the film to open there, and stays part of the way in another run", () => {
    receive({ ends: true });
    assert.equal(film.tick, 9);
    film.goTo(3);
    receive({ version: 2, run: "other", ends: true, ticks: ticks(19) });
    assert.deepEqual([film.tick, film.lastTick], [6, 18]);
    film.goToEnd(1);
    receive({ version: 3, run: "third", ends: true, ticks: ticks(4) });
    assert.equal(film.tick, 3);
  });

  test("stays for moments that are there already", () => {
    receive({});
    film.goTo(6);
    receive({ ticks: ticks(3) });
    assert.deepEqual([film.tick, film.lastTick], [6, 9]);
  });

  test("and the speed is that of the first that came", () => {
    receive({ speed: 30 });
    film.speed = 5;
    receive({ version: 2, speed: 60 });
    assert.equal(film.speed, 5);
  });
});

describe("playing", () => {
  beforeEach(() => {
    receive({});
    film.speed = 10;
    seen.length = 0;
  });

  test("a moment for each tenth of a second, by the clock and not by its calls", () => {
    film.play();
    for (const milliseconds of [40, 40, 40, 250]) wind(milliseconds);
    assert.deepEqual([seen, film.isPlaying], [[1, 3], true]);
  });

  test("ends at the last, and begins anew from there", () => {
    film.play();
    wind(5000);
    assert.deepEqual([film.tick, film.isPlaying, clock.waiting.length], [9, false, 0]);
    film.play();
    assert.deepEqual([film.tick, film.isPlaying], [0, true]);
  });

  test("a pause stays where it is, another speed counts from there", () => {
    film.play();
    wind(300);
    film.play();
    wind(300);
    assert.deepEqual([film.tick, film.isPlaying], [3, false]);
    film.play();
    wind(100);
    film.speed = 5;
    wind(100);
    wind(400);
    assert.equal(film.tick, 6);
  });

  test("a clock that steps back does not turn the film back", () => {
    film.goTo(4);
    film.play();
    wind(-500);
    assert.equal(film.tick, 4);
  });

  test("steps pause it and stay within", () => {
    film.play();
    film.step(1);
    film.step(-5);
    assert.deepEqual([film.tick, film.isPlaying], [0, false]);
    film.goToEnd(1);
    film.step(1);
    assert.equal(film.tick, 9);
  });
});

describe("beyond the window of single steps", () => {
  beforeEach(() => receive({ ticks: ticks(5, 100), steps: true, beyond: [false, true] }));

  test("a step over the end asks for the next window, once in three seconds", () => {
    film.goToEnd(0);
    film.step(-1); // nothing lies there
    assert.deepEqual([sent, film.tick], [[], 0]);
    film.goTo(4);
    film.step(1);
    film.step(1);
    const asked = { run: "run", steps: true, iteration: 104, by: 1, now: 1000 };
    assert.deepEqual([sent, film.tick], [[["film", asked]], 4]);
    clock.time += 3000;
    film.step(1);
    assert.equal(sent.length, 2);
  });

  test("a film that plays goes on in it, if it is of the same run", () => {
    for (const run of ["run", "another"]) {
      film.goTo(3);
      film.play();
      wind(1000);
      assert.equal(film.isPlaying, false);
      receive({ version: film.version + 1, run, ticks: ticks(5, 105), steps: true, beyond: [true, true] });
      assert.deepEqual([film.isPlaying, film.tick], [run === "run", 0]);
      film.pause();
      clock.time += 3000;
    }
  });

  test("a pause while it waits ends the playing", () => {
    film.goTo(4);
    film.play();
    film.pause();
    receive({ version: 2, ticks: ticks(5, 105), steps: true, beyond: [true, true] });
    assert.equal(film.isPlaying, false);
  });

  test("the ends are those of the run, and the whole run is asked for around this moment", () => {
    film.goToEnd(1);
    assert.deepEqual(sent.at(-1)[1].iteration, Number.MAX_SAFE_INTEGER);
    film.goToEnd(0);
    assert.equal(film.tick, 0);
    film.goTo(2);
    clock.time += 3000;
    film.act("steps");
    assert.deepEqual([sent[1][1].steps, sent[1][1].iteration], [false, 102]);
  });
});

test("keys, but not the space on a button, nor with a modifier", () => {
  receive({});
  const press = (key, target = "DIV", more = {}) => {
    let taken = false;
    const event = { key, target: { tagName: target }, stopPropagation() {}, ...more };
    film.handleKey({ ...event, preventDefault: () => (taken = true) });
    return taken;
  };
  assert.deepEqual([press("ArrowRight"), press("End"), press("ArrowLeft"), film.tick], [true, true, true, 8]);
  assert.deepEqual([press(" ", "BUTTON"), press("Home", "DIV", { ctrlKey: true }), press("x")], [false, false, false]);
  assert.deepEqual([press(" "), film.isPlaying], [true, true]);
});

test("a name has one film", () => {
  assert.equal(filmOf("one"), filmOf("one"));
  assert.notEqual(filmOf("one"), filmOf("two"));
});

describe("the moment in the link", () => {
  const momentsSent = () =>
    sent.filter(([state]) => state === "moment").map(([, { run, iteration }]) => [run, iteration]);
  const settle = () => mock.timers.tick(800);

  test("is told when the reader has changed it and the film rests", () => {
    receive({ ticks: ticks(10, 5) });
    settle();
    assert.deepEqual(momentsSent(), [], "nothing was changed");
    film.goTo(3);
    assert.deepEqual(momentsSent(), [], "the film does not rest yet");
    settle();
    assert.deepEqual(momentsSent(), [["run", 8]]);
  });

  test("is not told while the film plays, but where it is paused", () => {
    receive({});
    film.play();
    wind(250);
    settle();
    assert.deepEqual(momentsSent(), []);
    film.pause();
    settle();
    assert.deepEqual(momentsSent(), [["run", 3]]);
  });

  test("is gone to where Python names another one for the same film, once", () => {
    receive({});
    film.goTo(7);
    receive({ start: null });
    assert.equal(film.tick, 7);
    receive({ start: 2 });
    assert.equal(film.tick, 2);
    film.goTo(5);
    receive({ start: 2 });
    assert.equal(film.tick, 5);
  });
});
