"""Sequential minimal optimisation for any `svmcore.duals.BoxQP`.

    minimise    1/2 b'(K + diag(ridge)) b + linear'b
    subject to  sum(b) = 0,   lower <= b <= upper

A step moves two coefficients (a conjugate step also those of the last direction), so that the sum stays zero:

1. Choose i, the largest violator that may rise, and j, which may fall, with the largest estimated decrease of the
   objective (first order: the largest violator).
2. Move along e_i - e_j (conjugate steps add a multiple of the last direction) to the minimum.
3. If a bound is reached first, stop exactly on it, and discard the last direction.

The state carries F = -gradient = -linear - (K + diag(ridge)) b; at the optimum every coefficient that may rise has
F <= intercept, every one that may fall has F >= intercept, and `violation` measures the error in these conditions.
Labels and losses do not appear here: see the table in `svmcore.duals`.

A run is `start` and any number of `advance`; the answer is in the state, and stopping and resuming gives bit for bit
the same iterates. The compiled steps are in `pair_updates`. `smo_plain` is the same method in twenty lines; read it
first.

Sources: Platt (1998), Fast training of support vector machines using sequential minimal optimization; Keerthi et al.
(2001), Improvements to Platt's SMO algorithm (first order); Fan, Chen and Lin (2005), Working set selection using
second order information; Torres-Barran, Alaiz and Dorronsoro (2021), Faster SVM training via conjugate SMO.
"""

import math
from typing import NamedTuple

import numpy as np

from svmcore import deadline, duals
from svmcore.solvers.box_dual import pair_updates
from svmcore.solvers.box_dual.pair_updates import CONVERGED, INDEX_BITS, NEVER, ROWS, RUNNING, UNBOUNDED, Step, Work
from svmcore.solvers.solution import Details, Solution
from svmcore.status import Status

ULP = float(np.finfo(float).eps)
SELECTIONS = ("first", "second", "conjugate")
STATUS = {RUNNING: Status.ITERATION_LIMIT, CONVERGED: Status.CONVERGED, UNBOUNDED: Status.UNBOUNDED}


def room_for(n) -> np.ndarray:
    """An empty record of `n` steps, (n, 7), with the columns of `Step`; one array, since passing each takes time."""
    return np.empty((n, len(Step._fields)))


UNWATCHED = room_for(0)
REFRESHES = 100  # of F in a run; where these do not suffice, rounding moves F by more than the tolerance in a step
SLIGHT = 1e-6  # of the tolerance: a `drift` that needs no product with K to be removed
DRIFT = 0.05  # by which an updated violation may be too small
PIECE = 200_000_000  # steps times coefficients, some tenths of a second, between two looks at the clock


DIAGONAL = Work._fields.index("diagonal")
NO_WORK = np.empty((ROWS, 0))  # of a state from which no run is resumed


class State(NamedTuple):
    """The state of a run; beta and F are (N,).

    `top` is the largest F of the coefficients that may rise, `bottom` the smallest of those that may fall.
    """

    beta: np.ndarray
    F: np.ndarray
    work: np.ndarray  # (6, N), the rows of `Work`
    curvature: float = 0.0  # of the last direction; 0: there is none to build on
    objective: float = 0.0
    top: float = np.inf
    bottom: float = -np.inf
    n_iter: int = 0
    code: int = RUNNING

    @property
    def is_done(self) -> bool:
        """True if the run has converged or is unbounded."""
        return self.code != RUNNING

    @property
    def status(self) -> Status:
        """Reason why the run ended, or would end if it were left here."""
        return STATUS[self.code]

    @property
    def violation(self) -> float:
        """top - bottom, at least 0; 0 at the optimum, in units of f."""
        return max(self.top - self.bottom, 0.0)


