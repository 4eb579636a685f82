"""No status claims more than exact arithmetic confirms. The oracle has formulas of its own."""

import math
from functools import partial

import numpy as np
import pytest
from variants import ALL, EVERY, distance_to_slopes, overlapping
from written import kernel_formula

from svmcore import SVC, SVR, deadline, duals, losses
from svmcore.kernels import KERNELS, PARAMETERS, Kernel
from svmcore.solvers import rounding
from svmcore.solvers.box_dual import convex
from svmcore.status import Status, is_success
from svmcore.warned import silently

LD = np.longdouble
MARGIN = 1e-6  # the tolerance of the 0/1 loss
NAMED = ("linear", "rbf", "poly", "sigmoid")
SCALES = "normal", "far", "far", "small", "large", "uneven", "constant", "twins", "line", "grid"


def gram(kernel, X, Z) -> np.ndarray:
    """The kernel matrix of X (n, d) and Z (m, d), (n, m), in extended precision."""
    names = {PARAMETERS[name].latex: LD(value) for name, value in kernel.parameters.items()}
    names[r"\sigma"] = 1 / np.sqrt(LD(kernel.gamma))
    return kernel_formula(kernel.family.latex, names, X.astype(LD), Z.astype(LD))


def violation(model, X, y) -> float:
    """The violation of a fitted SVC (labels y are -1 and 1) or SVR, as `router` defines it for its loss.

    K beta is that of the expansion in exact arithmetic. Where the conditions are those of f itself, under a kernel that
    is x'z but for constants f is the machine that predicts, w and the intercept in double precision.
    """
    beta, b = np.zeros(len(y), LD), LD(model.intercept_[0])
    beta[model.support_] = model.dual_coef_[0]
    kernel, vectors, c = model.kernel_, model.support_vectors_, model.dual_coef_[0]
    if kernel.name == "linear" or (kernel.name == "poly" and kernel.degree == 1):
        gamma, coef0 = (1.0, 0.0) if kernel.name == "linear" else (LD(kernel.gamma), kernel.coef0)
        image = gamma * ((X.astype(LD) - X.mean(axis=0)) @ (c.astype(LD) @ vectors.astype(LD)))
        f = gamma * (X.astype(LD) @ (vectors.T @ c)) + coef0 * c.sum() + b
    else:
        image = gram(kernel, X, vectors) @ c.astype(LD) if len(c) else np.zeros(len(y), LD)
        f = image + b
    params = dict(getattr(model, "loss_params", None) or {})
    C = np.full(len(y), model.C)
    if isinstance(model, SVR):
        if model.loss == "epsilon_insensitive":
            return _spread(duals.epsilon_insensitive(y, C, model.epsilon), *_double(beta, image))
        return _spread(duals.build(model.loss, y, C), beta, image)
    way = losses.get(model.loss).solved_by
    if way == "box dual":
        return _spread(duals.build(model.loss, y, C, **params), beta, image)
    if way == "doubled box dual":
        return _spread(duals.insensitive_pinball(y, C, **params), *_double(beta, image))
    loss, t = losses.get(model.loss), 1 - y * f
    if way in ("quasi-Newton", "re-weighting"):
        share, nothing = (y * beta / C).astype(float), 1e-12 if way == "re-weighting" else 1e-300
        return distance_to_slopes(loss, params, share, t, nothing)
    if way == "ADMM":
        on, total = beta != 0, 1 + np.abs(beta).sum()
        wrong = max(np.max(-y * beta), abs(beta.sum())) / total
        return float(max(wrong, np.max(np.abs(t[on]), initial=0.0)))
    return _truncated(loss.check(**params), beta, image, y, C, t)


def _spread(qp, beta, image):
    F = -qp.linear.astype(LD) - image - qp.ridge.astype(LD) * beta
    rise, fall = beta < qp.upper, beta > qp.lower
    return float(max(F[rise].max() - F[fall].min(), 0)) if rise.any() and fall.any() else 0.0


def _double(beta, image):
    return np.concatenate([np.maximum(beta, 0), np.minimum(beta, 0)]), np.concatenate([image, image])


def _truncated(params, beta, image, y, C, t):
    """Every alpha / C lies between the slopes of the piece on which its t lies, or t lies so far from such a piece."""
    mu, kappa, tau = params.get("mu", np.inf), params.get("kappa", np.inf), params.get("tau", 0.0)
    share = (y * beta / C).astype(float)
    above, below = t > mu, t < -kappa
    low, high = np.where(above, -tau - 1.0, -tau), np.where(above, 0.0, 1.0)
    low, high = np.where(below, 0.0, low), np.where(below, 1.0 + tau, high)
    outside = (share < low - 1e-12) | (share > high + 1e-12)
    across = np.minimum(np.abs(t - mu), np.abs(t + kappa))[outside].max(initial=0.0)
    F = y - image
    rise, fall = np.where(y > 0, share < high, share > low), np.where(y > 0, share > low, share < high)
    apart = F[rise].max() - F[fall].min() if rise.any() and fall.any() else 0.0
    return float(max(apart, across, 0.0))


