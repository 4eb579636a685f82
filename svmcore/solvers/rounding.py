"""Rounding errors and tolerances: a machine whose status may be false is measured in extended precision.

The values of a kernel, and the sum K beta, are exact to some ulp of |K| |beta|. Ordinarily that is far less than the
tolerance, which a product of three numbers shows. Where it is not, for points far from the origin under a polynomial
kernel, or for C = 1e8, the violation of the machine that is returned is computed anew from kernel values in
extended precision, and a status that does not hold becomes `Status.ROUNDING`.
"""

import math
from collections.abc import Callable

import numpy as np

from svmcore import deadline
from svmcore.kernels.kernel import mean
from svmcore.solvers.box_dual import pair_updates
from svmcore.solvers.solution import Solution
from svmcore.status import Status, is_success

LONG = np.longdouble
ULP, LONG_ULP = float(np.finfo(float).eps), float(np.finfo(LONG).eps)
FAINT = 0.005  # of the tolerance: an error that changes no status
ABOVE = 0.05  # share of the tolerance by which a violation may exceed it
MOST, MOST_AT_LAST = 4_000_000, 400_000  # kernel values in extended precision: a second; if the time is over, less
BLOCK = 100_000  # of them at a time


def is_harmless(found, kernel, X, tol) -> bool:
    """True if the violation is within the tolerance and the rounding error of K beta far below it."""
    ulps = math.sqrt(len(found.beta)) * kernel.largest(X) * pair_updates.total(found.beta)
    return found.violation <= tol and ULP * ulps <= FAINT * tol


def check(found, kernel, X, tol, violation: Callable | None = None, near=None) -> Solution:
    """The solution for X (N, d), precomputed (N, N), with a status that is true of its machine in exact arithmetic.

    `violation(K_beta)` is that of the machine for K beta in extended precision, (N,), below zero by what the conditions
    have to spare. Where it is None, or points so many that this would take long, the rounding error of K beta is
    measured, at some of the points, and added to the violation. near: the kernel and points of the solver, if they are
    others. The violation of a machine whose status does not hold includes the error that even this may have.
    """
    if is_harmless(found, kernel, X, tol) or not is_success(found.status):
        return found
    n, used = len(found.beta), max(np.count_nonzero(found.beta), 1)
    lost = math.sqrt(n) * kernel.largest(X) * pair_updates.total(found.beta)
    if kernel.affine:  # the image is that of centred points
        lost *= min(1.0, math.sqrt(kernel.largest(X - mean(X)) / kernel.largest(X)))
    with np.errstate(over="ignore", invalid="ignore"):
        most = MOST_AT_LAST if deadline.is_over() else MOST
        rows = n if kernel.affine else min(max(most // used, 2), n)
        some = np.linspace(0, n - 1, rows).astype(int)
        true = image(kernel, X, found.beta, some)
        if violation is not None and rows == n:
            true = violation(true)
        else:
            wrong = true - _double_image(*(near or (kernel, X)), found.beta, some)
            true = found.violation + 2.0 * np.ptp(wrong)
    highest = true + 2.0 * LONG_ULP * lost
    if highest <= (1.0 + ABOVE) * tol:
        return found._replace(violation=max(float(true), 0.0))
    return found._replace(violation=float(highest), status=Status.ROUNDING)


def image(kernel, X, v, some) -> np.ndarray:
    """K v at the points `some`, in extended precision; X as in `check`, v (N,).

    Where K is x'z but for constants, the constant part is that of double precision, to which the intercept belongs.
    """
    used, out = np.flatnonzero(v), np.zeros(len(some), LONG)
    c = np.asarray(v)[used].astype(LONG)
    if kernel.affine:
        centre, (scale, constant) = mean(X), kernel.affine
        w = c @ X[used].astype(LONG)
        shift = scale * float(centre @ (X[used].T @ v[used])) + constant * float(v[used].sum())
        return LONG(scale) * ((X[some] - centre.astype(LONG)) @ w) + shift
    size = max(BLOCK // max(len(used), 1), 1)
    for start in range(0, len(some), size):
        rows = some[start : start + size]
        if kernel.name == "precomputed":
            K = X[np.ix_(rows, used)].astype(LONG)
        else:
            K = kernel.extended_values(X[rows], X[used])
        out[start : start + size] = K @ c
    return out


def _double_image(kernel, X, v, some):
    """The same in double precision."""
    used = np.flatnonzero(v)
    if kernel.name == "precomputed":
        return X[np.ix_(some, used)] @ v[used]
    return kernel.dot(X[some], X[used], v[used])
