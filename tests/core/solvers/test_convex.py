"""The router: every variant at every C, by recomputed conditions and duality, and by what it says of itself."""

import numpy as np
import pytest
from calls import recorded
from threadpoolctl import threadpool_info, threadpool_limits
from variants import LINEAR, every_variant, laplace, overlapping, violation

from svmcore import duals, problems
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import convex
from svmcore.solvers.solution import Solution
from svmcore.status import Status

RBF = Kernel("rbf", gamma=1.0)


@pytest.mark.parametrize("n", [120, *(pytest.param(n, marks=pytest.mark.slow) for n in (400, 900))])
@pytest.mark.parametrize("kernel", [LINEAR, RBF], ids=["linear", "rbf"])
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e3, 1e6])
@every_variant
def test_every_C_ends_at_the_optimum(loss, params, C, kernel, n):
    X, y = overlapping(n)
    K, qp = kernel(X), duals.build(loss, y, C, **params)
    found = convex.solve(kernel, X, qp)
    assert found.status == "converged", found.route
    assert violation(K, qp, found.beta) <= 1.1e-3
    F, free = -qp.linear - K @ found.beta - qp.ridge * found.beta, (found.beta < qp.upper) & (found.beta > qp.lower)
    if free.any():  # the intercept is F of a free coefficient
        room = found.violation + 1e-12
        assert F[free].min() - room <= found.intercept <= F[free].max() + room
    f = K @ found.beta + found.intercept
    primal = duals.primal_objective(loss, f, y, C, found.beta @ K @ found.beta, **params)
    assert primal + found.objective == pytest.approx(0.0, abs=1e-3 * C * len(y) + 1e-9 * abs(primal))


@every_variant
def test_the_roads_agree(loss, params, monkeypatch):
    """Gram matrix, working sets, Newton and interior point: one answer."""
    X, y = overlapping(120)
    qp = duals.build(loss, y, 50.0, **params)
    f = {}
    for name, change in {
        "gram": {},
        "working sets": {"SMALL": 0},
        "newton": {"PATIENCE": 2, "NEAR": np.inf},
        "interior point": {"PATIENCE": 1, "NEAR": 0.0},
        "interior point, whole": {"PATIENCE": 1, "NEAR": 0.0, "LARGEST_RANK": 2},
    }.items():
        with monkeypatch.context() as patch:
            for constant, value in change.items():
                patch.setattr(convex, constant, value)
            found = convex.solve(RBF, X, qp, tol=1e-8, solver="smo" if name in ("gram", "working sets") else "auto")
        assert found.status == "converged", name
        f[name] = RBF(X) @ found.beta + found.intercept
        assert f[name] == pytest.approx(f["gram"], abs=1e-6), name


@pytest.mark.parametrize(
    "kernel, loss, n, d, solver, route",
    [
        (RBF, "least_squares", 60, 2, "auto", "one factorisation"),
        (RBF, "least_squares", 60, 2, "direct", "one factorisation"),
        (RBF, "least_squares", 60, 2, "cg", "conjugate gradients"),
        (RBF, "least_squares", 60, 2, "smo", "pair updates"),
        (RBF, "squared_hinge", 60, 2, "auto", "pair updates"),
        (LINEAR, "hinge", 300, 2, "auto", "pair updates"),
        (LINEAR, "hinge", 320, 40, "auto", "interior point iterations"),
        (LINEAR, "hinge", 320, 41, "auto", "pair updates"),
        (LINEAR, "hinge", 320, 2, "smo", "pair updates"),
        (RBF, "hinge", 700, 2, "auto", "pair updates"),
        (RBF, "hinge", 701, 2, "auto", "pair updates on working sets"),
        (Kernel(laplace), "hinge", 701, 2, "auto", "pair updates"),
    ],
)
def test_the_route_of_each_problem(kernel, loss, n, d, solver, route):
    X = np.random.default_rng(0).normal(size=(n, d))
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    found = convex.solve(kernel, X, duals.build(loss, y, 1.0), solver=solver)
    assert found.status == "converged"
    assert found.route.lstrip("0123456789 ").partition(",")[0] == route


@pytest.mark.parametrize("small", [0, 700])
@pytest.mark.parametrize("solver", ["auto", "smo"])
@pytest.mark.parametrize("limit", [1, 40])
def test_the_limit_is_kept_and_no_other_solver_is_called(limit, solver, small, monkeypatch):
    monkeypatch.setattr(convex, "SMALL", small)
    X, y = overlapping(200)
    found = convex.solve(RBF, X, duals.hinge(y, 10.0), max_iter=limit, solver=solver)
    assert (found.status, found.n_iter) == ("iteration limit", limit)
    assert "Newton" not in found.route and found.violation > 1e-3


