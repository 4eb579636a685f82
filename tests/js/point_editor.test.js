import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { tones } from "../../pages/shared/plane/web/base/tones.js";
import { PointEditor } from "../../pages/shared/plane/web/editing/point_editor.js";

const BASE = { ids: [0, 1, 2], x: [0, 1, 2], y: [0, 1, 4], label: [1, -1, 1], mark: [false, false, true] };
const LIMITS = { x: [-100, 100], y: [-10, 10] };
const TOLD = { session: 1, version: 7, draw: "a", ack: 0, base: BASE, edits: [], step: [-2, -2], labels: [1, -1] };

/** @type {PointEditor} */
let editor;
let [sent, said, shown, moved] = [[], [], [], 0];
const send = (state, value) => sent.push([state, value]);
const receive = (given = {}) => editor.receive({ ...TOLD, classes: { 1: "+1", "-1": "−1" }, ...given }, send);
const last = () => sent.at(-1)[1];
const plane = (more = {}) => ({
  isEditable: true,
  chart: { limits: () => LIMITS },
  refresh: () => (moved += 1),
  ...more,
});
/** An editor of these planes that has the points. */
function begin(planes, channel = undefined) {
  editor = new PointEditor(planes, channel);
  editor.toolbar = { show: () => shown.push(editor.exchange.isSettled), say: (text) => said.push(text) };
  receive();
}
/** The point 1 is dragged that far, in steps, and put down. */
function drag(...ways) {
  const from = editor.beginDrag(1);
  for (const by of ways) editor.shift(from, [by, by], LIMITS);
  editor.settle([...from.keys()]);
  mock.timers.tick(0);
  return from;
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  [sent, said, shown, moved] = [[], [], [], 0];
  begin([plane({ isEditable: false, chart: undefined }), plane()]);
});
afterEach(() => mock.timers.reset());

describe("a page that is loaded anew", () => {
  /** @type {any} */
  const page = globalThis;
  let held = new Map();
  const steps = () => [editor.edits.history.past.map(({ what }) => what), editor.edits.history.future.length];

  beforeEach(() => {
    held = new Map();
    page.localStorage = { getItem: (name) => held.get(name) ?? null, setItem: (name, text) => held.set(name, text) };
    editor.add(0.5, -0.25);
    editor.flip([2]);
    editor.flip([1]);
    editor.undo();
  });
  afterEach(() => {
    delete page.localStorage;
  });

  test("can undo what was done before, and do again what was undone", () => {
    const rows = editor.edits.rows();
    editor = new PointEditor([plane()]);
    receive({ session: 2, version: 8, edits: [...rows].reverse() });
    assert.deepEqual(steps(), [["a point added", "point 2 flipped"], 1]);
    editor.undo();
    assert.deepEqual(editor.edits.rows(), [[-1, 1, 50, -25]]);
    editor.undo();
    assert.deepEqual(editor.edits.rows(), []);
  });

  test("has a change outside the plane among its steps", () => {
    receive({ version: 8, edits: [[0, 8, 0, 0]] });
    editor = new PointEditor([plane()]);
    receive({ session: 2, version: 9, edits: [[0, 8, 0, 0]] });
    assert.equal(steps()[0].at(-1), "the change outside the plane");
  });

  test("has no history of other points, of other edits, or that no editor has written", () => {
    const [rows, text] = [editor.edits.rows(), held.get("svm-lab history")];
    const parts = JSON.parse(text);
    const crafted = [
      { past: 3 },
      { past: [null] },
      { future: [{ what: "all", rows: [[0, 1, "2", 3]] }] },
      { past: [{}] },
    ];
    const others = crafted.map((part) => JSON.stringify({ ...parts, ...part }));
    for (const [given, memory] of [
      [{ draw: "b" }, text],
      [{ edits: rows.slice(1) }, text],
      [{ step: [-3, -2] }, text],
      ...["", "null", "[", "7", ...others].map((other) => [{}, other]),
    ]) {
      held.set("svm-lab history", memory);
      editor = new PointEditor([plane()]);
      receive({ session: 2, version: 8, edits: rows, ...given });
      assert.deepEqual(steps(), [[], 0], memory);
    }
  });
});

