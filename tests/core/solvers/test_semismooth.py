"""Oracles: the violation computed anew, and the interior point method."""

import numpy as np
import pytest
from variants import every_variant, overlapping

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import convex, interior_point, semismooth, smo


def measured(L, qp, beta):
    assert np.all(beta >= qp.lower) and np.all(beta <= qp.upper) and abs(beta.sum()) <= 1e-12 * np.abs(beta).sum()
    return smo.state_at(qp, beta, -qp.linear - L @ (L.T @ beta) - qp.ridge * beta)


@every_variant
@pytest.mark.parametrize("C", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("n, d", [(40, 2), (250, 5), pytest.param(1200, 2, marks=pytest.mark.slow)])
def test_it_ends_where_the_interior_point_method_does(loss, params, C, n, d):
    X, y = overlapping(n, d=d)
    L, weight = X - X.mean(axis=0), 1.0 + 0.1 * np.sin(np.arange(n))
    qp = duals.build(loss, y, C * weight, **params)
    found, inside = semismooth.solve(L, qp, tol=1e-6), interior_point.solve(L, qp, tol=1e-6)
    reached, other = measured(L, qp, found.beta), measured(L, qp, interior_point.crossover(inside, qp))
    assert reached.violation <= 1e-6 + 1e-12 * C and found.n_iter < 100
    assert reached.objective == pytest.approx(other.objective, rel=1e-6 + 1e-9 * C / max(-other.objective, C))


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_scale_of_the_features_does_not_matter_and_each_newton_step_is_counted(scale):
    X, y = overlapping(200)
    one, other = (semismooth.solve(s * X, duals.hinge(y, 10.0 / s**2), tol=1e-6) for s in (1.0, scale))
    assert other.n_iter < 100
    np.testing.assert_allclose(other.beta * scale**2, one.beta, atol=1e-4)
    steps = [semismooth.solve(X, duals.hinge(y, 1.0), tol=1e-12, max_iter=most).n_iter for most in (1, 2, 3)]
    assert steps == [1, 2, 3]


def test_classes_that_are_apart_and_points_that_are_equal():
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]], 5, axis=0)
    y = np.repeat([-1.0, 1.0], 10)
    for C in (1e-3, 1.0, 1e6):
        qp = duals.hinge(y, C)
        assert measured(X, qp, semismooth.solve(X, qp, tol=1e-6).beta).violation <= 1e-6


def test_it_serves_few_columns_and_boxes_with_a_ridge_or_two_bounds():
    X, y = overlapping(100)
    whole, zero = duals.squared_hinge(y, 1.0), np.zeros(100)
    assert semismooth.serves(X, whole) and semismooth.serves(X, duals.hinge(y, 1.0))
    assert not semismooth.serves(X, whole._replace(ridge=zero))
    assert not semismooth.serves(X, duals.BoxQP(zero, zero, zero, -y))
    assert not semismooth.serves(np.zeros((100, semismooth.MOST_COLUMNS + 1)), whole)


def test_what_it_does_not_reach_the_interior_point_method_does(monkeypatch):
    X, y = overlapping(400)
    qp = duals.hinge(y, 10.0)
    usual = convex.solve(Kernel("linear"), X + 3.0, qp)
    monkeypatch.setattr(semismooth, "solve", lambda L, qp, tol: usual._replace(violation=1.0))
    other = convex.solve(Kernel("linear"), X + 3.0, qp)
    assert "interior" in other.route and "interior" not in usual.route
    assert usual.status == other.status == "converged" and usual.violation <= 1e-3
    assert usual.objective == pytest.approx(other.objective, rel=1e-6)
    assert usual.intercept == pytest.approx(other.intercept, abs=1e-3)
    np.testing.assert_allclose(usual.details.image, Kernel("linear")(X + 3.0) @ usual.beta, atol=1e-8)
