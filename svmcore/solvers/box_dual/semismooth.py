"""A linear kernel of few features: Newton steps on w and the intercept, O(N d^2) each, some thirty whatever C.

    minimise    1/2 b'(L L' + diag(ridge)) b + linear'b
    subject to  sum(b) = 0,   lower <= b <= upper

has N coefficients but its primal only d + 1 unknowns u = (w, intercept). With Z = [L, 1], and e = -linear - Z u,

    minimise  1/2 |w|^2 + sum_i phi_i(e_i),   phi_i(e) = max over lower_i <= b <= upper_i of  b e - ridge_i b^2 / 2,

which has kinks. The proximal point method removes them: a round adds (h / width_i) (b_i - c_i)^2 / 2 to the dual, c
being the coefficients of the last round and width_i = upper_i - lower_i. Then each b_i is a function of its error,

    b_i = c_i + (e_i - ridge_i c_i) / (ridge_i + h / width_i),   clipped to the box,

the gradient in u is J u - Z'b with J = diag(1, .., 1, 0), and it is piecewise linear: Newton steps with the slopes of
the pieces, and a line search that is nearly exact, end at its zero. Only the b_i between their bounds have a slope;
they are the points within h of the kink. The rounds begin with an h of the size of the targets, which makes the problem
nearly quadratic, and end when the violation is at most `tol`, where few points are left between their bounds.

Many points begin at the u of an eighth of them, each of which counts for eight.

Sources: R. T. Rockafellar (1976), Augmented Lagrangians and applications of the proximal point algorithm in convex
programming; X. Li, D. Sun, K.-C. Toh (2018), A highly efficient semismooth Newton augmented Lagrangian method for
solving Lasso problems; Y. Yan, Q. Li (2020), An efficient augmented Lagrangian method for support vector machine.
"""

import numpy as np
from numba import njit

from svmcore.duals import BoxQP
from svmcore.solvers.box_dual import smo, warm
from svmcore.solvers.solution import Solution
from svmcore.status import Status
from svmcore.words import with_count

MOST_COLUMNS = 30  # beyond, the products of an interior point method, by BLAS, are faster
MOST_STEPS = 200  # Newton steps; forty are many
SHRINK = 0.2  # h from round to round
FINEST = 0.1  # h, as a share of the tolerance
PART, MANY = 8, 1000  # of so many points, one of so many alone first
LANES = 64  # sums are added in so many parts, which vector instructions take at once
EXACT = 0.1  # share of the slope that a line search leaves
SEARCHES = 60
ROUNDING = 1e-14  # of a sum
FLAT = 1e-10  # curvature in the intercept where no point gives it one, as a share of that of all points


def serves(L, qp) -> bool:
    """True if L (N, d) has few columns, and every coefficient a ridge or two bounds, of which some are apart."""
    width = qp.upper - qp.lower
    return L.shape[1] <= MOST_COLUMNS and bool(np.isfinite(width).all() or (qp.ridge > 0.0).all()) and width.any()


def solve(L, qp, *, tol=1e-3, max_iter=MOST_STEPS) -> Solution:
    """The optimum for K = L L', L of shape (N, d), to the violation `tol`, or what `max_iter` Newton steps reach.

    qp: a BoxQP that `serves`; centred columns of L lose the fewest digits.
    """
    Z = np.ones((L.shape[1] + 1, len(L)))
    Z[:-1] = L.T
    height = float(np.abs(qp.linear).max()) or 1.0
    u = np.zeros(len(Z))
    beta, steps = _coarse(Z, qp, u, height, tol, max_iter)
    if abs(beta.sum()) > ROUNDING * np.abs(beta).sum():
        beta = warm.feasible(qp, beta)
    F = -qp.linear - L @ (L.T @ beta) - qp.ridge * beta
    found = smo.solution(qp, beta, F, steps, Status.CONVERGED, with_count(steps, "primal Newton step"))
    return found if found.violation <= tol else found._replace(status=Status.ITERATION_LIMIT)


def _coarse(Z, qp, u, height, tol, max_iter):
    """(beta, steps) of a run that begins at the u of a part of the points; u, (d + 1,), becomes that of its end."""
    steps = 0
    if Z.shape[1] >= MANY:
        some = np.arange(0, Z.shape[1] - PART + 1, PART)
        some += 3 * some // PART % PART  # labels may come in turns
        part = BoxQP(PART * qp.lower[some], PART * qp.upper[some], qp.ridge[some] / PART, qp.linear[some])
        _, steps = _coarse(Z[:, some], part, u, height, 10.0 * tol, max_iter)
        height *= SHRINK
    beta = np.clip(np.zeros(Z.shape[1]), qp.lower, qp.upper)
    return beta, steps + rounds(Z, qp, beta, u, tol, height, max_iter)


# ---------------------------------------------------------------------------------------------- compiled

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nnan", "nsz"})


