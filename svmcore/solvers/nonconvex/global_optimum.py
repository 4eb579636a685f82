"""The best of all lines: the global optimum of the L0/1-SVM and of truncated machines in the plane, with proof.

    minimise  P = 1/2 |w|^2 + sum_i C_i loss(t_i),    t_i = 1 - y_i (w.x_i + b),    w in the plane, linear kernel

These losses have a number of local minima that grows fast with N, and no solver of the other modules knows how far its
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

truncated   Least squares, squared hinge and Huber: P is a quadratic function in each cell of the arrangement of the
            planes t_j = level in the space of (w, b), and a global optimum is the stationary point of one of them. A
            walk along every line in which two planes meet passes all cells (`space_arrangement`): O(N^3 log N) in all.

Branch and bound puts off what cannot be lower:

zero_one    For the directions between two angles no w.x_i is further from its value at the angle between them than
            |x_i| times the chord. The best strip of points moved that far to their own side is a lower bound; the range
            with the lowest bound is halved, down to single directions.
ramp        `arrangement.bound` is a lower bound of P with y_i f_i = 1; the points i are examined in its order.

`search` yields the best machine so far, the lower bound of all that is left, and the share of the candidates that are
settled: examined, or known to be no better. When this is 1 nothing is left that could be lower, apart from rounding.
"""

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from svmcore import duals, losses
from svmcore.losses import truncated
from svmcore.solvers.nonconvex import arrangement, local_search, space_arrangement
from svmcore.solvers.nonconvex.expansions import Linear

SMOOTH = ("truncated_least_squares", "truncated_squared_hinge", "truncated_huber")  # between their cuts
LOSSES = ("zero_one", "ramp", *SMOOTH)
MOST = 200  # points; the time grows with their third power
CHUNK = 100  # strips between two reports
FEW = 3  # directions that are examined one by one


class Best(NamedTuple):
    """The best machine among the share `examined` (0 to 1) of the candidates: P, w (2,) and b; with 1 it is proved.

    bound: no machine has an objective below it, apart from rounding.
    """

    objective: float
    w: np.ndarray
    intercept: float
    examined: float
    bound: float = 0.0

    @property
    def gap(self) -> float:
        """Largest distance of the optimum below its objective, relative to it."""
        return 1.0 - self.bound / self.objective if self.objective > 0.0 else 0.0

    @property
    def is_proved(self) -> bool:
        """True if no machine is lower."""
        return self.examined == 1.0


def search(X, y, C, loss, params=None, start=None) -> Iterator[Best]:
    """The best machine so far, until all candidates are examined; the last one is the global optimum.

    X (N, 2), y (N,) labels -1 and +1, C positive, a number or (N,); loss: a key of `LOSSES`, params its parameters (a
    dict, defaults filled in); start: (w, b) of a machine to improve on, or None for w = 0. Raises ValueError for other
    losses, for more than two features, for more than `MOST` points and, with parabolas, for points at one place.
    """
    loss = losses.get(loss)
    X, (y, C) = np.ascontiguousarray(X, dtype=float), duals.check_targets(y, C)
    if loss.key not in LOSSES:
        raise ValueError(f"the global optimum is known for {', '.join(LOSSES)} only, got {loss.key}")
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"the global optimum is found in the plane only: X must have two columns, got shape {X.shape}")
    if len(X) > MOST:
        raise ValueError(f"the global optimum is found for up to {MOST} points, and there are {len(X)}; use fewer")
    if loss.key in SMOOTH and not np.ptp(X, axis=0).any():
        raise ValueError(f"the global optimum of {loss.key} needs points at two places or more, and all are at one")
    params = loss.check(**(params or {}))
    centre = X.mean(axis=0)
    kinks = {sign * (1.0 - level) for sign in (-1.0, 1.0) for level in (0.0, params.get("mu", 0.0))}
    constants = [(np.zeros(2), b) for b in sorted(kinks)]  # the b at which P of w = 0 can be lowest
    machines = constants if start is None else [*constants, (np.asarray(start[0], float), start[1] + start[0] @ centre)]
    best = min((_machine(loss, params, X - centre, y, C, w, b) for w, b in machines), key=lambda each: each.objective)
    candidates = {"zero_one": _strips, "ramp": _anchors}.get(loss.key, _cells)
    for found in candidates(loss, params, X - centre, y, C, best):
        yield found._replace(intercept=float(found.intercept - found.w @ centre))


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


def _machine(loss, params, X, y, C, w, intercept):
    return Best(objective(loss, params, X, y, C, w, intercept), w, float(intercept), 0.0)


