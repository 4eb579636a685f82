// The key of a plane: in lines below it, or where the window is too low for a plane as wide as its column, beside it.

import { placeholderAxes } from "./axes.js";
import { lengthOf, wrap } from "./frame.js";

const ENTRIES = /(?<=\u2002|; )/; // where the lines of a key may be broken
const LINE = 1.3; // of letters, from line to line
const INSET = 4; // pixels from the axes to a key below them
const GAP = 12; // pixels between plane and key
const NARROWEST = 0.75; // of its longest entry
const WORTH = 1.05; // a plane that is not larger than that stays over its key

/** The layout with a key of as many lines as none is cut. */
export function wrapKey(layout) {
  const { font, margin, width } = layout;
  const key = findKey(layout);
  if (!key) return layout;
  const long = lineMeasure(key, font);
  const lines = key.text.split("<br>");
  const held = lines.flatMap((line) => wrap(line, width - margin.l - INSET, long, ENTRIES, ""));
  const b = margin.b + (held.length - lines.length) * LINE * key.font.size;
  return changeKey(layout, key, { text: held.join("<br>") }, { ...margin, b });
}

/** The layout in other letters, with so much room at its right that its key is not cut; its axes stay. */
export function widenForKey(layout) {
  const { font, margin, width } = layout;
  const key = findKey(layout);
  if (!key) return layout;
  const start = key.x ? width - margin.r + key.xshift : margin.l + INSET;
  const more = Math.max(0, start + Math.max(...key.text.split("<br>").map(lineMeasure(key, font))) - width);
  return { ...layout, width: width + more, margin: { ...margin, r: margin.r + more } };
}

const findKey = ({ annotations = [] }) => annotations.find(({ name }) => name === "key");

const changeKey = (layout, key, changes, margin) => ({
  ...layout,
  margin,
  annotations: layout.annotations.map((note) => (note === key ? { ...key, ...changes } : note)),
});

const lineMeasure =
  ({ font: { size } }, { family }) =>
  (text) =>
    lengthOf(text.replace(/<[^>]*>/g, ""), `${size}px ${family}`);

/** The layout with the key beside its plane, where the plane is larger that way. */
export function placeKey(layout) {
  const { font, margin, width, height, yaxis, meta } = layout;
  const key = findKey(layout);
  const below = key && yaxis.scaleanchor && placeholderAxes(layout, [width, height]);
  if (!below) return layout;
  const { size } = key.font;
  const long = lineMeasure(key, font);
  const low = { ...margin, b: -key.yshift }; // what the numbers and the name of the axis take
  const tallest = placeholderAxes({ ...layout, margin: low }, [width, height]);
  if (!tallest) return layout;
  const least = NARROWEST * Math.max(...meta.key.map(long));
  const room = width - low.l - low.r - GAP - tallest.xaxis._length;
  const lines = meta.key.flatMap((entry) => wrap(entry, Math.max(least, room), long));
  const beside = { ...low, r: low.r + GAP + Math.max(...lines.map(long)) };
  const axes = placeholderAxes({ ...layout, margin: beside }, [width, height]);
  if (!axes || axes.xaxis._length < WORTH * below.xaxis._length) return layout;
  if (lines.length * LINE * size > axes.yaxis._length) return layout;
  const place = { x: 1, xshift: GAP, y: 0, yshift: 0, yanchor: "bottom", text: lines.join("<br>") };
  return changeKey(layout, key, place, beside);
}
