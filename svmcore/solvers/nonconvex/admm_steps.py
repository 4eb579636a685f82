"""The compiled iterations of the ADMM of the L0/1-SVM; `admm` explains them.

`table` is X (N, d) in linear form and K (N, N) in kernel form, in which w (0,) has no entries; c (N,) are the weights.

Loops stand in for whole-array expressions, above all for assignments to a set of indices, which take numba seconds to
compile.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore.status import Status

RUNNING, CYCLING, CONVERGED, ONE_CLASS, EMPTY, NOT_POSITIVE = range(6)  # what has become of a run
STATUS = (
    Status.ITERATION_LIMIT, Status.CYCLING, Status.CONVERGED, Status.ONE_CLASS_WORKING_SET, Status.EMPTY_WORKING_SET,
    Status.NOT_POSITIVE,
)  # fmt: skip
ROUNDING = 1e-6  # a slack up to this is no violation
NEARLY = 1e-3  # nor is one up to this on T, where slacks converge to zero
LARGEST_SIGMA = 1e8
REMEMBERED = 65  # the last different T, which are searched for a cycle
RETURNS = 4  # times that the same T may recur among these
PIECE = 512  # rows of X that are copied at once


OPTIONS = dict(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
compiled = njit(**OPTIONS)
inlined = njit(**OPTIONS, forceinline=True)  # a call counts references to each array of a record


class Plan(NamedTuple):
    """The `admm.Rules` of the iterations; settle < 0 for never."""

    eta: float
    mean_over_all: bool
    growth: float
    adapt: bool
    guard: bool
    settle: int
    strict_test: bool
    tol: float


class Residuals(NamedTuple):
    """The errors in the four conditions of a P-stationary point.

    stationarity  w + A' lam = 0;   balance  y' lam = 0;   feasibility  u + A w + b y = 1;
    proximity     u is the proximal point of u - lam / (sigma c)
    """

    stationarity: float
    balance: float
    feasibility: float
    proximity: float


class State(NamedTuple):
    """A run after an iteration; `admm` never changes the arrays in place."""

    iteration: int
    T: np.ndarray  # (N,) bool: the working set
    w: np.ndarray  # (d,) in linear form, else (0,)
    beta: np.ndarray  # (N,) w = sum beta_i x_i; zero outside T
    intercept: float
    slack: np.ndarray  # (N,) 1 - y f
    lam: np.ndarray  # (N,) multipliers, zero outside T
    sigma: float
    window: float  # r = sqrt(2 C / sigma): T lies in the band 1 - r <= y f < 1
    objective: float
    n_violators: int  # samples with positive slack
    accuracy: float  # on the training samples
    loose: Residuals  # the authors' theta_1 .. theta_4: squared, and averaged over the samples
    strict: Residuals  # the largest errors themselves
    steady: int = 0  # iterations since T last changed
    joint: bool = False  # whether w and b were solved together
    code: int = RUNNING
    seen: np.ndarray = np.zeros(REMEMBERED, np.uint64)  # checksums of the last different T

    @property
    def status(self) -> Status:
        """Reason why the run ended, or would end if it were left here."""
        return STATUS[self.code]

    @property
    def size(self) -> int:
        """|T|."""
        return int(np.count_nonzero(self.T))

    @property
    def violation(self) -> float:
        """The largest strict residual; 0 at a P-stationary point."""
        return max(self.strict)

    @property
    def is_done(self) -> bool:
        """True if no further iteration is needed or possible."""
        return self.code not in (RUNNING, CYCLING)


class Visits(NamedTuple):
    """The states of a run at some of its iterations: b (V,), slack (V, N) and beta (V, N)."""

    intercept: np.ndarray
    slack: np.ndarray
    beta: np.ndarray


class OnT(NamedTuple):
    """The samples of T: indices, y, c, the target y (1 - lam / (sigma c)) of the regression, and 1 / (sigma c)."""

    idx: np.ndarray
    y: np.ndarray
    c: np.ndarray
    target: np.ndarray
    shift: np.ndarray


@compiled
def advance(samples, plan, state, n_steps, every, visits):
    """The State up to `n_steps` iterations later, until the run is done; arrays change in place.

    samples: (table, y, c, C), C being the cost of a violator.

    `visits` receives the states after `every` iterations and after the last; a run that cycles at a visit ends there.
    Their number is returned first.
    """
    table, y, c, C = samples
    (
        iteration, T, w, beta, intercept, slack, lam, sigma, window, objective, n_violators, accuracy, loose, strict,
        steady, joint, _, seen,
    ) = state  # fmt: skip
    linear, now, z, values = w.size > 0, np.empty_like(T), np.empty(y.size), np.empty(y.size)
    idx, inner, total, factor, factored = np.empty(0, np.int64), np.empty((0, 0)), w, np.empty((0, 0)), -1.0
    taken, made, code = 0, 0, RUNNING
    while taken < n_steps and code <= CYCLING:
        before = sigma, window, joint
        # update T: the samples in the window of z; u is 0 on T and z elsewhere
        joint = plan.settle >= 0 and steady >= plan.settle
        if plan.adapt and iteration and iteration % 10 == 0:  # the authors' program: feasibility first
            if loose[2] > 1e-3:
                sigma = min(2.0 * sigma, 10.0)
            elif loose[0] > 1e-3:
                sigma = min(max(0.01, sigma / 1.25), 5.0)
        if iteration and not joint:
            sigma = min(sigma * plan.growth, LARGEST_SIGMA)
        window = np.sqrt(2.0 * C / sigma)
        size, nearest = _update_T(slack, lam, c, sigma, window, z, now)
        if plan.guard and not size and nearest < np.inf:
            sigma = 1.9 * C / nearest**2
            window = np.sqrt(2.0 * C / sigma)
            size, nearest = _update_T(slack, lam, c, sigma, window, z, now)
        moved = iteration == 0 or _differ(now, T)
        if moved or not taken:
            idx, factored = np.flatnonzero(now), -1.0
            inner, total = _products(table, idx, c, linear)

        # solve w and b: a ridge regression on T
        on_T = _on_T(y, c, lam, idx, sigma)
        if size and factored != sigma and not (linear and size > w.size):
            factor, definite = _upper_factor(inner, 1.0, on_T.shift)
            if not definite:
                (sigma, window, joint), code = before, NOT_POSITIVE
                break
            factored = sigma
        system = inner, total, factor
        beta_T, level, squared_norm = _ridge(table, on_T, system, sigma, intercept, joint, w, values)
        if joint and size:
            intercept = level
        elif size and not plan.mean_over_all:
            intercept = _mean_on_T(on_T, values)
        else:
            intercept = _mean_of_all(y, c, slack, on_T, values)
        lam_T, sum_T = _update_lambda(samples, state, values, intercept, plan.eta * sigma, now, on_T, beta_T)

        # what the state is worth
        slope = _squared_length(table, inner, idx, sum_T, w)
        loose, strict = _residuals(z, slack, values, on_T, lam_T, (slope, squared_norm), (sigma, window))
        objective, n_violators, accuracy = worth(slack, now, c, C, squared_norm)
        steady = 0 if moved else steady + 1
        if moved:
            for k in range(seen.size - 1):
                seen[k] = seen[k + 1]
            seen[-1] = _checksum(now)
        small = max(strict if plan.strict_test else loose) < plan.tol
        code = _code(small, plan.strict_test or accuracy > 0.5, on_T.y, seen)
        iteration += 1
        taken += 1
        if taken % every == 0:
            visits.intercept[made], visits.slack[made], visits.beta[made] = intercept, slack, beta
            made += 1
            if code == CYCLING:
                break
    if taken > made * every:
        visits.intercept[made], visits.slack[made], visits.beta[made] = intercept, slack, beta
        made += 1
    return made, State(
        iteration, T, w, beta, intercept, slack, lam, sigma, window, objective, n_violators, accuracy, loose, strict,
        steady, joint, code, seen,
    )  # fmt: skip


@compiled
def _update_T(slack, lam, c, sigma, window, z, T):
    """z = 1 - A w - b y - lam / (sigma c) and T, in place; |T| and the smallest positive z."""
    size, nearest = 0, np.inf
    for i in range(z.size):
        z[i] = slack[i] - lam[i] / (sigma * c[i])
        T[i] = 0.0 < z[i] <= window
        size += T[i]
        if 0.0 < z[i] < nearest:
            nearest = z[i]
    return size, nearest


@compiled
def _differ(now, T):
    """True if two working sets are not the same."""
    for i in range(T.size):
        if now[i] != T[i]:
            return True
    return False


@inlined
def _on_T(y, c, lam, idx, sigma):
    """The samples of T, as `OnT`."""
    y_T, c_T, target, shift = np.empty(idx.size), np.empty(idx.size), np.empty(idx.size), np.empty(idx.size)
    for k in range(idx.size):
        i = idx[k]
        y_T[k], c_T[k] = y[i], c[i]
        target[k] = y[i] * (1.0 - lam[i] / (sigma * c[i]))
        shift[k] = 1.0 / (sigma * c[i])
    return OnT(idx, y_T, c_T, target, shift)


@inlined
def _update_lambda(samples, state, values, intercept, rate, now, on_T, beta_T):
    """Slack, lam, beta and T, in place: lam by `rate` times the residual of the constraint on T, to 0 elsewhere.

    On T: lam and beta + y lam.
    """
    _, y, c, _ = samples
    T, beta, slack, lam, idx = state.T, state.beta, state.slack, state.lam, on_T.idx
    lam_T, sum_T = np.empty(idx.size), np.empty(idx.size)
    for i in range(y.size):
        slack[i] = 1.0 - y[i] * (values[i] + intercept)
    for k in range(idx.size):
        i = idx[k]
        lam_T[k] = lam[i] - rate * c[i] * slack[i]
        sum_T[k] = beta_T[k] + y[i] * lam_T[k]
    for i in range(y.size):
        lam[i], beta[i], T[i] = 0.0, 0.0, now[i]
    for k in range(idx.size):
        lam[idx[k]], beta[idx[k]] = lam_T[k], beta_T[k]
    return lam_T, sum_T


@compiled
def _products(table, idx, c, linear):
    """Products for the regression on T alone: inner products of its samples, (|T|, |T|), or with more samples than
    features sum c_i x_i x_i', (d, d), and sum c_i x_i, (d,)."""
    size, d = idx.size, table.shape[1]
    total = np.zeros(d if linear else 0)
    if not linear:
        inner = np.empty((size, size))
        for i in range(size):
            for j in range(size):
                inner[i, j] = table[idx[i], idx[j]]
        return inner, total
    if size <= d:
        rows = np.empty((size, d))
        for i in range(size):
            for k in range(d):
                rows[i, k] = table[idx[i], k]
        return np.dot(rows, rows.T), total
    scatter = np.zeros((d, d))
    for first in range(0, size, PIECE):
        count = min(PIECE, size - first)
        rows, scaled = np.empty((count, d)), np.empty((count, d))
        for i in range(count):
            sample = idx[first + i]
            for k in range(d):
                rows[i, k] = table[sample, k]
                scaled[i, k] = rows[i, k] * c[sample]
                total[k] += scaled[i, k]
        products = np.dot(rows.T, scaled)
        for k in range(d):
            for m in range(d):
                scatter[k, m] += products[k, m]
    return scatter, total


