"""Points far from the origin: a machine with a linear kernel and a free intercept does not depend on where they lie.

With sum(beta) = 0 a shift of all points changes K beta by a constant, which the intercept takes, and so does a constant
in the kernel. Far from the origin K beta consists of large numbers that cancel: with a mean of 1e6 times the spread
nothing but rounding errors would be left. So the machine is solved for the points less their mean; a polynomial kernel
of degree 1, gamma x'z + coef0, as the linear kernel of sqrt(gamma) x.
"""

import math

import numpy as np

from svmcore.kernels import Kernel
from svmcore.kernels.kernel import mean
from svmcore.solvers.solution import Solution
from svmcore.status import Status, is_success


def points(kernel, X) -> tuple[Kernel, np.ndarray]:
    """(kernel, points) of the same machine for the points X (N, d): less their mean where that is exact, else X."""
    if kernel.affine is None:
        return kernel, X
    X = np.asarray(X, dtype=float)
    near = X - mean(X)
    return (kernel, near) if kernel.name == "linear" else (Kernel("linear"), math.sqrt(kernel.affine[0]) * near)


def restore(found, kernel, X, near, tol) -> Solution:
    """The solution for X (N, d) of the machine that was found for `near`, the points of `points(kernel, X)`.

    The intercept belongs to the expansion over the support vectors as they are given; if the values of this expansion
    on the points differ by more than `tol` from those of the solver, no run is a success.
    """
    if near is X:
        return found
    X, support = np.asarray(X, dtype=float), np.flatnonzero(found.beta)
    beta = found.beta[support]
    w, w_near = (points.take(support, axis=0).T @ beta for points in (X, near))
    (scale, constant), middle = kernel.affine, float(mean(X) @ w)
    shift = scale * middle + (constant * float(beta.sum()) if constant else 0.0)
    exact = np.abs(X @ w - middle - near @ (w_near / scale)).max() <= tol / scale
    status = Status.INACCURATE_FEATURES if is_success(found.status) and not exact else found.status
    found = found._replace(intercept=found.intercept - shift, status=status)
    return found if found.details.image is None else found.with_details(image=found.details.image + shift)
