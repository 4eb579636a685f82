"""Working sets. Oracles: `smo` on the whole matrix, and everything the state claims recomputed from the dense matrix.

The sets are made so small that many rounds happen; `Watched` keeps the indices of each.
"""

import numpy as np
import pytest
from calls import recorded
from variants import gaussian, laplace, overlapping, uneven, violation

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.kernels.rows import Rows
from svmcore.solvers.box_dual import convex, decomposition, pair_updates, smo, warm

every_loss = pytest.mark.parametrize("loss", list(duals.DUALS))
N = 160
X, y = overlapping(N)
K = gaussian(X)
RBF = Kernel("rbf", gamma=1.0)


class Watched:
    """A dense matrix asked as `Rows` is."""

    def __init__(self, K):
        self.K, self.diagonal, self.sets, self.dots = K, K.diagonal(), [], []

    def block(self, idx):
        self.sets.append(idx)
        return np.ascontiguousarray(self.K[np.ix_(idx, idx)])

    def dot(self, idx, c):
        self.dots.append(len(idx))
        return self.K[:, idx] @ c


@pytest.fixture
def small_sets(monkeypatch):
    monkeypatch.setattr(decomposition, "SMALLEST_SET", 8)
    monkeypatch.setattr(decomposition, "LARGEST_SET", 48)


def check(K, qp, state, digits=1e-9):
    """All that a state claims, from beta alone; the violation."""
    beta, scale = state.beta, max(1.0, np.abs(state.beta).sum())
    F = -qp.linear - K @ beta - qp.ridge * beta
    assert warm.Start(beta, state.details.image).F(qp) == pytest.approx(F, abs=digits * scale)
    near = np.minimum(beta - qp.lower, qp.upper - beta) < 1e-12
    assert np.all((beta == qp.lower) | (beta == qp.upper) | ~near)
    assert state.objective == pytest.approx(-duals.dual_objective(qp, K @ beta, beta), rel=1e-9, abs=1e-12)
    apart = violation(K, qp, beta)
    assert state.violation == pytest.approx(max(apart, 0.0), abs=2.0 * digits * scale)
    return apart


@every_loss
def test_small_sets_end_where_the_whole_matrix_does(small_sets, loss):
    qp = uneven(loss, y)
    rows = Watched(K)
    state = decomposition.solve(rows, qp, tol=1e-8)
    whole = smo.run(K, qp, tol=1e-8)
    assert state.status == whole.status == "converged"
    assert check(K, qp, state) <= 1.01e-8
    assert len(rows.sets) >= 10 and state.n_iter > 0 and max(map(len, rows.sets)) <= 48
    assert state.objective == pytest.approx(whole.objective, rel=1e-10)
    ours, theirs = (K @ state.beta + state.intercept, K @ whole.beta + smo.intercept(qp, whole))
    assert ours == pytest.approx(theirs, abs=1e-6)


