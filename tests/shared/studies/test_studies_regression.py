"""What the pages say of a regression, against svmcore asked directly."""

from dataclasses import replace

import numpy as np
import pytest

from pages.shared.controls import download
from pages.shared.live import comparison, pictures
from pages.shared.screen import edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.edits import MARKED, MOVED, OFF
from pages.shared.studies import classification, regression, results, study
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, FunctionCurve, Points, Samples
from svmcore import SVR, duals, problems
from svmcore.kernels import Kernel
from svmcore.losses import regression as regression_losses
from svmcore.problems import Problem

SINC = Data("sinc", 3, (("n", 80), ("noise", 0.1)))
BIKE = Data("motorcycle", 3, (("n", 80),))
SETTING = Setting(10.0, "rbf", 3.0, 3, 1.0)
PARAMS = {"epsilon_insensitive": (("epsilon", 0.07),), "hawkeye": (("epsilon", 0.07),)}
BOUNDED = [key for key, loss in regression_losses.LOSSES.items() if loss.bounded]
MACHINES = [Machine(loss, PARAMS.get(loss, ())) for loss in regression_losses.LOSSES]
XS, YS = np.linspace(-11.0, 60.0, 200), (-2.0, 3.0)


@pytest.fixture(scope="module", params=MACHINES, ids=lambda machine: machine.loss)
def machine(request):
    return request.param


@pytest.fixture(scope="module", params=[(SINC, 1.0), (BIKE, 100.0)], ids=["sinc", "motorcycle"])
def fitted(request, machine):
    data, unit = request.param
    problem = classification.make_problem(data)
    model = SVR(machine.loss, **dict(machine.params), C=10.0, gamma=1 / 9.0).fit(problem.X, problem.y / unit)
    return problem, model, regression.fit(problem, machine, SETTING, XS, YS, unit), unit


def test_samples_carry_what_the_model_knows(fitted):
    problem, model, now, unit = fitted
    beta = np.zeros(80)
    beta[model.support_] = model.dual_coef_[0]
    points = now.points
    assert np.array_equal(points.X, edits.places(problem)) and np.array_equal(points.ids, problem.ids)
    assert points.beta == pytest.approx(beta) and points.residual == pytest.approx(problem.y - now.f)
    if model.loss in BOUNDED:
        slopes = regression_losses.get(model.loss).slope(
            np.linspace(0.0, 9.0, 90_001), **dict(PARAMS.get(model.loss, ()))
        )
        steepest = 10.0 * slopes.max()
        assert now.bounds == pytest.approx((-steepest, steepest), rel=1e-6)
    else:
        assert now.bounds == ((-np.inf, np.inf) if model.loss == "least_squares" else (-10.0, 10.0))
    assert np.array_equal(points.state == ZERO, beta == 0)
    assert np.array_equal(points.state == UPPER, beta == now.bounds[1])
    assert np.array_equal(points.state == LOWER, beta == now.bounds[0])
    assert np.all(np.isin(points.state, (ZERO, FREE, UPPER, LOWER)))


def test_numbers(fitted):
    problem, model, now, unit = fitted
    numbers = now.numbers
    errors = [
        np.sqrt(np.mean((y - unit * model.predict(X)) ** 2))
        for X, y in ((problem.X, problem.y), (problem.X_test, problem.y_test))
    ]
    assert [numbers.train_error, numbers.test_error] == pytest.approx(errors)
    assert numbers.n_support == len(model.support_) == np.count_nonzero(now.points.beta)
    assert numbers.n_at_bound == np.sum(np.abs(now.points.beta) == now.bounds[1])
    assert numbers.sum_alpha == pytest.approx(np.abs(model.dual_coef_).sum())
    K = model.kernel_(model.support_vectors_)
    assert numbers.norm**2 == pytest.approx(float(model.dual_coef_[0] @ K @ model.dual_coef_[0]))
    assert numbers.converged and numbers.violation <= study.TOLERANCE


