"""The walk: the paper's theorems as identities, LIBLINEAR on scaled copies, the linear programme by duality."""

from itertools import islice

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from svmcore import deadline, problems
from svmcore.solvers import reweighting
from svmcore.solvers.box_dual import coordinate
from svmcore.status import Status

TIGHT = dict(tol=1e-9, max_iter=10**6)


def draw(n=100, d_rel=5, seed=0, d=200):
    made = problems.load("relevant_features", seed=seed, n=n, d_rel=d_rel)
    return made.X[:, :d], made.y


X, y = draw(60, 3, d=20)


def few(count, X, y, C, **options):
    return list(islice(reweighting.rounds(X, y, C, **{**TIGHT, **options}), count))


@pytest.mark.parametrize("loss", coordinate.LOSSES)
@pytest.mark.parametrize("bias", reweighting.WALK_BIASES)
def test_algorithm_1_of_the_paper_with_liblinear(loss, bias):
    """Scaled copies of the features, LIBLINEAR, v = sqrt(|w' v|): as Algorithm 1 is written."""
    C = 0.3
    column = {"squared": np.zeros((60, 0)), "absolute": np.ones((60, 1)), "none": np.zeros((60, 0))}[bias]
    Z = np.hstack([X, column])
    v = np.ones(Z.shape[1])
    theirs = LinearSVC(
        loss=loss, dual=True, C=C if loss == "hinge" else 0.5 * C, tol=1e-11, max_iter=10**6,
        fit_intercept=bias == "squared",
    )  # fmt: skip
    for now in few(4, X, y, C, loss=loss, bias=bias):
        theirs.fit(Z * v, y)
        w = theirs.coef_[0] * v
        v = np.sqrt(np.abs(w))
        b = {"squared": float(np.ravel(theirs.intercept_)[0]), "absolute": w[-1], "none": 0.0}[bias]
        assert now.w == pytest.approx(w[:20], abs=1e-6)
        assert now.intercept == pytest.approx(b, abs=1e-6)


@pytest.mark.parametrize("loss", coordinate.LOSSES)
@pytest.mark.parametrize("bias", reweighting.WALK_BIASES)
@pytest.mark.parametrize("d", [20, 80])
def test_the_interior_point_method_takes_the_same_walk(loss, bias, d):
    """With fewer features than points, and with more: a factor of low rank, and the whole matrix."""
    X, y = draw(60, 3, d=d)
    options = dict(loss=loss, bias=bias)
    exact = few(4, X, y, 0.3, solver="interior_point", **options)
    for now, theirs in zip(exact, few(4, X, y, 0.3, **options), strict=True):
        assert now.w == pytest.approx(theirs.w, abs=1e-6) and now.intercept == pytest.approx(theirs.intercept, abs=1e-6)
        assert now.objective == pytest.approx(theirs.objective, rel=1e-7)
        assert now.status == "converged" and now.violation <= 1e-9 and now.n_epochs < 100


def test_a_large_C_on_classes_that_overlap_is_no_trouble_for_the_interior_point_method():
    """Where coordinate descent would need millions of epochs; a point of the dual proves each round."""
    X, y = draw(200, 1, d=5)
    C, scale = 1e5, np.ones(6)
    for now in few(6, X, y, C, bias="absolute", solver="interior_point"):
        task = coordinate.task(X, y, C).with_scale(scale)
        state = coordinate.start(task, alpha=now.alpha)
        primal = 0.5 * float(state.w**2 @ (1.0 / scale)) + now.error
        assert now.status == "converged" and coordinate.objective(task, state) == pytest.approx(primal, rel=1e-9)
        scale = np.abs(np.append(now.w, now.intercept))