@compiled
def rounds(Z, qp, beta, u, tol, h, max_iter):
    """Newton steps, in place of beta and u, until the violation is at most `tol`; their number."""
    lower, upper, ridge, linear = qp
    error, move, slope, packed = np.empty_like(beta), np.zeros_like(beta), np.empty_like(beta), np.empty_like(Z)
    w, centre, steps = np.zeros_like(u), beta.copy(), 0
    while True:
        flat = 0.0
        for k in range(beta.size):
            slope[k] = 1.0 / (ridge[k] + h / (upper[k] - lower[k]))
            flat += slope[k]
        _errors(Z, u, linear, error)
        far = np.inf
        while far > 0.1 * h and steps < max_iter:
            _coefficients(error, slope, ridge, lower, upper, centre, beta)
            down = -u
            down[-1] = 0.0
            for q in range(len(Z)):
                down[q] += _dot(Z[q], beta)
            step = down.copy()
            _newton(Z, beta, slope, lower, upper, packed, FLAT * flat, step)
            for k in range(beta.size):
                move[k] = 0.0
            for q in range(len(Z)):
                column, part = Z[q], step[q]
                for k in range(beta.size):
                    move[k] += part * column[k]
            length = _search(error, move, slope, qp, centre, u, step, -_dot(down, step))
            far = 0.0
            for k in range(beta.size):
                error[k] -= length * move[k]
                far = _larger(far, abs(move[k]))
            far *= length
            u += length * step
            steps += 1
        _coefficients(error, slope, ridge, lower, upper, centre, beta)
        balanced = _balance(beta, lower, upper, _dot(Z[-1], beta))
        for q in range(len(Z) - 1):
            w[q] = _dot(Z[q], beta)
        _errors(Z, w, linear, error)
        top, bottom = -np.inf, np.inf
        for k in range(beta.size):
            F = error[k] - ridge[k] * beta[k]
            if beta[k] < upper[k]:
                top = _larger(top, F)
            if beta[k] > lower[k]:
                bottom = _smaller(bottom, F)
            centre[k] = beta[k]
        if (balanced and top - bottom <= tol) or steps >= max_iter:
            return steps
        h = _larger(SHRINK * h, FINEST * tol)


@compiled
def _larger(x, y):
    return x if x > y else y


@compiled
def _smaller(x, y):
    return x if x < y else y


@compiled
def _dot(x, y):
    parts, whole = np.zeros(LANES), x.size - x.size % LANES
    for start in range(0, whole, LANES):
        for lane in range(LANES):
            parts[lane] += x[start + lane] * y[start + lane]
    for k in range(whole, x.size):
        parts[0] += x[k] * y[k]
    return _sum(parts)


@compiled
def _sum(parts):
    total = 0.0
    for k in range(parts.size):
        total += parts[k]
    return total


@compiled
def _errors(Z, u, linear, error):
    for k in range(error.size):
        error[k] = -linear[k]
    for q in range(len(Z)):
        column, part = Z[q], u[q]
        for k in range(error.size):
            error[k] -= part * column[k]


@compiled
def _coefficients(error, slope, ridge, lower, upper, centre, beta):
    for k in range(beta.size):
        value = centre[k] + slope[k] * (error[k] - ridge[k] * centre[k])
        beta[k] = _smaller(_larger(value, lower[k]), upper[k])


@compiled
def _balance(beta, lower, upper, excess):
    """The coefficient with the most room takes what is missing from sum zero, so that bounds stay bounds; False if it
    has too little, and more than rounding is missing."""
    most, taker, total = 0.0, 0, 0.0
    for k in range(beta.size):
        total += abs(beta[k])
        room = _smaller(beta[k] - lower[k], upper[k] - beta[k])
        if room > most:
            most, taker = room, k
    if abs(excess) < most:
        beta[taker] -= excess
        excess = 0.0
    return abs(excess) <= ROUNDING * total


@compiled
def _newton(Z, beta, slope, lower, upper, packed, flat, step):
    """step <- (J + Z' diag(slope) Z)^-1 step, over the points between their bounds, which `packed` holds."""
    count = 0
    for k in range(beta.size):
        if lower[k] < beta[k] < upper[k]:
            root = np.sqrt(slope[k])
            for q in range(len(Z)):
                packed[q, count] = root * Z[q, k]
            count += 1
    A = np.eye(len(Z))
    A[-1, -1] = flat
    for p in range(len(Z)):
        for q in range(p + 1):
            A[p, q] += _dot(packed[p, :count], packed[q, :count])
    for p in range(len(A)):  # Cholesky
        for q in range(p):
            for i in range(p, len(A)):
                A[i, p] -= A[i, q] * A[p, q]
        root = np.sqrt(_larger(A[p, p], 1e-300))
        for i in range(p, len(A)):
            A[i, p] /= root
    for p in range(step.size):
        for q in range(p):
            step[p] -= A[p, q] * step[q]
        step[p] /= A[p, p]
    for p in range(step.size - 1, -1, -1):
        for q in range(p + 1, step.size):
            step[p] -= A[q, p] * step[q]
        step[p] /= A[p, p]


@compiled
def _search(error, move, slope, qp, centre, u, step, first):
    """The length at which the objective along `step` has the slope zero, nearly; `first` is its slope at 0."""
    lower, upper, ridge, _ = qp
    along, curved = _dot(u[:-1], step[:-1]), _dot(step[:-1], step[:-1])
    length, low, high, at_low, at_high = 1.0, 0.0, np.inf, first, 0.0
    parts, whole = np.zeros(LANES), error.size - error.size % LANES
    for search in range(SEARCHES):
        parts[:] = 0.0
        for start in range(0, whole, LANES):
            for lane in range(LANES):
                k = start + lane
                value = centre[k] + slope[k] * (error[k] - length * move[k] - ridge[k] * centre[k])
                parts[lane] += _smaller(_larger(value, lower[k]), upper[k]) * move[k]
        for k in range(whole, error.size):
            value = centre[k] + slope[k] * (error[k] - length * move[k] - ridge[k] * centre[k])
            parts[0] += _smaller(_larger(value, lower[k]), upper[k]) * move[k]
        reached = along + length * curved - _sum(parts)
        if abs(reached) <= -EXACT * first:
            break
        if reached > 0.0:
            high, at_high = length, reached
        else:
            low, at_low = length, reached
        if high == np.inf:
            length *= 4.0
        elif search % 3 == 2:
            length = 0.5 * (low + high)
        else:
            length = low + (high - low) * _smaller(_larger(at_low / (at_low - at_high), 0.1), 0.9)
    return length
