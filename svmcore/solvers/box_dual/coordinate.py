"""Dual coordinate descent for linear machines with a scale for each feature, dense or sparse.

    minimise   1/2 sum_j w_j^2 / s_j + sum_i C_i loss(1 - y_i (x_i.w + b))

    loss       max(0, t)  "hinge",  or  max(0, t)^2 / 2  "squared_hinge"
    b          the weight of a constant feature with its own scale s_b; s_b = 0: no intercept

A feature of scale 0 has no weight. Scales s_j = v_j^2 have the effect of multiplying the columns of X by v_j, without a
copy of X: if w' is the machine on x' = x v, then w = v w'. The dual in alpha is

    minimise   1/2 alpha'(Q + diag(ridge)) alpha - sum_i alpha_i   subject to  0 <= alpha <= upper
    Q_ij = y_i y_j (sum_k s_k x_ik x_jk + s_b),     upper = C, ridge = 0   or   upper = inf, ridge = 1 / C

and w = s X'(alpha y). An epoch passes once through the points in a random order; at each point it moves to the minimum
along alpha_i within the box, which takes one row of X: the gradient is y_i (x_i.w + b) - 1 + ridge_i alpha_i. Points
that stay at a bound are left out ("shrinking") until the others have converged, and are then checked again.

Source: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear SVM.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse
from numba import njit

from svmcore.status import Status

LOSSES = ("hinge", "squared_hinge")
NO_ROWS, NO_DATA, NO_INDICES = np.empty((0, 0)), np.empty(0), np.empty(0, np.uint32)


class Task(NamedTuple):
    """The problem to solve. The points are the rows of `dense` (n, d), or of a CSR matrix `data`, `indices`, `indptr`.

    `scale` (d + 1,) are s and, last, s_b; `curvature` (n,) is the diagonal of Q + diag(ridge).
    """

    dense: np.ndarray
    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    y: np.ndarray
    upper: np.ndarray
    ridge: np.ndarray
    scale: np.ndarray
    curvature: np.ndarray

    def with_scale(self, scale) -> "Task":
        """The same task with other scales, (d + 1,), all >= 0; the points are not copied."""
        curvature = np.empty(len(self.y))
        _curvature(*self[:4], scale, self.ridge, curvature)
        return self._replace(scale=scale, curvature=curvature)


class State(NamedTuple):
    """The state of a run. `w` (d + 1,) has the intercept last; `order[:active]` are the points not left out.

    `highest` and `lowest` are the extremes of the projected gradient in the last epoch, which decide what is left out;
    `violation` is the span of these extremes and zero in the last epoch through all points.
    """

    alpha: np.ndarray
    w: np.ndarray
    order: np.ndarray
    random: np.ndarray  # (1,) the state of the random numbers
    active: int
    highest: float = np.inf
    lowest: float = -np.inf
    violation: float = np.inf
    n_iter: int = 0
    is_done: bool = False  # it has converged

    @property
    def status(self) -> Status:
        """Reason why the run ended, or would end if it were left here."""
        return Status.CONVERGED if self.is_done else Status.ITERATION_LIMIT


def task(X, y, C, *, loss="hinge", scale=None, bias=1.0) -> Task:
    """The Task of X (n, d), an array or a scipy sparse matrix, labels y (n,) of -1 and +1, and C, a number or (n,).

    `scale` (d,), default 1, and `bias` are s and s_b, all >= 0. Raises ValueError for other losses and scales.
    """
    if loss not in LOSSES:
        raise ValueError(f"coordinate descent supports the losses {' and '.join(LOSSES)}, got {loss!r}")
    n, d = X.shape
    scale = np.append(np.ones(d) if scale is None else scale, bias).astype(float)
    if len(scale) != d + 1 or not np.all((scale >= 0.0) & (scale < np.inf)):
        raise ValueError(f"scale must hold {d} finite numbers of at least 0, one per feature, and bias one such number")
    C = np.broadcast_to(np.asarray(C, float), n)
    upper, ridge = (C.copy(), np.zeros(n)) if loss == "hinge" else (np.full(n, np.inf), 1.0 / C)
    rows = _rows(X)
    return Task(*rows, np.asarray(y, float), upper, ridge, scale, NO_DATA).with_scale(scale)


def _rows(X):
    """(dense, data, indices, indptr): one of the two forms is empty."""
    if not scipy.sparse.issparse(X):
        return np.ascontiguousarray(X, float), NO_DATA, NO_INDICES, NO_INDICES
    X = X.tocsr()
    if not X.has_canonical_format:  # the square of a sum is not the sum of squares
        X = X.copy()
        X.sum_duplicates()
    return NO_ROWS, X.data.astype(float, copy=False), *(v.astype(np.uint32, copy=False) for v in (X.indices, X.indptr))


def start(task, *, alpha=None, seed=0) -> State:
    """The state before the first epoch: at zero, or at `alpha` (n,), whose entries must lie in the box (ValueError).

    `seed` fixes the random orders.
    """
    n, d = len(task.y), len(task.scale) - 1
    if alpha is None:
        alpha = np.zeros(n)
    elif np.shape(alpha) != (n,) or not np.all((alpha >= 0.0) & (alpha <= task.upper)):
        raise ValueError("alpha leaves the box; pass alpha=None, zero is always inside")
    else:
        alpha = np.array(alpha, float)
    state = State(alpha, np.empty(d + 1), np.arange(n), np.array([_mix_seed(seed)], np.uint64), n)
    return refresh(task, state)


def refresh(task, state) -> State:
    """The same iterate with w computed anew, because incremental updates accumulate rounding errors."""
    state.w[:] = task.scale * gradient(task, state.alpha)
    return state


def advance(task, state, n_epochs, *, tol=1e-4) -> State:
    """Up to `n_epochs` further epochs, in place; done when the projected gradients span at most `tol`."""
    return State(state.alpha, state.w, state.order, state.random, *_advance(task, state, tol, n_epochs))


def run(task, *, tol=1e-4, max_iter=1000, alpha=None, seed=0) -> State:
    """A run from zero or `alpha` until the projected gradients span at most `tol`, or for `max_iter` epochs."""
    return refresh(task, advance(task, start(task, alpha=alpha, seed=seed), max_iter, tol=tol))


def gradient(task, alpha) -> np.ndarray:
    """X'(alpha y) and, last, sum(alpha y): (d + 1,). Multiplied by the scales it is w; alpha is (n,)."""
    out = np.zeros(len(task.scale))
    _add_rows(*task[:4], task.y * alpha, out)
    return out


