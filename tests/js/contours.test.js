import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { levelPaths } from "../../pages/shared/plane/web/picture/contours.js";

const grid = (count, from, to) => Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
const field = (x, y, f) => y.map((b) => x.map((a) => f(a, b)));
const assertNear = (one, other, gap) => assert.ok(Math.abs(one - other) < gap, `${one} is not ${other}`);
const gaps = (path) => path.slice(1).map(([c, r], k) => Math.hypot(c - path[k][0], r - path[k][1]));

/** z between the nodes at a vertex, which lies on an edge of the grid. */
function value(z, [column, row]) {
  const [c, r] = [Math.min(Math.floor(column), z[0].length - 2), Math.min(Math.floor(row), z.length - 2)];
  const [s, t] = [column - c, row - r];
  return (1 - t) * ((1 - s) * z[r][c] + s * z[r][c + 1]) + t * ((1 - s) * z[r + 1][c] + s * z[r + 1][c + 1]);
}

/** Numbers from -2 to 2 that are the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return (4 * state) / 2 ** 32 - 2;
  };
}

test("a circle is one closed chain", () => {
  const x = grid(41, -2, 2);
  const [path, ...more] = levelPaths(
    field(x, x, (a, b) => a * a + b * b),
    1.01, // through no node
  );
  assert.deepEqual([more, path[0]], [[], path.at(-1)]);
  assert.ok(path.length > 60);
  for (const [c, r] of path) assertNear(Math.hypot(0.1 * c - 2, 0.1 * r - 2), Math.sqrt(1.01), 0.003);
  assert.ok(Math.max(...gaps(path)) < 1.5); // neighbours in the chain are neighbours on the line
});

test("a straight line is one open chain", () => {
  const x = grid(20, -1, 1);
  const [path, ...more] = levelPaths(
    field(x, x, (a, b) => a + 2 * b),
    0.1,
  );
  assert.deepEqual(more, []);
  for (const end of [path[0], path.at(-1)]) assert.ok(end.some((place) => place === 0 || place === 19));
  assert.ok(Math.max(...gaps(path)) < 1.5);
});

describe("a saddle follows its middle", () => {
  // Two lines; each cuts off one corner: a low one where the high corners are joined, else a high one.
  for (const one of [2, -1, 1, -2]) {
    const other = one > 0 ? one - 3 : one + 3;
    const joined = one + other > 0; // the middle is above the level
    const corners = [
      [one, other],
      [other, one],
    ];
    test(JSON.stringify(corners), () => {
      const paths = levelPaths(corners, 0);
      assert.equal(paths.length, 2);
      for (const path of paths) {
        const mean = (axis) => path.reduce((sum, place) => sum + place[axis], 0) / path.length;
        const [c, r] = [Math.round(mean(0)), Math.round(mean(1))]; // the corner nearest to a line that cuts it off
        assert.equal(corners[r][c] < 0, joined);
      }
    });
  }
});

for (const seed of [0, 1, 2]) {
  test(`on a rough field every vertex lies on the level, seed ${seed}`, () => {
    const draw = random(seed);
    const z = Array.from({ length: 14 }, () => Array.from({ length: 17 }, draw));
    for (const level of [-1, 0, 1]) {
      const paths = levelPaths(z, level);
      const once = paths.flatMap((path) => [...new Set(path.map(String))]);
      const sidesDiffer = (one, other) => Number(one > level !== other > level);
      let across = 0;
      for (let r = 0; r < 14; r++) for (let c = 0; c < 16; c++) across += sidesDiffer(z[r][c], z[r][c + 1]);
      for (let r = 0; r < 13; r++) for (let c = 0; c < 17; c++) across += sidesDiffer(z[r][c], z[r + 1][c]);
      assert.equal(new Set(once).size, once.length); // each crossed edge once, in one chain
      assert.equal(once.length, across);
      for (const place of paths.flat()) assertNear(value(z, place), level, 1e-9);
    }
  });
}

test("a level beyond the field has no line", () => {
  const flatField = (height) => field(grid(5, 0, 1), grid(5, 0, 1), () => height);
  assert.deepEqual([levelPaths(flatField(0), 1), levelPaths(flatField(1), 0)], [[], []]);
});
