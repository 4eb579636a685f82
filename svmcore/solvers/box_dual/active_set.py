"""From a nearly optimal point of a `svmcore.duals.BoxQP` to the last digits: Newton's method on an active set.

    minimise    1/2 b'H b + linear'b,    H = K + diag(ridge)
    subject to  sum(b) = 0,   lower <= b <= upper

If it is known which coefficients rest on bounds, a linear system gives the others. With F = -linear - H b, the step d
on the working set W and the change of the intercept satisfy

    H_WW d + intercept = F_W,    sum(d) = 0.

A round solves this by a Cholesky factorisation and follows d to its end or to the first bound. W holds the coefficients
between their bounds and, once F is level on them, those that should leave a bound. The objective never rises, so no
round undoes another, and the best point seen is returned: a wrong guess of the bounds costs time, not accuracy.

A round takes n^3 / 3 operations for n coefficients in W (none while W stays the same) and one product K b: 50 ms for
n = 2000, a second for n = 5000. It pays near the optimum: after pair updates to 1e-3, where one to ten rounds replace
many N further steps, and after `interior_point.crossover`, where one or two remove the error of a low rank. It ends at
the rounding error of F, which is about 1e-16 |K| |b|: for N = 250 near 1e-14 at C = 1 and near 1e-8 at C = 1e6.

References
    J. Nocedal, S. J. Wright (2006). Numerical Optimization, 2nd edition. Springer. Section 16.5 (active sets).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf

from svmcore import deadline
from svmcore.solvers.box_dual import active_set_steps
from svmcore.status import Status

# Added to the diagonal, times its largest entry. A rank-deficient block (equal points, more free coefficients than
# features) then gives long steps on its null space, up to a bound, but not as long as rounding errors in F would make.
JITTER = (1e-14, 1e-12, 1e-10)
PATIENCE = 5  # rounds without a smaller violation or objective, or a further coefficient at its bound
GUESSES = active_set_steps.BEST, active_set_steps.CAREFUL, active_set_steps.PAIR


class Polished(NamedTuple):
    """The best point seen, its F = -linear - (K + diag(ridge)) beta computed anew, and how it ended."""

    beta: np.ndarray
    F: np.ndarray
    rounds: int
    status: Status
    violation: float


def newton(K, qp, beta, *, tol=1e-9, max_rounds=100, max_work=3e11) -> Polished:
    """Improve a feasible `beta`, (N,), until the violation is at most `tol`.

    K: an (N, N) array or a `rows.Rows`; `max_work` limits the operations spent on factorisations. Neither the
    violation nor, up to rounding, the objective ends above that of the given point.
    """
    run = _Run(K if hasattr(K, "block") else _Whole(np.asarray(K, float)), qp, np.array(beta, dtype=float))
    best, waited, rounds, status = run.best(), 0, 0, None
    while status is None:
        if run.violation <= tol:
            status = Status.CONVERGED
        elif waited == PATIENCE:
            status = Status.NO_PROGRESS
        elif rounds == max_rounds:
            status = Status.ROUND_LIMIT
        elif deadline.is_over():
            status = Status.TIME_LIMIT
        else:
            objective = run.objective
            status = run.step(tol, max_work)
            rounds += 1
            lower = run.objective < objective - 1e-10 * abs(objective)
            progress = run.violation < 0.9 * best.violation or (run.violation > run.rounding and (run.dropped or lower))
            waited = 0 if progress else waited + 1
            if run.violation < best.violation:
                best = run.best()
    return best._replace(rounds=rounds, status=status)


class _Run:
    """The current point and the factorisation made last."""

    def __init__(self, matrix, qp, beta):
        self.matrix, self.qp, self.beta = matrix, qp, beta
        self.W, self.work, self.dropped = None, 0.0, False
        self.norms = np.sqrt(np.abs(matrix.diagonal))
        self._measure()

    def best(self):
        return Polished(self.beta.copy(), self.F, 0, Status.ROUND_LIMIT, self.violation)

    def _measure(self):
        qp, some = self.qp, np.flatnonzero(self.beta)
        image = self.matrix.dot(some, self.beta[some])
        self.F, self.top, self.bottom, self.objective = active_set_steps.measure(
            image, qp.linear, qp.ridge, qp.lower, qp.upper, self.beta
        )
        self.violation = max(self.top - self.bottom, 0.0)
        self.rounding = np.finfo(float).eps * self.norms.max() * (self.norms @ np.abs(self.beta))

    def step(self, tol, max_work):
        """One round; returns the reason if none is possible."""
        point = self.beta, self.qp.lower, self.qp.upper
        for guess in GUESSES:
            W = active_set_steps.working_set(guess, self.F, *point, self.top, self.bottom, tol)
            failed = self._factorise(W, max_work)
            if failed:
                return failed
            d = active_set_steps.direction(self.factor, self.F[W], self.beta.sum())
            if active_set_steps.points_inwards(W, d, *point):  # a coefficient pushed outwards does not belong in W
                break
        self.dropped = active_set_steps.follow(W, d, *point)
        self._measure()
        return None

    def _factorise(self, W, max_work):
        if self.W is not None and np.array_equal(W, self.W):
            return None
        n = len(W)
        self.work += n**3 / 3
        if self.work > max_work:
            return Status.WORK_LIMIT
        H = self.matrix.block(W)
        H.flat[:: n + 1] += self.qp.ridge[W]
        largest = H.diagonal().max() or 1.0
        for jitter in JITTER:
            # as sum(d) = 0 a constant changes nothing, and adds the rank that one point more than features needs
            raised = H + largest
            raised.flat[:: n + 1] += jitter * largest
            factor, failed = dpotrf(raised.T, lower=1, clean=0, overwrite_a=1)
            if not failed:
                self.W, self.factor = W, factor
                return None
        return Status.NOT_POSITIVE


class _Whole:
    """A matrix in memory with the interface of `rows.Rows`."""

    def __init__(self, K):
        self.K = K
        self.diagonal = K.diagonal()

    def block(self, idx):
        return self.K[idx[:, None], idx]

    def dot(self, idx, c):
        whole = np.zeros(len(self.K))
        whole[idx] = c
        return self.K @ whole