@inlined
def _ridge(table, on_T, system, sigma, intercept, joint, w, values):
    """The regression on T: w and its products with all samples in place; beta on T, b and |w|^2.

    system: what `_products` returns, and the factor of the system if T is smaller.
    """
    (idx, _, c_T, target, _), (_, _, factor) = on_T, system
    if 0 < w.size < idx.size:
        level = _primal(table, on_T, system, sigma, intercept, joint, w)
        np.dot(table, w, values)
        beta_T = np.empty(idx.size)
        for k in range(idx.size):
            beta_T[k] = sigma * c_T[k] * (target[k] - values[idx[k]] - level)
        return beta_T, level, _dot(w, w)
    beta_T, level = _dual(factor, target, intercept, joint)
    return beta_T, level, _expand(table, idx, beta_T, w, values)


@compiled
def _upper_factor(matrix, scale, shift):
    """U with U'U = scale matrix + diag(shift), and whether there is one."""
    H = np.empty_like(matrix)
    for i in range(shift.size):
        for j in range(shift.size):
            H[i, j] = scale * matrix[i, j]
        H[i, i] += shift[i]
    try:
        return np.linalg.cholesky(H).T, True
    except Exception:  # the only kind that numba knows
        return H, False


@compiled
def _solve_factor(U, right):
    """The solution of U'U x = right."""
    x = right.copy()
    for i in range(x.size):
        x[i] /= U[i, i]
        for j in range(i + 1, x.size):
            x[j] -= x[i] * U[i, j]
    for i in range(x.size - 1, -1, -1):
        known = 0.0
        for j in range(i + 1, x.size):
            known += U[i, j] * x[j]
        x[i] = (x[i] - known) / U[i, i]
    return x


