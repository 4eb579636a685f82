"""Inner products of points, and Gram matrices that are functions of them, in blocks that stay in the cache."""

from functools import lru_cache

import numpy as np
from numba import njit

from svmcore.finite import is_finite

FEW_FEATURES = 8  # up to here a call of BLAS takes longer than the products, and sums of squared differences are exact
ROWS_IN_CACHE = 128  # rows of a Gram matrix that are finished together, while they are still in the cache


def gram(X, Z, finish) -> np.ndarray:
    """The matrix of `finish` of x_i'z_j, (len(X), len(Z)), exactly symmetric if `Z is X`.

    `finish` turns a block of inner products into kernel values, in place or not. Raises OverflowError if one of them is
    not finite.
    """

    def finish_rows(K, rows, width):
        block = K[rows, :width]
        values = finish(block)
        if values is not block:
            block[...] = values
        if not is_finite(block):
            raise OverflowError

    return blocks(X, Z, finish_rows)


def blocks(X, Z, finish) -> np.ndarray:
    """X Z' in blocks of rows; `finish(K, rows, width)` turns K[rows, :width] into kernel values, in place."""
    K, few = np.empty((len(X), len(Z))), X.shape[1] <= FEW_FEATURES
    if few:
        x = np.ascontiguousarray(X.T)
        z = x if Z is X else np.ascontiguousarray(Z.T)
    for rows in slices(len(X), ROWS_IN_CACHE):
        width = rows.stop if Z is X else len(Z)
        if few:
            products(K, rows.start, rows.stop, width, x, z)
        else:
            np.matmul(X[rows], Z[:width].T, out=K[rows, :width])
        finish(K, rows, width)
        if Z is X:  # the upper triangle is a copy of the lower one: exactly symmetric, and half the work
            K[: rows.start, rows] = K[rows, : rows.start].T
            if not few:
                K[rows, rows] = np.where(_lower(rows.stop - rows.start), K[rows, rows], K[rows, rows].T)
    return K


def slices(n, size) -> list[slice]:
    """The range 0 .. n as consecutive slices of at most `size` (at least one) entries."""
    size = max(int(min(size, n)), 1)
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def squared_norms(X) -> np.ndarray:
    """|x|^2 of each row of X, (n,)."""
    return np.einsum("ij,ij->i", X, X)


@lru_cache(8)
def _lower(n):
    """Places of the lower triangle of an (n, n) matrix; making them takes as long as a small Gram matrix."""
    return np.tri(n, dtype=bool)


@njit(cache=True, nogil=True, fastmath={"contract"})
def products(K, start, stop, width, x, z) -> None:
    """K[i, j] = x_i'z_j for i = start..stop and j < width; x_i'z_j and z_j'x_i are the same to the bit.

    x (d, n) and z (d, m) hold a feature per row, C-contiguous; K is (n, m).
    """
    for i in range(start, stop):
        row = K[i]
        for j in range(width):
            row[j] = x[0, i] * z[0, j]
        for q in range(1, len(x)):
            for j in range(width):
                row[j] += x[q, i] * z[q, j]
