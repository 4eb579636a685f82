import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ShownPoints } from "../../pages/shared/plane/web/picture/shown_points.js";

const marker = { size: [5, 7] };
const POINTS = {
  name: "points +1",
  mode: "markers",
  x: [1, 2],
  y: [3, 4],
  marker,
  customdata: [
    [8, 0.5],
    [9, -0.125],
  ],
  text: ["free", "at a bound"],
};
const STEM = {
  name: "stems",
  mode: "lines",
  x: [0, 0, Number.NaN],
  y: [0, 6, Number.NaN],
  customdata: [[8], [8], [8]],
};
const OTHERS = { name: "points -1", mode: "markers", x: [5], y: [6], marker: { size: 11 }, customdata: [[3]] };

describe("the points of a figure", () => {
  const shown = new ShownPoints({ data: [{ name: "field", z: [[1]] }, OTHERS, POINTS] });

  test("where they are, how large and of which class", () => {
    assert.deepEqual(Object.fromEntries(shown.spots), { 3: [5, 6], 8: [1, 3], 9: [2, 4] });
    assert.deepEqual([shown.diameter(3), shown.diameter(9), shown.diameter(1)], [11, 7, 9]);
    assert.deepEqual([shown.classes.get(3), shown.classes.get(8)], ["class −1", "class +1"]);
    assert.deepEqual([shown.has(3), shown.has(1)], [true, false]);
  });

  test("a ringed point keeps its class and its support value", () => {
    const ring = { name: "outliers", mode: "markers", x: [1], y: [3], marker: { size: 20 }, customdata: [[8]] };
    const shown = new ShownPoints({ data: [POINTS, ring] });
    assert.deepEqual([shown.classes.get(8), shown.values().get(8), shown.diameter(8)], ["class +1", 0.5, 20]);
  });

  test("of which of three classes, and that a regression has none", () => {
    const classOf = (name) => new ShownPoints({ data: [{ ...OTHERS, name }] }).classes.get(3);
    assert.deepEqual(["points 1", "points 3"].map(classOf), ["class 1", "class 3"]);
    for (const name of ["points", "marked", undefined]) assert.equal(classOf(name), undefined);
  });

  test("their support values, where the figure has them", () => {
    assert.deepEqual(Object.fromEntries(shown.values()), { 8: 0.5, 9: -0.125 });
    assert.equal(shown.supportWords(9), "support value −0.13, at a bound");
    assert.equal(shown.supportWords(3), undefined);
  });

  test("the last vertex of a point: a marker, or the head of a stem", () => {
    assert.deepEqual(shown.vertex(8), { x: 1, y: 3 });
    assert.deepEqual(new ShownPoints({ data: [STEM] }).vertex(8), { x: 0, y: 6 });
    assert.equal(shown.vertex(1), undefined);
  });
});
