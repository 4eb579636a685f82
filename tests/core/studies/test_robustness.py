"""Oracles: closed forms for the two measures; a sweep against fits made one by one."""

import numpy as np
import pytest

from svmcore import SVC, problems
from svmcore.studies import robustness


@pytest.mark.parametrize("before, after, degrees", [
    ([1, 0], [1, 0], 0), ([1, 0], [0, 2], 90), ([1, 1], [-3, -3], 180), ([1, 0], [1, 1], 45), ([1, 0], [1, -1], 45),
    ([1, 0.1], [1, 0.1], 0), ([1, 0.1], [-1, -0.1], 180),  # whose cosine comes out above 1, or below -1
    ([0, 0], [1, 1], np.nan),
])  # fmt: skip
def test_angle(before, after, degrees):
    assert robustness.angle(np.array(before), np.array(after)) == pytest.approx(degrees, abs=1e-6, nan_ok=True)


cases = pytest.mark.parametrize("problem, levels", [
    ("label_flips", robustness.own_levels("label_flips", {"n": 40, "noise": 0.3}, (0.0, 0.2))),
    ("leverage_outliers", robustness.own_levels("leverage_outliers", {"n": 40}, (0, 10))),
])  # fmt: skip


@cases
def test_a_study_is_its_fits(problem, levels):
    machines = {"hinge": SVC(kernel="linear"), "LS": SVC(loss="least_squares", kernel="linear")}
    rows = list(robustness.study(machines, levels, range(3)))
    assert [(r.seed, r.level, r.machine) for r in rows] == [
        (seed, level, name) for seed in range(3) for level in levels.values for name in machines
    ]
    name = {"label_flips": "noise", "leverage_outliers": "outliers"}[problem]
    row, drawn = rows[-2], problems.load(problem, 2, n=40, **{name: levels.values[-1]})
    assert 1 <= drawn.outlier.sum() <= 12
    model = SVC(kernel="linear").fit(drawn.X, drawn.y)
    assert row.error == 1 - model.score(drawn.X_test, drawn.y_test)
    assert (row.n_support, row.n_iter, row.status) == (len(model.support_), model.n_iter_, "converged")
    assert 0.0 < row.seconds < 10.0 and not hasattr(machines["hinge"], "support_")


@cases
def test_the_levels_of_a_seed_are_nested(problem, levels):
    largest = levels.values[-1]
    low, high = (levels.draw(value, 5) for value in (type(largest)(largest / 2), largest))
    spoilt = [{tuple(x) for x in drawn.X_clean[drawn.outlier]} for drawn in (low, high)]
    assert spoilt[0] < spoilt[1]
    assert np.array_equal(low.X_test, high.X_test) and np.array_equal(low.y_test, high.y_test)


def test_what_is_measured_may_be_anything_and_a_problem_that_nothing_spoils_is_refused():
    levels = robustness.own_levels("label_flips", {"n": 20}, (0.1,))
    (row,) = robustness.study({"LS": SVC(loss="least_squares")}, levels, [3], lambda model, drawn: drawn.outlier.sum())
    assert row.error == 2.0
    with pytest.raises(ValueError, match="'moons' has no option for contamination; choose one of label_flips"):
        robustness.own_levels("moons")
