"""Oracles: LIBSVM, the primal objective, brute force, and the same data otherwise."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVR as LibSVR
from variants import expanded

from svmcore import SVC, SVR, duals
from svmcore.kernels import Kernel
from svmcore.losses import regression
from svmcore.solvers.box_dual import doubled

LOSSES = list(regression.LOSSES)


def curve(n, seed=0, d=1):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3.0, 3.0, (n, d))
    return X, np.sin(2.0 * X[:, 0]) + 0.2 * rng.standard_normal(n)


X, y = curve(120)


def dual(K, y, beta, epsilon):
    return y @ beta - 0.5 * beta @ K @ beta - epsilon * np.abs(beta).sum()


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.5])
def test_epsilon_insensitive_is_libsvm(kernel, C, epsilon):
    gamma = 0.2 if kernel == "poly" else 0.7  # large kernel values are all digits in single precision
    options = dict(C=C, epsilon=epsilon, kernel=kernel, gamma=gamma, degree=3, coef0=0.5, tol=1e-8)
    ours, theirs = SVR(**options).fit(X, y), LibSVR(**options).fit(X, y)
    # LIBSVM keeps kernel values in single precision
    assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=2e-5 * C)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=2e-5 * C)
    K = ours.kernel_(X)
    assert ours.objective_ == pytest.approx(dual(K, y, expanded(theirs, len(y)), epsilon), rel=1e-6)
    assert ours.objective_ == pytest.approx(dual(K, y, expanded(ours, len(y)), epsilon), rel=1e-9)
    assert ours.status_ == "converged" and ours.violation_ <= 1e-8
    if kernel == "linear":
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=2e-5 * C)


def test_the_defaults_are_libsvms():
    theirs = LibSVR().get_params()
    assert {name: value for name, value in SVR().get_params().items() if name in theirs and name != "max_iter"} == {
        name: theirs[name] for name in ("C", "coef0", "degree", "epsilon", "gamma", "kernel", "tol")
    }
    assert SVR().fit(X, y).predict(X) == pytest.approx(LibSVR().fit(X, y).predict(X), abs=2e-3)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n", [40, 300])
def test_primal_equals_dual(loss, n):
    X, y = curve(n, seed=3)
    model = SVR(loss=loss, epsilon=0.13, C=2.0, gamma=0.7, tol=1e-8).fit(X, y)
    f = model.predict(X)
    squared_norm = model.dual_coef_[0] @ (f[model.support_] - model.intercept_[0])
    params = {"epsilon": 0.13} if loss in ("epsilon_insensitive", "hawkeye") else {}
    assert model.objective_ == pytest.approx(
        duals.regression_objective(loss, f, y, 2.0, squared_norm, **params), rel=1e-6
    )
    assert model.dual_coef_.sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("loss", ["least_squares", "least_absolute"])
def test_on_labels_it_is_the_classifier(loss):
    labels = np.where(y > 0, 1.0, -1.0)
    regressor, classifier = SVR(loss=loss, tol=1e-9).fit(X, labels), SVC(loss=loss, tol=1e-9).fit(X, labels)
    assert regressor.predict(X) == pytest.approx(classifier.decision_function(X), abs=1e-13)


@pytest.mark.parametrize("loss", LOSSES)
def test_targets_may_be_shifted_and_turned(loss):
    model = SVR(loss=loss, tol=1e-10).fit(X, y)
    shifted, turned = SVR(loss=loss, tol=1e-10).fit(X, y + 7.0), SVR(loss=loss, tol=1e-10).fit(X, -y)
    assert shifted.predict(X) == pytest.approx(model.predict(X) + 7.0, abs=1e-8)
    assert turned.predict(X) == pytest.approx(-model.predict(X), abs=1e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_sample_of_weight_two_counts_twice_in_a_precomputed_matrix(loss):
    table, weight = rbf_kernel(X, X, 0.7), np.arange(len(y)) % 3.0
    many = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = SVR(loss=loss, kernel="precomputed", tol=1e-9).fit(table, y, weight)
    repeated = SVR(loss=loss, kernel="precomputed", tol=1e-9).fit(table[np.ix_(many, many)], y[many])
    assert weighted.predict(table) == pytest.approx(repeated.predict(table[:, many]), abs=1e-6)
    assert not np.any(weight[weighted.support_] == 0.0)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.0, 0.3), st.floats(1e-3, 3.0))
def test_what_is_returned_is_settled_and_feasible(seed, epsilon, tol):
    """The objective is that of the one beta a point, however loose the tolerance and narrow the tube."""
    X, y = curve(25, seed)
    kernel, qp = Kernel("rbf", 0.7), duals.epsilon_insensitive(y, 1.2, epsilon)
    found = doubled.solve(kernel, X, qp, tol=tol)
    assert found.beta.shape == (25,) and np.all(np.abs(found.beta) <= 1.2) and abs(found.beta.sum()) < 1e-12
    assert -found.objective == pytest.approx(dual(kernel(X), y, found.beta, epsilon), rel=1e-9, abs=1e-12)
    F = y - kernel(X) @ found.beta
    rise = np.where(found.beta < 0, F + epsilon, F - epsilon)[found.beta < 1.2]
    fall = np.where(found.beta > 0, F - epsilon, F + epsilon)[found.beta > -1.2]
    assert rise.max() - fall.min() <= found.violation + 1e-9 <= tol + 1e-9


@pytest.mark.slow
def test_the_memory_is_bounded():
    """The matrix of 2N rows alone would take 512 MB."""
    X, y = curve(4000)
    tracemalloc.start()
    model = SVR(C=1.0, gamma=0.7).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert model.status_ == "converged" and peak < 100e6


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_is_known_by_its_name_and_of_equal_targets_the_curve_is_level(loss):
    entry = regression.get(loss)
    assert entry.key == loss and entry.source and entry.latex and entry.convex != entry.bounded
    assert regression.get(entry) is entry and pickle.loads(pickle.dumps(entry)) is entry
    r = np.linspace(0.0, 4.0, 81)
    assert entry(0.0) == 0.0 and np.array_equal(entry(r), entry(-r))
    assert SVR(loss=loss).fit([[1.0]], [3.0]).predict([[5.0]]) == pytest.approx(3.0)
    assert SVR(loss=loss).fit([[1.0], [2.0], [3.0]], [4.0] * 3).predict([[9.0]]) == pytest.approx(4.0)


def test_an_epsilon_among_the_parameters_of_a_loss_replaces_the_other_one():
    """Of the tube alone it was ignored."""
    for loss in ("epsilon_insensitive", "hawkeye"):
        one, other = SVR(loss=loss, loss_params={"epsilon": 0.5}, epsilon=0.01), SVR(loss=loss, epsilon=0.5)
        assert np.array_equal(*(model.fit(X, y).predict(X) for model in (one, other)))
    with pytest.raises(ValueError, match="beyond epsilon=0.25"):
        SVR(C=np.inf, kernel="linear", loss_params={"epsilon": 0.25}).fit([[0.0], [1.0], [2.0]], [0.0, 9.0, 0.0])


@pytest.mark.parametrize("loss, loss_params", [("welsch", {"width": 0.8}), ("hawkeye", {"a": 3.0, "height": 0.8})])
@pytest.mark.parametrize("C", [0.3, 3.0, 100.0])
def test_a_bounded_machine_is_a_minimum_below_its_starts(loss, loss_params, C):
    """Stationary by the slopes, no neighbour lower, not above w = 0 or two convex machines; outliers have no say."""
    spoilt = y + 6.0 * (np.arange(len(y)) % 8 == 0)
    options = {"gamma": 0.7, "C": C}
    model = SVR(loss=loss, loss_params=loss_params, tol=1e-7, **options).fit(X, spoilt)
    params = regression.get(loss).check(**(loss_params | ({"epsilon": 0.1} if loss == "hawkeye" else {})))
    K, beta = model.kernel_(X), expanded(model, len(y))

    def P(beta, intercept):
        f = K @ beta + intercept
        return duals.regression_objective(loss, f, spoilt, C, float(beta @ K @ beta), **params)

    residual = spoilt - K @ beta - model.intercept_[0]
    assert beta == pytest.approx(C * regression.get(loss).slope(residual, **params), abs=1e-5 * C)
    assert beta.sum() == pytest.approx(0.0, abs=1e-6 * C) and model.status_ == "local minimum"
    assert model.objective_ == pytest.approx(P(beta, model.intercept_[0]), rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = 1e-3 * rng.normal(size=len(y) + 1) / len(y)
        assert P(beta + step[:-1], model.intercept_[0] + step[-1]) >= model.objective_ * (1.0 - 1e-9)
    for other in ("least_squares", "least_absolute"):
        convex_one = SVR(loss=other, **options).fit(X, spoilt)
        assert model.objective_ <= P(expanded(convex_one, len(y)), convex_one.intercept_[0]) * (1.0 + 1e-9)
    assert model.objective_ <= P(np.zeros(len(y)), float(np.median(spoilt))) * (1.0 + 1e-9)
    if C == 3.0:
        squared = SVR(loss="least_squares", **options).fit(X, spoilt)
        ours, theirs = (np.abs(one.predict(X) - np.sin(2.0 * X[:, 0])).mean() for one in (model, squared))
        assert ours < 0.5 * theirs
