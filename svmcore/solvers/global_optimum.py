"""The best of all lines: the global optimum of the L0/1-SVM and of the ramp-loss SVM in the plane, with proof.

    minimise  P = 1/2 |w|^2 + sum_i C_i loss(t_i),    t_i = 1 - y_i (w.x_i + b),    w in the plane, linear kernel

Both losses have a number of local minima that grows fast with N, and no solver of the other modules knows how far its
answer is from the best. In the plane there are few enough candidates to look at all of them.

zero_one    Unless w = 0, the optimum is the hard margin of the points that it does not ignore. It lies midway between
            two convex hulls, so w has the direction between two points of different classes, or is normal to the line
            through two points of one class: O(N^2) directions, and for each the best s and b of s w.x + b is found
            exactly (`local_search.strip`). O(N^3 log N) in all.
ramp        An optimum has a point with y f = 1: if none has, P does not change with b until the first one has, because
            the only other kinks, at t = mu, point upwards. With this point i, b = y_i - w.x_i, and P is a function of w
            that is quadratic in each cell of the arrangement of the 2 N lines t_j = 0 and t_j = mu of the plane of w.
            Its minimum lies inside a cell, on a line or at a vertex; a walk along every line passes every cell, edge
            and vertex, and sums that change from event to event give each minimum in O(1): O(N^3 log N) in all.

`search` yields the best machine so far with the share of the candidates that were examined; when this is 1 nothing is
left that could be lower, apart from rounding.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit

from svmcore import duals, losses
from svmcore.solvers import local_search
from svmcore.solvers.expansions import Linear

LOSSES = ("zero_one", "ramp")
MOST = 200  # points; the time grows with their third power
CHUNK = 100  # directions between two reports
PARALLEL = 1e-12  # sine of an angle below which two lines count as parallel
BESIDE = 1e-9  # distance from a line, relative to the spread of the t, at which a cell beside it is entered
LOWER = 1e-12  # relative decrease of P that counts as one


class Best(NamedTuple):
    """The best machine among the share `examined` (0 to 1) of the candidates: P, w (2,) and b; with 1 it is proved."""

    objective: float
    w: np.ndarray
    intercept: float
    examined: float

    @property
    def proved(self) -> bool:
        """Whether no machine is lower."""
        return self.examined == 1.0


def search(X, y, C, loss, params=None, start=None) -> Iterator[Best]:
    """The best machine so far, until all candidates are examined; the last one is the global optimum.

    X (N, 2), y (N,) labels -1 and +1, C positive, a number or (N,); loss: a key of `LOSSES`, params its parameters (a
    dict, defaults filled in); start: (w, b) of a machine to improve on, or None for w = 0. Raises ValueError for other
    losses, for more than two features and for more than `MOST` points.
    """
    loss = losses.get(loss)
    X, (y, C) = np.ascontiguousarray(X, dtype=float), duals.checked(y, C)
    if loss.key not in LOSSES:
        raise ValueError(f"the global optimum is known for {' and '.join(LOSSES)} only, got {loss.key}")
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"the global optimum is found in the plane only: X must have two columns, got shape {X.shape}")
    if len(X) > MOST:
        raise ValueError(f"the global optimum is found for up to {MOST} points, and there are {len(X)}; use fewer")
    params = loss.check(**(params or {}))
    centre = X.mean(axis=0)
    constants = [(np.zeros(2), b) for b in _constants(y, C, params)]
    machines = constants if start is None else [*constants, (np.asarray(start[0], float), start[1] + start[0] @ centre)]
    best = min((_machine(loss, params, X - centre, y, C, w, b) for w, b in machines), key=lambda each: each.objective)
    candidates = _strips if loss.key == "zero_one" else _anchors
    for best in candidates(loss, params, X - centre, y, C, best):  # noqa: B020
        yield best._replace(intercept=float(best.intercept - best.w @ centre))


def find(X, y, C, loss, params=None, start=None) -> Best:
    """The last of `search`: the global optimum."""
    *_, best = search(X, y, C, loss, params, start)
    return best


def objective(loss, params, X, y, C, w, intercept) -> float:
    """P of a machine; for the 0/1 loss a slack up to `local_search.ROUNDING` is none."""
    t = 1.0 - y * (X @ w + intercept)
    if loss.key == "zero_one":
        t = np.where(t > local_search.ROUNDING, t, 0.0)
    return 0.5 * float(w @ w) + float(C @ loss(t, **params))


def _constants(y, C, params):
    """The b at which P of w = 0 can be lowest: the kinks of the loss."""
    return sorted({sign * (1.0 - level) for sign in (-1.0, 1.0) for level in (0.0, params.get("mu", 0.0))})


def _machine(loss, params, X, y, C, w, intercept, examined=0.0):
    return Best(objective(loss, params, X, y, C, w, intercept), w, float(intercept), examined)


# ------------------------------------------------------------------------------------ the 0/1 loss


def _strips(loss, params, X, y, C, best):
    form = Linear(X, y, float(C.min()), C / C.min())
    directions = _directions(X, y)
    for k in range(0, len(directions), CHUNK):
        for w in directions[k : k + CHUNK]:
            values = X @ w
            strip = local_search.strip(form, values, 1.0, best.objective * (1.0 - LOWER))
            if strip is not None:
                scale = np.sqrt(strip.squared_norm)
                edge = (values - strip.room)[y > 0.0][0]
                best = _machine(loss, params, X, y, C, scale * w, 1.0 - scale * edge)
        yield best._replace(examined=min(1.0, (k + CHUNK) / len(directions)))
    if not len(directions):
        yield best._replace(examined=1.0)


def _directions(X, y):
    """Unit vectors (m, 2) of all directions in which a hard margin can lie."""
    plus, minus = X[y > 0.0], X[y < 0.0]
    across = (plus[:, None] - minus).reshape(-1, 2)
    edges = np.concatenate([own[i] - own[j] for own in (plus, minus) for i, j in [np.triu_indices(len(own), 1)]])
    normals = np.column_stack([edges[:, 1], -edges[:, 0]])
    every = np.concatenate([across, normals, -normals])
    lengths = np.linalg.norm(every, axis=1)
    return np.unique(every[lengths > 0.0] / lengths[lengths > 0.0, None], axis=0)


# --------------------------------------------------------------------------------------- the ramp


def _anchors(loss, params, X, y, C, best):
    n = len(y)
    for i in range(n):
        w = np.array([*best.w, best.intercept])
        if _improved(X[:, 0], X[:, 1], y, C, params["mu"], i, best.objective, w):
            best = _machine(loss, params, X, y, C, w[:2].copy(), w[2])
        yield best._replace(examined=(i + 1) / n)


@njit(cache=True, nogil=True)
def _improved(x0, x1, y, C, mu, i, lowest, machine):
    """Whether a machine with y_i f_i = 1 has P below `lowest`; the lowest one is written to `machine`, (w, b)."""
    n = len(y)
    a0, a1, c = y * (x0 - x0[i]), y * (x1 - x1[i]), 1.0 - y * y[i]  # t_j = c_j - a_j.w
    length = np.sqrt(a0 * a0 + a1 * a1)
    at, point, level_of = np.empty(2 * n), np.empty(2 * n, np.int64), np.empty(2 * n, np.int8)
    found = False
    fixed = np.empty((3, 4))  # of the points whose t is constant along the line: below it, on it, above it
    for k in range(n):
        if length[k] == 0.0:
            continue
        n0, n1 = a0[k] / length[k], a1[k] / length[k]
        d0, d1 = -n1, n0
        for level in range(2):
            kink = mu if level else 0.0
            foot = (c[k] - kink) / length[k]
            sums = np.zeros(4)  # over the linear points: C a (2), C c; and C mu over the truncated ones
            fixed[:] = 0.0
            m = 0
            for j in range(n):
                h = a0[j] * d0 + a1[j] * d1
                along = a0[j] * n0 + a1[j] * n1
                g = c[j] - along * foot
                if abs(h) <= PARALLEL * length[j] or length[j] == 0.0:
                    for side in range(3):
                        t = g - (side - 1.0) * BESIDE * (1.0 + mu) * (np.sign(along) if length[j] > 0.0 else 0.0)
                        _count(fixed[side], t, mu, C[j], a0[j], a1[j], c[j])
                    continue
                _count(sums, np.inf if h > 0.0 else -np.inf, mu, C[j], a0[j], a1[j], c[j])
                for other in range(2):
                    at[m], point[m], level_of[m] = (g - (mu if other else 0.0)) / h, j, other
                    m += 1
            order = np.argsort(at[:m])
            left = -np.inf
            for e in range(m + 1):
                right = at[order[e]] if e < m else np.inf
                for side in range(3):
                    s0, s1 = sums[0] + fixed[side, 0], sums[1] + fixed[side, 1]
                    rest = sums[2] + sums[3] + fixed[side, 2] + fixed[side, 3]
                    if side == 1:  # on the line, between the two events
                        s = min(max(s0 * d0 + s1 * d1, left), right)
                        w0, w1 = foot * n0 + s * d0, foot * n1 + s * d1
                    else:  # in the cell beside it
                        w0, w1 = s0, s1
                        if (side - 1.0) * (w0 * n0 + w1 * n1 - foot) < 0.0:
                            continue  # the lowest point lies across the line
                    value = 0.5 * (w0 * w0 + w1 * w1) - s0 * w0 - s1 * w1 + rest
                    if value < lowest * (1.0 - LOWER):
                        P = 0.5 * (w0 * w0 + w1 * w1)
                        for j in range(n):
                            P += C[j] * min(max(c[j] - a0[j] * w0 - a1[j] * w1, 0.0), mu)
                        if P < lowest * (1.0 - LOWER):
                            lowest, found = P, True
                            machine[0], machine[1], machine[2] = w0, w1, y[i] - w0 * x0[i] - w1 * x1[i]
                if e == m:
                    break
                left, j, other = right, point[order[e]], level_of[order[e]]
                enters = (a0[j] * d0 + a1[j] * d1 > 0.0) == (other == 1)  # the linear part of its loss
                sign = C[j] if enters else -C[j]
                sums[0] += sign * a0[j]
                sums[1] += sign * a1[j]
                sums[2] += sign * c[j]
                if other == 1:
                    sums[3] -= sign * mu
    return found


@njit(cache=True, nogil=True)
def _count(sums, t, mu, C, a0, a1, c):
    """Add a point with this t to the sums."""
    if t >= mu:
        sums[3] += C * mu
    elif t > 0.0:
        sums[0] += C * a0
        sums[1] += C * a1
        sums[2] += C * c
