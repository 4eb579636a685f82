"""Oracles: closed forms for the two measures; a sweep against fits made one by one."""

import numpy as np
import pytest

from svmcore import SVC, outliers, problems, robustness


@pytest.mark.parametrize(
    "before, after, degrees",
    [([1, 0], [1, 0], 0), ([1, 0], [0, 2], 90), ([1, 1], [-3, -3], 180), ([1, 0], [1, 1], 45), ([1, 0], [1, -1], 45)],
)
def test_angle(before, after, degrees):
    assert robustness.angle(np.array(before), np.array(after)) == pytest.approx(degrees, abs=1e-6)


@pytest.mark.parametrize("sign, degrees", [(1, 0.0), (-1, 180.0)])
def test_angle_of_equal_directions_survives_rounding(sign, degrees):
    w = np.array([1.0, 0.1])  # its cosine with itself comes out above 1
    assert robustness.angle(w, sign * w) == degrees


def test_angle_of_nothing_is_unknown():
    assert np.isnan(robustness.angle(np.zeros(2), np.ones(2)))


def test_changed_share():
    before = np.array([[1.0, -1.0], [0.0, -2.0]])
    assert robustness.changed_share(before, before) == 0.0
    assert robustness.changed_share(before, -before - 1e-9) == 1.0
    assert robustness.changed_share(before, np.array([[1.0, 1.0], [1.0, -2.0]])) == 0.25


@pytest.mark.parametrize("unit, amounts", [("share", [0.0, 0.29]), ("points", [0, 9])])
def test_a_share_becomes_the_nearest_number_of_points(monkeypatch, unit, amounts):
    seen = []
    spy = outliers.Kind("Spy", lambda problem, amount, seed: seen.append(amount) or problem, unit, 0, 50, "none at all")
    monkeypatch.setitem(outliers.KINDS, "spy", spy)
    sweep = robustness.contamination_sweep(
        {"hinge": SVC()}, "toy_outliers", {"n": 30}, kind="spy", shares=(0.0, 0.29), seeds=[0]
    )
    assert len(list(sweep)) == 2 and seen == amounts


@pytest.mark.parametrize("kind", list(outliers.KINDS))
def test_a_sweep_is_its_fits(kind):
    machines = {"hinge": SVC(kernel="linear"), "LS": SVC(loss="least_squares", kernel="linear")}
    rows = list(
        robustness.contamination_sweep(
            machines, "toy_outliers", {"n": 30}, kind=kind, shares=(0.0, 0.2), seeds=range(3)
        )
    )
    assert [(r.seed, r.share, r.machine) for r in rows] == [
        (seed, share, name) for seed in range(3) for share in (0.0, 0.2) for name in machines
    ]
    row = rows[-2]
    problem = problems.load("toy_outliers", 2, n=30)
    spoiled = outliers.KINDS[kind].apply(problem, 0.2 if kind == "flip_share" else 6, 2)
    assert 1 <= spoiled.outlier.sum() <= 6
    model = SVC(kernel="linear").fit(spoiled.X, spoiled.y)
    assert row.test_error == 1 - model.score(problem.X_test, problem.y_test)
    assert row.n_support == len(model.support_) and row.status == "converged"
    assert not hasattr(machines["hinge"], "support_")
