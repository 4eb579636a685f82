"""An interior-point method for any `svmcore.duals.BoxQP`: ten to forty iterations, whatever C, the kernel and the loss.

    minimise    1/2 b'(K + diag(ridge)) b + linear'b
    subject to  sum(b) = 0,   lower <= b <= upper

The kernel matrix K, positive semidefinite, is given as K = L L' with L of shape (N, r), or in full. With multipliers
for the sum (the intercept) and for each finite bound (`below`, `above`), and with F = -linear - (K + diag(ridge)) b,
optimal means that b is in the box, that no multiplier is negative, and that

    F = intercept - below + above,   sum(b) = 0,   below (b - lower) = 0,   above (upper - b) = 0.

Newton's method on these equations, with mu > 0 in place of the last two zeros, stays inside the box while mu goes to
zero. Each iteration solves with K + D, where D = ridge + below / (b - lower) + above / (upper - b). An absent bound has
no multiplier and adds nothing; a coefficient with equal bounds is not an unknown.

An iteration takes O(N r^2 + r^3) operations with a factor, N^3 / 3 with the whole matrix (and with r > N / 2); pair
updates take many N steps of O(N), the more the larger C. So this pays for a linear kernel, and for a smooth one whose
`pivoted_cholesky` has a rank far below N, from about C = 100; for least_absolute and pinball from C = 1.

It ends near the optimum, inside the box. `crossover` moves the coefficients that belong on a bound onto it, which
usually gives the optimum to the last digits; `active_set.newton` removes the error of a low rank, and any other left.
A Gaussian factor of tolerance e makes an error of about 10 e C in F, so e = 0.01 tol / C suffices; below 1e-14 nothing
is gained. Of a linear kernel the centred points lose the fewest digits (`centred`).

References
    S. Mehrotra (1992). On the implementation of a primal-dual interior point method. SIAM Journal on Optimization
        2(4), 575-601 (predictor and corrector).
    S. Fine, K. Scheinberg (2001). Efficient SVM training using low-rank kernel representations. Journal of Machine
        Learning Research 2, 243-264 (the pivoted Cholesky factor, and the iteration with it).
    J. Nocedal, S. J. Wright (2006). Numerical Optimization, 2nd edition. Springer. Section 16.6.
"""

from typing import NamedTuple

import numpy as np

from svmcore import deadline
from svmcore.solvers.box_dual.shifted import LowRank, Whole
from svmcore.solvers.solution import Details, Solution
from svmcore.status import Status

ROUTE = "interior point"
SHY = 0.995  # the largest share of the distance to the boundary that a step may take
LEAST = 1e-14  # of the largest K_ii: the smallest D; a smaller one would turn the rounding errors of F into long steps
PATIENCE = {False: 10, True: 2}  # iterations without progress, before and after each coefficient is decided
TINY = 1e-300


class Factor(NamedTuple):
    """K = L L' up to a positive semidefinite remainder whose largest diagonal entry is `error`.

    `complete`: the tolerance was met; False when `max_rank` columns were not enough.
    """

    L: np.ndarray  # (N, r)
    pivots: np.ndarray  # (r,), the samples whose columns were used
    error: float
    complete: bool


def pivoted_cholesky(column, diagonal, *, tol=1e-14, max_rank=None) -> Factor:
    """A low-rank factor, one column of K at a time, always that of the sample with the largest remaining error.

    column(j) -> K[:, j] of shape (N,); diagonal: (N,). Stops when no remaining diagonal entry exceeds tol times the
    largest of K, and incomplete at the time limit. O(N r^2) operations, r columns of K. Fine and Scheinberg (2001),
    section 4.
    """
    rest = np.array(diagonal, dtype=float)
    n = len(rest)
    max_rank = n if max_rank is None else min(max_rank, n)
    threshold = tol * rest.max(initial=0.0)
    rows, pivots = np.empty((min(max_rank, 64), n)), []
    while len(pivots) < max_rank:
        j, r = int(np.argmax(rest)), len(pivots)
        if rest[j] <= threshold or deadline.is_over():
            break
        if r == len(rows):
            rows = np.concatenate([rows, np.empty((min(r, max_rank - r), n))])
        rows[r] = (column(j) - rows[:r, j] @ rows[:r]) / np.sqrt(rest[j])
        rest -= rows[r] ** 2
        pivots.append(j)
        rest[pivots] = 0.0
    error = float(rest.max(initial=0.0))
    r = len(pivots)
    return Factor(np.ascontiguousarray(rows[:r].T), np.array(pivots, dtype=np.intp), error, error <= threshold)


class Multipliers(NamedTuple):
    """The multipliers of the bounds, 0 where there is none, and which bounds the point approaches, (N,) each.

    A solution has them as `details.multipliers`.
    """

    below: np.ndarray
    above: np.ndarray
    at_lower: np.ndarray
    at_upper: np.ndarray


