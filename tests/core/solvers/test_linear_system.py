"""The LS-SVM system: the bordered system by numpy, CG beside the factorisation, and how runs end."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variants import bordered, gaussian, violation

from svmcore import duals
from svmcore.solvers.box_dual import linear_system


def clouds(n=40, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    return rng.normal(size=(n, 2)) + 0.6 * y[:, None], y


SOLVERS = {
    "direct": lambda K, qp: linear_system.direct(K, qp),
    "overwrite": lambda K, qp: linear_system.direct(K.copy(), qp, overwrite=True),
    "cg": lambda K, qp: linear_system.solve(K, qp, tol=1e-11),
}
every_solver = pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS.keys())


@every_solver
@pytest.mark.parametrize("C", [1e-3, 1.0, 50.0, np.linspace(0.2, 20.0, 40)], ids=str)
def test_against_the_bordered_system(solve, C):
    X, y = clouds()
    K, qp = gaussian(X), duals.least_squares(y, C)
    found = solve(K, qp)
    beta, intercept = bordered(K + np.diag(qp.ridge), -qp.linear)
    assert found.beta == pytest.approx(beta, rel=1e-8, abs=1e-10)
    assert found.intercept == pytest.approx(intercept, rel=1e-8)
    assert found.status == "converged"
    assert found.violation == pytest.approx(violation(K, qp, found.beta), abs=1e-12)
    assert found.objective == pytest.approx(-duals.dual_objective(qp, K @ found.beta, found.beta), rel=1e-10)


@every_solver
def test_one_class_and_one_sample_are_a_constant(solve):
    for y in (np.ones(5), np.array([-1.0])):
        K = gaussian(np.arange(len(y), dtype=float)[:, None])
        found = solve(K, duals.least_squares(y, 2.0))
        assert found.beta == pytest.approx(np.zeros(len(y)), abs=1e-14)
        assert found.intercept == pytest.approx(y[0])
        assert found.violation < 1e-14


def test_direct_leaves_the_matrix_alone_unless_told_and_then_works_in_place_for_both_memory_orders():
    X, y = clouds()
    K = gaussian(X)
    qp = duals.least_squares(y, 1.0)
    kept = K.copy()
    reference = linear_system.direct(K, qp)
    assert np.array_equal(K, kept)
    K.flags.writeable = False
    assert np.array_equal(linear_system.direct(K, qp, overwrite=True).beta, reference.beta)
    assert np.array_equal(K, kept)
    for order in "CF":
        K = np.array(gaussian(X), order=order)
        assert np.array_equal(linear_system.direct(K, qp, overwrite=True).beta, reference.beta)
        assert not np.array_equal(K, gaussian(X))
    wide = np.zeros((80, 40))
    wide[::2] = gaussian(X)
    for K in (gaussian(X).astype(np.float32), wide[::2], gaussian(X).tolist()):
        assert linear_system.direct(K, qp, overwrite=True).beta == pytest.approx(reference.beta, rel=1e-4, abs=1e-5)


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_inertia_decides_between_minimum_and_saddle_point(seed):
    """Random symmetric matrices: the status is the sign of the smallest eigenvalue on the plane."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    K = rng.normal(size=(n, n))
    K = 0.5 * (K + K.T) + rng.uniform(-1.0, 3.0) * np.eye(n)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    qp = duals.least_squares(y, 2.0)
    plane = np.linalg.svd(np.ones((1, n)))[2][1:]
    smallest = np.linalg.eigvalsh(plane @ (K + np.diag(qp.ridge)) @ plane.T)[0]
    found = linear_system.direct(K.copy(), qp, overwrite=bool(seed % 2))
    if abs(smallest) > 1e-6:
        assert found.status.split(":")[0] == ("converged" if smallest > 0.0 else "stationary point")
        beta, intercept = bordered(K + np.diag(qp.ridge), -qp.linear)
        assert np.append(found.beta, found.intercept) == pytest.approx(np.append(beta, intercept), rel=1e-6, abs=1e-6)


def test_singular_system_is_reported(capfd):
    y = np.array([1.0, -1.0, 1.0, 1.0])
    no_ridge = duals.least_squares(y, 1.0)._replace(ridge=np.zeros(4))
    for K in (np.ones((4, 4)), np.zeros((4, 4))):
        found = linear_system.direct(K, no_ridge)
        assert found.status.startswith("singular: ") and found.status.endswith("choose a smaller C")
        assert np.all(found.beta == 0.0) and found.intercept == pytest.approx(0.5)
        assert found.violation == pytest.approx(2.0)
    assert capfd.readouterr() == ("", "")


