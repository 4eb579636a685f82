// A machine on points of the plane, fitted where it is shown: kernels, the dual of a loss, and f on a grid. The numbers
// of a loss come from svmcore's registry, see docs/live_bundle.py: no loss is named here.

import { makeFeasible, solve } from "./solver.js";
import { dot, sum } from "./vectors.js";

export const ZERO = 0; // the position of a support value in its box, as in svmcore/duals.py
export const FREE = 1;
export const UPPER = 2;
export const LOWER = 3;

const WIDE = 1e-2; // the relative gap of primal and dual objective above which no violation is small enough, as in svmcore
const FINEST = 1e-9; // tolerance to close it
const MOVING = 2e7; // multiplications of a fit while a hand moves: some hundredths of a second

/**
 * @typedef {{ x: number[], y: number[], label: number[] }} Points  labels are -1 and 1
 * @typedef {{ C: number, kernel: string, sigma: number, degree: number, coef0: number }} Setting
 * @typedef {{ low: number, high: number, curvature: number }} Shape of the dual of a loss: C [low, high] is the range of
 *   a support value, and curvature / C its ridge
 * @typedef {object} Fit
 * @property {Points} points  @property {Setting} setting  @property {Shape} shape
 * @property {Float64Array} beta  @property {Float64Array} alpha  @property {Float64Array} f on the points
 * @property {number[]} state  @property {number} intercept  @property {number} primal  @property {number} dual
 * @property {number} violation  @property {import("./solver.js").Status | "STATIONARY" | "WIDE_GAP"} status  @property {number} steps
 */

/** The numbers of a loss with these parameters; each is linear in them. @returns {Shape} */
export function shapeOf({ box, parameters }, params) {
  const at = parameters.map(({ name }) => params[name]);
  const value = ([constant, ...slopes], infinity) => (constant === null ? infinity : constant + dot(slopes, at));
  return { low: value(box.low, -Infinity), high: value(box.high, Infinity), curvature: value(box.curvature, 0) };
}

/** The loss at t: the largest s t - curvature s^2 / 2 with s between low and high. */
export function lossAt(t, { low, high, curvature }) {
  const s = curvature > 0 ? Math.min(Math.max(t / curvature, low), high) : t > 0 ? high : low;
  return t === 0 ? 0 : s * t - (curvature * s * s) / 2;
}

/** The four vectors of svmcore/duals.py. @returns {import("./solver.js").BoxQP} */
export function boxOf(label, C, { low, high, curvature }) {
  const boundOf = (one, other) => Float64Array.from(label, (y) => (y > 0 ? C * one : -C * other) + 0);
  return {
    lower: boundOf(low, high),
    upper: boundOf(high, low),
    ridge: Float64Array.from(label, () => curvature / C),
    linear: Float64Array.from(label, (y) => -y),
  };
}

/** k(x, z) of two points of the plane. @returns {(x1: number, x2: number, z1: number, z2: number) => number} */
export function kernelOf({ kernel, sigma, degree, coef0 }) {
  const gamma = 1 / sigma ** 2;
  if (kernel === "rbf") return (x1, x2, z1, z2) => Math.exp(-gamma * ((x1 - z1) ** 2 + (x2 - z2) ** 2));
  if (kernel === "linear") return (x1, x2, z1, z2) => x1 * z1 + x2 * z2;
  return (x1, x2, z1, z2) => power(gamma * (x1 * z1 + x2 * z2) + coef0, degree);
}

function power(base, degree) {
  let value = 1;
  for (let k = 0; k < degree; k++) value *= base;
  return value;
}

/** The Gram matrix in rows; without the mean for the linear kernel, which changes nothing but the intercept. */
export function gramMatrix({ x, y }, setting) {
  const n = x.length;
  const k = kernelOf(setting);
  const [left, low] = setting.kernel === "linear" ? [mean(x), mean(y)] : [0, 0];
  const K = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) K[i * n + j] = K[j * n + i] = k(x[i] - left, y[i] - low, x[j] - left, y[j] - low);
  }
  return K;
}

/** A sentence on the class that has no point, "" where both have one; as the app says it. */
export function missingSentence({ label }) {
  const absent = [1, -1].filter((sign) => !label.includes(sign));
  const names = absent.map((sign) => (sign > 0 ? "+1" : "−1")).join(" and of class ");
  return names && `Add points of class ${names}: there is nothing to separate yet.`;
}

/**
 * The machine of these points. A run begins at the support values `before`, where they are known.
 * @param {Points} points  @param {Shape} shape  @param {Setting} setting
 * @param {{ before?: { alpha: ArrayLike<number>, C: number }, moving?: boolean, tol?: number }} options
 * @returns {Fit}
 */
