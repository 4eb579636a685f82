import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { FlipAnimation, hasFlip } from "../../pages/shared/plane/web/picture/flip_animation.js";

const line = (x, z) => ({ name: "line", type: "contour", x, y: x, z });
const COARSE = line([0, 2], [Float32Array.of(0, 2), Float32Array.of(2, 4)]); // x + y
const FINE = line([0, 1, 2], Array(3).fill(Float32Array.of(10, 10, 10)));

let now = 0;
/** What moves from the coarse field. */
function startFlip(still = false) {
  globalThis.matchMedia = /** @type {any} */ (() => ({ matches: still }));
  const flipping = new FlipAnimation();
  flipping.start([COARSE, { name: "points", type: "scatter" }]);
  return flipping;
}

beforeEach(() => {
  now = 0;
  mock.method(performance, "now", () => now);
});

const fieldNow = (flipping) => Array.from(flipping.tracesNow([FINE])[0].z, (row) => [...row]);

test("a field comes from another grid, whose values it has between the nodes; halfway it is the mean", () => {
  const flipping = startFlip();
  assert.deepEqual(fieldNow(flipping), [
    [0, 1, 2],
    [1, 2, 3],
    [2, 3, 4],
  ]);
  now = 200;
  assert.deepEqual(fieldNow(flipping)[1], [5.5, 6, 6.5]);
  now = 400;
  assert.equal(flipping.isRunning, false);
  assert.equal(flipping.tracesNow([FINE])[0], FINE);
});

test("traces that were not there, and points, are shown at once", () => {
  const flipping = startFlip();
  const others = [
    { ...FINE, name: "ghost" },
    { name: "line", type: "scatter" },
  ];
  assert.deepEqual(flipping.tracesNow(others), others);
});

test("nothing moves for those who ask for less motion, nor where there is no field", () => {
  assert.equal(startFlip(true).isRunning, false);
  const flipping = startFlip();
  now = 1000;
  flipping.start([{ name: "points", type: "scatter" }]);
  assert.equal(flipping.isRunning, false);
});

test("a flip is a point with another class, not one that is new or gone", () => {
  const classes = (...rows) => ({ classes: new Map(rows) });
  const before = classes([0, "class +1"], [1, "class −1"]);
  assert.equal(hasFlip(before, classes([0, "class +1"], [2, "class +1"])), false);
  assert.equal(hasFlip(before, classes([0, "class −1"], [1, "class −1"])), true);
});