@compiled
def _dual(factor, target, intercept, joint):
    """beta from (inner + diag(1 / sigma c)) beta = target - b, and b, by sum(beta) = 0 if `joint`."""
    if not target.size:
        return target, intercept
    right = np.empty_like(target)
    if not joint:
        for k in range(target.size):
            right[k] = target[k] - intercept
        return _solve_factor(factor, right), intercept
    for k in range(target.size):
        right[k] = 1.0
    response, level = _solve_factor(factor, target), _solve_factor(factor, right)
    intercept = response.sum() / level.sum()
    for k in range(target.size):
        response[k] -= intercept * level[k]
    return response, intercept


@inlined
def _primal(table, on_T, system, sigma, intercept, joint, w):
    """w, in place, from (I + sigma X' diag(c) X) w = sigma X' diag(c) (target - b), and b.

    About the mean if `joint`, where b is free.
    """
    (idx, _, c_T, target, _), (scatter, total, _) = on_T, system
    d, weighted, level = w.size, np.empty_like(target), intercept
    for k in range(idx.size):
        weighted[k] = c_T[k] * target[k]
    right, about, centre, ones = _combine_rows(table, idx, weighted), scatter, np.empty_like(w), np.empty_like(w)
    if joint:
        count = c_T.sum()
        about, level = np.empty_like(scatter), _dot(c_T, target) / count
        for k in range(d):
            centre[k] = total[k] / count
            for m in range(d):
                about[k, m] = scatter[k, m] - centre[k] * total[m]
    for k in range(d):
        right[k], ones[k] = sigma * (right[k] - level * total[k]), 1.0
    solution = _solve_factor(_upper_factor(about, sigma, ones)[0], right)
    for k in range(d):
        w[k] = solution[k]
    return level - _dot(centre, w) if joint else intercept


