"""Held-out residuals of the LS-SVM in closed form, against fitting again without the fold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import fast_cross_validation, linear_system

RBF = Kernel("rbf", 0.7)


def points(n=30, seed=0, targets="labels"):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.sign(X[:, 0] + 0.5 * rng.normal(size=n)) if targets == "labels" else np.sin(X[:, 0]) + rng.normal(size=n)
    return X, y


def naive(K, y, C, fold):
    """Fit without the fold, by the solver of the machine itself."""
    rest = np.setdiff1d(np.arange(len(y)), fold)
    found = linear_system.direct(K[np.ix_(rest, rest)], duals.least_squares(y[rest], C[rest]))
    return y[fold] - K[np.ix_(fold, rest)] @ found.beta - found.intercept


@pytest.mark.parametrize("targets", ["labels", "real"])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("kernel", [RBF, Kernel("linear")], ids=["rbf", "linear"])
def test_k_fold_is_the_naive_loop(kernel, C, targets):
    X, y = points(targets=targets)
    K, folds = kernel(X), [test for _, test in KFold(7, shuffle=True, random_state=0).split(X)]
    found = fast_cross_validation.k_fold(K, duals.least_squares(y, C), folds)
    for fold, residual in zip(folds, found, strict=True):
        assert residual == pytest.approx(naive(K, y, np.full(len(y), C), fold), rel=1e-6, abs=1e-8)


def test_one_point_a_fold_is_leave_one_out():
    X, y = points(targets="real")
    K, qp = RBF(X), duals.least_squares(y, 3.0)
    found = np.concatenate(fast_cross_validation.k_fold(K, qp, np.arange(len(y))[:, None]))
    R = fast_cross_validation.solution_operator(K, qp)
    assert found == pytest.approx((R @ y) / R.diagonal(), rel=1e-12)
    assert found[4] == pytest.approx(naive(K, y, np.full(len(y), 3.0), [4])[0], rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 20), st.data())
def test_any_fold_and_any_weights(seed, n, data):
    X, y = points(n, seed, "real")
    fold = np.array(sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 2))))
    C = np.random.default_rng(seed).uniform(0.1, 50.0, n)
    K = RBF(X)
    (found,) = fast_cross_validation.k_fold(K, duals.least_squares(y, C), [fold])
    assert found == pytest.approx(naive(K, y, C, fold), rel=1e-6, abs=1e-8)


def test_the_operator_solves_the_system_and_an_indefinite_kernel_is_refused():
    X, y = points()
    K, qp = RBF(X), duals.least_squares(y, 2.0)
    before = K.copy()
    R = fast_cross_validation.solution_operator(K, qp)
    assert R @ y == pytest.approx(linear_system.direct(K, qp).beta, abs=1e-12)
    assert R.sum(axis=1) == pytest.approx(np.zeros(len(y)), abs=1e-12) and np.array_equal(R, R.T)
    assert np.array_equal(K, before)
    with pytest.raises(ValueError, match="positive definite"):
        fast_cross_validation.k_fold(-np.eye(4), duals.least_squares(np.ones(4), 100.0), [[0]])
