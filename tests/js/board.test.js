import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { Board } from "../../pages/shared/plane/web/board.js";

const BASE = { ids: [0, 1, 2], x: [0, 1, 2], y: [0, 1, 4], label: [1, -1, 1], mark: [false, false, true] };
const LIMITS = { x: [-100, 100], y: [-10, 10] };
const TOLD = { session: 1, rev: 7, draw: "a", ack: 0, base: BASE, edits: [], step: [-2, -2], labels: [1, -1] };

/** @type {Board} */
let board;
let [sent, said, shown, moved] = [[], [], [], 0];
const send = (state, value) => sent.push([state, value]);
const receive = (given = {}) => board.receive({ ...TOLD, classes: { 1: "+1", "-1": "−1" }, ...given }, send);
const last = () => sent.at(-1)[1];

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  [sent, said, shown, moved] = [[], [], [], 0];
  const viewer = { editable: true, limits: () => LIMITS, moved: () => (moved += 1) };
  board = new Board([{ ...viewer, editable: false, limits: () => assert.fail("not a plane to edit") }, viewer]);
  board.attach({ show: () => shown.push(board.settled), say: (text) => said.push(text) });
  receive();
});
afterEach(() => mock.timers.reset());

describe("what Python hears", () => {
  test("a command: the script, what is chosen, and of which revision", () => {
    board.add(0.5, -0.25);
    const rows = [[-1, 1, 50, -25]];
    const message = { rev: 7, seq: 1, moving: false, chosen: -1, step: [-2, -2], edits: rows };
    assert.deepEqual(sent, [["edits", message]]);
    assert.deepEqual([board.waits, board.settled, shown.at(-1)], [true, false, false]);
    receive({ ack: 1 });
    assert.deepEqual([board.settled, board.answered, shown.at(-1)], [true, 1, true]);
  });

  test("a point that was chosen, when it was chosen for a quarter of a second", () => {
    board.choose(2);
    mock.timers.tick(249);
    assert.deepEqual([sent, board.settled], [[], false]);
    mock.timers.tick(1);
    assert.equal(last().chosen, 2);
  });

  test("once, where a command follows at once", () => {
    board.choose(2);
    board.flip();
    receive({ ack: 1 });
    mock.timers.tick(1000);
    assert.deepEqual([sent.length, last().chosen], [1, 2]);
  });

  test("with the point on its way, where one is", () => {
    const from = board.beginDrag(1);
    for (const by of [1, 2]) board.shift(from, [by, by], LIMITS);
    board.choose(1);
    mock.timers.tick(1000);
    assert.equal(sent.length, 1);
    receive({ ack: 1 });
    assert.deepEqual([sent.length, last().moving], [2, true]);
  });

  test("nothing, where none is chosen any more", () => {
    board.choose(2);
    board.choose(undefined);
    mock.timers.tick(1000);
    assert.deepEqual([sent, board.settled], [[], true]);
  });

  test("a point on its way, and where it came to rest", () => {
    const from = board.beginDrag(1);
    board.shift(from, [1, 1], LIMITS);
    board.shift(from, [2, 2], LIMITS);
    assert.deepEqual([sent.length, last().moving, last().edits], [1, true, [[1, 1, 200, 200]]]);
    board.settle([...from.keys()]);
    mock.timers.tick(0);
    assert.deepEqual([sent.length, last().moving, last().edits], [2, false, [[1, 1, 300, 300]]]);
    assert.equal(said.at(-1), "Moved: point 1, class −1, at 3.0, 3.0.");
  });
});

