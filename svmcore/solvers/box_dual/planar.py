"""Many points with few features under a Gaussian kernel: sets of coefficients near their bounds, no Gram matrix.

With up to three features a kernel value is computed as fast as it is read from memory, so no row is ever stored, and
memory is O(N). As in `decomposition` the dual is solved for a small set of coefficients by `smo`, then
F = -linear - (K + diag(ridge)) beta is corrected for what has changed, and the next set is chosen. Four things make the
rounds few and cheap.

**Cells.** The run begins at the solution of a coarse problem, that of `cells`: all points of a small part of the plane
are replaced by one. The cells of very many points are themselves a problem of many points, which begins at larger
cells. If there would be too many cells, the run begins at zero.

**Sets of far apart points.** A set holds the free coefficients, and violators at equal intervals: the worst ones lie
close together, and moving a few of them corrects the others. If there are few violators, those are added that do not
violate yet but nearly do: these would be the violators of the next round.

**Sets of sets.** Among many points a set has thousands of coefficients, and is itself solved by such rounds.

**32 bits, checked in 64.** F is corrected with kernel values in single precision inside a set of thousands, whose F is
thrown away with it, and in the whole problem where this loses next to nothing; points far apart lose more. In the end F
of the whole problem is computed anew in double precision, and no status rests on anything else. A run that begins with
a known F, near the solution, corrects it for few coefficients, always in double precision, and need not compute it
anew.

A point may have two coefficients (`doubled`): X then holds all points twice, and kernel values are computed once. A
ridge is no part of the kernel: what it adds to F is computed apart.

Source: Joachims (1998), Making large-scale SVM learning practical (sets of coefficients).
"""

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np

from svmcore import deadline
from svmcore.duals import BoxQP
from svmcore.kernels import chebyshev, gaussian, rows
from svmcore.solvers.box_dual import cells, pair_updates, planar_steps, smo
from svmcore.solvers.solution import Solution
from svmcore.status import Status

MOST_FEATURES = 3
# coefficients in a set that are near or beyond their bounds: in a run from the cells, and in one from the solution of
# a similar problem, which takes few steps
SET, STARTED_SET = 128, 64
OUTER, OUTER_SHARE, OUTER_FREE = 4096, 64, 4096  # the same for a set of sets; among many points one in so many
MANY = 20_000  # points above which there are finer cells, and products for the last digits take an expansion
ROUGH = 1e-8  # an expansion with this error loses less
FAINT = 0.1  # of the tolerance: what a product may lose
# an expansion costs as much as so many kernel values a point, so many more for each polynomial and for each product of
# two; and, whatever the number of points, so many, more for each coefficient and for each operation on the moments
SOURCES, PER_POLYNOMIAL, PER_TERM = 20, 0.5, 0.09
SOURCES_IN_ALL, PER_COEFFICIENT, PER_OPERATION = 60_000, 50, 0.2
FAINT_NOISE = 1e-6  # of a product in single precision that is good enough inside a set of sets
CHEAPER = 3  # in single precision


def serves(kernel, X) -> bool:
    """True if the solver is made for this kernel and this number of features."""
    return kernel.name == "rbf" and X.shape[1] <= MOST_FEATURES


def solve(kernel, X, qp, *, tol=1e-3, max_iter=1_000_000, start=None) -> Solution:
    """The solution after a run from the cells, or from a feasible `warm.Start`, of at most `max_iter` pair updates.

    X (N, d) with d <= 3.
    """
    points = _Points.from_rows(kernel, X)
    near, n_iter = start is not None and start.image is not None, 0
    if start is None:
        beta, n_iter = _begin(points, qp, max_iter)
        F = points.residual(qp, beta, single=points.noise(beta) <= FAINT * tol)
    else:
        beta = start.beta.copy()
        F = start.F(qp) if near else points.residual(qp, beta)
    route = "pair updates on sets, from cells" if start is None else "pair updates on sets"
    goal, size = tol, STARTED_SET if near else SET
    while True:
        limit = min(max_iter, len(beta)) if near else max_iter
        steps, code = _rounds(points, qp, beta, F, size, goal, limit - n_iter, 0.0 if near else FAINT * tol)
        n_iter += steps
        if near and code != smo.CONVERGED and limit <= n_iter < max_iter:  # not as near as it seemed
            near = False
            continue
        if not near or smo.drift(beta, 1.0 + qp.ridge, n_iter) > smo.SLIGHT * tol:
            F = points.residual(qp, beta)
        found = smo.solution(qp, beta, F, n_iter, Status.ITERATION_LIMIT, route)
        if found.violation <= tol:
            return found._replace(status=Status.CONVERGED)
        if code != smo.CONVERGED or deadline.is_over():
            return found
        goal = 0.5 * tol  # what the updates of F have lost


def product(kernel, X) -> Callable[[np.ndarray], np.ndarray]:
    """v -> K v in double precision, (N,) each, for a kernel and points that the solver `serves`."""
    points = _Points.from_rows(kernel, X)

    def times(v):
        used = np.flatnonzero(v)
        return points.dot(used, v[used])

    return times


