"""The Gaussian kernel: Gram matrices, products with them, exponentials in place, in compiled loops.

Squared distances are computed in one of two ways. With few features squared differences are summed: nothing cancels,
and k(x, x) is exactly 1. With many they are |x|^2 + |z|^2 - 2 x'z, whose last term is one matrix product.

exp is written out because a call of the C library's exp keeps a loop from using vector instructions (about eight times
slower). "contract" lets a*b + c round once; nothing is reordered, so infinities behave.

All compiled functions of a call are in this one file on purpose: numba's disk cache does not notice edits in others.
"""

import math
import threading

import numpy as np
from numba import njit

from svmcore.kernels.inner import FEW_FEATURES, ROWS_IN_CACHE, blocks, slices, squared_norms

EXACT = dict(cache=True, nogil=True, fastmath={"contract"})
INLINED = dict(EXACT, forceinline=True)  # a call for each row would cost a tenth of a small matrix
CHUNK = 512  # values of one row that fit into the first-level cache
BAND = 8  # rows of a symmetric matrix that are computed before they are copied to its other half

KEPT = 1_000_000  # numbers of memory that a thread keeps
_kept = threading.local()

LOG2_E = 1.4426950408889634
LN_2_HIGH = 6.93147180369123816490e-01  # the last 20 bits are zero: n * LN_2_HIGH is exact
LN_2_LOW = 1.90821492927058770002e-10
ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it leaves the nearest whole number in the lowest bits
UNDERFLOW = -708.9  # at this x the exponent n is -1023, whose bit pattern is the number 0

HALF_ULP = 2.0**-24  # of a number in single precision
USELESS = 0.1  # an error of f that leaves many signs open, where 1 is the margin
SINGLE_ROUND = np.float32(12582912.0)  # 1.5 * 2^23
SINGLE_UNDERFLOW = np.float32(-126.0)
# the polynomial of 2^r for |r| <= 1/2, from the constant on, with the smallest largest relative error (2e-9, Lawson)
SINGLE_EXP2 = tuple(
    np.float32(c) for c in (1.0, 0.693147203, 0.240226479, 0.0555033247, 0.00961843736, 0.00133988744, 0.000153533619)
)


def columns(X) -> np.ndarray:
    """X' in memory order, with a row of zeros if the number of features is odd: the loops take two at a time."""
    columns = np.zeros((X.shape[1] + X.shape[1] % 2, len(X)))
    columns[: X.shape[1]] = X.T
    return columns


def kept_memory() -> np.ndarray:
    """Working memory of this thread, (KEPT,); what is in it is of no use to another caller.

    A solver of small problems in a row needs one Gram matrix after the other, and new memory takes as long as the
    numbers in it.
    """
    if not hasattr(_kept, "memory"):
        _kept.memory = np.empty(KEPT)
    return _kept.memory


def gram(X, Z, gamma) -> np.ndarray:
    """The Gram matrix of X (n, d) and Z (m, d), (n, m), exactly symmetric if `Z is X`."""
    if X.shape[1] > FEW_FEATURES:
        x, z = squared_norms(X), squared_norms(Z)
        if not _differences_matter(x, z, gamma):
            # pass the whole K: numba treats a slice as strided memory and does not vectorise its loops
            K = blocks(X, Z, lambda K, rows, width: exp_block(K, rows.start, rows.stop, width, x, z, gamma))
            if Z is X:
                np.fill_diagonal(K, 1.0)
            return K
    K = np.empty((len(X), len(Z)))
    if Z is X:
        symmetric_gram(columns(X), gamma, K)
    else:
        difference_gram(columns(X), columns(Z), gamma, K)
    return K


def largest(X, gamma) -> float:
    """1, the largest value, or what rounding changes where squared distances are differences of larger numbers."""
    if X.shape[1] <= FEW_FEATURES:
        return 1.0
    return 1.0 + 4.0 * gamma * float(squared_norms(X - X.mean(axis=0)).max())


