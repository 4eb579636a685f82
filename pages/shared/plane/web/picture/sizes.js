// The key of sizes: markers of a few values, as large as they are in the picture. They end the line of the key below a
// plane that says what their area means, stand above a key beside it, and in the row of a title where that has room.

import { placeholderAxes } from "./axes.js";
import { lengthOf } from "./frame.js";

// Of letters, from line to line; the other lengths are pixels: from a marker with its value to the next, between the
// two, of the letters of a title, of the button at the end of its row.
const [LINE, APART, NEAR, TITLE, BUTTON] = [1.3, 10, 3, 12.8, 32];
// In the line of the key that ends with markers.
const AREA = "∝";

/**
 * @typedef {{ x: number, y: number, r: number, text: string }} Mark the middle of a marker and its radius, in pixels,
 *   with what stands beside it; a label has no radius
 */

/** The marks of the key of sizes; none where the layout has no such key, or no room. @returns {Mark[]} */
export function sizeMarks({ meta, annotations = [], font, width }, { xaxis, yaxis }, title = "") {
  const { label = "", text = [], marker = { size: [] } } = meta.sizes ?? {};
  const key = annotations.find(({ name }) => name === "key");
  const lines = key?.text.split("<br>").map((line) => line.replace(/<[^>]*>/g, "")) ?? [];
  const measure = (words) => lengthOf(words, `${font.size}px ${font.family}`);
  const radii = marker.size.map((size) => size / 2);
  const rowOf = (left, y) => {
    let x = left;
    return text.map((value, k) => {
      const one = { x: x + radii[k], y, r: radii[k], text: value };
      x += 2 * radii[k] + NEAR + measure(value) + APART;
      return one;
    });
  };
  const endOf = (mark) => mark.x + mark.r + NEAR + measure(mark.text);
  if (!text.length) return [];
  const bottom = yaxis._offset + yaxis._length;
  if (key?.yanchor === "bottom") {
    const largest = Math.max(...radii);
    const high = Math.max(LINE * font.size, 2 * largest + 2);
    const last = bottom - lines.length * LINE * font.size - high;
    const x = xaxis._offset + xaxis._length + key.xshift + largest;
    const marks = text.map((value, k) => ({ x, y: last - k * high, r: radii[k], text: value }));
    return last - text.length * high < yaxis._offset ? [] : marks;
  }
  const said = lines.findIndex((line) => line.includes(AREA));
  if (said >= 0) {
    const y = bottom - key.yshift + (said + 0.5) * LINE * font.size;
    return rowOf(xaxis._offset + measure(lines[said]) + APART, y).filter((mark) => endOf(mark) <= width);
  }
  const start = { x: 0, y: (LINE * TITLE) / 2, r: 0, text: label };
  const marks = rowOf(measure(label) + NEAR + APART / 2, start.y);
  const last = marks[marks.length - 1];
  const left = width - BUTTON - endOf(last);
  const taken = xaxis._offset + (title ? lengthOf(title, `bold ${TITLE}px ${font.family}`) + APART : 0);
  if (key || left < taken || yaxis._offset < LINE * TITLE) return [];
  return [start, ...marks].map((mark) => ({ ...mark, x: mark.x + left }));
}

/** The marks for an SVG. */
export function markup(/** @type {Mark[]} */ marks, { font, xaxis: { tickfont } }) {
  const parts = marks.map(({ x, y, r, text }) => {
    const words = `<text x="${x + (r && r + NEAR)}" y="${y + 0.35 * font.size}">${text}</text>`;
    return r ? `<circle cx="${x}" cy="${y}" r="${r}" />${words}` : words;
  });
  return `<g fill="${tickfont.color}" font-size="${font.size}">${parts.join("")}</g>`;
}

/** The layout with the marks as parts of its own, for a picture that is saved. */
export function addSizes(layout) {
  const { margin, width, height, font } = layout;
  const axes = layout.meta.sizes && placeholderAxes(layout, [width, height]);
  if (!axes) return layout;
  const marks = sizeMarks(layout, axes);
  const paperX = (x) => (x - margin.l) / (width - margin.l - margin.r);
  const paperY = (y) => 1 - (y - margin.t) / (height - margin.t - margin.b);
  const ink = layout.xaxis.tickfont.color;
  const paper = { xref: "paper", yref: "paper" };
  const shapes = marks
    .filter(({ r }) => r)
    .map(({ x, y, r }) => {
      const box = { x0: paperX(x - r), x1: paperX(x + r), y0: paperY(y + r), y1: paperY(y - r) };
      return { type: "circle", ...paper, ...box, fillcolor: ink, line: { width: 0 } };
    });
  const letters = { size: font.size, color: ink };
  const look = { ...paper, font: letters, showarrow: false, xanchor: "left", yanchor: "middle", borderpad: 0 };
  const notes = marks.map(({ x, y, r, text }) => ({ text, ...look, x: paperX(x + (r && r + NEAR)), y: paperY(y) }));
  return { ...layout, shapes, annotations: [...(layout.annotations ?? []), ...notes] };
}