def test_the_certificate(fitted):
    problem, model, now, unit = fitted
    numbers = now.numbers
    assert numbers.status == ("local minimum" if model.loss in BOUNDED else "converged")
    assert numbers.dual == (None if model.loss in BOUNDED else model.objective_)
    primal = duals.regression_objective(
        model.loss, now.f / unit, problem.y / unit, 10.0, numbers.norm**2, **dict(PARAMS.get(model.loss, ()))
    )
    assert numbers.primal == pytest.approx(primal)
    if model.loss not in BOUNDED:
        assert -1e-9 * abs(numbers.dual) <= numbers.primal - numbers.dual <= study.TOLERANCE * 10.0 * 80


def test_the_words_hold(fitted):
    """Every word about a point is true of its residual, up to the tolerance of the solver."""
    _, model, now, unit = fitted
    r, epsilon, close = now.points.residual / unit, dict(PARAMS["epsilon_insensitive"])["epsilon"], 2e-3
    holds = {
        "inside the tube: |y − f| ≤ ε": np.abs(r) <= epsilon + close,
        "on the edge of the tube: |y − f| = ε": np.abs(np.abs(r) - epsilon) <= close,
        "at the upper bound, above the curve: |y − f| ≥ ε": r >= epsilon - close,
        "at the lower bound, below the curve: |y − f| ≥ ε": r <= close - epsilon,
        "on the curve: y = f": np.abs(r) <= close,
        "at the upper bound, above the curve: off the curve": r >= -close,
        "at the lower bound, below the curve: off the curve": r <= close,
        "support value β = C ℓ′(r), the slope of the loss": np.abs(
            10.0 * regression_losses.get(model.loss).slope(r, **dict(PARAMS.get(model.loss, ()))) - now.points.beta
        )
        <= close,
        "no support vector: the loss is flat there": np.abs(r) <= epsilon + close,
        "residual proportional to β": np.abs(10.0 * r - now.points.beta) <= close,
    }
    assert set(now.points.kkt) <= set(holds)
    for words, true in holds.items():
        assert np.all(true[now.points.kkt == words]), words
    kinds = {"epsilon_insensitive": 4, "least_absolute": 3, "least_squares": 1, "welsch": 1, "hawkeye": 2}
    assert len(set(now.points.kkt)) == kinds[model.loss]


def test_the_unit_scales_c_epsilon_and_tolerance(machine):
    """In a unit s: the machine of y / s is that of y with epsilon s, and with C s where the loss is linear."""
    problem, s = classification.make_problem(BIKE), 100.0
    now = regression.fit(problem, machine, SETTING, XS, YS, s)
    if machine.loss in BOUNDED:
        pytest.skip("its other parameters are in units of y, too")
    linear = machine.loss != "least_squares"
    params = {name: s * value for name, value in machine.params}
    raw = SVR(machine.loss, **params, C=10.0 * (s if linear else 1.0), gamma=1 / 9.0, tol=1e-5).fit(
        problem.X, problem.y
    )
    assert now.f == pytest.approx(raw.predict(problem.X), abs=0.01 * s)


def test_the_tube_and_the_truth_are_drawn_where_there_is_one(fitted):
    problem, model, now, unit = fitted
    assert now.field.tube == (pytest.approx(0.07 * unit) if model.loss in PARAMS else None)
    if problem.name == "sinc":
        x, y = now.field.truth
        assert np.array_equal(x, problem.X_test[:, 0]) and y == pytest.approx(np.sinc(x / np.pi))
    else:
        assert now.field.truth is None


def test_a_linear_kernel_has_a_slope():
    now = regression.fit(classification.make_problem(SINC), MACHINES[1], SETTING._replace(kernel="linear"), XS, YS)
    assert np.diff(now.field.f) / np.diff(XS) == pytest.approx(now.w[0])


# ------------------------------------------------------------------------------------------- unit


