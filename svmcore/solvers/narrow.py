"""The compiled iteration of `interior_point` for a factor of few columns, K = L L' with L (N, r): O(N r^2) each.

The Newton equations of an iteration, for the change x of the coefficients and u of w = L'b and of the intercept,

    D x + Z u = right,   Z'x - J u = -(0, .., 0, sum(b)),   Z = [L, 1],  J = diag(1, .., 1, 0),

have r + 1 unknowns once x = (right - Z u) / D is eliminated: (Z'Z / D + J) u = Z'right / D + (0, .., 0, sum(b)).

D is tiny for coefficients between their bounds, and the division by it enlarges the rounding errors of u. What they
leave of the second equation is therefore removed in x itself, by the same matrix.

Arrays of shape (2, N) have a row for the lower bounds and one for the upper ones; `present` is 1 where a bound is
finite, else 0, and there the distance is 1 and the multiplier 0. Most loops write to one array only: with more, LLVM
would not check that they do not overlap, and use no vector instructions. Sums are added in LANES parts, at once and in
the same order everywhere. All compiled functions are in this one file on purpose:
numba's disk cache does not notice edits in others.
"""

import numpy as np
from numba import njit

MOST_COLUMNS = 5  # beyond, BLAS is faster
LANES = 128  # fewer would be unrolled into scalar instructions
ROWS = 8  # of `work`

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nnan", "nsz"})


@compiled
def measure(Z, ridge, linear, scale, beta, intercept, distance, multiplier, F, residual, work):
    """F and the residual of stationarity; (its largest entry, the largest multiplier of a coefficient off its bound,
    the sum of the products of distances and multipliers). A distance times `scale` is in units of F.
    """
    size, near = work[0], work[1]
    for k in range(beta.size):
        F[k] = -linear[k] - ridge[k] * beta[k]
    for q in range(len(Z) - 1):
        w, column = _dot(Z[q], beta), Z[q]
        for k in range(beta.size):
            F[k] -= w * column[k]
    below, above, to_lower, to_upper = multiplier[0], multiplier[1], distance[0], distance[1]
    for k in range(beta.size):
        residual[k] = F[k] - intercept + below[k] - above[k]
    for k in range(beta.size):
        size[k] = abs(residual[k])
    for k in range(beta.size):
        near[k] = _larger(_smaller(to_lower[k] * scale[k], below[k]), _smaller(to_upper[k] * scale[k], above[k]))
    products = _dot(distance[0], multiplier[0]) + _dot(distance[1], multiplier[1])
    return _largest(size), _largest(near), products


@compiled
def step(
    Z, ridge, linear, scale, present, least, shy, beta, intercept, distance, multiplier, F, residual, work,
):  # fmt: skip
    """One iteration in place; (intercept, and what `measure` returns), all NaN if the matrix has no Cholesky factor.

    work (ROWS, N); `least` is the smallest D, `shy` the largest share of the distance to the boundary that is taken.
    """
    inverse, right, move, spare, near, change = work[0], work[1], work[2], work[3], work[4:6], work[6:8]
    size, ones = beta.size, Z[-1]
    for side in range(2):  # move times `near` is the change of a distance as a share of it
        sign, row, room, there = 1.0 - 2.0 * side, near[side], distance[side], present[side]
        for k in range(size):
            row[k] = sign * there[k] / room[k]
    below, above, to_lower, to_upper = multiplier[0], multiplier[1], near[0], near[1]
    for k in range(size):
        inverse[k] = 1.0 / _larger(ridge[k] + below[k] * to_lower[k] - above[k] * to_upper[k], least)
    factor = _factor(Z, inverse, spare)
    if not factor[0, 0] > 0.0:
        return np.nan, np.nan, np.nan, np.nan
    for k in range(size):
        right[k] = F[k] - intercept
    excess = _dot(beta, ones)

    # predictor: straight to the optimum, to see how much smaller the products may become
    rise, length = _solve(Z, inverse, factor, right, excess, spare, move), 1.0
    n_bounds = _dot(present[0], present[0]) + _dot(present[1], present[1])
    if n_bounds > 0.0:
        worst, products, reached = 1.0, 0.0, 0.0
        for side in range(2):
            row, there = near[side], present[side]
            for k in range(size):
                share = move[k] * row[k]
                spare[k] = _larger(-share, there[k] * (1.0 + share))
            worst = _larger(worst, _largest(spare))
        length = 1.0 / worst
        for side in range(2):
            row, weight = near[side], multiplier[side]
            for k in range(size):
                share = move[k] * row[k]
                spare[k] = weight[k] * (1.0 + length * share) * (1.0 - length * (1.0 + share))
            products += _dot(distance[side], weight)
            reached += _dot(distance[side], spare)
        share = reached / products
        target = products / n_bounds * share * share * share

        # corrector: with the products at this target, less what the predictor's own change would add to them
        for k in range(size):
            right[k] = residual[k]
        for side in range(2):
            sign, row, weight, gain = 1.0 - 2.0 * side, near[side], multiplier[side], change[side]
            for k in range(size):
                share = move[k] * row[k]
                gain[k] = sign * target * row[k] + (share * (1.0 + share) - 1.0) * weight[k]
            for k in range(size):
                right[k] += sign * gain[k]
        rise = _solve(Z, inverse, factor, right, excess, spare, move)
        worst = 1.0
        for side in range(2):
            row, weight, gain, there = near[side], multiplier[side], change[side], present[side]
            for k in range(size):
                gain[k] -= move[k] * row[k] * weight[k]
            for k in range(size):  # no multiplier, no bound: a zero over a one
                spare[k] = _larger(-move[k] * row[k], -gain[k] / (weight[k] + (1.0 - there[k])))
            worst = _larger(worst, _largest(spare))
        length = shy / worst
        for side in range(2):
            sign, room, weight, gain, there = (
                1.0 - 2.0 * side, distance[side], multiplier[side], change[side], present[side],
            )  # fmt: skip
            for k in range(size):
                room[k] += length * sign * there[k] * move[k]
            for k in range(size):
                weight[k] += length * gain[k]
    for k in range(size):
        beta[k] += length * move[k]
    intercept += length * rise
    return intercept, *measure(Z, ridge, linear, scale, beta, intercept, distance, multiplier, F, residual, work)


