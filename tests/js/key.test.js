import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { placeholderAxes } from "../../pages/shared/plane/web/picture/axes.js";
import { addTitle } from "../../pages/shared/plane/web/picture/frame.js";
import { placeKey, widenForKey, wrapKey } from "../../pages/shared/plane/web/picture/key.js";
import { addSizes, markup, sizeMarks } from "../../pages/shared/plane/web/picture/sizes.js";
import { letters } from "./letters.js";

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
    assert.equal(placeKey(narrow), narrow);
  });

  test("stands beside a plane that the window makes narrower, and the plane takes the height of it", () => {
    const wide = placeKey(layout(600, 300));
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
    const { annotations } = placeKey(layout(440, 300, entries));
    assert.deepEqual(annotations[1].text.split("<br>"), ["◯ support vector, one of", "\u2003the last", "at f = 0"]);
  });

  test("stays below where its lines would be higher than the plane, or the plane hardly larger", () => {
    const long = layout(600, 300, Array(21).fill("━ f = 0"));
    assert.equal(placeKey(long), long);
    const narrow = layout(330, 300, ["◯ support vector, one of the last"]); // its words would take a line each
    assert.equal(placeKey(narrow), narrow);
    const close = layout(335, 300);
    assert.equal(placeKey(close), close);
  });

  test("takes another line below a picture that is narrower than its entries", () => {
    const long = layout(200, 400, ["● class +1 (a long name)\u2002━ f = 0\u2002╌ f = ±1", "area ∝ |α|; filled"]);
    const [, { text }] = wrapKey(long).annotations;
    assert.deepEqual(text.split("<br>"), ["● class +1 (a long name)", "━ f = 0\u2002╌ f = ±1;", "area ∝ |α|; filled"]);
    assert.equal(wrapKey(long).margin.b, 70 + 26);
    assert.deepEqual(wrapKey(layout(900, 400)), layout(900, 400));
    const saved = widenForKey(layout(200, 400, ["● class +1 (a long name)\u2002━ f = 0"]));
    assert.deepEqual([saved.width - saved.margin.r, side(saved)], [190, side(layout(200, 400))]);
    assert.equal(saved.width, 30 + 4 + letters("● class +1 (a long name)\u2002━ f = 0"));
  });

  test("stays below a curve, whose axes have no equal units", () => {
    const curve = { ...layout(600, 300), yaxis: { range: [0, 4] } };
    assert.equal(placeKey(curve), curve);
    const bare = { ...layout(600, 300), annotations: [], meta: {} };
    assert.equal(placeKey(bare), bare);
  });
});

describe("the key of sizes", () => {
  const sizes = { label: "|α|", text: ["0.2", "1"], marker: { size: [8, 20] } };
  const withSizes = (one, text) => ({ ...one, annotations: [{ ...note(text) }], meta: { ...one.meta, sizes } });
  const below = withSizes(layout(300, 400), "class +1<br>ends at 2; area ∝ |α|<br>filled");
  const font = { family: "sans", size: 10 };
  const axes = (one) => placeholderAxes(one, [one.width, one.height]);
  const marksOf = (one, title = "") => sizeMarks({ ...one, font }, axes(one), title);

  test("goes on where the key says what the area of a marker means", () => {
    const [small, large] = marksOf(below);
    const { xaxis, yaxis } = axes(below);
    assert.equal(small.x - small.r, xaxis._offset + letters("ends at 2; area ∝ |α|") + 10);
    assert.equal(small.y, yaxis._offset + yaxis._length + 22 + 1.5 * 13);
    assert.deepEqual([small.r, large.r, small.text, large.text], [4, 10, "0.2", "1"]);
    assert.ok(large.x - large.r > small.x + small.r + letters("0.2") && large.y === small.y);
    assert.equal(large.x - large.r, small.x + small.r + 3 + letters("0.2") + 10);
    assert.deepEqual(sizeMarks({ ...below, font, width: large.x }, axes(below)), [small], "none is cut");
  });

  test("stands above a key beside the plane, where that leaves room", () => {
    const wide = placeKey({ ...layout(600, 300), meta: { key: marks, sizes } });
    const found = marksOf(wide);
    const { xaxis, yaxis } = axes(wide);
    const top = yaxis._offset + yaxis._length - marks.length * 13;
    assert.ok(found.every(({ x, y, r }) => y + r <= top && x - r >= xaxis._offset + xaxis._length + 12));
    assert.ok(found[1].y + found[1].r <= found[0].y - found[0].r);
    const [, key] = wide.annotations;
    const long = { ...wide, annotations: [{ ...key, text: Array(18).fill("f").join("<br>") }] };
    assert.deepEqual(marksOf(long), []);
  });

  test("has a place in the row of a title that is short enough", () => {
    const plain = layout(300, 400);
    const small = { ...plain, margin: { l: 4, r: 4, t: 20, b: 4 }, annotations: [], meta: { sizes } };
    const [label, ...circles] = marksOf(small, "L1-SVM");
    assert.deepEqual([label.text, label.r, circles.length], ["|α|", 0, 2]);
    assert.ok(label.x > axes(small).xaxis._offset + letters("L1-SVM"));
    assert.ok(circles[1].x + circles[1].r + letters("1") < 300 - 32);
    assert.deepEqual(marksOf(small, "L1-SVM test error 0.5 %, 12 support vectors"), []);
    assert.deepEqual(marksOf({ ...small, margin: { l: 4, r: 4, t: 4, b: 4 } }), []);
    assert.deepEqual(marksOf({ ...small, meta: {} }), []);
  });

  test("is drawn as it is, and saved with its picture", () => {
    const layout = { ...below, font, xaxis: { ...below.xaxis, tickfont: { color: "grey" } } };
    const found = marksOf(below);
    const text = markup(found, layout);
    assert.ok(text.includes('fill="grey"') && text.includes(`cx="${found[1].x}"`) && text.includes('r="10"'));
    const { shapes, annotations } = addSizes(layout);
    const { margin, width, height } = layout;
    const [across, up] = [width - margin.l - margin.r, height - margin.t - margin.b];
    assert.ok(Math.abs((shapes[1].x1 - shapes[1].x0) * across - 20) < 1e-9);
    assert.ok(Math.abs((shapes[1].y1 - shapes[1].y0) * up - 20) < 1e-9);
    const told = annotations.slice(-2).map(({ text }) => text);
    assert.deepEqual(told, ["0.2", "1"]);
    const middle = margin.t + up * (1 - annotations.at(-1).y);
    assert.ok(Math.abs(middle - found[1].y) < 1e-9 && annotations.at(-1).yanchor === "middle");
    assert.equal(addSizes({ ...layout, meta: {} }).shapes, undefined);
  });
});

test("the title of a saved picture takes the lines that it needs, with room for them", () => {
  const bare = { ...layout(200, 300), annotations: [], font: { family: "sans", size: 10 } };
  const { figure, size } = addTitle(
    { data: [], layout: bare },
    [200, 300],
    "LS-SVM <b> test error 0.4 %, of 40 points",
  );
  const [{ text, yshift }] = figure.layout.annotations;
  assert.equal(text, "LS-SVM &lt;b> test error 0.4 %,<br>\u2003of 40 points");
  assert.deepEqual([yshift, figure.layout.margin.t, size], [10, 10 + 30 + 13, [200, 343]]);
});
