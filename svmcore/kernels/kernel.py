"""Gram matrices of a kernel with its parameters, and products with them in bounded memory.

K_ij = k(x_i, z_j)        X is (n, d), Z is (m, d), K is (n, m), all float64
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from numbers import Real

import numpy as np

from svmcore.finite import all_between, is_finite
from svmcore.kernels import families, inner
from svmcore.kernels.inner import FEW_FEATURES, slices, squared_norms
from svmcore.kernels.registry import KERNELS, PARAMETERS, Shown

LARGEST = 1e150  # the square of a larger input overflows
BLOCK_BYTES = 16e6  # the largest temporary matrix: the system reclaims larger ones, at the cost of page faults
RANGES = tuple((name, one.kind, one.above) for name, one in PARAMETERS.items())
MANY = 80_000  # kernel values from which single precision saves more time than it takes to set up


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters; `kernel(X, Z)` is the Gram matrix.

    name: a key of `KERNELS`, or a function (X, Z) -> (len(X), len(Z)). gamma = 1/sigma^2 > 0 (unit: 1 / input^2),
    degree a whole number >= 0, coef0 any number; see `KERNELS` for which kernel uses which.

    "precomputed": X is the Gram matrix itself, (n, n) for `kernel(X)`, and (n_test, n_train) if a Z is given, of which
    only the length is used.
    `family` is its declaration, `parameters` what the formulas of it take.
    Raises ValueError for parameters out of range, points that are not a finite table, a Gram matrix that overflows.
    """

    name: str | Callable = "rbf"
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 0.0

    def __post_init__(self):
        own = vars(self)
        for name, kind, above in RANGES:
            if not (isinstance(own[name], kind) and above < own[name] < math.inf):
                hint = "; with sigma, pass 1 / sigma**2" if name == "gamma" else ""
                raise ValueError(f"{name} must be {PARAMETERS[name].words}, got {own[name]!r}{hint}")
        # what every call needs is found once; no fields: the name and the numbers say all
        own["family"] = family = _family(self.name)
        own["parameters"] = {name: own[name] for name in family.parameters}

    def __reduce__(self):
        return Kernel, tuple(getattr(self, field.name) for field in fields(self))

    @classmethod
    def from_machine(cls, machine, **changes) -> "Kernel":
        """The kernel of an estimator or a setting, whose attributes are its parameters, with these `changes`."""
        own = {name: getattr(machine, name) for name in PARAMETERS}
        return cls(machine.kernel, **(own | changes))

    def __call__(self, X, Z=None) -> np.ndarray:
        """The Gram matrix, (len(X), len(Z)), C-contiguous; exactly symmetric when Z is None."""
        return self.values(*self.check_points(X, Z))

    def diagonal(self, X) -> np.ndarray:
        """k(x_i, x_i) for each row of X, (len(X),)."""
        (X, _), family = self.check_points(X), self.family
        if family.diagonal_of:
            return family.diagonal_of(X, **self.parameters)
        if family.of_products:
            return self._finite(family.of_products(squared_norms(X), **self.parameters))
        return np.concatenate([self.values(X[s], X[s]).diagonal() for s in slices(len(X), 64)])

    def dot(self, X, Z, c) -> np.ndarray:
        """kernel(X, Z) @ c in bounded memory: (n,) or (n, T) for c (m,) or (m, T); ValueError for other shapes."""
        X, Z = self.check_points(X, Z)
        c = np.array(c, dtype=np.float64)  # a copy: a read-only c would compile a second version
        if c.shape[:1] != (len(Z),):
            raise ValueError(
                f"kernel.dot needs one coefficient for each of the {len(Z)} rows of Z, got shape {c.shape}"
            )
        return self.product(X, Z, c)

    def positive(self, X, Z, c, intercept) -> np.ndarray:
        """True if `dot(X, Z, c) + intercept` >= 0, (n,), for c (m,).

        Many values of a Gaussian kernel with few features are computed in single precision, in a third of the time, and
        in double precision only for the points where the loss might change the sign.
        """
        X, Z = self.check_points(X, Z)
        c = np.array(c, dtype=np.float64)  # a copy: a read-only c would compile a second version
        single = self.family.single_product_of
        if single is None or not self.is_cheap(X.shape[1]) or len(X) * len(Z) < MANY:
            return self.product(X, Z, c) + intercept >= 0.0
        f, lost = single(X, Z, c, **self.parameters)
        f += intercept
        unsure = np.flatnonzero(np.abs(f) <= lost)
        f[unsure] = self.product(X[unsure], Z, c) + intercept
        return f >= 0.0

    def largest(self, X) -> float:
        """A bound on |k(x_i, x_j)| for a table X (n, d); an ulp of it, or a few, is what a value is wrong by."""
        family = self.family
        if family.largest_of:
            return family.largest_of(X, **self.parameters)
        return float(np.max(self.diagonal(X)) if self.definite else np.abs(self(X)).max())

    def extended_values(self, X, Z) -> np.ndarray:
        """The Gram matrix (n, m) of tables X (n, d) and Z (m, d) in the extended precision of NumPy's `longdouble`; of
        a family without a formula in NumPy the values in double precision."""
        if self.family.numpy is None:
            return self(X, Z).astype(np.longdouble)
        names = {"np": np, "x": X.astype(np.longdouble), "z": Z.astype(np.longdouble)}
        return eval(self.family.numpy.format(**self.parameters), names)

    @property
    def affine(self) -> tuple[float, float] | None:
        """(a, b) where k(x, z) = a x'z + b, else None."""
        if self.name == "linear":
            return 1.0, 0.0
        return (self.gamma, self.coef0) if self.name == "poly" and self.degree == 1 else None

    @property
    def definite(self) -> bool:
        """True if every Gram matrix is positive semidefinite, except for rounding; False if that depends on X."""
        family = self.family
        return family.definite == "always" or (
            family.definite_if is not None and bool(family.definite_if(**self.parameters))
        )

    def is_cheap(self, n_features) -> bool:
        """True if computing a value is as fast as reading it from memory, so that storing rows does not pay."""
        return n_features <= self.family.cheap_features

    @property
    def latex(self) -> str:
        """The formula of the kernel that is computed, in LaTeX, with its parameters to six digits."""
        numbers = {name: _digits(getattr(self, name)) for name in PARAMETERS}
        return self.family.latex_of(Shown(**numbers, sigma=_digits(1 / np.sqrt(self.gamma))))

    def check_points(self, X, Z=None) -> tuple[np.ndarray, np.ndarray]:
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
        elif self.family.stationary and X.shape[1] > FEW_FEATURES and len(Z):
            # a shift does not change differences, but it costs the norms in |x|^2 + |z|^2 - 2 x'z digits
            centre = mean(Z)
            X, Z = (X - centre,) * 2 if Z is X else (X - centre, Z - centre)
        return X, Z

    def values(self, X, Z) -> np.ndarray:
        """The Gram matrix, (len(X), len(Z)), of tables that `check_points` has returned."""
        family = self.family
        if family.of_products:
            try:
                return inner.gram(X, Z, partial(family.of_products, **self.parameters))
            except OverflowError:
                raise ValueError(self._overflow) from None
        K = family.values_of(X, Z, **self.parameters)
        if family.exact:
            return K
        K = np.ascontiguousarray(K, dtype=np.float64)
        if K.shape != (len(X), len(Z)):
            raise ValueError(
                f"the kernel function must return shape {(len(X), len(Z))}: one row for each point of its first "
                f"argument, one column for each of its second; it returned {K.shape}"
            )
        return families.symmetric(self._finite(K)) if Z is X else self._finite(K)

    def product(self, X, Z, c) -> np.ndarray:
        """Values of `dot` for arguments that it has checked."""
        family = self.family
        out = family.product_of(X, Z, c, **self.parameters) if family.product_of else None
        if out is not None:
            return out if family.exact else self._finite(out)
        out = np.empty((len(X), *c.shape[1:]))
        for some in slices(len(X), BLOCK_BYTES / (8 * max(len(Z), 1))):
            out[some] = self.values(X[some], Z) @ c
        return out

    def _finite(self, K):
        if not is_finite(K):
            raise ValueError(self._overflow)
        return K

    @property
    def _overflow(self):
        if callable(self.name):
            return "the kernel function returned NaN or infinity; it must be finite for all pairs of points"
        lower = f" or lower the degree (now {self.degree})" if "degree" in self.family.parameters else ""
        return f"the {self.name} kernel overflows on these points: scale the inputs to about unit size{lower}"


def _family(name):
    if callable(name):
        return families.function
    if name not in KERNELS:
        raise ValueError(f"kernel must be one of {', '.join(KERNELS)} or a function, got {name!r}")
    return KERNELS[name]


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
    if not all_between(X, -LARGEST, LARGEST):
        raise ValueError(
            f"points must be finite and below {LARGEST:.0e}; remove NaN and infinity, and scale the inputs"
        )
    return X


def _digits(value):
    """The value to six digits, in LaTeX."""
    mantissa, _, exponent = f"{value:.6g}".partition("e")
    if not exponent:
        return mantissa
    return rf"10^{{{int(exponent)}}}" if mantissa == "1" else rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
