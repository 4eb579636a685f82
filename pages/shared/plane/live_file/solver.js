// The dual of every convex machine, as svmcore/duals.py writes it, is one quadratic programme of four vectors:
//
//     minimise  1/2 b'(K + diag(ridge)) b + linear'b   subject to  sum(b) = 0,  lower <= b <= upper.
//
// Two moves take turns, and each lowers the objective. A pair step moves two coefficients, as in
// svmcore/solvers/box_dual/smo_plain.py: it finds out which of them are at a bound. A Newton step moves all that are
// between their bounds to the minimum over them, or as far as the first bound: a pair step would take thousands of small
// ones for that. With F = -linear - (K + diag(ridge)) b, minus the gradient, no F that may rise exceeds one that may
// fall by more than the tolerance at the end; this violation is measured on an F that was computed anew.
//
// Fan, Chen and Lin (2005), Working set selection using second order information, is the source of the pair steps, and
// Scheinberg (2006), An efficient implementation of an active set method for SVMs, of the steps over the free ones.

/**
 * @typedef {{ lower: Float64Array, upper: Float64Array, ridge: Float64Array, linear: Float64Array }} BoxQP
 * @typedef {"CONVERGED" | "ITERATION_LIMIT" | "ROUNDING" | "UNBOUNDED"} Status a member of svmcore.status.Status
 * @typedef {object} Solution
 * @property {Float64Array} beta  @property {number} intercept  @property {number} objective of the dual, to be minimised
 * @property {number} violation in units of f  @property {Status} status  @property {number} steps
 */

import { approximateOptimum } from "./interior.js";
import { solveFactored, sum } from "./vectors.js";

const AGAIN = 20; // times the work of a run are allowed after an interior point
const CURVATURE = 1e-12; // the least of a pair, whose kernel may not be positive semidefinite
const DEPENDENT = 1e-11; // of a diagonal entry: a pivot below it belongs to a point that depends on the others
const REFRESHES = 20; // of F: where these do not suffice, rounding moves it by more than the tolerance
const LOST = 1.05; // of the tolerance: what F may lose by its updates, as in svmcore

/**
 * The solution for a Gram matrix K, (n, n) in rows, from zero or from a feasible `beta`.
 * @param {Float64Array} K  @param {BoxQP} qp
 * @param {{ beta?: Float64Array, tol?: number, work?: number, thorough?: boolean }} options `work`: multiplications after
 *   which the run ends, some nanoseconds each; `thorough`: begin anew from an interior point if it has not converged
 * @returns {Solution}
 */
export function solve(K, qp, { beta, tol = 1e-3, work = 2e7, thorough = true } = {}) {
  const first = finish(new Run(K, qp, beta), tol, work);
  if (first.status !== "ITERATION_LIMIT" || !thorough) return first;
  const near = makeFeasible(approximateOptimum(K, qp), qp);
  const second = finish(new Run(K, qp, near), tol, AGAIN * work);
  return second.violation < first.violation ? second : first;
}

/** @returns {Solution} */
function finish(run, tol, work) {
  let status = run.descend(tol, work);
  for (let k = 0; status === "CONVERGED"; k++) {
    run.refresh();
    if (run.violation() <= LOST * tol) break;
    status = k === REFRESHES ? "ROUNDING" : run.descend(tol, work);
  }
  return run.solution(status);
}

/** The coefficients moved into the box, and to the sum zero, as little as is easy. */
export function makeFeasible(given, { lower, upper }) {
  const beta = given.map((value, k) => (Number.isFinite(value) ? Math.min(Math.max(value, lower[k]), upper[k]) : 0));
  let excess = sum(beta);
  for (const free of [true, false]) {
    for (let k = 0; k < beta.length && excess !== 0; k++) {
      if (free !== (beta[k] > lower[k] && beta[k] < upper[k])) continue;
      const next = Math.min(Math.max(beta[k] - excess, lower[k]), upper[k]);
      excess -= beta[k] - next;
      beta[k] = next;
    }
  }
  return beta;
}