def test_where_rounding_ends_the_interior_point_method_coordinate_descent_goes_on():
    """The optimum is w = 0: 150 points of one class lie on the margin, and the features have a scale of nearly zero."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 8)), np.where(np.arange(2000) < 300, 1.0, -1.0)
    walked = few(8, X, y, 1000.0, bias="absolute", solver="interior_point", max_iter=2000)
    assert max(now.n_epochs for now in walked) > 0
    for before, now in zip(walked, walked[1:], strict=False):
        assert now.objective <= before.objective * (1 + 1e-8)


@pytest.mark.parametrize("C", [0.05, 0.3, 3.0])
@pytest.mark.parametrize("loss", coordinate.LOSSES)
@pytest.mark.parametrize("bias", reweighting.WALK_BIASES)
def test_no_round_raises_the_objective_and_every_bound_holds(C, loss, bias):
    """Theorem 2. The bounds of all rounds lie below the objectives of all rounds."""
    X, y = draw(40, 3, d=30)
    run = few(25, X, y, C, loss=loss, bias=bias, tol=1e-7)
    objective, bound = (np.array([getattr(now, name) for now in run]) for name in ("objective", "lower_bound"))
    assert np.all(np.diff(objective) <= 1e-6 * objective[0])
    assert bound.max() <= objective.min() * (1.0 + 1e-12)
    assert np.all(np.diff(bound) >= 0.0) and run[-1].gap < 0.2 * run[0].gap
    penalty = {"squared": lambda b: b * b / 2, "absolute": abs, "none": lambda b: 0.0}[bias]
    for now in run:
        t = np.maximum(1.0 - y * (X @ now.w + now.intercept), 0.0)
        error = C * np.sum(t if loss == "hinge" else t * t / 2)
        assert now.error == pytest.approx(error, rel=1e-12, abs=1e-15)
        assert now.objective == pytest.approx(np.abs(now.w).sum() + penalty(now.intercept) + error, rel=1e-12)
        assert now.gap == pytest.approx((now.objective - now.lower_bound) / now.objective, abs=1e-15)


def test_zero_stays_zero_and_small_weights_shrink_by_g():
    X, y = draw(60, 3, d=20)
    X[:, 7] = 0.0
    run = few(12, X, y, 0.05)
    assert all(now.w[7] == 0.0 for now in run)
    last, before = run[-1], run[-2]
    shrinking = np.abs(last.g[:-1]) < 0.5
    assert shrinking.sum() > 5
    assert np.abs(last.w[shrinking]) == pytest.approx(np.abs(before.w * last.g[:-1])[shrinking], rel=1e-9, abs=1e-300)
    assert last.n_features < run[0].n_features


@pytest.mark.parametrize("bias", reweighting.PROGRAMME_BIASES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_the_linear_programme_is_the_one_norm_svm(bias, form):
    """By duality: alpha in its box, and X'(alpha y) as small as the penalties ask, proves the objective to be least."""
    X, y = draw(40, 3, d=12)
    C = np.random.default_rng(0).uniform(0.05, 0.5, 40) * np.where(y > 0, 2.0, 0.5)
    found = reweighting.linear_program(form(X), y, C, bias=bias)
    w, b, alpha = found.details.w, found.intercept, y * found.beta
    price = np.abs(w).sum() + abs(b) * (bias == "absolute")
    assert found.objective == pytest.approx(price + C @ np.maximum(1.0 - y * (X @ w + b), 0.0), rel=1e-12)
    assert np.all((alpha >= 0.0) & (alpha <= C)) and np.abs(X.T @ found.beta).max() <= 1.0 + 1e-9
    assert abs(found.beta.sum()) <= {"absolute": 1.0, "free": 0.0, "none": np.inf}[bias] + 1e-9
    assert found.objective == pytest.approx(alpha.sum(), rel=1e-9)
    assert found.status == "converged" and found.violation < 1e-9
    assert (found.intercept == 0.0) == (bias == "none")
    assert 0 < np.count_nonzero(found.details.w) < 12, "zeros are exact"
    turned = reweighting.linear_program(form(X), -y, C, bias=bias)
    assert turned.details.w == pytest.approx(-found.details.w, abs=1e-9)
    assert turned.intercept == pytest.approx(-found.intercept)
    assert bias == "none" or abs(found.intercept) > 1e-3


