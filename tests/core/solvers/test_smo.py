"""Oracles: certificate (KKT recomputed, primal = dual), the plain solver, closed forms."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from variants import every_variant, gaussian, overlapping, violation

from svmcore import duals
from svmcore.solvers.box_dual import convex, decomposition, pair_updates, smo, smo_plain

X, y = overlapping(60)
K = gaussian(X)


@pytest.mark.parametrize("selection", smo.SELECTIONS)
@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0])
@every_variant
def test_primal_equals_dual(loss, params, C, selection):
    qp = duals.build(loss, y, C, **params)
    state = smo.run(K, qp, tol=1e-6, selection=selection)
    assert state.status == "converged"
    assert violation(K, qp, state.beta) <= 1.01e-6
    f = K @ state.beta + smo.intercept(qp, state)
    primal = duals.primal_objective(loss, f, y, C, state.beta @ K @ state.beta, **params)
    # each coefficient may be off by the tolerance times its box: C N tol in the sum
    assert primal == pytest.approx(-state.objective, rel=1e-7, abs=2e-6 * C * len(y))
    assert state.objective == pytest.approx(-duals.dual_objective(qp, K @ state.beta, state.beta), rel=1e-9)
    assert abs(state.beta.sum()) <= 1e-12 * max(1.0, np.abs(state.beta).sum())


def generic(loss, params):
    """(K, qp) without equal numbers: the plain solver chooses the first of equals, the fast one the last."""
    K = gaussian(X + np.random.default_rng(1).normal(scale=0.01, size=X.shape))
    qp = duals.build(loss, y, 1.0 + 0.01 * np.arange(len(y)), **params)
    return K, qp._replace(linear=qp.linear + 1e-3 * np.random.default_rng(2).normal(size=len(y)))


@pytest.mark.parametrize("second_order", [False, True])
@every_variant
def test_steps_are_those_of_the_plain_solver(loss, params, second_order):
    K, qp = generic(loss, params)
    record = smo.room_for(40)
    selection = "second" if second_order else "first"
    state = smo.advance(K, qp, smo.start(K, qp), 40, tol=1e-3, selection=selection, record=record)
    beta, path = smo_plain.minimise(K, qp, tol=1e-3, max_iter=40, second_order=second_order)
    n = state.n_iter
    assert n == len(path)
    i, j, wanted, step, *_ = record[:n].T
    assert list(zip(i, j, strict=True)) == [(i, j) for i, j, *_ in path]
    assert wanted == pytest.approx([wanted for *_, wanted, _ in path]) and step == pytest.approx([s for *_, s in path])
    assert state.beta == pytest.approx(beta, abs=1e-12)
    beta, _ = smo_plain.minimise(K, qp, tol=1e-3, max_iter=10_000, second_order=second_order)
    assert violation(K, qp, beta) <= 1e-3


@pytest.mark.parametrize("seed", [268, 99])  # where beta + (upper - beta), or - lower, misses the bound
def test_the_plain_solver_stops_exactly_on_the_bounds(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(9, 4))
    qp = duals.BoxQP(-rng.random(9), rng.random(9), np.zeros(9), rng.normal(size=9))
    beta, _ = smo_plain.minimise(A @ A.T, qp, tol=1e-6, max_iter=2000)
    near = np.minimum(np.abs(beta - qp.lower), np.abs(beta - qp.upper)) < 1e-9
    assert near.any() and np.all((beta[near] == qp.lower[near]) | (beta[near] == qp.upper[near]))


def test_conjugate_steps_choose_the_partner_that_gains_most_with_the_last_direction():
    apart = X + np.random.default_rng(1).normal(scale=0.01, size=X.shape)  # ties would be a matter of taste
    K, qp = gaussian(apart, 0.3), duals.least_absolute(y, 100.0)
    state, differs = smo.advance(K, qp, smo.start(K, qp), 100), 0
    for _ in range(100):
        F, image, record = state.F, smo.Work(*state.work).image, smo.room_for(1)
        i = np.argmax(np.where(state.beta < qp.upper, F, -np.inf))
        excess = np.where(state.beta > qp.lower, np.maximum(F[i] - F, 0.0), 0.0)
        plain = K[i, i] + K.diagonal() - 2.0 * K[i]
        explained = (image[i] - image) ** 2 / state.curvature if state.curvature > 0.0 else 0.0
        gain = excess**2 / np.maximum(plain - explained, 1e-12)
        differs += np.argmax(gain) != np.argmax(excess**2 / np.maximum(plain, 1e-12))
        state = smo.advance(K, qp, state, 1, tol=1e-9, record=record)
        chosen = record[0, :2].astype(int)
        assert chosen[0] == i and gain[chosen[1]] == pytest.approx(gain.max(), rel=1e-6)
    assert differs > 10


boxes = st.tuples(
    st.integers(0, 10_000), st.integers(2, 9), st.sampled_from([0.0, 0.1]), st.sampled_from(smo.SELECTIONS)
)


@settings(max_examples=60, deadline=None)
@given(boxes)
@example((0, 5, 0.0, "conjugate"))
def test_any_box_ends_at_the_conditions_and_inside(box):
    seed, n, ridge, selection = box
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, max(1, n // 2)))  # singular without the ridge
    qp = duals.BoxQP(-rng.random(n), rng.random(n), np.full(n, ridge), rng.normal(size=n))
    state = smo.run(A @ A.T, qp, tol=1e-6, selection=selection)
    assert state.is_done
    assert np.all(state.beta >= qp.lower) and np.all(state.beta <= qp.upper)
    assert abs(state.beta.sum()) < 1e-12
    if np.any(state.beta < qp.upper) and np.any(state.beta > qp.lower):
        assert violation(A @ A.T, qp, state.beta) <= 1.01e-6


@pytest.mark.parametrize("gamma", [1.0, 30.0, 1e3, 1e6])
def test_conjugate_steps_survive_nearly_orthogonal_points(gamma):
    """Between far points of a narrow kernel the multiple of the last direction can be as small as 1e-300."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(200, 2)), np.where(np.arange(200) % 2, 1.0, -1.0)
    K = gaussian(X, gamma)
    for loss in ("hinge", "least_absolute", "squared_hinge"):
        qp = duals.build(loss, y, 1000.0)
        state = smo.run(K, qp, selection="conjugate")
        assert state.is_done and violation(K, qp, state.beta) <= 1.01e-3


