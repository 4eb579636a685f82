"""Dual coordinate descent against LIBLINEAR, its own certificates, and the same problem in other forms."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from svmcore.solvers.box_dual import coordinate

losses = pytest.mark.parametrize("loss", coordinate.LOSSES)


def clouds(n=60, d=8, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    X = rng.normal(size=(n, d)) * rng.uniform(0.3, 3.0, d)
    X[:, :2] += 0.8 * y[:, None]
    X[rng.random((n, d)) < 0.4] = 0.0
    return X, y


X, y = clouds()


def primal(X, y, C, loss, w, scale, bias=1.0):
    """The primal objective by its formula."""
    t = np.maximum(1.0 - y * (X @ w[:-1] + w[-1]), 0.0)
    weights, scales = (w, np.append(scale, bias)) if bias else (w[:-1], scale)
    assert np.all(weights[scales == 0.0] == 0.0)
    used = scales > 0.0
    return 0.5 * np.sum(weights[used] ** 2 / scales[used]) + np.sum(C * (t if loss == "hinge" else 0.5 * t * t))


@losses
@pytest.mark.parametrize("C", [0.03, 1.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_it_is_liblinear(loss, C, intercept):
    theirs = LinearSVC(
        loss=loss, dual=True, C=C if loss == "hinge" else 0.5 * C, tol=1e-10, max_iter=10**6, fit_intercept=intercept
    ).fit(X, y)
    found = coordinate.run(coordinate.task(X, y, C, loss=loss, bias=float(intercept)), tol=1e-10, max_iter=10**6)
    assert found.status == "converged" and found.violation <= 1e-10
    assert found.w[:-1] == pytest.approx(theirs.coef_[0], abs=1e-8)
    assert found.w[-1] == pytest.approx(float(np.ravel(theirs.intercept_)[0]), abs=1e-8)
    if not intercept:
        assert found.w[-1] == 0.0


@losses
def test_scales_are_scaled_columns(loss):
    """w = v w' with w' the machine on x' = x v, v^2 the scales; a feature of scale 0 is no feature."""
    v = np.random.default_rng(1).uniform(0.2, 3.0, X.shape[1])
    v[3] = 0.0
    options = dict(tol=1e-11, max_iter=10**6)
    scaled = coordinate.run(coordinate.task(X, y, 0.7, loss=loss, scale=v**2), **options)
    copied = coordinate.run(coordinate.task(X * v, y, 0.7, loss=loss), **options)
    assert scaled.w == pytest.approx(np.append(v, 1.0) * copied.w, abs=1e-8)
    assert scaled.w[3] == 0.0
    other = coordinate.task(X, y, 0.7, loss=loss).with_scale(np.append(v**2, 1.0))
    assert np.array_equal(coordinate.run(other, **options).w, scaled.w)


@losses
def test_sparse_is_dense(loss):
    C = np.random.default_rng(2).uniform(0.1, 2.0, len(y))
    dense = coordinate.run(coordinate.task(X, y, C, loss=loss), tol=1e-10, max_iter=10**5)
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        found = coordinate.run(coordinate.task(form(X), y, C, loss=loss), tol=1e-10, max_iter=10**5)
        assert found.w == pytest.approx(dense.w, abs=1e-9)
    n, d = X.shape
    columns, starts = np.repeat(np.tile(np.arange(d), n), 8), np.arange(n + 1) * 8 * d
    parts = sparse.csr_array((np.repeat(X.ravel() / 8.0, 8), columns, starts), shape=X.shape)
    found = coordinate.run(coordinate.task(parts, y, C, loss=loss), tol=1e-10, max_iter=10**5)
    assert found.w == pytest.approx(dense.w, abs=1e-9)
    assert parts.nnz == 8 * n * d, "the reader's matrix stays as it was"