describe("what Python says", () => {
  test("a revision that the board has changes nothing", () => {
    board.add(1, 1);
    receive({ ack: 1 });
    assert.deepEqual(board.edits.ids, [0, 1, 2, -1]);
  });

  test("other edits can be undone", () => {
    board.add(1, 1);
    receive({ rev: 8, edits: [[0, 16, 0, 0]] });
    assert.deepEqual([board.edits.ids, board.cursor], [[1, 2], undefined]);
    board.undo();
    assert.deepEqual([board.edits.ids, said.at(-1)], [[0, 1, 2, -1], "Undone: the change outside the plane."]);
  });

  test("a new session gets the edits that no run has answered", () => {
    board.add(1, 1);
    receive({ ack: 1 });
    const from = board.beginDrag(1);
    board.shift(from, [1, 1], LIMITS);
    board.settle([1]);
    mock.timers.tick(0); // a server that is gone hears of neither
    receive({ session: 2, rev: 8, edits: [[-1, 1, 100, 100]], step: [-1, -1] });
    const rows = [
      [-1, 1, 100, 100],
      [1, 1, 200, 200],
    ];
    assert.deepEqual(last(), { rev: 8, seq: 4, moving: false, chosen: 1, step: [-2, -2], edits: rows });
    assert.deepEqual([board.edits.at(1).x, board.waits], [2, true]);
    receive({ session: 2, rev: 8, ack: 4 });
    assert.ok(board.settled);
    board.undo();
    assert.deepEqual([board.edits.at(1).x, said.at(-1)], [1, "Undone: point 1 moved."]);
  });

  test("an edit waits for the answer to the last one, but not for ever", () => {
    let now = 0;
    mock.method(performance, "now", () => now);
    board.add(1, 1);
    board.add(2, 2);
    assert.equal(sent.length, 1);
    now = 10_101;
    mock.timers.tick(10_101);
    assert.deepEqual([sent.length, last().seq, last().edits.length], [2, 2, 2]);
    mock.restoreAll();
  });

  test("a new session with another draw gets nothing, and leaves nothing to wait for", () => {
    board.add(1, 1);
    receive({ session: 2, rev: 8, draw: "b" });
    assert.deepEqual([sent.length, board.edits.ids, board.settled], [1, [0, 1, 2], true]);
  });

  test("a new session replaces edits that were answered", () => {
    board.add(1, 1);
    receive({ ack: 1 });
    receive({ session: 2, rev: 8 });
    assert.deepEqual([sent.length, board.edits.ids, board.settled], [1, [0, 1, 2], true]);
  });

  test("the point that comes back is the chosen one", () => {
    board.choose(1);
    board.remove();
    assert.deepEqual([board.edits.ids, board.cursor], [[0, 2], 0]);
    board.undo();
    assert.deepEqual([board.edits.ids, board.cursor], [[0, 1, 2], 1]);
  });

  test("another draw has a history of its own", () => {
    board.select([0, 1]);
    board.flip();
    receive({ rev: 8, draw: "b" });
    assert.deepEqual([board.possible("undo"), board.selected.size], [false, 0]);
    receive({ rev: 9, draw: "a", edits: [[0, 6, 0, 0]] });
    board.undo();
    assert.deepEqual(said.at(-1), "Undone: 2 points flipped.");
  });

  test("nothing of the points while one moves", () => {
    board.shift(board.beginDrag(1), [1, 1], LIMITS);
    board.receive({ rev: 7, draw: "a", ack: 1 }, send);
    assert.equal(board.edits.at(1).x, 2);
  });
});

