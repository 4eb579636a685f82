"""Many points with few features under a Gaussian kernel: sets of coefficients near their bounds, no Gram matrix.

With up to three features a kernel value is computed as fast as it is read from memory, so no row is ever stored, and
memory is O(N). As in `decomposition` the dual is solved for a small set of coefficients by `smo`, then
F = -linear - (K + diag(ridge)) beta is corrected for what has changed, and the next set is chosen. Four things make the
rounds few and cheap.

**Cells.** The run begins at the solution of a coarse problem, that of `cells`: all points of a small part of the plane
are replaced by one. If there would be too many cells, it begins at zero.

**Sets of far apart points.** A set holds the free coefficients, and violators at equal intervals: the worst ones lie
close together, and moving a few of them corrects the others. If there are few violators, those are added that do not
violate yet but nearly do: these would be the violators of the next round.

**Sets of sets.** Among many points a set has thousands of coefficients, and is itself solved by such rounds.

**32 bits, checked in 64.** F is corrected with kernel values in single precision inside a set of thousands, whose F is
thrown away with it, and in the whole problem where this loses next to nothing. In the end F of the whole problem is
computed anew in double precision, and no status rests on anything else. A run that begins with a known F, near the
solution, corrects it for few coefficients, always in double precision, and need not compute it anew.

A point may have two coefficients (`doubled`): X then holds all points twice, and kernel values are computed once. A
ridge is no part of the kernel: what it adds to F is computed apart.

Source: Joachims (1998), Making large-scale SVM learning practical (sets of coefficients).
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numba import njit

from svmcore import deadline
from svmcore.duals import BoxQP
from svmcore.kernels import chebyshev, gaussian
from svmcore.solvers import cells, pair_updates, smo

MOST_FEATURES = 3
BAND = 1.0
GOAL = 0.1  # a set is solved to this share of the violation
SET, SET_FREE = 256, 1536  # coefficients in a set: near or beyond their bounds, and between them
OUTER, OUTER_FREE = 4096, 4096  # the same for a set of sets
NOISE = 3e-8  # of a product in single precision, times the sum of the sizes of the coefficients
ROUGH = 1e-8  # an expansion with this error loses less
FAINT = 0.1  # of the tolerance: what a product may lose
# an expansion costs as much as so many kernel values a point, so many more for each term, and to set up so many in all
SOURCES, SOURCES_PER_TERM, SOURCES_IN_ALL = 30, 0.08, 60_000
CHEAPER = 3  # in single precision
FORBIDDEN = 1e30  # that of `smo`: the cache of compiled functions does not notice a change in another file


def serves(kernel, X) -> bool:
    """Whether the solver is made for this kernel and this number of features."""
    return kernel.name == "rbf" and X.shape[1] <= MOST_FEATURES


def solve(kernel, X, qp, beta=None, F=None, *, tol=1e-3, max_iter=1_000_000) -> smo.State:
    """From the cells, or a feasible `beta` (N,) with its F (N,), until the violation is at most `tol`, or for
    `max_iter` pair updates.

    X (N, d) with d <= 3. The state's `work` is empty: such a run is not resumed.
    """
    points = _Points.of(kernel, X)
    exact, n_iter = F is not None, 0
    if beta is None:
        beta, n_iter = cells.begin(points.columns, points.gamma, qp, max_iter)
        F = points.residual(qp, beta, single=points.noise(beta) <= FAINT * tol)
    else:
        beta = beta.copy()
        F = F.copy() if exact else points.residual(qp, beta)
    goal = tol
    while True:
        limit = min(max_iter, len(beta)) if exact else max_iter
        steps, code = _rounds(points, qp, beta, F, goal, limit - n_iter, 0.0 if exact else FAINT * tol)
        n_iter += steps
        if exact and code != smo.CONVERGED and limit <= n_iter < max_iter:  # not as near as it seemed
            exact = False
            continue
        if not exact or smo.drift(beta, 1.0 + qp.ridge, n_iter) > smo.SLIGHT * tol:
            F = points.residual(qp, beta)
        reached = smo.at(qp, beta, F)._replace(n_iter=n_iter, code=smo.RUNNING)
        if reached.violation <= tol:
            return reached._replace(code=smo.CONVERGED)
        if code != smo.CONVERGED or deadline.passed():
            return reached
        goal = 0.5 * tol  # what the updates of F have lost


def product(kernel, X) -> Callable[[np.ndarray], np.ndarray]:
    """v -> K v in double precision, (N,) each, for a kernel and points that the solver `serves`."""
    points = _Points.of(kernel, X)

    def times(v):
        used = np.flatnonzero(v)
        return points.dot(used, v[used])

    return times


def _rounds(points, qp, beta, F, tol, max_iter, most_lost):
    """Sets of coefficients until the violation is at most `tol`, in place: (steps, code).

    F is corrected in single precision where that loses at most `most_lost`; infinity is that of a set of sets.
    """
    n_iter, nested = 0, most_lost < np.inf and len(beta) > 2 * OUTER
    size, free = (OUTER, OUTER_FREE) if nested else (SET, SET_FREE)
    chosen, excess = np.empty(len(beta), np.int64), np.empty(len(beta))
    while True:
        top, bottom = pair_updates.extremes(F, beta, qp.lower, qp.upper)
        if top - bottom <= tol:
            return n_iter, smo.CONVERGED
        if n_iter >= max_iter or deadline.passed():
            return n_iter, smo.RUNNING
        count = _choose(beta, F, qp.lower, qp.upper, top, bottom, size, free, chosen, excess)
        some = chosen[:count]
        *part, after, F_some = _part(some, *qp, beta, F)
        part = BoxQP(*part)
        goal, limit = max(0.5 * tol, GOAL * (top - bottom)), max_iter - n_iter
        if nested:
            steps, _ = _rounds(points.of_coefficients(some), part, after, F_some, goal, limit, np.inf)
        else:
            K = points.block(some)
            state = smo.in_time(K, part, smo.start(K, part, after, F_some), limit, tol=goal)
            after, steps = state.beta, state.n_iter
        moved, change = _put_back(some, after, part.ridge, beta, F)
        if not len(moved):
            return n_iter, smo.RUNNING
        F -= points.dot(moved, change, points.noise(change) <= most_lost)
        n_iter += steps


class _Points:
    """Points as the loops of `gaussian` take them, of which coefficients k and, if there are more, k + n are those of
    point k."""

    def __init__(self, columns, gamma, n_coefficients):
        self.columns, self.gamma, self.n_coefficients = columns, gamma, n_coefficients
        self.n = columns.shape[1]

    @classmethod
    def of(cls, kernel, X):
        """Those of X; where its second half repeats the first, two coefficients a point."""
        X, _ = kernel.checked(X)
        n = len(X)
        half, odd = divmod(n, 2)
        twice = not odd and np.array_equal(X[:half], X[half:])
        columns = gaussian.columns(X[:half] if twice else X)
        columns -= columns.mean(axis=1, keepdims=True)  # single precision loses fewer digits near zero
        return cls(columns, kernel.gamma, n)

    def of_coefficients(self, chosen):
        """A point for each of these coefficients."""
        idx = chosen % self.n
        return _Points(self.columns.take(idx, axis=1), self.gamma, len(idx))

    def block(self, chosen):
        """The kernel matrix of these coefficients, until the next call in this thread."""
        return gaussian.kept_gram(self.columns.take(chosen % self.n, axis=1), self.gamma)

    def dot(self, chosen, c, single=False):
        """K c for these coefficients: (n_coefficients,)."""
        some = chosen % self.n
        if self.expands(len(some), single):
            return self.for_coefficients(self.expansion.dot(some, c, ROUGH if single else chebyshev.ERROR))
        columns, dot = (
            (self.single, gaussian.difference_dot_single) if single else (self.columns, gaussian.difference_dot)
        )
        out = np.zeros(self.n)
        dot(columns, columns.take(some, axis=1), c, self.gamma, out)
        return self.for_coefficients(out)

    def noise(self, c):
        """What K c loses in single precision."""
        return NOISE * np.abs(c).sum()

    def expands(self, count, single):
        """Whether the expansion takes less time than the kernel values of `count` coefficients."""
        cheaper, fewest = CHEAPER if single else 1, SOURCES + SOURCES_IN_ALL / self.n
        if len(self.columns) > 2 or count <= cheaper * fewest:
            return False
        terms = self.expansion.terms(ROUGH if single else chebyshev.ERROR)
        return count > cheaper * (fewest + SOURCES_PER_TERM * terms)

    @cached_property
    def single(self):
        return self.columns.astype(np.float32)

    @cached_property
    def expansion(self):
        return chebyshev.Expansion(self.columns, self.gamma)

    def for_coefficients(self, values):
        """One value a point, (n,), as one a coefficient, (n_coefficients,)."""
        return values if self.n == self.n_coefficients else np.concatenate([values, values])

    def residual(self, qp, beta, single=False):
        """F = -linear - (K + diag(ridge)) beta from scratch, (n_coefficients,)."""
        nonzero, F = np.flatnonzero(beta), -qp.linear - qp.ridge * beta
        return F - self.dot(nonzero, beta[nonzero], single) if len(nonzero) else F


# ---------------------------------------------------------------------------------------------- compiled

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nnan", "nsz"})


@compiled
def _choose(beta, F, lower, upper, top, bottom, size, most_free, chosen, excess):
    """The number of coefficients in the next set, chosen[:number]; top and bottom are the extremes of F.

    All free coefficients, unless they are more than `most_free`, and about `size` others: half of them may rise, half
    fall. Of each half violators come first, then coefficients near violation; of a kind of which there are more than
    fit, some at equal intervals and the worst. `excess` (N,) is working memory: how far F lies beyond the middle of top
    and bottom, on the side to which the coefficient may move.
    """
    middle, free = 0.5 * (top + bottom), 0
    near, worst = BAND * (bottom - middle), np.array([top - middle, middle - bottom])
    for k in range(beta.size):
        free += 1 if (lower[k] < beta[k]) & (beta[k] < upper[k]) else 0
    keep_free = free <= most_free
    rising = falling = rising_near = falling_near = 0
    for k in range(beta.size):
        rise = F[k] - middle if beta[k] < upper[k] else -FORBIDDEN
        fall = middle - F[k] if beta[k] > lower[k] else -FORBIDDEN
        kept = keep_free & (rise == -fall)
        value = rise if rise > fall else fall
        excess[k] = FORBIDDEN if kept else value
        rise = -FORBIDDEN if kept else rise
        fall = -FORBIDDEN if kept else fall
        rising += 1 if rise > 0.0 else 0
        falling += 1 if fall > 0.0 else 0
        rising_near += 1 if rise > near else 0
        falling_near += 1 if fall > near else 0
    rising_near -= rising
    falling_near -= falling
    half, owed, count = size // 2, np.full((2, 2), 0.5), 0
    share = np.array(  # of each kind and side
        [
            [max(half - rising, 0) / max(rising_near, 1), max(half - falling, 0) / max(falling_near, 1)],
            [half / max(rising, 1), half / max(falling, 1)],
        ]
    )
    candidates = 0  # in loops without branches: which way they go cannot be predicted
    for k in range(beta.size):
        chosen[candidates] = k
        candidates += 1 if excess[k] > near else 0
    for q in range(candidates):
        k = chosen[q]
        taken = True
        if excess[k] < FORBIDDEN:
            side = 0 if (beta[k] < upper[k]) & ((beta[k] == lower[k]) | (F[k] > middle)) else 1
            kind = 1 if excess[k] > 0.0 else 0
            owed[kind, side] += min(share[kind, side], 1.0)
            due = owed[kind, side] >= 1.0
            owed[kind, side] -= 1.0 if due else 0.0
            taken = due | (excess[k] >= worst[side])
            worst[side] = FORBIDDEN if taken & (not due) else worst[side]  # one of them is enough
        chosen[count] = k
        count += 1 if taken else 0
    return count


@compiled
def _part(some, lower, upper, ridge, linear, beta, F):
    """The entries of each vector for these coefficients, (6, len(some)): a row for each vector."""
    part = np.empty((6, some.size))
    for q in range(some.size):
        k = some[q]
        part[0, q], part[1, q], part[2, q] = lower[k], upper[k], ridge[k]
        part[3, q], part[4, q], part[5, q] = linear[k], beta[k], F[k]
    return part


@compiled
def _put_back(some, after, ridge, beta, F):
    """beta[some] = after, with what the ridge changes in F: (the coefficients that have changed, by how much)."""
    moved, change, count = np.empty(some.size, np.int64), np.empty(some.size), 0
    for q in range(some.size):
        k = some[q]
        if after[q] != beta[k]:
            moved[count], change[count] = k, after[q] - beta[k]
            F[k] -= ridge[q] * change[count]
            beta[k] = after[q]
            count += 1
    return moved[:count], change[:count]