def solve(L, qp, *, tol=1e-3, max_iter=100) -> Solution:
    """The optimum for K = L L', L of shape (N, r): to the violation `tol`, or as near as rounding allows.

    `violation` estimates the error in the optimality conditions after the `crossover`, in the units of F and for the
    given matrix. qp: a BoxQP with lower <= 0 <= upper. Raises ValueError for other boxes and shapes that do not fit.
    """
    L = np.ascontiguousarray(L, dtype=float)
    _check(L, qp)
    if L.shape[1] == 0:
        L = np.zeros((len(L), 1))
    system = LowRank(L) if L.shape[1] <= len(L) / 2 else Whole(L @ L.T)
    return _solve(system, qp, tol, max_iter)


def solve_gram(K, qp, *, tol=1e-3, max_iter=100) -> Solution:
    """`solve` for a full positive semidefinite matrix K, (N, N)."""
    K = np.ascontiguousarray(K, dtype=float)
    _check(K, qp)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"solve_gram needs a square matrix K, got shape {K.shape}; a factor L goes to solve")
    return _solve(Whole(K), qp, tol, max_iter)


def crossover(found, qp) -> np.ndarray:
    """A feasible beta, (N,): exactly on the bounds that the solution approaches, and with sum zero.

    The change of the sum is compensated by the coefficients between their bounds, in proportion to their distances; if
    these are too small, the coefficients with the smallest multipliers leave their bounds again.
    """
    below, above, at_lower, at_upper = found.details.multipliers
    beta = np.clip(found.beta, qp.lower, qp.upper)
    beta[at_lower], beta[at_upper] = qp.lower[at_lower], qp.upper[at_upper]
    excess = beta.sum()
    if abs(excess) <= 4.0 * np.finfo(float).eps * np.abs(beta).sum():
        return beta
    room = beta - qp.lower if excess > 0.0 else qp.upper - beta
    between = (qp.lower < beta) & (beta < qp.upper)
    share = np.where(between, np.minimum(room, abs(excess)), 0.0)
    missing = abs(excess) - share.sum()
    if missing > 0.0:
        by_multiplier = np.argsort(np.where(between, np.inf, below + above), kind="stable")
        reached = np.cumsum(room[by_multiplier])
        leaving = by_multiplier[: np.searchsorted(reached, missing) + 1]
        share[leaving] += room[leaving]
    beta -= excess / share.sum() * share
    return np.clip(beta, qp.lower, qp.upper)


def _check(L, qp):
    if L.ndim != 2 or len(L) != len(qp.linear):
        raise ValueError(f"the matrix needs one row for each of the {len(qp.linear)} coefficients, got shape {L.shape}")
    if not np.all((qp.lower <= 0.0) & (qp.upper >= 0.0)):
        raise ValueError("zero must lie in the box, lower <= 0 <= upper, as it does for every dual")


@np.errstate(all="ignore")
def _solve(system, qp, tol, max_iter):
    """The iteration on the coefficients that can move: not those with equal bounds, and none if zero is forced."""
    n = len(qp.linear)
    moving = qp.lower < qp.upper
    if moving.sum() < 2 or not qp.lower.any() or not qp.upper.any():
        zero, held = np.zeros(n), qp.lower == 0.0
        none = Details(multipliers=Multipliers(zero, zero, held, ~held))
        return Solution(zero, -float(np.median(qp.linear)), 0.0, 0.0, 0, Status.CONVERGED, ROUTE, none)
    if moving.all():
        return _Run(system, *qp).iterate(tol, max_iter)
    found = _Run(system.restrict(moving), *(column[moving] for column in qp)).iterate(tol, max_iter)
    resting = ((found.beta, 0.0), *zip(found.details.multipliers, (0.0, 0.0, True, False), strict=True))
    whole = [np.full(n, value) for _, value in resting]
    for vector, (inner, _) in zip(whole, resting, strict=True):
        vector[moving] = inner
    return found._replace(beta=whole[0], details=Details(multipliers=Multipliers(*whole[1:])))