def start(K, qp, beta=None, F=None) -> State:
    """The state before the first step: at zero, which is feasible for every machine, or at a feasible `beta` (N,).

    K: (N, N) float64; qp: BoxQP. With `F` (N,) given it is a sub-problem: the coefficients outside it are part of F,
    and the sum of beta is kept but need not be zero. Raises ValueError for an infeasible `beta`, and for 65 536
    coefficients or more.
    """
    n = len(qp.linear)
    if n > INDEX_BITS:
        raise ValueError(
            f"smo takes fewer than {INDEX_BITS + 1} coefficients, got {n}; "
            "use decomposition.solve, which takes them in smaller sets, or convex.solve, which chooses"
        )
    if F is not None:
        beta, F = beta.copy(), F.copy()
    elif beta is None:
        beta, F = np.zeros(n), -qp.linear
    else:
        beta = _feasible(qp, beta)
        F = residual(K, qp, beta)
    work = np.empty((ROWS, n))
    objective = pair_updates.prepare(K, *qp, beta, F, work)
    return State(beta, F, work, objective=objective)


def advance(K, qp, state, n_steps, *, tol=1e-3, selection="conjugate", record=UNWATCHED) -> State:
    """Up to `n_steps` further steps, in place, until the violation is at most `tol`; `record`: see `room_for`.

    selection: "first" or "second" order, or "conjugate" (second order with conjugate directions).
    """
    first, conjugate_from = _plan(selection, len(state.beta))
    plan = pair_updates.Plan(tol, n_steps, first, conjugate_from - state.n_iter)
    taken, curvature, objective, top, bottom, code = pair_updates.advance(
        K, qp, state.beta, state.F, state.work, (state.curvature, state.objective), plan, record
    )
    return State(state.beta, state.F, state.work, curvature, objective, top, bottom, state.n_iter + taken, code)