class Run {
  /** @param {Float64Array} K  @param {BoxQP} qp  @param {Float64Array | undefined} beta */
  constructor(K, qp, beta) {
    this.K = K;
    this.qp = qp;
    this.n = qp.linear.length;
    this.beta = beta ? Float64Array.from(beta) : new Float64Array(this.n);
    this.F = new Float64Array(this.n);
    this.warm = Boolean(beta);
    this.spent = 0;
    this.steps = 0;
    this.refresh();
  }

  /** F anew, because updates accumulate rounding errors. */
  refresh() {
    const { K, n, beta, F, qp } = this;
    for (let k = 0; k < n; k++) F[k] = -qp.linear[k] - qp.ridge[k] * beta[k];
    for (let j = 0; j < n; j++) {
      if (beta[j] === 0) continue;
      for (let k = 0, at = j * n; k < n; k++, at++) F[k] -= beta[j] * K[at];
    }
    this.spent += n * n;
  }

  /** @returns {[top: number, bottom: number]} the largest F that may rise, the smallest that may fall */
  extremes() {
    const { beta, F, qp } = this;
    let [top, bottom] = [-Infinity, Infinity];
    for (let k = 0; k < this.n; k++) {
      if (beta[k] < qp.upper[k] && F[k] > top) top = F[k];
      if (beta[k] > qp.lower[k] && F[k] < bottom) bottom = F[k];
    }
    return [top, bottom];
  }

  violation() {
    const [top, bottom] = this.extremes();
    return Math.max(top - bottom, 0);
  }

  /** @returns {Status} */
  descend(tol, work) {
    const { qp, n } = this;
    const open = qp.lower.every((low, k) => low === -Infinity && qp.upper[k] === Infinity);
    let burst = open ? 0 : this.warm ? 4 : 2 * n;
    while (this.spent < work) {
      const ended = this.takePairSteps(tol, burst);
      if (ended) return ended;
      this.takeNewtonSteps();
      burst = Math.max(4, n >> 3);
    }
    return this.violation() <= tol ? "CONVERGED" : "ITERATION_LIMIT";
  }

  /** Up to `most` pair steps. @returns {Status | undefined} nothing where more are needed */
  takePairSteps(tol, most) {
    const { K, n, beta, F, qp } = this;
    const { lower, upper, ridge } = qp;
    for (let step = 0; ; step++) {
      let [i, top] = [-1, -Infinity];
      for (let k = 0; k < n; k++) {
        if (F[k] > top && beta[k] < upper[k]) {
          top = F[k];
          i = k;
        }
      }
      if (i < 0) return "CONVERGED";
      let [j, best, worst] = [-1, 0, -Infinity];
      const at = i * n;
      const own = K[at + i] + ridge[i];
      for (let k = 0, diagonal = 0; k < n; k++, diagonal += n + 1) {
        const excess = top - F[k];
        if (excess <= 0 || beta[k] <= lower[k]) continue;
        if (excess > worst) worst = excess;
        const gain = (excess * excess) / Math.max(own + K[diagonal] + ridge[k] - 2 * K[at + k], CURVATURE);
        if (gain > best) {
          best = gain;
          j = k;
        }
      }
      this.spent += 2 * n;
      if (j < 0 || worst <= tol) return "CONVERGED";
      if (step >= most) return undefined;
      const bend = own + K[j * n + j] + ridge[j] - 2 * K[at + j];
      const [rise, fall] = [upper[i] - beta[i], beta[j] - lower[j]];
      const length = Math.min((top - F[j]) / Math.max(bend, CURVATURE), rise, fall);
      if (bend <= CURVATURE && rise === Infinity && fall === Infinity) return "UNBOUNDED";
      beta[i] = length === rise ? upper[i] : beta[i] + length; // the sum may miss the bound by its last digit
      beta[j] = length === fall ? lower[j] : beta[j] - length;
      for (let k = 0, other = j * n; k < n; k++, other++) F[k] -= length * (K[at + k] - K[other]);
      F[i] -= length * ridge[i];
      F[j] += length * ridge[j];
      this.spent += 2 * n;
      this.steps += 1;
    }
  }

