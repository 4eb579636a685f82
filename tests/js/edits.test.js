// What a script is made of, and undo; tests/shared/plane/test_javascript.py compares walks through all commands with
// Python's.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Edits, FLAGS } from "../../pages/shared/plane/web/editing/edits.js";

const BASE = { ids: [0, 1, 5], x: [0, 1, 2], y: [0, 1, 4], label: [1, -1, 1], mark: [false, false, true] };
const { MOVED, FLIPPED, MARKED, OFF } = FLAGS;

/** @type {Edits} */
let edits;
const receive = (rows = []) => edits.receive({ base: BASE, edits: rows, step: [-2, -1], labels: [1, -1] });
beforeEach(() => {
  edits = new Edits();
  receive();
});

test("a point that was deleted is still one, and asking for one that was never there an error", () => {
  edits.remove([0]);
  assert.equal(edits.point(0).gone, true);
  assert.equal(edits.find(7), undefined);
  assert.throws(() => edits.point(7), /Expected the id of a point, got 7/);
});

test("what changes nothing has no row, and an added point that is flipped is no outlier", () => {
  edits.put(-1, 0.123456, 0.29, 1);
  edits.flip([-1]);
  edits.flip([0]);
  edits.flip([0]);
  edits.mark([0, 5], true);
  edits.switchOff([1], false);
  assert.deepEqual(edits.rows(), [
    [-1, MOVED | FLIPPED, 12, 3],
    [0, MARKED, 0, 0],
  ]);
  assert.deepEqual([edits.rows().length, edits.nextId], [2, -2]);
});

test("points are shifted from where they began, and jitter moves each by its own step", () => {
  const places = () => Object.fromEntries(edits.places([0, 1]));
  const from = edits.places([0, 1]);
  for (const by of [9, 0.5]) edits.shift(from, [by, by], { x: [-99, 99], y: [-99, 99] });
  assert.deepEqual(places(), { 0: [0.5, 0.5], 1: [1.5, 1.5] });
  edits.snap([0, 1]);
  const steps = [1, 2, 3, 4];
  edits.jitter([0, 1], [0.1, 0.2], () => steps.shift());
  assert.deepEqual(places(), { 0: [0.1, 0.4], 1: [1.3, 1.8] });
});

test("undo says what was undone or done again, as long as nothing else was done, also of other points", () => {
  edits.recordStep("one");
  edits.flip([0]);
  edits.recordStep("two");
  edits.remove([1]);
  receive([[1, OFF, 0, 0]]);
  assert.deepEqual([edits.undo(), edits.undo(), edits.rows(), edits.undo()], ["two", "one", [], undefined]);
  assert.deepEqual([edits.redo(), edits.redo(), edits.redo()], ["one", "two", undefined]);
  edits.undo();
  edits.recordStep("another");
  assert.equal(edits.redo(), undefined);
});

test("two hundred steps are kept", () => {
  for (let k = 0; k < 205; k++) edits.recordStep(`step ${k}`);
  let [count, last] = [0, ""];
  for (let what = edits.undo(); what; what = edits.undo()) [count, last] = [count + 1, what];
  assert.deepEqual([count, last], [200, "step 5"]);
});
