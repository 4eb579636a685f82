// The picture of a plane from numbers: the same traces and layout as figures/plane.py and figures/marks.py, which give
// the parts that no number changes (see docs/live_bundle.py). A test compares the two.

import { formatNumber } from "../web/base/numbers.js";
import { LOWER, UPPER, ZERO } from "./machine.js";
import { boundarySentence } from "./position.js";

const AREA_OF_SQUARE = Math.sqrt(Math.PI) / 2;
const FULL = { compact: [13, 4, 0.7, 1.8, 6], plain: [20, 5.5, 0.9, 2.4, 9] }; // pixels, as in marks.py
const SIGNS = { 1: "+1", [-1]: "−1" };
const CROWD = 80; // points from which on markers become smaller

/**
 * @typedef {object} Content
 * @property {{ x: number[], y: number[], label: number[], ids: number[], mark: boolean[] }} points that are fitted
 * @property {{ x: number[], y: number[], ids: number[] }} off the points that are switched off
 * @property {import("./machine.js").Fit} [fit]  @property {number} [largest] the largest |alpha| of all planes
 * @property {{ xs: Float64Array, ys: Float64Array, f: Float32Array[], ghost?: Float32Array[] }} [field]
 */

/**
 * @param {any} templates  @param {Content} content
 * @param {{ view: { x: [number, number], y: [number, number] }, compact: boolean, classes?: Record<string, string>,
 *   features?: string[] }} options
 * @returns {{ data: any[], layout: any }}
 */
export function figureOf(templates, content, { view, compact, classes = SIGNS, features = [] }) {
  const { points, off, field } = content;
  const template = templates[compact ? "compact" : "plain"];
  const { traces, keys } = template;
  const layout = (features.length && template.named) || template.layout;
  const special = [field?.ghost && "ghost", points.mark.some(Boolean) && "outliers", off.ids.length && "off"];
  const grid = field && { x: Float32Array.from(field.xs), y: Float32Array.from(field.ys), z: field.f };
  const data = [];
  if (field) data.push({ ...traces.field, ...grid }, { ...traces.margins, ...grid });
  if (field?.ghost) data.push({ ...traces.ghost, ...grid, z: field.ghost });
  if (field) data.push({ ...traces.boundary, ...grid });
  const hollow = traces["switched off"];
  if (off.ids.length) data.push(traceOf(hollow, off, [...off.ids.keys()], () => hollow.marker.size));
  data.push(...markTraces(traces, content, compact));
  const key = keys?.[special.filter(Boolean).join(" ")];
  const classWords = (_, sign) => `class ${classes[sign === "+1" ? 1 : -1].replace(/</g, "‹")}`;
  const renameClasses = (text) => text.replace(/class (\+1|−1)/g, classWords);
  const axes = Object.fromEntries(
    ["x", "y"].map((side, k) => {
      const axis = layout[`${side}axis`];
      const title = features.length && axis.title && { ...axis.title, text: features[k] };
      return [`${side}axis`, { ...axis, range: view[side], ...(title && { title }) }];
    }),
  );
  const where = field ? boundarySentence(field, features) : "";
  const sizes = sizeKey(content, compact);
  const alt = [describe(content), sizes && `Key of sizes, |α|: ${sizes.text.join(", ")}.`, where];
  const entries = key?.entries.map(renameClasses);
  const meta = { ...layout.meta, alt: alt.filter(Boolean).join(" "), where, key: entries, sizes };
  const annotations = key ? [{ ...layout.annotations[0], text: renameClasses(key.text) }] : undefined;
  return { data, layout: { ...layout, ...axes, meta, annotations } };
}

// A trace of some of these points, by their places in the list, with the size of each marker.
function traceOf(template, { x, y, ids }, rows, /** @type {(i: number) => number} */ size) {
  const [across, up] = [x, y].map((places) => rows.map((i) => places[i]));
  const marker = { ...template.marker, size: rows.map(size) };
  return { ...template, x: across, y: up, customdata: rows.map((i) => [ids[i]]), marker };
}

