"""The short checks of plain arrays: the same answers and the same complaints as scikit-learn's long ones."""

import gc
import weakref

import numpy as np
import pytest

from svmcore import SVC, SVR

X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0.0, 1.0, -1.0)


def test_plain_arrays_and_lists_are_the_same_points():
    plain, listed = SVC(gamma=1.0).fit(X, y), SVC(gamma=1.0).fit(X.tolist(), y.tolist())
    assert np.array_equal(plain.dual_coef_, listed.dual_coef_)
    assert np.array_equal(plain.decision_function(X), listed.decision_function(X.tolist()))
    assert plain.n_features_in_ == listed.n_features_in_ == 2


@pytest.mark.parametrize(("points", "targets", "words"), [
    (np.where(X == X[3, 1], np.nan, X), y, "NaN"),
    (np.where(X == X[3, 1], np.inf, X), y, "infinity"),
    (X[:, 0], y, "Expected 2D array"),
    (X[:0], y[:0], "minimum of 1 is required"),
    (X[:, :0], y, "0 feature"),
    (X, y[:-1], "inconsistent numbers of samples"),
    (X, np.where(y == 1.0, np.nan, y), "NaN"),
    (X, y * 0.5, "Unknown label type"),
    (X, np.column_stack([y, y]), "1d array"),
])  # fmt: skip
def test_what_is_not_plain_gets_the_sentence_of_scikit_learn(points, targets, words):
    with pytest.raises(ValueError, match=words):
        SVC(gamma=1.0).fit(points, targets)


@pytest.mark.parametrize("machine", [SVC, SVR])
def test_settings_that_were_good_once_excuse_no_others(machine):
    model = machine(max_iter=1_000_000, C=1.0).fit(X, y)
    for wrong in ({"C": -1.0}, {"C": "1.0"}, {"tol": 0.0}, {"kernel": "gauss"}, {"max_iter": 1_000_000.0}):
        with pytest.raises(ValueError, match=f"'{next(iter(wrong))}' parameter"):
            machine(**wrong).fit(X, y)
    with pytest.raises(ValueError, match="'C' parameter"):
        model.set_params(C=0.0).fit(X, y)
    assert model.get_params()["C"] == 0.0


def test_parameters_of_a_loss_are_looked_at_in_each_fit():
    model = SVC(loss="pinball", loss_params={"tau": 0.5}, gamma=1.0).fit(X, y)
    half = model.decision_function(X)
    tenth = model.set_params(loss_params={"tau": 0.1}).fit(X, y).decision_function(X)
    assert np.abs(tenth - half).max() > 1e-3
    for wrong in ({"tau": 7.0}, {"mu": 1.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            model.set_params(loss_params=wrong).fit(X, y)
    for other in ([("tau", 0.5)], "tau"):
        with pytest.raises(ValueError, match="'loss_params' parameter"):
            model.set_params(loss_params=other).fit(X, y)


def test_no_kernel_function_is_kept_alive():
    def kernel(A, B):
        return A @ B.T

    model = SVC(kernel=kernel).fit(X, y)
    watched = weakref.ref(kernel)
    del kernel, model
    gc.collect()
    assert watched() is None
