import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cornered } from "../../pages/shared/plane/web/picture/corner.js";

const letters = (text) => 6 * text.length;
const legend = { orientation: "v", x: 0, xanchor: "left", y: 0, yanchor: "bottom", font: { size: 12 } };
const layout = (options = {}) => ({
  width: 420,
  height: 320,
  margin: { l: 10, r: 10, t: 10, b: 10 },
  xaxis: { range: [0, 400] },
  yaxis: { range: [0, 300] },
  font: { family: "sans" },
  showlegend: true,
  legend,
  ...options,
});
const lines = ["LS-SVM", "Least 1-Norm SVM"].map((name) => ({ name, mode: "lines", x: [0], y: [0], showlegend: true }));
const points = (...places) => ({ mode: "markers", x: places.map(([x]) => x), y: places.map(([, y]) => y) });
const corner = (given, ...places) => cornered([...lines, points(...places)], layout(given), letters);

describe("the legend inside a picture", () => {
  test("is 141 pixels wide and 48 high, and stays on the left where it covers no point", () => {
    assert.equal(corner({}, [152, 20], [100, 49]), legend);
  });

  test("moves to the right where it covers fewer points there", () => {
    const right = { ...legend, x: 1, xanchor: "right" };
    assert.deepEqual(corner({}, [140, 20]), right);
    assert.deepEqual(corner({}, [100, 47], [20, 20], [390, 20]), right);
    assert.equal(corner({}, [100, 20], [390, 20]), legend);
  });

  test("ends with the axis of a plane that is narrower than its room", () => {
    const plane = { xaxis: { range: [0, 300], constraintoward: "left" }, yaxis: { range: [0, 300], scaleanchor: "x" } };
    assert.equal(corner(plane, [20, 20]).x, 0.75);
  });

  test("stays where it lies outside, or where the axes do not say their ranges", () => {
    const below = { ...legend, yref: "container", orientation: "h", y: 0 };
    assert.equal(corner({ legend: below }, [20, 20]), below);
    assert.equal(corner({ xaxis: {} }, [20, 20]), legend);
    assert.equal(corner({ showlegend: false }, [20, 20]), legend);
  });
});
