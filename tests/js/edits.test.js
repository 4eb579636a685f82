import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { called, Edits, FLAGS } from "../../pages/shared/plane/web/editing/edits.js";

const { MOVED, FLIPPED, MARKED, OFF, GONE, TURNED } = FLAGS;
const BASE = { ids: [0, 1, 5], x: [0, 1, 2], y: [0, 1, 4], label: [1, -1, 1], mark: [false, false, true] };
const THREE = { ...BASE, label: [1, 2, 3] };
const WIDE = { x: [-99, 99], y: [-99, 99] };

/** @type {Edits} */
let edits;
beforeEach(() => {
  edits = new Edits();
  edits.receive({ base: BASE, edits: [], step: [-2, -1], labels: [1, -1] });
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

  test("added points stand last, in the order in which they came", () => {
    for (const x of [1, 2, 3]) edits.put(edits.next, x, 0, 1);
    assert.deepEqual(edits.ids, [0, 1, 5, -1, -2, -3]);
    edits.remove([-2]);
    assert.deepEqual([edits.ids, edits.next], [[0, 1, 5, -1, -3], -4]); // an id is not given twice
  });

  test("a script of Python's", () => {
    edits.restore([
      [0, GONE, 0, 0],
      [1, OFF | MARKED, 0, 0],
      [-1, MOVED, 150, 25],
    ]);
    assert.deepEqual(edits.ids, [1, 5, -1]);
    assert.deepEqual(edits.at(1), { id: 1, x: 1, y: 1, label: -1, mark: true, off: true, gone: false });
    assert.equal(edits.at(0).gone, true);
  });

  test("a point that was never there is nothing, and asking for it an error", () => {
    assert.equal(edits.find(7), undefined);
    assert.throws(() => edits.at(7), /Expected the id of a point, got 7/);
  });

  test("points of a regression have no class to flip", () => {
    edits.receive({ base: BASE, edits: [], step: [-2, -1], labels: [] });
    edits.put(-1, 1, 1, -1);
    assert.equal(edits.at(-1).label, 1);
  });
});

describe("three classes", () => {
  beforeEach(() => edits.receive({ base: THREE, edits: [], step: [-2, -1], labels: [1, 2, 3] }));

  test("the next class, round and round; a point that has left its own counts as an outlier", () => {
    const seen = [1, 2, 3, 4].map(() => {
      edits.flip([1]);
      const { label, mark } = edits.at(1);
      return [label, mark, edits.rows()];
    });
    assert.deepEqual(seen, [
      [3, true, [[1, FLIPPED | MARKED, 0, 0]]],
      [1, true, [[1, TURNED | MARKED, 0, 0]]],
      [2, false, []],
      [3, true, [[1, FLIPPED | MARKED, 0, 0]]],
    ]);
  });

  test("an added point of any class, which is no outlier", () => {
    for (const label of [1, 2, 3]) edits.put(edits.next, 0, 0, label);
    assert.deepEqual(
      [-1, -2, -3].map((id) => [edits.at(id).label, edits.at(id).mark]),
      [
        [1, false],
        [2, false],
        [3, false],
      ],
    );
    edits.flip([-3]);
    assert.deepEqual([edits.at(-3).label, edits.at(-3).mark], [1, false]);
  });

  test("a script of Python's", () => {
    edits.restore([[5, FLIPPED | TURNED | OFF, 0, 0]]);
    assert.deepEqual([edits.at(5).label, edits.at(5).off], [3, true]); // three places further is the own class
  });
});

describe("commands", () => {
  test("flip: a point of the problem counts as an outlier then, an added one does not", () => {
    edits.put(-1, 1, 1, 1);
    edits.flip([0, -1]);
    assert.deepEqual(
      [0, -1].map((id) => [edits.at(id).label, edits.at(id).mark]),
      [
        [-1, true],
        [-1, false],
      ],
    );
    edits.flip([0]);
    assert.deepEqual(edits.rows(), [[-1, MOVED | FLIPPED, 100, 10]]); // what changes nothing has no row
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

  test("points that move together keep their distances at the edge", () => {
    const from = edits.places([0, 1]);
    edits.shift(from, [10, -10], { x: [0, 3], y: [-2, 5] });
    assert.deepEqual(
      [0, 1].map((id) => [edits.at(id).x, edits.at(id).y]),
      [
        [2, -2],
        [3, -1],
      ],
    );
    edits.shift(from, [0.5, 0.5], WIDE); // from where they began
    assert.deepEqual([edits.at(0).x, edits.at(0).y], [0.5, 0.5]);
  });

  test("jitter moves each by its own step", () => {
    const steps = [1, 2, 3, 4];
    edits.jitter([0, 1], [0.1, 0.2], () => steps.shift());
    assert.deepEqual([edits.at(0).x, edits.at(0).y], [0.1, 0.4]);
    assert.deepEqual([edits.at(1).x, edits.at(1).y], [1.3, 1.8]);
  });

  test("snap back: the point as the problem has it, and no added one", () => {
    edits.put(-1, 1, 1, 1);
    edits.remove([0]);
    edits.snap([0, -1]);
    assert.deepEqual([edits.ids, edits.size], [[0, 1, 5], 0]);
  });
});

describe("undo", () => {
  test("back and forth", () => {
    edits.remember("one");
    edits.flip([0]);
    edits.remember("two");
    edits.remove([1]);
    const done = edits.rows();
    assert.deepEqual([edits.undo(), edits.ids, edits.at(0).label], ["two", [0, 1, 5], -1]);
    assert.deepEqual([edits.undo(), edits.rows(), edits.undo()], ["one", [], undefined]);
    assert.deepEqual([edits.redo(), edits.redo(), edits.redo()], ["one", "two", undefined]);
    assert.deepEqual(edits.rows(), done);
  });

  test("what is done anew ends what could be done again", () => {
    edits.remember("one");
    edits.flip([0]);
    edits.undo();
    edits.remember("another");
    edits.flip([1]);
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
    edits.receive({ base: BASE, edits: [[1, OFF, 0, 0]], step: [-2, -1], labels: [1, -1] });
    assert.equal(edits.undo(), "one");
    assert.deepEqual(edits.rows(), []);
  });
});

test("names", () => {
  assert.deepEqual([0, 12, -3].map(called), ["point 0", "point 12", "added point 3"]);
});
