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
the same iterates. All compiled functions are in this one file on purpose: numba's disk cache does not notice edits in
others. `smo_plain` is the same method in twenty lines; read it first.

Sources: Platt (1998), Fast training of support vector machines using sequential minimal optimization; Keerthi et al.
(2001), Improvements to Platt's SMO algorithm (first order); Fan, Chen and Lin (2005), Working set selection using
second order information; Torres-Barran, Alaiz and Dorronsoro (2021), Faster SVM training via conjugate SMO.
"""

import math
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit
from numba.extending import intrinsic, overload

from svmcore import deadline
from svmcore.status import Status

MIN_CURVATURE = 1e-12  # as in LIBSVM: for a kernel that is not positive semidefinite, pairs may have no curvature
INDEX_BITS = 0xFFFF  # the bits in which `_tagged` stores an index; they bound the number of coefficients
FORBIDDEN = 1e30  # score of a move that the box does not allow; finite, so that sums with it stay ordered
ULP = float(np.finfo(float).eps)
NEVER = np.iinfo(np.int64).max
SELECTIONS = ("first", "second", "conjugate")

RUNNING, CONVERGED, UNBOUNDED = 0, 1, 2
STATUS = {
    RUNNING: Status.ITERATION_LIMIT,
    CONVERGED: Status.CONVERGED,
    UNBOUNDED: Status.UNBOUNDED,
}


class Step(NamedTuple):
    """One step, as a row of a record. Every column is a float64, so that a record is one array.

    `i` rises, `j` falls; `wanted` is the step to the minimum, `step` the part of it that the box allows; `momentum` is
    the multiple of the last direction in this one, 0 in a plain pair step; `violation` is before, `objective` after.
    """

    i: float
    j: float
    wanted: float
    step: float
    momentum: float
    violation: float
    objective: float


def room_for(n) -> np.ndarray:
    """An empty record of `n` steps, (n, 7), with the columns of `Step`; one array, since passing each takes time."""
    return np.empty((n, len(Step._fields)))


UNWATCHED = room_for(0)
PIECE = 200_000_000  # steps times coefficients, some tenths of a second, between two looks at the clock


class Work(NamedTuple):
    """The working arrays of a run, (N,) each: the rows of `State.work`, as compiled code uses them.

    They are passed as one array and named by `_named`: passing six arrays would cost a short run a tenth more.
    """

    direction: np.ndarray  # the last one
    image: np.ndarray  # of the last direction, under K + diag(ridge)
    rise: np.ndarray  # 0 where a coefficient may rise, else -FORBIDDEN
    fall: np.ndarray  # 0 where it may fall, else FORBIDDEN
    diagonal: np.ndarray  # of K + diag(ridge)
    trial: np.ndarray  # beta after a whole step along the direction


ROWS, DIAGONAL = len(Work._fields), Work._fields.index("diagonal")
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
    def done(self) -> bool:
        """Whether the run has converged or is unbounded."""
        return self.code != RUNNING

    @property
    def status(self) -> Status:
        """Why the run ended, or would end if it were left here."""
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
    state = State(beta, F, np.empty((ROWS, n)), objective=0.5 * float(beta @ (qp.linear - F)))
    _prepare(K, qp.ridge, qp.lower, qp.upper, beta, state.work)
    return state


def advance(K, qp, state, n_steps, *, tol=1e-3, selection="conjugate", record=UNWATCHED) -> State:
    """Up to `n_steps` further steps, in place, until the violation is at most `tol`; `record`: see `room_for`.

    selection: "first" or "second" order, or "conjugate" (second order with conjugate directions).
    """
    first, conjugate_from = _plan(selection, len(state.beta))
    taken, curvature, objective, top, bottom, code = _advance(
        K, qp.ridge, qp.lower, qp.upper, state.beta, state.F, state.work, state.curvature, state.objective,
        tol, n_steps, first, conjugate_from - state.n_iter, record,
    )  # fmt: skip
    return State(state.beta, state.F, state.work, curvature, objective, top, bottom, state.n_iter + taken, code)


def in_time(K, qp, state, n_steps, *, tol=1e-3, selection="conjugate", record=UNWATCHED) -> State:
    """`advance` in pieces, the same to the last bit, that ends with the time limit of `deadline`, too."""
    begun, piece = state.n_iter, max(PIECE // len(state.beta), 1)
    while True:
        taken = state.n_iter - begun
        steps, rest = min(piece, n_steps - taken), record[taken:]
        state = advance(K, qp, state, steps, tol=tol, selection=selection, record=rest)
        if state.done or state.n_iter - begun == n_steps or deadline.passed():
            return state


def solve(K, qp, *, tol=1e-3, max_iter=1_000_000, selection="conjugate", state=None, record=UNWATCHED) -> State:
    """A run from zero or `state` until the violation is at most `tol`, or for `max_iter` steps; see `in_time`."""
    state = start(K, qp) if state is None else state
    begun = state.n_iter
    state = in_time(K, qp, state, max_iter - begun, tol=tol, selection=selection, record=record)
    while state.code == CONVERGED and _drift(state) > 0.01 * tol and state.n_iter < max_iter and not deadline.passed():
        room, rest = max_iter - state.n_iter, record[state.n_iter - begun :]
        again = in_time(K, qp, refresh(K, qp, state), room, tol=tol, selection=selection, record=rest)
        if again.n_iter == state.n_iter:
            return again
        state = again
    return state


def replay(qp, beta, i, j, wanted, momentum, stops) -> np.ndarray:
    """The iterates after `stops` (ascending) steps of a run from `beta` (N,): (len(stops), N), bit for bit, without K.

    i, j, wanted, momentum: the columns of the record from that step on.
    """
    frames = np.empty((len(stops), len(beta)))
    _replay(qp.lower, qp.upper, beta.copy(), i, j, wanted, momentum, np.asarray(stops, np.int64), frames)
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
    return ULP * math.sqrt(n_iter) * float(np.abs(beta) @ diagonal)


def residual(K, qp, beta) -> np.ndarray:
    """F = -linear - (K + diag(ridge)) beta computed anew, (N,); K (N, N), beta (N,)."""
    return -qp.linear - K @ beta - qp.ridge * beta


def at(qp, beta, F) -> State:
    """The state at a point with its F, (N,) each, from which no run is resumed: what the solvers of `convex` report."""
    top, bottom = _extremes(F, beta, qp.lower, qp.upper)
    return State(beta, F, NO_WORK, objective=0.5 * float(beta @ (qp.linear - F)), top=top, bottom=bottom)


def intercept(qp, state) -> float:
    """The mean of F over the free coefficients; without any, the middle of the interval that the conditions allow."""
    return float(_intercept(state.F, state.beta, qp.lower, qp.upper, state.top, state.bottom))


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


# ---------------------------------------------------------------------------------------------- compiled


def _vectorised(name):
    """Let numba compile a function of two floats to the LLVM instruction `name`; without the JIT it runs as written.

    numba's own max() and min() respect NaN, which prevents vectorised loops; these two need not.
    """

    @intrinsic
    def instruction(typing_context, x, y):
        def codegen(context, builder, signature, args):
            double = args[0].type
            function = builder.module.declare_intrinsic(name, [double], ir.FunctionType(double, [double, double]))
            return builder.call(function, args, fastmath=("nnan", "nsz"))

        return x(x, x), codegen

    def register(function):
        overload(function)(lambda x, y: lambda x, y: instruction(x, y))
        return function

    return register


@_vectorised("llvm.maxnum")
def larger(x, y) -> float:
    """max(x, y) of two floats that are not NaN."""
    return x if x > y else y


@_vectorised("llvm.minnum")
def smaller(x, y) -> float:
    """min(x, y) of two floats that are not NaN."""
    return x if x < y else y


compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


@compiled
def _named(rows):
    return Work(rows[0], rows[1], rows[2], rows[3], rows[4], rows[5])


@compiled
def _mark(k, beta, lower, upper, rise, fall):
    rise[k] = 0.0 if beta[k] < upper[k] else -FORBIDDEN
    fall[k] = 0.0 if beta[k] > lower[k] else FORBIDDEN


@compiled
def _prepare(K, ridge, lower, upper, beta, rows):
    direction, image, rise, fall, diagonal, _ = _named(rows)
    for k in range(beta.size):
        direction[k] = image[k] = 0.0
        diagonal[k] = K[k, k] + ridge[k]
        _mark(k, beta, lower, upper, rise, fall)


@compiled
def _tagged(score, k):
    """The score with its index in the lowest 16 bits of the mantissa: an arg-max becomes a maximum."""
    return np.int64((np.float64(score).view(np.int64) & ~np.int64(INDEX_BITS)) | np.int64(k)).view(np.float64)


@compiled
def _index(tagged):
    return np.float64(tagged).view(np.int64) & np.int64(INDEX_BITS)


@compiled
def _update_and_pick(row_i, row_j, momentum, step, image, F, rise):
    """image <- K (e_i - e_j) + momentum image;  F <- F - step image;  then the index of the largest F that may rise."""
    best = -2.0 * FORBIDDEN
    for k in range(F.size):
        image[k] = row_i[k] - row_j[k] + momentum * image[k]
        F[k] -= step * image[k]
        best = larger(best, _tagged(F[k] + rise[k], k))
    return _index(best)


@compiled
def _pick_partner(i, top, row_i, diagonal, image, inverse, F, fall):
    """j that may fall with the largest gain, (F_i - F_j)^2 over the curvature along the conjugate direction."""
    bottom, best = FORBIDDEN, -1.0
    diagonal_i, image_i = diagonal[i], image[i]
    for k in range(F.size):
        value = F[k] + fall[k]
        bottom = smaller(bottom, value)
        excess = larger(top - value, 0.0)
        bend = image_i - image[k]
        curvature = larger(diagonal_i + diagonal[k] - 2.0 * row_i[k] - bend * bend * inverse, MIN_CURVATURE)
        best = larger(best, _tagged(excess * excess / curvature, k))
    return _index(best), bottom


@compiled
def _pick_lowest(F, fall):
    """First order: the index of the smallest F that may fall."""
    best = -2.0 * FORBIDDEN
    for k in range(F.size):
        best = larger(best, _tagged(-F[k] - fall[k], k))
    return _index(best)


@compiled
def _pair_step(i, j, step, beta, lower, upper):
    """beta_i up, beta_j down by `step`, or exactly onto the first bound, which beta - (beta - lower) may miss."""
    room_i, room_j = upper[i] - beta[i], beta[j] - lower[j]
    taken = min(step, room_i, room_j)
    beta[i] = upper[i] if taken == room_i else beta[i] + taken
    beta[j] = lower[j] if taken == room_j else beta[j] - taken
    return taken


@compiled
def _conjugate(bend, curvature, last_curvature):
    """(momentum, curvature) of the direction e_i - e_j + momentum d that is conjugate to the last one, d.

    `bend` is d'(K + diag(ridge))(e_i - e_j), `curvature` that of e_i - e_j. If d is of no use, the momentum is 0.
    """
    if last_curvature > 0.0:
        reduced = curvature - bend * bend / last_curvature
        # what a tiny multiple would add is lost in rounding, and its inverse may overflow
        if reduced > 1e-9 * curvature and abs(bend) > 1e-10 * last_curvature:
            return -bend / last_curvature, reduced
    return 0.0, curvature


@compiled
def _direction_step(i, j, momentum, step, direction, trial, beta, lower, upper, rise, fall):
    """direction <- e_i - e_j + momentum direction;  beta <- beta + step direction, or up to the first bound."""
    direction[i] += 1.0 / momentum
    direction[j] -= 1.0 / momentum
    beyond = -1.0
    for k in range(beta.size):
        direction[k] *= momentum
        trial[k] = beta[k] + step * direction[k]
        beyond = larger(beyond, larger(trial[k] - upper[k], lower[k] - trial[k]))
    taken = step
    if beyond <= 0.0:
        for k in range(beta.size):
            beta[k] = trial[k]
    else:
        blocker = -1
        for k in range(beta.size):
            if direction[k] != 0.0:
                room = ((upper[k] if direction[k] > 0.0 else lower[k]) - beta[k]) / direction[k]
                if room <= taken:
                    blocker, taken = k, max(room, 0.0)
        for k in range(beta.size):
            if direction[k] != 0.0:
                beta[k] = min(max(beta[k] + taken * direction[k], lower[k]), upper[k])
                if k == blocker:
                    beta[k] = upper[k] if direction[k] > 0.0 else lower[k]
                _mark(k, beta, lower, upper, rise, fall)
    return taken


@compiled
def _begin_direction(i, j, direction):
    """direction <- e_i - e_j, for the next step to build on."""
    direction[:] = 0.0
    direction[i], direction[j] = 1.0, -1.0


@compiled
def _advance(
    K, ridge, lower, upper, beta, F, rows, last_curvature, objective, tol, n_steps, first_order, conjugate_from, record,
):  # fmt: skip
    """(steps taken, curvature of the last direction, objective, top, bottom, code).

    The algorithm repeats: choose i, choose j, step, update F. The loop starts elsewhere: a pass begins with the update
    of F for the previous step, because this update and the choice of the next i are one sweep over the same arrays. The
    loop ends only after this sweep, so that F is up to date at the end.
    """
    direction, image, rise, fall, diagonal, trial = _named(rows)
    i = j = taken = 0
    step, momentum = 0.0, 1.0  # nothing to update yet: the first sweep leaves image and F as they are
    while True:
        # update F for the previous step, and choose i
        # the ridge changes two entries only: F before the sweep, image after it has read the old values
        F[i] -= step * ridge[i]
        F[j] += step * ridge[j]
        rising = _update_and_pick(K[i], K[j], momentum, step, image, F, rise)
        if step != 0.0:
            image[i] += ridge[i]
            image[j] -= ridge[j]
        i = rising
        top = F[i] + rise[i]

        # choose j
        inverse = 1.0 / last_curvature if last_curvature > 0.0 else 0.0
        j, bottom = _pick_partner(i, top, K[i], diagonal, image, inverse, F, fall)
        if first_order:
            j = _pick_lowest(F, fall)

        # stop?
        violation = top - bottom
        if violation <= tol:
            code = CONVERGED
            break
        if violation >= FORBIDDEN:  # first order selection may diverge along a pair that has curvature
            code = UNBOUNDED
            break
        if taken == n_steps:
            code = RUNNING
            break
        slope = F[i] - F[j]
        pair_curvature = diagonal[i] + diagonal[j] - 2.0 * K[i, j]
        if pair_curvature <= 0.0 and upper[i] == np.inf and lower[j] == -np.inf:
            code = UNBOUNDED
            break

        # step; no separate function, because numba would count references to all its array arguments
        bend = image[i] - image[j]
        momentum, curvature = _conjugate(bend, max(pair_curvature, MIN_CURVATURE), last_curvature)
        wanted = slope / curvature
        if momentum == 0.0:
            step = _pair_step(i, j, wanted, beta, lower, upper)
        else:
            step = _direction_step(i, j, momentum, wanted, direction, trial, beta, lower, upper, rise, fall)
        _mark(i, beta, lower, upper, rise, fall)
        _mark(j, beta, lower, upper, rise, fall)
        true_curvature = pair_curvature if momentum == 0.0 else curvature
        objective += step * (0.5 * true_curvature * step - slope)
        if taken >= conjugate_from:
            if momentum == 0.0:
                _begin_direction(i, j, direction)
            last_curvature = curvature if step == wanted else 0.0

        if taken < len(record):
            record[taken] = Step(float(i), float(j), wanted, step, momentum, violation, objective)
        taken += 1
    return taken, last_curvature, objective, top, bottom, code


@compiled
def _replay(lower, upper, beta, i, j, wanted, momentum, stops, frames):
    direction, _, rise, fall, _, trial = _named(np.zeros((ROWS, beta.size)))
    t = 0
    for kept in range(stops.size):
        while t < stops[kept]:
            if momentum[t] == 0.0:
                _pair_step(i[t], j[t], wanted[t], beta, lower, upper)
                if t + 1 < i.size and momentum[t + 1] != 0.0:
                    _begin_direction(i[t], j[t], direction)
            else:
                _direction_step(i[t], j[t], momentum[t], wanted[t], direction, trial, beta, lower, upper, rise, fall)
            t += 1
        frames[kept] = beta


@compiled
def _extremes(F, beta, lower, upper):
    """(top, bottom) of F, where nothing may rise or fall -FORBIDDEN and FORBIDDEN."""
    top, bottom = -FORBIDDEN, FORBIDDEN
    for k in range(F.size):
        if beta[k] < upper[k]:
            top = larger(top, F[k])
        if beta[k] > lower[k]:
            bottom = smaller(bottom, F[k])
    return top, bottom


@compiled
def _intercept(F, beta, lower, upper, top, bottom):
    total, free = 0.0, 0
    for k in range(F.size):
        if lower[k] < beta[k] < upper[k]:
            total += F[k]
            free += 1
    if free > 0:
        return total / free
    if top <= -FORBIDDEN or bottom >= FORBIDDEN:
        return bottom if top <= -FORBIDDEN else top
    return 0.5 * (top + bottom)
