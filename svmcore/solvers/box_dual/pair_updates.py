"""The compiled steps of sequential minimal optimisation, which `smo` describes: choose a pair, move it, update F."""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit
from numba.extending import intrinsic, overload

MIN_CURVATURE = 1e-12  # as in LIBSVM: for a kernel that is not positive semidefinite, pairs may have no curvature
INDEX_BITS = 0xFFFF  # the bits in which `_tag` stores an index; they bound the number of coefficients
FORBIDDEN = 1e30  # score of a move that the box does not allow; finite, so that sums with it stay ordered
LOWEST = -(2.0**101)  # below it; its index is 0, because in a run that overflows nothing may be above
NEVER = np.iinfo(np.int64).max
RUNNING, CONVERGED, UNBOUNDED = 0, 1, 2


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


class Work(NamedTuple):
    """The working arrays of a run, (N,) each: the rows of `State.work`, as compiled code uses them.

    They are passed as one array and named by `_to_work`: passing six arrays would cost a short run a tenth more.
    """

    direction: np.ndarray  # the last one
    image: np.ndarray  # of the last direction, under K + diag(ridge)
    rise: np.ndarray  # 0 where a coefficient may rise, else -FORBIDDEN
    fall: np.ndarray  # 0 where it may fall, else FORBIDDEN
    diagonal: np.ndarray  # of K + diag(ridge)
    members: np.ndarray  # the indices of the coefficients in the direction; as many as there are


ROWS = len(Work._fields)


class Plan(NamedTuple):
    """A run: first or second order, and the step from which directions are conjugate."""

    tol: float
    n_steps: int
    first_order: bool
    conjugate_from: int


def _vector_intrinsic(name):
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


@_vector_intrinsic("llvm.maxnum")
def larger(x, y) -> float:
    """max(x, y) of two floats that are not NaN."""
    return x if x > y else y


@_vector_intrinsic("llvm.minnum")
def smaller(x, y) -> float:
    """min(x, y) of two floats that are not NaN."""
    return x if x < y else y