@pytest.mark.parametrize("small", [0, 700])
@pytest.mark.parametrize("rival", [0.0, 1.0])
def test_when_the_finish_fails_the_pairs_go_on_and_the_better_answer_counts(rival, small, monkeypatch):
    X, y = overlapping(200)
    qp = duals.least_absolute(y, 50.0)
    limit = convex.solve(RBF, X, qp, solver="smo").n_iter // 2
    failed = Solution(np.zeros(200), 0.0, 0.0, rival, 0, "failed", "finish")
    monkeypatch.setattr(convex, "SMALL", small)
    monkeypatch.setattr(convex, "PATIENCE", 1)
    monkeypatch.setattr(convex, "_finish", lambda *whatever: failed)
    found = convex.solve(RBF, X, qp, max_iter=limit)
    assert found is failed if rival == 0.0 else (found.n_iter, found.status) == (limit, "iteration limit")
    found = convex.solve(RBF, X, qp)
    assert found is failed if rival == 0.0 else found.status == "converged"


@pytest.mark.parametrize("loss", ["hinge", "huber"])
@pytest.mark.parametrize("seed", [2, 8, 17])
def test_what_is_reported_is_computed_anew(loss, seed):
    """Kernel values up to 1e19 and labels that contradict: what pair updates carry along is wrong by six digits."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 57))
    X = rng.standard_normal((n, 2))
    X[: n // 3] = X[n // 3 : 2 * (n // 3)]
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    kernel, qp = Kernel("poly", gamma=2e5, degree=3, coef0=1.0), duals.build(loss, y, 10.0)
    found = convex.solve(kernel, X, qp, max_iter=20_000)
    K, beta = kernel(X), found.beta
    F = -qp.linear - K.astype(np.longdouble) @ beta.astype(np.longdouble) - qp.ridge * beta
    apart = float(F[beta < qp.upper].max() - F[beta > qp.lower].min())
    rounding = 5.0 * np.finfo(float).eps * np.abs(K).max() * np.abs(beta).sum()
    assert apart > 1e4 and found.violation == pytest.approx(apart, abs=rounding)
    assert found.objective == pytest.approx(float(0.5 * beta @ (qp.linear - F)), rel=1e-6)
    assert found.status != "converged"


def test_a_run_that_only_believes_it_has_converged_does_not_say_so(monkeypatch):
    X, y = overlapping(100)
    run = convex.smo.run
    stale = lambda *args, **more: run(*args, **more)._replace(top=0.0, bottom=0.0, code=convex.smo.CONVERGED)  # noqa: E731
    monkeypatch.setattr(convex.smo, "run", lambda *args, **more: stale(*args, **{**more, "max_iter": 5}))
    found = convex.solve(RBF, X, duals.hinge(y, 10.0))
    assert found.status == Status.ROUNDING and found.violation > 0.1


@every_variant
@pytest.mark.parametrize("C", [1.0, 1e4])
def test_the_gap_is_primal_less_dual(loss, params, C):
    X, y = overlapping(60)
    rng = np.random.default_rng(0)
    K, qp = RBF(X), duals.build(loss, y, C, **params)
    for steps in (0, 1, 30):
        beta = convex.smo.solve(K, qp, max_iter=steps).beta
        f = K @ beta + rng.normal()
        primal = duals.primal_objective(loss, f, y, C, beta @ K @ beta, **params)
        dual = duals.dual_objective(qp, K @ beta, beta)
        assert duals.gap(qp, beta, -qp.linear - f) == pytest.approx(primal - dual, rel=1e-9, abs=1e-9)
        F, b = convex.smo.residual(K, qp, beta), float(f[0] - K[0] @ beta)
        gap, image = duals.gap_and_image(qp, beta, F, b)
        assert gap == pytest.approx(primal - dual, rel=1e-9, abs=1e-9)
        assert image == pytest.approx(K @ beta, rel=1e-9, abs=1e-9 * max(1.0, np.abs(beta).sum()))
    found = convex.solve(RBF, X, qp, tol=1e-6)
    f = K @ found.beta + found.intercept
    primal = duals.primal_objective(loss, f, y, C, found.beta @ K @ found.beta, **params)
    gap = found.details.gap
    assert gap == pytest.approx(primal + found.objective, rel=1e-3, abs=1e-9 * primal) and gap < 1e-2 * primal


def test_hopeless_newton_steps_are_not_tried(monkeypatch):
    """Far from the optimum the budget of Newton steps is nothing; near it, it is the hope."""
    X, y = overlapping(200)
    monkeypatch.setattr(convex, "PATIENCE", 1)
    budgets = recorded(monkeypatch, convex.active_set, "newton", lambda *arguments, max_work=None, **options: max_work)
    for near in (0.0, np.inf):
        monkeypatch.setattr(convex, "NEAR", near)
        assert convex.solve(RBF, X, duals.least_absolute(y, 50.0)).status == "converged"
    assert budgets[:3] == [0.0, None, convex.HOPE]


def test_the_better_of_two_polished_points_counts(monkeypatch):
    X, y = overlapping(200)
    K, qp = RBF(X), duals.hinge(y, 10.0)
    reached = convex.smo.solve(K, qp, max_iter=7)
    for violations in ((0.5, 2.0), (2.0, 0.5)):
        ends = iter(convex.active_set.Polished(0.0 * y, 0.5 * v * y, 3, "stalled", v) for v in violations)
        monkeypatch.setattr(convex.active_set, "newton", lambda *args, ends=ends, **more: next(ends))
        found = convex._finish(RBF, K, qp, reached, 1e-3)
        assert found.violation == 0.5
        assert found.n_iter == 7 + 3 + convex._interior(RBF, K, qp, np.abs(reached.beta).max(), 1e-3).n_iter + 3
    # too many points for the whole matrix have no interior point
    monkeypatch.setattr(convex, "LARGEST_RANK", 2)
    assert convex._interior(RBF, K, qp, 10.0, 1e-3) is not None
    monkeypatch.setattr(convex, "LARGEST_WHOLE", 199)
    assert convex._interior(RBF, K, qp, 10.0, 1e-3) is None


@pytest.mark.parametrize("loss", ["hinge", "least_absolute", "squared_hinge"])
def test_the_factor_of_low_rank_is_as_accurate_as_C_asks(loss, monkeypatch):
    """Without any Newton step behind it the interior point method is at the optimum."""
    X, y = overlapping(200)
    smooth = Kernel("rbf", gamma=0.05)
    monkeypatch.setattr(convex, "LARGEST_WHOLE", 0)
    for C in (1.0, 1e4):
        qp = duals.build(loss, y, C)
        found = convex._interior(smooth, smooth(X), qp, C, 1e-4)
        assert violation(smooth(X), qp, convex.interior_point.crossover(found, qp)) <= 1e-4


def test_least_squares_of_many_points_goes_without_a_matrix():
    X, y = overlapping(5200)
    qp = duals.least_squares(y, 1.0)
    found = convex.solve(RBF, X, qp, tol=1e-4)
    assert found.route == "conjugate gradients" and found.status == "converged"
    F = -qp.linear - RBF.dot(X, X, found.beta) - qp.ridge * found.beta
    assert np.ptp(F) == pytest.approx(found.violation, abs=1e-9) and found.violation <= 1e-4


def test_no_other_solver_is_called_if_there_is_no_minimum(monkeypatch):
    monkeypatch.setattr(convex, "_finish", None)
    X, y = overlapping(150)
    kernel = Kernel("sigmoid", gamma=2.0, coef0=-1.0)
    found = convex.solve(kernel, X, duals.squared_hinge(y, 10.0))
    assert "unbounded" in found.status and found.route == "pair updates"


@pytest.mark.parametrize("solver, loss, n, words", [
    ("newton", "hinge", 20, "must be one of"),
    ("direct", "hinge", 20, "least_squares"),
    ("cg", "huber", 20, "least_squares"),
    ("direct", "least_squares", 5001, "at most 5000 points, got 5001"),
])  # fmt: skip
def test_a_solver_that_cannot_serve_and_a_matrix_that_would_not_fit_say_so(solver, loss, n, words):
    X, y = overlapping(n)
    with pytest.raises(ValueError, match=words):
        convex.solve(RBF, X, duals.build(loss, y, 1.0), solver=solver)


def test_a_large_C_takes_few_more_steps_than_a_small_one(monkeypatch):
    """A multiple of the solution closes the gap; finer tolerances alone took fifteen times as many steps."""
    drawn, kernels_made = problems.load("two_spirals"), []
    kernel = Kernel(lambda X, Z: kernels_made.append(1) or RBF(X, Z))
    small, large = (convex.solve(kernel, drawn.X, duals.hinge(drawn.y, C), solver="smo") for C in (10.0, 1e4))
    assert small.status == large.status == "converged" and large.n_iter < 2 * small.n_iter
    assert large.details.gap < convex.WIDE * -large.objective
    made = len(kernels_made)
    convex.solve(kernel, drawn.X, duals.hinge(drawn.y, 10.0), solver="smo")
    assert made == 2 * (len(kernels_made) - made)  # the refinements use the matrix that is there
    monkeypatch.setattr(convex, "REFINEMENTS", 0)
    found = convex.solve(RBF, drawn.X, duals.hinge(drawn.y, 1e5))  # an objective far from the optimum is told
    assert found.status == Status.WIDE_GAP and found.violation <= 1e-3 and found.details.gap > 20.0 * -found.objective


@pytest.mark.parametrize("solver, loss, n", [("planar", "hinge", 1600), ("linear_system", "least_squares", 40)])
def test_no_run_wakes_threads_of_blas(solver, loss, n, monkeypatch):
    """On a computer with other work to do they would wait for each other."""
    X, y = overlapping(n)
    name = {"planar": "solve", "linear_system": "direct"}[solver]
    module, seen = getattr(convex, solver), []
    method = getattr(module, name)

    def threads():
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    monkeypatch.setattr(module, name, lambda *a, **kw: seen.append(threads()) or method(*a, **kw))
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        convex.solve(RBF, X, duals.build(loss, y, 1.0))
        assert threads() == before
    assert seen and {*seen[0]} == {1}
