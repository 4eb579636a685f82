import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { APART, frequency, HIGH, LOW, sharesOf, Tones, tones } from "../../pages/shared/plane/web/base/tones.js";
import { PointEditor } from "../../pages/shared/plane/web/editing/point_editor.js";
import { Film } from "../../pages/shared/plane/web/film/film.js";

describe("what a value sounds like", () => {
  test("equal steps are equal intervals in two octaves, beyond which is the tone of the end", () => {
    const tones = [0, 0.25, 0.5, 0.75, 1].map(frequency);
    for (let k = 1; k < tones.length; k++) assert.ok(Math.abs(tones[k] / tones[k - 1] - Math.SQRT2) < 1e-12);
    assert.deepEqual([-3, 0, 0.5, 1, 7].map(frequency), [LOW, LOW, 2 * LOW, HIGH, HIGH]);
  });

  test("what is not known is silent", () => {
    for (const unknown of [null, undefined, NaN, Infinity]) assert.equal(frequency(unknown), undefined);
  });

  test("support values count by their size, beside the largest", () => {
    const shares = (...values) => [...sharesOf(new Map(values.entries())).values()];
    assert.deepEqual([shares(-2, 0, 1), shares(0, 0), shares()], [[1, 0, 0.5], [0, 0], []]);
  });
});

/** An AudioContext that writes down what it is asked for. */
class Recorder {
  currentTime = 5;
  destination = {};
  asked = [];
  #param = (name) => ({
    setValueAtTime: (value, at) => this.asked.push([name, value, at]),
    setTargetAtTime: (value, at) => this.asked.push([name, value, at]),
    cancelScheduledValues: () => this.asked.push([name, "cancel"]),
  });
  resume() {}
  createOscillator = () => ({ frequency: this.#param("hertz"), connect: (next) => next, start() {} });
  createGain = () => ({ gain: this.#param("gain"), connect: (next) => next });
  get tones() {
    return this.asked.filter(([name, value]) => name === "hertz" && value !== "cancel").map(([, ...tone]) => tone);
  }
}

describe("the switch", () => {
  let [made, stored] = [[], {}];
  globalThis.AudioContext = /** @type {any} */ (
    class extends Recorder {
      constructor() {
        super();
        made.push(this);
      }
    }
  );

  beforeEach(() => {
    [made, stored] = [[], {}];
    globalThis.localStorage = {
      getItem: (name) => stored[name] ?? null,
      setItem: (name, text) => (stored[name] = text),
      removeItem: (name) => delete stored[name],
    };
  });
  afterEach(() => delete globalThis.localStorage);

  test("is off, and nothing is made", () => {
    new Tones().playIfOn([1]);
    assert.deepEqual(made, []);
  });

  test("is remembered, shown on each button, any of which switches it, and heard", () => {
    const one = new Tones();
    const buttons = [{}, {}].map(() => {
      const button = { setAttribute: (name, value) => (button[name] = value) };
      one.addSwitch(button);
      return button;
    });
    const pressedStates = () => buttons.map((button) => button["aria-pressed"]);
    assert.deepEqual(pressedStates(), ["false", "false"]);
    buttons[1].onclick();
    assert.deepEqual([pressedStates(), one.isOn, new Tones().isOn], [["true", "true"], true, true]);
    assert.deepEqual(made[0].tones, [
      [LOW, 5],
      [HIGH, 5 + APART],
    ]);
    one.toggle();
    assert.deepEqual([pressedStates(), one.isOn, new Tones().isOn], [["false", "false"], false, false]);
    assert.deepEqual(
      made[0].asked.slice(-3).map(([name, value]) => [name, value]),
      [
        ["hertz", "cancel"],
        ["gain", "cancel"],
        ["gain", 0],
      ],
    );
  });

  test("tones follow one another, silence takes its time, and what was to come is cancelled", () => {
    const one = new Tones();
    one.play([0, null, 1]);
    assert.deepEqual(made[0].tones, [
      [LOW, 5],
      [HIGH, 5 + 2 * APART],
    ]);
    one.play([1]);
    assert.equal(made.length, 1);
    assert.ok(made[0].asked.filter(([, value]) => value === "cancel").length === 4);
  });
});

describe("what is heard", () => {
  const heard = [];
  beforeEach(() => {
    heard.splice(0);
    mock.method(tones, "playIfOn", (shares) => heard.push(shares));
    mock.method(tones, "play", (shares) => heard.push(["all", ...shares]));
  });
  afterEach(() => mock.restoreAll());

  test("each moment of a film that the reader goes to, not the one it opens at", () => {
    globalThis.requestAnimationFrame = () => 0;
    globalThis.matchMedia = /** @type {any} */ (() => ({ matches: false }));
    mock.timers.enable({ apis: ["setTimeout"] });
    const film = new Film();
    const ticks = [1, 0.5, 0, null].map((height, iteration) => ({ label: "", words: [], iteration, height }));
    film.receive({ version: 1, run: "run", ticks }, () => {});
    assert.deepEqual(heard, []);
    film.step(1);
    film.goTo(2);
    film.goToEnd(1);
    film.play(); // from the end, all anew
    assert.deepEqual(heard, [[0.5], [0], [null], [1]]);
    mock.timers.reset();
  });

  test("the support value of the chosen point on each plane, and all of one plane in the order of the keys", () => {
    const plane = (values) => ({
      isEditable: true,
      shownPoints: { values: () => new Map(values) },
      refresh() {},
    });
    const one = plane([
      [2, -4],
      [0, 2],
      [1, 0],
    ]);
    const other = plane([
      [0, 0],
      [2, 3],
    ]);
    const channel = /** @type {any} */ ({ hold: () => false, release: (_, then) => then() });
    const editor = new PointEditor([one, other], channel);
    const said = [];
    editor.toolbar = { show() {}, say: (text) => said.push(text) };
    const base = { ids: [0, 1, 2], x: [0, 1, 2], y: [0, 0, 0], label: [1, -1, 1], mark: [false, false, false] };
    const classes = { 1: "+1", "-1": "−1" };
    editor.receive(
      { session: 1, version: 1, draw: "a", ack: 0, base, edits: [], step: [-2, -2], labels: [1, -1], classes },
      () => {},
    );
    editor.choose(0);
    editor.choose(1);
    editor.choose(undefined);
    assert.deepEqual(heard.splice(0), [
      [0.5, 0],
      [0, undefined],
    ]);
    editor.sweep();
    editor.sweep(other);
    assert.deepEqual(heard, [
      ["all", 0.5, 0, 1],
      ["all", 0, 1],
    ]);
    assert.match(said.at(-1), /^2 points are heard, 1 with a support value/);
  });
});