describe("what Python hears", () => {
  test("a command: the script, what is chosen, and of which version", () => {
    editor.add(0.5, -0.25);
    const rows = [[-1, 1, 50, -25]];
    const message = { version: 7, seq: 1, chosen: -1, step: [-2, -2], edits: rows };
    assert.deepEqual(sent, [["edits", message]]);
    assert.deepEqual([editor.exchange.hasPendingEdits, editor.exchange.isSettled, shown.at(-1)], [true, false, false]);
    receive({ ack: 1 });
    assert.deepEqual([editor.exchange.isSettled, editor.exchange.lastAnswer, shown.at(-1)], [true, 1, true]);
  });

  test("a point that was chosen, when it was chosen for a quarter of a second", () => {
    editor.choose(2);
    mock.timers.tick(249);
    assert.deepEqual([sent, editor.exchange.isSettled], [[], false]);
    mock.timers.tick(1);
    assert.equal(last().chosen, 2);
  });

  test("a choice on its way changes no points: the next one is told with its support value", (context) => {
    const shown = { values: () => new Map([[1, 3]]) };
    const heard = [];
    context.mock.method(tones, "playIfOn", (shares) => heard.push(shares));
    begin([plane({ supportWords: () => "support value 3", shownPoints: shown })]);
    editor.choose(2);
    mock.timers.tick(250);
    editor.choose(1);
    assert.deepEqual(
      [last().chosen, editor.exchange.hasPendingEdits, editor.exchange.isSettled, heard.at(-1)],
      [2, false, false, [1]],
    );
    assert.match(said.at(-1), /support value 3/);
    editor.flip();
    editor.choose(2);
    assert.deepEqual([editor.exchange.hasPendingEdits, heard.length], [true, 2]);
    assert.doesNotMatch(said.at(-1), /support value/);
    receive({ ack: 1 });
    assert.equal(editor.exchange.hasPendingEdits, true, "the edit came after the choice");
    receive({ ack: 2 });
    assert.deepEqual([editor.exchange.hasPendingEdits, editor.exchange.isSettled], [false, true]);
  });

  test("once, where a command follows at once", () => {
    editor.choose(2);
    editor.flip();
    receive({ ack: 1 });
    mock.timers.tick(1000);
    assert.deepEqual([sent.length, last().chosen], [1, 2]);
  });

  test("nothing, where none is chosen any more", () => {
    editor.choose(2);
    editor.choose(undefined);
    mock.timers.tick(1000);
    assert.deepEqual([sent, editor.exchange.isSettled], [[], true]);
  });

  test("of a point on its way where it came to rest", () => {
    const from = editor.beginDrag(1);
    editor.shift(from, [1, 1], LIMITS);
    editor.shift(from, [2, 2], LIMITS);
    assert.deepEqual([sent, editor.exchange.hasPendingEdits, editor.exchange.isSettled], [[], true, false]);
    editor.settle([...from.keys()]);
    mock.timers.tick(0);
    assert.deepEqual([sent.length, last().edits], [1, [[1, 1, 300, 300]]]);
    assert.equal(said.at(-1), "Moved: point 1, class −1, at 3.0, 3.0.");
  });
});

