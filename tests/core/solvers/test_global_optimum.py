"""The global optimum in the plane: against all subsets, and as a yardstick."""

import itertools

import numpy as np
import pytest
from variants import ALL, LINEAR, overlapping

from svmcore import duals, losses
from svmcore.solvers import router
from svmcore.solvers.box_dual import convex
from svmcore.solvers.nonconvex import global_optimum
from svmcore.solvers.solution import Task

KINDS = ("clouds", "grid", "twins", "line")


def drawn(kind, n, seed):
    """(X, y): clouds; integer coordinates; points twice, with both labels; points on a line."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 0.7 * y[:, None]
    if kind == "grid":
        X = rng.integers(-2, 3, (n, 2)).astype(float)
    if kind == "twins":
        X[n // 2 :] = X[: n - n // 2]
    if kind == "line":
        X = np.outer(rng.integers(-3, 4, n), [1.0, 2.0])
    return X, y


def by_subsets(X, y, C, loss, params):
    """min over all sets of points that are given up at the largest loss each: the machine of the base on the others.

    For the 0/1 loss what is kept has a hard margin, and a set that has none costs more than w = 0.
    """
    entry = losses.get(loss)
    base, own, price = losses.hinge, {}, np.full(len(y), 1e4)
    if loss != "zero_one":
        base, own, price = entry.base, entry.base_params(params), C
    best = min(C[y == sign].sum() * float(entry(2.0, **params)) for sign in (-1.0, 1.0))  # w = 0
    for given_up in itertools.product([False, True], repeat=len(y)):
        kept = ~np.array(given_up)
        cost = C[~kept].sum() * params.get("mu", 1.0)
        if cost < best and len(np.unique(y[kept])) == 2:  # of one class a constant costs no more
            qp = duals.build(base, y[kept], price[kept], **own)
            cost -= convex.solve(LINEAR, X[kept], qp, tol=1e-7).objective
        best = min(best, cost)
    return best


CUT = [("zero_one", {}), *(("ramp", {"mu": mu}) for mu in (0.7, 1.0, 2.0, 3.5))]
CUT += [(loss, ALL[loss]) for loss in global_optimum.SMOOTH]
# the longest, and all kinds but one of each height of the ramp
LONG = [(0, "clouds"), (0, "grid"), *((k, kind) for k in range(1, 5) for j, kind in enumerate(KINDS) if j != k % 4)]


@pytest.mark.parametrize(
    "loss, params, kind",
    [
        pytest.param(*machine, kind, marks=pytest.mark.slow if (k, kind) in LONG else ())
        for (k, machine), kind in itertools.product(enumerate(CUT), KINDS)
    ],
)
def test_no_subset_is_better_and_one_is_as_good(kind, loss, params):
    for seed, C in itertools.product((0, 1), (0.1, 1.0, 10.0)):
        X, y = drawn(kind, 7, seed)
        C = C * (np.random.default_rng(seed).uniform(0.5, 2.0, 7) if seed else np.ones(7))
        found = global_optimum.find(X, y, C, loss, params)
        assert found.is_proved
        close = 1e-6 if loss in global_optimum.SMOOTH else 2e-4  # of a hard margin at the price 1e4
        assert found.objective == pytest.approx(by_subsets(X, y, C, loss, params), rel=close), (seed, C)
        measured = global_optimum.objective(losses.get(loss), params, X, y, C, found.w, found.intercept)
        assert found.objective == pytest.approx(measured, rel=1e-9)


@pytest.mark.parametrize("loss", global_optimum.LOSSES)
@pytest.mark.parametrize("seeds", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_no_solver_is_below_it_and_the_start_does_not_matter(loss, seeds):
    at_the_optimum = []
    for seed, C in itertools.product(range(seeds), (0.1, 1.0, 10.0)):
        X, y = overlapping(16 if loss in global_optimum.SMOOTH else 40, seed)
        best = global_optimum.find(X, y, C, loss)
        found = router.solve(Task(LINEAR, X, y, C, loss), tol=1e-6)
        assert found.objective >= best.objective * (1 - 1e-9)
        again = global_optimum.find(X, y, C, loss, start=(X.T @ found.beta, found.intercept))
        assert again.objective == pytest.approx(best.objective, rel=1e-9)
        at_the_optimum.append(found.objective <= best.objective * (1 + 1e-5))
    assert np.mean(at_the_optimum) > 0.8


@pytest.mark.parametrize("loss", global_optimum.LOSSES)
def test_the_place_of_the_points_does_not_matter(loss):
    X, y = overlapping(20)
    near, far = (global_optimum.find(X + shift, y, 1.0, loss) for shift in (0.0, 1e4))
    assert far.objective == pytest.approx(near.objective, rel=1e-8)
    assert (X + 1e4) @ far.w + far.intercept == pytest.approx(X @ near.w + near.intercept, abs=1e-5)


@pytest.mark.parametrize(
    "loss, C",
    [*itertools.product(("zero_one", "ramp"), (0.1, 1.0, 10.0)), *((loss, 1.0) for loss in global_optimum.SMOOTH)],
)
def test_the_search_never_rises_and_no_machine_is_below_its_bound_which_meets_it_at_the_end(loss, C):
    X, y = overlapping(20 if loss in global_optimum.SMOOTH else 40)
    C = C * np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    steps = list(global_optimum.search(X, y, C, loss, {"mu": 1.5} if loss == "ramp" else {}))
    assert np.all(np.diff([step.objective for step in steps]) <= 0.0)
    assert np.all(np.diff([step.examined for step in steps]) > 0.0)
    assert [step.is_proved for step in steps] == [False] * (len(steps) - 1) + [True]
    bounds = np.array([step.bound for step in steps])
    assert np.all(bounds <= steps[-1].objective) and np.all(np.diff(bounds) >= 0.0)
    assert bounds[-1] == steps[-1].objective and steps[-1].gap == 0.0
    if loss == "ramp":
        assert bounds[0] > 0.0 and 0.0 < steps[0].gap < 1.0
    # bounds as loose as 0.8 of the lowest leave three times as many directions or points
    assert len(steps) <= {"zero_one": 1, "ramp": 15}.get(loss, len(steps))


def test_a_cell_between_lines_at_which_points_are_given_up():
    # two points pull with t = 1 each, one holds; two weak ones are given up just behind: (1, 1) lies in a square cell
    # whose four sides are lines t = mu, and no cell beside a line t = 0 has the same points on the slope
    X = np.array([[0.0, 0.0], [-1.0, 0.0], [0.0, -1.0], [-0.08, 0.004], [-0.004, -0.08]])
    y, C = np.array([1.0, -1.0, -1.0, -1.0, -1.0]), np.array([5.0, 1.0, 1.0, 1.0, 1.0])
    best = global_optimum.find(X, y, C, "ramp", {"mu": 1.9})
    assert best.w == pytest.approx([1.0, 1.0]) and best.intercept == pytest.approx(1.0)
    assert best.objective == pytest.approx(1.0 + 1.0 + 1.0 + 2 * 1.9, rel=1e-9)


def test_the_trivial_solution_can_be_the_best():
    X, y = overlapping(30)
    for loss in ("zero_one", "ramp"):
        best = global_optimum.find(X, y, 1e-4, loss, {"mu": 1.0} if loss == "ramp" else {})
        assert not best.w.any() and best.objective == pytest.approx(15e-4)


@pytest.mark.parametrize("loss", global_optimum.SMOOTH)
def test_points_on_a_line_twins_and_one_place(loss):
    """Planes that are parallel, or meet in one line, hide no cell: the best of all subsets is found."""
    t = np.array([-2.0, -1.0, -1.0, 0.0, 0.5, 1.0, 1.0, 6.0])
    y = np.array([-1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0])
    for X in (np.column_stack([t, 2.0 * t]), np.column_stack([t, [0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 2.0, 0.0]])):
        best = by_subsets(X, y, np.ones(8), loss, losses.get(loss).check())
        assert global_optimum.find(X, y, 1.0, loss).objective == pytest.approx(best, rel=1e-6)
    with pytest.raises(ValueError, match="needs points at two places or more"):
        global_optimum.find(np.ones((8, 2)), y, 1.0, loss)


@pytest.mark.parametrize(
    "shape, loss, words",
    [
        ((10, 2), "hinge", "known for zero_one, ramp, .*truncated_huber only, got hinge"),
        ((10, 3), "ramp", r"X must have two columns, got shape \(10, 3\)"),
        ((201, 2), "truncated_huber", "up to 200 points, and there are 201; use fewer"),
        ((201, 2), "zero_one", "up to 200 points, and there are 201; use fewer"),
    ],
)
def test_what_cannot_be_searched_is_told(shape, loss, words):
    y = np.where(np.arange(shape[0]) % 2, 1.0, -1.0)
    with pytest.raises(ValueError, match=words):
        global_optimum.find(np.ones(shape), y, 1.0, loss)
