"""No status claims more than exact arithmetic confirms. The oracle in `long_double` has formulas of its own."""

import math
from functools import partial

import numpy as np
import pytest
from long_double import MARGIN, gram, hostile, violation
from variants import EVERY, overlapping

from svmcore import SVC, SVR, deadline, duals
from svmcore.kernels import KERNELS, Kernel
from svmcore.solvers import rounding
from svmcore.solvers.box_dual import convex
from svmcore.status import SUCCESS, Status, is_success
from svmcore.warned import silently

POLY = Kernel("poly", gamma=0.5, degree=3, coef0=1.0)


def fit(model, X, y):
    """The fitted machine, or None for one that is refused; the limit spares the test a slow run, no more."""
    try:
        with silently(), np.errstate(all="ignore"), deadline.time_limit(3.0):
            return model.fit(X, y)
    except ValueError as error:
        assert "overflows on these points" in str(error)
        return None


FALSE = {295: "least_squares", 800: "least_absolute", 1051: "least_absolute", 1158: "pinball"}  # for the solvers alone
SOME, MANY = (*FALSE, *range(1, 101)), range(1000, 4000)


@pytest.mark.parametrize("seeds", [SOME, pytest.param(MANY, marks=pytest.mark.slow)], ids=["some", "many"])
def test_no_success_above_the_tolerance(seeds):
    """Any loss, kernel, C and tolerance; offsets, scales, twins, lines, one point of a class."""
    successes = 0
    for seed in seeds:
        model, X, y = hostile(seed, FALSE.get(seed))
        if fit(model, X, y) is not None and is_success(model.status_):
            tol = MARGIN if model.loss == "zero_one" else model.tol
            with np.errstate(all="ignore"):
                assert violation(model, X, y) <= 1.05 * tol, (seed, model, model.violation_)
            successes += 1
    assert successes > 0.5 * len(seeds)


def test_the_oracle_sees_what_the_solvers_alone_would_claim(monkeypatch):
    monkeypatch.setattr(rounding, "is_harmless", lambda *a: True)
    for seed, loss in FALSE.items():
        model, X, y = hostile(seed, loss)
        assert is_success(fit(model, X, y).status_) and violation(model, X, y) > 1.05 * model.tol


@pytest.mark.parametrize("loss, params", EVERY, ids=[key for key, _ in EVERY])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_ordinary_data_are_a_success(kernel, loss, params):
    X, y = overlapping(60)
    model = SVC(loss, params, kernel=kernel, C=10.0, coef0=1.0).fit(X + 3.0, y)
    assert is_success(model.status_)
    assert violation(model, X + 3.0, y) <= 1.0001 * model.tol


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "least_squares", "log", "ramp"])
def test_a_polynomial_of_degree_one_is_a_linear_kernel_anywhere(loss):
    """One support vector of -9e-17 was the answer, and f = -8 everywhere."""
    near = np.random.default_rng(0).normal(size=(40, 2))
    y = np.where(near[:, 0] + 0.5 * near[:, 1] > 0.3, 1.0, -1.0)
    far = SVC(loss, C=0.01, kernel="poly", gamma=1e6, degree=1, coef0=1.0).fit(near + 1e6, y)
    linear = SVC(loss, C=0.01, kernel="linear").fit(1e3 * near, y)
    assert far.status_ == linear.status_ and is_success(far.status_)
    assert far.objective_ == pytest.approx(linear.objective_, rel=1e-3)
    np.testing.assert_allclose(far.decision_function(near + 1e6), linear.decision_function(1e3 * near), atol=0.02)