describe("commands and sentences", () => {
  test("without a point there is nothing to do", () => {
    board.mark();
    assert.deepEqual([sent, said], [[], ["Choose a point first: tap it, or go to it with the keys N and P."]]);
    assert.deepEqual(
      ["flip", "undo", "redo", "snap", "jitter"].map((name) => board.possible(name)),
      [false, false, false, false, true],
    );
  });

  test("they act on what is selected, else on what is chosen", () => {
    board.choose(0);
    board.toggle();
    assert.equal(said.at(-1), "Switched off: point 0, class +1, at 0.0, 0.0, switched off.");
    board.reselect(1);
    board.reselect(2);
    board.mark();
    assert.equal(said.at(-1), "2 points marked as outlier.");
    board.mark();
    assert.equal(said.at(-1), "2 points no longer marked as outlier.");
    board.reselect(1);
    assert.deepEqual([...board.selected], [2]);
  });

  test("a drag takes all that are selected along, or else the one point alone", () => {
    board.select([0, 1]);
    assert.deepEqual([...board.beginDrag(1).keys()], [0, 1]);
    assert.deepEqual([[...board.beginDrag(2).keys()], board.selected.size], [[2], 0]);
  });

  test("after a point was deleted the one before it is chosen", () => {
    board.choose(1);
    board.remove();
    assert.deepEqual([said.at(-1), board.cursor, board.edits.ids], ["Point 1 deleted.", 0, [0, 2]]);
  });

  test("what is deleted is not selected any more", () => {
    board.select([0, 1]);
    board.remove();
    assert.deepEqual([board.selected.size, board.edits.ids], [0, [2]]);
  });

  test("arrow keys in a row are one step of undo, and rest before the full picture", () => {
    board.choose(2);
    const clock = mock.method(performance, "now", () => 5000);
    board.nudge([1, 0], LIMITS);
    board.nudge([1, 0], LIMITS);
    assert.deepEqual([board.edits.at(2).x, board.settled], [4, false]);
    mock.timers.tick(250);
    assert.equal(last().moving, false);
    clock.mock.mockImplementation(() => 6000);
    board.nudge([1, 0], LIMITS);
    board.undo();
    assert.equal(board.edits.at(2).x, 4);
    board.undo();
    assert.equal(board.edits.at(2).x, 2);
    clock.mock.restore();
  });

  test("jitter takes its reach from a plane on which points can be edited", () => {
    board.jitter();
    assert.equal(said.at(-1), "3 points jittered.");
    for (const id of [0, 1, 2]) assert.ok(Math.abs(board.edits.at(id).x - BASE.x[id]) < 0.03 * 200 * 6);
    assert.notDeepEqual(board.edits.places([0, 1, 2]), new Map([0, 1, 2].map((id) => [id, [BASE.x[id], BASE.y[id]]])));
  });

  test("a carried point is placed by the next tap, with all that are selected, in one step of undo", () => {
    board.carry(1);
    assert.match(said.at(-1), /^Point 1, class −1, at 1.0, 1.0. The next click places it/);
    board.place(3, -2, LIMITS);
    assert.deepEqual([board.edits.at(1).x, board.edits.at(1).y, board.carried], [3, -2, undefined]);
    assert.deepEqual([said.at(-1), last().moving], ["Moved: point 1, class −1, at 3.0, −2.0.", false]);
    board.carry(1);
    board.place(-0.04, 1, LIMITS);
    assert.equal(said.at(-1), "Moved: point 1, class −1, at 0.0, 1.0.");
    board.undo();
    board.place(9, 9, LIMITS); // nothing is carried any more
    assert.equal(board.edits.at(1).x, 3);
    board.undo();
    assert.equal(board.edits.at(1).x, 1);
    board.select([0, 2]);
    board.carry(2);
    board.place(4, 4, LIMITS);
    assert.deepEqual([board.edits.at(0).x, board.edits.at(1).x, board.edits.at(2).x], [2, 1, 4]);
    assert.equal(said.at(-1), "Moved 2 points.");
    board.carry(2);
    board.place(4000, 4, LIMITS); // kept inside the picture
    assert.equal(board.edits.at(2).x, 100);
  });

  test("what is carried or begun ends with Escape, another tool, and the point that is gone", () => {
    const ends = [() => board.select([]), () => (board.tool = "edit"), () => board.remove()];
    for (const end of ends) {
      board.carry(1);
      end();
      assert.equal(board.carried, undefined);
    }
    for (const end of ends.slice(0, 2)) {
      board.begin(1, 2);
      assert.deepEqual(board.corner, [1, 2]);
      end();
      assert.equal(board.corner, undefined);
    }
    board.begin(1, 2);
    receive({ rev: 10, draw: "b" });
    assert.equal(board.corner, undefined);
  });

  test("a chosen point is described with its support value in each machine, when the picture of it is there", () => {
    const values = [{ 1: "L1-SVM: support value 0.8, at the bound" }, {}, { 1: "LS-SVM: support value −0.2" }];
    const viewers = values.map((known) => ({
      editable: true,
      limits: () => LIMITS,
      moved() {},
      support: (id) => known[id],
    }));
    board = new Board(viewers);
    board.attach({ show() {}, say: (text) => said.push(text) });
    receive();
    board.choose(1);
    assert.equal(
      said.at(-1),
      "Point 1, class −1, at 1.0, 1.0; L1-SVM: support value 0.8, at the bound; LS-SVM: support value −0.2",
    );
    // and by the handle of one plane in the machine of that plane alone
    const one = [0, 1, 2].map((k) => board.described(1, [viewers[k]]).split("; ")[1]);
    assert.deepEqual(one, ["L1-SVM: support value 0.8, at the bound", undefined, "LS-SVM: support value −0.2"]);
    board.flip([1]);
    board.choose(1);
    assert.equal(said.at(-1), "Point 1, class +1, at 1.0, 1.0, outlier"); // the machines are yet to be fitted
  });

  test("a point on its way says where it is, as something that moves", () => {
    const told = [];
    board.attach({ show() {}, say: (text, how) => told.push([text, how.moving]) });
    const from = board.beginDrag(1);
    board.shift(from, [1, 1], LIMITS);
    board.settle([1]);
    mock.timers.tick(0);
    assert.deepEqual(told, [
      ["Point 1, class −1, at 2.0, 2.0", true],
      ["Moved: point 1, class −1, at 2.0, 2.0.", false],
    ]);
  });

  test("sprayed points are one step of undo", () => {
    board.label = -1;
    board.beginSpray();
    for (const x of [1, 2]) board.drop(x, 1);
    board.endSpray(2);
    assert.deepEqual([said.at(-1), board.edits.ids], ["Sprayed 2 points of class −1.", [0, 1, 2, -1, -2]]);
    board.undo();
    assert.deepEqual(board.edits.ids, [0, 1, 2]);
  });

  test("snap back", () => {
    board.snap();
    assert.equal(said.at(-1), "The points are the problem's own.");
    board.flip([0]);
    board.add(1, 1);
    board.snap();
    assert.deepEqual([said.at(-1), board.edits.rows()], ["2 points snapped back to the problem's own.", []]);
    board.redo();
    assert.equal(said.at(-1), "Nothing to redo.");
  });

  test("points of a regression have no class", () => {
    receive({ rev: 8, labels: [] });
    board.flip([0]);
    board.choose(0);
    assert.deepEqual([said, board.edits.rows()], [["Point 0, at 0.0, 0.0"], []]);
  });

  test("points of three classes go to the next one, and new ones are of the chosen one", () => {
    const classes = { 1: "1", 2: "2", 3: "3" };
    board.label = -1;
    receive({ rev: 8, base: { ...BASE, label: [1, 2, 3] }, labels: [1, 2, 3], classes });
    assert.equal(board.label, 1); // class −1 is not among these
    board.flip([1]);
    board.label = 3;
    board.add(1, 2);
    assert.deepEqual(said, [
      "Given the next class: point 1, class 3, at 1.0, 1.0, outlier.",
      "Added: added point 1, class 3, at 1.0, 2.0.",
    ]);
    receive({ ack: 2, labels: [1, 2, 3], classes });
    assert.equal(board.label, 3); // it is kept while the points are
  });

  test("planes hear when the answer is there: they can say support values again", () => {
    board.flip([1]);
    moved = 0;
    receive({ ack: 1 });
    assert.deepEqual([board.waits, moved], [false, 2]);
    receive({ ack: 1 });
    assert.equal(moved, 2); // there was nothing to wait for
  });

  test("every change is drawn", () => {
    moved = 0;
    board.choose(1);
    board.select([0]);
    board.flip();
    board.undo();
    assert.equal(moved, 2 * 4); // on both planes
  });
});

