// The answer to a question while it is given: the form and the picture write the same one, and both show it. What
// an answer is, by the kind of the question, and how keys and hands change it; no page here.

import { memoize } from "../base/memoize.js";
import { recall, remember } from "../base/memory.js";

const DRAFT = "draft"; // of the browser: the question that was answered last and is not locked in, and its answer

/**
 * @typedef {{ x: [number, number], y: [number, number] }} Limits
 * @typedef {[x0: number, y0: number, x1: number, y1: number]} Line
 * @typedef {{ low: number, high: number, step: number, log: boolean, unit?: string, factor?: number,
 *   marks?: Record<string, number> }} Scale of a number; `marks` are what was said and what is
 */

/** Its event "change" says that it is another one. */
export class Answer extends EventTarget {
  /** Which question this is; another one is another answer. */
  key = "";
  kind = "";
  /** Whether the answer has been given. */
  locked = false;
  /** @type {any} undefined until something is chosen */
  given;
  /** The place on the picture at which the keys are, in words. */
  here = "";
  /** @type {Scale | undefined} of a number: the form brings it, the picture shows it, too */
  scale;

  /**
   * What Python says. What the reader has begun stays, as long as it is about the same question.
   * @param {{ key: string, kind: string, given: any, locked: boolean, scale?: Scale }} said
   */
  receive({ key, kind, given, locked, scale }) {
    const known = key === this.key && !locked && !this.locked;
    if (scale || key !== this.key) this.scale = scale;
    if (!known) Object.assign(this, { given: given ?? (locked ? undefined : draftOf(key)), here: "" });
    Object.assign(this, { key, kind, locked });
    this.#reportChange();
  }

  put(given) {
    if (this.locked) return;
    this.given = given;
    this.here = "";
    this.#reportChange();
  }

  /** The keys are at another place of the picture, in words. */
  setKeyPlace(here) {
    this.here = here;
    this.#reportChange();
  }

  /** Lets the browser remember what is chosen, over a load of the page. */
  keepDraft() {
    if (this.given !== undefined) remember(DRAFT, `${this.key} ${JSON.stringify(this.given)}`);
  }

  dropDraft() {
    remember(DRAFT, "");
  }

  /** Whether there is an answer that can be given. */
  get isReady() {
    const { given } = this;
    return !this.locked && given !== undefined && (!Array.isArray(given) || given.length > 0);
  }

  #reportChange() {
    this.dispatchEvent(new Event("change"));
  }
}

function draftOf(key) {
  const kept = recall(DRAFT);
  return kept.startsWith(`${key} `) ? JSON.parse(kept.slice(key.length + 1)) : undefined;
}

/** The answer to the question of that name. */
export const answerOf = memoize(() => new Answer());

// ------------------------------------------------------------------------------------------ a line

/** Where the line begins, before it is moved. @returns {Line} */
export function newLine({ x: [left, right], y: [low, high] }) {
  const middle = (low + high) / 2;
  return [left + 0.2 * (right - left), middle, right - 0.2 * (right - left), middle];
}

/**
 * The line through both handles, as far as the picture reaches; undefined where it does not cross it.
 * @param {Line} line  @param {Limits} limits  @returns {Line | undefined}
 */
export function lineAcross([x0, y0, x1, y1], { x, y }) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [from, to] = [-Infinity, Infinity];
  const sides = /** @type {[number, number, [number, number]][]} */ ([
    [x0, dx, x],
    [y0, dy, y],
  ]);
  for (const [start, step, [low, high]] of sides) {
    if (step === 0 && (start < low || start > high)) return undefined;
    if (step === 0) continue;
    const ends = [(low - start) / step, (high - start) / step].sort((a, b) => a - b);
    [from, to] = [Math.max(from, ends[0]), Math.min(to, ends[1])];
  }
  if (!(from < to) || !Number.isFinite(from)) return undefined;
  return [x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy];
}

/**
 * The line with one of its handles (0 or 1) at another place, inside the picture and not on the other handle.
 * @param {Line} line  @param {Limits} limits  @returns {Line}
 */
