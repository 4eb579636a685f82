"""Points far from the origin: a machine with a linear kernel and a free intercept does not depend on where they lie.

With sum(beta) = 0 a shift of all points changes K beta by a constant, which the intercept takes. Far from the origin
K beta consists of large numbers that cancel: with a mean of 1e6 times the spread nothing but rounding errors would be
left. So the machine is solved for the points less their mean.
"""

from collections.abc import Callable

import numpy as np

from svmcore.kernels.kernel import mean
from svmcore.solvers.convex import Solution
from svmcore.status import Status, succeeded


def solve(method: Callable, kernel, X, *args, tol=1e-3, **options) -> Solution:
    """`method(kernel, X, *args, tol=tol, **options)`, which returns a `Solution`; for a linear kernel with X (N, d)
    centred.

    The intercept belongs to the expansion over the support vectors as they are given; if the values of this expansion
    on the points differ by more than `tol` from those of the solver, no run is a success.
    """
    if kernel.name != "linear":
        return method(kernel, X, *args, tol=tol, **options)
    X = np.asarray(X, dtype=float)
    centre = mean(X)
    near = X - centre
    found = method(kernel, near, *args, tol=tol, **options)
    support = np.flatnonzero(found.beta)
    w, w_near = (points.take(support, axis=0).T @ found.beta[support] for points in (X, near))
    shift = float(centre @ w)
    exact = np.abs(X @ w - shift - near @ w_near).max() <= tol
    status = Status.INACCURATE_FEATURES if succeeded(found.status) and not exact else found.status
    image = None if found.image is None else found.image + shift
    return found._replace(intercept=found.intercept - shift, image=image, status=status)
