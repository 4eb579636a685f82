"""More than two classes: machines as in scikit-learn, regions as it predicts, and code that prints the same."""

from functools import partial

import numpy as np
import pytest
from javascript import WEB
from sklearn.multiclass import OneVsRestClassifier
from written import numbers_in

from pages.shared.figures import palette
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.regions import KINDS, regions_figure
from pages.shared.screen import edits
from pages.shared.screen.choices import MACHINES, Data, Machine, Setting
from pages.shared.studies import classification, one_vs_rest, snippet
from pages.shared.studies.arrays import ZERO
from pages.shared.studies.formatting import percent
from svmcore import SVC, grid, problems
from svmcore.losses import LOSSES
from svmcore.studies import plane

DATA = Data("three_clouds", 3, (("n", 60), ("noise", 0.9)))
SETTINGS = {"linear": Setting(1.0, "linear", 2.0), "rbf": Setting(2.0, "rbf", 1.5)}


def found(loss="hinge", kernel="rbf"):
    problem = classification.make_problem(DATA)
    xs, ys = grid.axes(problem.X, 40)
    machine = Machine.from_loss(loss)
    return problem, one_vs_rest.fit(problem, machine, SETTINGS[kernel], xs, ys)


@pytest.mark.parametrize("kernel", SETTINGS)
@pytest.mark.parametrize("loss", ["hinge", "least_squares", "ramp"])
def test_the_machines_are_those_of_scikit_learn(loss, kernel):
    problem, shown = found(loss, kernel)
    setting = SETTINGS[kernel]
    params = {p.name: p.default for p in LOSSES[loss].parameters} or None
    own = SVC(loss, params, C=setting.C, kernel=kernel, gamma=1 / setting.sigma**2, tol=1e-3, max_iter=1_000_000)
    model = OneVsRestClassifier(own).fit(problem.X, problem.y)
    assert np.array_equal(shown.points.predicted, model.predict(problem.X))
    assert shown.train_error == pytest.approx(1 - model.score(problem.X, problem.y))
    assert shown.test_error == pytest.approx(1 - model.score(problem.X_test, problem.y_test))
    for row, one, status in zip(shown.support, model.estimators_, shown.statuses, strict=True):
        assert np.array_equal(np.flatnonzero(row), np.sort(one.support_)) and status == one.status_
    places = np.stack(np.meshgrid(shown.field.xs, shown.field.ys), axis=-1).reshape(-1, 2)
    values = model.decision_function(places).T.reshape(3, 40, 40)
    assert shown.field.values == pytest.approx(values, abs=1e-5)
    regions = np.array(problem.classes)[np.argmax(shown.field.leads, axis=0)]
    assert np.mean(regions.ravel() == model.predict(places)) > 0.999  # f is in single precision
    assert np.all(np.sum(shown.field.leads > 0, axis=0) == 1)
    assert shown.field.contested_share == pytest.approx(np.mean((values > 0).sum(axis=0) != 1), abs=1e-3)


def test_a_run_that_is_cut_short_is_reported(monkeypatch):
    monkeypatch.setattr(classification.study, "MAX_ITER", 1)
    shown = found()[1]
    assert not shown.all_converged and set(shown.statuses) == {"iteration limit"}


@pytest.mark.parametrize("theme", palette.THEMES)
def test_each_region_has_a_colour_a_symbol_and_a_name(theme):
    problem, shown = found()
    figure = machine_figure(shown.field, shown.points)
    traces = {trace["name"]: trace for trace in figure.traces}
    assert len({traces[f"points {k}"]["marker"]["symbol"] for k in (1, 2, 3)}) == 3
    assert len({traces[f"region {k}"]["fillcolor"] for k in (1, 2, 3)}) == 3
    for k in (1, 2, 3):
        dots, name, lead = traces[f"points {k}"], traces[f"name {k}"], traces[f"region {k}"]["z"]
        members = np.flatnonzero(problem.y == k)
        assert np.array_equal(np.column_stack([dots["x"], dots["y"]]), problem.X[members])
        assert name["text"] == [f"<b>class {k}</b>"] and "α = " in dots["hovertemplate"]
        assert "%{text}" in dots["hovertemplate"]  # on the machine whose α it is
        row, column = (
            np.argmin(abs(axis - at)) for axis, at in ((shown.field.ys, name["y"][0]), (shown.field.xs, name["x"][0]))
        )
        assert lead[row, column] > 0  # the name of a class lies in its region
        used = shown.support.any(axis=0)[members]
        assert np.array_equal(dots["marker"]["line"]["width"] > 1, used)
        assert f"class {k}" in figure.layout["annotations"][0]["text"] and f"20 of class {k}" in figure.alt
    palette.resolve(figure, theme)  # Plotly's own check of every property