def test_many_points_get_larger_sets_but_not_too_large_and_free_coefficients_leave_room_for_violators():
    """An eighth of the points, until that is too many: the Gram matrix of a set has to fit."""
    F = np.random.default_rng(0).normal(size=100_000)
    for n, most in (1000, 256), (16_000, 2000), (100_000, 5000):
        even, f = np.arange(n) % 2 == 0, F[:n]
        rise, fall = np.where(even, f, -pair_updates.FORBIDDEN), np.where(even, pair_updates.FORBIDDEN, f)
        assert len(decomposition._working_set(rise, fall, rise.max(), fall.min())) == most
    F = np.abs(F[:1000]) + 0.1
    kind = np.arange(1000) % 10  # 400 free and level, 300 that should rise, 300 that should fall
    rise = np.where(kind < 4, 0.0, np.where(kind < 7, F, -pair_updates.FORBIDDEN))
    fall = np.where(kind < 4, 0.0, np.where(kind < 7, pair_updates.FORBIDDEN, -F))
    chosen = decomposition._working_set(rise, fall, rise.max(), fall.min())
    assert len(chosen) == 400 + 256 + 2 * (400 // 8)


def test_a_set_that_cannot_move_ends_the_run(monkeypatch):
    monkeypatch.setattr(smo, "advance", lambda block, part, start, *limits, **options: start)
    rows = Watched(K)
    state = decomposition.solve(rows, duals.hinge(y, 1.0))
    assert len(rows.sets) == 1 and state.status == "iteration limit" and state.violation == 2.0


def test_the_set_holds_the_worst_pair_and_what_is_free(small_sets):
    rng = np.random.default_rng(1)
    for _ in range(200):
        F, kind = rng.normal(size=60), rng.choice(3, size=60, p=[0.1, 0.45, 0.45])
        rise, fall = np.where(kind < 2, F, -pair_updates.FORBIDDEN), np.where(kind != 1, F, pair_updates.FORBIDDEN)
        top, bottom = rise.max(), fall.min()
        chosen = decomposition._working_set(rise, fall, top, bottom)
        assert np.argmax(rise) in chosen and np.argmin(fall) in chosen
        assert set(np.flatnonzero(kind == 0)) <= set(chosen)
        bound = chosen[kind[chosen] > 0]
        assert np.all(np.where(kind[bound] == 1, F[bound] > bottom, F[bound] < top))
        rising, falling = bound[kind[bound] == 1], bound[kind[bound] == 2]
        # of those at a bound none is left out that violates more than one that is in
        assert len(rising) == 0 or np.sum((kind == 1) & (F > F[rising].min())) == len(rising) - 1
        assert len(falling) == 0 or np.sum((kind == 2) & (F < F[falling].max())) == len(falling) - 1


@every_loss
def test_the_limit_is_kept_and_told(small_sets, loss):
    qp = uneven(loss, y)
    for limit in (1, 37, 150):
        rows = Watched(K)
        state = decomposition.solve(rows, qp, tol=1e-8, max_iter=limit)
        assert (state.n_iter, state.status) == (limit, "iteration limit")
        assert check(K, qp, state) == pytest.approx(state.violation, rel=1e-6)
        assert state.violation > 1e-8
    assert len(rows.sets) > 1  # the limit is one for all rounds, not one for each


def test_nothing_to_do_is_done_and_only_rows_that_moved_are_computed(small_sets):
    rows = Watched(K)
    state = decomposition.solve(rows, duals.hinge(y, 1.0), tol=2.0)
    assert (state.status, state.n_iter, state.objective) == ("converged", 0, 0.0)
    assert state.violation == 2.0 and not state.beta.any()
    assert not rows.sets and not rows.dots
    decomposition.solve(rows, duals.hinge(y, 0.1), tol=1e-3)
    assert sum(rows.dots) < sum(map(len, rows.sets))


def test_sets_are_solved_no_further_than_they_deserve(monkeypatch):
    """With one set of all points: a tenth of the violation at its start, and never below half of tol."""
    qp = duals.hinge(y, 5.0)
    goals = recorded(monkeypatch, smo, "advance", lambda *arguments, tol, **options: tol)
    assert decomposition.solve(Watched(K), qp, tol=0.01).status == "converged"
    assert goals[0] == pytest.approx(0.2) and goals[-1] == pytest.approx(0.005) and min(goals) >= 0.005


@every_loss
def test_where_rounding_may_matter_the_answer_has_a_fresh_F(small_sets, monkeypatch, loss):
    monkeypatch.setattr(smo, "drift", lambda beta, diagonal, n_iter: 1.0)
    rows, qp = Watched(K), uneven(loss, y)
    state = decomposition.solve(rows, qp, tol=1e-6)
    assert state.status == "converged"
    F = decomposition.residual(rows, qp, state.beta)
    assert np.array_equal(state.details.image, duals.gap_and_image(qp, state.beta, F, 0.0)[1])


@every_loss
def test_an_indefinite_kernel_ends(small_sets, loss):
    K, qp = np.tanh(2.0 * X @ X.T - 1.0), uneven(loss, y)
    state = decomposition.solve(Watched(K), qp, max_iter=5_000)
    apart = check(K, qp, state, digits=1e-8)
    assert state.n_iter <= 5_000 and state.status in smo.STATUS.values()
    assert (state.status == "converged") == (apart <= 1e-3)
    if loss == "least_squares":
        assert state.status == smo.STATUS[smo.UNBOUNDED]


@every_loss
def test_a_dear_kernel_within_a_small_budget(small_sets, monkeypatch, loss):
    monkeypatch.setattr("svmcore.kernels.rows.BLOCK_BYTES", 8 * N * 4)
    calls, qp = [], uneven(loss, y)
    kernel = Kernel(lambda X, Z: calls.append(len(X) * len(Z)) or laplace(X, Z))
    state = decomposition.solve(Rows(kernel, X, budget_bytes=8 * N * 12), qp, tol=1e-4)
    assert state.status == "converged" and check(laplace(X, X), qp, state) <= 1.01e-4
    assert max(calls) <= 64**2  # that is the diagonal; never the whole matrix


@pytest.mark.slow
def test_a_precomputed_matrix_of_many_points():
    """Through the router: too many for pair updates on the whole, and no copy for the cache."""
    n = convex.DENSE + 1
    rng = np.random.default_rng(0)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 1.5 * y[:, None]
    K, qp = RBF(X), duals.hinge(y, 1.0)
    given, computed = convex.solve(Kernel("precomputed"), K, qp), convex.solve(RBF, X, qp)
    assert given.status == computed.status == "converged" and "working sets" in given.route
    assert violation(K, qp, given.beta) <= 1.01e-3
    assert given.objective == pytest.approx(computed.objective, rel=1e-4)
    assert np.shares_memory(Rows(Kernel("precomputed"), K)._store, K)
