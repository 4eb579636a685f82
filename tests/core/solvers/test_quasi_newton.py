"""Smooth losses: derivatives by differences, starts, and how runs end."""

import numpy as np
import pytest
from variants import LINEAR, RBF, every_kernel, every_smooth, overlapping, primal

from svmcore import duals, kernels, losses, problems
from svmcore.kernels import Kernel
from svmcore.kernels.rows import Rows
from svmcore.solvers import quasi_newton
from svmcore.solvers.box_dual import convex
from svmcore.solvers.nonconvex import multistart
from svmcore.solvers.solution import Solution, Task
from svmcore.status import Status


def solve(loss, params, kernel, X, y, C=1.0, **options):
    return quasi_newton.solve(Task(kernel, X, y, np.broadcast_to(C, y.shape), losses.get(loss), params), **options)


@every_smooth
@every_kernel
def test_gradient_and_hessian_by_differences(loss, params, kernel):
    X, y = overlapping(20)
    C = np.random.default_rng(1).uniform(0.3, 3.0, 20)
    task = Task(kernel, X, y, C, losses.get(loss), params)
    problem = quasi_newton._Problem(quasi_newton._space(kernel, X), task)
    v = np.random.default_rng(2).normal(size=problem.Phi.shape[1] + 1)
    value, gradient = problem(v)
    h, H = 1e-6, problem.hessian(v)
    for k, e in enumerate(np.eye(len(v))):
        (above, rising), (below, falling) = problem(v + h * e), problem(v - h * e)
        assert gradient[k] == pytest.approx((above - below) / (2 * h), abs=2e-8 * abs(value) + 1e-8)
        assert H[k] == pytest.approx((rising - falling) / (2 * h), abs=1e-6 * np.abs(H).max())
    # and P itself is what the primal says: w = Phi'beta has the values K beta
    beta = np.random.default_rng(3).normal(size=20)
    beta -= beta.mean()
    at = problem(problem.unknowns(beta, 0.3))[0]
    assert at == pytest.approx(primal(task, beta, 0.3), rel=1e-9)


def test_starts_are_where_their_names_say():
    X, y = overlapping(60)
    C = np.ones(60)
    problem = quasi_newton._Problem(quasi_newton._space(RBF, X), Task(RBF, X, y, C, losses.sigmoid, {"a": 3.0}))

    def f(name):
        return problem.f(quasi_newton._start(name, problem, 1e-6, 10**6))

    assert np.all(f("zero") == 0.0)
    K = RBF(X)
    hinge = convex.solve(RBF, X, duals.hinge(y, C), tol=1e-6)
    for name, found in (("log", solve("log", {}, RBF, X, y, tol=1e-6)), ("hinge", hinge)):
        assert f(name) == pytest.approx(K @ found.beta + found.intercept, abs=1e-5)
    means = K[:, y > 0].mean(axis=1) - K[:, y < 0].mean(axis=1)
    high, low = means[y > 0].mean(), means[y < 0].mean()
    assert f("means") == pytest.approx((2.0 * means - high - low) / (high - low), abs=1e-9)
    # from there through a quarter and a half of the slope
    v = quasi_newton._start("means", problem, 1e-6, 10**6)
    for a in (0.75, 1.5):
        gentler = quasi_newton._Problem(problem.space, Task(RBF, X, y, C, losses.sigmoid, {"a": a}))
        v = quasi_newton._descend(gentler, v, 1e-6, 10**6)[0]
    assert f("annealed") == pytest.approx(problem.f(v), abs=1e-12)


@pytest.mark.parametrize("weight", [1e-3, 1.0])
def test_class_means_count_by_weight_and_where_they_coincide_give_zero_weights(weight):
    X, y = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([1.0, 1.0, -1.0, -1.0])
    beta, intercept = multistart.class_means(Rows(LINEAR, X), y, np.full(4, weight))
    assert not beta.any() and intercept == 0.0
    X, y = overlapping(30)
    C = np.where(np.arange(30) % 3, 1.0, 2.0)
    beta, intercept = multistart.class_means(Rows(RBF, X), y, weight * C)
    twice = np.repeat(np.arange(30), C.astype(int))
    other, same = multistart.class_means(Rows(RBF, X[twice]), y[twice], np.ones(len(twice)))
    assert RBF(X) @ beta == pytest.approx(RBF(X, X[twice]) @ other, abs=1e-12)
    assert intercept == pytest.approx(same, abs=1e-12)


@every_smooth
def test_the_roads_agree(loss, params, monkeypatch):
    """With and without Newton steps, with and without the Gram matrix."""
    X, y = overlapping(80, twins=[3, 4])
    usual = solve(loss, params, RBF, X, y, 3.0, tol=1e-6)
    assert abs(usual.beta.sum()) <= 1e-12 * np.abs(usual.beta).sum()
    convex_loss = losses.get(loss).convex
    # Newton steps from far away are for convex losses only; without them another path may lead to another valley
    for changes in [{"NEWTON_WORK": 0}, {"DENSE": 0}] + convex_loss * [{"PATIENCE": 3}]:
        with monkeypatch.context() as patch:
            for constant, value in changes.items():
                patch.setattr(quasi_newton, constant, value)
            other = solve(loss, params, RBF, X, y, 3.0, tol=1e-6)
        assert other.status == usual.status, changes
        if convex_loss:
            assert RBF(X) @ other.beta == pytest.approx(RBF(X) @ usual.beta, abs=1e-4)
    assert "0 Newton" in usual.route or "Newton" in usual.route


