"""Held-out residuals of the LS-SVM in closed form, against fitting again without the fold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import overlapping

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import fast_cross_validation, linear_system

RBF = Kernel("rbf", 0.7)


def naive(K, y, C, fold):
    """Fit without the fold, by the solver of the machine itself."""
    rest = np.setdiff1d(np.arange(len(y)), fold)
    found = linear_system.direct(K[np.ix_(rest, rest)], duals.least_squares(y[rest], C[rest]))
    return y[fold] - K[np.ix_(fold, rest)] @ found.beta - found.intercept


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 20), st.data())
def test_any_fold_and_any_weights(seed, n, data):
    X, y = overlapping(n, seed, twins=())
    fold = np.array(sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 2))))
    y, C = y + np.sin(X[:, 0]), np.random.default_rng(seed).uniform(0.1, 50.0, n)
    K = RBF(X)
    (found,) = fast_cross_validation.k_fold(K, duals.least_squares(y, C), [fold])
    assert found == pytest.approx(naive(K, y, C, fold), rel=1e-6, abs=1e-8)


def test_the_operator_solves_the_system_and_an_indefinite_kernel_is_refused():
    X, y = overlapping(30)
    K, qp = RBF(X), duals.least_squares(y, 2.0)
    before = K.copy()
    R = fast_cross_validation.solution_operator(K, qp)
    assert R @ y == pytest.approx(linear_system.direct(K, qp).beta, abs=1e-12)
    assert R.sum(axis=1) == pytest.approx(np.zeros(len(y)), abs=1e-12) and np.array_equal(R, R.T)
    assert np.array_equal(K, before)
    with pytest.raises(ValueError, match="positive definite"):
        fast_cross_validation.k_fold(-np.eye(4), duals.least_squares(np.ones(4), 100.0), [[0]])
