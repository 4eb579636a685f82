import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keepRanges } from "../../pages/shared/plane/web/picture/axes.js";
import { ticks } from "../../pages/shared/plane/web/picture/ticks.js";

const layout = (...range) => ({ xaxis: { range: [0, 41], nticks: 5 }, yaxis: { range } });
const heights = (before, now) => keepRanges(layout(...now), layout(...before)).yaxis.range;

describe("axes during a move", () => {
  test("stay where they hold the picture and are not far too large", () => {
    assert.deepEqual(heights([0, 100], [0, 2]), [0, 3]);
    assert.deepEqual(heights([-4, 4], [-1, 0]), [-1.5, 0]);
    assert.deepEqual(heights([-2, 2], [-1, 2]), [-2, 2]);
    assert.deepEqual(keepRanges(layout(0, 1), layout(0, 2)).xaxis, { range: [0, 41], nticks: 5 });
  });

  test("get room where they do not: a value that grows changes them seldom", () => {
    assert.deepEqual(heights([0, 1], [0, 2]), [0, 3]);
    let [range, changes] = [[0, 1], 0];
    for (let k = 0; k < 240; k++) {
      const next = heights(range, [0, 10 ** Math.sin(k / 38)]);
      changes += +(String(next) !== String(range));
      range = next;
    }
    assert.ok(changes < 16, `${changes} of 240`);
  });

  test("with equal units and of powers are those of the new picture", () => {
    const equal = { xaxis: { range: [0, 1] }, yaxis: { range: [0, 1], scaleanchor: "x" } };
    assert.equal(keepRanges(equal, layout(0, 2)), equal);
    const powers = { xaxis: { range: [0, 1] }, yaxis: { range: [0, 1], type: "log" } };
    assert.deepEqual(keepRanges(powers, layout(-1, 3)).yaxis, powers.yaxis);
  });
});

test("large and small numbers of an axis are written out", () => {
  const texts = (/** @type {number} */ high) =>
    ticks({ range: [0, high], nticks: 3 }, 200, "y")?.map(({ text }) => text);
  assert.deepEqual(texts(110000), ["0", "50000", "100000"]);
  assert.deepEqual(texts(0.00011), ["0", "0.00005", "0.0001"]);
  assert.equal(texts(2e6), undefined); // Plotly writes them with powers of ten
});
