"""Oracles: identities, closed forms, naive loops. `test_families` compares every kernel with its formula."""

import itertools
import warnings

import numpy as np
import pytest
from numba import njit
from sklearn.svm import SVC
from test_families import by_formula
from variants import laplace, normal

from svmcore.kernels import FEW_FEATURES, KERNELS, Kernel, gaussian, resolve_gamma

FEATURES = [1, 2, 3, 4, 7, FEW_FEATURES, FEW_FEATURES + 1, 40]
NUMBERS = ((0.5, 3, 1.0), (2.0, 6, -0.5))
ALL = [Kernel(key, *one) for key in KERNELS if key != "precomputed" for one in NUMBERS] + [Kernel(laplace)]


@njit
def exp_of(x):
    out = np.empty_like(x)
    for i in range(x.size):
        out[i] = gaussian._exp(x[i])
    return out


def test_exp_is_exp_and_far_away_zero_and_keeps_nan():
    random = np.random.default_rng(0).uniform(0, 708, 200_000)
    x = -np.concatenate([[0.0, 1e-300, 708.0], random, np.logspace(-18, 2.8)])
    assert np.max(np.abs(exp_of(x) / np.exp(x) - 1)) < 1e-15 and exp_of(x[:1]) == 1.0
    far = np.array([-709.0, -1e4, -1e308, -np.inf, np.nan] * 9)
    np.testing.assert_array_equal(exp_of(far), [0.0, 0.0, 0.0, 0.0, np.nan] * 9)


@pytest.mark.parametrize("kernel", ALL, ids=lambda k: k.latex)
def test_exactly_symmetric(kernel):
    for d, n in itertools.product((1, 2, 5, 12), (1, 2, 7, 63, 129)):
        K = kernel(normal(n, d))
        assert K.dtype == np.float64 and K.flags.c_contiguous
        np.testing.assert_array_equal(K, K.T)


@pytest.mark.parametrize("d", FEATURES)
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_gaussian_of_a_point_with_itself_is_one(d, shift):
    X = normal(200, d) + shift
    K = Kernel("rbf", 0.5)(X)
    assert (K.diagonal() == 1.0).all() and K.max() <= 1.0 and K.min() >= 0.0
    # a shift moves no distance; the inputs themselves lose 1e6 * 1e-16 to it
    np.testing.assert_allclose(K, Kernel("rbf", 0.5)(normal(200, d)), atol=1e-8)


@pytest.mark.parametrize("d", [2, 20])
def test_extreme_sigma(d):
    X = normal(150, d)
    X[140:] = X[:10]  # duplicates stay duplicates however narrow the kernel
    same = (X[:, None] == X[None]).all(axis=-1).astype(float)
    np.testing.assert_array_equal(Kernel("rbf", 1e18)(X), same)
    np.testing.assert_array_equal(Kernel("rbf", 1e18)(X, X.copy()), same)
    np.testing.assert_allclose(Kernel("rbf", 1e-18)(X), np.ones((150, 150)), rtol=1e-15)
    np.testing.assert_array_equal(Kernel("rbf", 1.0)(1e140 * X), same)
    np.testing.assert_allclose(Kernel("rbf", 1e18).dot(X, X, same[0]), same @ same[0])


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_duplicates_of_many_features_never_exceed_one(scale):
    """Rounding makes some squared distances of duplicates negative in the product form."""
    X = scale * np.repeat(normal(200, 30), 2, axis=0)
    K, Z = Kernel("rbf", 0.01)(X), X.copy()
    assert K.max() == 1.0 and Kernel("rbf", 0.01)(X, Z).max() <= 1.0