@losses
def test_strong_duality_and_the_optimality_conditions(loss):
    X, y = clouds(seed=3)
    C, scale = np.random.default_rng(3).uniform(0.1, 2.0, len(y)), np.random.default_rng(4).uniform(0.1, 2.0, 8)
    task = coordinate.task(X, y, C, loss=loss, scale=scale)
    found = coordinate.run(task, tol=1e-9, max_iter=10**5)
    assert primal(X, y, C, loss, found.w, scale) == pytest.approx(coordinate.objective(task, found), rel=1e-9)
    assert found.w == pytest.approx(np.append(scale, 1.0) * coordinate.gradient(task, found.alpha), abs=1e-14)
    t = 1.0 - y * (X @ found.w[:-1] + found.w[-1])
    if loss == "squared_hinge":
        assert found.alpha == pytest.approx(C * np.maximum(t, 0.0), abs=1e-8)
    else:
        assert np.all(t[found.alpha == 0.0] <= 1e-8) and np.all(t[found.alpha == C] >= -1e-8)
        assert np.abs(t[(found.alpha > 0.0) & (found.alpha < C)]).max() <= 1e-8
        assert (found.alpha == C).any() and (found.alpha == 0.0).any()


@losses
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_stopping_and_resuming_is_the_same_run(loss, form):
    X, y = clouds(seed=5)
    task = coordinate.task(form(X), y, 3.0, loss=loss)
    whole = coordinate.advance(task, coordinate.start(task, seed=7), 40, tol=1e-12)
    state = coordinate.start(task, seed=7)
    for epochs in (1, 0, 5, 2, 12, 20):
        state = coordinate.advance(task, state, epochs, tol=1e-12)
    assert np.array_equal(state.alpha, whole.alpha) and np.array_equal(state.w, whole.w)
    assert state[4:] == whole[4:] and state.n_iter == 40 and state.status == "iteration limit"


def test_the_seed_is_the_order_and_not_the_optimum():
    X, y = clouds(seed=6)
    task = coordinate.task(X, y, 1.0)
    few = [coordinate.run(task, seed=seed, max_iter=2, tol=1e-12).w for seed in (0, 1, 0)]
    assert np.array_equal(few[0], few[2]) and not np.array_equal(few[0], few[1])
    state, orders = coordinate.start(task), []
    for _ in range(3):
        drawn = state.random.copy()
        state = coordinate.advance(task, state, 1, tol=1e-12)
        orders.append(drawn != state.random)
    assert np.all(orders), "every epoch has an order of its own"
    ends = [coordinate.run(task, seed=seed, max_iter=10**5, tol=1e-11).w for seed in (0, 1)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_from_the_solution_there_is_nothing_to_do():
    task = coordinate.task(X, y, 1.0)
    found = coordinate.run(task, tol=1e-6, max_iter=10**5)
    again = coordinate.run(task, tol=2e-6, alpha=found.alpha)
    assert again.n_iter == 1 and again.status == "converged"
    assert again.alpha == pytest.approx(found.alpha, abs=1e-5)
    bare = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])  # a point without features is worth its intercept only
    found = coordinate.run(coordinate.task(bare, np.array([1.0, -1.0, -1.0]), 2.0, bias=0.0))
    assert found.alpha == pytest.approx([2.0, 1.0, 2.0]) and found.w == pytest.approx([-1.0, 0.0, 0.0])


def test_points_that_are_left_out_come_back():
    """A violation within `tol` counts only after an epoch through all points."""
    X, y = clouds(n=300, seed=9)
    task = coordinate.task(X, y, 0.1)
    state, fewest = coordinate.start(task), len(y)
    while not state.is_done:
        state = coordinate.advance(task, state, 1, tol=1e-6)
        fewest = min(fewest, state.active)
    slope = y * (X @ state.w[:-1] + state.w[-1]) - 1.0
    projected = np.where(state.alpha <= 0.0, np.minimum(slope, 0.0), slope)
    projected = np.where(state.alpha >= 0.1, np.maximum(slope, 0.0), projected)
    assert fewest < 0.8 * len(y)
    assert max(projected.max(), 0.0) - min(projected.min(), 0.0) <= 3e-6


def test_errors():
    with pytest.raises(ValueError, match="hinge and squared_hinge, got 'log'"):
        coordinate.task(X, y, 1.0, loss="log")
    for scale in (np.ones(7), -np.ones(8), np.full(8, np.inf)):
        with pytest.raises(ValueError, match="scale must hold 8 finite numbers"):
            coordinate.task(X, y, 1.0, scale=scale)
    task = coordinate.task(X, y, 1.0)
    for alpha in (np.full(60, 1.1), np.full(60, -0.1), np.zeros(59)):
        with pytest.raises(ValueError, match="alpha leaves the box"):
            coordinate.start(task, alpha=alpha)
