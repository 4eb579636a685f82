import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack } from "../../pages/shared/plane/web/base/unpack.js";
import { pack } from "./replay.js";

test("numbers are typed arrays, a matrix a list of rows, and so on", () => {
  const spec = {
    x: { at: 0, type: "f8", shape: [2] },
    z: { at: 16, type: "i2", shape: [2, 2] },
    cube: { at: 16, type: "i2", shape: [2, 2, 1] },
  };
  const { x, z, cube } = unpack(pack(spec, Float64Array.of(0.5, Number.NaN), Int16Array.of(1, -2, 3, -4)));
  assert.deepEqual(x, Float64Array.of(0.5, Number.NaN));
  assert.deepEqual(z, [Int16Array.of(1, -2), Int16Array.of(3, -4)]);
  assert.deepEqual(cube, [
    [Int16Array.of(1), Int16Array.of(-2)],
    [Int16Array.of(3), Int16Array.of(-4)],
  ]);
});

test("an array with a unit has its numbers in it", () => {
  const { z } = unpack(pack({ z: { at: 0, type: "i1", shape: [2, 1], unit: 0.5 } }, Int8Array.of(3, -127)));
  assert.deepEqual(z, [Float32Array.of(1.5), Float32Array.of(-63.5)]);
});

test("an array that travels once is one array", () => {
  const field = { at: 0, type: "f4", shape: [2] };
  const { fill, lines } = unpack(pack({ fill: field, lines: { ...field } }, Float32Array.of(1, 2)));
  assert.equal(fill, lines);
});

test("bytes that begin anywhere", () => {
  const bytes = pack({ x: { at: 0, type: "f8", shape: [1] } }, Float64Array.of(7));
  const longer = new Uint8Array(bytes.length + 3);
  longer.set(bytes, 3);
  assert.deepEqual(unpack(longer.subarray(3)).x, Float64Array.of(7));
});
