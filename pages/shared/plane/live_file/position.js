// The place of a boundary in words, for readers who cannot see it: the sentences of figures/position.py.

import { formatNumber } from "../web/base/numbers.js";

const STRAIGHT = 1e-3; // of the largest |f| at the frame: the deviation from a plane of a function that counts as linear
const LEVEL = 0.5; // degrees within which a line is horizontal or vertical
const MOST = 3; // places that are named on one edge

/**
 * @param {{ xs: ArrayLike<number>, ys: ArrayLike<number>, f: ArrayLike<number>[] }} field
 * @param {string[]} axes  their names, none for x1 and x2
 */
export function boundarySentence({ xs, ys, f }, [across = "x1", up = "x2"]) {
  const grid = { xs: Array.from(xs), ys: Array.from(ys), f, across, up };
  const signs = new Set(f.flatMap((row) => Array.from(row, (value) => value >= 0)));
  if (signs.size === 1) return `The boundary is outside the picture, all of which is of ${className(f[0][0])}.`;
  const plane = linearCoefficients(grid);
  if (plane) return lineSentence(plane, grid);
  const places = edgeMeetings(grid);
  if (!places) return `The boundary is closed within the picture; at the frame all is of ${className(f[0][0])}.`;
  return `The boundary ${places}; the lower left corner is of ${className(f[0][0])}.`;
}

// f = a x + b y + c, nothing if it is not of this form.
function linearCoefficients({ xs, ys, f }) {
  const [last, top] = [xs.length - 1, ys.length - 1];
  const a = (f[0][last] - f[0][0]) / (xs[last] - xs[0]);
  const b = (f[top][0] - f[0][0]) / (ys[top] - ys[0]);
  const c = f[0][0] - a * xs[0] - b * ys[0];
  let [away, most] = [0, 0];
  f.forEach((row, r) => {
    for (let k = 0; k < row.length; k++) {
      away = Math.max(away, Math.abs(a * xs[k] + b * ys[r] + c - row[k]));
      most = Math.max(most, Math.abs(row[k]));
    }
  });
  return away <= STRAIGHT * most ? { a, b, c } : undefined;
}

function lineSentence({ a, b, c }, grid) {
  const angle = b ? (Math.atan2(-a * Math.sign(b), Math.abs(b)) * 180) / Math.PI : 90;
  const turn = `${angle > 0 ? "rises" : "falls"} to the right at ${Math.abs(angle).toFixed(0)} degrees`;
  const steep = Math.abs(angle) > 90 - LEVEL;
  const course = steep ? "is vertical" : Math.abs(angle) < LEVEL ? "is horizontal" : turn;
  const side = steep ? (a > 0 ? "to its right" : "to its left") : b > 0 ? "above it" : "below it";
  return `The boundary ${axisCrossing(a, b, c, grid) || edgeMeetings(grid)} and ${course}; class +1 lies ${side}.`;
}

function axisCrossing(a, b, c, { xs, ys, across, up }) {
  const isWithin = (value, along) => along[0] <= value && value <= along[along.length - 1];
  if (a && isWithin(0, ys) && isWithin(-c / a, xs))
    return `crosses the axis ${up} = 0 at ${across} = ${formatPlace(-c / a, xs)}`;
  return b && isWithin(0, xs) && isWithin(-c / b, ys)
    ? `crosses the axis ${across} = 0 at ${up} = ${formatPlace(-c / b, ys)}`
    : "";
}

function edgeMeetings({ xs, ys, f, across, up }) {
  const columnOf = (k) => f.map((row) => row[k]);
  const edges = [
    { name: `lower edge at ${across}`, along: xs, values: f[0] },
    { name: `right edge at ${up}`, along: ys, values: columnOf(xs.length - 1) },
    { name: `upper edge at ${across}`, along: xs, values: f[ys.length - 1] },
    { name: `left edge at ${up}`, along: ys, values: columnOf(0) },
  ];
  const texts = edges.flatMap(({ name, along, values }) => {
    const zeros = crossings(along, values);
    const named = zeros.slice(0, MOST).map((zero) => formatPlace(zero, along));
    const more = zeros.length > MOST ? ` and ${zeros.length - MOST} more` : "";
    return zeros.length ? [`the ${name} = ${named.join(", ")}${more}`] : [];
  });
  const last = texts.pop();
  return last ? `meets ${texts.length ? `${texts.join(", ")} and ${last}` : last}` : "";
}

function crossings(along, values) {
  const found = [];
  for (let k = 0; k + 1 < along.length; k++) {
    const [low, high] = [values[k], values[k + 1]];
    if (low >= 0 !== high >= 0) found.push(along[k] + ((along[k + 1] - along[k]) * low) / (low - high));
  }
  return found;
}

const className = (value) => (value >= 0 ? "class +1" : "class −1");

/** A place on an axis to about a thousandth of its length, wherever it begins. */
function formatPlace(value, along) {
  const length = along[along.length - 1] - along[0];
  const digits = Math.floor(Math.log10(Math.abs(value) || 1e-99)) + 4 - Math.ceil(Math.log10(length));
  return digits > 0 ? formatNumber(value, digits) : "0";
}
