import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { placeholderAxes } from "../../pages/shared/plane/web/picture/axes.js";
import { keyed } from "../../pages/shared/plane/web/picture/key.js";

const letters = (text) => 6 * text.length;
const note = (text) => ({ name: "key", text, x: 0, y: 0, yshift: -22, yanchor: "top", font: { size: 10 } });
const marks = ['<span style="color:rgb(1, 2, 3)">●</span> class +1', "━ f = 0", "area ∝ |α|", "filled α > 0"];
const layout = (width, height, entries = marks) => ({
  width,
  height,
  margin: { l: 30, r: 10, t: 10, b: 70 },
  xaxis: { range: [0, 4], constraintoward: "left" },
  yaxis: { range: [0, 4], scaleanchor: "x", constraintoward: "top" },
  font: { family: "sans" },
  annotations: [{ name: "line", text: "LS-SVM" }, note(entries.join("; "))],
  meta: { key: entries },
});
const side = (one) => placeholderAxes(one, [one.width, one.height]).xaxis._length;

describe("the key of a plane", () => {
  test("stays below a plane that is as wide as its column", () => {
    const narrow = layout(300, 400);
    assert.equal(keyed(narrow, letters), narrow);
  });

  test("stands beside a plane that the window makes narrower, and the plane takes the height of it", () => {
    const wide = keyed(layout(600, 300), letters);
    assert.equal(side(layout(600, 300)), 220);
    assert.equal(side(wide), 268);
    const [other, key] = wide.annotations;
    assert.equal(other.text, "LS-SVM");
    assert.deepEqual(key.text.split("<br>"), marks);
    assert.deepEqual([key.x, key.y, key.xshift, key.yanchor, key.yshift], [1, 0, 12, "bottom", 0]);
    const { l, r } = wide.margin;
    assert.ok(l + side(wide) + key.xshift + letters("filled α > 0") <= 600 - 10);
    assert.equal(r, 10 + 12 + letters("filled α > 0"));
  });

  test("breaks long entries between words, never within a formula, and indents what follows", () => {
    const entries = ["◯ support vector, one of the last", "at f = 0"];
    const { annotations } = keyed(layout(440, 300, entries), letters);
    assert.deepEqual(annotations[1].text.split("<br>"), ["◯ support vector, one of", "\u2003the last", "at f = 0"]);
  });

  test("stays below where its lines would be higher than the plane, or the plane hardly larger", () => {
    const long = layout(600, 300, Array(21).fill("━ f = 0"));
    assert.equal(keyed(long, letters), long);
    const narrow = layout(330, 300, ["◯ support vector, one of the last"]); // its words would take a line each
    assert.equal(keyed(narrow, letters), narrow);
    const close = layout(335, 300);
    assert.equal(keyed(close, letters), close);
  });

  test("stays below a curve, whose axes have no equal units", () => {
    const curve = { ...layout(600, 300), yaxis: { range: [0, 4] } };
    assert.equal(keyed(curve, letters), curve);
    const bare = { ...layout(600, 300), annotations: [], meta: {} };
    assert.equal(keyed(bare, letters), bare);
  });
});
