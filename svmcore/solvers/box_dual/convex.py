"""Any kernel, any four vectors: chooses a suitable solver, and reports how it ended.

no box at all          one Cholesky factorisation (`linear_system`), conjugate gradients if it does not fit
linear kernel          more than 300 points, eight or more for each feature: Newton steps on w (`semismooth`), or an
                       interior point method on the points themselves (`interior_point`)
up to 700 points       pair updates on the Gram matrix (`smo`)
more                   pair updates on working sets, kernel rows on demand (`decomposition`); a kernel that is
                       expensive to recompute keeps its Gram matrix up to 5000 points
from 1500 on           a Gaussian kernel of up to three features: sets from a problem of cells (`planar`)
slow pair updates      Newton steps on the free set (`active_set`) and an interior point method on a low-rank factor
                       of the kernel matrix (`interior_point`)
"""

from contextlib import nullcontext
from functools import cached_property

import numpy as np

from svmcore import deadline, duals
from svmcore.kernels import definiteness
from svmcore.kernels.kernel import mean
from svmcore.kernels.rows import Rows
from svmcore.solvers import blas, rounding
from svmcore.solvers.box_dual import (
    active_set,
    decomposition,
    interior_point,
    linear_system,
    planar,
    semismooth,
    smo,
    warm,
)
from svmcore.solvers.solution import Solution
from svmcore.status import Status, qualify
from svmcore.words import with_count

SOLVERS = ("auto", "smo", "direct", "cg")
SMALL = 700  # up to here the whole Gram matrix costs less than choosing working sets
LARGE = 1500  # from here on, cells cost less than the rounds that they save
DENSE = 5000  # a Gram matrix of 200 MB
FEW = 300  # below, pair updates finish before an interior point method has started
# pair updates per point, and in total, before other solvers take over; of many points in the plane more in total
PATIENCE, LONGEST, LONGEST_PER_POINT = 200, 250_000, 12.5
LARGEST_RANK, LARGEST_FACTOR = 1000, 12_500_000  # columns and entries, 100 MB, of a low-rank factor
LARGEST_WHOLE = 2000
NEAR = 1e-2  # violation below which the bounds are mostly correct, so that Newton steps are worth trying
HOPE = 2e10  # operations allowed for this: less than a second
WIDE = 1e-2  # relative gap of primal and dual objective above which no violation is small enough
NOTHING = 1e-10  # a gap below this share of the objective at f = 0 is rounding
SMALLEST = float(np.finfo(float).tiny)
FINER = (0.7, 0.45)  # shares of the tolerance with which a multiple of the solution closes most gaps
REFINEMENTS = 7  # of the tolerance, to close the gap


def solve(kernel, X, qp, *, tol=1e-3, max_iter=1_000_000, solver="auto", start=None) -> Solution:
    """Minimise the BoxQP `qp` for the kernel matrix of X, (N, d); a precomputed kernel takes (N, N).

    `start`, a `warm.Start` from the solution of a similar problem, is where pair updates begin: the answer is accurate
    to the same `tol`, but not the same to the last bit. Other solvers begin as without it.

    The objective is that of the BoxQP: the dual one is its negative. The violation is the largest F that may rise minus
    the smallest that may fall, F = -linear - (K + diag(ridge)) beta.

    `tol` bounds the violation, `max_iter` the pair updates or conjugate gradient steps. The violation says little about
    the objective if C is large: while the gap is not within `WIDE`, the tolerance is made finer. If the kernel matrix
    is not positive semidefinite, the result is a stationary point, and the status says so. Raises ValueError if
    `solver` does not apply: "direct" and "cg" solve a linear system, so they need a problem without bounds (least
    squares), and "direct" a Gram matrix that fits.
    """
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}; got {solver!r}")
    unbounded = np.isinf(qp.lower).all() and np.isinf(qp.upper).all()
    if solver in ("direct", "cg") and not unbounded:
        raise ValueError(
            f"solver={solver!r} solves a linear system, which only loss='least_squares' has; use solver='auto' or 'smo'"
        )
    n = len(qp.linear)
    if solver == "direct" and n > DENSE:
        raise ValueError(
            f"solver='direct' needs the whole Gram matrix, at most {DENSE} points, got {n}; use solver='cg' or 'auto'"
        )
    X = np.asarray(X, dtype=float)
    # pair updates of few points need no BLAS, and would wait for the limit
    with blas.one_thread() if unbounded or n > SMALL else nullcontext():
        found = close(_reach(kernel, X, qp, max_iter, solver, unbounded, start), qp, tol)
        return in_words(found, kernel, X, qp, tol)


