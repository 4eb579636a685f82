"""A linear machine on many draws of a problem, before and after a contamination: its boundaries, and what changed.

One draw is an example. Whether one machine changes more than another is a question about all draws: see how often it
does, and how far the boundaries scatter.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from svmcore import duals, grid
from svmcore.kernels import Kernel
from svmcore.problems import Problem
from svmcore.solvers.box_dual import convex
from svmcore.studies import plane

MOST = 90.0  # per cent of the draws to which `Draws.range` refers


class Draws(NamedTuple):
    """A machine on n draws: w (n, 2) and intercept (n,) after the contamination; the share (n,), 0 to 1, of the plane
    that changed class.
    """

    w: np.ndarray
    intercept: np.ndarray
    share: np.ndarray

    @property
    def range(self) -> tuple[float, float]:
        """The shares between which nine of ten draws lie, as many below as above."""
        low, high = np.percentile(self.share, [50 - MOST / 2, 50 + MOST / 2])
        return float(low), float(high)

    def lines(self, xs, ys) -> tuple[np.ndarray, np.ndarray]:
        """The boundaries as one broken line x (3n,), y (3n,), with a gap after each, from edge to edge of a picture
        from xs[0] to xs[-1] and from ys[0] to ys[-1] and beyond.
        """
        middle = np.array([xs[0] + xs[-1], ys[0] + ys[-1]]) / 2
        reach = np.hypot(xs[-1] - xs[0], ys[-1] - ys[0])
        length = np.maximum(np.linalg.norm(self.w, axis=1), np.finfo(float).tiny)
        normal, apart = self.w / length[:, None], (self.w @ middle + self.intercept) / length
        nearest, along = middle - apart[:, None] * normal, reach * np.stack([-normal[:, 1], normal[:, 0]], axis=1)
        x, y = np.stack([nearest - along, nearest + along, np.full_like(along, np.nan)], axis=1).reshape(-1, 2).T
        return x, y


def follow(loss, pairs: Iterable[tuple[Problem, Problem]], C=1.0, tol=1e-3, **params) -> Draws:
    """The linear machine with this loss, whose dual is a box (`svmcore.duals`), on each draw.

    pairs: (the clean problem, the same after the contamination) of each draw, points of the plane, labels -1 and +1.
    Raises ValueError for a loss without a box dual or unknown `params`.
    """
    kernel, rows = Kernel("linear"), []
    for clean, spoiled in pairs:
        axes, values = plane.view(clean.X), []
        for problem in (clean, spoiled):
            found = convex.solve(kernel, problem.X, duals.build(loss, problem.y, C, **params), tol=tol)
            values.append(grid.decision(kernel, problem.X, found.beta, found.intercept, *axes))
        rows.append((*(found.beta @ spoiled.X), found.intercept, plane.changed_share(*values)))
    table = np.array(rows)
    return Draws(table[:, :2], table[:, 2], table[:, 3])
