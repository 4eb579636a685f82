"""Oracles: certificate (violation recomputed), closed form, the interior-point optimum, "never worse"."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_interior_point import objective, rounding
from variants import VARIANTS, each_loss, every_variant, gaussian, overlapping, violation

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.kernels.rows import Rows
from svmcore.solvers.box_dual import active_set, active_set_steps, interior_point, linear_system, smo
from svmcore.status import Status


def optimum(K, qp):
    return interior_point.crossover(interior_point.solve_gram(K, qp, tol=1e-9), qp)


@every_variant
@pytest.mark.parametrize("C", [1e-6, 1.0, 100.0])
@pytest.mark.parametrize("n", [60, 250])
def test_from_pair_updates_to_the_last_digits(loss, params, C, n):
    X, y = overlapping(n)
    K, qp = gaussian(X), duals.build(loss, y, C, **params)
    state = smo.solve(K, qp, tol=1e-3)
    polished = active_set.newton(K, qp, state.beta)
    assert polished.status == "converged" and polished.rounds <= 15
    assert violation(K, qp, polished.beta) <= 1e-10
    assert polished.violation <= 1e-9
    np.testing.assert_allclose(polished.F, -qp.linear - K @ polished.beta - qp.ridge * polished.beta, atol=1e-10)
    assert objective(K, qp, polished.beta) <= objective(K, qp, state.beta) + 1e-12


def test_least_squares_takes_one_round():
    X, y = overlapping(80)
    K, qp = gaussian(X), duals.build("least_squares", y, 10.0)
    polished = active_set.newton(K, qp, np.zeros(80))
    assert (polished.rounds, polished.status) == (1, "converged")
    np.testing.assert_allclose(polished.beta, linear_system.direct(K, qp).beta, atol=1e-11)


@every_variant
def test_repairs_wrong_bounds(loss, params):
    """The optimum with ten coefficients moved to a wrong place, half of them onto a bound."""
    X, y = overlapping(120)
    K, qp = gaussian(X), duals.build(loss, y, 2.0, **params)
    best = optimum(K, qp)
    rng = np.random.default_rng(4)
    beta = best.copy()
    for i, j in rng.permutation(120)[:20].reshape(10, 2):
        room = min(min(qp.upper[i], 3.0) - beta[i], beta[j] - max(qp.lower[j], -3.0))
        beta[i] += max(room, 0.0)
        beta[j] -= max(room, 0.0)
    beta = np.clip(beta, qp.lower, qp.upper)
    polished = active_set.newton(K, qp, beta)
    assert polished.status == "converged"
    np.testing.assert_allclose(K @ polished.beta, K @ best, atol=1e-8)


@each_loss([VARIANTS[i] for i in (0, 3, 4)])
def test_arrives_from_zero_too(loss, params):
    """Far from the optimum, where the guesses are wrong; equal points make directions along which nothing changes."""
    for seed in range(330, 345):
        X, y = overlapping(30 + seed % 40, seed)
        X -= X.mean(axis=0)
        K, qp = X @ X.T, duals.build(loss, y, 1.0, **params)
        polished = active_set.newton(K, qp, np.zeros(len(y)), max_rounds=300)
        assert polished.status == "converged" and violation(K, qp, polished.beta) <= 1e-9


def test_a_matrix_of_zeros_is_a_linear_programme_and_one_that_is_not_positive_semidefinite_is_left():
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    qp = duals.build("hinge", y, 1.0)
    polished = active_set.newton(np.zeros((5, 5)), qp, np.zeros(5))
    assert polished.status == "converged"
    np.testing.assert_allclose(polished.beta[3:], -1.0)
    assert polished.beta.sum() == pytest.approx(0.0, abs=1e-12)
    X, y = overlapping(60)
    K, qp, start = Kernel("sigmoid", 1.0, coef0=-1.0)(X), duals.build("hinge", y, 1.0), 0.5 * y
    polished = active_set.newton(K, qp, start)
    assert polished.status == Status.NOT_POSITIVE
    np.testing.assert_array_equal(polished.beta, start)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(2, 25), st.sampled_from(VARIANTS), st.floats(-6, 6), st.integers(1, 5))
def test_never_worse_never_outside(seed, n, variant, log_C, rank):
    """From anywhere, for singular matrices too."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    qp = duals.build(variant[0], y, 10.0**log_C, **variant[1])
    factor = rng.normal(size=(n, rank))
    K = factor @ factor.T
    start = smo.solve(K, qp, tol=1e-12, max_iter=int(rng.integers(0, 3 * n)), selection="second").beta
    polished = active_set.newton(K, qp, start)
    before = violation(K, qp, start)
    assert violation(K, qp, polished.beta) <= before + rounding(K, polished.beta)
    slack = 1e-12 * (np.abs(qp.linear * start).sum() + np.abs(start) @ np.abs(K) @ np.abs(start))
    assert objective(K, qp, polished.beta) <= objective(K, qp, start) + 100 * slack
    if polished.status == "converged":
        assert violation(K, qp, polished.beta) <= 1e-9 + rounding(K, polished.beta)


