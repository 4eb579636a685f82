// The interior point method for the four vectors of solver.js: about twenty rounds, whatever the problem, where the steps
// over active sets would be too many. A round takes n r^2 multiplications for a kernel matrix of numerical rank r, which
// is 2 for a linear kernel and below 200 for any smooth one. What it finds is moved to the bounds that it approaches,
// and the other solver ends the run on the matrix itself.
//
// Mehrotra (1992), On the implementation of a primal-dual interior point method; Fine and Scheinberg (2001), Efficient
// SVM training using low-rank kernel representations.

import { dot, solveFactored, sum } from "./vectors.js";

const RANK = 1e-10; // of the largest diagonal entry: what is left of the matrix is for the other solver
const ROUNDS = 60;
const TOLERANCE = 1e-10; // of the products of distances and multipliers
const SHORT = 0.995; // of the way to the first bound

/**
 * A point near the optimum, on the bounds that are active there; its sum may miss zero by rounding.
 * @param {Float64Array} K  @param {import("./solver.js").BoxQP} qp
 * @returns {Float64Array}
 */
export function approximateOptimum(K, { lower, upper, ridge, linear }) {
  const n = linear.length;
  const G = factor(K, n);
  const [below, above] = [Array.from(lower, Number.isFinite), Array.from(upper, Number.isFinite)];
  const b = Float64Array.from(lower, (low, k) =>
    below[k] && above[k] ? (low + upper[k]) / 2 : below[k] ? low + 1 : 0,
  );
  for (let k = 0; k < n; k++) if (above[k] && !below[k]) b[k] = upper[k] - 1;
  const zl = Float64Array.from(below, Number);
  const zu = Float64Array.from(above, Number);
  const bounds = below.filter(Boolean).length + above.filter(Boolean).length;
  let level = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const slack = b.map((value, k) => (below[k] ? value - lower[k] : 1));
    const room = b.map((value, k) => (above[k] ? upper[k] - value : 1));
    const mu = (dot(zl, slack) + dot(zu, room)) / bounds;
    const image = multiply(G, multiplyTransposed(G, b));
    const error = image.map((value, k) => value + ridge[k] * b[k] + linear[k] + level - zl[k] + zu[k]);
    if (mu <= TOLERANCE * (1 + Math.abs(dot(linear, b)) / n)) break;
    const theta = ridge.map((value, k) => 1 / (value + zl[k] / slack[k] + zu[k] / room[k]));
    const solve = inverseOf(G, theta);
    const ones = solve(theta.map(() => 1));
    const step = (target, firstL, firstU) => {
      const left = slack.map((s, k) => (below[k] ? (target - zl[k] * s - firstL[k]) / s : 0));
      const right = room.map((s, k) => (above[k] ? (target - zu[k] * s - firstU[k]) / s : 0));
      const forced = solve(error.map((value, k) => -value + left[k] - right[k]));
      const rise = (sum(forced) + sum(b)) / sum(ones);
      const db = forced.map((value, k) => value - rise * ones[k]);
      const dl = db.map((d, k) => left[k] - (zl[k] * d) / slack[k]);
      const du = db.map((d, k) => right[k] + (zu[k] * d) / room[k]);
      let length = 1;
      for (let k = 0; k < n; k++) {
        if (below[k]) length = Math.min(length, lengthTo(slack[k], db[k]), lengthTo(zl[k], dl[k]));
        if (above[k]) length = Math.min(length, lengthTo(room[k], -db[k]), lengthTo(zu[k], du[k]));
      }
      return { db, dl, du, rise, length };
    };
    const none = new Float64Array(n);
    const { db, dl, du, length } = step(0, none, none);
    let after = 0;
    for (let k = 0; k < n; k++) {
      if (below[k]) after += (slack[k] + length * db[k]) * (zl[k] + length * dl[k]);
      if (above[k]) after += (room[k] - length * db[k]) * (zu[k] + length * du[k]);
    }
    const target = mu * (after / bounds / mu) ** 3;
    const [bentL, bentU] = [db.map((d, k) => d * dl[k]), db.map((d, k) => -d * du[k])];
    const next = step(target, bentL, bentU);
    const far = SHORT * next.length;
    if (!(far > 1e-14)) break; // rounding has the last word
    for (let k = 0; k < n; k++) {
      b[k] += far * next.db[k];
      if (below[k]) zl[k] += far * next.dl[k];
      if (above[k]) zu[k] += far * next.du[k];
    }
    level += far * next.rise;
  }
  return b.map((value, k) => {
    const width = below[k] && above[k] ? upper[k] - lower[k] : 1 + Math.abs(value);
    if (below[k] && value - lower[k] < zl[k] * width) return lower[k];
    return above[k] && upper[k] - value < zu[k] * width ? upper[k] : value;
  });
}

const lengthTo = (value, change) => (change < 0 ? -value / change : 1);

/** The columns of G with G G' = K but for rounding: Cholesky's factor, the largest remainder first. */
function factor(K, n) {
  const rest = Float64Array.from({ length: n }, (_, k) => K[k * n + k]);
  /** @type {Float64Array[]} */
  const columns = [];
  const least = RANK * Math.max(...rest);
  while (columns.length < n) {
    const pivot = rest.indexOf(Math.max(...rest));
    if (!(rest[pivot] > least)) break;
    const column = K.slice(pivot * n, pivot * n + n);
    for (const before of columns) for (let k = 0, by = before[pivot]; k < n; k++) column[k] -= by * before[k];
    const root = Math.sqrt(rest[pivot]);
    for (let k = 0; k < n; k++) {
      column[k] /= root;
      rest[k] -= column[k] * column[k];
    }
    rest[pivot] = 0;
    columns.push(column);
  }
  return columns;
}

const multiplyTransposed = (G, b) => G.map((column) => dot(column, b));

function multiply(G, weights) {
  const image = new Float64Array(G[0].length);
  G.forEach((column, c) => {
    for (let k = 0; k < image.length; k++) image[k] += weights[c] * column[k];
  });
  return image;
}

/** x -> (1 / theta + G G')^-1 x, by the matrix I + G' theta G of the size of the rank. */
function inverseOf(G, theta) {
  const rank = G.length;
  const L = new Float64Array(rank * rank);
  const weighted = new Float64Array(theta.length);
  for (let i = 0; i < rank; i++) {
    for (let k = 0; k < theta.length; k++) weighted[k] = theta[k] * G[i][k];
    for (let j = 0; j <= i; j++) {
      let entry = dot(weighted, G[j]) + (i === j ? 1 : 0);
      for (let c = 0; c < j; c++) entry -= L[i * rank + c] * L[j * rank + c];
      L[i * rank + j] = i === j ? Math.sqrt(entry) : entry / L[j * rank + j];
    }
  }
  return (/** @type {Float64Array} */ right) => {
    const scaled = right.map((value, k) => theta[k] * value);
    const image = multiply(G, solveFactored(L, rank, multiplyTransposed(G, scaled)));
    return scaled.map((value, k) => value - theta[k] * image[k]);
  };
}