def product(X, Z, c, gamma) -> np.ndarray | None:
    """K c for c (m,), (n,), never with more of K than stays in the cache; None for other shapes of c."""
    if c.ndim > 1:
        return None
    out = np.zeros(len(X))
    if X.shape[1] <= FEW_FEATURES:
        difference_dot(columns(X), columns(Z), c, gamma, out)
        return out
    x, z = squared_norms(X), squared_norms(Z)
    if _differences_matter(x, z, gamma) or not 0 < len(Z) <= KEPT:
        return None
    for some in slices(len(X), min(ROWS_IN_CACHE, KEPT // len(Z))):
        K = kept_memory()[: len(x[some]) * len(Z)].reshape(-1, len(Z))
        np.matmul(X[some], Z.T, out=K)
        exp_block(K, 0, len(K), len(Z), x[some], z, gamma)
        np.matmul(K, c, out=out[some])
    return out


def _differences_matter(x, z, gamma):
    """True if the product form, which errs by about 1e-16 (|x|^2 + |z|^2), is not exact enough for this gamma."""
    return not gamma * max(x.max(initial=0.0), z.max(initial=0.0)) < 1e3


def dot_single(X, Z, c, gamma) -> tuple[np.ndarray, float]:
    """K c for X (n, d), Z (m, d) and c (m,) in single precision, (n,), and the most that any of them is wrong.

    Zeros and infinity where they could be too wrong to be of use. In units of 2^-24, with coordinates scaled so that
    gamma = 1 and none is larger than r, rounding changes the difference of two by at most 2 r + 1 times itself, and so
    a kernel value by at most 2 r sqrt(d) + 8, since s exp(-s^2) < 0.43 and s^2 exp(-s^2) < 0.37. The product with c
    adds 2, and the sum of m terms m.
    """
    x, z, d = columns(X), columns(Z), X.shape[1]
    middle, scale = z.mean(axis=1, keepdims=True), math.sqrt(gamma)
    x, z = scale * (x - middle), scale * (z - middle)
    r = float(max(np.abs(x).max(), np.abs(z).max()))
    f, lost = np.zeros(len(X)), HALF_ULP * float(np.abs(c).sum()) * (2.0 * r * math.sqrt(d) + len(c) + 10.0)
    if lost > USELESS:
        return f, math.inf
    difference_dot_single(x.astype(np.float32), z.astype(np.float32), c, 1.0, f)
    return f, lost


@njit(**EXACT)
def _exp(x):
    """e^x for x <= 0, relative error below 1e-15, exactly 1 at 0 and 0 below -708.7.

    x = n ln 2 + r with |r| <= ln(2) / 2; then e^x = 2^n e^r, 2^n being n moved into the exponent bits and e^r the
    polynomial of degree 10 with the smallest largest relative error (3e-16, Remez) among those that are 1 at 0.
    """
    x = UNDERFLOW if x < UNDERFLOW else x
    shifted = x * LOG2_E + ROUND
    n = shifted - ROUND
    r = (x - n * LN_2_HIGH) - n * LN_2_LOW
    p = 2.777941419409836e-07
    p = p * r + 2.764511581849722e-06
    p = p * r + 2.48011157699114e-05
    p = p * r + 0.00019841157851022105
    p = p * r + 0.0013888889256481074
    p = p * r + 0.00833333339590283
    p = p * r + 0.041666666665592475
    p = p * r + 0.16666666666523922
    p = p * r + 0.5000000000000083
    p = p * r + 1.000000000000009
    p = p * r + 1.0
    return p * np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)


@njit(**INLINED)
def _exp_row(columns, start, stop, centres, j, gamma, row):
    """row[i - start] = exp(-gamma |x_i - z_j|^2) for the points i = start..stop, all features two at a time."""
    row = row[: stop - start]
    x, y = columns[0, start:stop], columns[1, start:stop]
    a, b = centres[0, j], centres[1, j]
    if len(columns) == 2:  # the plane: one pass
        for i in range(row.size):
            u, v = x[i] - a, y[i] - b
            row[i] = _exp(-gamma * (u * u + v * v))
        return
    for i in range(row.size):
        u, v = x[i] - a, y[i] - b
        row[i] = u * u + v * v
    for q in range(2, len(columns), 2):
        x, y = columns[q, start:stop], columns[q + 1, start:stop]
        a, b = centres[q, j], centres[q + 1, j]
        for i in range(row.size):
            u, v = x[i] - a, y[i] - b
            row[i] += u * u + v * v
    for i in range(row.size):
        row[i] = _exp(-gamma * row[i])


@njit(**EXACT)
def difference_gram(x, z, gamma, K) -> None:
    """K[i, j] = exp(-gamma |x_i - z_j|^2), written into K (n, m).

    x (d, n) and z (d, m) hold a feature per row, C-contiguous; d is even (pad with a row of zeros).
    """
    n, m = K.shape
    for i in range(n):
        for start in range(0, m, CHUNK):
            stop = min(start + CHUNK, m)
            _exp_row(z, start, stop, x, i, gamma, K[i, start:stop])


@njit(**EXACT)
def symmetric_gram(x, gamma, K) -> None:
    """`difference_gram` of points with themselves, K (n, n), in two thirds of the time: the same to the bit."""
    n = len(K)
    for first in range(0, n, BAND):
        end = min(first + BAND, n)
        for i in range(first, end):
            for start in range(0, end, CHUNK):
                stop = min(start + CHUNK, end)
                _exp_row(x, start, stop, x, i, gamma, K[i, start:stop])
        if end == first + BAND:  # a known number of rows is copied without a loop
            for i in range(first):
                for j in range(BAND):
                    K[i, first + j] = K[first + j, i]
    for j in range(n - n % BAND, n):
        for i in range(j):
            K[i, j] = K[j, i]


@njit(**EXACT)
def difference_dot(x, z, c, gamma, out) -> None:
    """out += K c for the K of `difference_gram`, which is never stored; c is (m,), out (n,)."""
    row = np.empty(CHUNK)
    for start in range(0, out.size, CHUNK):
        stop = min(start + CHUNK, out.size)
        total = out[start:stop]
        for j in range(c.size):
            if len(x) == 2:  # the plane: each value is added as it is computed
                u, v = x[0, start:stop], x[1, start:stop]
                a, b = z[0, j], z[1, j]
                for i in range(total.size):
                    p, q = u[i] - a, v[i] - b
                    total[i] += c[j] * _exp(-gamma * (p * p + q * q))
            else:
                _exp_row(x, start, stop, z, j, gamma, row)
                for i in range(total.size):
                    total[i] += c[j] * row[i]


@njit(**EXACT)
def _exp2_single(x):
    """2^x for x <= 0 in 32 bits, relative error below 2e-7, and 2^-126 below that; the method is that of `_exp`."""
    x = SINGLE_UNDERFLOW if x < SINGLE_UNDERFLOW else x
    shifted = x + SINGLE_ROUND
    r = x - (shifted - SINGLE_ROUND)
    p = SINGLE_EXP2[6]
    p = p * r + SINGLE_EXP2[5]
    p = p * r + SINGLE_EXP2[4]
    p = p * r + SINGLE_EXP2[3]
    p = p * r + SINGLE_EXP2[2]
    p = p * r + SINGLE_EXP2[1]
    p = p * r + SINGLE_EXP2[0]
    return p * np.int32((np.float32(shifted).view(np.int32) + np.int32(127)) << np.int32(23)).view(np.float32)


@njit(**INLINED)
def _squares_single(x, start, stop, z, j, row):
    """row[i - start] = |x_i - z_j|^2 in 32 bits for the points i = start..stop."""
    for q in range(0, len(x), 2):
        u, v = x[q, start:stop], x[q + 1, start:stop]
        a, b = z[q, j], z[q + 1, j]
        if q == 0:
            for i in range(row.size):
                row[i] = (u[i] - a) * (u[i] - a) + (v[i] - b) * (v[i] - b)
        else:
            for i in range(row.size):
                row[i] += (u[i] - a) * (u[i] - a) + (v[i] - b) * (v[i] - b)


@njit(**EXACT)
def difference_dot_single(x, z, c, gamma, out) -> None:
    """out += K c in 32 bits, a third of the time; x and z are float32, c and out float64."""
    factor = np.float32(-gamma * LOG2_E)
    exponent, total = np.empty(CHUNK, np.float32), np.empty(CHUNK, np.float32)
    for start in range(0, out.size, CHUNK):
        stop = min(start + CHUNK, out.size)
        row, part = exponent[: stop - start], total[: stop - start]
        part[:] = np.float32(0.0)
        for j in range(c.size):
            _squares_single(x, start, stop, z, j, row)
            weight = np.float32(c[j])
            for i in range(row.size):
                part[i] += weight * _exp2_single(factor * row[i])
        for i in range(row.size):
            out[start + i] += np.float64(part[i])


@njit(**EXACT)
def exp_block(K, start, stop, width, x, z, gamma) -> None:
    """Turn the inner products in K[start:stop, :width] into Gaussian values; x (n,), z (m,) are squared norms."""
    for i in range(start, stop):
        row = K[i]
        for j in range(width):
            distance = (x[i] + z[j]) - 2.0 * row[j]
            row[j] = _exp(-gamma * (distance if distance > 0.0 else 0.0))