def test_a_class_without_a_region_has_no_name_and_there_are_symbols_for_three_classes_only():
    _, shown = found()
    with pytest.raises(ValueError, match="symbols for 3 classes, got 4"):
        regions_figure(shown.field, shown.points._replace(classes=(1.0, 2.0, 3.0, 4.0)))
    values = shown.field.values.copy()
    values[1] = values.min() - 1.0
    picture = regions_figure(shown.field._replace(values=values), shown.points)
    (name,) = (trace for trace in picture.traces if trace["name"] == "name 2")
    assert name["text"] == [""]


@pytest.mark.parametrize("loss", ["hinge", "ramp"])
def test_the_code_prints_what_the_page_shows(loss, capsys):
    problem, shown = found(loss)
    machine = Machine.from_loss(loss)
    exec(snippet.code(DATA, machine, SETTINGS["rbf"]), {})
    train, test, *rows = capsys.readouterr().out.splitlines()
    assert float(train.split()[-1]) == pytest.approx(shown.train_error)
    assert float(test.split()[-1]) == pytest.approx(shown.test_error)
    for kind, row, status, text in zip(problem.classes, shown.support, shown.statuses, rows, strict=True):
        assert numbers_in(text) == [kind, row.sum()] and text.endswith(status)


def test_a_point_has_the_largest_of_its_support_values_and_says_of_which_machine():
    problem, shown = found()
    alpha = np.array([np.abs(one.points.alpha) for one in shown.machines])
    assert np.array_equal(shown.points.alpha, alpha.max(axis=0))
    assert np.array_equal(shown.points.state != ZERO, shown.support.any(axis=0))
    row = int(np.argmax(shown.points.alpha))
    assert numbers_in(shown.points.kkt[row]) == [3, np.argmax(alpha[:, row]) + 1]
    free = int(np.argmin(shown.points.alpha))
    assert shown.points.alpha[free] == 0.0 and numbers_in(shown.points.kkt[free]) == [3]
    traces = {trace["name"]: trace for trace in machine_figure(shown.field, shown.points).traces}
    of = traces[f"points {problem.y[row]:g}"]
    assert of["customdata"][list(of["customdata"][:, 0]).index(row), 1] == pytest.approx(shown.points.alpha[row])


def test_the_outliers_and_their_effect_are_drawn():
    problem, shown = found()
    script = edits.script((-2, -2), [(0, edits.TURNED | edits.MARKED, 0, 0), (4, edits.OFF, 0, 0), (7, edits.GONE)])
    after = edits.apply(problem, script)
    assert after.problem.y[0] == 3.0 and after.problem.outlier[0] and len(after.problem.y) == 58
    now = one_vs_rest.fit(after.problem, Machine("hinge"), SETTINGS["rbf"], shown.field.xs, shown.field.ys)
    off = classification.bare(after.off)
    picture = machine_figure(now.field, now.points, ghost=shown.field, off=off)
    names = [trace["name"] for trace in picture.traces]
    assert {"ghost 1", "ghost 2", "ghost 3", "switched off", "outliers"} < set(names)
    for words in ("Grey lines show the boundaries without the outliers", "1 outlier ringed", "1 point switched off"):
        assert words in picture.alt
    estimator = partial(one_vs_rest.estimator, Machine("hinge"), SETTINGS["rbf"])
    share = plane.change(*(estimator().fit(p.X, p.y) for p in (problem, after.problem)), problem.X)
    (said, *_), moved = classification.movement(shown, now)
    assert share > 0 and said == percent(share) and said in moved
    palette.resolve(picture)


def test_a_class_that_has_lost_its_points_keeps_its_place():
    problem, _ = found()
    script = edits.script((-2, -2), [(int(k), edits.GONE) for k in np.flatnonzero(problem.y == 2)])
    left = edits.apply(problem, script).problem
    assert left.classes == (1.0, 2.0, 3.0)
    assert "class 2:" in classification.missing_sentence(left)
    picture = machine_figure(
        one_vs_rest.extent(np.linspace(-3, 3, 5), np.linspace(-3, 3, 5), left), classification.bare(left)
    )
    traces = {trace["name"]: trace for trace in picture.traces}
    assert list(traces) == ["points 1", "points 2", "points 3"] and not len(traces["points 2"]["x"])
    assert traces["points 3"]["marker"]["symbol"] == "triangle-up"


def test_the_browser_gives_classes_the_same_looks(modules):
    classes = f"{WEB}/base/classes.js"
    looks = modules.call(classes, "lookOf", [1, 2, 3], 3), modules.call(classes, "LOOKS")
    assert looks[1] == [{"ink": ink, "symbol": symbol} for ink, symbol in KINDS] and looks[0] == looks[1][2]


def test_the_clouds_are_where_they_are_said_to_be():
    quiet = problems.load("three_clouds", noise=0.0, n=30)
    assert np.array_equal(np.unique(quiet.y), [1.0, 2.0, 3.0]) and quiet.task == "multiclass"
    angles = np.degrees(np.arctan2(quiet.X[:, 1], quiet.X[:, 0])) % 360
    assert np.allclose(angles, 120 * quiet.y - 30) and np.allclose(np.hypot(*quiet.X.T), 2.0)
    assert MACHINES["multiclass"] == MACHINES["classification"]