@pytest.mark.parametrize("name, expected", [("sinc", 1.0), ("motorcycle", 100.0)])
def test_the_unit_belongs_to_the_problem_not_to_the_draw(name, expected):
    for seed in range(20):
        for n in (20, 80):
            assert problems.load(name, seed, n=n).unit == expected


@pytest.mark.parametrize("scale, expected", [(1.0, 1.0), (8.2e-5, 1e-4), (3e9, 1e9), (0.0, 1.0)])
def test_the_unit_is_the_power_of_ten_next_to_the_spread(scale, expected):
    y = 5.0 + scale * np.tile([-1.0, 1.0], 10)
    nothing = np.zeros((0, 1)), np.zeros(0)
    assert Problem(np.zeros((20, 1)), y, *nothing, task="regression").unit == expected


def test_an_edit_does_not_change_the_unit():
    far = SINC._replace(edits=edits.script((0, 2), [(0, MOVED, 5, 9999)]))
    now = results.fit(far, MACHINES[1], SETTING)
    assert now.unit == 1.0 and now.points.y.max() == 999900.0


# ------------------------------------------------------------------------------------------- view


def test_the_view_holds_the_points_with_room_in_each_axis():
    base = classification.base_problem(BIKE)
    (low_x, low_y), (high_x, high_y) = edits.places(base).min(axis=0), edits.places(base).max(axis=0)
    for room, margin in ((1.0, 0.08), (3.0, 1.24)):
        xs, (low, high) = regression.view(base, BIKE._replace(room=room), 50)
        assert (xs[0], xs[-1]) == pytest.approx((low_x - margin * (high_x - low_x), high_x + margin * (high_x - low_x)))
        assert (low, high) == pytest.approx((low_y - margin * (high_y - low_y), high_y + margin * (high_y - low_y)))
        assert len(xs) == 50 and np.ptp(np.diff(xs)) == pytest.approx(0, abs=1e-12)


def test_a_point_put_outside_widens_its_axis_only_and_never_narrows_the_view():
    base = classification.base_problem(SINC)
    xs, ys = regression.view(base, SINC, 50)
    inside = SINC._replace(edits=edits.script((0, -1), [(0, MOVED, 5, 3)]))
    assert np.array_equal(regression.view(base, inside, 50)[0], xs)
    outside = SINC._replace(edits=edits.script((0, 0), [(0, MOVED, 0, 9), (-1, MOVED, 2, -4)]))
    wide_xs, (low, high) = regression.view(base, outside, 50)
    assert np.array_equal(wide_xs, xs) and low < -4 and high > 9
    roomy = SINC._replace(room=5.0)
    (low, *_, high), _ = regression.view(base, roomy, 50)
    assert low < xs[0] and high > xs[-1]
    far = roomy._replace(edits=edits.script((0, 0), [(0, MOVED, 500, 0)]))
    wide, _ = regression.view(base, far, 50)
    assert wide[0] <= low and wide[-1] > 500


def test_points_in_one_place_have_a_view():
    X, y = np.full((3, 1), 2.0), np.full(3, 7.0)
    problem = Problem(X, y, X, y, task="regression")
    xs, (low, high) = regression.view(problem, SINC, 5)
    assert xs[0] < 2.0 < xs[-1] and low < 7.0 < high
    now = regression.fit(problem, MACHINES[0], SETTING, xs, (low, high))
    assert now.field.f == pytest.approx(7.0, abs=0.08) and now.numbers.test_error <= 0.08


# ----------------------------------------------------------------------------------------- before


def straight(slope, width):
    """A study with f = slope x whose points reach from -width to width, drawn from -10 to 10."""
    xs, x, beta = np.linspace(-10.0, 10.0, 101), np.array([-width, width]), slope / width * np.array([0.0, 1.0])
    numbers = study.Numbers(*[0.0] * 2, 0, 0, *[0.0] * 5, "converged", True, "", 0, 0.0, 0.0)
    graph, kernel = FunctionCurve(xs, x, slope * xs), Kernel("linear")
    return study.FittedMachine(Samples(x, x, beta), graph, slope * x, None, (-1, 1), 0.0, numbers, kernel=kernel)