@pytest.mark.parametrize("degree, mean", [(3, 100.0), (2, 1000.0)])
@pytest.mark.parametrize("loss", ["hinge", "insensitive_pinball", "squared_hinge"])
def test_a_polynomial_far_from_the_origin_is_right_or_says_that_it_is_not(loss, degree, mean):
    rng, outcomes = np.random.default_rng(5), set()
    for n in (60, 120):
        X = rng.normal(size=(n, 2)) + mean
        y = np.where(X[:, 0] - mean + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
        model = fit(SVC(loss, kernel="poly", degree=degree, coef0=1.0), X, y)
        own = violation(model, X, y)
        assert model.status_ != "converged" or own <= 1.05e-3
        assert model.status_ != Status.ROUNDING or model.violation_ > 1e-3  # and it says by how much
        outcomes.add(model.status_)
    assert degree == 2 or outcomes.difference(SUCCESS)


@pytest.mark.parametrize("tol", [1e-10, 1e-13])
def test_many_points_of_the_plane_at_the_finest_tolerances(tol):
    """An expansion in double precision is less exact than the sum, and neither reaches 1e-13."""
    X, y = overlapping(1600)
    model = fit(SVC(C=100.0, gamma=1e-2, tol=tol), X, y)
    assert model.status_ != "converged" or violation(model, X, y) <= 1.05 * tol
    assert tol > 1e-13 or not is_success(model.status_)


def test_of_many_points_the_error_is_measured_at_some(monkeypatch):
    X, y = overlapping(80)
    qp, huge = duals.hinge(y, 1e7), X + 100.0
    found = convex.solve(POLY, huge, qp)._replace(status=Status.CONVERGED, violation=0.0)
    whole = convex.measured(found, POLY, huge, qp, 1e-3)
    monkeypatch.setattr(rounding, "MOST", 20 * np.count_nonzero(found.beta))
    some = convex.measured(found, POLY, huge, qp, 1e-3)
    assert whole.status == some.status == Status.ROUNDING and some.violation > 0.0
    # where nothing is lost both agree
    near = convex.solve(POLY, X, duals.hinge(y, 1.0))
    assert convex.measured(near._replace(violation=1.001e-3), POLY, X, duals.hinge(y, 1.0), 1e-3).status == "converged"


def test_a_status_that_is_no_success_is_left_alone_and_a_run_at_its_time_limit_is_not():
    X, y = overlapping(20)
    found = convex.solve(POLY, X + 1e4, duals.hinge(y, 1e8))._replace(violation=0.0)
    ended = found._replace(status=Status.ITERATION_LIMIT)
    assert convex.measured(ended, POLY, X + 1e4, duals.hinge(y, 1e8), 1e-3) is ended
    done = found._replace(status=Status.CONVERGED)
    with deadline.time_limit(0.0):
        assert convex.measured(done, POLY, X + 1e4, duals.hinge(y, 1e8), 1e-3).status == Status.ROUNDING


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("name", KERNELS)
def test_the_image_in_extended_precision(name, d):
    """Nearer to the oracle than double precision can be, and `largest` bounds all values."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, d)) + 2.0
    X = X @ X.T if name == "precomputed" else X
    v, kernel = rng.normal(size=30) * (rng.random(30) > 0.3), Kernel(name, 0.3, 2, 0.7)
    K = X.astype(rounding.LONG) if name == "precomputed" else gram(kernel, X, X)
    exact = K @ v.astype(rounding.LONG)
    size = np.abs(K) @ np.abs(v)
    assert np.all(np.abs(rounding.image(kernel, X, v, np.arange(30)) - exact) <= 4 * rounding.ULP * size)
    assert np.all(np.abs(K) <= kernel.largest(X) * (1.0 + 1e-12))
    if kernel.affine is None:
        assert np.all(np.abs(rounding.image(kernel, X, v, np.arange(30)) - exact) <= 200 * rounding.LONG_ULP * size)


def test_a_function_as_kernel_is_summed_in_extended_precision():
    X, v = np.random.default_rng(0).normal(size=(20, 2)), np.ones(20)
    kernel = Kernel(lambda A, B: np.exp(-np.abs(A[:, :1] - B[:, 0])))
    assert kernel.largest(X) == pytest.approx(1.0)
    expected = [math.fsum(row) for row in kernel(X)]
    np.testing.assert_allclose(rounding.image(kernel, X, v, np.arange(20)).astype(float), expected, rtol=1e-16)


@pytest.mark.parametrize("build", [SVR, partial(SVC, "zero_one"), partial(SVC, "ramp"), partial(SVC, "log")])
def test_every_method_is_measured(build, monkeypatch):
    """Also a regression and the losses that are not convex: an image that belongs to no machine is no success."""
    X, y = overlapping(40)
    success, seen = fit(build(kernel="poly", coef0=1.0), X, y).status_, []
    assert is_success(success)
    monkeypatch.setattr(rounding, "is_harmless", lambda *a: seen.append(1) and False)
    assert fit(build(kernel="poly", coef0=1.0), X, y).status_ == success and seen
    monkeypatch.setattr(rounding, "image", lambda *a: np.linspace(0.0, 1.0, len(a[3]), dtype=rounding.LONG))
    assert fit(build(kernel="poly", coef0=1.0), X, y).status_ == Status.ROUNDING
