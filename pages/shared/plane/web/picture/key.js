// The key of a plane: in lines below it, or where the window is too low for a plane as wide as its column, beside it.

import { placeholderAxes } from "./axes.js";
import { lengthOf } from "./frame.js";

const WORDS = / (?![^<]*">|[=<>∝] )(?<![=<>∝] )/; // a space that is not within a tag or a formula
const LINE = 1.3; // of letters, from line to line
const INDENT = "\u2003"; // of the lines of an entry after its first
const GAP = 12; // pixels between plane and key
const NARROWEST = 0.75; // of its longest entry
const WORTH = 1.05; // a plane that is not larger than that stays over its key

/** The layout with the key beside its plane, where the plane is larger that way. */
export function keyed(layout) {
  const { annotations = [], font, margin, width, height, yaxis, meta } = layout;
  const key = annotations.find(({ name }) => name === "key");
  const below = key && yaxis.scaleanchor && placeholderAxes(layout, [width, height]);
  if (!below) return layout;
  const { size } = key.font;
  const long = (text) => lengthOf(text.replace(/<[^>]*>/g, ""), `${size}px ${font.family}`);
  const low = { ...margin, b: -key.yshift }; // what the numbers and the name of the axis take
  const tallest = placeholderAxes({ ...layout, margin: low }, [width, height]);
  if (!tallest) return layout;
  const least = NARROWEST * Math.max(...meta.key.map(long));
  const room = width - low.l - low.r - GAP - tallest.xaxis._length;
  const lines = meta.key.flatMap((entry) => wrapped(entry, Math.max(least, room), long));
  const beside = { ...low, r: low.r + GAP + Math.max(...lines.map(long)) };
  const axes = placeholderAxes({ ...layout, margin: beside }, [width, height]);
  if (!axes || axes.xaxis._length < WORTH * below.xaxis._length) return layout;
  if (lines.length * LINE * size > axes.yaxis._length) return layout;
  const place = { x: 1, xshift: GAP, y: 0, yshift: 0, yanchor: "bottom", text: lines.join("<br>") };
  const moved = annotations.map((note) => (note === key ? { ...key, ...place } : note));
  return { ...layout, margin: beside, annotations: moved };
}

function wrapped(entry, room, long) {
  const lines = [""];
  for (const word of entry.split(WORDS)) {
    const line = lines[lines.length - 1];
    const longer = line ? `${line} ${word}` : word;
    if (line && long(longer) > room) lines.push(INDENT + word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
