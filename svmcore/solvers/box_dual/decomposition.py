"""Many points: pair updates on a sequence of small working sets.

With N points the Gram matrix has N^2 entries, and a step of `smo` reads two of its rows. Here only the rows of
coefficients that have changed are computed, once per round:

1. take the strongest violators of both kinds, and the free coefficients, as the working set;
2. solve the dual restricted to it with `smo` (the other coefficients are constants inside F);
3. update F everywhere for the coefficients that have changed.

Memory: the Gram matrix of the working set, and the budget of `rows.Rows`.

Source: Osuna, Freund and Girosi (1997), An improved training algorithm for support vector machines; Joachims (1998),
Making large-scale SVM learning practical.
"""

from functools import partial

import numpy as np

from svmcore import deadline
from svmcore.duals import BoxQP
from svmcore.solvers.box_dual import smo
from svmcore.solvers.box_dual.pair_updates import FORBIDDEN
from svmcore.solvers.solution import Solution

SMALLEST_SET = 256
LARGEST_SET = 5000  # a Gram matrix of 200 MB
MAX_ROUNDS = 10_000


def solve(rows, qp, *, tol=1e-3, max_iter=1_000_000, start=None) -> Solution:
    """The solution after a run from zero, or from a feasible `warm.Start`, of at most `max_iter` steps in working sets.

    rows: a `rows.Rows` or anything with `block(idx)`, `dot(idx, c)`, `diagonal`; qp: BoxQP.
    """
    if start is None:
        beta, F = np.zeros(len(qp.linear)), -qp.linear
    else:
        beta = start.beta.copy()
        F = residual(rows, qp, beta) if start.image is None else start.F(qp)
    lower, upper = qp.lower, qp.upper
    n_iter, code, fresh = 0, smo.RUNNING, True
    for _ in range(MAX_ROUNDS):
        rise, fall = np.where(beta < upper, F, -FORBIDDEN), np.where(beta > lower, F, FORBIDDEN)
        top, bottom = rise.max(), fall.min()
        if top - bottom <= tol:
            if fresh or smo.drift(beta, rows.diagonal, n_iter) <= 0.01 * tol:
                code = smo.CONVERGED
                break
            F, fresh = residual(rows, qp, beta), True
            continue
        if n_iter >= max_iter or deadline.is_over():
            break
        chosen = _working_set(rise, fall, top, bottom)
        part = BoxQP(*(vector[chosen] for vector in qp))
        block = rows.block(chosen)
        state = smo.start(block, part, beta[chosen], F[chosen])
        # more accuracy inside a set that is about to change would be wasted
        goal = max(0.5 * tol, 0.1 * (top - bottom))
        after = smo.in_time(block, part, state, max_iter - n_iter, tol=goal)
        change = after.beta - beta[chosen]
        moved = np.flatnonzero(change)
        F -= rows.dot(chosen[moved], change[moved])
        F[chosen] -= part.ridge * change
        beta[chosen] = after.beta
        n_iter += after.n_iter
        fresh = False
        if after.code == smo.UNBOUNDED or not len(moved):
            code = after.code if after.code == smo.UNBOUNDED else smo.RUNNING
            break
    state = smo.state_at(qp, beta, F)._replace(n_iter=n_iter, code=code)
    route = "pair updates on working sets"
    return smo.measured_anew(qp, state, rows.diagonal + qp.ridge, partial(residual, rows, qp), tol, route)


def residual(rows, qp, beta) -> np.ndarray:
    """F = -linear - (K + diag(ridge)) beta computed anew, (N,), for beta (N,) of a BoxQP; rows as in `solve`."""
    nonzero = np.flatnonzero(beta)
    return -qp.linear - rows.dot(nonzero, beta[nonzero]) - qp.ridge * beta


def _working_set(rise, fall, top, bottom):
    """The free coefficients, and the strongest violators, half of them that may rise and half that may fall."""
    chosen = rise == fall
    room = np.count_nonzero(chosen)
    if room > LARGEST_SET - SMALLEST_SET:
        room = LARGEST_SET - SMALLEST_SET
        free = np.flatnonzero(chosen)
        chosen[free[np.argpartition(np.abs(rise[free] - 0.5 * (top + bottom)), room)[room:]]] = False
    half = min(max(SMALLEST_SET, len(rise) // 8) // 2 + room // 8, (LARGEST_SET - room) // 2)
    chosen[_largest(rise, half, bottom)] = True
    chosen[_largest(-fall, half, -top)] = True
    return np.flatnonzero(chosen)


def _largest(score, count, threshold):
    """Indices of the `count` largest scores among those above the threshold: members of a violating pair."""
    violating = np.flatnonzero(score > threshold)
    if len(violating) <= count:
        return violating
    return violating[np.argpartition(score[violating], -count)[-count:]]