@pytest.mark.parametrize("kernel", [Kernel("rbf", 1.0), Kernel("linear"), Kernel("poly", 0.5, 2, 1.0)])
def test_rows_on_demand_give_the_same(kernel):
    X, y = overlapping(90)
    qp = duals.build("hinge", y, 1.0)
    K = kernel(X)
    start = smo.solve(K, qp, tol=1e-2).beta
    whole, rows = active_set.newton(K, qp, start), active_set.newton(Rows(kernel, X), qp, start)
    np.testing.assert_allclose(rows.beta, whole.beta, atol=1e-8)
    assert rows.status == whole.status == "converged"
    from_zero = active_set.newton(Rows(kernel, X), qp, np.zeros(90), max_rounds=500)
    assert from_zero.status == "converged"
    np.testing.assert_allclose(K @ from_zero.beta, K @ whole.beta, atol=1e-8)


def test_says_so_when_it_does_not_arrive_and_keeps_the_best_point():
    X, y = overlapping(120)
    K, qp = gaussian(X), duals.build("least_absolute", y, 100.0)
    start = smo.solve(K, qp, tol=1e-12, max_iter=100).beta
    cut = active_set.newton(K, qp, start, max_rounds=2)
    assert (cut.rounds, cut.status) == (2, Status.ROUND_LIMIT)
    assert cut.violation <= violation(K, qp, start)
    poor = active_set.newton(K, qp, start, max_work=1000)
    assert poor.status == Status.WORK_LIMIT
    np.testing.assert_array_equal(poor.beta, start)
    stalled = active_set.newton(K, qp, optimum(K, qp), tol=0.0)
    assert stalled.status == Status.NO_PROGRESS and stalled.violation <= rounding(K, stalled.beta)
    assert stalled.rounds <= 20
    # of all rounds the best point is kept, and its sum repaired
    start = smo.solve(K, qp, tol=1e-12, max_iter=300).beta
    for rounds in range(1, 12):
        polished = active_set.newton(K, qp, start, max_rounds=rounds)
        assert violation(K, qp, polished.beta) == pytest.approx(polished.violation, abs=1e-9)
        assert polished.violation <= violation(K, qp, start)
    free = (start > qp.lower) & (start < qp.upper)
    leaning = start + 1e-9 * free
    assert abs(active_set.newton(K, qp, leaning).beta.sum()) < 1e-11


def naive_working_set(guess, F, beta, qp, tol):
    """The same set from whole vectors, as the module describes it."""
    can_rise, can_fall = beta < qp.upper, beta > qp.lower
    free = can_rise & can_fall
    pair = [np.argmax(np.where(can_rise, F, -np.inf)), np.argmin(np.where(can_fall, F, np.inf))]
    if guess == active_set_steps.PAIR:
        return np.unique(pair)
    if guess == active_set_steps.CAREFUL:
        return np.union1d(np.flatnonzero(free), pair)
    level = F[free].mean() if free.any() else 0.5 * (F[can_rise].max() + F[can_fall].min())
    spread = np.ptp(F[free]) if free.any() else 0.0
    excess = np.maximum(np.where(can_rise, F - level, 0.0), np.where(can_fall, level - F, 0.0))
    entering = np.flatnonzero(excess > max(0.5 * tol, spread))
    worst_first = entering[np.argsort(-excess[entering], kind="stable")]
    return np.union1d(np.flatnonzero(free), worst_first[: max(active_set_steps.FEW, free.sum())])


@pytest.mark.parametrize("n, at_bounds", [(12, 0.0), (40, 0.5), (200, 0.9), (200, 1.0)])
def test_a_working_set_is_that_of_its_naive_twin(n, at_bounds):
    rng = np.random.default_rng(n)
    X, y = overlapping(n)
    K, qp = gaussian(X), duals.hinge(y, 2.0)
    beta = np.where(rng.random(n) < at_bounds, np.where(rng.random(n) < 0.5, qp.lower, qp.upper), y * rng.random(n))
    F = -qp.linear - K @ beta
    ends = F[beta < qp.upper].max(), F[beta > qp.lower].min()
    for guess in active_set.GUESSES:
        W = active_set_steps.working_set(guess, F, beta, qp.lower, qp.upper, *ends, 1e-9)
        np.testing.assert_array_equal(W, naive_working_set(guess, F, beta, qp, 1e-9))