def test_intercept_without_free_points_is_the_middle_of_what_the_conditions_leave():
    qp = duals.hinge(np.array([1.0, -1.0]), 1e-3)
    state = smo.run(np.eye(2), qp)
    assert state.beta.tolist() == [1e-3, -1e-3]
    assert smo.intercept(qp, state) == pytest.approx(0.0)
    assert state.violation == 0.0
    for low, high, end in ((-1.0, 0.0, -0.3), (0.0, 1.0, 0.2)):  # all sit at one side: the one end there is
        qp = duals.BoxQP(np.full(3, low), np.full(3, high), np.zeros(3), np.array([0.3, -0.2, 0.1]))
        state = smo.run(np.eye(3), qp)
        assert state.is_done and not state.beta.any() and smo.intercept(qp, state) == pytest.approx(end)
        beta, path = smo_plain.minimise(np.eye(3), qp)
        assert path == [] and not beta.any()


@pytest.mark.parametrize("selection", smo.SELECTIONS)
def test_a_run_away_is_unbounded_and_finite(selection):
    """First order selection needs not meet a pair without curvature before everything overflows."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(160) % 2, 1.0, -1.0)
    X = rng.normal(size=(160, 2)) + 0.7 * y[:, None]
    state = smo.run(np.tanh(2.0 * X @ X.T - 1.0), duals.least_squares(y, 5.0), max_iter=20_000, selection=selection)
    assert state.code == smo.UNBOUNDED and np.all(np.isfinite(state.beta))


def test_an_infeasible_start_and_more_coefficients_than_an_index_has_bits_for_are_refused():
    qp = duals.hinge(y, 1.0)
    with pytest.raises(ValueError, match="leaves the box"):
        smo.start(K, qp, beta=np.full(len(y), 2.0))
    with pytest.raises(ValueError, match="sum to zero"):
        smo.start(K, qp, beta=np.where(y > 0, 0.5, 0.0))
    with pytest.raises(ValueError, match="first, second, conjugate"):
        smo.run(K, qp, selection="third")
    none = np.broadcast_to(0.0, (70_000, 70_000))  # a Gram matrix without memory
    with pytest.raises(ValueError, match="fewer than 65536 coefficients, got 65536; use decomposition.solve"):
        smo.start(none, duals.BoxQP(*np.zeros((4, 65_536))))
    assert smo.start(none, duals.BoxQP(*np.zeros((4, 65_535)))).work.shape == (6, 65_535)
    assert max(convex.SMALL, convex.DENSE, decomposition.LARGEST_SET) <= smo.INDEX_BITS


def test_what_a_run_is_given_stays_as_it_was_and_its_guess_of_rounding_is_neither_nothing_nor_everything():
    qp = duals.hinge(y, 1.0)
    half = smo.advance(K, qp, smo.start(K, qp), 20)
    beta, F = half.beta.copy(), half.F.copy()
    again = smo.start(K, qp, beta)
    assert again.F == pytest.approx(F, abs=1e-12) and again.objective == pytest.approx(half.objective)
    assert smo.advance(K, qp, smo.start(K, qp, beta, F), 100).n_iter > 20
    assert np.array_equal(beta, half.beta) and np.array_equal(F, half.F)
    qp = duals.hinge(y, 1e6)
    state = smo.advance(K, qp, smo.start(K, qp), 5000, tol=1e-9)
    drift = np.abs(state.F - smo.residual(K, qp, state.beta)).max()
    assert 0.0 < drift <= smo._drift(state) <= 1e4 * drift


@every_variant
def test_where_rounding_may_matter_the_answer_has_a_fresh_F(monkeypatch, loss, params):
    monkeypatch.setattr(smo, "_drift", lambda state: 1.0)
    qp = duals.build(loss, y, 10.0, **params)
    state = smo.run(K, qp, tol=1e-6)
    assert state.is_done and violation(K, qp, state.beta) <= 1e-6
    assert np.array_equal(state.F, smo.residual(K, qp, state.beta))


def test_a_refreshed_run_starts_a_new_direction():
    """After 200 conjugate steps F is made wrong, then fresh: what was known of the last direction is of no use."""
    K, qp = gaussian(X, 0.3), duals.least_squares(y, 50.0)
    state = smo.advance(K, qp, smo.start(K, qp), 200, tol=1e-9)
    assert state.curvature > 0.0
    objective, F = state.objective, state.F.copy()
    state.F[:] += 1.0
    again = smo.refresh(K, qp, state._replace(objective=0.0))
    assert again.F == pytest.approx(F, abs=1e-9) and again.objective == pytest.approx(objective)
    assert again.curvature == 0.0 and not again.is_done and again.n_iter == 200


@pytest.mark.parametrize("value", [-1e40, np.nan])
def test_an_overflow_chooses_no_coefficient_that_is_not_there(value):
    """Kernel values of 1e45 led to an index beyond the arrays, and the process died."""
    F, zero = np.full(7, value), np.zeros(7)
    assert 0 <= smo.pair_updates._update_and_pick(zero, zero, 0.0, F, zero) < 7
    assert 0 <= smo.pair_updates._update_and_pick_conjugate(zero, zero, 0.0, 0.0, zero.copy(), F, zero) < 7


def test_a_run_that_rounding_moves_in_every_step_ends(monkeypatch):
    """With kernel values of 1e18 every step moved F by more than the tolerance: a million refreshes, half a minute."""
    refreshed, refresh = [], smo.refresh
    monkeypatch.setattr(smo, "refresh", lambda *args: refreshed.append(1) or refresh(*args))
    smo.run(1e18 * X @ X.T, duals.hinge(y, 100.0), max_iter=5000)
    assert len(refreshed) <= smo.REFRESHES


def test_a_member_of_the_direction_whose_share_is_zero_moves_once():
    """A share can become zero, by cancelling or by underflow, and the point can be chosen again."""
    direction, members, beta, free = np.array([1.0, -1.0, 0.0, 0.0]), np.arange(4.0), np.zeros(4), np.full(4, 9.0)
    work = pair_updates.Work(direction, np.zeros(4), np.zeros(4), np.zeros(4), np.zeros(4), members)
    qp = duals.BoxQP(-free, free, np.zeros(4), np.zeros(4))
    assert tuple(pair_updates._direction_step(2, 3, 0.5, 2.0, qp, beta, work, 3)) == (2.0, 4)
    assert direction.tolist() == [0.5, -0.5, 1.0, -1.0] and beta.tolist() == [1.0, -1.0, 2.0, -2.0]
    assert sorted(members) == [0.0, 1.0, 2.0, 3.0]
