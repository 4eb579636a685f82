"""Every kernel of the registry beside its formula, its properties beside its matrices, what is shown beside values."""

import re
from dataclasses import fields
from math import exp, tanh
from numbers import Integral

import numpy as np
import pytest
from sklearn.metrics import pairwise
from variants import normal
from written import kernel_formula

from svmcore.kernels import FEW_FEATURES, KERNELS, PARAMETERS, Kernel, KernelFamily, families

# k(x, z) of two points, independently of svmcore: a line for each kernel
FORMULAS = {
    "linear": lambda x, z: sum(x * z),
    "poly": lambda x, z, gamma, degree, coef0: (gamma * sum(x * z) + coef0) ** degree,
    "rbf": lambda x, z, gamma: exp(-gamma * sum((x - z) ** 2)),
    "sigmoid": lambda x, z, gamma, coef0: tanh(gamma * sum(x * z) + coef0),
}
NUMBERS = {"gamma": (0.7, 2.0, 0.05), "degree": (3, 2, 1), "coef0": (1.0, -0.5, 0.0)}
for name, one in PARAMETERS.items():  # of a new one, the last number is at an end of its range
    NUMBERS.setdefault(name, (2, 5, max(one.above, -1) + (1 if one.kind is Integral else 0.25)))
EVERY = [
    Kernel(key, **{name: NUMBERS[name][k] for name in PARAMETERS})
    for key in KERNELS
    if key != "precomputed"
    for k in range(3)
]
each = pytest.mark.parametrize("kernel", EVERY, ids=lambda one: f"{one.name} {one.gamma:g} {one.degree} {one.coef0:g}")
each_family = pytest.mark.parametrize("family", KERNELS.values(), ids=KERNELS)


def by_formula(kernel, X, Z):
    return np.array([[FORMULAS[kernel.name](x, z, **kernel.parameters) for z in Z] for x in X])


def test_no_kernel_is_left_out_here():
    declared = {one.key for one in vars(families).values() if isinstance(one, KernelFamily)} - {"function"}
    assert sorted(declared - set(KERNELS)) == [], "these need a place in the last line of families.py"
    missing = set(KERNELS) - {"precomputed"} - set(FORMULAS)
    assert not missing, f"FORMULAS needs a line for {', '.join(missing)}"


@each
@pytest.mark.parametrize("d", [1, 2, FEW_FEATURES + 4])
def test_the_matrix_is_the_formula(kernel, d):
    X, Z = normal(15, d), normal(9, d, seed=1)
    np.testing.assert_allclose(kernel(X, Z), by_formula(kernel, X, Z), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kernel(X), by_formula(kernel, X, X), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(X), by_formula(kernel, X, X).diagonal(), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel.dot(X, Z, Z[:, 0]), by_formula(kernel, X, Z) @ Z[:, 0], rtol=1e-9, atol=1e-11)


@each
def test_definite_is_what_the_eigenvalues_say(kernel):
    """On 60 points of the line and of the plane, near and far: a negative eigenvalue on none of them, or on some."""
    claim, by_numbers = kernel.family.definite, kernel.family.definite_if is not None
    assert claim in ("always", "never", "depends") and (claim == "depends" or not by_numbers)
    assert kernel.definite == (claim == "always" or (by_numbers and kernel.family.definite_if(**kernel.parameters)))
    smallest = 0.0
    for d, scale in ((1, 0.3), (1, 1.0), (2, 1.0), (2, 4.0)):
        values = np.linalg.eigvalsh(kernel(scale * normal(60, d)))
        smallest = min(smallest, values[0] / np.abs(values).max())
    if kernel.definite:
        assert smallest > -1e-12
    elif claim == "never":
        assert smallest < -1e-6


