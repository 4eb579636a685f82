"""The breakdown meter against a loop over flips and fits."""

import numpy as np
import pytest

from svmcore import SVC, problems
from svmcore.problems import outliers
from svmcore.studies import breakdown, plane


def draw(seed):
    return problems.load("toy_outliers", seed, n=16)


def by_hand(order, problem, seed):
    """The rows in the order in which their labels are flipped."""
    centre = {label: problem.X[problem.y == label].mean(axis=0) for label in (1.0, -1.0)}
    if order == "random":
        return np.random.default_rng(seed).permutation(len(problem.y))
    sign, other = (-1.0, -1.0) if order == "farthest" else (1.0, 1.0)
    distance = [np.linalg.norm(x - centre[other * label]) for x, label in zip(problem.X, problem.y, strict=True)]
    ranked = (sorted(np.flatnonzero(problem.y == y), key=lambda row: sign * distance[row]) for y in (1.0, -1.0))
    return [row for pair in zip(*ranked, strict=True) for row in pair]


@pytest.mark.parametrize("order", outliers.ORDERS)
def test_a_race_is_its_flips_and_fits(order):
    machines = {"L1": SVC(kernel="linear"), "LS": SVC(loss="least_squares", kernel="linear")}
    rows = list(breakdown.race(machines, draw, order, [3, 4], workers=1))
    assert len(rows) == 2 * 2 * 9
    for seed in (3, 4):
        problem = draw(seed)
        turns = by_hand(order, problem, seed)
        for name, loss in (("L1", "hinge"), ("LS", "least_squares")):
            mine = [row for row in rows if (row.machine, row.seed) == (name, seed)]
            assert [row.flips for row in mine] == list(range(9))
            y, before = problem.y.copy(), SVC(loss=loss, kernel="linear").fit(problem.X, problem.y)
            for k, row in enumerate(mine):
                if k:
                    y[turns[k - 1]] *= -1
                now = SVC(loss=loss, kernel="linear").fit(problem.X, y)
                assert row.share == plane.change(before, now, problem.X)
            for share in (0.2, max(row.share for row in mine)):  # the second is exactly that of a row
                first = next((row.flips for row in mine if row.share >= share), np.inf)
                assert breakdown.broken_at(rows, share)[name][seed - 3] == first
    assert max(row.share for row in rows) > 0.2


def test_outliers_of_the_problem_are_undone_first():
    spoiled = outliers.flip_random(draw(0), 3)
    (_, first), *_, (flips, last) = breakdown.way(spoiled, "farthest")
    assert np.array_equal(first.y, draw(0).y) and np.sum(last.y != first.y) == flips == 8


@pytest.mark.parametrize("n, step, end", [(40, 1, 20), (81, 1, 40), (82, 2, 40), (1000, 13, 494), (1, 1, 0)])
def test_levels_reach_half_of_the_points(n, step, end):
    found = breakdown.levels(n)
    assert found[0] == 0 and found[-1] == end and len(found) <= breakdown.LEVELS + 1
    assert set(np.diff(found)) <= {step}
