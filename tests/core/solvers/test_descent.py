"""Descents beside SciPy's L-BFGS-B; the compiled formulas beside those of the losses; runs in pieces and watched."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der
from variants import LINEAR, RBF, SMOOTH, every_kernel, overlapping

from svmcore import deadline, losses
from svmcore.solvers import descent, quasi_newton
from svmcore.solvers.solution import Task

COMPILED = [(loss, params) for loss, params in SMOOTH if losses.get(loss).compiled_as]
every_compiled = pytest.mark.parametrize("loss, params", COMPILED)


def problem_of(loss, params, kernel=RBF, n=60, C=None, d=2):
    X, y = overlapping(n, d=d)
    C = np.random.default_rng(1).uniform(0.3, 3.0, n) if C is None else np.full(n, C)
    return quasi_newton._Problem(quasi_newton._space(kernel, X), Task(kernel, X, y, C, losses.get(loss), params))


@every_compiled
def test_the_compiled_formulas_are_those_of_the_loss(loss, params):
    loss = losses.get(loss)
    form, height, steepness = loss.compiled_as(**params)
    t = np.concatenate([np.linspace(-800.0, 800.0, 41), np.linspace(-3.0, 3.0, 41)])
    found = np.array([descent.loss_at(descent.FORMS.index(form), steepness * (x - 1.0)) for x in t])
    assert height * found[:, 0] == pytest.approx(loss(t, **params), rel=1e-12, abs=1e-300)
    assert height * steepness * found[:, 1] == pytest.approx(loss.slope(t, **params), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("loss", ["log", "exponential"])
@every_kernel
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_convex_descents_end_where_scipys_do_in_about_as_many_steps(loss, kernel, C):
    problem = problem_of(loss, {}, kernel, C=C)
    start = np.zeros(problem.Phi.shape[1] + 1)
    goal = 1e-6 * np.abs(problem(start)[1]).max()
    end, steps = descent.minimise(problem.as_compiled, start, goal=goal, max_iter=1000)
    options = {"maxcor": descent.MEMORY, "maxiter": 1000, "maxfun": 10_000, "ftol": 0.0, "gtol": goal}
    theirs = minimize(problem, start, jac=True, method="L-BFGS-B", options=options)
    value, gradient = problem(end)
    assert np.abs(gradient).max() <= 1.001 * goal
    assert value <= theirs.fun + 1e-9 * abs(theirs.fun)
    assert steps <= 1.3 * theirs.nit + 5


@pytest.mark.parametrize("dimensions, most", [(2, 50), (10, 100)])
def test_a_curved_valley(dimensions, most):
    """Rosenbrock's: the line search must shorten steps and stretch them, and the curvature must be learned."""
    start = np.tile([-1.2, 1.0], dimensions // 2)
    visited = []
    options = dict(goal=1e-8, max_iter=1000, visited=visited.append)
    end, steps = descent.minimise(lambda v: (rosen(v), rosen_der(v)), start, **options)
    assert end == pytest.approx(np.ones(dimensions), abs=1e-7) and steps == len(visited) <= most
    values = [rosen(v) for v in (start, *visited)]
    assert all(after < before for before, after in zip(values, values[1:], strict=False))
    path = np.array([start, *visited])
    moves, changes = np.diff(path, axis=0), np.diff([rosen_der(v) for v in path], axis=0)
    assert np.all(np.sum(moves * changes, axis=1) > 0.0)  # what the condition on the slope is for


@pytest.mark.parametrize("compiled", [True, False])
def test_pieces_and_watching_change_nothing_and_a_time_limit_ends_a_run(compiled, monkeypatch):
    problem = problem_of("sigmoid", {"a": 3.0})
    P = problem.as_compiled if compiled else problem
    start = np.random.default_rng(0).normal(size=problem.Phi.shape[1] + 1)
    end, steps = descent.minimise(P, start, goal=1e-6, max_iter=1000)
    assert start == pytest.approx(np.random.default_rng(0).normal(size=len(start)), abs=0.0)
    for most in (descent.MOST, 3, 1):
        monkeypatch.setattr(descent, "MOST", most)
        visited = []
        again, count = descent.minimise(P, start, goal=1e-6, max_iter=1000, visited=visited.append)
        assert np.array_equal(again, end) and count == steps == len(visited) and np.array_equal(visited[-1], end)
    short, count = descent.minimise(P, start, goal=1e-6, max_iter=4)
    assert count == 4 and np.array_equal(short, visited[3])
    with deadline.time_limit(0.0):
        _, count = descent.minimise(P, start, goal=1e-6, max_iter=1000)
    assert count == 0


def test_runs_that_cannot_go_on_end():
    def with_a_wall(v):  # nan beyond it
        with np.errstate(invalid="ignore"):
            return float(np.sum(v - np.log(v))), 1.0 - 1.0 / v + 0.0 * np.log(v)

    end, _ = descent.minimise(with_a_wall, np.array([0.01, 90.0]), goal=1e-8, max_iter=1000)
    assert end == pytest.approx(np.ones(2), abs=1e-6)
    problem = problem_of("log", {})
    start = np.zeros(problem.Phi.shape[1] + 1)
    end, steps = descent.minimise(problem.as_compiled, start, goal=0.0, max_iter=100_000)  # out of reach
    assert steps < 300 and np.abs(problem(end)[1]).max() < 1e-7
    # P stays the same up to rounding, and so does its gradient
    wandering = problem_of("log", {}, LINEAR, C=1e-3, n=300)
    _, steps = descent.minimise(wandering.as_compiled, np.zeros(3), goal=0.0, max_iter=3000)
    assert steps < 1000
    end, steps = descent.minimise(lambda v: (v @ v, -2e9 * v), np.ones(2), goal=1e-6, max_iter=1000)  # no gradient
    assert steps == 0 and np.array_equal(end, np.ones(2))
    for value in (np.nan, np.inf):
        nowhere = partial(lambda value, v: (value, np.full(2, value)), value)
        end, steps = descent.minimise(nowhere, np.ones(2), goal=1e-6, max_iter=1000)
        assert steps == 0 and np.array_equal(end, np.ones(2))
    end, steps = descent.minimise(lambda v: (1.0, np.zeros(2)), np.ones(2), goal=-1.0, max_iter=1000)
    assert steps == 0