@pytest.mark.parametrize("loss", coordinate.LOSSES)
@pytest.mark.parametrize("bias", reweighting.WALK_BIASES)
@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_the_bound_is_the_best_of_all_multiples(loss, bias, size):
    X, y = draw(40, 3, d=12)
    X, C = size * X + 0.2, np.random.default_rng(0).uniform(0.05, 0.5, 40)
    task = coordinate.task(X, y, C, loss=loss)
    alpha = 0.3 * C * np.random.default_rng(1).random(40) * (y > -0.5 + size)
    g = X.T @ (alpha * y)
    multiples = np.geomspace(1e-3, 1e4, 20001)
    a, constant = multiples[:, None] * alpha, multiples * (alpha @ y)
    inside = np.all(a <= task.upper, axis=1) & (multiples * np.abs(g).max() <= 1.0)
    inside &= (bias != "absolute") | (np.abs(constant) <= 1.0)
    values = a.sum(axis=1) - 0.5 * np.sum(task.ridge * a**2, axis=1) - 0.5 * constant**2 * (bias == "squared")
    bound = reweighting.lower_bound(task, alpha, coordinate.gradient(task, alpha), bias)
    assert values[inside].max() * (1.0 - 1e-12) <= bound <= values[inside].max() * 1.002


def test_solve_stops_where_the_gap_is_closed():
    X, y = draw(100, 5, d=10)
    found = reweighting.walk(X, y, 0.05, n_rounds=200, gap=1e-3, tol=1e-7)
    every = few(found.n_iter, X, y, 0.05, tol=1e-7)
    assert found.status == "converged" and found.violation <= 1e-3 < every[-2].gap
    assert np.array_equal(found.details.w, every[-1].w) and found.objective == every[-1].objective
    assert found.details.n_epochs == sum(now.n_epochs for now in every)
    assert reweighting.walk(X, y, 0.05, n_rounds=2, gap=1e-3, tol=1e-7).status == Status.ALL_ROUNDS
    assert reweighting.walk(X, y, 0.05, n_rounds=2, gap=1e-3, max_iter=1).status == "iteration limit"


def test_a_round_starts_where_the_last_one_ended():
    X, y = draw(100, 5, d=50)
    run = few(5, X, y, 3.0, tol=1e-4)
    task = coordinate.task(X, y, 3.0).with_scale(np.append(np.abs(run[3].w), 1.0))
    assert run[4].n_epochs < coordinate.run(task, tol=1e-4, max_iter=10**6).n_iter
    resumed = coordinate.run(task, tol=1e-4, max_iter=10**6, alpha=run[3].alpha)
    assert np.array_equal(resumed.alpha, run[4].alpha)


def test_a_small_C_gives_the_zero_machine():
    """w = 0 is optimal where C |X'y|_inf <= 1; the walk tends there, the linear programme is there."""
    X, y = draw(100, 5, d=50)
    C = 0.5 / np.abs(X.T @ y).max()
    exact = reweighting.linear_program(X, y, C, bias="none")
    assert np.all(exact.details.w == 0.0) and exact.objective == pytest.approx(100 * C, rel=1e-12)
    run = few(60, X, y, C, bias="none")
    assert np.abs(run[-1].w).max() < 1e-12 and run[-1].gap < 1e-9
    assert run[-1].n_features <= 50 and reweighting.nonzero(np.zeros(3)) == 0


def test_sparse_is_dense_and_C_may_differ_by_point():
    X, y = draw(60, 3, d=20)
    X[np.abs(X) < 0.5] = 0.0
    C = np.random.default_rng(0).uniform(0.05, 0.5, 60)
    for now, other in zip(few(5, X, y, C), few(5, sparse.csr_array(X), y, C), strict=True):
        assert now.w == pytest.approx(other.w, abs=1e-8)
        assert now.objective == pytest.approx(other.objective, rel=1e-8)
    twice = np.vstack([X, X]), np.append(y, y)
    assert few(3, *twice, np.append(C, C) / 2)[-1].w == pytest.approx(few(3, X, y, C)[-1].w, abs=1e-6)


