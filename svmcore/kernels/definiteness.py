"""Test whether a kernel matrix is positive semidefinite where it matters: on coefficients that sum to zero.

The dual of a machine with a free intercept knows the matrix on the plane sum(v) = 0 only: it is convex where
v'(K + diag(ridge)) v >= 0 for all v there. So -|x - z|, which has negative eigenvalues but none on the plane, will do.
A Cholesky factorisation of the centred matrix decides, with room for rounding errors; kernels that are positive
semidefinite for all points (`Kernel.definite`) need none. What was found is remembered by a checksum of what was asked.
"""

import hashlib

import numpy as np
from scipy.linalg.lapack import dpotrf

from svmcore.kernels.kernel import Kernel

ROUNDING = 1e-9  # of the trace: a smaller negative eigenvalue is none
LARGEST = 5000  # points; of more the matrix of so many of them is looked at, which may not show a negative eigenvalue
REMEMBERED = 1024  # answers

_known: dict[bytes, bool] = {}


def is_definite(kernel: Kernel, X, ridge=0.0) -> bool:
    """True if K + diag(ridge) of the points X (N, d), or precomputed (N, N), is so; ridge: a number or (N,), >= 0."""
    if kernel.definite:
        return True
    X = np.ascontiguousarray(X, float)
    ridge = np.broadcast_to(np.asarray(ridge, float), len(X))
    asked = hashlib.blake2b(repr((kernel, X.shape)).encode())
    asked.update(X)
    asked.update(np.ascontiguousarray(ridge))
    key = asked.digest()
    if callable(kernel.name) or key not in _known:  # two functions may be equal in all that can be compared
        found = _decide(kernel, X, ridge)
        if len(_known) >= REMEMBERED:
            _known.clear()
        _known[key] = found
    return _known[key]


def _decide(kernel, X, ridge):
    n = len(X)
    some = np.arange(n) if n <= LARGEST else np.linspace(0, n - 1, LARGEST).astype(int)
    return on_the_plane(kernel(X[np.ix_(some, some)] if kernel.name == "precomputed" else X[some]), ridge[some])


def on_the_plane(K, ridge=0.0) -> bool:
    """True if v'(K + diag(ridge)) v >= 0, but for rounding, for all v with sum zero; K (N, N) symmetric."""
    H = np.array(K, float)
    diagonal = H.reshape(-1)[:: len(H) + 1]
    diagonal += ridge
    means = H.mean(axis=0)
    H -= means
    H -= means[:, None] - means.mean()  # the same on the plane, and zero across
    trace = float(np.abs(diagonal).sum())
    if not np.isfinite(trace):
        return False
    diagonal += ROUNDING * trace or np.finfo(float).tiny
    return dpotrf(H.T, lower=1, clean=0, overwrite_a=1)[1] == 0
