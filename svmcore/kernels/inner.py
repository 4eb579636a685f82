"""Inner products of points with few features, for which a call of BLAS takes longer than the products themselves."""

from numba import njit


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