def in_time(K, qp, state, n_steps, *, tol=1e-3, selection="conjugate", record=UNWATCHED) -> State:
    """`advance` in pieces, the same to the last bit, that ends with the time limit of `deadline`, too."""
    begun, piece = state.n_iter, max(PIECE // len(state.beta), 1)
    while True:
        before = state.n_iter
        steps, rest = min(piece, n_steps - before + begun), record[before - begun :]
        state = advance(K, qp, state, steps, tol=tol, selection=selection, record=rest)
        if state.is_done or state.n_iter in (before, begun + n_steps) or deadline.is_over():
            return state


def run(K, qp, state=None, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", record=UNWATCHED) -> State:
    """The run from zero, or its rest from `state`, until the violation is at most `tol`, or until step `max_iter`."""
    state = start(K, qp) if state is None else state
    begun = state.n_iter
    state = in_time(K, qp, state, max_iter - begun, tol=tol, selection=selection, record=record)
    for _ in range(REFRESHES):
        if state.code != CONVERGED or _drift(state) <= 0.01 * tol or state.n_iter >= max_iter or deadline.is_over():
            break
        room, rest = max_iter - state.n_iter, record[state.n_iter - begun :]
        again = in_time(K, qp, refresh(K, qp, state), room, tol=tol, selection=selection, record=rest)
        if again.n_iter == state.n_iter:
            return again
        state = again
    return state


def solve(K, qp, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", beta=None) -> Solution:
    """The solution for a Gram matrix K (N, N), from zero or from a feasible `beta` (N,)."""
    state = run(K, qp, start(K, qp, beta), tol=tol, max_iter=max_iter, selection=selection)
    return to_solution(K, qp, state, tol)


def to_solution(K, qp, state, tol) -> Solution:
    diagonal, residual_of = state.work[DIAGONAL], lambda beta: residual(K, qp, beta)
    return measured_anew(qp, state, diagonal, residual_of, tol, "pair updates")


def measured_anew(qp, state, diagonal, residual_of, tol, route) -> Solution:
    """The solution of a run, measured on F = residual_of(beta), unless its updates of F have lost next to nothing.

    All of F is in double precision, and a step adds an error of an ulp to it (`drift`).
    """
    F = state.F
    if drift(state.beta, diagonal, state.n_iter + 1) > SLIGHT * tol:
        F = residual_of(state.beta)
    found = solution(qp, state.beta, F, state.n_iter, state.status, route)
    lost = state.code == CONVERGED and found.violation > (1.0 + DRIFT) * tol
    return found._replace(status=Status.ROUNDING) if lost else found


def solution(qp, beta, F, n_iter, status, route) -> Solution:
    """The solution at a point with its F, (N,) each, with gap and image."""
    level, objective, violation = optimality(qp, beta, F)
    gap, image = duals.gap_and_image(qp, beta, F, level)
    return Solution(beta, level, objective, violation, n_iter, status, route, Details(gap, image))


def replay(qp, beta, i, j, wanted, momentum, stops) -> np.ndarray:
    """The iterates after `stops` (ascending) steps of a run from `beta` (N,): (len(stops), N), bit for bit, without K.

    i, j, wanted, momentum: the columns of the record from that step on.
    """
    frames = np.empty((len(stops), len(beta)))
    pair_updates.replay(qp, beta.copy(), i, j, wanted, momentum, np.asarray(stops, np.int64), frames)
    return frames


def refresh(K, qp, state) -> State:
    """The same iterate with F computed anew, because incremental updates accumulate rounding errors."""
    state.F[:] = residual(K, qp, state.beta)
    objective = 0.5 * float(state.beta @ (qp.linear - state.F))
    return state._replace(curvature=0.0, objective=objective, code=RUNNING)


def drift(beta, diagonal, n_iter) -> float:
    """An estimate of the rounding error in F: every step adds an ulp of the largest intermediate value.

    beta (N,), and the diagonal (N,) of K + diag(ridge).
    """
    return ULP * math.sqrt(n_iter) * pair_updates.size(beta, diagonal)


def residual(K, qp, beta) -> np.ndarray:
    """F = -linear - (K + diag(ridge)) beta computed anew, (N,); K (N, N), beta (N,)."""
    return -qp.linear - K @ beta - qp.ridge * beta


def state_at(qp, beta, F) -> State:
    """The state at a point with its F, (N,) each, from which no run is resumed."""
    top, bottom, _, objective = pair_updates.optimality(F, beta, qp.lower, qp.upper, qp.linear)
    return State(beta, F, NO_WORK, objective=objective, top=top, bottom=bottom)


def optimality(qp, beta, F) -> tuple[float, float, float]:
    """(intercept, objective, violation) at a point with its F, (N,) each, as `intercept` and `State` define them."""
    top, bottom, level, objective = pair_updates.optimality(F, beta, qp.lower, qp.upper, qp.linear)
    return level, objective, max(top - bottom, 0.0)


def intercept(qp, state) -> float:
    """The mean of F over the free coefficients; without any, the middle of the interval that the conditions allow."""
    return float(pair_updates.intercept(state.F, state.beta, qp.lower, qp.upper, state.top, state.bottom))


def _plan(selection, n):
    """(first order?, the step from which directions are conjugate): they pay only once pairs recur."""
    if selection not in SELECTIONS:
        raise ValueError(f"selection must be one of {', '.join(SELECTIONS)}; got {selection!r}")
    return selection == "first", max(64, n // 2) if selection == "conjugate" else NEVER


def _feasible(qp, beta):
    beta = np.array(beta, dtype=float)
    if np.any(beta < qp.lower) or np.any(beta > qp.upper):
        raise ValueError("beta leaves the box; pass beta=None, zero is always inside")
    if abs(beta.sum()) > 1e-9 * max(1.0, np.abs(beta).sum()):
        raise ValueError(f"beta must sum to zero, got {beta.sum():.3g}; pass beta=None to start from zero")
    return beta


def _drift(state):
    return drift(state.beta, state.work[DIAGONAL], state.n_iter)
