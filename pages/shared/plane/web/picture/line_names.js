// Names at the ends of lines, in the place of a legend: what a line is called stands beside it, and lines that lie on
// one another have one name, "Ramp-loss SVM ≈ L0/1-SVM". Where that finds no room the legend stays.

import { placeholderAxes } from "./axes.js";
import { levelLines } from "./canvas.js";
import { lengthOf } from "./frame.js";

const STEP = 10; // pixels between the places of a line that are looked at
const LONGEST = 400; // such places of one stretch of it
const SAME = 2; // pixels between lines that cannot be told apart
const NEAR = 8; // pixels to a line that might be the one that is meant
const SHARE = 0.2; // of the picture that names may cover
const GAPS = [6, 20, 38, 60, 90]; // pixels between an end and its name
const WAYS = [-1, -0.5, 0, 0.5, 1]
  .flatMap((right) => [-1, 0, 1].map((down) => ({ right, down })))
  .filter(({ right, down }) => Math.abs(right) === 1 || down !== 0);
const COST = { name: 1000, line: 10, shared: 30, marker: 6, change: 12 };
const MOST = 180; // from there on no name stands at its line, but the legend stays
const LEGEND = 20 / 12; // the height of the row that a legend below has left, over that of letters

/**
 * @typedef {[number, number]} Spot in pixels
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {{ names: string[], trace: any, spots: Spot[], ends: Spot[] }} Line
 * @typedef {{ box: Box, stroke: Spot[] }} PlacedName a name and the way to it
 */

/** Whether a trace is a line of its own that the legend names; what stands there for several is not. */
const isLine = ({ showlegend, mode, contours, meta }) =>
  showlegend && !meta?.several && (mode === "lines" || contours?.coloring === "none");

/**
 * The figure with names at the ends of its lines, as notes, and without these lines in its legend; the same one where
 * it has no such line or no room. `chosen` keeps for each name the place that it has, so that it stays there.
 * @param {Map<string, number>} chosen
 * @returns {{ data: any[], layout: any }}
 */
export function nameLines(data, layout, chosen = new Map()) {
  const named = layout.showlegend ? data.filter(isLine) : [];
  if (!named.length) return { data, layout };
  const rest = data.map((trace) => (named.includes(trace) ? { ...trace, showlegend: false } : trace));
  const showlegend = rest.some((trace) => trace.showlegend);
  const { margin, font, width, height, legend, xaxis, yaxis } = layout;
  const below = !showlegend && legend?.yref === "container" ? LEGEND * font.size : 0;
  const bare = { ...layout, showlegend, margin: { ...margin, b: margin.b - below } };
  const scales = { xaxis: linearAxis(xaxis, data, "x"), yaxis: linearAxis(yaxis, data, "y") };
  const axes = scales.xaxis && scales.yaxis && placeholderAxes({ ...bare, ...scales }, [width, height]);
  if (!axes) return { data, layout };
  const sight = sightOf(axes, [xaxis, yaxis]);
  const lines = mergeLines(named.map((trace) => lineOf(trace, sight)).filter(({ spots }) => spots.length));
  const notes = placeNames(lines, markerSpots(data, sight), { box: sight.box, font, chosen });
  if (!notes) return { data, layout };
  const look = { name: "line", showarrow: true, arrowhead: 0, arrowwidth: 1, borderwidth: 1, borderpad: 2 };
  const bgcolor = legend?.bgcolor ?? layout.paper_bgcolor;
  const texts = notes.map(({ at, by: [ax, ay], trace, text }) => {
    const [x, y] = [axes.xaxis.p2d(at[0] - axes.xaxis._offset), axes.yaxis.p2d(at[1] - axes.yaxis._offset)];
    const { color } = trace.line;
    return { ...look, text, x, y, ax, ay, arrowcolor: color, bordercolor: color, bgcolor, font: { size: font.size } };
  });
  const ranges = { xaxis: { ...xaxis, range: scales.xaxis.range }, yaxis: { ...yaxis, range: scales.yaxis.range } };
  // else Plotly takes a range that is found here for one of the reader, and keeps to it
  const uirevision = xaxis.range && yaxis.range ? layout.uirevision : `${layout.uirevision} named`;
  const annotations = [...(layout.annotations ?? []), ...texts];
  return { data: rest, layout: { ...bare, ...ranges, uirevision, annotations } };
}

// ------------------------------------------------------------------------------------------- where lines are

const numbersOf = (values) => (ArrayBuffer.isView(values) || Array.isArray(values) ? /** @type {any} */ (values) : []);