def in_words(found, kernel, X, qp, tol) -> Solution:
    """The solution with a status that is true of its kernel matrix, and of its machine in exact arithmetic."""
    if not rounding.is_harmless(found, kernel, X, tol):
        found = measure(found, kernel, X, qp, tol)
    status = deadline.final_status(qualify(found.status, lambda: definiteness.is_definite(kernel, X, qp.ridge)))
    return found if status == found.status else found._replace(status=status)


def measure(found, kernel, X, qp, tol) -> Solution:
    """The solution for the points X (N, d), with one or two coefficients a point, as `rounding.check` returns it."""

    def violation(values):
        beta = found.beta
        if len(qp.linear) == 2 * len(beta):  # merged by `doubled`
            beta, values = np.concatenate([np.maximum(beta, 0.0), np.minimum(beta, 0.0)]), np.tile(values, 2)
        F = -qp.linear - values - qp.ridge * beta
        state = smo.state_at(qp, beta, (F - found.intercept).astype(float))  # between top and bottom: small numbers
        return state.top - state.bottom

    return rounding.check(found, kernel, X, tol, violation)


def close(reach, qp, tol) -> Solution:
    """Call `reach(tolerance)` with finer tolerances while the objective may be far from the optimum."""
    found, finer = reach(tol), tol
    for refinement in range(REFINEMENTS):
        apart = width(found, qp)
        if found.status != Status.CONVERGED or apart <= WIDE:
            return found
        finer = FINER[refinement] * tol if refinement < len(FINER) else finer * min(0.1, 0.3 * WIDE / apart)
        again = _stretch(qp, reach(finer), tol)
        if again.details.gap < found.details.gap and again.violation <= tol:
            found = again._replace(status=Status.CONVERGED)
        found = found._replace(n_iter=again.n_iter, route=again.route)
    return found._replace(status=Status.WIDE_GAP) if width(found, qp) > WIDE else found


def _stretch(qp, found, tol):
    """The multiple of a solution that uses up the tolerance, if its gap is smaller.

    Where C is so large that no point should lie inside the margin, the points that are inside it by half the violation
    v make up the gap. A multiple of 1 + v / 2 moves them to its edge, and adds about v to the violation.
    """
    multiple = 1.0 + 0.5 * min(found.violation, tol - found.violation)
    if found.details.image is None or not multiple > 1.0:
        return found
    beta, image = multiple * found.beta, multiple * found.details.image
    if (beta < qp.lower).any() or (beta > qp.upper).any():
        return found
    again = smo.solution(qp, beta, warm.Start(beta, image).F(qp), found.n_iter, found.status, found.route)
    return again if again.details.gap < found.details.gap and again.violation <= tol else found


def width(found, qp) -> float:
    """The gap of a solution relative to its objectives, 0 where it is not known; the dual one is minus that of the
    BoxQP."""
    gap = found.details.gap
    if gap is None:
        return 0.0
    relative = gap / max(abs(gap - found.objective), abs(found.objective), SMALLEST)
    if relative > WIDE and gap <= NOTHING * duals.gap(qp, np.zeros(len(found.beta)), -qp.linear):
        return 0.0
    return relative


def _reach(kernel, X, qp, max_iter, solver, unbounded, start):
    """tol -> the solution by the solver that suits, down to a violation of `tol`; pair updates begin at `start`."""
    n = len(qp.linear)
    if unbounded and solver != "smo":
        solver = "cg" if solver == "cg" or n > DENSE else "direct"
        return lambda tol: _linear(kernel, X, qp, tol, max_iter, solver)
    if solver == "auto" and kernel.name == "linear" and n > FEW and X.shape[1] <= n / 8:
        return lambda tol: _linear_kernel(kernel, X, qp, tol)
    return _Pairs(kernel, X, qp, max_iter, solver == "auto", start).reach


