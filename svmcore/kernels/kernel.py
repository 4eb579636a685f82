"""Kernels: Gram matrices, and products with them in bounded memory.

    K_ij = k(x_i, z_j)        X is (n, d), Z is (m, d), K is (n, m), all float64

The Gaussian kernel computes squared distances in one of two ways. With few features it sums squared differences:
nothing cancels and k(x, x) is exactly 1. With many it uses |x|^2 + |z|^2 - 2 x'z, whose last term is one matrix
product.

The compiled loops are in `gaussian` and `inner`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from svmcore.finite import between, is_finite
from svmcore.kernels import gaussian, inner

FEW_FEATURES = 8  # up to here squared differences cost about as much as the matrix product, and are exact
LARGEST = 1e150  # the square of a larger input overflows
BLOCK_BYTES = 16e6  # the largest temporary matrix: the system reclaims larger ones, at the cost of page faults
MANY = 80_000  # kernel values from which single precision saves more time than it takes to set up
ROWS_IN_CACHE = 128  # rows of a Gram matrix that are finished together, while they are still in the cache


class KernelInfo(NamedTuple):
    """What an app needs to offer a kernel.

    `parameters` names the fields of `Kernel` that matter; `definite` says whether every Gram matrix is positive
    semidefinite (for the polynomial: when coef0 >= 0).
    """

    label: str
    latex: str
    parameters: tuple[str, ...]
    definite: bool
    source: str


_BOSER = "Boser, Guyon and Vapnik, A training algorithm for optimal margin classifiers, COLT 1992"

KERNELS = {
    "linear": KernelInfo("Linear", r"x^\top z", (), True, _BOSER),
    "poly": KernelInfo("Polynomial", r"(\gamma\,x^\top z + c_0)^p", ("gamma", "degree", "coef0"), True, _BOSER),
    "rbf": KernelInfo(
        "Gaussian (RBF)",
        r"\exp(-\|x-z\|^2/\sigma^2)",
        ("gamma",),
        True,
        "Suykens and Vandewalle, Least squares support vector machine classifiers, Neural Processing Letters 9, 1999",
    ),
    "sigmoid": KernelInfo(
        "Sigmoid (tanh)",
        r"\tanh(\gamma\,x^\top z + c_0)",
        ("gamma", "coef0"),
        False,
        "Lin and Lin, A study on sigmoid kernels for SVM and the training of non-PSD kernels, 2003",
    ),
    "precomputed": KernelInfo("Precomputed", r"K_{ij}", (), False, "the given matrix"),
}


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters; `kernel(X, Z)` is the Gram matrix.

    name: a key of `KERNELS`, or a function (X, Z) -> (len(X), len(Z)). gamma = 1/sigma^2 > 0 (unit: 1 / input^2),
    degree a whole number >= 0, coef0 any number; see `KERNELS` for which kernel uses which.

    "precomputed": X is the Gram matrix itself, (n, n) for `kernel(X)`, and (n_test, n_train) if a Z is given, of which
    only the length is used.
    Raises ValueError for parameters out of range, points that are not a finite table, a Gram matrix that overflows.
    """

    name: str | Callable = "rbf"
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    def __post_init__(self):
        if not callable(self.name) and self.name not in KERNELS:
            raise ValueError(f"kernel must be one of {', '.join(KERNELS)} or a function, got {self.name!r}")
        if not (isinstance(self.gamma, Real) and 0 < self.gamma < np.inf):
            raise ValueError(
                f"gamma must be a positive finite number, got {self.gamma!r}; with sigma, pass 1 / sigma**2"
            )
        if not (isinstance(self.degree, Integral) and self.degree >= 0):
            raise ValueError(f"degree must be a whole number >= 0, got {self.degree!r}")
        if not (isinstance(self.coef0, Real) and math.isfinite(self.coef0)):
            raise ValueError(f"coef0 must be a finite number, got {self.coef0!r}")

    def __call__(self, X, Z=None) -> np.ndarray:
        """The Gram matrix, (len(X), len(Z)), C-contiguous; exactly symmetric when Z is None."""
        return self.values(*self.checked(X, Z))

    def diagonal(self, X) -> np.ndarray:
        """k(x_i, x_i) for each row of X, (len(X),)."""
        X, _ = self.checked(X)
        if self.name == "rbf":
            return np.ones(len(X))
        if self.name == "precomputed":
            return X.diagonal().copy()
        if callable(self.name):
            pieces = [self.values(X[s], X[s]).diagonal() for s in slices(len(X), 64)]
            return np.concatenate(pieces)
        return self._of_products(_squared_norms(X))

    def dot(self, X, Z, c) -> np.ndarray:
        """kernel(X, Z) @ c in bounded memory: (n,) or (n, T) for c (m,) or (m, T); ValueError for other shapes."""
        X, Z = self.checked(X, Z)
        c = np.array(c, dtype=np.float64)  # a copy: a read-only c would compile a second version
        if c.shape[:1] != (len(Z),):
            raise ValueError(
                f"kernel.dot needs one coefficient for each of the {len(Z)} rows of Z, got shape {c.shape}"
            )
        return self.product(X, Z, c)

    def positive(self, X, Z, c, intercept) -> np.ndarray:
        """Whether `dot(X, Z, c) + intercept` >= 0, (n,), for c (m,).

        Many values of a Gaussian kernel with few features are computed in single precision, in a third of the time, and
        in double precision only for the points where the loss might change the sign.
        """
        X, Z = self.checked(X, Z)
        c = np.array(c, dtype=np.float64)  # a copy: a read-only c would compile a second version
        if self.name != "rbf" or not self.is_cheap(X.shape[1]) or len(X) * len(Z) < MANY:
            return self.product(X, Z, c) + intercept >= 0.0
        f, lost = gaussian.dot_single(X, Z, c, self.gamma)
        f += intercept
        unsure = np.flatnonzero(np.abs(f) <= lost)
        f[unsure] = self.product(X[unsure], Z, c) + intercept
        return f >= 0.0

    @property
    def definite(self) -> bool:
        """Whether every Gram matrix is positive semidefinite, except for rounding; False if that depends on X."""
        if callable(self.name) or not KERNELS[self.name].definite:
            return False
        return self.name != "poly" or self.coef0 >= 0.0

    def is_cheap(self, n_features) -> bool:
        """Whether computing a value is as fast as reading it from memory, so that storing rows does not pay."""
        return self.name == "linear" or (self.name == "rbf" and n_features <= FEW_FEATURES)

    @property
    def latex(self) -> str:
        """The formula of the kernel that is computed, in LaTeX, with its parameters to six digits."""
        if self.name == "rbf":
            return rf"\exp(-\|x-z\|^2/{_base(1 / np.sqrt(self.gamma))}^2)"
        if callable(self.name):
            return "k(x, z)"
        gamma = "" if self.gamma == 1 else rf"{_digits(self.gamma)}\,"
        inner = rf"{gamma}x^\top z"
        if self.coef0:
            inner += f" {'-' if self.coef0 < 0 else '+'} {_digits(abs(self.coef0))}"
        shapes = {"poly": rf"({inner})^{{{self.degree}}}", "sigmoid": rf"\tanh({inner})"}
        return shapes.get(self.name, KERNELS[self.name].latex)

    def checked(self, X, Z=None) -> tuple[np.ndarray, np.ndarray]:
        """X (n, d) and Z (m, d) as tables that `values` and `product` take; ValueError for what is no finite table.

        If `Z is X` in the result, there is one set of points and the Gram matrix is symmetric.
        """
        X = _table(X)
        Z = X if Z is None else _table(Z)
        if self.name == "precomputed":
            if X.shape[1] != len(Z):
                raise ValueError(
                    "kernel='precomputed' needs the square Gram matrix of the training points, or for new points one "
                    f"row each and one column per training point ({len(Z)} here); got shape {X.shape}"
                )
        elif X.shape[1] != Z.shape[1]:
            raise ValueError(f"both sets of points need the same features, got {X.shape[1]} and {Z.shape[1]} columns")
        elif self.name == "rbf" and X.shape[1] > FEW_FEATURES and len(Z):
            # a shift does not change distances, but it costs the norms in |x|^2 + |z|^2 - 2 x'z digits
            centre = mean(Z)
            X, Z = (X - centre,) * 2 if Z is X else (X - centre, Z - centre)
        return X, Z

    def values(self, X, Z) -> np.ndarray:
        """The Gram matrix, (len(X), len(Z)), of tables that `checked` has returned."""
        if self.name == "rbf":
            return _gaussian(X, Z, self.gamma)
        if self.name == "precomputed":
            return _symmetric(X) if Z is X else X
        if callable(self.name):
            K = np.ascontiguousarray(self.name(X, Z), dtype=np.float64)
            if K.shape != (len(X), len(Z)):
                raise ValueError(
                    f"the kernel function must return shape {(len(X), len(Z))}: one row for each point of its first "
                    f"argument, one column for each of its second; it returned {K.shape}"
                )
            return _symmetric(_finite(K, self)) if Z is X else _finite(K, self)
        return _products(X, Z, lambda K, rows, width: self._of_products(K[rows, :width]))

    def product(self, X, Z, c) -> np.ndarray:
        """What `dot` returns, for arguments that it has checked."""
        if self.name == "linear":
            return _finite(X @ (Z.T @ c), self)
        if self.name == "precomputed":
            return X @ c
        if self.is_cheap(X.shape[1]) and c.ndim == 1:
            out = np.zeros(len(X))
            gaussian.difference_dot(gaussian.columns(X), gaussian.columns(Z), c, self.gamma, out)
            return out
        out = np.empty((len(X), *c.shape[1:]))
        for some in slices(len(X), BLOCK_BYTES / (8 * max(len(Z), 1))):
            out[some] = self.values(X[some], Z) @ c
        return out

    def _of_products(self, K):
        """Turn inner products into kernel values, in place."""
        if self.name == "linear":
            return _finite(K, self)
        with np.errstate(over="ignore", invalid="ignore"):
            K *= self.gamma
            K += self.coef0
            if self.name == "poly":
                K[...] = _power(K, self.degree)
            if self.name == "sigmoid":
                np.tanh(K, out=K)
        return _finite(K, self)