export function pull(line, handle, [x, y], limits) {
  const [px, py] = clamp([x, y], limits);
  const [ox, oy] = handle === 0 ? line.slice(2) : line.slice(0, 2);
  const least = 0.02 * (limits.x[1] - limits.x[0]);
  if (Math.hypot(px - ox, py - oy) < least) return line;
  return handle === 0 ? [px, py, ox, oy] : [ox, oy, px, py];
}

/** @returns {[number, number]} a place inside the picture */
export function clamp([x, y], limits) {
  const clampTo = (value, [low, high]) => Math.min(Math.max(value, low), high);
  return [clampTo(x, limits.x), clampTo(y, limits.y)];
}

// ---------------------------------------------------------------------------------------- points

/** The ids, sorted, with `id` in it or, where it was, without it; of `most` at the most the oldest gives way. */
export function toggle(ids, id, most = Infinity) {
  const left = ids.filter((other) => other !== id);
  const next = left.length < ids.length ? left : [...left, id].slice(-most);
  return most === Infinity ? next.sort((a, b) => a - b) : next;
}

/**
 * The id of the spot that is nearest to a pixel and at most `reach` away.
 * @param {Map<number, [number, number]>} spots pixels
 */
export function nearestPoint(spots, [x, y], reach) {
  let [found, least] = [/** @type {number | undefined} */ (undefined), reach];
  for (const [id, [left, top]] of spots) {
    const away = Math.hypot(left - x, top - y);
    if (away <= least) [found, least] = [id, away];
  }
  return found;
}

// ----------------------------------------------------------------------------------------- order

/** The list with one of its entries moved to another place. */
export function moveEntry(list, from, to) {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]);
}

// -------------------------------------------------------------------------------------- a number

/** A number with its unit, one of which is "1 point"; a share is shown in per cent. */
export function numberWithUnit(number, { unit: units = "", factor = 1 }) {
  const shown = String(Number((factor * number).toPrecision(4))).replace("-", "−");
  const unit = shown === "1" ? units.replace(/s$/, "") : units;
  return unit === "°" || !unit ? shown + unit : `${shown}${unit === "%" ? "\u202f" : " "}${unit}`;
}

/** Where a number lies between the ends of its scale, 0 to 1. */
export function scaleShare(number, { low, high, log }) {
  const place = log ? Math.log10 : (value) => value;
  return Math.min(Math.max((place(number) - place(low)) / (place(high) - place(low)), 0), 1);
}

/** The number at a place of a slider, which is a power of ten on a scale of powers; whole where the step is. */
export function numberAt(place, { log, step }) {
  const number = Number(log ? (10 ** place).toPrecision(2) : place.toPrecision(12));
  return log && Number.isInteger(step) ? Math.round(number) : number;
}

// ---------------------------------------------------------------------------------------- in words

// As far as a picture can show it: what is small beside the other numbers is zero.
const roundedText = (value, _ = 0, among = [value]) => {
  const seen = Math.abs(value) < 1e-3 * Math.max(...among.map(Math.abs)) ? 0 : value;
  return String(Number(Number(seen).toPrecision(3))).replace("-", "−");
};

/** What is chosen on the picture, in words. */
export function answerWords(kind, given) {
  if (given === undefined) return "";
  if (kind === "line") {
    const [x0, y0, x1, y1] = given.map(roundedText);
    return `Your line goes through (${x0}, ${y0}) and (${x1}, ${y1}).`;
  }
  if (kind === "points") {
    const count = given.length;
    return count ? `${count} ${count === 1 ? "point" : "points"} chosen.` : "No point chosen.";
  }
  return kind === "place" ? `The point goes to (${given.map(roundedText).join(", ")}).` : "";
}

/** A point on the picture, its class and its place, in words. */
export function pointWords(id, [x, y], { of, ringed, chosen }) {
  const parts = [
    `Point ${id}`,
    of,
    `at (${[x, y].map(roundedText).join(", ")})`,
    ringed && "ringed",
    chosen ? "chosen" : "not chosen",
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}