def test_a_linear_kernel_needs_no_gram_matrix(monkeypatch):
    monkeypatch.setattr(kernels.Kernel, "__call__", None)
    monkeypatch.setattr(kernels.Kernel, "values", None)
    X, y = overlapping(20_000, d=5)
    found = solve("log", {}, LINEAR, X, y, tol=1e-7)
    assert found.status == "converged"
    w = X.T @ found.beta
    t = 1.0 - y * (X @ w + found.intercept)
    assert w == pytest.approx(X.T @ (y * losses.log.slope(t)), abs=1e-6)


def test_more_features_than_points():
    X, y = overlapping(20, d=300)
    found = solve("log", {}, LINEAR, X, y, tol=1e-8)
    t = 1.0 - y * (X @ (X.T @ found.beta) + found.intercept)
    assert found.beta == pytest.approx(y * losses.log.slope(t), abs=1e-7)


def test_a_rank_that_does_not_fit_and_a_tolerance_out_of_reach_are_reported(monkeypatch):
    monkeypatch.setattr(quasi_newton, "DENSE", 0)
    monkeypatch.setattr(quasi_newton, "FACTOR_WORK", 100 * 30.0**2)
    X, y = overlapping(100)
    assert solve("log", {}, Kernel("rbf", gamma=0.01), X, y).status == "converged"  # rank 30 is enough
    found = solve("log", {}, Kernel("rbf", gamma=100.0), X, y)
    assert found.status == Status.LOW_RANK and found.violation > 1e-3
    monkeypatch.undo()
    found = solve("log", {}, RBF, X, y, 1e6, tol=1e-15)
    assert found.status == Status.ROUNDING_OF_F and found.violation < 1e-3


def test_all_points_in_one_class_is_reported():
    """Nine to one and a small C: the infimum of the sigmoid machine is f = infinity everywhere."""
    X, _ = overlapping(40, twins=[3, 4])
    y = np.where(np.arange(40) % 10, 1.0, -1.0)
    found = solve("sigmoid", {"a": 2.0}, RBF, X, y, 0.01)
    assert found.status == Status.TRIVIAL and found.intercept > 1.0 and not found.beta.any()
    assert found.objective == pytest.approx(0.01 * np.sum(y < 0.0), rel=1e-4)
    assert solve("sigmoid", {"a": 2.0}, RBF, X, -y, 0.01).intercept == pytest.approx(-found.intercept)
    assert solve("log", {}, RBF, X, y, 0.01).status == "converged"


def test_the_lowest_is_the_lowest_also_where_it_is_one_class():
    def end(objective, status):
        return Solution(np.zeros(1), 0.0, objective, 0.0, 5, status, "")

    nearly = [end(objective, Status.LOCAL_MINIMUM) for objective in (1e-9, 1e-9 + 5e-7)]  # a tiny C: P is tiny too
    assert [multistart.lowest(nearly, tol).details.n_agreed for tol in (1e-3, 1e-6)] == [2, 1]
    ends = [end(1.0, Status.ONE_CLASS), end(2.0, Status.LOCAL_MINIMUM), end(2.0, "saddle")]
    found = multistart.lowest(ends, 1e-3)
    assert (found.objective, found.status, found.details.n_starts, found.details.n_agreed, found.n_iter) == (
        1.0, Status.TRIVIAL, 3, 1, 15,
    )  # fmt: skip
    found = multistart.lowest([ends[2], ends[1]], 1e-3)
    assert (found.status, found.details.n_agreed) == ("local minimum", 2)
    assert multistart.lowest([end(1.9, "saddle"), ends[1]], 1e-3).status == "saddle"
    below = [end(-1e-12, Status.ROUNDING), end(-2e-12, Status.ROUNDING)]  # of rounding errors alone
    assert multistart.lowest(below, 1e-2).objective == -2e-12
    lost = end(np.nan, Status.LOCAL_MINIMUM)  # a run that overflowed is never the lowest
    found = multistart.lowest([lost, ends[1]])
    assert (found.objective, found.details.n_agreed) == (2.0, 1)
    assert multistart.lowest([lost, lost]).status == Status.OVERFLOW


def test_a_saddle_is_no_minimum_and_leaves_the_place_to_a_minimum_of_the_same_height(monkeypatch):
    X, y = overlapping(60)
    usual = solve("sigmoid", {"a": 1.0}, RBF, X, y)
    judged = iter([False, False])
    monkeypatch.setattr(quasi_newton, "_is_minimum", lambda problem, v: next(judged, True))
    found = solve("sigmoid", {"a": 1.0}, RBF, X, y)
    assert (found.status, usual.status) == (Status.LOCAL_MINIMUM, Status.LOCAL_MINIMUM) and usual.details.n_agreed > 2
    assert found.objective == pytest.approx(usual.objective, rel=1e-5) and found.objective > usual.objective
    assert (found.details.n_starts, found.n_iter) == (usual.details.n_starts, usual.n_iter)
    assert found.details.n_agreed == usual.details.n_agreed
    monkeypatch.undo()
    monkeypatch.setattr(quasi_newton._Problem, "hessian", lambda self, v: -np.eye(len(v)))
    assert solve("sigmoid", {"a": 2.0}, RBF, X, y).status == Status.FLAT


def test_the_wave_machine_is_not_that_of_a_flat_slope():
    drawn = problems.load("leverage_outliers", 2)
    task = Task(Kernel("linear"), drawn.X, drawn.y, 10.0, "wave")
    assert quasi_newton.solve(task).objective < 200.0  # four of the other starts agree on 390.7