// The axis as a linear one, with a range: its own, or that which Plotly finds, which begins and ends with the lines, so
// that a moment has one place in all charts.
function linearAxis(axis, data, letter) {
  if (axis.range) return { ...axis, type: "linear" };
  const ends = data.flatMap((trace) => {
    const { array = [], arrayminus = [] } = trace[`error_${letter}`] ?? {};
    const barEnds = (value, k) => (value === null ? [] : [value - (arrayminus[k] ?? 0), value + (array[k] ?? 0)]);
    return Array.from(numbersOf(trace[letter]), barEnds).flat();
  });
  const known = (axis.type === "log" ? ends.map(Math.log10) : ends).filter(Number.isFinite);
  if (!known.length) return undefined;
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const tight = letter === "x" && data.every(({ mode }) => mode === "lines");
  const room = (tight ? 0 : 0.05 * (high - low)) || +(low === high);
  return { ...axis, type: "linear", range: [low - room, high + room] };
}

// Where data lies, in pixels, and the box within the axes.
function sightOf({ xaxis, yaxis }, [across, up]) {
  const valueOn = ({ type }, of) => (type === "log" ? Math.log10(of) : of);
  const spot = (x, y) =>
    /** @type {Spot} */ ([xaxis._offset + xaxis.d2p(valueOn(across, x)), yaxis._offset + yaxis.d2p(valueOn(up, y))]);
  const [left, top] = [xaxis._offset, yaxis._offset];
  return { spot, box: { left, top, right: left + xaxis._length, bottom: top + yaxis._length } };
}

/** @returns {Line} */
function lineOf(trace, { spot, box }) {
  const parts = trace.contours ? levelLines(trace, trace.contours.start) : piecesOf(trace);
  const toPixels = (part) => part.map(([x, y]) => spot(x, y));
  const seen = parts.flatMap((part) => visiblePieces(toPixels(part), box));
  const { left, top, right, bottom } = box; // Plotly leaves out a note whose place is beyond the axes
  const clampToBox = ([x, y]) => /** @type {Spot} */ ([clamp(x, left, right), clamp(y, top, bottom)]);
  return { names: [trace.name], trace, spots: seen.flat(), ends: seen.flatMap(endsOf).map(clampToBox) };
}

const clamp = (value, low, high) => Math.max(low + 0.5, Math.min(high - 0.5, value));

// Of a closed line four places.
function endsOf(/** @type {Spot[]} */ piece) {
  const [first, last] = [piece[0], piece[piece.length - 1]];
  if (Math.hypot(last[0] - first[0], last[1] - first[1]) > 1) return [first, last];
  return [0, 1, 2, 3].map((k) => piece[Math.floor((k * piece.length) / 4)]);
}

// A broken line in one piece each.
function piecesOf({ x, y }) {
  /** @type {number[][][]} */
  const parts = [[]];
  for (let k = 0; k < x.length; k++) {
    const here = x[k] !== null && y[k] !== null && Number.isFinite(x[k]) && Number.isFinite(y[k]);
    if (here) parts[parts.length - 1].push([x[k], y[k]]);
    else parts.push([]);
  }
  return parts;
}

// The pieces of a line inside the box, a place every few pixels.
function visiblePieces(part, box) {
  /** @type {Spot[][]} */
  const pieces = [];
  let inside = false;
  const addSpot = (/** @type {Spot} */ spot) => {
    const now = contains(box, spot);
    if (now && !inside) pieces.push([]);
    if (now) pieces[pieces.length - 1].push(spot);
    inside = now;
  };
  part.slice(0, 1).forEach(addSpot);
  for (let k = 1; k < part.length; k++) {
    const [[x, y], [u, v]] = [part[k - 1], part[k]];
    const count = Math.min(Math.ceil(Math.hypot(u - x, v - y) / STEP), LONGEST);
    for (let i = 1; i <= count; i++) addSpot([x + ((u - x) * i) / count, y + ((v - y) * i) / count]);
  }
  return pieces;
}

const contains = ({ left, top, right, bottom }, [x, y], room = 0.5) =>
  x >= left - room && x <= right + room && y >= top - room && y <= bottom + room;

// One line for those that lie on one another.
function mergeLines(/** @type {Line[]} */ lines) {
  /** @type {Line[]} */
  const found = [];
  for (const line of lines) {
    const same = found.find((other) => covers(line, other) && covers(other, line));
    if (same) same.names.push(...line.names);
    else found.push(line);
  }
  return found;
}

const covers = (/** @type {Line} */ { spots }, /** @type {Line} */ line) =>
  spots.every((spot, k) => k % 4 || distance(spot, line) <= SAME);

// To the nearest piece of the line: its places are so close that the way across a gap of it is none.
function distance([x, y], { spots }) {
  let nearest = Infinity;
  for (let k = 0; k < spots.length; k++) {
    const [[a, b], [c, d]] = [spots[k], spots[Math.min(k + 1, spots.length - 1)]];
    const length = Math.hypot(c - a, d - b);
    const on = length && length <= 2 * STEP ? ((x - a) * (c - a) + (y - b) * (d - b)) / length ** 2 : 0;
    const share = Math.max(0, Math.min(1, on));
    nearest = Math.min(nearest, Math.hypot(x - a - share * (c - a), y - b - share * (d - b)));
  }
  return nearest;
}

// --------------------------------------------------------------------------------------------- where names are

