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

from svmcore import duals, losses
from svmcore.solvers import arrangement, local_search
from svmcore.solvers.expansions import Linear

LOSSES = ("zero_one", "ramp")
MOST = 200  # points; the time grows with their third power
CHUNK = 100  # directions between two reports


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
            strip = local_search.strip(form, values, 1.0, best.objective * (1.0 - arrangement.LOWER))
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
        if arrangement.improved(X[:, 0], X[:, 1], y, C, params["mu"], i, best.objective, w):
            best = _machine(loss, params, X, y, C, w[:2].copy(), w[2])
        yield best._replace(examined=(i + 1) / n)