@compiled
def _expand(table, idx, beta_T, w, values):
    """w and its products with all samples, in place, for w = sum beta_i x_i over T; |w|^2."""
    some, squared_norm = _combine_rows(table, idx, beta_T), 0.0
    if w.size:
        for k in range(w.size):
            w[k] = some[k]
        np.dot(table, w, values)
        return _dot(w, w)
    for i in range(values.size):
        values[i] = some[i]
    for k in range(idx.size):
        squared_norm += beta_T[k] * values[idx[k]]
    return squared_norm


@compiled
def _squared_length(table, inner, idx, beta_T, w):
    """|sum beta_i x_i|^2 over T; at least zero in spite of rounding or an indefinite kernel."""
    if w.size:
        some = _combine_rows(table, idx, beta_T)
        return _dot(some, some)
    length = 0.0
    for i in range(idx.size):
        product = 0.0
        for k in range(idx.size):
            product += inner[i, k] * beta_T[k]
        length += beta_T[i] * product
    return max(length, 0.0)


@compiled
def _combine_rows(table, idx, beta_T):
    """sum beta_i table_i over T."""
    some = np.zeros(table.shape[1])
    for i in range(idx.size):
        sample, factor = idx[i], beta_T[i]
        for k in range(some.size):
            some[k] += factor * table[sample, k]
    return some


