import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { placeLegend } from "../../pages/shared/plane/web/picture/corner.js";
import { legendMargin } from "../../pages/shared/plane/web/picture/frame.js";
import { nameLines } from "../../pages/shared/plane/web/picture/line_names.js";
import { letters } from "./letters.js";

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
const corner = (given, ...places) => placeLegend([...lines, points(...places)], layout(given));

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

  test("covers points rather than the name at the end of a line", () => {
    const annotations = [{ name: "line", text: "LS-SVM", x: 170, y: 40, ax: -20, ay: 10 }];
    assert.equal(corner({ annotations }, [390, 20]).x, 1);
    assert.equal(corner({ annotations: [{ ...annotations[0], name: "beyond" }] }, [390, 20]), legend);
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

const margin = { l: 20, r: 20, t: 20, b: 20 };
const wide = { width: 440, height: 340, margin, font: { family: "sans", size: 12 }, legend: { yref: "container" } };
const chartLayout = (options = {}) => layout({ ...wide, paper_bgcolor: "white", ...options });
const lineTrace = (name, x, y, more = {}) => ({
  name,
  mode: "lines",
  x,
  y,
  showlegend: true,
  line: { color: name },
  ...more,
});
const rise = lineTrace("rise", [0, 400], [20, 280]);
const fall = lineTrace("fall", [0, 400], [280, 20]);
const names = ({ layout: { annotations = [] } }) => annotations.map(({ text }) => text).sort();
const boxOf = ({ text, x, y, ax, ay }) => {
  const [left, top, wide] = [x + ax, 300 - y + ay, letters(text) + 6];
  return { left: left - wide / 2, right: left + wide / 2, top: top - 9, bottom: top + 9 };
};
/** The notes at the ends of these lines in a chart without the row of a legend, 320 pixels high for 300 units. */
const notesOf = (lines) =>
  (nameLines(lines, chartLayout()).layout.annotations ?? []).map((note) => ({
    ...note,
    y: (note.y * 320) / 300 - 20,
  }));
const hasSpotIn = ({ left, right, top, bottom }, spots) =>
  spots.some(([x, y]) => x > left && x < right && y > top && y < bottom);

describe("names at the ends of lines", () => {
  test("stand in the place of the legend, in the colour of their line, inside the picture and apart", () => {
    const found = nameLines([rise, fall], chartLayout());
    assert.deepEqual(names(found), ["fall", "rise"]);
    assert.equal(found.layout.showlegend, false);
    assert.equal(found.layout.margin.b, 0, "the row of the legend is free");
    assert.ok(found.data.every(({ showlegend }) => !showlegend));
    for (const note of found.layout.annotations) {
      assert.equal(note.bordercolor, note.text);
      assert.ok(Math.min(note.x, 400 - note.x) < 1, "at an end");
    }
    const on = [rise, fall].flatMap(({ y: [from, to] }) =>
      Array.from({ length: 401 }, (_, x) => [x, 320 - ((from + ((to - from) * x) / 400) * 320) / 300]),
    );
    assert.ok(!notesOf([rise, fall]).some((note) => hasSpotIn(boxOf(note), on)), "a name covers no line");
    const near = [9, 18, 27, 36, 45].map((up) => lineTrace(`m${up}`, [0, 400], [60 + up, 60 + up]));
    const boxes = notesOf([rise, ...near]).map(boxOf);
    assert.equal(boxes.length, 6);
    for (const [k, one] of boxes.entries()) {
      assert.ok(one.left >= 0 && one.right <= 400 && one.top >= 0 && one.bottom <= 320);
      for (const other of boxes.slice(0, k)) {
        assert.ok(one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top);
      }
    }
  });

  test("have strokes that run through no other name and do not cross", () => {
    const sheaf = (count) =>
      Array.from({ length: count }, (_, k) =>
        lineTrace(`machine ${k}`, [0, 400], [20 + 2 * k, 140 + 7 * ((5 * k) % count)]),
      );
    for (const count of [3, 4, 5, 6, 7]) {
      const found = notesOf(sheaf(count));
      const segments = found.map(({ x, y, ax, ay }) => ({ x, y: 300 - y, ax, ay }));
      for (const [k, { x, y, ax, ay }] of segments.entries()) {
        const along = Array.from({ length: 101 }, (_, i) => [x + (i / 100) * ax, y + (i / 100) * ay]);
        for (const note of found.filter((_, i) => i !== k)) {
          assert.ok(!hasSpotIn(boxOf(note), along), `${count}: ${note.text}`);
        }
        for (const other of segments.slice(0, k)) {
          const det = ax * other.ay - ay * other.ax;
          const [p, q] = [other.x - x, other.y - y];
          const ways = [(p * other.ay - q * other.ax) / det, (p * ay - q * ax) / det];
          assert.ok(!ways.every((way) => way > 0.02 && way < 1), `${count}: strokes cross`);
        }
      }
    }
    assert.equal(names(nameLines(sheaf(4), chartLayout())).length, 4, "four find room");
  });

  test("are one for lines that lie on one another, also where their vertices differ", () => {
    const same = lineTrace("same", [0, 100, 400], [20, 85, 280]);
    assert.deepEqual(names(nameLines([rise, fall, same], chartLayout())), ["fall", "rise ≈ same"]);
    const part = lineTrace("part", [0, 200], [20, 150]);
    assert.deepEqual(names(nameLines([rise, part], chartLayout())), ["part", "rise"], "a part is not the whole");
    const gap = lineTrace("gap", [0, 120, null, 280, 400], [20, 98, null, 202, 280]);
    assert.deepEqual(names(nameLines([rise, gap], chartLayout())), ["gap", "rise"], "nor is one with a gap");
  });

  test("are those of the zeros of fields, too; of a closed line as well", () => {
    const axis = Array.from({ length: 41 }, (_, k) => 10 * k);
    const field = (name, f) => ({
      ...{ name, showlegend: true, x: axis, y: axis, line: { color: name } },
      z: axis.map((y) => Float32Array.from(axis, (x) => f(x, y))),
      contours: { start: 0, end: 0, size: 1, coloring: "none" },
    });
    const ring = field("ring", (x, y) => Math.hypot(x - 200, y - 150) - 80);
    const twin = field("twin", (x, y) => 5 * (Math.hypot(x - 200, y - 150) - 80));
    const edge = field("edge", (x) => x - 305);
    const found = nameLines([ring, edge, twin], chartLayout());
    assert.deepEqual(names(found), ["edge", "ring ≈ twin"]);
    const at = found.layout.annotations.find(({ text }) => text === "ring ≈ twin");
    assert.ok(Math.abs(Math.hypot(at.x - 200, ((at.y - 150) * 320) / 300) - 80) < 8);
  });

  test("have four places on a closed line", () => {
    const circle = (middle, turn) => Array.from({ length: 41 }, (_, k) => middle + 80 * turn((Math.PI * k) / 20));
    const ring = lineTrace("ring", circle(200, Math.cos), circle(150, Math.sin));
    const grid = Array.from({ length: 360 }, (_, k) => [215 + 10 * (k % 18), 55 + 10 * Math.floor(k / 18)]);
    const found = nameLines([ring, { ...points(...grid), marker: { size: 9 } }], chartLayout());
    assert.ok(found.layout.annotations[0].x < 210, "it begins where the points are");
  });

  test("leave in the legend what stands for several lines, and what is no line", () => {
    const before = lineTrace("before", [0, 400], [30, 270], { meta: { several: true } });
    const bars = { name: "bars", type: "bar", x: [1], y: [2], showlegend: true };
    const found = nameLines([before, bars, rise], chartLayout());
    assert.deepEqual(names(found), ["rise"]);
    assert.equal(found.layout.showlegend, true);
    assert.equal(String(found.data.map(({ showlegend }) => showlegend)), "true,true,false");
  });

  test("avoid points, and stay where they are until that is much worse", () => {
    const chosen = new Map();
    const first = nameLines([rise], chartLayout(), chosen).layout.annotations[0];
    const box = boxOf(first);
    const marker = { size: [9], color: "red" };
    const point = (at) => ({ mode: "markers", marker, x: [at], y: [300 - (box.top + box.bottom) / 2] });
    const crowd = [-9, -3, 3, 9].map((shift) => point((box.left + box.right) / 2 + shift));
    const moved = nameLines([rise, ...crowd], chartLayout()).layout.annotations[0];
    assert.notDeepEqual([moved.ax, moved.ay], [first.ax, first.ay]);
    const still = nameLines([rise, crowd[0]], chartLayout(), chosen).layout.annotations[0];
    assert.deepEqual([still.x, still.ax, still.ay], [first.x, first.ax, first.ay]);
  });

  test("are not there where they would cover a lot, or where the ends cannot be told apart: the legend stays", () => {
    const long = "a machine with a very long name indeed, much longer than the picture is wide ".repeat(2);
    const ends = (lines) => nameLines(lines, chartLayout());
    assert.deepEqual(names(ends([lineTrace(long, [0, 400], [20, 280])])), []);
    const sheaf = Array.from({ length: 9 }, (_, k) => lineTrace(`m${k}`, [0, 400], [150 + 2.1 * k, 150 - 2.1 * k]));
    const found = ends(sheaf);
    assert.deepEqual([names(found), found.layout.showlegend, found.data], [[], true, sheaf]);
    assert.deepEqual(nameLines([rise], chartLayout({ showlegend: false })).data, [rise]);
    const three = [40, 150, 260].map((up) => lineTrace(`${up}`.padEnd(25, "m"), [0, 400], [up, up]));
    const large = chartLayout({ font: { family: "sans", size: 50 } });
    assert.deepEqual(nameLines(three, large).data, three, "a quarter of the picture is too much");
  });

  test("find the ends on logarithmic axes without a range, and fix the ranges that they went by", () => {
    const axes = { xaxis: { type: "log" }, yaxis: { type: "log" } };
    const gap = lineTrace("gap", [1, 10, 100], [10, Number.NaN, 0.1]);
    const { annotations, xaxis, yaxis } = nameLines([gap], chartLayout(axes)).layout;
    assert.ok(Math.min(...[0, 2].map((end) => Math.abs(annotations[0].x - end))) < 0.01, "in powers of ten, as Plotly");
    const rounded = [...xaxis.range, ...yaxis.range].map((end) => Number(end.toFixed(9)));
    assert.deepEqual(rounded, [0, 2, -1.1, 1.1]);
    assert.deepEqual(names(nameLines([lineTrace("none", [1], [0])], chartLayout(axes))), []);
    const broken = nameLines([lineTrace("broken", [0, 1, 2], [100, null, 200])], chartLayout({ xaxis: {}, yaxis: {} }));
    assert.deepEqual(broken.layout.yaxis.range, [95, 205]);
    const level = nameLines([lineTrace("level", [0, 1], [7, 7])], chartLayout({ xaxis: {}, yaxis: {} }));
    assert.deepEqual(level.layout.yaxis.range, [6, 8]);
  });

  test("end at the axes where the line leaves them", () => {
    const high = nameLines([lineTrace("high", [0, 200], [0, 9000])], chartLayout()).layout.annotations[0];
    assert.ok(high.x < 10 && high.y <= 300);
    const beyond = nameLines([lineTrace("beyond", [0, 400], [300.3, 300.3])], chartLayout()).layout.annotations[0];
    assert.ok(beyond.y <= 300, "Plotly leaves out a note beyond the axes");
    const back = lineTrace("back", [20, 180, 220, 380], [100, 340, 340, 100]);
    const around = [20, 380].flatMap((x) => [-15, 0, 15, 30, 45].map((by) => [x < 200 ? x + by : x - by, 100]));
    const crowd = points(...[-45, -30, -15, 15, 30, 45].flatMap((up) => around.map(([x, y]) => [x, y + up])));
    const data = [back, { ...crowd, marker: { size: 9 } }];
    const [{ x, y }] = nameLines(data, chartLayout()).layout.annotations;
    assert.ok(y > 290, `where it comes back is an end, too: ${x}, ${y}`);
  });

  test("stand beside the notes that are there, on the ground of the legend", () => {
    const note = { name: "key", text: "a note" };
    const given = chartLayout({ annotations: [note], legend: { yref: "container", bgcolor: "grey" } });
    const [first, second] = nameLines([rise], given).layout.annotations;
    assert.deepEqual([first, second.bgcolor], [note, "grey"]);
  });
});

test("a legend of many rows leaves most of the height to its picture", () => {
  const layout = { font: { size: 12 }, margin: { l: 50, r: 10, b: 70 }, showlegend: true, width: 300, height: 500 };
  const marginBelow = (names, legend = { yref: "container", maxheight: 0.4 }) =>
    legendMargin(Array(names).fill({ name: "Ramp ".repeat(7), showlegend: true }), { ...layout, legend }).b;
  assert.deepEqual(
    [1, 2, 5, 22].map((names) => marginBelow(names)),
    [70, 90, 150, 250],
  );
});