OPTIONS = dict(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
INLINED = dict(OPTIONS, forceinline=True)  # a call passes each array as seven numbers: a tenth of a step of few points
compiled = njit(**OPTIONS)


@compiled
def _to_work(rows):
    return Work(rows[0], rows[1], rows[2], rows[3], rows[4], rows[5])


@compiled
def _mark(k, beta, lower, upper, rise, fall):
    rise[k] = 0.0 if beta[k] < upper[k] else -FORBIDDEN
    fall[k] = 0.0 if beta[k] > lower[k] else FORBIDDEN


@compiled
def prepare(K, lower, upper, ridge, linear, beta, F, rows):
    """Fill the rows for a run that begins at `beta`; returns the objective there."""
    direction, image, rise, fall, diagonal, _ = _to_work(rows)
    objective = 0.0
    for k in range(beta.size):
        direction[k] = image[k] = 0.0
        diagonal[k] = K[k, k] + ridge[k]
        objective += 0.5 * beta[k] * (linear[k] - F[k])
        _mark(k, beta, lower, upper, rise, fall)
    return objective


@compiled
def _tag(score, k):
    """The score with its index in the lowest 16 bits of the mantissa: an arg-max becomes a maximum."""
    return np.int64((np.float64(score).view(np.int64) & ~np.int64(INDEX_BITS)) | np.int64(k)).view(np.float64)


@compiled
def _index(tagged):
    return np.float64(tagged).view(np.int64) & np.int64(INDEX_BITS)


@njit(**INLINED)
def _update_and_pick(row_i, row_j, step, F, rise):
    """F <- F - step K (e_i - e_j);  then the index of the largest F that may rise."""
    best = LOWEST
    for k in range(F.size):
        F[k] -= step * (row_i[k] - row_j[k])
        best = larger(best, _tag(F[k] + rise[k], k))
    return _index(best)


@njit(**INLINED)
def _update_and_pick_conjugate(row_i, row_j, momentum, step, image, F, rise):
    """image <- K (e_i - e_j) + momentum image;  F <- F - step image;  then the index of the largest F that may rise."""
    best = LOWEST
    for k in range(F.size):
        image[k] = row_i[k] - row_j[k] + momentum * image[k]
        F[k] -= step * image[k]
        best = larger(best, _tag(F[k] + rise[k], k))
    return _index(best)


@njit(**INLINED)
def _pick_partner(i, top, row_i, diagonal, F, fall):
    """(j that may fall with the largest gain, (F_i - F_j)^2 over the curvature along e_i - e_j; the lowest such F)."""
    bottom, best = FORBIDDEN, -1.0
    diagonal_i = diagonal[i]
    for k in range(F.size):
        value = F[k] + fall[k]
        bottom = smaller(bottom, value)
        excess = larger(top - value, 0.0)
        curvature = larger(diagonal_i + diagonal[k] - 2.0 * row_i[k], MIN_CURVATURE)
        best = larger(best, _tag(excess * excess / curvature, k))
    return _index(best), bottom


@njit(**INLINED)
def _pick_partner_conjugate(i, top, row_i, diagonal, image, inverse, F, fall):
    """The same with the curvature along the conjugate direction; `inverse` is that of the last curvature."""
    bottom, best = FORBIDDEN, -1.0
    diagonal_i, image_i = diagonal[i], image[i]
    for k in range(F.size):
        value = F[k] + fall[k]
        bottom = smaller(bottom, value)
        excess = larger(top - value, 0.0)
        bend = image_i - image[k]
        curvature = larger(diagonal_i + diagonal[k] - 2.0 * row_i[k] - bend * bend * inverse, MIN_CURVATURE)
        best = larger(best, _tag(excess * excess / curvature, k))
    return _index(best), bottom


@compiled
def _pick_lowest(F, fall):
    """First order: the index of the smallest F that may fall."""
    best = LOWEST
    for k in range(F.size):
        best = larger(best, _tag(-F[k] - fall[k], k))
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
def _members(direction, members):
    """List the coefficients in the direction, which are few; returns their number."""
    count = 0
    for k in range(direction.size):
        if direction[k] != 0.0:
            members[count] = k
            count += 1
    return count


@njit(**INLINED)
def _add_member(k, direction, members, count):
    """The number of members with k among them."""
    if direction[k] != 0.0:
        return count
    for q in range(count):  # it may be a member whose share has become zero
        if members[q] == k:
            return count
    members[count] = k
    return count + 1


@njit(**INLINED)
def _direction_step(i, j, momentum, step, qp, beta, work, count):
    """direction <- e_i - e_j + momentum direction;  beta <- beta + step direction, or up to the first bound.

    Returns the step taken and the number of members.
    """
    lower, upper, _, _ = qp
    direction, _, rise, fall, _, members = work
    count = _add_member(j, direction, members, _add_member(i, direction, members, count))
    direction[i] += 1.0 / momentum
    direction[j] -= 1.0 / momentum
    beyond = -1.0
    for q in range(count):
        k = np.uint64(members[q])  # a signed index is tested for being negative, each time
        direction[k] *= momentum
        trial = beta[k] + step * direction[k]
        beyond = larger(beyond, larger(trial - upper[k], lower[k] - trial))
    taken = step
    if beyond <= 0.0:
        for q in range(count):
            k = np.uint64(members[q])
            beta[k] += step * direction[k]
    else:
        blocker = -1
        for q in range(count):
            k = int(members[q])
            if direction[k] != 0.0:
                room = max(((upper[k] if direction[k] > 0.0 else lower[k]) - beta[k]) / direction[k], 0.0)
                if room < taken or (room == taken and k > blocker):
                    blocker, taken = k, room
        for q in range(count):
            k = int(members[q])
            if direction[k] != 0.0:
                beta[k] = min(max(beta[k] + taken * direction[k], lower[k]), upper[k])
                if k == blocker:
                    beta[k] = upper[k] if direction[k] > 0.0 else lower[k]
                _mark(k, beta, lower, upper, rise, fall)
    return taken, count


@njit(**INLINED)
def _begin_direction(i, j, direction, members, count):
    """direction <- e_i - e_j, for the next step to build on; returns the number of members."""
    for q in range(count):
        direction[int(members[q])] = 0.0
    direction[i], direction[j] = 1.0, -1.0
    members[0], members[1] = i, j
    return 2


@compiled
def advance(K, qp, beta, F, rows, progress, plan, record):
    """(steps taken, curvature of the last direction, objective, top, bottom, code).

    progress: (curvature, objective) so far, with a curvature of 0 if there is no direction to build on.

    The algorithm repeats: choose i, choose j, step, update F. The loop starts elsewhere: a pass begins with the update
    of F for the previous step, because this update and the choice of the next i are one sweep over the same arrays. The
    loop ends only after this sweep, so that F is up to date at the end.
    """
    lower, upper, ridge, _ = qp
    last_curvature, objective = progress
    tol, n_steps, first_order, conjugate_from = plan
    work = _to_work(rows)
    direction, image, rise, fall, diagonal, members = work
    count = _members(direction, members)
    i = j = taken = 0
    step, momentum = 0.0, 1.0  # nothing to update yet: the first sweep leaves image and F as they are
    while True:
        # update F for the previous step, and choose i
        # the ridge changes two entries only: F before the sweep, image after it has read the old values
        F[i] -= step * ridge[i]
        F[j] += step * ridge[j]
        if momentum == 0.0 and last_curvature == 0.0:  # nothing will build on this direction
            rising = _update_and_pick(K[i], K[j], step, F, rise)
        else:
            rising = _update_and_pick_conjugate(K[i], K[j], momentum, step, image, F, rise)
        if step != 0.0:
            image[i] += ridge[i]
            image[j] -= ridge[j]
        i = rising
        top = F[i] + rise[i]

        # choose j
        if last_curvature > 0.0:
            j, bottom = _pick_partner_conjugate(i, top, K[i], diagonal, image, 1.0 / last_curvature, F, fall)
        else:
            j, bottom = _pick_partner(i, top, K[i], diagonal, F, fall)
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
            step, count = _direction_step(i, j, momentum, wanted, qp, beta, work, count)
        _mark(i, beta, lower, upper, rise, fall)
        _mark(j, beta, lower, upper, rise, fall)
        true_curvature = pair_curvature if momentum == 0.0 else curvature
        objective += step * (0.5 * true_curvature * step - slope)
        if taken >= conjugate_from:
            if momentum == 0.0:
                count = _begin_direction(i, j, direction, members, count)
            last_curvature = curvature if step == wanted else 0.0

        if taken < len(record):
            row = Step(float(i), float(j), wanted, step, momentum, violation, objective)
            for q in range(len(row)):  # numba compiles the assignment of a whole row in seconds
                record[taken, q] = row[q]
        taken += 1
    return taken, last_curvature, objective, top, bottom, code


@compiled
def replay(qp, beta, i, j, wanted, momentum, stops, frames):
    lower, upper, _, _ = qp
    work = _to_work(np.zeros((ROWS, beta.size)))
    t = count = 0
    for kept in range(stops.size):
        while t < stops[kept]:
            if momentum[t] == 0.0:
                _pair_step(i[t], j[t], wanted[t], beta, lower, upper)
                if t + 1 < i.size and momentum[t + 1] != 0.0:
                    count = _begin_direction(i[t], j[t], work.direction, work.members, count)
            else:
                _, count = _direction_step(i[t], j[t], momentum[t], wanted[t], qp, beta, work, count)
            t += 1
        for k in range(beta.size):
            frames[kept, k] = beta[k]


@compiled
def extremes(F, beta, lower, upper):
    """(top, bottom) of F, where nothing may rise or fall -FORBIDDEN and FORBIDDEN."""
    top, bottom = -FORBIDDEN, FORBIDDEN
    for k in range(F.size):
        if beta[k] < upper[k]:
            top = larger(top, F[k])
        if beta[k] > lower[k]:
            bottom = smaller(bottom, F[k])
    return top, bottom


@compiled
def optimality(F, beta, lower, upper, linear):
    """(top, bottom, intercept, objective) of a point with its F."""
    top, bottom = extremes(F, beta, lower, upper)
    objective = 0.0
    for k in range(F.size):
        objective += 0.5 * beta[k] * (linear[k] - F[k])
    return top, bottom, intercept(F, beta, lower, upper, top, bottom), objective


@compiled
def total(beta):
    """The sum of the sizes of the coefficients."""
    whole = 0.0
    for k in range(beta.size):
        whole += abs(beta[k])
    return whole


@compiled
def size(beta, diagonal):
    """|beta|'diagonal, of which rounding errors in F are a share."""
    total = 0.0
    for k in range(beta.size):
        total += abs(beta[k]) * diagonal[k]
    return total


@compiled
def intercept(F, beta, lower, upper, top, bottom):
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