export function fit(points, shape, setting, { before, moving = false, tol = 1e-3 } = {}) {
  const found = fitOnce(points, shape, setting, { before, moving, tol });
  const { primal, dual, alpha, status } = found;
  const apart = primal - dual > WIDE * Math.max(Math.abs(primal), Math.abs(dual));
  if (moving || status !== "CONVERGED" || !apart) return found;
  const known = { alpha, C: setting.C };
  const finer = tol > FINEST && fit(points, shape, setting, { before: known, tol: tol / 10 });
  return finer && finer.status === "CONVERGED" ? finer : { ...found, status: "WIDE_GAP" };
}

function fitOnce(points, shape, setting, { before, moving, tol }) {
  const { x, label } = points;
  const K = gramMatrix(points, setting);
  const qp = boxOf(label, setting.C, shape);
  const beta = before && Float64Array.from(label, (sign, i) => (sign * before.alpha[i] * setting.C) / before.C);
  const found = solve(K, qp, {
    tol,
    beta: beta && makeFeasible(beta, qp),
    ...(moving && { work: MOVING, thorough: false }),
  });
  const endless = found.status === "UNBOUNDED" || !found.beta.every(Number.isFinite);
  if (endless) found.beta.fill(0);
  const image = new Float64Array(x.length);
  for (let j = 0, n = x.length; j < n; j++) {
    if (found.beta[j] !== 0) for (let i = 0; i < n; i++) image[i] += found.beta[j] * K[j * n + i];
  }
  const [squared, slope] = [dot(found.beta, image), dot(found.beta, label)];
  const bent = sum(found.beta.map((b, i) => qp.ridge[i] * b * b));
  const level = endless ? 0 : found.intercept;
  const alpha = found.beta.map((b, i) => b * label[i] + 0);
  const f = image.map((value) => value + level);
  const cost = sum(f.map((value, i) => lossAt(1 - label[i] * value, shape)));
  return {
    points,
    setting,
    shape,
    beta: found.beta,
    alpha,
    f,
    state: Array.from(alpha, (value) => stateOf(value, setting.C, shape)),
    intercept: level - shiftOf(points, found.beta, setting),
    primal: squared / 2 + setting.C * cost,
    dual: slope - squared / 2 - bent / 2,
    violation: found.violation,
    status: qualifyStatus(endless ? "UNBOUNDED" : found.status, setting),
    steps: found.steps,
  };
}

// What centring the points of a linear kernel moves into the intercept.
function shiftOf({ x, y }, beta, { kernel }) {
  if (kernel !== "linear") return 0;
  return dot(beta, x) * mean(x) + dot(beta, y) * mean(y);
}

// A kernel that is not positive semidefinite has no optimum that could be certified, see svmcore/status.py.
function qualifyStatus(status, { kernel, coef0 }) {
  return status === "CONVERGED" && kernel === "poly" && coef0 < 0 ? "STATIONARY" : status;
}

function stateOf(alpha, C, { low, high }) {
  if (alpha === 0) return ZERO;
  return alpha >= C * high ? UPPER : alpha <= C * low ? LOWER : FREE;
}

const mean = (values) => sum(values) / values.length;

/** f on a grid: a row of places `xs` for each of `ys`. A Gaussian is a product of two of one axis, see svmcore/grid.py. */
export function fieldOf({ points, beta, intercept, setting }, xs, ys) {
  const used = points.x.map((_, i) => i).filter((i) => beta[i] !== 0);
  if (setting.kernel === "linear") return linearField(used, points, beta, intercept, xs, ys);
  const sums = Array.from(ys, () => new Float64Array(xs.length).fill(intercept));
  const k = kernelOf(setting);
  const gamma = 1 / setting.sigma ** 2;
  for (const i of used) {
    const [left, low, b] = [points.x[i], points.y[i], beta[i]];
    const across = setting.kernel === "rbf" && Float64Array.from(xs, (x) => b * Math.exp(-gamma * (x - left) ** 2));
    for (let r = 0; r < ys.length; r++) {
      const row = sums[r];
      const up = across ? Math.exp(-gamma * (ys[r] - low) ** 2) : 0;
      if (across) for (let c = 0; c < row.length; c++) row[c] += across[c] * up;
      else for (let c = 0; c < row.length; c++) row[c] += b * k(left, low, xs[c], ys[r]);
    }
  }
  return sums.map((row) => Float32Array.from(row));
}

function linearField(used, { x, y }, beta, intercept, xs, ys) {
  const weightedSum = (values) => used.reduce((all, i) => all + beta[i] * values[i], 0);
  const [across, up] = [weightedSum(x), weightedSum(y)];
  return Array.from(ys, (height) => Float32Array.from(xs, (place) => across * place + up * height + intercept));
}

/** The share of places at which two fields on the same grid differ in the class. */
export function changedShare(before, after) {
  const differ = before.map((row, r) => row.reduce((all, value, c) => all + +(value >= 0 !== after[r][c] >= 0), 0));
  return sum(differ) / (before.length * before[0].length);
}

/** So many places from one end to the other. */
export const linspace = ([low, high], count) =>
  Float64Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));
