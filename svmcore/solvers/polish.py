"""From a nearly optimal point of a `svmcore.duals.BoxQP` to the last digits: Newton's method on an active set.

    minimise    1/2 b'H b + linear'b,    H = K + diag(ridge)
    subject to  sum(b) = 0,   lower <= b <= upper

Where the coefficients at their bounds are known, the others solve a linear system: with W the working set and
F = -linear - H b, the step d on W and the change of the intercept satisfy

    H_WW d + intercept = F_W,    sum(d) = 0.

A round solves this by a Cholesky factorisation and moves along d to the minimum of the objective or to the first bound;
where following d beyond that and back onto the box and the plane (a projection) makes the objective smaller still, it
goes further, and so many coefficients reach their bounds in one round. W holds the coefficients between their bounds
and, once F is level on them, those at a bound that they should leave. The objective never rises, so no round undoes
another, and the best point seen is returned: a wrong guess of the bounds costs time, not accuracy.

Cost. n^3 / 3 operations a round for n coefficients in W (nothing while W stays the same), and one product K b. At 2000
free coefficients 50 ms a round, at 5000 one second; `max_work` stops it. Worth it whenever the violation shall be much
smaller than 1e-3, after pair updates (a few rounds, where they would need many N steps more) and after
`interior_point.crossover` with a factor of low rank (one or two rounds remove the error of the rank). Not worth it far
from the optimum: hundreds of coefficients on wrong bounds are what the other two solvers are for.

A block H_WW without full rank (a linear kernel with more free coefficients than features, equal points) gets a diagonal
of 1e-14 of its largest entry, which leaves a step on the null space long enough to meet a bound, and elsewhere does not
matter because the next round starts from the true F. Rounding errors of F would need to be that large to mislead it.

References
    J. Nocedal, S. J. Wright (2006). Numerical Optimization, 2nd edition. Springer. Sections 16.5 (active sets) and
        16.7 (projected steps).
    J. J. Moré, G. Toraldo (1991). On the solution of large quadratic programming problems with bound constraints.
        SIAM Journal on Optimization 1(1), 93-113.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

CONVERGED = "converged"
UNFINISHED = "round limit"
STALLED = "rounding errors: no further progress"
TOO_LARGE = "work limit: too many coefficients between their bounds"
NOT_POSITIVE = "the kernel matrix is not positive semidefinite"

JITTER = (1e-14, 1e-12, 1e-10)  # of the largest diagonal entry
PATIENCE = 5  # rounds without a smaller violation or objective
FEW = 64  # so many coefficients may leave their bounds at once, or as many as are free


class Polished(NamedTuple):
    """The best point seen, its F = -linear - (K + diag(ridge)) beta computed anew, and how it ended."""

    beta: np.ndarray
    F: np.ndarray
    rounds: int
    status: str
    violation: float


def newton(K, qp, beta, *, tol=1e-9, max_rounds=50, max_work=3e11) -> Polished:
    """Improve a feasible `beta`, (N,), until the violation is at most `tol`.

    K: an (N, N) array or a `kernels.Rows`; `max_work` limits the operations spent on factorisations. Neither the
    violation nor, up to rounding, the objective ends above that of the given point.
    """
    run = _Run(K if hasattr(K, "block") else _Whole(np.asarray(K, float)), qp, np.array(beta, dtype=float))
    best, waited, rounds, status = run.best(), 0, 0, None
    while status is None:
        if run.violation <= tol:
            status = CONVERGED
        elif waited == PATIENCE:
            status = STALLED
        elif rounds == max_rounds:
            status = UNFINISHED
        else:
            status = run.step(tol, max_work)
            rounds += 1
            progress = run.violation < 0.9 * best.violation or (run.dropped and run.violation > run.rounding)
            waited = 0 if progress else waited + 1
            if run.violation < best.violation:
                best = run.best()
    return best._replace(rounds=rounds, status=status)


class _Run:
    """The current point and the factorisation made last."""

    def __init__(self, matrix, qp, beta):
        self.matrix, self.qp, self.beta = matrix, qp, beta
        self.W, self.work, self.dropped = None, 0.0, False
        self._measure()

    def best(self):
        return Polished(self.beta.copy(), self.F, 0, UNFINISHED, self.violation)

    def _measure(self):
        some = np.flatnonzero(self.beta)
        self.F = -self.qp.linear - self.matrix.dot(some, self.beta[some]) - self.qp.ridge * self.beta
        self.can_rise, self.can_fall = self.beta < self.qp.upper, self.beta > self.qp.lower
        self.top = np.max(self.F, where=self.can_rise, initial=-np.inf)
        self.bottom = np.min(self.F, where=self.can_fall, initial=np.inf)
        self.violation = max(self.top - self.bottom, 0.0)
        norms = np.sqrt(self.matrix.diagonal)
        self.rounding = np.finfo(float).eps * norms.max() * (norms @ np.abs(self.beta))

    def step(self, tol, max_work):
        """One round; the reason if none is possible."""
        W = self._working_set(tol)
        while True:
            failed = self._factorise(W, max_work)
            if failed:
                return failed
            d = self._direction()
            # a coefficient at its bound that is drawn further out has no business in W
            blocked = np.where(d > 0.0, ~self.can_rise[W], ~self.can_fall[W]) & (d != 0.0)
            if not blocked.any():
                break
            W = W[~blocked]
            free = self.can_rise[W] & self.can_fall[W]
            if free.all():
                W = np.array([self._worst_rising(), self._worst_falling()])
        moved = self._search(d)
        if moved is None:
            return STALLED
        self.beta[W] = moved
        self._measure()
        self.dropped = not np.all(self.can_rise[W] & self.can_fall[W])
        return None

    def _worst_rising(self):
        return int(np.argmax(np.where(self.can_rise, self.F, -np.inf)))

    def _worst_falling(self):
        return int(np.argmin(np.where(self.can_fall, self.F, np.inf)))

    def _working_set(self, tol):
        """The coefficients between their bounds; and, once F is level on them, those that should leave a bound."""
        free = self.can_rise & self.can_fall
        level = self.F[free].mean() if free.any() else 0.5 * (self.top + self.bottom)
        spread = np.ptp(self.F[free]) if free.any() else 0.0
        excess = np.maximum(np.where(self.can_rise, self.F - level, 0.0), np.where(self.can_fall, level - self.F, 0.0))
        excess[free] = 0.0
        entering = np.flatnonzero(excess > max(0.5 * tol, spread))
        at_most = max(FEW, np.sum(free))
        worst_first = entering[np.argsort(-excess[entering], kind="stable")]
        return np.sort(np.concatenate([np.flatnonzero(free), worst_first[:at_most]]))

    def _factorise(self, W, max_work):
        if self.W is not None and np.array_equal(W, self.W):
            return None
        n = len(W)
        self.work += n**3 / 3
        if self.work > max_work:
            return TOO_LARGE
        H = self.matrix.block(W)
        H.flat[:: n + 1] += self.qp.ridge[W]
        for jitter in JITTER:
            raised = H + H.diagonal().mean()
            raised.flat[:: n + 1] += jitter * H.diagonal().max()
            factor, failed = dpotrf(raised.T, lower=1, clean=0, overwrite_a=1)
            if not failed:
                self.W, self.H, self.factor = W, H, factor
                return None
        return NOT_POSITIVE

    def _direction(self):
        """Level F on W, and bring the sum of all coefficients, which rounding moves, back to zero."""
        F = self.F[self.W]
        right = np.stack([F - F.mean(), np.ones(len(F))], axis=1)
        response, level = dpotrs(self.factor, right, lower=1)[0].T
        return response - (response.sum() + self.beta.sum()) / level.sum() * level

    def _search(self, d):
        """The best of the points met along d and, beyond the first bound, along its projection; None: no gain."""
        W = self.W
        b, lower, upper = self.beta[W], self.qp.lower[W], self.qp.upper[W]
        F = self.F[W] - self.F[W].mean()
        curvature = d @ (self.H @ d)
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(d > 0.0, (upper - b) / d, np.where(d < 0.0, (lower - b) / d, np.inf))
        first = room.min()
        full = F @ d / curvature if curvature > 0.0 else np.inf
        if full <= first:
            return np.clip(b + full * d, lower, upper)
        bound = np.where(d > 0.0, upper, lower)
        candidates = [np.where(room <= first, bound, np.clip(b + first * d, lower, upper))]
        last = min(full, room[np.isfinite(room)].max())
        lengths = last * 0.25 ** np.arange(8)
        total = b.sum() - self.beta.sum()
        candidates += [_onto(b + length * d, lower, upper, total) for length in lengths[lengths > first]]
        gains = [F @ (c - b) - 0.5 * (c - b) @ (self.H @ (c - b)) for c in candidates]
        best = int(np.argmax(gains))
        return candidates[best] if gains[best] > 0.0 else None


class _Whole:
    """A matrix in memory, asked as `kernels.Rows` is."""

    def __init__(self, K):
        self.K = K
        self.diagonal = K.diagonal()

    def block(self, idx):
        return self.K[np.ix_(idx, idx)]

    def dot(self, idx, c):
        if 2 * len(idx) < len(self.K):
            return c @ self.K[idx]
        whole = np.zeros(len(self.K))
        whole[idx] = c
        return self.K @ whole


def _onto(b, lower, upper, total):
    """The point nearest to b in the box with that sum: b less a shift, clipped; the shift by bisection."""
    low, high = -1.0, 1.0
    while np.clip(b - low, lower, upper).sum() < total:
        low *= 4.0
    while np.clip(b - high, lower, upper).sum() > total:
        high *= 4.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if np.clip(b - middle, lower, upper).sum() > total:
            low = middle
        else:
            high = middle
    return np.clip(b - high, lower, upper)
