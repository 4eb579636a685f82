"""Cross-validation of a box dual: the machines without each fold, all on one Gram matrix.

The machine without some points is the machine of all points with the box [0, 0] for these: their coefficients stay
zero, and F at them gives f there, so that nothing is copied or predicted. It begins at the machine of all points, less
what is left out. That machine begins at zero, and no machine depends on another fold or on an earlier run. Each meets
the conditions that `convex.solve` asks for.

The values of leaving out S are not in closed form as those of an LS-SVM are (`fast_cross_validation`): the coefficients
at their bounds change.

Source: D. DeCoste, K. Wagstaff (2000), Alpha seeding for support vector machines.
"""

import numpy as np
from numba import njit

from svmcore.duals import BoxQP
from svmcore.solvers.box_dual import convex, smo
from svmcore.solvers.solution import Solution
from svmcore.status import Status

DUST = 1e-12  # of the box


def k_fold(K, qp, folds, *, tol=1e-3, max_iter=1_000_000) -> list[Solution] | None:
    """For each fold, an array of indices, the machine fitted to all other points; `details.image` is K beta at all.

    K: (N, N) positive semidefinite; qp: a `BoxQP` of N coefficients; at most `max_iter` pair updates for each machine.
    None if a machine does not converge by then: other methods are faster.
    """
    every = smo.run(K, qp, tol=tol, max_iter=max_iter)
    if every.status != Status.CONVERGED:
        return None
    found = []
    for fold in folds:
        found.append(_leave_fold(fold, K, qp, every, tol, max_iter))
        if found[-1].status != Status.CONVERGED:
            return None
    return found


def _leave_fold(fold, K, qp, every, tol, max_iter):
    qp = BoxQP(qp.lower.copy(), qp.upper.copy(), qp.ridge, qp.linear)
    beta, F = every.beta.copy(), every.F.copy()
    _leave_out(np.asarray(fold, np.int64), K, qp, beta, F)
    state = smo.start(K, qp, beta, F)

    def reach(tol):
        nonlocal state
        state = state._replace(beta=state.beta.copy(), F=state.F.copy())  # steps change those of the last solution
        state = smo.run(K, qp, state, tol=tol, max_iter=max_iter)
        found = smo.to_solution(K, qp, state, tol)
        if _settle(qp, state.beta):
            found = smo.solution(qp, state.beta, state.F, state.n_iter, found.status, found.route)
        return found

    return convex.close(reach, qp, tol)


@njit(cache=True, nogil=True, error_model="numpy")
def _settle(qp, beta):
    """Moves coefficients (N,) that only rounding keeps from a bound onto it; True if there were any.

    They would count as free, and the intercept be that of F at them, and not the middle of an interval.
    """
    settled = False
    for k in range(beta.size):
        for bound in (qp.lower[k], qp.upper[k]):
            if 0.0 < abs(beta[k] - bound) <= DUST * max(-qp.lower[k], qp.upper[k]) < np.inf:
                beta[k], settled = bound, True
    return settled


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _leave_out(fold, K, qp, beta, F):
    """The box, beta and F (N,) without the points of `fold`, in place.

    The sum is repaired by the same share of every coefficient of its sign: of those between their bounds, and if that
    is not enough of those at a bound.
    """
    lower, upper, before = qp.lower, qp.upper, beta.copy()
    for i in fold:
        lower[i] = upper[i] = beta[i] = 0.0
    excess = beta.sum()
    sign = 1.0 if excess > 0.0 else -1.0
    for inside in (True, False):
        total = 0.0
        for k in range(beta.size):
            if sign * beta[k] > 0.0 and (lower[k] < beta[k] < upper[k]) == inside:
                total += sign * beta[k]
        share = min(sign * excess / total, 1.0) if total > 0.0 else 0.0
        for k in range(beta.size):
            if sign * beta[k] > 0.0 and (lower[k] < beta[k] < upper[k]) == inside:
                beta[k] *= 1.0 - share
        excess -= sign * share * total
    largest = np.argmax(sign * beta)
    left = beta[largest] - beta.sum()  # what rounding has left
    beta[largest] = min(max(left, lower[largest]), upper[largest])
    for i in range(beta.size):
        change = beta[i] - before[i]
        if change != 0.0:
            row = K[i]
            for k in range(F.size):
                F[k] -= change * row[k]
            F[i] -= qp.ridge[i] * change
