"""The hard margin: the machine for C = infinity, which lets no point of the training set into its margin.

A machine for a finite C none of whose coefficients is at its bound is the machine for every larger C. So C is raised,
each time from the last solution, to a last value that makes the smallest error in the margin cost too much. If the
classes cannot be separated, |beta| grows without end: w divided by a = sum |beta| / 2 is the difference of a point in
the hull of either class, so |w| / a is no less than the distance of the hulls, and as soon as it is too small to be
told from zero, no machine separates the classes. For the tube of a regression the same holds for the points moved up
and down by its half-width.
"""

from collections.abc import Callable

import numpy as np

from svmcore import deadline
from svmcore.solvers.box_dual import centred, warm
from svmcore.solvers.solution import Solution
from svmcore.status import is_success

SIZES = (1e4, 1e7, 1e10)  # C times the scale of the kernel, per unit of y
CLOSE = 1e-11  # squared distance of the hulls, relative to that of the points, that rounding cannot tell from zero


def separate(kernel, X, y, machine: Callable[[float, warm.Start | None], Solution]) -> Solution | None:
    """The machine with a hard margin for points X (N, d) and targets y (N,); None if there is none.

    machine(C, start): the one for a finite C. A run that does not end as it should is returned as it is, unless a
    smaller C served.
    """
    near, points = centred.points(kernel, X)
    scale = float(near.diagonal(points).max()) or 1.0
    height, start, served = float(np.abs(y).max()) or 1.0, None, None
    for size in SIZES:
        C = size * height / scale
        found = machine(C, start)
        inside = is_success(found.status) and np.abs(found.beta).max() < C
        if not is_success(found.status) or deadline.is_over():
            return served or found
        served = found if inside else None
        total = 0.5 * np.abs(found.beta).sum()
        if not inside and float(found.beta @ kernel.dot(X, X, found.beta)) <= CLOSE * scale * total**2:
            return None
        start = warm.Start(found.beta)
    return served