def _begin(points, qp, max_iter):
    """(beta, steps): feasible coefficients from the cells, by way of finer and finer ones if there are many points."""
    level = cells.finer(points.columns, points.gamma, qp) if points.n > MANY else None
    if level is None:
        return cells.begin(points.columns, points.gamma, qp, max_iter)
    coarse = _Points(level.columns, points.gamma, len(level.qp.linear))
    total, n_iter = _begin(coarse, level.qp, max_iter)
    F = coarse.residual(level.qp, total, single=coarse.noise(total) <= FAINT * cells.TOL)
    n_iter += _rounds(coarse, level.qp, total, F, SET, cells.TOL, max_iter - n_iter, FAINT * cells.TOL)[0]

    def sums(places, middles, c):
        both = _Points(np.concatenate([middles, places], axis=1), points.gamma, middles.shape[1] + places.shape[1])
        return both.dot(np.arange(len(c)), c, single=True)[len(c) :]

    return cells.divide(level, total, points.columns, qp, sums), n_iter


class Rows(rows.Rows):
    """`rows.Rows` of points that the solver `serves`: a product with many of them is that of an expansion."""

    def __init__(self, kernel, X):
        super().__init__(kernel, X)
        self._points = _Points.from_rows(kernel, X)

    def dot(self, idx, c) -> np.ndarray:
        """K[:, idx] @ c, shape (N,)."""
        return self._points.dot(np.asarray(idx, np.intp), np.asarray(c, np.float64))


def _rounds(points, qp, beta, F, size, tol, max_iter, most_lost):
    """Sets of coefficients until the violation is at most `tol`, in place: (steps, code); `size`: see `SET`.

    F is corrected in single precision where that loses at most `most_lost`.
    """
    n_iter, nested = 0, not points.is_set and len(beta) > 2 * OUTER
    while True:
        limit = max_iter - n_iter
        if nested:
            steps, code, moved, change = _set_of_sets(points, qp, beta, F, size, tol, limit)
        else:
            plan = planar_steps.Plan(size, tol, limit, most_lost, points.few)
            record = planar_steps.Points(points.columns, points.single, points.gamma, points.noise_of_one)
            steps, code, moved, change = planar_steps.rounds(record, qp, beta, F, plan, gaussian.kept_memory())
        n_iter += steps
        if not len(moved):
            return n_iter, code
        F -= points.dot(moved, change, points.noise(change) <= most_lost)
        if deadline.is_over():
            return n_iter, smo.RUNNING


def _set_of_sets(points, qp, beta, F, size, tol, max_iter):
    """One round with a set that is itself solved in rounds; returns what `planar_steps.rounds` does."""
    chosen, excess = np.empty(len(beta), np.int64), np.empty(len(beta))
    top, bottom = pair_updates.extremes(F, beta, qp.lower, qp.upper)
    if top - bottom <= tol or max_iter <= 0:
        return 0, smo.CONVERGED if top - bottom <= tol else smo.RUNNING, chosen[:0], excess[:0]
    most = max(OUTER, points.n // OUTER_SHARE), OUTER_FREE
    count = planar_steps.choose(qp, beta, F, (top, bottom), most, chosen, excess)
    some = chosen[:count]
    *part, after, F_some = planar_steps.take(some, *qp, beta, F)
    part, goal = BoxQP(*part), planar_steps.goal(tol, top, bottom)
    lost = np.inf if points.noise_of_one <= FAINT_NOISE else 0.0
    steps, _ = _rounds(points.of_coefficients(some), part, after, F_some, size, goal, max_iter, lost)
    return steps, smo.RUNNING, *planar_steps.put_back(some, after, part.ridge, beta, F)


class _Points:
    """Points as the loops of `gaussian` take them, of which coefficients k and, if there are more, k + n are those of
    point k; `is_set`: those of a set of sets."""

    def __init__(self, columns, gamma, n_coefficients, is_set=False):
        self.columns, self.gamma, self.n_coefficients, self.is_set = columns, gamma, n_coefficients, is_set
        self.n = columns.shape[1]

    @classmethod
    def from_rows(cls, kernel, X):
        """Make those of X; where its second half repeats the first, two coefficients a point."""
        X, _ = kernel.check_points(X)
        n = len(X)
        half, odd = divmod(n, 2)
        twice = not odd and np.array_equal(X[:half], X[half:])
        columns = gaussian.columns(X[:half] if twice else X)
        columns -= columns.mean(axis=1, keepdims=True)  # single precision loses fewer digits near zero
        return cls(columns, kernel.gamma, n)

    def of_coefficients(self, chosen):
        """A point for each of these coefficients."""
        idx = chosen % self.n
        return _Points(self.columns.take(idx, axis=1), self.gamma, len(idx), is_set=True)

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
        """Error of K c in single precision."""
        return self.noise_of_one * np.abs(c).sum()

    def expands(self, count, single):
        """True if the expansion takes less time than the kernel values of `count` coefficients."""
        cheaper = CHEAPER if single else 1
        if count <= cheaper * self.few:
            return False
        m, n = self.expansion.lengths(ROUGH if single else chebyshev.ERROR)
        if max(m, n) > chebyshev.LONGEST:
            return False
        each = PER_POLYNOMIAL * (m + n) + PER_TERM * m * n
        in_all = PER_COEFFICIENT * (m * m + n * n) + PER_OPERATION * m * n * (m + n)
        return count > cheaper * (self.few + each + in_all / self.n)

    @property
    def few(self):
        """The number of coefficients up to which no expansion pays."""
        return SOURCES + SOURCES_IN_ALL / self.n if len(self.columns) == 2 else np.inf

    @cached_property
    def noise_of_one(self):
        """The same for one coefficient of size 1."""
        largest = math.sqrt(self.gamma) * float(np.abs(self.columns).max())
        return planar_steps.NOISE * max(1.0, largest / planar_steps.NEAR)

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