def _linear(kernel, X, qp, tol, max_iter, solver):
    if solver == "direct":
        own = kernel.name != "precomputed"  # never overwrite the caller's Gram matrix
        return linear_system.direct(kernel(X), qp, overwrite=own, tol=tol)
    if len(qp.linear) <= DENSE:
        K = kernel(X)
    else:
        K = planar.product(kernel, X) if planar.serves(kernel, X) else lambda v: kernel.dot(X, X, v)
    return linear_system.solve(K, qp, tol=tol, max_iter=max_iter)


class _Pairs:
    """Pair updates; with `finish` first a budget of them, then faster methods, and only then the rest of them."""

    def __init__(self, kernel, X, qp, max_iter, finish, start):
        n, d = len(qp.linear), X.shape[1]
        self.kernel, self.X, self.qp, self.max_iter = kernel, X, qp, max_iter
        self.in_sets = n > DENSE or (n > SMALL and kernel.is_cheap(d))
        self.in_plane = self.in_sets and (n >= LARGE or start is not None) and planar.serves(kernel, X)
        longest = max(LONGEST, int(LONGEST_PER_POINT * n)) if self.in_plane else LONGEST
        self.budget = min(max_iter, PATIENCE * (100 + n), longest) if finish else max_iter
        self.start = None if start is None else warm.begin(self._product, qp, start)
        self.state, self.found = None, None

    @cached_property
    def K(self):
        """The Gram matrix, or its rows on demand, which `planar` does without."""
        if self.in_plane and len(self.X) > planar.MANY:
            return planar.Rows(self.kernel, self.X)
        return Rows(self.kernel, self.X) if self.in_sets else self.kernel(self.X)

    def _product(self, v):
        if self.in_plane:
            return planar.product(self.kernel, self.X)(v)
        nonzero = np.flatnonzero(v)
        return self.K.dot(nonzero, v[nonzero]) if self.in_sets else self.K @ v

    def reach(self, tol):
        """The solution down to a violation of `tol`; a further call, with a finer one, begins where the last ended."""
        before = 0
        if self.found is not None and self.state is None:
            before = self.found.n_iter
            self.start = warm.Start(self.found.beta, self.found.details.image)
        found = self._advance(tol)
        if found.status == Status.ITERATION_LIMIT and found.n_iter < self.max_iter and not deadline.is_over():
            found, self.state = self._finish(found, tol), None
        self.found = found if before == 0 else found._replace(n_iter=before + found.n_iter)
        return self.found

    def _advance(self, tol):
        run = {"tol": tol, "max_iter": self.budget}
        if self.in_plane:
            return planar.solve(self.kernel, self.X, self.qp, start=self.start, **run)
        if self.in_sets:
            return decomposition.solve(self.K, self.qp, start=self.start, **run)
        if self.state is None:
            origin = () if self.start is None else (self.start.beta, self.start.F(self.qp))
            state = smo.start(self.K, self.qp, *origin)
        else:  # steps change these in place, and the last solution has them
            state = self.state._replace(beta=self.state.beta.copy(), F=self.state.F.copy())
        self.state = smo.run(self.K, self.qp, state, tol=tol, max_iter=state.n_iter + self.budget)
        return smo.to_solution(self.K, self.qp, self.state, tol)

    def _finish(self, reached, tol):
        """The optimum from where the budget of pair updates ended."""
        if self.kernel.name == "linear" and self.X.shape[1] <= semismooth.MOST_COLUMNS:
            found = _linear_kernel(self.kernel, self.X, self.qp, tol)
            if found.status == Status.CONVERGED and found.violation <= tol:
                return found._replace(n_iter=found.n_iter + reached.n_iter, route=f"{reached.route}, {found.route}")
        with blas.one_thread():
            finished = _finish(self.kernel, self.K, self.qp, reached, tol)
        if finished.status == Status.CONVERGED or deadline.is_over():
            return finished
        if self.in_plane:
            start, left = warm.Start(finished.beta, finished.details.image), self.max_iter - reached.n_iter
            rest = planar.solve(self.kernel, self.X, self.qp, tol=tol, max_iter=left, start=start)
            rest = rest._replace(n_iter=reached.n_iter + rest.n_iter, route=finished.route)
        elif self.in_sets:
            rest = decomposition.solve(self.K, self.qp, tol=tol, max_iter=self.max_iter)._replace(route=reached.route)
        else:
            state = smo.run(self.K, self.qp, self.state, tol=tol, max_iter=self.max_iter)
            rest = smo.to_solution(self.K, self.qp, state, tol)
        return min(rest, finished, key=lambda solution: solution.violation)