def test_huge_C_ends_with_an_honest_status(capfd):
    """A linear kernel has rank two: beyond C = 1e12 nothing in double precision solves the system."""
    X, y = clouds(n=100, seed=7)
    K = X @ X.T
    words = []
    for C in (1e6, 1e12, 1e15, 1e18):
        qp = duals.least_squares(y, C)
        for found in (linear_system.direct(K, qp), linear_system.solve(K, qp)):
            assert np.all(np.isfinite(found.beta))
            solved = np.ptp(-qp.linear - K @ found.beta - qp.ridge * found.beta) <= 2e-3  # whatever the sum
            assert found.violation <= 2.0 or found.n_iter > 1  # the factorisation never returns worse than zero
            assert solved == (found.status == "converged")
            words.append(found.status.split(":")[0])
    assert words[:2] == ["converged", "converged"]
    assert "converged" not in words[2:]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", [(3, 3), (1, 7), (slice(None), slice(None))], ids=["diagonal", "pair", "all"])
def test_overflow_is_reported(bad, where, capfd):
    X, y = clouds(n=10)
    K = gaussian(X)
    K[where] = bad
    K.T[where] = bad
    qp = duals.least_squares(y, 1.0)
    for found in (linear_system.direct(K, qp), linear_system.direct(K.copy(), qp, overwrite=True)):
        assert found.status.startswith("overflow: the kernel matrix is not finite")
        assert found.violation == np.inf and np.all(found.beta == 0.0)
    found = linear_system.solve(K, qp)
    assert found.status.startswith("overflow: the kernel matrix is not finite")
    assert np.all(np.isfinite(found.beta))
    assert capfd.readouterr() == ("", "")


def cg(K, qp, tol):
    return linear_system.advance(K, qp, linear_system.start(K, qp), 100_000, tol=tol)


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


def test_cg_continues_to_a_tighter_tolerance_and_keeps_old_states():
    X, y = clouds(n=90, seed=10)
    K, qp = gaussian(X), duals.least_squares(y, 10.0)
    loose = cg(K, qp, 1e-2)
    before = loose.beta.copy()
    tight = linear_system.advance(K, qp, loose, 1000, tol=1e-8)
    assert loose.is_done and tight.is_done and tight.n_iter > loose.n_iter
    assert np.array_equal(loose.beta, before)
    assert_same(tight, cg(K, qp, 1e-8))


def test_cg_objective_never_rises_and_every_iterate_is_feasible():
    X, y = clouds(n=90, seed=11)
    K, qp = gaussian(X), duals.least_squares(y, 100.0)
    state = linear_system.start(K, qp)
    objectives = [state.objective]
    while not state.is_done:
        state = linear_system.advance(K, qp, state, 1, tol=1e-6)
        objectives.append(state.objective)
        assert state.objective == pytest.approx(-duals.dual_objective(qp, K @ state.beta, state.beta), rel=1e-9)
        assert state.violation == pytest.approx(violation(K, qp, state.beta), rel=0.1, abs=1e-9)
        assert abs(state.beta.sum()) < 1e-10
        assert state.intercept == pytest.approx(np.mean(y - K @ state.beta - state.beta / 100.0), abs=1e-9)
    assert objectives[0] == 0.0 and np.all(np.diff(objectives) <= 1e-9)


def test_cg_tolerance_below_rounding_ends_with_an_honest_status_and_few_eigenvalues_take_few_steps():
    X, y = clouds(n=60, seed=14)
    K, qp = gaussian(X), duals.least_squares(y, 1e5)
    found = linear_system.solve(K, qp, tol=1e-15, max_iter=100_000)
    assert found.status.startswith("inaccurate: ") and found.n_iter < 20_000
    # the reported number is the true one, not the one that the updates claim
    assert found.violation == pytest.approx(violation(K, qp, found.beta), rel=0.5)
    assert found.violation < 1e-6
    # a kernel matrix of rank two plus the ridge has three eigenvalues: as many steps are exact
    found = linear_system.solve(X @ X.T, duals.least_squares(y, 1.0), tol=1e-10)
    assert found.n_iter == 3 and found.status == "converged"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda K, y, qp: linear_system.direct(K, duals.hinge(y, 1.0)), "has no bounds: use duals.least_squares"),
        (lambda K, y, qp: linear_system.start(K, duals.squared_hinge(y, 1.0)), "has no bounds"),
        (lambda K, y, qp: linear_system.direct(K[:3], qp), r"K must have shape \(40, 40\).*\(3, 40\)"),
        (lambda K, y, qp: linear_system.start(K[:3], qp), r"K must have shape \(40, 40\)"),
    ],
)
def test_wrong_input_is_a_sentence(call, message):
    X, y = clouds()
    with pytest.raises(ValueError, match=message):
        call(gaussian(X), y, duals.least_squares(y, 1.0))