def hostile(seed, loss=None) -> tuple:
    """(an SVC or SVR that is not fitted, X, y) of some kind that is hard on arithmetic; `loss`: of an SVC."""
    rng = np.random.default_rng(seed)
    n, d, kind = int(rng.integers(2, 61)), int(rng.integers(1, 5)), SCALES[rng.integers(len(SCALES))]
    X, y = rng.normal(size=(n, d)), np.where(rng.random(n) < rng.uniform(0.1, 0.9), 1.0, -1.0)
    X += rng.uniform(0.0, 1.5) * y[:, None]
    if rng.random() < 0.15:
        y[:] = -1.0
    y[0], y[1] = 1.0, -1.0
    if kind == "far":
        X += 10.0 ** rng.uniform(0, 8)
    elif kind in ("small", "large"):
        X *= 10.0 ** (rng.uniform(-8, 0) if kind == "small" else rng.uniform(0, 8))
    elif kind == "uneven":
        X *= 10.0 ** rng.uniform(-4, 4, d)
    elif kind == "constant":
        X[:, -1] = 10.0 ** rng.uniform(0, 6)
    elif kind == "twins":
        X[n // 2 :] = X[: n - n // 2]
    elif kind == "line":
        X = np.outer(np.linspace(-1, 1, n), np.ones(d)) * 10.0 ** rng.uniform(-2, 3)
    elif kind == "grid":
        X = np.round(X)
    kernel = NAMED[rng.integers(len(NAMED))]
    gamma = "scale" if rng.random() < 0.6 else float(10.0 ** rng.uniform(-6, 6))
    options = {
        "C": float(10.0 ** rng.uniform(-8, 8)),
        "tol": float(10.0 ** -rng.integers(2, 11)) if rng.random() < 0.4 else 1e-3,
        "kernel": kernel,
        "gamma": gamma,
        "degree": int(rng.integers(1, 5)),
        "coef0": float(rng.choice([0.0, 1.0])),
    }
    if rng.random() < 0.1 and loss is None:
        loss = ("epsilon_insensitive", "least_squares", "least_absolute")[rng.integers(3)]
        return SVR(loss, **options), X, y + 0.3 * rng.normal(size=n)
    loss = loss or list(ALL)[rng.integers(len(ALL))]
    return SVC(loss, ALL[loss], **options), X, y


POLY = Kernel("poly", gamma=0.5, degree=3, coef0=1.0)


def fit(model, X, y):
    """The fitted machine, or None for one that is refused; the limit spares the test a slow run, no more."""
    try:
        with silently(), np.errstate(all="ignore"), deadline.time_limit(3.0):
            return model.fit(X, y)
    except ValueError as error:
        assert "overflows" in str(error)
        return None


FALSE = {903: "least_squares", 800: "least_absolute", 1051: "least_absolute", 1158: "pinball"}  # for the solvers alone
SOME, MANY = (*FALSE, *range(1, 71)), range(1000, 2000)


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
    false = 0
    for seed, loss in FALSE.items():
        model, X, y = hostile(seed, loss)
        false += is_success(fit(model, X, y).status_) and violation(model, X, y) > 1.05 * model.tol
    assert false  # which of them rounding shows depends on the kernels of BLAS


def in_turn(every, values):
    """For each value with one of the others in turn a test, slow tests for all pairs."""
    return [
        pytest.param(*one, value, marks=() if k % len(values) == j else pytest.mark.slow)
        for k, one in enumerate(every)
        for j, value in enumerate(values)
    ]


@pytest.mark.parametrize("loss, params, kernel", in_turn(EVERY, ["linear", "rbf", "poly"]))
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
    whole = convex.measure(found, POLY, huge, qp, 1e-3)
    monkeypatch.setattr(rounding, "MOST", 20 * np.count_nonzero(found.beta))
    some = convex.measure(found, POLY, huge, qp, 1e-3)
    assert whole.status == some.status == Status.ROUNDING and some.violation > 0.0
    # where nothing is lost both agree
    near = convex.solve(POLY, X, duals.hinge(y, 1.0))
    assert convex.measure(near._replace(violation=1.001e-3), POLY, X, duals.hinge(y, 1.0), 1e-3).status == "converged"


def test_a_status_that_is_no_success_is_left_alone_and_a_run_at_its_time_limit_is_not():
    X, y = overlapping(20)
    found = convex.solve(POLY, X + 1e4, duals.hinge(y, 1e8))._replace(violation=0.0)
    ended = found._replace(status=Status.ITERATION_LIMIT)
    assert convex.measure(ended, POLY, X + 1e4, duals.hinge(y, 1e8), 1e-3) is ended
    done = found._replace(status=Status.CONVERGED)
    with deadline.time_limit(0.0):
        assert convex.measure(done, POLY, X + 1e4, duals.hinge(y, 1e8), 1e-3).status == Status.ROUNDING


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