describe("what Python says", () => {
  test("a version that the editor has changes nothing", () => {
    editor.add(1, 1);
    receive({ ack: 1 });
    assert.deepEqual(editor.edits.ids, [0, 1, 2, -1]);
  });

  test("other edits can be undone", () => {
    editor.add(1, 1);
    receive({ version: 8, edits: [[0, 16, 0, 0]] });
    assert.deepEqual([editor.edits.ids, editor.cursor], [[1, 2], undefined]);
    editor.undo();
    assert.deepEqual([editor.edits.ids, said.at(-1)], [[0, 1, 2, -1], "Undone: the change outside the plane."]);
  });

  test("a new session gets the edits that no run has answered", () => {
    editor.add(1, 1);
    receive({ ack: 1 });
    drag(1); // a server that is gone hears of neither
    receive({ session: 2, version: 8, edits: [[-1, 1, 100, 100]], step: [-1, -1] });
    const rows = [
      [-1, 1, 100, 100],
      [1, 1, 200, 200],
    ];
    assert.deepEqual(last(), { version: 8, seq: 3, chosen: 1, step: [-2, -2], edits: rows });
    assert.deepEqual([editor.edits.point(1).x, editor.exchange.hasPendingEdits], [2, true]);
    receive({ session: 2, version: 8, ack: 3 });
    assert.ok(editor.exchange.isSettled);
    editor.undo();
    assert.deepEqual([editor.edits.point(1).x, said.at(-1)], [1, "Undone: point 1 moved."]);
  });

  test("an edit waits for the answer to the last one, but not for ever", () => {
    editor.add(1, 1);
    editor.add(2, 2);
    assert.equal(sent.length, 1);
    mock.timers.tick(10_101);
    assert.deepEqual([sent.length, last().seq, last().edits.length], [2, 2, 2]);
  });

  for (const [what, ack, draw] of /** @type {const} */ ([
    ["with another draw gets nothing, and leaves nothing to wait for", 0, "b"],
    ["replaces edits that were answered", 1, "a"],
  ])) {
    test(`a new session ${what}`, () => {
      editor.add(1, 1);
      receive({ ack });
      receive({ session: 2, version: 8, draw });
      assert.deepEqual([sent.length, editor.edits.ids, editor.exchange.isSettled], [1, [0, 1, 2], true]);
    });
  }

  test("after a point was deleted the one before it is chosen, and the one that comes back", () => {
    editor.choose(1);
    editor.remove();
    assert.deepEqual([said.at(-1), editor.cursor, editor.edits.ids], ["Point 1 deleted.", 0, [0, 2]]);
    editor.undo();
    assert.deepEqual([editor.edits.ids, editor.cursor], [[0, 1, 2], 1]);
  });

  for (const draw of ["a", "b"])
    test(`other points of draw ${draw} that come while an edit is on its way do not have it, which is said`, () => {
      editor.add(0.5, -0.25);
      receive({ version: 8, draw });
      assert.deepEqual(
        [editor.edits.ids.length, said.at(-1)],
        [3, "These are other points: they do not have your last edit."],
      );
      receive({ version: 8, draw, ack: 1 });
      const count = said.length;
      receive({ version: 9, draw: "c", ack: 1 });
      assert.equal(said.length, count);
    });

  test("another draw has a history of its own", () => {
    editor.select([0, 1]);
    editor.flip();
    receive({ version: 8, draw: "b" });
    assert.deepEqual([editor.isPossible("undo"), editor.selection.size], [false, 0]);
    receive({ version: 9, draw: "a", edits: [[0, 6, 0, 0]] });
    editor.undo();
    assert.deepEqual(said.at(-1), "Undone: 2 points flipped.");
  });

  test("nothing of the points while one moves", () => {
    editor.shift(editor.beginDrag(1), [1, 1], LIMITS);
    editor.receive({ version: 7, draw: "a", ack: 1 }, send);
    assert.equal(editor.edits.point(1).x, 2);
  });
});

