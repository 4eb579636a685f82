"""A run from the solution of a similar problem ends as exactly as one from zero."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from variants import gaussian, violation
from waiting import mostly_slow

from svmcore import duals, kernels
from svmcore.solvers.box_dual import convex, doubled, smo, warm

TOL = 1e-3
LOSSES = ["hinge", "squared_hinge", "least_absolute", "pinball", "huber"]
RBF = kernels.Kernel("rbf", gamma=1.0)


def moons(n):
    X, y = make_moons(n, noise=0.25, random_state=0)
    return X, 2.0 * y - 1.0


def similar(change, X, y, kernel, found, loss, C):
    """(points, labels, kernel, C, start) of the problem after the change."""
    beta = found.beta
    if change == "point moved":
        after = X.copy()
        after[7] += 0.4, -0.3
        return after, y, kernel, C, warm.start_after_move(kernel, X, after, found)
    if change == "point added":
        return np.vstack([X, [[0.5, 0.4]]]), np.append(y, 1.0), kernel, C, warm.Start(np.append(beta, 0.0))
    if change == "point left out":
        k = int(np.argmax(np.abs(beta)))
        return np.delete(X, k, axis=0), np.delete(y, k), kernel, C, warm.Start(np.delete(beta, k))
    if change == "sigma":
        return X, y, kernels.Kernel("rbf", gamma=1.3), C, warm.Start(beta)
    return X, y, kernel, C * {"C up": 1.5, "C down": 0.6}[change], warm.Start(beta, found.details.image)


@pytest.mark.parametrize("n", [150, 800])
@pytest.mark.parametrize("change", ["point moved", "point added", "point left out", "C up", "C down", "sigma"])
@pytest.mark.parametrize("loss", mostly_slow(LOSSES, ("hinge", "squared_hinge")))
def test_a_warm_run_is_as_exact_as_a_cold_one(loss, change, n):
    X, y = moons(n)
    first = convex.solve(RBF, X, duals.build(loss, y, 3.0), tol=TOL)
    X, y, kernel, C, start = similar(change, X, y, RBF, first, loss, 3.0)
    qp = duals.build(loss, y, C)
    found = convex.solve(kernel, X, qp, tol=TOL, start=start)
    cold = convex.solve(kernel, X, qp, tol=TOL)
    assert found.status == cold.status == "converged"
    # the violation that is reported is the true one
    assert found.violation == pytest.approx(max(violation(gaussian(X, kernel.gamma), qp, found.beta), 0.0), abs=1e-9)
    assert found.violation <= 1.05 * TOL
    # primal = dual within the gap, so the two objectives are within the larger gap of each other
    assert abs(found.objective - cold.objective) <= max(found.details.gap, cold.details.gap)
    assert found.details.gap <= convex.WIDE * abs(found.objective)
    assert found.intercept == pytest.approx(cold.intercept, abs=0.05)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "huber"])
def test_one_point_of_a_thousand_takes_a_fifth_of_the_steps_at_most(loss):
    """In the median over the points that are moved: one that becomes a support vector takes more."""
    X, y = moons(1000)
    qp, shares = duals.build(loss, y, 10.0), []
    first = convex.solve(RBF, X, qp, tol=TOL)
    for k in range(0, 1000, 150):
        after = X.copy()
        after[k] += 0.2, -0.2
        found = convex.solve(RBF, after, qp, tol=TOL, start=warm.start_after_move(RBF, X, after, first))
        cold = convex.solve(RBF, after, qp, tol=TOL)
        assert found.status == "converged" and found.route == "pair updates on sets"
        assert found.objective == pytest.approx(cold.objective, abs=max(found.details.gap, cold.details.gap))
        shares.append(found.n_iter / cold.n_iter)
    assert np.median(shares) <= 0.2


def test_two_coefficients_a_point():
    X, y = moons(900)
    qp = duals.epsilon_insensitive(y, 3.0, 0.1)
    first = doubled.solve(RBF, X, qp, tol=TOL)
    found = doubled.solve(RBF, X, qp, tol=TOL, start=warm.Start(first.beta))
    assert found.status == "converged" and found.n_iter < 0.5 * first.n_iter
    assert found.objective == pytest.approx(first.objective, abs=max(found.details.gap, first.details.gap))


@pytest.mark.parametrize("with_coefficients", [True, False, None])
def test_the_image_of_moved_points_is_K_beta(with_coefficients):
    """Of points with coefficients, of points without, and of some of both; in one coordinate or two."""
    X, y = moons(300)
    found = convex.solve(RBF, X, duals.hinge(y, 1.0))
    after, used = X.copy(), found.beta != 0.0
    some = [3, 50] if with_coefficients is None else np.flatnonzero(used == with_coefficients)[[3, 50]]
    after[some[0]] += 0.2
    after[some[1], 1] += 0.2
    start = warm.start_after_move(RBF, X, after, found)
    assert found.details.image == pytest.approx(RBF(X) @ found.beta, abs=1e-12)
    assert start.image == pytest.approx(RBF(after) @ found.beta, abs=1e-12)
    assert warm.start_after_move(RBF, X, X + 1.0, found).image is None  # all have moved: nothing to build on


@pytest.mark.parametrize("seed", range(20))
def test_repaired_coefficients_are_feasible_and_few_change(seed):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    qp = duals.pinball(y, rng.uniform(0.5, 2.0, 60), tau=0.3)
    beta = np.where(rng.random(60) < 0.5, 0.0, rng.normal(size=60))
    repaired = warm.feasible(qp, beta)
    clipped = np.clip(beta, qp.lower, qp.upper)
    assert np.all((repaired >= qp.lower) & (repaired <= qp.upper)) and abs(repaired.sum()) < 1e-14
    assert np.abs(repaired - clipped).sum() == pytest.approx(abs(clipped.sum()))  # no detour
    assert not repaired[clipped == 0.0].any()
    smo.start(np.eye(60), qp, repaired)  # which takes feasible points only


def test_a_useless_start_is_replaced_by_zero_and_one_that_does_not_fit_is_refused():
    X, y = moons(200)
    K, qp = RBF(X), duals.hinge(y, 1.0)
    beta, image = warm.begin(K.__matmul__, qp, warm.Start(np.where(np.arange(200) % 2, 1.0, -1.0)))
    assert 0.5 * beta @ image + qp.linear @ beta <= 0.0
    assert not warm.begin(K.__matmul__, duals.squared_hinge(y, 1.0), warm.Start(1e6 * y))[0].any()
    for wrong in (np.zeros(3), np.full(200, np.nan)):
        with pytest.raises(ValueError, match="each of the 200 coefficients"):
            convex.solve(RBF, X, qp, start=warm.Start(wrong))
