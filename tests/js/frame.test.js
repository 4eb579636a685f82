import assert from "node:assert/strict";
import { test } from "node:test";
import { roomed } from "../../pages/shared/plane/web/picture/frame.js";

test("a legend of many rows leaves most of the height to its picture", () => {
  const layout = { font: { size: 12 }, margin: { l: 50, r: 10, b: 70 }, showlegend: true, width: 300, height: 500 };
  const bottom = (names, legend = { yref: "container", maxheight: 0.4 }) =>
    roomed(Array(names).fill({ name: "Ramp", showlegend: true }), { ...layout, legend }, () => 200).b;
  assert.deepEqual(
    [1, 2, 5, 22].map((names) => bottom(names)),
    [70, 90, 150, 250],
  );
});