describe("commands and sentences", () => {
  test("without a point there is nothing to do", () => {
    editor.mark();
    assert.deepEqual([sent, said], [[], ["Choose a point first: tap it, or go to it with the keys N and P."]]);
    assert.deepEqual(
      ["flip", "undo", "redo", "snap", "jitter"].map((name) => editor.isPossible(name)),
      [false, false, false, false, true],
    );
  });

  test("they act on what is selected, else on what is chosen", () => {
    editor.choose(0);
    editor.toggle();
    assert.equal(said.at(-1), "Switched off: point 0, class +1, at 0.0, 0.0, switched off.");
    editor.toggleSelection(1);
    editor.toggleSelection(2);
    editor.mark();
    assert.equal(said.at(-1), "2 points marked as outlier.");
    editor.mark();
    assert.equal(said.at(-1), "2 points no longer marked as outlier.");
    editor.toggleSelection(1);
    assert.deepEqual([...editor.selection], [2]);
  });

  test("a drag takes all that are selected along, or else the one point alone", () => {
    editor.select([0, 1]);
    assert.deepEqual([...editor.beginDrag(1).keys()], [0, 1]);
    assert.deepEqual([[...editor.beginDrag(2).keys()], editor.selection.size], [[2], 0]);
  });

  test("what is deleted is not selected any more", () => {
    editor.select([0, 1]);
    editor.remove();
    assert.deepEqual([editor.selection.size, editor.edits.ids], [0, [2]]);
  });

  test("arrow keys in a row are one step of undo, and rest before the full picture", () => {
    editor.choose(2);
    const clock = mock.method(performance, "now", () => 5000);
    editor.nudge([1, 0], LIMITS);
    editor.nudge([1, 0], LIMITS);
    assert.deepEqual([editor.edits.point(2).x, editor.exchange.isSettled], [4, false]);
    assert.deepEqual(sent, []);
    mock.timers.tick(250);
    assert.equal(sent.length, 1);
    clock.mock.mockImplementation(() => 6000);
    editor.nudge([1, 0], LIMITS);
    editor.undo();
    assert.equal(editor.edits.point(2).x, 4);
    editor.undo();
    assert.equal(editor.edits.point(2).x, 2);
    clock.mock.restore();
  });

  test("jitter takes its reach from a plane on which points can be edited", () => {
    editor.jitter();
    assert.equal(said.at(-1), "3 points jittered.");
    for (const id of [0, 1, 2]) assert.ok(Math.abs(editor.edits.point(id).x - BASE.x[id]) < 0.03 * 200 * 6);
    assert.notDeepEqual(editor.edits.places([0, 1, 2]), new Map([0, 1, 2].map((id) => [id, [BASE.x[id], BASE.y[id]]])));
  });

  test("a carried point is placed by the next tap, with all that are selected, in one step of undo", () => {
    editor.carry(1);
    assert.match(said.at(-1), /^Point 1, class −1, at 1.0, 1.0. The next click places it/);
    editor.placeCarried(3, -2, LIMITS);
    assert.deepEqual([editor.edits.point(1).x, editor.edits.point(1).y, editor.carriedId], [3, -2, undefined]);
    assert.deepEqual([said.at(-1), sent.length], ["Moved: point 1, class −1, at 3.0, −2.0.", 1]);
    editor.carry(1);
    editor.placeCarried(-0.04, 1, LIMITS);
    assert.equal(said.at(-1), "Moved: point 1, class −1, at 0.0, 1.0.");
    editor.undo();
    editor.placeCarried(9, 9, LIMITS); // nothing is carried any more
    assert.equal(editor.edits.point(1).x, 3);
    editor.undo();
    assert.equal(editor.edits.point(1).x, 1);
    editor.select([0, 2]);
    editor.carry(2);
    editor.placeCarried(4, 4, LIMITS);
    assert.deepEqual([editor.edits.point(0).x, editor.edits.point(1).x, editor.edits.point(2).x], [2, 1, 4]);
    assert.equal(said.at(-1), "Moved 2 points.");
    editor.carry(2);
    editor.placeCarried(4000, 4, LIMITS); // kept inside the picture
    assert.equal(editor.edits.point(2).x, 100);
  });

  test("what is carried or begun ends with Escape, another tool, and the point that is gone", () => {
    const ends = [() => editor.select([]), () => (editor.tool = "edit"), () => editor.remove()];
    for (const end of ends) {
      editor.carry(1);
      end();
      assert.equal(editor.carriedId, undefined);
    }
    for (const end of ends.slice(0, 2)) {
      editor.beginBox(1, 2);
      assert.deepEqual(editor.corner, [1, 2]);
      end();
      assert.equal(editor.corner, undefined);
    }
    editor.beginBox(1, 2);
    receive({ version: 10, draw: "b" });
    assert.equal(editor.corner, undefined);
  });

  test("a chosen point is described with its support value in each machine, when the picture of it is there", () => {
    const values = [{ 1: "L1-SVM: support value 0.8, at the bound" }, {}, { 1: "LS-SVM: support value −0.2" }];
    const viewers = values.map((known) => plane({ supportWords: (id) => known[id] }));
    begin(viewers);
    editor.choose(1);
    assert.equal(
      said.at(-1),
      "Point 1, class −1, at 1.0, 1.0; L1-SVM: support value 0.8, at the bound; LS-SVM: support value −0.2.",
    );
    // and by the handle of one plane in the machine of that plane alone
    const one = [0, 1, 2].map((k) => editor.describe(1, [viewers[k]]).split("; ")[1]);
    assert.deepEqual(one, ["L1-SVM: support value 0.8, at the bound", undefined, "LS-SVM: support value −0.2"]);
    editor.flip([1]);
    editor.choose(1);
    assert.equal(said.at(-1), "Point 1, class +1, at 1.0, 1.0, outlier."); // the machines are yet to be fitted
  });

  test("a point on its way says where it is, as something that moves", () => {
    const told = [];
    editor.toolbar = { show() {}, say: (text, how) => told.push([text, how.moving]) };
    drag(1);
    assert.deepEqual(told, [
      ["Point 1, class −1, at 2.0, 2.0", true],
      ["Moved: point 1, class −1, at 2.0, 2.0.", false],
    ]);
  });

  test("sprayed points are one step of undo", () => {
    editor.label = -1;
    editor.beginSpray();
    for (const x of [1, 2]) editor.drop(x, 1);
    editor.endSpray(2);
    assert.deepEqual([said.at(-1), editor.edits.ids], ["Sprayed 2 points of class −1.", [0, 1, 2, -1, -2]]);
    editor.undo();
    assert.deepEqual(editor.edits.ids, [0, 1, 2]);
  });

  test("snap back", () => {
    editor.snap();
    assert.equal(said.at(-1), "The points are the problem's own.");
    editor.flip([0]);
    editor.add(1, 1);
    editor.snap();
    assert.deepEqual([said.at(-1), editor.edits.rows()], ["2 points snapped back to the problem's own.", []]);
    editor.redo();
    assert.equal(said.at(-1), "Nothing to redo.");
  });

  test("points of a regression have no class", () => {
    receive({ version: 8, labels: [] });
    editor.flip([0]);
    editor.choose(0);
    assert.deepEqual([said, editor.edits.rows()], [["Point 0, at 0.0, 0.0."], []]);
  });

  test("points of three classes go to the next one, and new ones are of the chosen one", () => {
    const classes = { 1: "1", 2: "2", 3: "3" };
    editor.label = -1;
    receive({ version: 8, base: { ...BASE, label: [1, 2, 3] }, labels: [1, 2, 3], classes });
    assert.equal(editor.label, 1); // class −1 is not among these
    editor.flip([1]);
    editor.label = 3;
    editor.add(1, 2);
    assert.deepEqual(said, [
      "Given the next class: point 1, class 3, at 1.0, 1.0, outlier.",
      "Added: added point 1, class 3, at 1.0, 2.0.",
    ]);
    receive({ ack: 2, labels: [1, 2, 3], classes });
    assert.equal(editor.label, 3); // it is kept while the points are
  });

  test("planes hear when the answer is there: they can say support values again", () => {
    editor.flip([1]);
    moved = 0;
    receive({ ack: 1 });
    assert.deepEqual([editor.exchange.hasPendingEdits, moved], [false, 2]);
    receive({ ack: 1 });
    assert.equal(moved, 2); // there was nothing to wait for
  });

  test("every change is drawn", () => {
    moved = 0;
    editor.choose(1);
    editor.select([0]);
    editor.flip();
    editor.undo();
    assert.equal(moved, 2 * 4); // on both planes
  });
});