def test_movement_is_measured_over_the_range_of_the_points_before_whatever_the_pictures_show():
    largest, rms = regression.curve_change(straight(1.0, 5.0), straight(3.0, 10.0))
    assert largest == pytest.approx(10.0) and rms == pytest.approx(np.sqrt(4 * 25 / 3), rel=0.02)
    assert regression.curve_change(straight(1.0, 5.0), straight(1.0, 5.0)) == (0.0, 0.0)
    far, xs = straight(3.0, 10.0), np.linspace(-40.0, 90.0, 101)
    wide = far._replace(field=far.field._replace(xs=xs, f=3.0 * xs))
    assert regression.curve_change(straight(1.0, 5.0), wide) == pytest.approx((largest, rms))
    outside = straight(1.0, 40.0)  # a point that is back in the picture
    assert regression.curve_change(outside, far)[0] == pytest.approx(80.0)


def test_an_outlier_by_hand_has_a_clean_twin():
    marked = SINC._replace(edits=edits.script((-1, -1), [(0, MOVED | MARKED, 0, 300)]))
    machine = MACHINES[1]
    now, before = results.fit(marked, machine, SETTING), results.fit_before(marked, machine, SETTING)
    assert now.points.outlier.sum() == 1 and not before.points.outlier.any() and len(before.f) == 79
    (largest, rms, change), moved = comparison.movement(now, before)
    assert [largest, rms] == [f"{value:.4g}" for value in regression.curve_change(before, now)]
    assert change == f"{now.numbers.test_error - before.numbers.test_error:+.4g}"
    assert largest in moved and moved in pictures.error_caption(now, moved)
    assert results.fit_before(marked._replace(on=False), machine, SETTING) is None
    assert pictures.error_caption(before) == f"test RMSE {before.numbers.test_error:.4g}"


def test_while_a_point_moves_the_curve_is_coarse():
    machine = MACHINES[1]
    assert len(results.fit(SINC, machine, SETTING, moving=True).field.xs) == 300
    assert len(results.fit(SINC, machine, SETTING).field.xs) == 600


def test_points_switched_off_and_bare_points():
    off = results.points_off(SINC._replace(edits=edits.script((-1, -1), [(4, OFF)])))
    problem = classification.base_problem(SINC)
    assert isinstance(off, Samples) and off.ids.tolist() == [4]
    assert (off.x[0], off.y[0]) == (problem.X[4, 0], problem.y[4])
    assert results.points_off(SINC) is None
    assert isinstance(results.extent(SINC), FunctionCurve) and results.extent(SINC).f is None
    assert isinstance(classification.bare(problems.load("moons")), Points)


def test_two_points_are_enough_and_one_is_not():
    problem = classification.base_problem(SINC)
    one, two = (replace(problem, X=problem.X[:k], X_clean=None, y=problem.y[:k], y_clean=problem.y[:k],
                        added=problem.added[:k], ids=problem.ids[:k]) for k in (1, 2))  # fmt: skip
    assert "two points" in regression.missing_sentence(one) and regression.missing_sentence(two) is None


# ----------------------------------------------------------------------------------------- export


def test_points_as_csv(fitted):
    problem, _, now, _ = fitted
    table = np.genfromtxt(download.points_csv(now.points).splitlines(), delimiter=",", names=True)
    assert table.dtype.names == ("x1", "y", "beta", "residual", "outlier")
    assert np.array_equal(np.column_stack([table["x1"], table["y"]]), edits.places(problem))
    assert np.array_equal(table["beta"], now.points.beta) and np.array_equal(table["residual"], now.points.residual)
    assert not table["outlier"].any()