  /** Newton steps over the coefficients between their bounds, until one of them ends within the box. */
  takeNewtonSteps() {
    const { n, beta, F, qp } = this;
    let free = [];
    for (let k = 0; k < n; k++) if (beta[k] > qp.lower[k] && beta[k] < qp.upper[k]) free.push(k);
    while (free.length > 1) {
      const { kept, direction } = this.newtonDirection(free);
      if (kept.length < 2) return;
      let [length, first] = [1, -1];
      kept.forEach((k, m) => {
        const d = direction[m];
        const room = d > 0 ? (qp.upper[k] - beta[k]) / d : d < 0 ? (qp.lower[k] - beta[k]) / d : Infinity;
        if (room < length) {
          length = room;
          first = m;
        }
      });
      kept.forEach((k, m) => {
        const d = length * direction[m];
        beta[k] = Math.min(Math.max(beta[k] + d, qp.lower[k]), qp.upper[k]);
        F[k] -= d * qp.ridge[k];
        for (let c = 0, at = k * n; c < n; c++, at++) F[c] -= d * this.K[at];
      });
      this.spent += n * kept.length;
      this.steps += 1;
      if (first < 0) return;
      const bound = kept[first];
      beta[bound] = direction[first] > 0 ? qp.upper[bound] : qp.lower[bound];
      free = kept.filter((k) => beta[k] > qp.lower[k] && beta[k] < qp.upper[k]);
    }
  }

  /**
   * The step to the minimum over the free coefficients with the sum kept: H d + level = F on them, sum(d) = 0, by the
   * Cholesky factor of H. Those that depend on the ones before them stay where they are.
   * @param {number[]} free
   */
  newtonDirection(free) {
    const { K, n, F, qp } = this;
    const m = free.length;
    const L = new Float64Array(m * m);
    /** @type {number[]} */
    const kept = [];
    for (const k of free) {
      const rank = kept.length;
      const row = rank * m;
      let pivot = K[k * n + k] + qp.ridge[k];
      const least = DEPENDENT * pivot;
      for (let a = 0; a < rank; a++) {
        let entry = K[k * n + kept[a]];
        const other = a * m;
        for (let c = 0; c < a; c++) entry -= L[row + c] * L[other + c];
        entry /= L[other + a];
        L[row + a] = entry;
        pivot -= entry * entry;
      }
      this.spent += (rank * rank) / 2;
      if (pivot <= least) continue;
      L[row + rank] = Math.sqrt(pivot);
      kept.push(k);
    }
    const [ones, forces] = [kept.map(() => 1), kept.map((k) => F[k])].map((right) => solveFactored(L, m, right));
    const level = sum(forces) / sum(ones);
    const direction = forces.map((force, k) => force - level * ones[k]);
    direction[0] -= sum(direction); // which is rounding, and would add up
    return { kept, direction };
  }

  /** @returns {Solution} */
  solution(status) {
    const { beta, F, qp, n } = this;
    const [top, bottom] = this.extremes();
    let [all, count, objective] = [0, 0, 0];
    for (let k = 0; k < n; k++) {
      objective += 0.5 * beta[k] * (qp.linear[k] - F[k]);
      if (beta[k] > qp.lower[k] && beta[k] < qp.upper[k]) {
        all += F[k];
        count += 1;
      }
    }
    const ends = [top, bottom].filter(Number.isFinite);
    const intercept = count ? all / count : sum(ends) / ends.length;
    return { beta, intercept, objective, violation: Math.max(top - bottom, 0), status, steps: this.steps };
  }
}