def objective(task, state) -> float:
    """The dual objective as a lower bound on the primal one: sum(alpha) - 1/2 alpha'(Q + diag(ridge)) alpha."""
    g = gradient(task, state.alpha)
    return float(state.alpha.sum() - 0.5 * (task.scale @ g**2 + task.ridge @ state.alpha**2))


def _mix_seed(seed):
    """A whole number of 64 bits that is not zero and differs in many bits for neighbouring seeds (splitmix64)."""
    x = (int(seed) + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    return (x ^ (x >> 27)) or 1


# ---------------------------------------------------------------------------------------------- compiled

# "reassoc" lets the sum of a row's products be taken in vectors
compiled = njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})


@compiled
def _dot(dense, data, indices, indptr, i, w):
    """x_i.w + b."""
    total = 0.0
    if indptr.size == 0:
        row = dense[i]
        for j in range(row.size):
            total += row[j] * w[j]
    else:
        row, columns = data[indptr[i] : indptr[i + 1]], indices[indptr[i] : indptr[i + 1]]
        for k in range(row.size):
            total += row[k] * w[columns[k]]
    return total + w[w.size - 1]


@compiled
def _add(dense, data, indices, indptr, i, step, scale, w):
    """w <- w + step scale x_i."""
    if indptr.size == 0:
        row = dense[i]
        for j in range(row.size):
            w[j] += step * scale[j] * row[j]
    else:
        row, columns = data[indptr[i] : indptr[i + 1]], indices[indptr[i] : indptr[i + 1]]
        for k in range(row.size):
            j = columns[k]
            w[j] += step * scale[j] * row[k]
    w[w.size - 1] += step * scale[w.size - 1]


@compiled
def _add_rows(dense, data, indices, indptr, c, out):
    ones = np.ones(out.size)
    for i in range(c.size):
        if c[i] != 0.0:
            _add(dense, data, indices, indptr, i, c[i], ones, out)


@compiled
def _curvature(dense, data, indices, indptr, scale, ridge, out):
    d = scale.size - 1
    for i in range(out.size):
        total = scale[d] + ridge[i]
        if indptr.size == 0:
            row = dense[i]
            for j in range(d):
                total += scale[j] * row[j] * row[j]
        else:
            row, columns = data[indptr[i] : indptr[i + 1]], indices[indptr[i] : indptr[i + 1]]
            for k in range(row.size):
                total += scale[columns[k]] * row[k] * row[k]
        out[i] = total


@compiled
def _shuffle(order, active, random):
    """Fisher and Yates, with the random numbers of xorshift64 (Marsaglia 2003)."""
    x = random[0]
    for k in range(active - 1, 0, -1):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        other = np.int64(x % np.uint64(k + 1))
        order[k], order[other] = order[other], order[k]
    random[0] = x


@compiled
def _advance(task, state, tol, n_epochs):
    # unpacked once: numba counts references each time an array is taken out of a tuple
    dense, data, indices, indptr, y, upper, ridge, scale, curvature = task
    alpha, w, order, random, active, highest, lowest, violation, n_iter, _ = state
    is_done, end = False, n_iter + n_epochs
    while n_iter < end and not is_done:
        _shuffle(order, active, random)
        top, bottom = 0.0, 0.0
        every = active == alpha.size
        k = 0
        while k < active:
            i = order[k]
            slope = y[i] * _dot(dense, data, indices, indptr, i, w) - 1.0 + ridge[i] * alpha[i]
            projected = slope
            if alpha[i] <= 0.0:
                projected = min(slope, 0.0)
            elif alpha[i] >= upper[i]:
                projected = max(slope, 0.0)
            if projected == 0.0 and ((alpha[i] <= 0.0 and slope > highest) or (alpha[i] > 0.0 and slope < lowest)):
                active -= 1
                order[k], order[active] = order[active], i
                continue
            top, bottom = max(top, projected), min(bottom, projected)
            if projected != 0.0:
                before = alpha[i]
                # a row of zeros has no curvature: to the end of the box
                alpha[i] = min(max(before - slope / curvature[i], 0.0), upper[i])
                _add(dense, data, indices, indptr, i, (alpha[i] - before) * y[i], scale, w)
            k += 1
        n_iter += 1
        if every:
            violation = top - bottom
        if top - bottom <= tol:
            is_done = every
            active, highest, lowest = alpha.size, np.inf, -np.inf
        else:
            highest, lowest = top if top > 0.0 else np.inf, bottom if bottom < 0.0 else -np.inf
    return active, highest, lowest, violation, n_iter, is_done
