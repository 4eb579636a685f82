"""The sparse LS-SVM as the page shows it: the machine, its film, the map; oracles are the estimators."""

import numpy as np
import pytest
from written import number_in

from pages.shared.figures.drawing import with_films
from pages.shared.screen.choices import Data, Machine, Reweighting, Setting
from pages.shared.studies import classification, regression, sparsity, tasks
from pages.shared.studies.arrays import Field
from pages.shared.studies.sparsity import Cell, MapRequest
from svmcore import SparseLSSVC, SparseLSSVR, problems
from svmcore.solvers import blas
from svmcore.status import Status

RIPLEY, SINC = Data("ripley", 0, (("n", 250),)), Data("sinc", 0, (("n", 60), ("noise", 0.1)))
SETTING = Setting(10.0, "rbf", 0.7, 3, 1.0)
WIDE = SETTING._replace(C=100.0, sigma=2.0)
AXIS = np.linspace(-1.2, 1.0, 21)


@pytest.fixture(autouse=True)
def one_thread():
    with blas.one_thread():
        yield


def problem_of(data):
    return problems.load(data.problem, data.seed, **{k: v for k, v in data.options if data.problem == "sinc"})


def fitted(data, setting, how):
    problem = problem_of(data)
    if data.task == "regression":
        return problem, sparsity.fit(problem, setting, how, np.linspace(-10, 10, 50), np.array([-1.0, 1.0]), 0.1)
    return problem, sparsity.fit(problem, setting, how, AXIS, AXIS)


@pytest.mark.parametrize("how", [Reweighting(), Reweighting("inverse_square", "strict"), Reweighting("literal")])
def test_the_machine_is_the_estimators(how):
    problem, found = fitted(RIPLEY, SETTING, how)
    model = SparseLSSVC(C=10.0, gamma=0.7**-2, **how.options).fit(problem.X, problem.y)
    f, n = model.decision_function(problem.X), found.numbers
    assert found.f == pytest.approx(f, abs=1e-8) and found.points.margin == pytest.approx(problem.y * f, abs=1e-8)
    beta = np.zeros(250)
    beta[model.support_] = model.dual_coef_[0]
    assert found.points.alpha == pytest.approx(problem.y * beta, rel=1e-6)
    assert np.array_equal(found.points.state != 0, beta != 0.0) and found.task == "classification"
    stable = beta * 10.0 * (SETTING.as_kernel()(problem.X) @ (problem.y - f))  # 1 in the limit
    said = {k: number_in(found.points.kkt[k].partition("β p = ")[2]) for k in model.support_}
    assert said == pytest.approx({k: stable[k] for k in said}, rel=0.01)
    assert (n.n_support, n.n_iter, n.status) == (len(model.support_), model.n_iter_, model.status_)
    assert (n.train_error, n.test_error) == pytest.approx(
        [1 - model.score(problem.X, problem.y), 1 - model.score(problem.X_test, problem.y_test)]
    )
    assert n.norm**2 == pytest.approx(beta @ (f - model.intercept_[0]), rel=1e-6) and n.dual is None
    ys, xs = np.meshgrid(AXIS, AXIS, indexing="ij")
    drawn = model.decision_function(np.column_stack([xs.ravel(), ys.ravel()])).reshape(21, 21)
    assert found.field.f == pytest.approx(drawn, abs=1e-5)
    assert n.solve_time > 0.0


def test_a_curve_is_fitted_in_its_unit():
    problem, found = fitted(SINC, WIDE, Reweighting())
    model = SparseLSSVR(C=100.0, gamma=0.25).fit(problem.X, problem.y / 0.1)
    assert found.f == pytest.approx(0.1 * model.predict(problem.X), abs=1e-8) and found.unit == 0.1
    assert found.field.f == pytest.approx(0.1 * model.predict(found.field.xs[:, None]), abs=1e-8)
    assert found.points.residual == pytest.approx(problem.y - found.f)
    assert found.numbers.train_error == pytest.approx(np.sqrt(np.mean((problem.y - found.f) ** 2)))
    assert found.field.truth is not None and found.task == "regression"