def test_a_linear_programme_that_is_limited_or_beyond_the_tolerances_of_its_solver_says_so():
    X, y = draw(100, 5)
    found = reweighting.linear_program(X, y, 0.3, max_iter=3)
    assert found.status == "iteration limit" and found.objective >= found.details.lower_bound
    X, y = draw(40, 2, d=2)
    assert reweighting.linear_program(X, y, 1e3, gap=1e-6).status == "converged"
    for C in 1e12, 1e100:
        found = reweighting.linear_program(X, y, C, gap=1e-6)
        assert found.violation > 1e-6 and found.status.startswith("inaccurate")


def test_errors():
    X, y = draw(20, 3, d=5)
    with pytest.raises(ValueError, match="no penalty 'free' of the intercept; choose squared, absolute or none$"):
        few(1, X, y, 1.0, bias="free")
    with pytest.raises(ValueError, match="coordinate, interior_point, got 'smo'"):
        few(1, X, y, 1.0, solver="smo")
    with pytest.raises(ValueError, match="needs X as an array"):
        few(1, sparse.csr_array(X), y, 1.0, solver="interior_point")
    with pytest.raises(ValueError, match="no penalty 'squared' of the intercept; choose absolute, free or none$"):
        reweighting.linear_program(X, y, 1.0, bias="squared")


@pytest.mark.parametrize("bias", ["absolute", "none"])
@pytest.mark.parametrize("C", [0.02, 0.3])
def test_the_walk_with_the_squared_hinge_ends_at_the_optimum(bias, C):
    best = reweighting.optimum(X, y, C, loss="squared_hinge", bias=bias)
    last = few(150, X, y, C, loss="squared_hinge", bias=bias)[-1]
    assert best.status == "converged" and best.violation < 1e-5
    t = np.maximum(1 - y * (X @ best.details.w + best.intercept), 0)
    penalty = np.abs(best.details.w).sum() + (abs(best.intercept) if bias == "absolute" else 0.0)
    assert best.objective == pytest.approx(penalty + C / 2 * np.sum(t**2))
    assert best.objective == pytest.approx(last.objective, rel=1e-4) and best.details.lower_bound <= last.objective
    assert bias == "absolute" or best.intercept == 0.0


def test_the_optimum_with_the_hinge_is_the_linear_programme():
    assert reweighting.optimum(X, y, 0.1).objective == reweighting.linear_program(X, y, 0.1, bias="absolute").objective
    with pytest.raises(ValueError, match="no penalty 'free' of the intercept; choose absolute or none$"):
        reweighting.optimum(X, y, 0.1, loss="squared_hinge", bias="free")


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("bias", ["absolute", "none"])
def test_the_optimum_with_the_squared_hinge_is_that_of_liblinear(form, bias):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=40) > 0.0, 1.0, -1.0)
    options = dict(penalty="l1", dual=False, tol=1e-10, max_iter=100_000, random_state=0)
    model = LinearSVC(C=0.5, fit_intercept=bias == "absolute", **options).fit(X, y)
    best = reweighting.optimum(form(X), y, 1.0, loss="squared_hinge", bias=bias)
    np.testing.assert_allclose(best.details.w, model.coef_[0], rtol=1e-6, atol=1e-8)
    assert best.intercept == pytest.approx(np.sum(model.intercept_), rel=1e-6)


@pytest.mark.parametrize("C", [1e-4, 100.0])
def test_the_optimum_with_the_squared_hinge_takes_few_iterations_for_any_C(C):
    problem = problems.load("relevant_features", n=300)
    best = reweighting.optimum(problem.X, problem.y, C, loss="squared_hinge")
    assert best.status == "converged" and best.violation < 1e-8 and best.n_iter < 40
    assert np.count_nonzero(best.details.w) == reweighting.nonzero(best.details.w) < 150
    assert (C > 1e-3) == bool(best.details.w.any())


def test_the_optimum_with_the_squared_hinge_ends_at_a_time_limit_and_says_so():
    with deadline.time_limit(0.0):
        best = reweighting.optimum(X, y, 0.3, loss="squared_hinge")
    assert best.status == Status.TIME_LIMIT and best.violation > 1e-3 and np.isfinite(best.objective)
