"""Points far from the origin: a machine with a linear kernel and a free intercept does not depend on where they lie.

With sum(beta) = 0 a shift of all points changes K beta by a constant, which the intercept takes. Far from the origin
K beta consists of large numbers that cancel: with a mean of 1e6 times the spread nothing but rounding errors would be
left. So the machine is solved for the points less their mean.
"""

import numpy as np

from svmcore.kernels.kernel import mean
from svmcore.solvers.solution import Solution
from svmcore.status import Status, is_success


def points(kernel, X) -> np.ndarray:
    """The points X (N, d) less their mean for a linear kernel, else X itself."""
    if kernel.name != "linear":
        return X
    X = np.asarray(X, dtype=float)
    return X - mean(X)


def restore(found, kernel, X, near, tol) -> Solution:
    """The solution for X (N, d) of the machine that was found for `near` = points(kernel, X).

    The intercept belongs to the expansion over the support vectors as they are given; if the values of this expansion
    on the points differ by more than `tol` from those of the solver, no run is a success.
    """
    if kernel.name != "linear":
        return found
    X, support = np.asarray(X, dtype=float), np.flatnonzero(found.beta)
    w, w_near = (points.take(support, axis=0).T @ found.beta[support] for points in (X, near))
    shift = float(mean(X) @ w)
    exact = np.abs(X @ w - shift - near @ w_near).max() <= tol
    status = Status.INACCURATE_FEATURES if is_success(found.status) and not exact else found.status
    found = found._replace(intercept=found.intercept - shift, status=status)
    return found if found.details.image is None else found.with_details(image=found.details.image + shift)
