"""Products with a Gaussian kernel matrix of many points of the plane, without its entries: O(N) for any coefficients.

On a rectangle the Gaussian of one coordinate is a short sum of products of Chebyshev polynomials,

    exp(-gamma (x - z)^2) = sum_kl A_kl T_k(x) T_l(z),

and that of the plane is the product of two such sums. With the polynomials of all points as the matrices T (m, N) and
U (n, N), one for each coordinate, and M = T diag(c) U', the product K c is the sum over the rows of
(A M A')' T * U: two matrix products of N m n operations, where the entries of K would take N^2 exponentials.

m follows from the width: the terms fall like those of a function that is analytic in an ellipse of any size rho, on
which it is at most exp(gamma h^2 (rho - 1/rho)^2 / 4), h being half the side; the best rho counts. With m where what is
left out is below the rounding errors of such sums, K c is as exact as the sum over the entries; half as many terms are
as exact as single precision.

Source: L. N. Trefethen (2013), Approximation Theory and Approximation Practice, SIAM, theorems 8.1 and 8.2.
"""

import math
from functools import cached_property, lru_cache

import numpy as np
from numba import njit
from scipy.fft import dctn

from svmcore.kernels.inner import slices

ERROR = 1e-13  # of a kernel value, at most: ten times what is left out, and that is lost in rounding
RHO = np.geomspace(1.01, 100.0, 200)
LOG_RHO, RISE, FALL = np.log(RHO), (RHO - 1.0 / RHO) ** 2 / 4.0, np.log(4.0 / (RHO - 1.0))
LONGEST = 1000  # polynomials of a coordinate; their coefficients take 8 MB
CHUNK = 512  # points whose polynomials stay in the second-level cache


class Expansion:
    """The kernel matrix of points of the plane, columns (2, N): `dot` multiplies with it in memory O(N)."""

    def __init__(self, columns, gamma):
        low, high = columns.min(axis=1, keepdims=True), columns.max(axis=1, keepdims=True)
        half = 0.5 * (high - low)
        self.places = (columns - 0.5 * (low + high)) / np.where(half > 0.0, half, 1.0)
        self.widths = gamma * half[:, 0] ** 2

    def lengths(self, error) -> list[int]:
        """The number of polynomials of each coordinate."""
        return [_length(width, error) for width in self.widths]

    @cached_property
    def coefficients(self) -> list[np.ndarray]:
        """The matrix A of each coordinate; a larger error takes the first of its rows and columns."""
        return [_coefficients(width) for width in self.widths]

    def dot(self, some, c, error=ERROR) -> np.ndarray:
        """K[:, some] @ c, shape (N,), for an index array and c of its length; `error` is that of a kernel value."""
        A, B = (A[:m, :m] for A, m in zip(self.coefficients, self.lengths(error), strict=True))
        M = np.zeros((len(A), len(B)))
        for part in slices(len(some), CHUNK):
            T, U = (_polynomials(x[some[part]], len(C)) for x, C in zip(self.places, (A, B), strict=True))
            T *= c[part]
            M += T @ U.T
        M = B @ M.T @ A.T
        out = np.zeros(self.places.shape[1])
        for part in slices(len(out), CHUNK):
            _sum(M @ _polynomials(self.places[0, part], len(A)), self.places[1, part], out[part])
        return out


def _polynomials(t, m):
    """The first m Chebyshev polynomials at -1 <= t <= 1, (m, len(t))."""
    T = np.empty((m, len(t)))
    _recur(t, T)
    return T


compiled = njit(cache=True, nogil=True, fastmath={"contract"})


@compiled
def _recur(t, T):
    for i in range(t.size):  # a row at a time would take numba seconds to compile
        T[0, i] = 1.0
        if len(T) > 1:
            T[1, i] = t[i]
    for k in range(2, len(T)):
        new, last, before = T[k], T[k - 1], T[k - 2]
        for i in range(t.size):
            new[i] = 2.0 * t[i] * last[i] - before[i]


@compiled
def _sum(series, t, out):
    """out += sum_k series_k T_k(t), for the coefficients series (m, len(t)) of each point: Clenshaw's recurrence."""
    next1, next2 = np.zeros(t.size), np.zeros(t.size)
    for k in range(len(series) - 1, 0, -1):
        row = series[k]
        for i in range(t.size):
            now = row[i] + 2.0 * t[i] * next1[i] - next2[i]
            next2[i] = next1[i]
            next1[i] = now
    for i in range(t.size):
        out[i] += series[0, i] + t[i] * next1[i] - next2[i]


@lru_cache(maxsize=64)
def _length(width, error):
    """Number of polynomials of one coordinate that the error allows: the smallest over all ellipses."""
    if width == 0.0:
        return 1
    return 1 + int(np.min((FALL - math.log(error) + width * RISE) / LOG_RHO))


def _coefficients(width):
    """A with exp(-width (t - s)^2) = sum_kl A_kl T_k(t) T_l(s) on -1 <= t, s <= 1, by interpolation at m nodes.

    The values at the nodes become coefficients by a cosine transform, in m^2 log m operations.
    """
    m = _length(width, ERROR)
    nodes = np.cos(np.pi * (np.arange(m) + 0.5) / m)
    A = dctn(np.exp(-width * (nodes[:, None] - nodes) ** 2), overwrite_x=True) / m**2
    A[0] *= 0.5
    A[:, 0] *= 0.5
    return A