describe("with a live channel", () => {
  let [asked, here] = [[], true];
  const channel = { ask: (_, how) => here && Boolean(asked.push(how)) };
  const script = () => asked.at(-1).script().edits;

  beforeEach(() => {
    [asked, here] = [[], true];
    board = new Board([{ editable: true, limits: () => LIMITS, moved: () => (moved += 1) }], channel);
    board.attach({ show: () => shown.push(board.settled), say: (text) => said.push(text) });
    receive();
  });

  test("Python hears of a move when it rests, after the full picture was asked for", () => {
    const from = board.beginDrag(1);
    for (const by of [1, 2]) board.shift(from, [by, by], LIMITS);
    assert.deepEqual(
      [asked.map(({ moving }) => moving), sent, board.waits, board.settled],
      [[true, true], [], true, false],
    );
    assert.deepEqual(script(), [[1, 1, 300, 300]]);
    board.settle([1]);
    mock.timers.tick(0);
    assert.deepEqual([asked.at(-1).moving, last().moving, last().edits], [false, false, [[1, 1, 300, 300]]]);
    assert.equal(board.settled, false);
    receive({ ack: 1 });
    assert.equal(board.settled, true);
  });

  test("a command needs none", () => {
    board.flip([0]);
    assert.deepEqual([asked, sent.length], [[], 1]);
  });

  test("that breaks off, Python hears the rest of the move, and the next one goes its way again", () => {
    const from = board.beginDrag(1);
    board.shift(from, [1, 1], LIMITS);
    asked.at(-1).failed();
    assert.deepEqual([sent.length, last().moving, last().edits], [1, true, [[1, 1, 200, 200]]]);
    board.shift(from, [2, 2], LIMITS);
    assert.equal(asked.length, 1);
    board.settle([1]);
    mock.timers.tick(0);
    assert.deepEqual([asked.length, last().moving], [1, false]);
    asked.at(-1).failed();
    assert.equal(sent.length, 2);
    receive({ ack: 2 });
    board.shift(board.beginDrag(1), [3, 3], LIMITS);
    assert.equal(asked.length, 2);
  });

  test("that is not there, everything is as without", () => {
    here = false;
    board.shift(board.beginDrag(1), [1, 1], LIMITS);
    assert.deepEqual([sent.length, last().moving], [1, true]);
  });
});
