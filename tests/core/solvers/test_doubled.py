"""The insensitive pinball, two coefficients a point: strong duality, the shifted hinge (see also SVR)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import RBF, every_kernel, overlapping

from svmcore import duals
from svmcore.solvers.box_dual import convex, doubled

PARAMS = {"tau": 0.3, "epsilon": 0.2}


def kinked_objective(box, up, down, K, beta):
    kinks = up @ np.maximum(beta, 0.0) + down @ np.maximum(-beta, 0.0)
    return kinks - duals.dual_objective(box, K @ beta, beta)


@every_kernel
@pytest.mark.parametrize("n, C", [(60, 1e-3), (60, 1.0), (60, 1e3), (500, 1.0), (500, 100.0)])
def test_strong_duality_and_the_zone(kernel, n, C):
    X, y = overlapping(n)
    qp = duals.insensitive_pinball(y, C, **PARAMS)
    found = doubled.solve(kernel, X, qp, tol=1e-6)
    assert found.status == "converged"
    assert np.all(found.beta >= qp.lower[n:]) and np.all(found.beta <= qp.upper[:n])
    assert abs(found.beta.sum()) <= 1e-9 * np.abs(found.beta).sum()
    K_beta = kernel(X) @ found.beta
    f, alpha = K_beta + found.intercept, y * found.beta
    primal = duals.primal_objective("insensitive_pinball", f, y, C, found.beta @ K_beta, **PARAMS)
    assert primal + found.objective == pytest.approx(0.0, abs=1e-5 * C * n)
    # alpha = 0 within the zone, and a bound outside of it
    t, edge = 1.0 - y * f, 1e-4
    assert np.all(alpha[(t > -0.2 / 0.3 + edge) & (t < 0.2 - edge)] == 0.0)
    assert np.all(alpha[t > 0.2 + edge] == C) and np.all(alpha[t < -0.2 / 0.3 - edge] == -0.3 * C)
    assert np.any(alpha == 0.0) or C < 1.0  # there f is nearly nothing, and all t are near 1


def test_a_zone_that_never_ends_is_the_shifted_hinge():
    X, y = overlapping(60, twins=[3])  # of the other class: else beta is not unique
    endless = duals.insensitive_pinball(y, 1.0, 0.0, 0.2)
    for tau in (1e-12, 1e-300):
        for one, other in zip(endless, duals.insensitive_pinball(y, 1.0, tau, 0.2), strict=True):
            assert np.array_equal(one, other)
    # zone up to 1/4, then the hinge: with margin 3/4 in place of 1, all of it scales
    found = doubled.solve(RBF, X, duals.insensitive_pinball(y, 1.0, 0.0, 0.25), tol=1e-8)
    hinge = convex.solve(RBF, X, duals.hinge(y, 1.0 / 0.75), tol=1e-8)
    assert found.beta == pytest.approx(0.75 * hinge.beta, abs=1e-6)


@given(seed=st.integers(0, 10_000), n=st.integers(2, 12), limit=st.sampled_from([1, 3, 10, 10_000]))
@settings(deadline=None, max_examples=40)
def test_what_is_reported_is_true_of_the_sum(seed, n, limit):
    """Any bounds and kinks, stopped anywhere."""
    rng = np.random.default_rng(seed)
    box = duals.BoxQP(-rng.uniform(0, 2, n), rng.uniform(0, 2, n), np.zeros(n), rng.normal(size=n))
    up, down = rng.uniform(-0.2, 1, n), rng.uniform(0.2, 1, n)
    X = rng.normal(size=(n, 2))
    found = doubled.solve(RBF, X, duals._double(box, up, down), tol=1e-9, max_iter=limit, solver="smo")
    assert np.all(found.beta >= box.lower) and np.all(found.beta <= box.upper)
    assert abs(found.beta.sum()) < 1e-9
    objective = kinked_objective(box, up, down, RBF(X), found.beta)
    assert found.objective == pytest.approx(objective, abs=1e-9)
    if found.status == "converged":
        for _ in range(20):  # no feasible neighbour is lower
            i, j = rng.integers(n, size=2)
            step = rng.exponential(0.1)
            other = found.beta.copy()
            step = min(step, box.upper[i] - other[i], other[j] - box.lower[j]) if i != j else 0.0
            other[i] += step
            other[j] -= step
            assert kinked_objective(box, up, down, RBF(X), other) >= objective - 1e-8