def _linear_kernel(kernel, X, qp, tol):
    """Few features: Newton steps on w and the intercept, or an interior point method, on X itself, for any C.

    Points are centred, which changes only the intercept, since sum(beta) = 0, and loses fewer digits.
    """
    centre = mean(X)
    L = X - centre
    found = semismooth.solve(L, qp, tol=0.1 * tol) if semismooth.serves(L, qp) else None
    if found is not None and found.violation <= tol:
        found = found._replace(status=Status.CONVERGED)
    else:
        found = _interior_point(kernel, L, qp, tol)
    shift = float(centre @ (X.T @ found.beta))
    return found._replace(intercept=found.intercept - shift).with_details(image=found.details.image + shift)


def _interior_point(kernel, L, qp, tol):
    """The interior point method; Newton steps on its free set compute the last digits."""
    with blas.one_thread():
        found = interior_point.solve(L, qp, tol=0.1 * tol)
        polished = active_set.newton(Rows(kernel, L), qp, interior_point.crossover(found, qp), tol=tol)
    route = f"{with_count(found.n_iter, 'interior point iteration')}, {with_count(polished.rounds, 'Newton step')}"
    return smo.solution(qp, polished.beta, polished.F, found.n_iter + polished.rounds, polished.status, route)


def _finish(kernel, K, qp, reached, tol):
    """Newton steps from the end of the pair updates; with too many wrong bounds, an interior point method first."""
    hope = HOPE if reached.violation <= NEAR else 0.0
    polished = active_set.newton(K, qp, reached.beta, tol=tol, max_work=hope)
    n_iter, route = reached.n_iter + polished.rounds, reached.route
    found = _interior(kernel, K, qp, np.abs(reached.beta).max(), tol) if polished.violation > tol else None
    if found is not None:
        again = active_set.newton(K, qp, interior_point.crossover(found, qp), tol=tol)
        polished = min(polished, again, key=lambda point: point.violation)
        n_iter += found.n_iter + again.rounds
        route += f", {with_count(found.n_iter, 'interior point iteration')}"
    route = f"{route}, {with_count(polished.rounds, 'Newton step')}"
    return smo.solution(qp, polished.beta, polished.F, n_iter, polished.status, route)


def _interior(kernel, K, qp, largest, tol):
    """The interior point method on a low-rank factor of K, else on the whole of it; None if neither is possible."""
    n, whole = len(qp.linear), isinstance(K, np.ndarray)
    if kernel.definite:
        column = K.__getitem__ if whole else lambda j: K.rows([j])[0]
        # a factor with error e causes an error of a few e |beta| in F
        accuracy = max(1e-14, 0.01 * tol / max(largest, 1.0))
        diagonal = K.diagonal() if whole else K.diagonal
        most = min(n // 2, LARGEST_RANK, LARGEST_FACTOR // n)
        factor = interior_point.pivoted_cholesky(column, diagonal, tol=accuracy, max_rank=most)
        if factor.complete:
            return interior_point.solve(factor.L, qp, tol=0.1 * tol)
    if n > LARGEST_WHOLE:
        return None
    return interior_point.solve_gram(K if whole else K.block(np.arange(n)), qp, tol=0.1 * tol)