@compiled
def _larger(x, y):
    return x if x > y else y


@compiled
def _smaller(x, y):
    return x if x < y else y


@compiled
def _largest(x):
    parts, whole = np.full(LANES, x[0]), x.size - x.size % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            parts[lane] = _larger(parts[lane], x[start + lane])
    for k in range(whole, x.size):
        parts[0] = _larger(parts[0], x[k])
    top = parts[0]
    for lane in range(LANES):
        top = _larger(top, parts[lane])
    return top


@compiled
def _dot(x, y):
    parts, whole = np.zeros(LANES), x.size - x.size % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            parts[lane] += x[start + lane] * y[start + lane]
    for k in range(whole, x.size):
        parts[0] += x[k] * y[k]
    total = 0.0
    for lane in range(LANES):
        total += parts[lane]
    return total


@compiled
def _factor(Z, inverse, spare):
    """The Cholesky factor of Z'Z / D + J, (r + 1, r + 1); zeros where there is none."""
    A = np.eye(len(Z))
    A[-1, -1] = 0.0
    for p in range(len(Z)):
        row = Z[p]
        for k in range(row.size):
            spare[k] = inverse[k] * row[k]
        for q in range(p, len(Z)):
            A[q, p] += _dot(spare, Z[q])
    for p in range(len(A)):
        for q in range(p):
            for i in range(p, len(A)):
                A[i, p] -= A[i, q] * A[p, q]
        if not A[p, p] > 0.0:
            return np.zeros_like(A)
        root = np.sqrt(A[p, p])
        for i in range(p, len(A)):
            A[i, p] /= root
    return A


@compiled
def _substitute(factor, u):
    for p in range(u.size):
        for q in range(p):
            u[p] -= factor[p, q] * u[q]
        u[p] /= factor[p, p]
    for p in range(u.size - 1, -1, -1):
        for q in range(p + 1, u.size):
            u[p] -= factor[q, p] * u[q]
        u[p] /= factor[p, p]


@compiled
def _solve(Z, inverse, factor, right, excess, spare, move):
    """x into `move`; returns the change of the intercept."""
    u, missing = np.zeros(len(Z)), np.zeros(len(Z))
    for k in range(move.size):
        spare[k] = inverse[k] * right[k]
    for q in range(len(Z)):
        u[q] = _dot(Z[q], spare)
    u[-1] += excess
    _substitute(factor, u)
    for q in range(len(Z)):
        weight, column = u[q], Z[q]
        for k in range(move.size):
            right[k] -= weight * column[k]
    for k in range(move.size):
        move[k] = inverse[k] * right[k]
    for q in range(len(Z)):
        missing[q] = u[q] - _dot(Z[q], move)
    missing[-1] -= excess + u[-1]
    _substitute(factor, missing)
    for k in range(move.size):
        spare[k] = 0.0
    for q in range(len(Z)):
        weight, column = missing[q], Z[q]
        for k in range(move.size):
            spare[k] += weight * column[k]
    for k in range(move.size):
        move[k] += inverse[k] * spare[k]
    return u[-1]
