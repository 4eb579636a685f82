"""From a direction to a local minimum of the L0/1-SVM: the best strip, and the hard margin of what it keeps.

    minimise  1/2 |w|^2 + C sum_i c_i [1 - y_i f(x_i) > 0],      f(x) = w.x + b

The loss only decides which samples are ignored; for the others the best machine is the one with a hard margin. Two
moves never raise the objective, and alternating them (`follow`) ends at a local minimum:

    strip           the best of all machines s w.x + b with s > 0 and any b. Its margin is a strip between two parallel
                    planes, whose width is traded off against the samples ignored on both sides; sorting finds it
                    exactly
    hard_margin     the smallest w that satisfies the margin of all samples that the strip keeps. A quadratic programme
                    of few samples: those near the strip, then any others found inside the margin

Both are our own. The strip is fast to compute: with the edges h_1 <= h_2 <= ... of one class and m_1 >= m_2 >= ... of
the other, the cost 2 |w|^2 / (h_j - m_k)^2 is a convex function of h_j - m_k. So the best k never increases with j (the
matrix is totally monotone), and the search of a matrix of V^2 entries evaluates V^1.5 of them.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore import duals
from svmcore.solvers.box_dual import active_set, interior_point, smo

ROUNDING = 1e-6  # a slack up to this is no violation
ROUNDS = 100  # of adding samples to the quadratic programme
NEAREST = 20  # samples of each class that it starts with, plus twice the number of features
PATIENCE = 50  # pair updates per sample before the interior point method takes over
FEW = 16  # numbers that are sorted by insertion
DEEP = 64  # parts of a range that wait to be sorted: each is at most half of what was left before it


class Strip(NamedTuple):
    """The best machine of one direction: its objective and |w|^2, and `room` (N,), how far each sample lies on the
    correct side of its plane, in units of w.x; samples with negative room are ignored."""

    objective: float
    squared_norm: float
    room: np.ndarray

    @property
    def key(self) -> bytes:
        """Equal for two strips that keep the same samples."""
        return np.packbits(self.room >= 0.0).tobytes()


class Margin(NamedTuple):
    """A hard-margin machine: support `idx` and its `beta`, b, w.x_i (N,), |w|^2, and the objective on all samples."""

    idx: np.ndarray
    beta: np.ndarray
    intercept: float
    values: np.ndarray
    squared_norm: float
    objective: float


def strip(form, values, squared_norm, below=np.inf) -> Strip | None:
    """The best s and b for s w.x + b, where w.x_i are `values` (N,); None if none has an objective below `below`.

    form: an `expansions.Linear` or `expansions.Gram`; squared_norm = |w|^2.
    """
    if not squared_norm > 0.0:
        return None
    objective, width, room = _widest(values, form.y, form.weight, form.C, float(squared_norm), float(below))
    return Strip(objective, 4.0 * squared_norm / width**2, room) if objective < below else None


def next_strip(form, values, squared_norms, below, known) -> tuple[int, Strip | None]:
    """The first of many directions whose best strip is below `below` and not `known`, and that strip; or (V, None).

    values (V, N) and squared_norms (V,) as for `strip`; known: `Strip`s.
    """
    kept = np.array([strip.room >= 0.0 for strip in known], bool).reshape(len(known), len(form))
    at, objective, width, room = _next(values, squared_norms, form.y, form.weight, form.C, float(below), kept)
    if at == len(values):
        return at, None
    return at, Strip(objective, 4.0 * squared_norms[at] / width**2, room)


def cheapest(form, values, squared_norm) -> float:
    """The smallest 1/2 |w|^2 per sample that w = 0 ignores and s w.x + b does not, over all s and b; inf if none is.

    Arguments as for `strip`; the samples count with their weights.
    """
    smaller = min(float(form.weight[form.y == sign].sum()) for sign in (-1.0, 1.0))
    below = form.C * smaller
    upper, upper_cost = _edges(values, form.y, form.weight, form.C, 1.0, below)
    lower, lower_cost = _edges(values, form.y, form.weight, form.C, -1.0, below)
    least = np.inf
    for edge, cost in zip(upper, upper_cost, strict=True):
        width, saved = edge + lower, smaller - (cost + lower_cost) / form.C
        useful = (width > 0.0) & (saved > 0.5 * form.weight.min())
        least = min(least, np.min(2.0 * squared_norm / (width[useful] ** 2 * saved[useful]), initial=np.inf))
    return float(least)


compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})


@compiled
def _widest(values, y, c, C, squared_norm, below):
    """The objective of the best strip, infinite if there is none, its width and its room; see `_least` and `Strip`.

    The smallest entry of a row of the matrix lies further left from row to row, which draws a staircase: the minima of
    every `stride`-th row are found first, and bound the columns in which those of the rows between them can lie.
    """
    upper, upper_cost = _edges(values, y, c, C, 1.0, below)
    lower, lower_cost = _edges(values, y, c, C, -1.0, below)
    stride, right = int(np.sqrt(upper.size)), lower.size
    heads = np.empty(-(-upper.size // stride) + 1, np.int64)
    heads[-1] = 0
    best, row, column = np.inf, 0, 0
    for head in range(heads.size - 1):
        j = head * stride
        least, k = _least(upper[j], upper_cost[j], lower, lower_cost, squared_norm, 0, right)
        heads[head], right = k, k + 1
        if least < best:
            best, row, column = least, j, k
    for head in range(heads.size - 1):
        for j in range(head * stride + 1, min((head + 1) * stride, upper.size)):
            left, right = heads[head + 1], heads[head] + 1
            least, k = _least(upper[j], upper_cost[j], lower, lower_cost, squared_norm, left, right)
            if least < best or (least == best and j < row):
                best, row, column = least, j, k
    room = np.empty(y.size)
    for i in range(y.size):
        room[i] = values[i] - upper[row] if y[i] > 0.0 else -values[i] - lower[column]
    return best, upper[row] + lower[column], room


@compiled
def _next(values, squared_norms, y, c, C, below, kept):
    """The row of `next_strip` and what `_widest` returns for it; `kept` (K, N): what the known ones keep."""
    objective, width, room = np.inf, 0.0, np.empty(0)
    for at in range(squared_norms.size):
        if squared_norms[at] > 0.0:
            objective, width, room = _widest(values[at], y, c, C, squared_norms[at], below)
            if objective < below and not _among(room, kept):
                return at, objective, width, room
    return squared_norms.size, objective, width, room


@compiled
def _among(room, kept):
    """True if one of the rows of `kept` (K, N) has the samples with room."""
    for k in range(kept.shape[0]):
        same = True
        for i in range(room.size):
            if kept[k, i] != (room[i] >= 0.0):
                same = False
                break
        if same:
            return True
    return False


@compiled
def _edges(values, y, c, C, sign, below):
    """The possible edges of the margin of one class, ascending, and the cost, up to `below`, of the samples ignored."""
    edges, price, mine, least = np.empty(y.size), np.empty(y.size), 0, np.inf
    for i in range(y.size):
        if y[i] == sign:
            edges[mine], price[mine] = sign * values[i], C * c[i]
            least = min(least, price[mine])
            mine += 1
    most = int(max(min(below / least + 2.0, float(mine)), 1.0))
    _bring_to_front(edges[:mine], price[:mine], most)
    cost, enough = np.empty(most), 1
    cost[0] = 0.0
    while enough < most and cost[enough - 1] + price[enough - 1] <= below:
        cost[enough] = cost[enough - 1] + price[enough - 1]
        enough += 1
    return edges[:enough], cost[:enough]


@compiled
def _bring_to_front(key, value, count):
    """Bring the `count` smallest of key (N,), without NaN, to its front, ascending, and `value` (N,) with them.

    Both in place; equal keys in any order, the others anywhere behind. Quicksort (Hoare) that leaves out the parts
    beyond `count`; np.argsort and np.partition take numba seconds to compile.
    """
    low, high, waiting = 0, key.size - 1, 0
    starts, ends = np.empty(DEEP, np.int64), np.empty(DEEP, np.int64)
    while True:
        while high - low >= FEW:
            middle = low + (high - low) // 2
            if key[middle] < key[low]:
                key[low], key[middle] = key[middle], key[low]
                value[low], value[middle] = value[middle], value[low]
            if key[high] < key[middle]:
                key[middle], key[high] = key[high], key[middle]
                value[middle], value[high] = value[high], value[middle]
                if key[middle] < key[low]:
                    key[low], key[middle] = key[middle], key[low]
                    value[low], value[middle] = value[middle], value[low]
            pivot, i, j = key[middle], low, high
            while i <= j:
                while key[i] < pivot:
                    i += 1
                while key[j] > pivot:
                    j -= 1
                if i <= j:
                    key[i], key[j] = key[j], key[i]
                    value[i], value[j] = value[j], value[i]
                    i += 1
                    j -= 1
            if i >= count:
                high = j
            elif j - low < high - i:  # the longer part waits
                starts[waiting], ends[waiting] = i, high
                waiting, high = waiting + 1, j
            else:
                starts[waiting], ends[waiting] = low, j
                waiting, low = waiting + 1, i
        for k in range(low + 1, high + 1):
            x, its, place = key[k], value[k], k
            while place > low and key[place - 1] > x:
                key[place], value[place] = key[place - 1], value[place - 1]
                place -= 1
            key[place], value[place] = x, its
        if not waiting:
            return
        waiting -= 1
        low, high = starts[waiting], ends[waiting]


@compiled
def _least(edge, edge_cost, lower, lower_cost, squared_norm, left, right):
    """The lowest price of an edge with the edges `left` ... `right` - 1 of the other class, and the first with it.

    The price is the objective of the strip; the last edge if none has a finite one.
    """
    least, first = np.inf, right - 1
    for k in range(left, right):
        width = max(edge + lower[k], 0.0)
        price = 2.0 * squared_norm / (width * width) + (edge_cost + lower_cost[k])
        if price < least:
            least, first = price, k
    return least, first


def hard_margin(form, room, limit) -> Margin | None:
    """The smallest w with all samples of room >= 0 (N,) outside the margin; None if it cannot be computed.

    `limit` bounds the coefficients: |w|^2 / 2 of any machine that satisfies these margins is enough, because the
    coefficients of each class sum to half of the smallest |w|^2.
    """
    kept = np.flatnonzero(room >= 0.0)
    nearest_first = kept[np.argsort(room[kept], kind="stable")]
    few = NEAREST + (0 if form.X is None else 2 * form.X.shape[1])
    some = np.concatenate([nearest_first[form.y[nearest_first] == sign][:few] for sign in (1.0, -1.0)])
    for _ in range(ROUNDS):
        beta = _quadratic_programme(form, some, limit)
        if beta is None:
            return None
        idx, beta = some[beta != 0.0], beta[beta != 0.0]
        values, squared_norm, _ = form.expand(idx, beta)
        intercept = float(np.mean(form.y[idx] - values[idx]))
        slack = 1.0 - form.y * (values + intercept)
        inside = kept[slack[kept] > 0.01 * ROUNDING]
        known = np.zeros(len(slack), bool)
        known[some] = True
        missing = inside[~known[inside]]
        if not len(missing):
            violated = form.y * (values + intercept) < 1.0 - ROUNDING
            objective = 0.5 * squared_norm + form.C * float(form.weight @ violated)
            margin = Margin(idx, beta, intercept, values, squared_norm, objective)
            return margin if np.all(slack[inside] <= ROUNDING) else None
        worst_first = missing[np.argsort(-slack[missing], kind="stable")]
        some = np.concatenate([some, worst_first[: max(few, len(some) // 2)]])
    return None


def _quadratic_programme(form, some, limit):
    """The coefficients of the hard margin of some samples: pair updates; an interior point method if those stall."""
    K, qp = form.block(some), duals.hinge(form.y[some], limit)
    state = smo.run(K, qp, smo.start(K, qp), tol=1e-6, max_iter=PATIENCE * len(some))
    beta = state.beta
    if not state.is_done:
        if form.X is None:
            found = interior_point.solve_gram(K, qp, tol=1e-7)
        else:
            found = interior_point.solve(form.centre_rows(some), qp, tol=1e-7)
        beta = interior_point.crossover(found, qp)
    polished = active_set.newton(K, qp, beta, tol=1e-10)
    return polished.beta if polished.violation <= 0.1 * ROUNDING and polished.beta.any() else None


def follow(form, first, known=None) -> Margin | None:
    """Alternate hard margin and strip, from a `Strip`, while the objective falls; None if the first margin fails.

    `known`: a dict that caches the hard margin of each set of samples, for strips that lead to the same set.
    """
    known = {} if known is None else known
    best, found = None, first
    while found is not None:
        if found.key not in known:
            known[found.key] = hard_margin(form, found.room, found.squared_norm)
        margin = known[found.key]
        if margin is None or (best is not None and margin.objective >= best.objective):
            break
        best = margin
        found = strip(form, margin.values, margin.squared_norm, margin.objective * (1.0 - 1e-9))
    return best
