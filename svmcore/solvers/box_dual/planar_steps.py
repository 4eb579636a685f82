"""The compiled rounds of `planar`: choose a set of coefficients, solve the dual for it, correct F.

The loop over rounds is compiled, too: with two thousand points a round takes some ten microseconds, and so does a call.
`called` belongs to numba's disk cache: see `svmcore.numba_cache`.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore import duals, numba_cache
from svmcore.kernels import gaussian
from svmcore.solvers.box_dual import pair_updates

CALLED = numba_cache.digest(duals, gaussian, pair_updates)
BAND = 0.5
GOAL = 0.1  # a set is solved to this share of the violation
MOST_FREE = 1536  # coefficients between their bounds in a set
NOISE = 3e-8  # of a product in single precision, times the sum of the sizes of the coefficients, for near points
NEAR = 2.0  # the largest coordinate of such points, in units of 1 / sqrt(gamma); the noise is that of the coordinates
FORBIDDEN = 1e30  # as in `pair_updates`
PIECE = 200_000_000  # kernel values and steps times coefficients, some tenths of a second: then a look at the clock
PASSES = 10  # of a round over all coefficients

compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nnan", "nsz"})


class Points(NamedTuple):
    """The points as columns (d, n), in double and in single precision; a point has one coefficient or two.

    `noise`: of a product in single precision, times the sum of the sizes of the coefficients.
    """

    columns: np.ndarray
    single: np.ndarray
    gamma: float
    noise: float = NOISE


class Plan(NamedTuple):
    """Rounds with about `size` coefficients (see `choose`) to a violation of `tol`, or for `max_iter` pair updates.

    F is corrected in single precision where that loses at most `most_lost`. The rounds end, too, with one that moves
    more than `few` coefficients.
    """

    size: int
    tol: float
    max_iter: int
    most_lost: float
    few: float


@compiled
def rounds(points, qp, beta, F, plan, memory, called=CALLED):
    """Rounds until the violation is small enough, in place: (steps, code, moved, change).

    memory: of any size, for Gram matrices. The rounds end, too, with one that moves no coefficient, and after so much
    work that the caller should look at the clock: F is still to be corrected for what is returned as `moved` and
    `change`.
    """
    columns, single, gamma, noise = points
    lower, upper, ridge, linear = qp
    size, tol, max_iter, most_lost, few = plan
    n_iter, work, n = 0, 0, columns.shape[1]
    chosen, excess, product = np.empty(beta.size, np.int64), np.empty(beta.size), np.empty(n)
    while True:
        top, bottom = pair_updates.extremes(F, beta, lower, upper)
        if top - bottom <= tol:
            return n_iter, pair_updates.CONVERGED, chosen[:0], excess[:0]
        if n_iter >= max_iter:
            return n_iter, pair_updates.RUNNING, chosen[:0], excess[:0]
        some = chosen[: choose(qp, beta, F, (top, bottom), (size, MOST_FREE), chosen, excess)]
        part = take(some, lower, upper, ridge, linear, beta, F)
        limit = min(max_iter - n_iter, PIECE // some.size)
        steps = minimise(places(columns, some), gamma, part, goal(tol, top, bottom), limit, memory)
        moved, change = put_back(some, part[4], part[2], beta, F)
        n_iter += steps
        work += PASSES * beta.size + some.size * (some.size + steps) + n * moved.size
        if moved.size > few or moved.size == 0 or work > PIECE:
            return n_iter, pair_updates.RUNNING, moved, change
        product[:] = 0.0
        if noise * np.abs(change).sum() <= most_lost:
            gaussian.difference_dot_single(single, places(single, moved), change, gamma, product)
        else:
            gaussian.difference_dot(columns, places(columns, moved), change, gamma, product)
        for k in range(beta.size):
            F[k] -= product[k % n]


@compiled
def goal(tol, top, bottom):
    """The violation to which a set is solved: more accuracy in one that is about to change would be wasted."""
    return max(0.5 * tol, GOAL * (top - bottom))


@compiled
def minimise(columns, gamma, part, tol, max_iter, memory, called=CALLED):
    """Pair updates in place for the points columns (d, m), until the violation is at most `tol`: their number.

    part: (6, m), see `take`.
    """
    size = columns.shape[1]
    entries = memory if size * size <= memory.size else np.empty(size * size)
    K, rows = entries[: size * size].reshape(size, size), np.empty((pair_updates.ROWS, size))
    # one after the other: of arrays unpacked in a row numba does not know that they are contiguous
    lower, upper, ridge, linear, beta, F = part[0], part[1], part[2], part[3], part[4], part[5]
    gaussian.symmetric_gram(columns, gamma, K)
    pair_updates.prepare(K, lower, upper, ridge, linear, beta, F, rows)
    qp, plan = duals.BoxQP(lower, upper, ridge, linear), pair_updates.Plan(tol, max_iter, False, max(64, size // 2))
    return pair_updates.advance(K, qp, beta, F, rows, (0.0, 0.0), plan, np.empty((0, 7)))[0]


@compiled
def places(columns, some):
    """The columns of the points of these coefficients, (d, len(some))."""
    found, n = np.empty((len(columns), some.size), columns.dtype), columns.shape[1]
    for q in range(len(columns)):
        for k in range(some.size):
            found[q, k] = columns[q, some[k] % n]
    return found


@compiled
def choose(qp, beta, F, extremes, most, chosen, excess):
    """The number of coefficients in the next set, chosen[:number].

    extremes: (top, bottom), those of F; most: (size, most_free).

    All free coefficients, unless they are more than `most_free`, and about `size` others: half of them may rise, half
    fall. Of each half violators come first, then coefficients near violation; of a kind of which there are more than
    fit, some at equal intervals and the worst. `excess` (N,) is working memory: how far F lies beyond the middle of top
    and bottom, on the side to which the coefficient may move.
    """
    lower, upper, _, _ = qp
    (top, bottom), (size, most_free) = extremes, most
    middle, free = 0.5 * (top + bottom), 0
    near, worst = BAND * (bottom - middle), np.array([top - middle, middle - bottom])
    for k in range(beta.size):
        free += 1 if (lower[k] < beta[k]) & (beta[k] < upper[k]) else 0
    keep_free = free <= most_free
    rising = falling = rising_near = falling_near = 0
    for k in range(beta.size):
        rise = F[k] - middle if beta[k] < upper[k] else -FORBIDDEN
        fall = middle - F[k] if beta[k] > lower[k] else -FORBIDDEN
        kept = keep_free & (rise == -fall)
        value = rise if rise > fall else fall
        excess[k] = FORBIDDEN if kept else value
        rise = -FORBIDDEN if kept else rise
        fall = -FORBIDDEN if kept else fall
        rising += 1 if rise > 0.0 else 0
        falling += 1 if fall > 0.0 else 0
        rising_near += 1 if rise > near else 0
        falling_near += 1 if fall > near else 0
    rising_near -= rising
    falling_near -= falling
    half, owed, count = size // 2, np.full((2, 2), 0.5), 0
    share = np.array(  # of each kind and side
        [
            [max(half - rising, 0) / max(rising_near, 1), max(half - falling, 0) / max(falling_near, 1)],
            [half / max(rising, 1), half / max(falling, 1)],
        ]
    )
    candidates = 0  # in loops without branches: which way they go cannot be predicted
    for k in range(beta.size):
        chosen[candidates] = k
        candidates += 1 if excess[k] > near else 0
    for q in range(candidates):
        k = chosen[q]
        taken = True
        if excess[k] < FORBIDDEN:
            side = 0 if (beta[k] < upper[k]) & ((beta[k] == lower[k]) | (F[k] > middle)) else 1
            kind = 1 if excess[k] > 0.0 else 0
            owed[kind, side] += min(share[kind, side], 1.0)
            due = owed[kind, side] >= 1.0
            owed[kind, side] -= 1.0 if due else 0.0
            taken = due | (excess[k] >= worst[side])
            worst[side] = FORBIDDEN if taken & (not due) else worst[side]  # one of them is enough
        chosen[count] = k
        count += 1 if taken else 0
    return count


@compiled
def take(some, lower, upper, ridge, linear, beta, F):
    """The entries of each vector for these coefficients, (6, len(some)): a row for each vector."""
    part = np.empty((6, some.size))
    for q in range(some.size):
        k = some[q]
        part[0, q], part[1, q], part[2, q] = lower[k], upper[k], ridge[k]
        part[3, q], part[4, q], part[5, q] = linear[k], beta[k], F[k]
    return part


@compiled
def put_back(some, after, ridge, beta, F):
    """beta[some] = after, with what the ridge changes in F: (the coefficients that have changed, by how much)."""
    moved, change, count = np.empty(some.size, np.int64), np.empty(some.size), 0
    for q in range(some.size):
        k = some[q]
        if after[q] != beta[k]:
            moved[count], change[count] = k, after[q] - beta[k]
            F[k] -= ridge[q] * change[count]
            beta[k] = after[q]
            count += 1
    return moved[:count], change[:count]