// The markers that names should not cover.
function markerSpots(data, { spot, box }) {
  const marked = data.filter(({ mode, marker }) => mode?.includes("markers") && marker?.size !== undefined);
  const spots = marked.flatMap(({ x, y }) => Array.from(x, (value, k) => spot(value, y[k])));
  return spots.filter((one) => contains(box, one));
}

// The place of each name, that of the fewest faults; nothing where they cover too much or one another.
function placeNames(lines, markers, { box, font, chosen }) {
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const texts = lines.map(({ names }) => names.join(" ≈ "));
  const sizes = texts.map((text) => [lengthOf(text, `${font.size}px ${font.family}`) + 6, 1.5 * font.size]);
  if (sizes.reduce((sum, [w, h]) => sum + w * h, 0) > SHARE * wide * high) return undefined;
  /** @type {PlacedName[]} */
  const taken = [];
  const notes = [];
  const order = [...lines.keys()].sort((a, b) => sizes[b][0] - sizes[a][0]); // a long name finds less room
  for (const k of order) {
    const [line, text] = [lines[k], texts[k]];
    const others = lines.filter((other) => other !== line).map(({ spots }) => spots);
    const seen = { box, taken, others, own: line.spots, markers, before: chosen.get(text) };
    const best = bestPlace(line.ends, sizes[k], seen);
    if (!best) return undefined;
    chosen.set(text, best.place);
    taken.push({ box: best.box, stroke: strokeOf(best.at, best.by) });
    notes.push({ text, trace: line.trace, at: best.at, by: best.by });
  }
  return notes;
}

function bestPlace(ends, [wide, high], { box, taken, others, own, markers, before }) {
  let [best, place] = [/** @type {any} */ (undefined), -1];
  let least = before === undefined ? MOST : 1.5 * MOST; // to and fro would be restless
  const lines = [own, ...others];
  for (const at of ends) {
    const shared = others.filter((spots) => spots.some(([x, y]) => Math.hypot(x - at[0], y - at[1]) < NEAR)).length;
    for (const { right, down } of WAYS) {
      for (const gap of GAPS) {
        place++;
        /** @type {Spot} */
        const by = [right * (wide / 2 + gap), down * (high / 2 + gap)];
        const [x, y] = [at[0] + by[0], at[1] + by[1]];
        const one = { left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 };
        if (!contains(box, [one.left, one.top], -1) || !contains(box, [one.right, one.bottom], -1)) continue;
        const faults = [
          () => COST.shared * shared + COST.change * +(before !== undefined && before !== place) + gap / 3,
          () => COST.name * taken.filter((other) => overlap(one, other.box)).length,
          () => COST.name * countMeetings({ box: one, stroke: strokeOf(at, by) }, taken),
          () => COST.marker * markers.filter((spot) => contains(one, spot, 3)).length,
          () => COST.line * lines.filter((spots) => spots.some((spot) => contains(one, spot, 1))).length,
          () => COST.line * others.filter((spots) => crosses(at, by, spots)).length,
        ];
        let cost = 0;
        for (const fault of faults) if (cost < least) cost += fault(); // the dear ones seldom
        if (cost < least) [least, best] = [cost, { at, by, box: one, place }];
      }
    }
  }
  return best;
}

// Whether the stroke from an end to its name meets a line.
const crosses = (/** @type {Spot} */ [x, y], /** @type {Spot} */ [right, down], /** @type {Spot[]} */ spots) =>
  [0.2, 0.4, 0.6, 0.8].some((way) =>
    spots.some(([u, v]) => Math.hypot(u - x - way * right, v - y - way * down) < STEP),
  );

// Places of the stroke from an end to its name, so close that no name fits between them.
const strokeOf = (/** @type {Spot} */ [x, y], /** @type {Spot} */ [right, down]) =>
  Array.from({ length: 16 }, (_, k) => /** @type {Spot} */ ([x + (k / 16) * right, y + (k / 16) * down]));

// The number of names through which the stroke of this one runs, or whose stroke runs through it or crosses its stroke.
function countMeetings(/** @type {PlacedName} */ { box, stroke }, /** @type {PlacedName[]} */ taken) {
  const runsThrough = (name, way) => way.some((spot) => contains(name, spot, 1));
  return taken.filter(
    (other) => runsThrough(other.box, stroke) || runsThrough(box, other.stroke) || strokesCross(stroke, other.stroke),
  ).length;
}

function strokesCross(/** @type {Spot[]} */ one, /** @type {Spot[]} */ other) {
  const [[a, b], [c, d]] = [one, other].map((stroke) => [stroke[0], stroke[stroke.length - 1]]);
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

// On which side of the line from one spot to another a third one lies.
const sideOf = (/** @type {Spot} */ [a, b], /** @type {Spot} */ [c, d], /** @type {Spot} */ [x, y]) =>
  Math.sign((c - a) * (y - b) - (d - b) * (x - a));

const overlap = (/** @type {Box} */ a, /** @type {Box} */ b) =>
  a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom + 2 && b.top < a.bottom + 2;