def test_a_constant_is_drawn_and_told_and_too_many_points_are_refused():
    _, found = fitted(RIPLEY, SETTING._replace(C=1e-3), Reweighting())
    assert found.numbers.status == Status.CONSTANT and not found.numbers.converged
    assert np.ptp(found.field.f) == 0.0 and found.numbers.n_support == 0
    with pytest.raises(ValueError, match="up to 1000 points, and this problem has 1001; use fewer"):
        sparsity.solver_input(problems.load("moons", n=1001), SETTING)


@pytest.mark.parametrize("how", [Reweighting(), Reweighting("literal", "strict")])
def test_its_estimator_runs_as_it_does(how):
    setting = Setting(3.0, "poly", 0.5, 2, 0.7)
    for task, kind in (("classification", SparseLSSVC), ("regression", SparseLSSVR)):
        made = sparsity.estimator(task, sparsity.machine(how), setting)
        wanted = dict(C=3.0, kernel="poly", gamma=4.0, degree=2, coef0=0.7, **how.options)
        assert type(made) is kind and made.get_params().items() >= wanted.items()


@pytest.mark.parametrize(
    "data, setting, unit", [(RIPLEY, SETTING, 1.0), (RIPLEY, SETTING._replace(kernel="linear"), 1.0), (SINC, WIDE, 0.1)]
)
@pytest.mark.parametrize("how", [Reweighting(), Reweighting("inverse_square", "strict")])
def test_the_last_moment_of_the_film_is_the_machine(data, setting, unit, how):
    problem, found = fitted(data, setting, how)
    xs, ys = (found.field.xs, found.field.ys)
    extent = regression.extent(xs, ys, problem) if data.task == "regression" else Field(xs, ys)
    what = with_films(sparsity.rounds(sparsity.solver_input(problem, setting, unit), how, extent))
    machine, ranks = what.screens
    assert len(what.ticks) == len(machine.film.marks) == len(ranks.film.marks) == found.numbers.n_iter + 1
    sizes = np.abs(found.points.alpha) * np.abs(setting.as_kernel()(problem.X)).max(axis=1)
    assert 10.0 ** ranks.film.moves["ranked"]["y"][-1][: found.numbers.n_support] == pytest.approx(
        np.sort(sizes)[::-1][: found.numbers.n_support], rel=1e-4
    )
    if data.task == "regression":
        assert machine.film.moves["curve"]["y"][-1] == pytest.approx(found.field.f, abs=1e-4)
        ls = regression.fit(problem, Machine("least_squares"), setting, xs, ys, unit)
        assert machine.film.moves["curve"]["y"][0] == pytest.approx(ls.field.f, abs=1e-3)
    else:
        drawn = machine.film.z[-1] * machine.film.unit[-1]
        assert drawn == pytest.approx(np.clip(found.field.f, -4, 4), abs=1e-3)
        ls = classification.fit(problem, Machine("least_squares"), setting, xs, ys)
        assert machine.film.z[0] * machine.film.unit[0] == pytest.approx(np.clip(ls.field.f, -4, 4), abs=1e-3)
    left, gain, step = what.charts
    assert left.lines[0].y[0] == len(problem.y) and left.lines[0].y[-1] == found.numbers.n_support
    assert np.all(np.diff(left.lines[0].y) <= 0) and gain.lines[0].y[-1] == pytest.approx(0.0, abs=1e-6)
    assert step.lines[0].y[-1] < how.options["tol"] or how.stop == "strict"
    assert what.ticks[0].words[0].startswith("The start: the LS-SVM")
    assert f"{found.numbers.n_iter} rounds: converged." in " ".join(what.ticks[-1].words)
    assert machine.film.marks[-1]["ringed"] == np.flatnonzero(found.points.alpha).tolist()
    crossed = sum(len(marks["crossed"]) for marks in machine.film.marks)
    assert crossed == len(problem.y) - found.numbers.n_support
    assert what.charts[0].places == [tick.iteration for tick in what.ticks]