def resolve_gamma(gamma, X, weight=None) -> float:
    """A number for gamma: "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features, as in scikit-learn.

    With `weight` (n,) the variance is weighted, so that a sample of weight two counts as two samples. A positive number
    is returned as it is; ValueError for anything else.
    """
    if isinstance(gamma, Real) and 0 < gamma < np.inf:
        return float(gamma)
    if isinstance(gamma, str) and gamma in ("scale", "auto"):
        X = _table(X)
        spread = 1.0
        if gamma == "scale":
            weight = np.ones(len(X)) if weight is None else weight
            total = weight.sum() * X.shape[1]
            middle = (weight @ X).sum() / total
            spread = float((weight @ (X - middle) ** 2).sum() / total)
        return 1.0 / (X.shape[1] * spread) if spread > 0 else 1.0
    raise ValueError(f"gamma must be 'scale', 'auto' or a positive finite number, got {gamma!r}")


def mean(X) -> np.ndarray:
    """The mean of points X (n, d), (d,): for few features NumPy's own takes four times as long."""
    return np.einsum("ij->j", X) / len(X)


def _table(X):
    try:
        X = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"points must be a table of numbers, (n, d), got {type(X).__name__}") from None
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError(f"points must be a table with one row per point, (n, d), got shape {X.shape}")
    if not between(X, -LARGEST, LARGEST):
        raise ValueError(
            f"points must be finite and below {LARGEST:.0e}; remove NaN and infinity, and scale the inputs"
        )
    return X


