// Sums over vectors, and the solution of a factored system, for the two solvers and what a machine says.

export const sum = (values) => values.reduce((all, value) => all + value, 0);

export function dot(one, other) {
  let all = 0;
  for (let k = 0; k < one.length; k++) all += one[k] * other[k];
  return all;
}

/** L L' x = right, with a row of L every `stride` numbers. */
export function solveFactored(L, stride, right) {
  const x = Float64Array.from(right);
  const m = x.length;
  for (let a = 0; a < m; a++) {
    for (let c = 0; c < a; c++) x[a] -= L[a * stride + c] * x[c];
    x[a] /= L[a * stride + a];
  }
  for (let a = m - 1; a >= 0; a--) {
    x[a] /= L[a * stride + a];
    for (let c = 0; c < a; c++) x[c] -= L[a * stride + c] * x[a];
  }
  return x;
}