@pytest.mark.parametrize("data, unit", [(RIPLEY._replace(problem="moons"), 1.0), (SINC, 0.1)])
def test_the_film_shows_the_points_of_the_problem(data, unit):
    problem = problem_of(data)
    moved = problems.registry.replace(problem, y=np.append(problem.y[:-1], -problem.y[-1]))
    extent = tasks.task_of(problem).extent(AXIS, AXIS, problem)
    film = sparsity.rounds(sparsity.solver_input(moved, SETTING, unit), Reweighting(), extent).screens[0].film
    points = film.samples if data is SINC else film.points
    assert points.y == pytest.approx(moved.y, rel=1e-15) and points.outlier.tolist() == moved.outlier.tolist()
    assert points.outlier[-1] and not points.outlier[:-1].any() and points.ids is None
    assert np.array_equal(points.X, tasks.task_of(problem).bare(moved).X) or data is SINC


# ------------------------------------------------------------------------------------------------------------ the map


def test_the_order_is_coarse_to_fine_and_complete():
    order = list(sparsity.order())
    assert len(order) == len(set(order)) == sparsity.CELLS**2
    assert set(order[:16]) == {(c, r) for c in range(0, 13, 4) for r in range(0, 13, 4)}
    assert set(order[:49]) == {(c, r) for c in range(0, 13, 2) for r in range(0, 13, 2)}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # a cell says it itself
@pytest.mark.parametrize("data, sigma, unit", [(RIPLEY, 1.0, 1.0), (SINC, 2.0, 0.1)])
def test_a_cell_is_the_estimator_there(data, sigma, unit, monkeypatch):
    monkeypatch.setattr(sparsity, "order", lambda: iter([(4, 6), (8, 6), (12, 4), (0, 12)]))
    problem, asked = problem_of(data), MapRequest(data, sigma, Reweighting())
    C, sigmas = asked.axes
    assert sigmas[6] == pytest.approx(sigma) and (C[0], C[-1]) == pytest.approx((0.1, 1000.0))
    for cell in sparsity.cells(asked, problem, unit):
        options = dict(C=C[cell.column], gamma=sigmas[cell.row] ** -2.0)
        machine = SparseLSSVR if data.task == "regression" else SparseLSSVC
        model = machine(**options).fit(problem.X, problem.y / unit)
        predicted = model.predict(problem.X_test)
        if data.task == "regression":
            error = np.sqrt(np.mean((problem.y_test - unit * predicted) ** 2))
        else:
            error = np.mean(predicted != problem.y_test)
        assert cell.error == pytest.approx(error, rel=1e-6)
        assert (cell.n_support, cell.status) == (len(model.support_), model.status_)


def test_without_test_points_the_training_points_judge(monkeypatch):
    monkeypatch.setattr(sparsity, "order", lambda: iter([(6, 6)]))
    problem = problem_of(RIPLEY)
    alone = problems.registry.replace(problem, X_test=np.empty((0, 2)), y_test=np.empty(0))
    asked = MapRequest(RIPLEY, 0.7, Reweighting())
    (cell,) = sparsity.cells(asked, alone)
    _, found = fitted(RIPLEY, SETTING._replace(C=float(asked.axes[0][6]), sigma=float(asked.axes[1][6])), Reweighting())
    assert cell.error == found.numbers.train_error


def test_what_is_not_there_yet_looks_like_the_coarser_cell():
    found = [Cell(0, 0, 0.5, 9, "converged"), Cell(4, 0, 0.2, 0, "iteration limit"), Cell(5, 1, 0.1, 3, "converged")]
    errors, counts = sparsity.rasters(found)
    assert errors[0, 0] == errors[3, 3] == 0.5 and errors[0, 4] == errors[1, 4] == 0.2 and errors[1, 5] == 0.1
    assert np.isnan(errors[4, 4]) and np.isnan(counts[0, 4]) and counts[1, 5] == 3 and counts[3, 3] == 9
    best = sparsity.best([*found, Cell(6, 6, 0.1, 2, "converged")])
    assert [cell.n_support for cell in best] == [2, 3, 9]  # a constant is nothing to load
    tiny = [cell._replace(error=1e-9 * cell.error) for cell in found[::2]]  # in the unit of a curve
    assert [cell.n_support for cell in sparsity.best(tiny)] == [3, 9]
    asked = MapRequest(RIPLEY, 1.0, Reweighting())
    assert sparsity.description(found[0], asked) == "C = 0.1, σ = 0.125: error 50.0\u202f%, 9 support vectors"
    curve = asked._replace(data=SINC)
    assert sparsity.description(found[1], curve) == "C = 2.15, σ = 0.125: RMSE 0.2, constant, no support vector"