def test_many_features_far_from_the_origin_take_the_product_unless_the_gaussian_is_narrow(monkeypatch):
    """There the product form would lose seven digits."""
    X, kernel = 1e-3 * normal(60, 30), Kernel("rbf", 1e4)
    X[::2] += 1e3
    np.testing.assert_allclose(kernel(X), by_formula(kernel, X, X), rtol=1e-9)
    monkeypatch.setattr(gaussian, "difference_gram", None)
    X, Z = normal(50, 20), normal(30, 20, seed=1)
    np.testing.assert_allclose(Kernel("rbf", 0.1)(X + 1e4, Z + 1e4), Kernel("rbf", 0.1)(X, Z), atol=1e-9)


@pytest.mark.parametrize("d", [1, 2, 15])
@pytest.mark.parametrize("kernel", ALL, ids=lambda k: k.latex)
def test_dot_is_the_product(kernel, d, monkeypatch):
    monkeypatch.setattr("svmcore.kernels.kernel.BLOCK_BYTES", 8 * 90 * 7)  # seven rows at a time
    X, Z, C = normal(400, d), normal(90, d, seed=1), normal(90, 3, seed=2)
    K = kernel(X, Z)
    scale = np.abs(K).max() * 90  # rounding of a sum of 90 terms
    np.testing.assert_allclose(kernel.dot(X, Z, C[:, 0]), K @ C[:, 0], atol=1e-15 * scale)
    np.testing.assert_allclose(kernel.dot(X, Z, C), K @ C, atol=1e-15 * scale)
    np.testing.assert_array_equal(kernel.dot(X, Z[:0], C[:0, 0]), np.zeros(400))


@pytest.mark.parametrize("kernel, d", [(Kernel("rbf"), FEW_FEATURES), (Kernel("linear"), 50)])
def test_dot_of_a_cheap_kernel_makes_no_gram(kernel, d, monkeypatch):
    monkeypatch.setattr(Kernel, "values", None)
    assert kernel.dot(normal(2000, d), normal(700, d), np.ones(700)).shape == (2000,)


def test_read_only_and_foreign_memory_order():
    X = np.asfortranarray(normal(30, 4))
    X.flags.writeable = False
    c = normal(1, 30)[0]
    c.flags.writeable = False
    K = Kernel("rbf")(np.ascontiguousarray(X))
    np.testing.assert_array_equal(Kernel("rbf")(X), K)
    np.testing.assert_allclose(Kernel("rbf").dot(X, X, c), K @ c)
    np.testing.assert_allclose(Kernel("linear")(X.astype(int)), X.astype(int) @ X.astype(int).T)


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.4])
def test_resolve_gamma_as_scikit_learn(gamma):
    X = 3 * normal(40, 5) + 1
    y = np.arange(40) % 2
    ours = resolve_gamma(gamma, X)
    np.testing.assert_allclose(ours, SVC(gamma=gamma).fit(X, y)._gamma, rtol=1e-14)


def test_resolve_gamma_of_weight_two_is_that_of_a_double_point_and_other_words_are_refused():
    X = normal(20, 3) + 2
    weight = np.where(np.arange(20) < 5, 2.0, 1.0)
    doubled = np.concatenate([X, X[:5]])
    assert resolve_gamma("scale", X, weight) == pytest.approx(1 / (3 * doubled.var()), rel=1e-14)
    for gamma in ("Scale", 0, -1.0, np.inf, np.nan, None):
        with pytest.raises(ValueError, match="gamma must be 'scale', 'auto' or a positive finite number"):
            resolve_gamma(gamma, X)


def test_precomputed_is_the_matrix_whose_rounding_is_made_symmetric_and_which_is_refused_if_that_is_not_all():
    K = Kernel("rbf")(normal(200, 3))
    kernel = Kernel("precomputed")
    assert kernel(K) is K
    np.testing.assert_array_equal(kernel(K[:4], K), K[:4])
    np.testing.assert_array_equal(kernel.diagonal(2 * K), np.full(200, 2.0))
    np.testing.assert_allclose(kernel.dot(K[:4], K, K[0]), K[:4] @ K[0])
    assert kernel(K.astype(np.float32)).dtype == np.float64
    K[150, 3] += 1e-12
    before = K.copy()
    S = kernel(K)
    np.testing.assert_array_equal(S, S.T)
    np.testing.assert_array_equal(K, before)
    np.testing.assert_allclose(S, K, atol=1e-12)
    for where in ((150, 3), (3, 150), (199, 198), (64, 63)):
        skew = before.copy()
        skew[where] += 1e-3
        with pytest.raises(ValueError, match="must be symmetric.*differ by 0.001"):
            kernel(skew)
    with pytest.raises(ValueError, match="check k\\(x, z\\) = k\\(z, x\\)"):
        Kernel(lambda X, Z: X[:, :1] + 2 * Z[:, 0])(normal(9, 2))


