import assert from "node:assert/strict";
import { test } from "node:test";
import { Trail } from "../../pages/shared/plane/web/picture/trail.js";

/** A figure with a field and the upright line x = at. */
function figure(at) {
  const x = [0, 1, 2, 3];
  const z = x.map(() => Float32Array.from(x, (value) => value - at));
  const boundary = { name: "boundary", type: "contour", x, y: x, z, contours: { start: 0 }, line: { color: "ink" } };
  return { data: [{ name: "field" }, boundary, { name: "points" }], layout: {} };
}

const places = ({ x }) => x.filter(Number.isFinite);
const trail = () => {
  const made = new Trail();
  made.setNames(["boundary"]);
  return made;
};

test("the lines of the last thirty pictures lie under the line of now, fainter the older they are", () => {
  const left = trail();
  for (let k = 0; k < 40; k++) left.addPicture(figure(0.5 + k / 20), true);
  const { data } = left.addTrail(figure(2.6));
  assert.deepEqual([data.length, data[0].name, data.at(-2).name], [33, "field", "boundary"]);
  const lines = data.slice(1, -2);
  for (const [k, line] of lines.entries()) {
    assert.ok(places(line).every((value) => Math.abs(value - (0.5 + (k + 10) / 20)) < 1e-6) && places(line).length > 3);
    assert.ok(Math.abs(line.opacity - (0.7 * (k + 1)) / 30) < 1e-9);
  }
  assert.match(left.sentence, /last 30 pictures/);
});

test("it stays after the movement, and the next movement begins anew", () => {
  const left = trail();
  left.addPicture(figure(0.5), true);
  left.addPicture(figure(0.6), false); // released
  assert.equal(left.addTrail(figure(0.7)).data.length, 3 + 2);
  left.addPicture(figure(0.7), true);
  assert.equal(left.addTrail(figure(0.8)).data.length, 3 + 1);
});

test("what is named no more has gone, and a picture without such lines is as it was", () => {
  const left = trail();
  left.addPicture(figure(0.5), true);
  assert.equal(left.setNames([]), true);
  assert.equal(left.setNames([]), false);
  assert.equal(left.sentence, "");
  const bare = { data: [{ name: "points" }], layout: {} };
  assert.equal(left.addTrail(bare), bare);
});
