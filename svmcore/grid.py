"""Decision values f(x) = sum_j beta_j k(x_j, x) + intercept on a plane and at arbitrary points; grids coarse to fine.

A Gaussian of the plane is a product of two Gaussians of a line, exp(-g |x-z|^2) = exp(-g (x1-z1)^2) exp(-g (x2-z2)^2).
On a grid of P x Q points that leaves (P + Q) N exponentials instead of P Q N, and one matrix product.
"""

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

STRIDES = (4, 2, 1)  # spacing of the cells of a grid that come first, second and last
AT_ONCE = 256  # points whose factors are computed together: they fit into the second-level cache


def axes(X, size=100, margin=0.08, square=True) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates xs, ys, (size,) each, of a grid that covers the points X, (n, 2).

    margin is the free border on each side as a share of the extent; `square` gives both axes the larger extent, so that
    circles can be drawn round. If all points coincide, the border is one unit on each side (more if one unit is below
    the resolution of the coordinates). Raises ValueError for anything but finite points of the plane.
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2 or len(X) == 0:
        raise ValueError(f"axes needs at least one point of the plane, shape (n, 2), got shape {X.shape}")
    if not np.isfinite(X).all():
        raise ValueError("axes needs finite points; remove NaN and infinity")
    if size < 2:
        raise ValueError(f"axes needs a size of at least 2 grid points each way, got {size}")
    low, high = X.min(axis=0), X.max(axis=0)
    centre, reach = low / 2 + high / 2, (high / 2 - low / 2) * (1 + 2 * margin)
    if square or reach.min() <= 1e-9 * np.abs(centre).max():
        reach[:] = reach.max()
    if reach.max() <= 1e-9 * np.abs(centre).max() or reach.max() == 0:
        reach[:] = max(1.0, 1e-3 * np.abs(centre).max())
    xs, ys = np.linspace(centre - reach, centre + reach, size, axis=1)
    return xs, ys


def decision(kernel, X, beta, intercept, xs, ys, cut=None) -> np.ndarray:
    """Decision values on the grid xs, ys: f[i, j] = f((xs[j], ys[i])), shape (len(ys), len(xs)).

    X is (N, 2) and beta (N,); with `cut`, a `slices.Slice`, X is (N, d), and xs and ys are coordinates of the slice.
    Many iterates at once are beta (T, N) and intercept (T,) or one number, and give (T, len(ys), len(xs)). Temporary
    memory is bounded whatever N. Raises ValueError for shapes that do not fit and for a precomputed kernel, which has
    no values between the given points.
    """
    xs, ys = np.asarray(xs, dtype=np.float64), np.asarray(ys, dtype=np.float64)
    X, beta, intercept = _active(kernel, X, beta, intercept)
    if kernel.name == "precomputed":
        raise ValueError("a precomputed kernel has no values between its points; choose another kernel to draw f")
    if cut is not None and kernel.name in ("linear", "rbf"):
        X, beta, intercept = _project(kernel, cut, X, beta, intercept)
    elif X.shape[1] != 2 and cut is None:
        raise ValueError(f"decision values on a plane need two features or a slice, got {X.shape[1]}")
    if kernel.name == "linear":
        w = (beta @ X)[..., None, None]
        return w[..., 1, :, :] * ys[:, None] + w[..., 0, :, :] * xs + intercept
    if kernel.name == "rbf":
        return _gaussian_decision(kernel, X, beta, intercept, xs, ys)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    f = kernel.dot(points if cut is None else cut.lift(points), X, beta.T).T.reshape(*beta.shape[:-1], len(ys), len(xs))
    return np.ascontiguousarray(f) + intercept


def _project(kernel, cut, X, beta, intercept):
    """The expansion of two features that has the same values on a slice."""
    if kernel.name == "linear":
        return X @ cut.directions.T, beta, intercept + (beta @ (X @ cut.origin))[..., None, None]
    return cut.places(X), beta * np.exp(-kernel.gamma * cut.away(X) ** 2), intercept


def _gaussian_decision(kernel, X, beta, intercept, xs, ys):
    f = np.zeros((*beta.shape[:-1], len(ys), len(xs)))
    planes, betas = f.reshape(-1, len(ys), len(xs)), np.atleast_2d(beta)
    for start in range(0, len(X), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        across = kernel(X[some, :1], xs[:, None])
        up = kernel(X[some, 1:], ys[:, None])
        # allocating memory costs more than the arithmetic here: reuse what is not read again
        weighted = up if len(planes) == 1 else np.empty_like(up)
        for plane, b in zip(planes, betas, strict=True):
            np.multiply(up, b[some, None], out=weighted)
            if start == 0:
                np.matmul(weighted.T, across, out=plane)
            else:
                plane += weighted.T @ across
    f += intercept
    return f


def decision_at(kernel, X, beta, intercept, points) -> np.ndarray:
    """Decision values at points, (M, d): shape (M,), or (T, M) for beta (T, N) and intercept (T,) or one number.

    With a precomputed kernel, points is their Gram matrix with the training points, (M, N).
    """
    X, beta, intercept = _active(kernel, X, beta, intercept)
    f = kernel.dot(points, X, beta.T).T
    return f + intercept.reshape(*beta.shape[:-1], 1)


def _active(kernel, X, beta, intercept):
    """Arrays that fit together, without the points whose beta is exactly 0 in all iterates."""
    X, beta = np.asarray(X, dtype=np.float64), np.asarray(beta, dtype=np.float64)
    if X.ndim != 2 or beta.ndim not in (1, 2) or beta.shape[-1] != len(X):
        raise ValueError(
            f"beta must be (N,) or (T, N) for the N rows of X (N, d), got shapes {beta.shape} and {X.shape}"
        )
    try:
        intercept = np.broadcast_to(np.asarray(intercept, dtype=np.float64), beta.shape[:-1])[..., None, None]
    except ValueError:
        raise ValueError(
            f"intercept must be one number, or one for each row of beta {beta.shape}, got shape {np.shape(intercept)}"
        ) from None
    if kernel.name != "precomputed":
        active = np.atleast_2d(beta).any(axis=0)
        X, beta = X[active], beta[..., active]
    return X, beta, intercept


def coarse_to_fine(*shape: int, centred=False) -> Iterator[tuple[tuple[int, ...], int]]:
    """(cell, stride) for each cell of a grid, once: every fourth each way, then every second, then the others.

    A grid that is stopped early has a value everywhere, at a coarser resolution: until finer cells come, each cell
    represents the block of `stride` cells each way that begins at `cell - cell % stride`. It is the first cell of its
    block each way; if `centred`, the second one: next to the middle, and second in the block of the next stride, too.
    """
    for stride in STRIDES:
        first = 1 % stride if centred else 0
        for cell in product(*(range(first, count, stride) for count in shape)):
            if stride_of(cell, centred) == stride:
                yield cell, stride


def stride_of(cell: tuple[int, ...], centred=False) -> int:
    """The stride at which `coarse_to_fine` comes to this cell."""
    return next(s for s in STRIDES if all(index % s == (1 % s if centred else 0) for index in cell))


def raster(shape: tuple[int, ...], cells: Iterable[tuple[tuple[int, ...], int, float]]) -> np.ndarray:
    """The (cell, stride, value) found so far as an array of this shape: the finest value each, nan without one."""
    values = np.full(shape, np.nan)
    for cell, stride, value in sorted(cells, key=lambda known: -known[1]):
        values[tuple(slice(index - index % stride, index - index % stride + stride) for index in cell)] = value
    return values
