"""What the pages say of a machine, against svmcore asked directly."""

import numpy as np
import pytest

from pages.shared import export, laboratory, session, study, tables
from pages.shared.choices import Data, Machine, Setting
from pages.shared.figures import FREE, LOWER, UPPER, ZERO
from svmcore import SVC, duals, losses

DATA = Data("moons", 3, (("n", 80), ("noise", 0.3)), "flip_random", 6)
SETTING = Setting(2.0, "rbf", 0.8, 3, 1.0)
PARAMS = {"pinball": (("tau", 0.3),), "huber": (("delta", 0.4),)}
AXIS = np.linspace(-2.0, 2.0, 9)


@pytest.fixture(scope="module", params=list(duals.DUALS))
def studied(request):
    machine = Machine(request.param, PARAMS.get(request.param, ()))
    problem = study.make_problem(DATA)
    return machine, problem, study.fit(problem, machine, SETTING, AXIS, AXIS)


def test_support_values_margins_and_slacks(studied):
    machine, problem, now = studied
    model = SVC(machine.loss, dict(machine.params) or None, 2.0, gamma=1 / 0.8**2).fit(problem.X, problem.y)
    beta = np.zeros(80)
    beta[model.support_] = model.dual_coef_[0]
    f = model.decision_function(problem.X)
    points = now.points
    assert points.alpha == pytest.approx(problem.y * beta) and points.margin == pytest.approx(problem.y * f)
    t = 1.0 - problem.y * f
    flat = losses.get(machine.loss)(np.array([-5.0]), **dict(machine.params))[0] == 0.0
    assert points.slack == pytest.approx(np.maximum(t, 0.0) if flat else t)
    assert np.array_equal(points.outlier, problem.outlier) and problem.outlier.sum() == 6
    ys, xs = np.meshgrid(AXIS, AXIS, indexing="ij")
    drawn = model.decision_function(np.column_stack([xs.ravel(), ys.ravel()])).reshape(9, 9)
    assert now.field.f == pytest.approx(drawn, abs=1e-5)


def test_box_states(studied):
    machine, problem, now = studied
    low, high = now.bounds
    unit = duals.build(machine.loss, np.array([1.0]), 2.0, **dict(machine.params))
    assert (low, high) == (unit.lower[0], unit.upper[0])
    alpha, state = now.points.alpha, now.points.state
    assert np.array_equal(state == ZERO, alpha == 0)
    assert np.array_equal(state == UPPER, alpha == high)
    assert np.array_equal(state == LOWER, (alpha == low) & (low < 0))
    assert np.array_equal(state == FREE, (alpha > low) & (alpha < high) & (alpha != 0))
    assert now.numbers.n_at_bound == np.sum((alpha == high) | ((alpha == low) & (low != 0)))


def test_the_words_hold(studied):
    """Every word about a point is true of its margin, up to the tolerance of the solver."""
    machine, problem, now = studied
    margin, alpha, close = now.points.margin, now.points.alpha, 2e-3
    ridge = duals.build(machine.loss, problem.y, 2.0, **dict(machine.params)).ridge
    holds = {
        "no support vector: y f ≥ 1": margin >= 1 - close,
        "support value zero: y f = 1": np.abs(margin - 1) <= close,
        "at the upper bound: y f ≤ 1": margin <= 1 + close,
        "at the lower bound: y f ≥ 1": margin >= 1 - close,
        "free: y f = 1": np.abs(margin - 1) <= close,
        "free: slack proportional to α": np.abs(1 - margin - ridge * alpha) <= close,
    }
    for words, true in holds.items():
        assert np.all(true[now.points.kkt == words]), words
    assert set(now.points.kkt) <= set(holds)
    assert set(now.points.kkt[now.points.state == UPPER]) <= {"at the upper bound: y f ≤ 1"}
    assert set(now.points.kkt[now.points.state == LOWER]) <= {"at the lower bound: y f ≥ 1"}


def test_the_certificate(studied):
    _, _, now = studied
    numbers = now.numbers
    assert numbers.primal >= numbers.dual - 1e-9
    assert numbers.primal - numbers.dual <= 1e-3 * 2.0 * 80
    assert numbers.converged and numbers.status == "converged" and numbers.violation <= 1e-3


def test_the_clean_twin_has_the_same_extent_and_no_outliers():
    machine = Machine("hinge")
    far = DATA._replace(contamination="leverage_cluster", amount=5)
    now, before = session.fit(far, machine, SETTING), session.before(far, machine, SETTING)
    assert np.array_equal(now.field.xs, before.field.xs) and np.array_equal(now.field.ys, before.field.ys)
    assert not before.points.outlier.any() and len(before.f) == 80 and len(now.f) == 85
    assert session.before(far._replace(on=False), machine, SETTING) is None
    assert session.before(far._replace(contamination="none"), machine, SETTING) is None


def test_movement_is_measured_against_the_clean_twin():
    data = Data("toy_outliers", 0, (), "flip_farthest", 2)
    setting = Setting(1.0, "linear", 1.0, 3, 1.0)
    machine = Machine("least_squares")
    now, before = session.fit(data, machine, setting), session.before(data, machine, setting)
    turned, share, change = laboratory.movement(now, before)
    cosine = before.w @ now.w / np.linalg.norm(before.w) / np.linalg.norm(now.w)
    assert turned == f"{np.degrees(np.arccos(cosine)):.1f}°"
    assert share == f"{100 * np.mean((before.field.f >= 0) != (now.field.f >= 0)):.1f} %"
    assert change == f"{100 * (now.numbers.test_error - before.numbers.test_error):+.1f} points"
    assert turned in laboratory.caption(now, before)
    assert laboratory.movement(now, None) == ["–", "–", "–"]


def test_points_as_csv(studied):
    _, problem, now = studied
    table = np.genfromtxt(export.csv(now.points).splitlines(), delimiter=",", names=True)
    assert table.dtype.names == ("x1", "x2", "y", "alpha", "margin", "outlier")
    assert np.array_equal(np.column_stack([table["x1"], table["x2"]]), problem.X)
    assert np.array_equal(table["alpha"], now.points.alpha) and np.array_equal(table["margin"], now.points.margin)


def test_tables_hold_text_not_markup():
    for html in (tables.cards([("a<b", "&")]), tables.pairs([("a<b", "&")]), tables.grid(["a<b"], [["&"]])):
        assert "a&lt;b" in html and "&amp;" in html and "a<b" not in html
