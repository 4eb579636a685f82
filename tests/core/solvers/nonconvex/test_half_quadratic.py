"""Re-weighting: certificates recomputed, small machines by brute force, starts, limits."""

import numpy as np
import pytest
from variants import (
    ALL,
    LINEAR,
    RBF,
    REWEIGHTED,
    distance_to_slopes,
    each_loss,
    every_kernel,
    overlapping,
    primal,
    task,
)

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers import router
from svmcore.solvers.box_dual import convex
from svmcore.solvers.nonconvex import cccp, half_quadratic
from svmcore.status import Status

every_loss = each_loss(REWEIGHTED)


@every_loss
@every_kernel
@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
def test_every_round_lowers_P_and_the_last_is_stationary(loss, params, kernel, C):
    X, y = overlapping(50)
    given, K = task(loss, params, kernel, X, y, C), kernel(X)
    for start in ("convex", "means"):
        method = half_quadratic.Weighting(given)
        run = list(method.rounds(cccp.begin(start, method).f, tol=1e-4, max_rounds=half_quadratic.MAX_ROUNDS))
        objectives = np.array([now.objective for now in run])
        assert np.all(np.diff(objectives) <= 1e-9 * objectives[:-1])
        assert all(now.violation > 0.5e-4 for now in run[:-1])  # a round that settles is the last
        for now in run:
            assert now.objective == pytest.approx(primal(given, now.beta, now.intercept), rel=1e-10)
            assert np.all((now.lower <= now.beta) & (now.beta <= now.upper)) and abs(now.beta.sum()) < 1e-9 * C * 50
            assert np.all(now.beta[now.tangent == 0.0] == 0.0)
        t, share = 1.0 - y * (K @ now.beta + now.intercept), y * now.beta / C
        assert now.violation <= 1e-4 and distance_to_slopes(given.loss, given.params, share, t, 1e-7) <= 2e-3


@every_loss
def test_without_a_bound_it_is_the_machine_of_the_base(loss, params):
    X, y = overlapping(60)
    wide = ALL[loss] | {("width" if "width" in params else "mu"): 1e7}
    given = task(loss, wide, RBF, X, y, 2.0)
    found = half_quadratic.solve(given, tol=1e-6)
    plain = convex.solve(RBF, X, duals.build(given.loss.base, y, 2.0, **given.loss.base_params(given.params)), tol=1e-6)
    assert found.objective == pytest.approx(-plain.objective, rel=1e-5)
    assert RBF(X) @ found.beta == pytest.approx(RBF(X) @ plain.beta, abs=1e-3)


def test_weights_of_samples_count_and_a_precomputed_kernel_is_the_same():
    X, y = overlapping(24, twins=())
    twice = np.arange(24) % 4 == 0
    for loss, params in REWEIGHTED:
        weighted = half_quadratic.solve(task(loss, params, RBF, X, y, np.where(twice, 2.0, 1.0)), tol=1e-7)
        again = np.vstack([X, X[twice]])
        repeated = half_quadratic.solve(task(loss, params, RBF, again, np.append(y, y[twice]), 1.0), tol=1e-7)
        assert weighted.objective == pytest.approx(repeated.objective, rel=1e-6)
        given = task(loss, params, Kernel("precomputed"), RBF(X), y, np.where(twice, 2.0, 1.0))
        assert half_quadratic.solve(given, tol=1e-7).objective == pytest.approx(weighted.objective, rel=1e-9)


def test_a_saddle_point_is_no_local_minimum_and_a_start_at_the_optimum_is_one():
    """Two points at one place: the machine that treats both alike is stationary, and either class for both is lower."""
    X = np.array([[0.0], [0.0]])
    given = task("rescaled_hinge", {"width": 0.3}, LINEAR, X, np.array([1.0, -1.0]), 1.0)
    method = half_quadratic.Weighting(given)
    *_, last = method.rounds()
    alike = cccp.solution(method, last, "convex", 1e-3)._replace(beta=np.array([1e-9, -1e-9]), intercept=0.0)
    assert not half_quadratic.is_minimum(given, alike, 1e-3)
    assert half_quadratic.solve(given).objective == pytest.approx(given.loss(2.0, width=0.3))
    # the machine between the means, 3e-9 below the end of its rounds, was the answer, with an infinite violation
    X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-1.0, 1.0, -1.0])
    found = half_quadratic.solve(task("rescaled_hinge", {}, Kernel("rbf"), X, y, 100.0))
    assert found.status == Status.LOCAL_MINIMUM and found.violation <= 1e-3


def test_limits_and_starts_are_told():
    X, y = overlapping(40)
    for loss, params in REWEIGHTED:
        given = task(loss, params, LINEAR, X, y, 1.0)
        found = router.solve(given, solver_params={"starts": ("means", "hinge"), "max_rounds": 100})
        assert found.details.n_starts == 2 and "from means:" in found.route
    short = half_quadratic.solve(task("rescaled_hinge", {"width": 0.3}, RBF, X, y, 50.0), max_rounds=1, starts="convex")
    assert short.status == Status.ROUND_LIMIT and short.violation > 1e-3


def test_the_welsch_loss_by_either_method_is_the_same():
    X, y = overlapping(60)
    for kernel in (LINEAR, RBF):
        given = task("welsch", {"width": 1.4}, kernel, X, y, 1.0)
        one, other = half_quadratic.solve(given, tol=1e-6), router.solve(given, tol=1e-6)
        assert one.objective == pytest.approx(other.objective, rel=1e-7)