/** @param {any} traces  @param {Content} content  @param {boolean} compact */
function markTraces(traces, { points, fit, largest }, compact) {
  const all = [...points.ids.keys()];
  const size = diameters(fit?.alpha, largest ?? largestAlpha(fit), all.length, compact).map(Math.fround);
  const [, , thin, most, around] = FULL[compact ? "compact" : "plain"];
  const found = [1, -1].map((label) => {
    const template = traces[`points ${label > 0 ? "+1" : "-1"}`];
    const [kind, scale] = label > 0 ? ["plus", 1] : ["minus", AREA_OF_SQUARE];
    const members = all.filter((i) => points.label[i] === label).sort((i, j) => size[j] - size[i]);
    const looks = members.map((i) => {
      const dot = Math.min(most, Math.floor(2 * size[i]) / 10);
      return look(fit?.alpha[i] ?? 1, fit?.state[i] ?? 1, kind, { thin, dot });
    });
    const trace = traceOf(template, points, members, (i) => size[i] * scale);
    if (fit) trace.customdata = members.map((i) => [points.ids[i], fit.alpha[i]]);
    const { symbol } = template.marker;
    Object.assign(trace.marker, {
      symbol: looks.some(({ bound }) => bound) ? looks.map(({ bound }) => symbol + (bound ? "-dot" : "")) : symbol,
      color: looks.map(({ fill }) => fill),
      line: { color: looks.map(({ edge }) => edge), width: looks.map(({ width }) => width) },
    });
    return trace;
  });
  const ringed = all.filter((i) => points.mark[i]);
  return ringed.length ? [...found, traceOf(traces.outliers, points, ringed, (i) => size[i] + around)] : found;
}

/** @param {Content} content  @param {boolean} compact */
function sizeKey({ points, fit, largest = largestAlpha(fit) }, compact) {
  if (!fit || !(largest > 0)) return undefined;
  const power = 10 ** Math.floor(Math.log10(largest));
  const below = [5, 2, 1, 0.5, 0.2, 0.1].map((factor) => factor * power).filter((v) => v <= largest * (1 + 1e-9));
  const values = below.slice(0, 3).reverse();
  const [dot, ...size] = diameters([0, ...values], largest, points.ids.length, compact).map(Math.fround);
  const seen = values.filter((_, k) => size[k] > dot);
  const marker = { size: size.filter((one) => one > dot) };
  return { label: "|α|", text: seen.map((value) => formatNumber(value)), marker };
}

/** The largest |alpha|, 0 without a machine. */
export const largestAlpha = (fit) => (fit ? fit.alpha.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 0);

function diameters(alpha, largest, count, compact) {
  const crowd = Math.min(Math.max(Math.sqrt(CROWD / Math.max(count, 1)), 0.6), 1);
  const [full, dot] = FULL[compact ? "compact" : "plain"];
  const shareOf = (value) => Math.min(Math.abs(value) / Math.max(largest, 1e-300), 1);
  if (!alpha) return Array(count).fill(0.45 * full * crowd);
  return Array.from(alpha, (value) => Math.max(full * crowd * Math.sqrt(shareOf(value)), dot));
}

function look(alpha, state, kind, { thin, dot }) {
  const token = (name) => `var(--svm-${name})`;
  const [bound, negative] = [state === UPPER || state === LOWER, alpha < 0];
  return {
    bound,
    fill: token(negative ? `${kind}-pale` : kind),
    edge: token(negative ? kind : bound || state === ZERO ? "page" : `${kind}-deep`),
    width: bound ? dot : negative ? 1.7 * thin : thin,
  };
}

/** The description for those who do not see the picture, as captions.py has it. @param {Content} content */
function describe({ points, off, fit, field }) {
  const count = (test) => points.label.filter(test).length;
  const plus = count((label) => label > 0);
  const outliers = points.mark.filter(Boolean).length;
  const parts = [
    `Plane: ${plural(points.ids.length, "point")}, ${plus} of class +1 and ${count(() => true) - plus} of class -1.`,
  ];
  if (fit) parts.push(supportSentence(fit));
  if (field) parts.push("The field of decision values is coloured by sign; lines mark f = 0 and f = ±1.");
  if (field?.ghost) parts.push("A thin grey line shows the boundary without the outliers.");
  if (outliers) parts.push(`${plural(outliers, "outlier")} ringed.`);
  if (off.ids.length) parts.push(`${plural(off.ids.length, "point")} switched off, hollow and grey.`);
  return parts.join(" ");
}

function supportSentence(fit) {
  const count = (test) => fit.alpha.reduce((sum, value, i) => sum + +test(value, fit.state[i]), 0);
  const used = count((value) => value !== 0);
  const has = used === 1 ? "has" : "have";
  const text = `${used} of ${fit.alpha.length} ${has} a support value other than zero, largest |alpha| ${formatNumber(largestAlpha(fit))}`;
  const negative = count((value) => value < 0);
  const bound = count((_, state) => state === UPPER || state === LOWER);
  return `${text}${negative ? `, ${negative} negative` : ""}, ${bound} at a bound.`;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