class _Run:
    """Predictor and corrector. Arrays of shape (2, N) have a row for the lower bounds and one for the upper ones."""

    def __init__(self, system, lower, upper, ridge, linear):
        self.system, self.ridge, self.linear = system, ridge, linear
        bound = np.stack([lower, upper])
        self.present = np.isfinite(bound)
        self.sign = np.array([[1.0], [-1.0]])
        self.n_iter = 0

        # the units: `height` for F, `unit` for each coefficient
        self.height = np.abs(linear).max() or 1.0
        width = upper - lower
        self.unit = np.minimum(width, self.height / np.maximum(system.diagonal.mean() + ridge, TINY))
        reach = np.minimum(width, self.height / np.maximum(ridge, TINY))
        reach = np.where(reach < 0.1 / TINY, reach, self.unit)

        # start in the middle of the box, or half its reach from the only bound
        bound = np.where(self.present, bound, 0.0)
        self.beta = np.where(self.present, bound + 0.5 * self.sign * reach, 0.0).sum(axis=0)
        self.beta /= np.maximum(self.present.sum(axis=0), 1)
        self.distance = np.where(self.present, self.sign * (self.beta - bound), 1.0)
        self._measure()
        self.intercept = float(np.median(self.F))
        slope = max(self.height, np.abs(self.F - self.intercept).mean())
        start = np.minimum(0.5 * slope * reach.mean() / self.distance, 1e3 * slope)
        self.multiplier = np.where(self.present, start, 0.0)

    def iterate(self, tol, max_iter) -> Solution:
        """Iterate until both errors are small or rounding prevents progress; returns the best point with its status."""
        best, smallest, waited, ended = None, np.inf, 0, None
        while ended is None:
            inexact, undecided, products = self._errors()
            violation = 2.0 * (inexact + undecided)
            settled = bool(undecided <= 1e-3 * tol)
            if settled and inexact <= 0.1 * tol:
                return self._solution(violation)
            if best is None or violation < 0.5 * best.violation or (not settled and products < 0.5 * smallest):
                best, smallest, waited = self._solution(violation), products, 0
            else:
                waited += 1
            ended = Status.ROUNDING if waited >= PATIENCE[settled] else self._step(max_iter)
        return best if best.violation <= tol else best._replace(status=ended)

    def _measure(self):
        self.F = -self.linear - self.system.dot(self.beta) - self.ridge * self.beta

    def _errors(self):
        """The error of stationarity, the largest multiplier of a coefficient that is not at its bound, and the sum of
        the products of distances and multipliers."""
        self.residual = self.F - self.intercept + (self.sign * self.multiplier).sum(axis=0)
        self.products = self.distance * self.multiplier
        near = np.minimum(self.distance / self.unit * self.height, self.multiplier)
        return np.abs(self.residual).max(), near.max(), self.products.sum()

    def _step(self, max_iter):
        """One iteration, or the status that says why there is none."""
        if self.n_iter == max_iter:
            return Status.ITERATION_LIMIT
        if deadline.is_over():
            return Status.TIME_LIMIT
        D = self.ridge + (self.multiplier / self.distance).sum(axis=0)
        if not self.system.factorise(np.maximum(D, LEAST * self.system.diagonal.max())):
            return Status.NOT_POSITIVE
        self.level = self.system.solve(np.ones_like(self.beta))
        step = move = self._direction(np.zeros_like(self.distance))
        length = 1.0
        n_bounds = self.present.sum()
        if n_bounds:
            mu = self.products.sum() / n_bounds
            length = self._longest(move)
            reachable = (self.distance + length * move.distance) * (self.multiplier + length * move.multiplier)
            target = mu * (reachable.sum() / n_bounds / mu) ** 3
            step = self._direction(np.where(self.present, target - move.distance * move.multiplier, 0.0))
            length = min(1.0, SHY * self._longest(step))
        self.beta = self.beta + length * step.beta
        self.intercept += length * step.intercept
        self.distance = self.distance + length * step.distance
        self.multiplier = self.multiplier + length * step.multiplier
        self.n_iter += 1
        self._measure()
        return None

    def _direction(self, target):
        """The Newton direction: to first order stationary, sum zero and distance * multiplier equal to `target`."""
        right = self.residual + (self.sign * (target / self.distance - self.multiplier)).sum(axis=0)
        response = self.system.solve(right)
        intercept = (response.sum() + self.beta.sum()) / self.level.sum()
        beta = response - intercept * self.level
        distance = np.where(self.present, self.sign * beta, 0.0)
        multiplier = (target - self.multiplier * distance) / self.distance - self.multiplier
        return _Direction(beta, float(intercept), distance, multiplier)

    def _longest(self, move):
        """The largest length up to 1 that leaves distances and multipliers nonnegative."""
        multiplier = np.where(self.present, self.multiplier, 1.0)
        return 1.0 / max(1.0, (-move.distance / self.distance).max(), (-move.multiplier / multiplier).max())

    def _solution(self, violation):
        """The present point, with the bounds that it approaches."""
        distance = np.where(self.present, self.distance, np.inf)
        near = (distance / self.unit * self.height < self.multiplier) & (distance <= distance[::-1])
        return Solution(
            self.beta, self.intercept, 0.5 * float(self.beta @ (self.linear - self.F)), float(violation), self.n_iter,
            Status.CONVERGED, ROUTE, Details(multipliers=Multipliers(*self.multiplier, *near)),
        )  # fmt: skip


class _Direction(NamedTuple):
    """A change of each quantity of a `_Run`."""

    beta: np.ndarray
    intercept: float
    distance: np.ndarray
    multiplier: np.ndarray
