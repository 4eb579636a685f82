"""Every kernel, one declaration each: see `registry.KernelFamily`."""

import math

import numpy as np

from svmcore.kernels import gaussian
from svmcore.kernels.inner import FEW_FEATURES, slices, squared_norms
from svmcore.kernels.registry import KERNELS, KernelFamily

_BOSER = "Boser, Guyon and Vapnik, A training algorithm for optimal margin classifiers, COLT 1992"
_MULTIPLIES = "In this kernel γ = 1/σ² multiplies the inner product."

linear = KernelFamily(
    key="linear",
    label="Linear",
    latex_of=lambda shown: r"x^\top z",
    of_products=lambda K: K,
    product_of=lambda X, Z, c: X @ (Z.T @ c),
    largest_of=lambda X: float(X.ravel() @ X.ravel()),  # the sum is faster than the largest
    cheap_features=math.inf,
    definite="always",
    libsvm="linear",
    numpy="x @ z.T",
    source=_BOSER,
)


@np.errstate(over="ignore", invalid="ignore")
def _affine(K, gamma, coef0):
    K *= gamma
    K += coef0
    return K


def _affine_latex(shown):
    gamma = "" if shown.gamma == "1" else rf"{shown.gamma}\,"
    offset = "" if shown.coef0 == "0" else f" + {shown.coef0}".replace("+ -", "- ")
    return rf"{gamma}x^\top z{offset}"


@np.errstate(over="ignore", invalid="ignore")
def power(base, degree) -> np.ndarray:
    """base ** degree by repeated squaring, which needs no logarithm; `base` is overwritten."""
    result = np.ones_like(base)
    while degree:
        if degree & 1:
            result *= base
        degree >>= 1
        if degree:
            base *= base
    return result


def _poly_product(X, Z, c, gamma, degree, coef0):
    """Of degree 1 it is a linear kernel: w first loses the fewest digits."""
    return gamma * (X @ (Z.T @ c)) + coef0 * c.sum(axis=0) if degree == 1 else None


def _largest_affine(X, gamma, coef0):
    return gamma * float(squared_norms(X).max()) + abs(coef0)


poly = KernelFamily(
    key="poly",
    label="Polynomial",
    latex_of=lambda shown: rf"({_affine_latex(shown)})^{{{shown.degree}}}",
    of_products=lambda K, gamma, degree, coef0: power(_affine(K, gamma, coef0), degree),
    product_of=_poly_product,
    largest_of=lambda X, gamma, degree, coef0: (degree + 1.0) * _largest_affine(X, gamma, coef0) ** degree,
    parameters=("gamma", "degree", "coef0"),
    gamma_means=_MULTIPLIES,
    definite="depends",
    definite_if=lambda gamma, degree, coef0: coef0 >= 0.0,
    libsvm="polynomial",
    numpy="({gamma!r} * (x @ z.T) + {coef0!r}) ** {degree!r}",
    source=_BOSER,
)

rbf = KernelFamily(
    key="rbf",
    label="Gaussian (RBF)",
    latex_of=lambda shown: rf"\exp(-\|x-z\|^2/{f'({shown.sigma})' if '^' in shown.sigma else shown.sigma}^2)",
    values_of=gaussian.gram,
    diagonal_of=lambda X, gamma: np.ones(len(X)),
    product_of=gaussian.product,
    single_product_of=gaussian.dot_single,
    largest_of=gaussian.largest,
    parameters=("gamma",),
    definite="always",
    exact=True,
    stationary=True,
    cheap_features=FEW_FEATURES,
    libsvm="rbf",
    numpy="np.exp(-{gamma!r} * ((x[:, None, :] - z[None, :, :]) ** 2).sum(axis=2))",
    source="Suykens and Vandewalle, Least squares support vector machine classifiers, Neural Processing Letters 9, "
    "1999",
)


sigmoid = KernelFamily(
    key="sigmoid",
    label="Sigmoid (tanh)",
    latex_of=lambda shown: rf"\tanh({_affine_latex(shown)})",
    of_products=lambda K, gamma, coef0: np.tanh(_affine(K, gamma, coef0), out=K),
    largest_of=lambda X, gamma, coef0: 1.0 + _largest_affine(X, gamma, coef0),
    parameters=("gamma", "coef0"),
    gamma_means=_MULTIPLIES,
    definite="never",
    libsvm="sigmoid",
    numpy="np.tanh({gamma!r} * (x @ z.T) + {coef0!r})",
    source="Lin and Lin, A study on sigmoid kernels for SVM and the training of non-PSD kernels, 2003",
)


def symmetric(K) -> np.ndarray:
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


precomputed = KernelFamily(
    key="precomputed",
    label="Precomputed",
    latex_of=lambda shown: "K_{ij}",
    values_of=lambda X, Z: symmetric(X) if Z is X else X,
    diagonal_of=lambda X: X.diagonal().copy(),
    largest_of=lambda X: float(max(X.max(), -X.min())),
    product_of=lambda X, Z, c: X @ c,
    definite="depends",
    exact=True,
    source="the given matrix",
)

# a function (X, Z) -> (len(X), len(Z)) in the place of a name: it is its own parameter, and not in the registry
function = KernelFamily(
    key="function",
    label="Function",
    latex_of=lambda shown: "k(x, z)",
    values_of=lambda X, Z, name: name(X, Z),
    parameters=("name",),
    definite="depends",
    source="the given function",
)

KERNELS.update({family.key: family for family in (linear, poly, rbf, sigmoid, precomputed)})
