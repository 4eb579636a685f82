// The edits by themselves; tests/shared/plane/test_javascript.py compares walks through all commands with Python's.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Edits, FLAGS } from "../../pages/shared/plane/web/editing/edits.js";

const BASE = { ids: [0, 1, 5], x: [0, 1, 2], y: [0, 1, 4], label: [1, -1, 1], mark: [false, false, true] };

/** @type {Edits} */
let edits;
const receive = (more = {}) => edits.receive({ base: BASE, edits: [], step: [-2, -1], labels: [1, -1], ...more });
const seen = (...ids) => ids.map((id) => [edits.at(id).label, edits.at(id).mark].join());
const { MOVED, FLIPPED, MARKED, OFF, TURNED } = FLAGS;
beforeEach(() => {
  edits = new Edits();
  receive();
});

describe("what stands", () => {
  test("without edits the problem's own points", () => {
    assert.deepEqual(edits.ids, [0, 1, 5]);
    assert.deepEqual(edits.at(5), { id: 5, x: 2, y: 4, label: 1, mark: true, off: false, gone: false });
    assert.deepEqual([edits.size, edits.next, edits.rows()], [0, -1, []]);
  });

  test("a place is the decimal that is nearest", () => {
    edits.put(-1, 0.123456, 0.29, -1);
    const { x, y, label } = edits.at(-1);
    assert.deepEqual([x, y, label], [0.12, 0.3, -1]);
    assert.deepEqual(edits.rows(), [[-1, MOVED | FLIPPED, 12, 3]]);
  });

  test("added points stand last, in the order in which they came, and no id is given twice", () => {
    for (const x of [1, 2, 3]) edits.put(edits.next, x, 0, 1);
    assert.deepEqual(edits.ids, [0, 1, 5, -1, -2, -3]);
    edits.remove([-2]);
    assert.deepEqual([edits.ids, edits.next], [[0, 1, 5, -1, -3], -4]);
  });

  test("a point that was deleted is still one, and asking for one that was never there an error", () => {
    edits.remove([0]);
    assert.equal(edits.at(0).gone, true);
    assert.equal(edits.find(7), undefined);
    assert.throws(() => edits.at(7), /Expected the id of a point, got 7/);
  });

  test("points of a regression have one label", () => {
    receive({ labels: [] });
    edits.put(-1, 1, 1, -1);
    assert.equal(edits.at(-1).label, 1);
  });

  test("of three classes the next one comes round again, three places further is the own one", () => {
    receive({ base: { ...BASE, label: [1, 2, 3] }, labels: [1, 2, 3] });
    const walk = [1, 2, 3].map(() => {
      edits.flip([1]);
      return [...seen(1), edits.rows()[0]?.[1]];
    });
    assert.deepEqual(walk, [
      ["3,true", FLIPPED | MARKED],
      ["1,true", TURNED | MARKED],
      ["2,false", undefined],
    ]);
    for (const label of [1, 2, 3]) edits.put(edits.next, 0, 0, label);
    edits.flip([-3]);
    assert.deepEqual(seen(-1, -2, -3), ["1,false", "2,false", "1,false"]);
    edits.restore([[5, FLIPPED | TURNED, 0, 0]]);
    assert.equal(edits.at(5).label, 3);
  });
});

describe("commands", () => {
  test("flip: a point of the problem counts as an outlier then, an added one does not", () => {
    edits.put(-1, 1, 1, 1);
    edits.flip([0, -1]);
    assert.deepEqual(seen(0, -1), ["-1,true", "-1,false"]);
    edits.flip([0]);
    assert.deepEqual(edits.rows(), [[-1, MOVED | FLIPPED, 100, 10]], "what changes nothing has no row");
  });

  test("mark and switch off set all to the same", () => {
    edits.mark([0, 5], true);
    assert.deepEqual(edits.rows(), [[0, MARKED, 0, 0]]);
    edits.mark([0, 5], false);
    assert.deepEqual(edits.rows(), [[5, MARKED, 0, 0]]);
    edits.switchOff([0, 1], true);
    edits.switchOff([0], true);
    assert.deepEqual([edits.at(0).off, edits.at(1).off], [true, true]);
    edits.switchOff([0, 1], false);
    assert.deepEqual([edits.at(0).off, edits.at(1).off, edits.size], [false, false, 1]);
  });

  test("points that move together keep their distances at the edge, jitter moves each by its own step", () => {
    const places = () => Object.fromEntries(edits.places([0, 1]));
    const from = edits.places([0, 1]);
    edits.shift(from, [10, -10], { x: [0, 3], y: [-2, 5] });
    assert.deepEqual(places(), { 0: [2, -2], 1: [3, -1] });
    edits.shift(from, [0.5, 0.5], { x: [-99, 99], y: [-99, 99] });
    assert.deepEqual(places(), { 0: [0.5, 0.5], 1: [1.5, 1.5] }, "from where they began");
    edits.snap([0, 1]);
    const steps = [1, 2, 3, 4];
    edits.jitter([0, 1], [0.1, 0.2], () => steps.shift());
    assert.deepEqual(places(), { 0: [0.1, 0.4], 1: [1.3, 1.8] });
  });

  test("snap back: the point as the problem has it, and no added one", () => {
    edits.put(-1, 1, 1, 1);
    edits.remove([0]);
    edits.snap([0, -1]);
    assert.deepEqual([edits.ids, edits.size], [[0, 1, 5], 0]);
  });
});

describe("undo", () => {
  test("says what was undone or done again, as long as nothing else was done", () => {
    edits.remember("one");
    edits.flip([0]);
    edits.remember("two");
    edits.remove([1]);
    const done = edits.rows();
    assert.deepEqual([edits.undo(), edits.ids, edits.at(0).label], ["two", [0, 1, 5], -1]);
    assert.deepEqual([edits.undo(), edits.rows(), edits.undo()], ["one", [], undefined]);
    assert.deepEqual([edits.redo(), edits.redo(), edits.redo(), edits.rows()], ["one", "two", undefined, done]);
    edits.undo();
    edits.remember("another");
    assert.equal(edits.redo(), undefined);
  });

  test("two hundred steps are kept", () => {
    for (let k = 0; k < 205; k++) edits.remember(`step ${k}`);
    let [count, last] = [0, ""];
    for (let what = edits.undo(); what; what = edits.undo()) [count, last] = [count + 1, what];
    assert.deepEqual([count, last], [200, "step 5"]);
  });

  test("it outlives other points of the same draw", () => {
    edits.remember("one");
    edits.flip([0]);
    receive({ edits: [[1, OFF, 0, 0]] });
    assert.equal(edits.undo(), "one");
    assert.deepEqual(edits.rows(), []);
  });
});