@pytest.mark.parametrize("options, sentence", [
    (dict(name="gauss"), f"kernel must be one of {', '.join(KERNELS)} or a function, got 'gauss'"),
    (dict(gamma=0.0), r"gamma must be a positive finite number, got 0.0; with sigma, pass 1 / sigma\*\*2"),
    (dict(gamma=np.inf), "gamma must be a positive finite number"),
    (dict(gamma=np.nan), "gamma must be a positive finite number"),
    (dict(gamma="scale"), "gamma must be a positive finite number, got 'scale'"),
    (dict(degree=2.5), "degree must be a whole number >= 0, got 2.5"),
    (dict(degree=-1), "degree must be a whole number >= 0, got -1"),
    (dict(coef0=np.nan), "coef0 must be a finite number, got nan"),
])  # fmt: skip
def test_numbers_out_of_range(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Kernel(**options)


@pytest.mark.parametrize("X, sentence", [
    (np.zeros(5), r"one row per point, \(n, d\), got shape \(5,\)"),
    (np.zeros((5, 0)), r"one row per point, \(n, d\), got shape \(5, 0\)"),
    ([["a", "b"]], "a table of numbers"),
    (object(), "a table of numbers"),
    (np.array([[1.0, np.nan]]), "must be finite.*remove NaN and infinity"),
    (np.array([[1.0, -np.inf]]), "must be finite.*remove NaN and infinity"),
    (np.array([[1.0, -1e200]]), "below 1e\\+150.*scale the inputs"),
])  # fmt: skip
@pytest.mark.parametrize("name", ["linear", "rbf", "precomputed", laplace])
def test_bad_points(name, X, sentence):
    with pytest.raises(ValueError, match=sentence):
        Kernel(name)(X)


def test_shapes_that_do_not_fit():
    X = normal(6, 3)
    with pytest.raises(ValueError, match="same features, got 3 and 2 columns"):
        Kernel("rbf")(X, X[:, :2])
    with pytest.raises(ValueError, match=r"square Gram matrix of the training points.*got shape \(6, 3\)"):
        Kernel("precomputed")(X)
    with pytest.raises(ValueError, match=r"one column per training point \(5 here\).*got shape \(6, 3\)"):
        Kernel("precomputed")(X, normal(5, 5))
    with pytest.raises(ValueError, match="each of the 6 rows of Z, got shape \\(5,\\)"):
        Kernel("rbf").dot(X, X, np.zeros(5))
    with pytest.raises(ValueError, match=r"must return shape \(6, 6\).*it returned \(6,\)"):
        Kernel(lambda X, Z: X[:, 0])(X)


@pytest.mark.parametrize("call", [lambda k, X: k(X), lambda k, X: k.diagonal(X), lambda k, X: k.dot(X, X, X[:, 0])])
def test_overflow_is_a_sentence(call):
    X = 1e80 * normal(5, 2)
    with pytest.raises(ValueError, match=r"poly kernel overflows.*scale the inputs.*lower the degree \(now 9\)"):
        call(Kernel("poly", degree=9), X)
    assert np.isfinite(call(Kernel("poly", degree=1), X)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(call(Kernel("sigmoid", gamma=1e300), X)).all()
    with pytest.raises(ValueError, match="function returned NaN or infinity"):
        call(Kernel(lambda X, Z: np.full((len(X), len(Z)), np.nan)), X)
