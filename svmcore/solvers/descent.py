"""Limited-memory BFGS for smooth functions, compiled where the formula of the loss is.

    minimise  P(w, b) = lam / 2 |w|^2 + sum_i C_i loss(1 - y_i f_i),    f = Phi w + b,    v = (w, b)

A step goes from v along -H gradient, H being the inverse curvature that the last `MEMORY` steps tell: the two loops of
Nocedal. Its length is found by bisection, doubled until it is bracketed (Lewis and Overton): P has fallen enough, and
its slope along the line has become flatter, so that the curvature between the two ends is positive. Where P changes by
rounding errors alone, the slope tells also whether P has fallen (Hager and Zhang).

`judge` is the whole method: it is told P and its gradient at a trial point, takes it or not, and names the next one.
`advance` calls it and a compiled P in turns. For a loss whose formula is not compiled here P is a Python function, and
the rest is the same.

References
    J. Nocedal (1980). Updating quasi-Newton matrices with limited storage. Mathematics of Computation 35, 773-782.
    D. C. Liu, J. Nocedal (1989). On the limited memory BFGS method for large scale optimization. Mathematical
        Programming 45, 503-528 (the scale of H).
    W. W. Hager, H. Zhang (2005). A new conjugate gradient method with guaranteed descent and an efficient line search.
        SIAM Journal on Optimization 16(1), 170-192 (the approximate Wolfe conditions).
    A. S. Lewis, M. L. Overton (2013). Nonsmooth optimization via quasi-Newton methods. Mathematical Programming 141,
        135-163 (the line search).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore import deadline

FORMS = ("exponential", "softplus", "logistic")  # of `losses.smooth`
EXPONENTIAL, SOFTPLUS, LOGISTIC = range(3)
MEMORY = 20  # pairs of vectors that tell the curvature
ENOUGH, FLATTER = 1e-4, 0.9  # shares of the slope: by which P falls at least, and that is left at most
TRIALS = 30  # on one line
ROUNDING = 1e-12  # relative change of P below which it is all rounding error
LARGEST_EXPONENT = 50.0  # as in `losses.smooth`
PIECE = 20_000_000  # operations, some hundredths of a second, between two looks at the clock
MOST = 1000  # trials of a piece

RUNNING, REACHED, STUCK = 0, 1, 2
# rows of `vectors`, then `MEMORY` moves of v and `MEMORY` changes of the gradient, in turns
V, GRADIENT, DIRECTION, TRIAL, TRIAL_GRADIENT, MOVES = range(6)
CHANGES = MOVES + MEMORY
ROWS = CHANGES + MEMORY
# P, its slope along the line, the length of the step and its bracket, the square of the shortest gradient
VALUE, SLOPE, LENGTH, LOW, HIGH, SHORTEST = range(6)
STEPS, PAIRS, TRIED, IDLE, CODE = range(5)  # taken, remembered; trials on this line; steps that gained nothing


class Work(NamedTuple):
    """The state of a run: `vectors` (ROWS, k), `numbers` (6,) and `counts` (5,) as listed above."""

    vectors: np.ndarray
    numbers: np.ndarray
    counts: np.ndarray


class Objective(NamedTuple):
    """A P with the loss height * form(steepness (t - 1)): Phi (N, r), y and C (N,), `form` an index of `FORMS`."""

    Phi: np.ndarray
    lam: float
    y: np.ndarray
    C: np.ndarray
    form: int
    height: float
    steepness: float


def minimise(P, v, *, goal, max_iter, visited: Callable | None = None) -> tuple[np.ndarray, int]:
    """Steps from v (k,) until no entry of the gradient exceeds `goal`, or P falls no more: (the end, the steps taken).

    P: an `Objective`, or a function v -> (value, gradient). `visited` is called with each new v, without effect on the
    run, which also ends at the time limit (`svmcore.deadline`) and after `max_iter` steps.
    """
    vectors, counts = np.zeros((ROWS, len(v))), np.array([-1, 0, 0, 0, RUNNING])
    vectors[V] = vectors[TRIAL] = v
    work = Work(vectors, np.zeros(6), counts)
    compiled_P = isinstance(P, Objective)
    piece = min(MOST, PIECE // max(P.Phi.size, 1) + 1 if compiled_P else MOST)
    record = np.empty((0 if visited is None else piece, len(v)))
    while counts[CODE] == RUNNING and counts[STEPS] < max_iter:
        before = max(counts[STEPS], 0)
        if compiled_P:
            advance(P, work, goal, max_iter, piece, record)
        else:
            value, vectors[TRIAL_GRADIENT] = P(vectors[TRIAL].copy())
            judge(work, value, goal)
            record[: counts[STEPS] - before] = vectors[V]
        if visited is not None:
            for row in record[: counts[STEPS] - before]:
                visited(row.copy())
        if deadline.is_over():
            break
    return vectors[V].copy(), max(int(counts[STEPS]), 0)


# ---------------------------------------------------------------------------------------------- compiled

OPTIONS = dict(cache=True, nogil=True, error_model="numpy")
compiled = njit(**OPTIONS, fastmath={"contract"})
# "reassoc" lets a sum of products be taken in vectors
in_vectors = njit(**OPTIONS, fastmath={"contract", "reassoc", "nsz"})


@compiled
def advance(P, work, goal, max_iter, piece, record):
    """At most `piece` trials; `record`, (piece, k) or (0, k), receives v after each step."""
    counts = work.counts
    first = max(counts[STEPS], 0)
    for _ in range(piece):
        if counts[CODE] != RUNNING or counts[STEPS] >= max_iter:
            return
        before = counts[STEPS]
        judge(work, evaluate(P, work.vectors[TRIAL], work.vectors[TRIAL_GRADIENT]), goal)
        if record.shape[0] > 0 and counts[STEPS] > max(before, 0):
            row = counts[STEPS] - first - 1
            for k in range(record.shape[1]):
                record[row, k] = work.vectors[V, k]


@compiled
def evaluate(P, v, gradient):
    """The value of P at v; its gradient is written to `gradient`."""
    n, r = P.Phi.shape
    w, b = v[:r], v[r]
    for k in range(r):
        gradient[k] = P.lam * w[k]
    gradient[r] = 0.0
    cost = 0.0
    for i in range(n):
        row = P.Phi[i]
        f = _dot(row, w) + b
        value, slope = loss_at(P.form, P.steepness * -P.y[i] * f)
        cost += P.C[i] * P.height * value
        beta = P.y[i] * P.C[i] * P.height * P.steepness * slope
        for k in range(r):
            gradient[k] -= beta * row[k]
        gradient[r] -= beta
    return 0.5 * P.lam * _dot(w, w) + cost


@compiled
def loss_at(form, x):
    """The value and the slope of a form of `losses.smooth` at x."""
    if form == EXPONENTIAL:
        slope = math.exp(min(x, LARGEST_EXPONENT))
        return slope * (1.0 + max(x - LARGEST_EXPONENT, 0.0)), slope
    small = math.exp(-abs(x))
    rising = (1.0 if x >= 0.0 else small) / (1.0 + small)
    if form == LOGISTIC:
        return rising, small / ((1.0 + small) * (1.0 + small))
    return max(x, 0.0) + math.log1p(small), rising


@compiled
def judge(work, value, goal):
    """Take the trial point with this value, whose gradient is in `work`, or not, and choose the next one."""
    vectors, numbers, counts = work.vectors, work.numbers, work.counts
    if counts[STEPS] < 0:
        _take(work, value, goal)
        return
    before, slope, length = numbers[VALUE], numbers[SLOPE], numbers[LENGTH]
    new_slope = _dot(vectors[TRIAL_GRADIENT], vectors[DIRECTION])
    flat = abs(length * slope) <= ROUNDING * abs(before)
    if flat:
        fallen = value <= before + ROUNDING * abs(before) and new_slope <= (2.0 * ENOUGH - 1.0) * slope
    else:
        fallen = value <= before + ENOUGH * length * slope  # never where P has overflowed
    if not fallen:
        numbers[HIGH] = length
    elif new_slope < FLATTER * slope:
        numbers[LOW] = length
    else:
        _take(work, value, goal)
        _count_idle(work, flat)
        return
    counts[TRIED] += 1
    if counts[TRIED] == TRIALS:
        counts[CODE] = STUCK
        return
    bracketed = numbers[HIGH] < np.inf
    numbers[LENGTH] = 0.5 * (numbers[LOW] + numbers[HIGH]) if bracketed else 2.0 * numbers[LOW]
    _try(work)


@compiled
def _count_idle(work, flat):
    """End a run that only wanders: `MEMORY` steps that neither changed P nor shortened the gradient."""
    numbers, counts = work.numbers, work.counts
    squared = _dot(work.vectors[GRADIENT], work.vectors[GRADIENT])
    if not flat or squared < numbers[SHORTEST]:
        numbers[SHORTEST], counts[IDLE] = squared, 0
        return
    counts[IDLE] += 1
    if counts[IDLE] == MEMORY and counts[CODE] == RUNNING:
        counts[CODE] = STUCK


@compiled
def _take(work, value, goal):
    """The trial point is the new v; the line from there."""
    vectors, numbers, counts = work.vectors, work.numbers, work.counts
    v, gradient, direction = vectors[V], vectors[GRADIENT], vectors[DIRECTION]
    pair = counts[PAIRS] % MEMORY
    reached = True
    for k in range(v.size):
        there, new = vectors[TRIAL, k], vectors[TRIAL_GRADIENT, k]
        vectors[MOVES + pair, k], vectors[CHANGES + pair, k] = there - v[k], new - gradient[k]
        v[k], gradient[k] = there, new
        reached = reached and abs(new) <= goal
    if counts[STEPS] >= 0 and _dot(vectors[MOVES + pair], vectors[CHANGES + pair]) > 0.0:
        counts[PAIRS] += 1
    counts[STEPS] += 1
    numbers[VALUE] = value
    if reached:
        counts[CODE] = REACHED
        return
    _aim(vectors, counts[PAIRS])
    slope = _dot(gradient, direction)
    if not slope < 0.0:  # all rounding errors, or not finite
        counts[CODE] = STUCK
        return
    counts[TRIED] = 0
    numbers[SLOPE], numbers[LOW], numbers[HIGH] = slope, 0.0, np.inf
    numbers[LENGTH] = 1.0 if counts[PAIRS] > 0 else min(1.0, 1.0 / math.sqrt(-slope))
    _try(work)


@compiled
def _aim(vectors, pairs):
    """The direction -H gradient; without pairs H = 1."""
    direction, gradient = vectors[DIRECTION], vectors[GRADIENT]
    for k in range(direction.size):
        direction[k] = -gradient[k]
    held = min(pairs, MEMORY)
    share, curvature = np.empty(held), np.empty(held)
    for age in range(held):
        pair = (pairs - 1 - age) % MEMORY
        move, change = vectors[MOVES + pair], vectors[CHANGES + pair]
        curvature[age] = _dot(move, change)
        share[age] = _dot(move, direction) / curvature[age]
        _add(direction, -share[age], change)
    if held > 0:
        last = vectors[CHANGES + (pairs - 1) % MEMORY]
        scale = curvature[0] / _dot(last, last)
        for k in range(direction.size):
            direction[k] *= scale
    for age in range(held - 1, -1, -1):
        pair = (pairs - 1 - age) % MEMORY
        move, change = vectors[MOVES + pair], vectors[CHANGES + pair]
        _add(direction, share[age] - _dot(change, direction) / curvature[age], move)


@compiled
def _try(work):
    """The trial point at the present length."""
    vectors, length = work.vectors, work.numbers[LENGTH]
    for k in range(vectors.shape[1]):
        vectors[TRIAL, k] = vectors[V, k] + length * vectors[DIRECTION, k]


@in_vectors
def _dot(a, b):
    """a.b, of as many entries as a has."""
    total = 0.0
    for k in range(a.size):
        total += a[k] * b[k]
    return total


@compiled
def _add(total, share, a):
    """total <- total + share a."""
    for k in range(total.size):
        total[k] += share * a[k]