def _finite(K, kernel):
    if is_finite(K):
        return K
    if callable(kernel.name):
        raise ValueError("the kernel function returned NaN or infinity; it must be finite for all pairs of points")
    raise ValueError(
        f"the {kernel.name} kernel overflows on these points: scale the inputs to about unit size"
        + (f" or lower the degree (now {kernel.degree})" if kernel.name == "poly" else "")
    )


def _symmetric(K):
    """K if it is symmetric to the bit, the mean of K and K' if they differ by rounding; else ValueError."""
    blocks = [(K[s, : s.stop], K[: s.stop, s].T) for s in slices(len(K), 64)]
    gap = max((np.abs(lower - upper).max() for lower, upper in blocks), default=0.0)
    if gap == 0.0:
        return K
    if gap > 1e-6 * np.abs(K).max():
        raise ValueError(
            f"a Gram matrix must be symmetric, but K[i, j] and K[j, i] differ by {gap:.3g}; "
            "pass k(X_train, X_train), and for a kernel function check k(x, z) = k(z, x)"
        )
    return 0.5 * (K + K.T)


def slices(n, size) -> list[slice]:
    """The range 0 .. n as consecutive slices of at most `size` (at least one) entries."""
    size = max(int(min(size, n)), 1)
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def _squared_norms(X):
    return np.einsum("ij,ij->i", X, X)


