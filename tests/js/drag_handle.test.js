// The value of a control whose point is dragged along a line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAfterDrag } from "../../pages/shared/plane/web/film/drag_handle.js";

const track = { low: 0, high: 10, step: 0.25, value: 3 };
const ends = [
  [100, 400],
  [500, 100],
]; // 500 pixels, 50 for each unit

test("a drag along the line takes the value along, in steps", () => {
  assert.equal(valueAfterDrag(track, ends, [220, 310], [220, 310]), 3);
  assert.equal(valueAfterDrag(track, ends, [220, 310], [260, 280]), 4);
  assert.equal(valueAfterDrag(track, ends, [220, 310], [220 + 11, 310 - 8.25]), 3.25);
});

test("only the part of a drag along the line counts", () => {
  assert.equal(valueAfterDrag(track, ends, [220, 310], [220 + 60, 310 + 80]), 3);
});

test("the ends of the line are those of the control", () => {
  assert.equal(valueAfterDrag(track, ends, [220, 310], [9999, -9999]), 10);
  assert.equal(valueAfterDrag(track, ends, [220, 310], [-9999, 9999]), 0);
});