@inlined
def _mean_on_T(on_T, values):
    """b as the weighted mean of y (1 - A w - lam / (sigma c)) over T."""
    idx, _, c_T, target, _ = on_T
    mean = 0.0
    for k in range(idx.size):
        mean += c_T[k] * (target[k] - values[idx[k]])
    return mean / c_T.sum()


@inlined
def _mean_of_all(y, c, slack, on_T, values):
    """b as the weighted mean of y (1 - u - A w - lam / (sigma c)) over all samples."""
    wanted, mean = np.empty_like(y), 0.0
    for i in range(y.size):
        wanted[i] = y[i] * (1.0 - slack[i])  # outside T, u makes the previous f feasible
    for k in range(on_T.idx.size):
        wanted[on_T.idx[k]] = on_T.target[k]
    for i in range(y.size):
        mean += c[i] * (wanted[i] - values[i])
    return mean / c.sum()


@compiled
def worth(slack, T, c, C, squared_norm):
    """Objective, violators and accuracy. On T, where slacks converge to zero, only one above `NEARLY` is a violator."""
    cost, n_violators, correct = 0.0, 0, 0
    for i in range(slack.size):
        correct += slack[i] < 1.0
        if slack[i] > (NEARLY if T[i] else ROUNDING):
            cost += c[i]
            n_violators += 1
    return 0.5 * squared_norm + C * cost, n_violators, correct / slack.size


@inlined
def _residuals(z, slack, values, on_T, lam_T, lengths, penalty):
    """The `Residuals`, loose and strict.

    lengths: (|w + A' lam|^2, |w|^2); penalty: (sigma, window).
    """
    (slope, squared_norm), (sigma, window), idx = lengths, penalty, on_T.idx
    infeasible, most_infeasible = np.empty_like(z), 0.0
    outside, balance, total, astray, most_astray = _dot(z, z), 0.0, 0.0, 0.0, 0.0
    for i in range(z.size):
        infeasible[i] = z[i] - slack[i]
    for k in range(idx.size):
        i = idx[k]
        infeasible[i] = -slack[i]
        outside -= z[i] * z[i]
        balance += on_T.y[k] * lam_T[k]
        total += abs(lam_T[k])
        # outside T, lam = 0 and u = z is its own proximal point; on T, u = 0 is that of values in the window only
        u = -lam_T[k] / (sigma * on_T.c[k])
        if not 0.0 <= u <= window:
            astray += u * u
            most_astray = max(most_astray, abs(u))
    for i in range(z.size):
        if abs(infeasible[i]) > most_infeasible or np.isnan(infeasible[i]):
            most_infeasible = abs(infeasible[i])
    loose = Residuals(
        slope / (1.0 + squared_norm),
        abs(balance) / (1.0 + idx.size),
        _dot(infeasible, infeasible) / (z.size + _dot(values, values)),
        astray / (1.0 + outside),
    )
    strict = Residuals(
        np.sqrt(slope) / (1.0 + np.sqrt(abs(squared_norm))),
        abs(balance) / (1.0 + total),
        most_infeasible,
        most_astray,
    )
    return loose, strict


@compiled
def _code(small, usable, y_T, seen):
    """Code of the state of a run whose residuals are small or not; usable: better than chance."""
    if small and usable:
        for k in range(1, y_T.size):
            if y_T[k] != y_T[0]:
                return CONVERGED
        return ONE_CLASS if y_T.size else EMPTY
    times = 0
    for k in range(seen.size):
        times += seen[k] == seen[-1]
    return CYCLING if times > RETURNS else RUNNING


@compiled
def _checksum(T):
    """A number that differs for different T (Fowler, Noll and Vo, 64 bits)."""
    value = np.uint64(14695981039346656037)
    for inside in T:
        value = (value ^ np.uint64(inside)) * np.uint64(1099511628211)
    return value


@compiled
def _dot(a, b):
    """The sum of the products, in their order."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total
