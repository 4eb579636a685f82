"""More than two classes: machines as in scikit-learn, regions as it predicts, and code that prints the same."""

import numpy as np
import pytest
from sklearn.multiclass import OneVsRestClassifier

from pages.shared import figures, palette
from pages.shared.choices import MACHINES, Data, Machine, Setting
from pages.shared.studies import classification, one_vs_rest, snippet
from svmcore import SVC, grid, problems
from svmcore.losses import LOSSES

DATA = Data("three_clouds", 3, (("n", 60), ("noise", 0.9)))
SETTINGS = {"linear": Setting(1.0, "linear", 2.0), "rbf": Setting(2.0, "rbf", 1.5)}


def found(loss="hinge", kernel="rbf"):
    problem = classification.make_problem(DATA)
    xs, ys = grid.axes(problem.X, 40)
    machine = Machine.of(loss, {p.name: p.default for p in LOSSES[loss].parameters})
    return problem, one_vs_rest.fit(problem, machine, SETTINGS[kernel], xs, ys)


@pytest.mark.parametrize("kernel", SETTINGS)
@pytest.mark.parametrize("loss", ["hinge", "least_squares", "ramp"])
def test_the_machines_are_those_of_scikit_learn(loss, kernel):
    problem, shown = found(loss, kernel)
    setting = SETTINGS[kernel]
    params = {p.name: p.default for p in LOSSES[loss].parameters} or None
    own = SVC(loss, params, C=setting.C, kernel=kernel, gamma=1 / setting.sigma**2, tol=1e-3, max_iter=1_000_000)
    model = OneVsRestClassifier(own).fit(problem.X, problem.y)
    assert np.array_equal(shown.predicted, model.predict(problem.X))
    assert shown.train_error == pytest.approx(1 - model.score(problem.X, problem.y))
    assert shown.test_error == pytest.approx(1 - model.score(problem.X_test, problem.y_test))
    for row, one, status in zip(shown.support, model.estimators_, shown.statuses, strict=True):
        assert np.array_equal(np.flatnonzero(row), one.support_) and status == one.status_
    places = np.stack(np.meshgrid(shown.xs, shown.ys), axis=-1).reshape(-1, 2)
    values = model.decision_function(places).T.reshape(3, 40, 40)
    assert shown.values == pytest.approx(values, abs=1e-5)
    regions = shown.classes[np.argmax(shown.leads, axis=0)]
    assert np.mean(regions.ravel() == model.predict(places)) > 0.999  # f is in single precision
    assert np.all(np.sum(shown.leads > 0, axis=0) == 1)
    assert shown.contested == pytest.approx(np.mean((values > 0).sum(axis=0) != 1), abs=1e-3)


def test_a_run_that_is_cut_short_is_reported(monkeypatch):
    monkeypatch.setattr(classification.study, "MAX_ITER", 1)
    shown = found()[1]
    assert not shown.converged and set(shown.statuses) == {"iteration limit"}


@pytest.mark.parametrize("theme", palette.THEMES)
def test_each_region_has_a_colour_a_symbol_and_a_name(theme):
    problem, shown = found()
    figure = figures.regions(shown)
    traces = {trace["name"]: trace for trace in figure.traces}
    assert len({traces[f"points {k}"]["marker"]["symbol"] for k in (1, 2, 3)}) == 3
    assert len({traces[f"region {k}"]["fillcolor"] for k in (1, 2, 3)}) == 3
    for k in (1, 2, 3):
        dots, name, lead = traces[f"points {k}"], traces[f"name {k}"], traces[f"region {k}"]["z"]
        members = np.flatnonzero(problem.y == k)
        assert np.array_equal(np.column_stack([dots["x"], dots["y"]]), problem.X[members])
        assert name["text"] == [f"<b>class {k}</b>"]
        row, column = (np.argmin(abs(axis - at)) for axis, at in ((shown.ys, name["y"][0]), (shown.xs, name["x"][0])))
        assert lead[row, column] > 0  # the name of a class lies in its region
        used = shown.support.any(axis=0)[members]
        assert np.array_equal(dots["marker"]["size"] > 10, used)
        assert f"class {k}" in figure.layout["annotations"][0]["text"] and f"20 of class {k}" in figure.alt
    palette.resolve(figure, theme)  # Plotly's own check of every property


def test_there_are_symbols_for_three_classes_only():
    _, shown = found()
    four = shown._replace(classes=np.arange(4.0), values=np.concatenate([shown.values, shown.values[:1]]))
    with pytest.raises(ValueError, match="symbols for 3 classes, got 4"):
        figures.regions(four)


def test_a_class_without_a_region_has_no_name():
    _, shown = found()
    values = shown.values.copy()
    values[1] = values.min() - 1.0
    (name,) = (trace for trace in figures.regions(shown._replace(values=values)).traces if trace["name"] == "name 2")
    assert name["text"] == [""]


@pytest.mark.parametrize("loss", ["hinge", "ramp"])
def test_the_code_prints_what_the_page_shows(loss, capsys):
    problem, shown = found(loss)
    machine = Machine.of(loss, {p.name: p.default for p in LOSSES[loss].parameters})
    exec(snippet.code(DATA, machine, SETTINGS["rbf"]), {})
    train, test, *rows = capsys.readouterr().out.splitlines()
    assert float(train.split()[-1]) == pytest.approx(shown.train_error)
    assert float(test.split()[-1]) == pytest.approx(shown.test_error)
    for kind, row, status, text in zip(shown.classes, shown.support, shown.statuses, rows, strict=True):
        assert text == f"class {kind} against the rest: {row.sum()} support vectors, {status}"


def test_the_clouds_are_where_they_are_said_to_be():
    quiet = problems.load("three_clouds", noise=0.0, n=30)
    assert np.array_equal(np.unique(quiet.y), [1.0, 2.0, 3.0]) and quiet.task == "multiclass"
    angles = np.degrees(np.arctan2(quiet.X[:, 1], quiet.X[:, 0])) % 360
    assert np.allclose(angles, 120 * quiet.y - 30) and np.allclose(np.hypot(*quiet.X.T), 2.0)
    assert MACHINES["multiclass"] == MACHINES["classification"]