def _products(X, Z, finish):
    """X Z' in blocks of rows; `finish` turns each block into kernel values while it is still in the cache."""
    K, few = np.empty((len(X), len(Z))), X.shape[1] <= FEW_FEATURES
    if few:
        x = np.ascontiguousarray(X.T)
        z = x if Z is X else np.ascontiguousarray(Z.T)
    for rows in slices(len(X), ROWS_IN_CACHE):
        width = rows.stop if Z is X else len(Z)
        if few:
            inner.products(K, rows.start, rows.stop, width, x, z)
        else:
            np.matmul(X[rows], Z[:width].T, out=K[rows, :width])
        finish(K, rows, width)
        if Z is X:  # the upper triangle is a copy of the lower one: exactly symmetric, and half the work
            K[: rows.start, rows] = K[rows, : rows.start].T
            if not few:
                K[rows, rows] = np.where(_lower(rows.stop - rows.start), K[rows, rows], K[rows, rows].T)
    return K


@lru_cache(8)
def _lower(n):
    """Where an (n, n) matrix has its lower triangle; making it takes as long as a small Gram matrix."""
    return np.tri(n, dtype=bool)


def _power(base, degree):
    """base ** degree by repeated squaring, which needs no logarithm; `base` is overwritten."""
    power = np.ones_like(base)
    while degree:
        if degree & 1:
            power *= base
        degree >>= 1
        if degree:
            base *= base
    return power


def _gaussian(X, Z, gamma):
    if X.shape[1] > FEW_FEATURES:
        x, z = _squared_norms(X), _squared_norms(Z)
        # the product form errs by about 1e-16 (|x|^2 + |z|^2); if gamma makes that visible, differences are worth it
        if gamma * max(x.max(initial=0.0), z.max(initial=0.0)) < 1e3:
            # pass the whole K: numba treats a slice as strided memory and does not vectorise its loops
            K = _products(X, Z, lambda K, rows, width: gaussian.exp_block(K, rows.start, rows.stop, width, x, z, gamma))
            if Z is X:
                np.fill_diagonal(K, 1.0)
            return K
    K = np.empty((len(X), len(Z)))
    if Z is X:
        gaussian.symmetric_gram(gaussian.columns(X), gamma, K)
    else:
        gaussian.difference_gram(gaussian.columns(X), gaussian.columns(Z), gamma, K)
    return K


def _digits(value):
    """The value to six digits, in LaTeX."""
    mantissa, _, exponent = f"{value:.6g}".partition("e")
    if not exponent:
        return mantissa
    return rf"10^{{{int(exponent)}}}" if mantissa == "1" else rf"{mantissa}\cdot 10^{{{int(exponent)}}}"


def _base(value):
    digits = _digits(value)
    return f"({digits})" if "^" in digits else digits