# ------------------------------------------------------------------------------------ the 0/1 loss


def _strips(loss, params, X, y, C, best):
    form = Linear(X, y, float(C.min()), C / C.min())
    lengths = np.linalg.norm(X, axis=1)
    angles = _angles(X, y)
    ranges = [(0.0, 0, len(angles))] if len(angles) else []  # (lower bound, first, end) of directions, as a heap
    settled, reported, strips = 0, 0, 0
    while ranges and ranges[0][0] < best.objective * (1.0 - arrangement.LOWER):
        low, first, end = heapq.heappop(ranges)
        if end - first <= FEW:
            for angle in angles[first:end]:
                best = _better(loss, params, X, y, C, form, angle, best)
            settled += end - first
            strips += end - first
        else:
            middle = (first + end) // 2
            for part in ((first, middle), (middle, end)):
                bound = _range_bound(form, X, y, lengths, angles[part[0]], angles[part[1] - 1], best.objective)
                if bound is None:
                    settled += part[1] - part[0]
                else:
                    heapq.heappush(ranges, (max(low, bound), *part))
            strips += 2
        if strips >= CHUNK and reported < settled < len(angles):
            strips, reported = 0, settled
            bound = min(ranges[0][0], best.objective)
            yield best._replace(examined=settled / len(angles), bound=bound)
    yield best._replace(examined=1.0, bound=best.objective)


def _better(loss, params, X, y, C, form, angle, best):
    """The best strip in this direction if it is lower than `best`, else `best`."""
    w = np.array([np.cos(angle), np.sin(angle)])
    values = X @ w
    strip = local_search.strip(form, values, 1.0, best.objective * (1.0 - arrangement.LOWER))
    if strip is None:
        return best
    scale = np.sqrt(strip.squared_norm)
    edge = (values - strip.room)[y > 0.0][0]
    return _machine(loss, params, X, y, C, scale * w, 1.0 - scale * edge)


def _range_bound(form, X, y, lengths, first, last, lowest):
    """A lower bound of P over the directions from one angle to another; None if it is not below `lowest`."""
    middle, half = 0.5 * (first + last), 0.5 * (last - first)
    chord = 2.0 * np.sin(0.5 * min(half, np.pi)) + arrangement.BESIDE  # a little more than rounding
    values = X @ np.array([np.cos(middle), np.sin(middle)]) + y * lengths * chord
    strip = local_search.strip(form, values, 1.0, lowest * (1.0 - arrangement.LOWER))
    return None if strip is None else strip.objective


def _angles(X, y):
    """All directions in which a hard margin can lie, as angles (m,), ascending."""
    plus, minus = X[y > 0.0], X[y < 0.0]
    across = (plus[:, None] - minus).reshape(-1, 2)
    edges = np.concatenate([own[i] - own[j] for own in (plus, minus) for i, j in [np.triu_indices(len(own), 1)]])
    normals = np.column_stack([edges[:, 1], -edges[:, 0]])
    every = np.concatenate([across, normals, -normals])
    every = every[every.any(axis=1)]
    return np.unique(np.arctan2(every[:, 1], every[:, 0]))


# --------------------------------------------------------------------------------------- the ramp


def _anchors(loss, params, X, y, C, best):
    n, given = len(y), (X[:, 0], X[:, 1], y, C, params["mu"])
    bounds = np.array([arrangement.bound(*given, i, best.objective) for i in range(n)])
    order = np.argsort(bounds, kind="stable")
    for k, i in enumerate(order):
        w = np.array([*best.w, best.intercept])
        if arrangement.find_lower(*given, i, best.objective, w):
            best = _machine(loss, params, X, y, C, w[:2].copy(), w[2])
        left = bounds[order[k + 1]] if k + 1 < n else np.inf
        if left >= best.objective * (1.0 - arrangement.LOWER):
            break
        yield best._replace(examined=(k + 1) / n, bound=float(left))
    yield best._replace(examined=1.0, bound=best.objective)


# ------------------------------------------------------------------------- parabolas between the cuts


def _cells(loss, params, X, y, C, best):
    levels, pieces = truncated.quadratic_pieces(loss, params)
    A = np.column_stack([y[:, None] * X, y])
    planes = len(y) * len(levels)
    for first in range(planes):
        v = np.array([*best.w, best.intercept])
        if space_arrangement.find_lower(A, C, levels, pieces, first, best.objective, v):
            best = _machine(loss, params, X, y, C, v[:2].copy(), v[2])
        if first + 1 < planes:
            yield best._replace(examined=(first + 1) / planes)
    yield best._replace(examined=1.0, bound=best.objective)