@each_family
def test_the_registry_says_all_that_an_app_needs(family):
    assert KERNELS[family.key] is family and family.label and family.source
    assert [one.label for one in KERNELS.values()].count(family.label) == 1
    assert set(family.parameters) <= set(PARAMETERS) <= {field.name for field in fields(Kernel)}
    symbols = {name: one.latex for name, one in PARAMETERS.items()}
    shown = re.findall(r"\\[a-z]+|\w_\w|\w", family.latex.replace(r"\sigma", r"\gamma"))
    assert {name for name, symbol in symbols.items() if symbol in shown} == set(family.parameters)
    wanted = "gamma" in family.parameters and r"\sigma" not in family.latex
    assert bool(family.gamma_means) == wanted, "a sentence says what gamma does, where the formula has no sigma"


EXTREME = [Kernel("rbf", gamma) for gamma in (1e-6, 1 / 0.3**2, 1 / 2.5e-7**2, 1e-10)] + [Kernel("poly", degree=12)]
EXTREME += [Kernel("sigmoid", gamma, coef0=coef0) for gamma, coef0 in ((2.5e-7, 0.0), (1.0, 1e-5), (1.0, -1e-5))]


@pytest.mark.parametrize("kernel", [*EVERY, *EXTREME], ids=lambda kernel: kernel.latex)
def test_the_shown_formula_is_the_computed_kernel(kernel):
    x, z = 0.3 * normal(2, 2)
    if kernel.family.stationary:  # keep the value away from 0 and 1
        x, z = x / np.sqrt(kernel.gamma), z / np.sqrt(kernel.gamma)
    shown, computed = kernel_formula(kernel.latex, {}, x[None], z[None]), kernel(x[None], z[None])
    assert shown == pytest.approx(computed, rel=1e-5)  # six digits are shown


def test_latex_in_short():
    assert Kernel("rbf", 1 / 0.3**2).latex == r"\exp(-\|x-z\|^2/0.3^2)"
    assert Kernel("rbf", 1e18).latex == r"\exp(-\|x-z\|^2/(10^{-9})^2)"
    assert Kernel("poly", 0.5, 3, 1.0).latex == r"(0.5\,x^\top z + 1)^{3}"
    assert Kernel("sigmoid", 1.0, coef0=-0.5).latex == r"\tanh(x^\top z - 0.5)"
    assert Kernel("linear", 2.0, 4, 1.0).latex == r"x^\top z"


@each
def test_what_is_written_for_other_software_is_the_kernel(kernel):
    X, Z = normal(15, 3), normal(9, 3, seed=1)
    if kernel.family.numpy:
        written = eval(kernel.family.numpy.format(**kernel.parameters), {"np": np, "x": X, "z": Z})
        np.testing.assert_allclose(written, kernel(X, Z), rtol=1e-10, atol=1e-12)
    if kernel.family.libsvm:
        known = pairwise.pairwise_kernels(X, Z, metric=kernel.family.libsvm, **kernel.parameters)
        np.testing.assert_allclose(known, kernel(X, Z), rtol=1e-10, atol=1e-12)


@each
@pytest.mark.parametrize("d", [2, FEW_FEATURES + 4])
def test_properties_are_those_of_the_values(kernel, d):
    X, Z, family = normal(15, d), normal(9, d, seed=1), kernel.family
    assert family.stationary == np.allclose(kernel(X + 1.0, Z + 1.0), kernel(X, Z), rtol=1e-10, atol=1e-12)
    if kernel.is_cheap(d):
        assert family.product_of(X, Z, Z[:, 0].copy(), **kernel.parameters) is not None


def test_a_family_has_one_way_to_its_values():
    cubic = dict(key="cubic", label="", definite="always", source="", latex_of=str)
    with pytest.raises(TypeError, match="the cubic kernel needs either of_products or values_of"):
        KernelFamily(**cubic)
    with pytest.raises(TypeError, match="the cubic kernel has delta, which PARAMETERS needs a line for"):
        KernelFamily(**cubic, values_of=str, parameters=("gamma", "delta"))