describe("with a live channel", () => {
  let asked = [];
  const channel = {
    hold: ({ script }) => Boolean(asked.push({ moving: true, script })),
    release: ({ script }, then) => asked.push({ moving: false, script, then }),
  };
  const script = () => asked.at(-1).script().edits;

  beforeEach(() => {
    asked = [];
    begin([plane()], channel);
  });

  test("Python hears of a move when it rests, and the full picture is there", () => {
    const from = editor.beginDrag(1);
    for (const by of [1, 2]) editor.shift(from, [by, by], LIMITS);
    assert.deepEqual(
      [asked.map(({ moving }) => moving), sent, editor.exchange.hasPendingEdits, editor.exchange.isSettled],
      [[true, true], [], true, false],
    );
    assert.deepEqual(script(), [[1, 1, 300, 300]]);
    editor.settle([1]);
    mock.timers.tick(0);
    assert.deepEqual([asked.at(-1).moving, sent, editor.exchange.hasPendingEdits], [false, [], true]);
    asked.at(-1).then();
    assert.deepEqual([last().edits, editor.exchange.isSettled], [[[1, 1, 300, 300]], false]);
    receive({ ack: 1 });
    assert.equal(editor.exchange.isSettled, true);
  });

  test("a command has its picture first, and two of them one message", () => {
    editor.flip([0]);
    editor.flip([1]);
    assert.deepEqual([asked.map(({ moving }) => moving), sent], [[false, false], []]);
    for (const { then } of asked) then();
    assert.deepEqual([sent.length, last().edits.length], [1, 2]);
  });

  test("points that move again before the picture of their rest are heard of when they rest again", () => {
    editor.shift(drag(1), [2, 2], LIMITS);
    asked.at(-2).then();
    assert.deepEqual([sent, editor.exchange.hasPendingEdits], [[], true]);
  });
});
