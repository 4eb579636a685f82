import assert from "node:assert/strict";
import { test } from "node:test";
import { filmOf } from "../../pages/shared/plane/web/film/film.js";
import { pointSentence, tracesInFrame } from "../../pages/shared/plane/web/film/frames.js";
import { Playback } from "../../pages/shared/plane/web/film/playback.js";

const GIVEN = {
  z: [[Int16Array.of(0, 2)], [Int16Array.of(4, -6)]],
  unit: Float64Array.of(2, 0.5),
  styles: { points: { size: [[9], [12]], color: [[0], [1]], edge: [[1], [0]], width: [[0], [0]], symbol: [[1], [1]] } },
  table: ["red", "blue"],
  marks: [{ sentence: "" }, { sentence: "Point 7 is ringed." }],
  strips: [{ margins: [-1, 1] }, { margins: [-2, 2] }],
  details: {
    ids: [7],
    alpha: [[0], [-0.123456]],
    margin: [[0.5], [1.5]],
    state: [[0], [1]],
    states: ["at zero", "free"],
    box: [
      [[0], [1]],
      [[-1], [1]],
    ],
  },
  moves: { curve: { x: null, y: [Float32Array.of(1), Float32Array.of(2)] }, levels: { level: [3, 4] } },
  at: [-1, 0, 1],
};
const DATA = [
  { name: "field", type: "contour" },
  { name: "margins", type: "contour", contours: { value: [0, 0], type: "constraint" } },
  { name: "points", marker: { symbol: "circle", line: { color: "ink", width: 3 } } },
  { name: "curve", x: [5], y: [6] },
  { name: "levels", contours: { start: 0, end: 0, size: 1 } },
  { name: "cross" },
];
const byName = (traces) => Object.fromEntries(traces.map((trace) => [trace.name, trace]));

test("a frame is put into the traces of the figure, which stay as they are", () => {
  const before = structuredClone(DATA);
  const { field, margins, points, curve, levels, cross } = byName(tracesInFrame(GIVEN, DATA, 1));
  assert.deepEqual(field.z, [Float32Array.of(2, -3)]);
  assert.deepEqual([margins.z, margins.contours], [field.z, { value: [-2, 2], type: "constraint" }]);
  assert.deepEqual(points.marker, {
    symbol: ["blue"],
    size: [12],
    color: ["blue"],
    line: { color: ["red"], width: ["red"] },
  });
  assert.deepEqual([curve.x, curve.y], [[5], Float32Array.of(2)]);
  assert.deepEqual(levels.contours, { start: 4, end: 4, size: 1 });
  assert.equal(cross, DATA[5]);
  assert.deepEqual(DATA, before);
  const themed = byName(tracesInFrame(GIVEN, DATA, 0, ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]));
  assert.deepEqual(themed.points.marker.color, ["rgb(1, 2, 3)"]);
});

test("before a method is done there are points, and nothing else", () => {
  const found = byName(tracesInFrame(GIVEN, DATA, -1));
  assert.deepEqual(Object.keys(found), ["points", "curve", "levels", "cross"]);
  assert.deepEqual(found.points.marker, { symbol: "circle", size: 6, line: { color: "ink", width: 0 } });
});

test("words on a point", () => {
  assert.equal(pointSentence(GIVEN, 7, 1), "Point 7: α = −0.123, free in its box from −1 to 1; y f = 1.5.");
  assert.equal(pointSentence(GIVEN, 8, 1), undefined);
  assert.equal(pointSentence(GIVEN, 7, -1), undefined);
  const outside = { ...GIVEN, details: { ...GIVEN.details, alpha: [[0], [-2]] } };
  assert.match(pointSentence(outside, 7, 1) ?? "", /not yet in its box/);
  assert.equal(pointSentence({ ...GIVEN, details: null }, 7, 1), undefined);
});

test("a plane shows the frame of each moment with its sentence, and has words on the point that is followed", () => {
  const shown = [];
  const playback = new Playback({ mark() {}, show: (frame, sentence) => shown.push([frame, sentence]) });
  const before = playback.hasDetails;
  playback.follow({ ...GIVEN, film: "a film", version: filmOf("a film").version }, undefined);
  for (const tick of [1, 2, 2, 9]) playback.showTick(tick);
  assert.deepEqual(shown, [
    [-1, ""],
    [0, ""],
    [1, "Point 7 is ringed."],
    [-1, ""],
  ]);
  assert.deepEqual([before, playback.hasDetails, playback.describePoint(2)], [false, true, undefined]);
  playback.heldPoint = 7;
  assert.match(playback.describePoint(2) ?? "", /^Point 7: α = −0.123/);
});
