"""The Sparsity page without a browser: what is drawn and told, links, the map begun, stopped, kept and loaded."""

import re

import numpy as np
import pytest
from screen import captions, healthy, html, notes, open_page, pictures, press, transports, value, worked
from sklearn.model_selection import StratifiedKFold

from pages.shared.figures.cells import contrast_limit
from pages.shared.panels import cell_map, tuning_panel
from pages.shared.screen.choices import ISLS_NAME, Data, Reweighting, Setting
from pages.shared.server.jobs import Job
from pages.shared.studies import classification, results, runs, sparsity
from pages.shared.studies.sparsity import MapRequest
from svmcore import SVC, SparseLSSVC, problems, words
from svmcore.status import Status
from svmcore.watch import registry

pytestmark = pytest.mark.usefixtures("warm")

PAGE = "pages/sparsity.py"
RIPLEY = dict(problem="ripley", C="10", sigma="0.7")
CURVE = dict(problem="sinc", n="60")


def table(app):
    """name -> cells of the table of machines."""
    rows = re.findall(r"<tr><th scope='row'>(.*?)</th>(.*?)</tr>", html(app, "test "))
    return {name: re.findall("<td>(.*?)</td>", cells) for name, cells in rows}


def test_three_machines_side_by_side():
    app = healthy(open_page(PAGE, **RIPLEY))
    drawn = pictures(app)
    names = ["LS-SVM", ISLS_NAME, "L1-SVM"]
    assert list(drawn)[:3] == [f"machine-{name}" for name in names] and notes(app) == []
    problem = problems.load("ripley")
    given = dict(C=10.0, gamma=0.7**-2)
    models = [SVC("least_squares", **given), SparseLSSVC(**given), SVC(**given)]
    for name, model in zip(names, models, strict=True):
        model.fit(problem.X, problem.y)
        test, training, support, _, status, _, largest = table(app)[name]
        assert test == f"{100 * (1 - model.score(problem.X_test, problem.y_test)):.1f}\u202f%"
        assert training == f"{100 * (1 - model.score(problem.X, problem.y)):.1f}\u202f%"
        assert (support, status) == (str(len(model.support_)), "converged")
        ringed = name == ISLS_NAME
        sentence = captions(app)
        assert f"{support} of 250 support vectors{', ringed' * ringed}" in sentence
        assert float(largest) == pytest.approx(np.max(np.abs(model.dual_coef_)), rel=5e-3)
        rings = [trace for trace in drawn[f"machine-{name}"]["data"] if trace["name"] == "support"]
        if ringed:
            assert sorted(int(index) for (index,) in rings[0]["customdata"]) == model.support_.tolist()
            assert np.column_stack([rings[0]["x"], rings[0]["y"]]) == pytest.approx(problem.X[model.support_])
            assert f"{support} support vectors" in drawn[f"machine-{name}"]["layout"]["meta"]["alt"]
        else:
            assert rings == []
    spec = transports(app)["film"]
    assert spec["ticks"][-1]["label"] == f"round {models[1].n_iter_} of {models[1].n_iter_}"
    charts = [chart.title for chart in registry.DESCRIPTIONS["isls"].words.charts]
    assert [name for name in drawn if name.startswith(("film", "chart"))] == [
        "film-1", "film-0", f"chart-{charts[0]}", f"chart-{runs.DISTANCE}", f"chart-{charts[1]}",
    ]  # fmt: skip
    assert all(figure["layout"]["meta"]["alt"] for figure in drawn.values())


def test_a_curve_has_residuals():
    app = healthy(open_page(PAGE, **CURVE))
    drawn = pictures(app)
    assert "residuals" in drawn and list(table(app)) == ["LS-SVM", ISLS_NAME, "ε-SVR (ε = 0.1)"]
    machine = {trace["name"]: trace for trace in drawn[f"machine-{ISLS_NAME}"]["data"]}
    rests = {trace["name"]: trace for trace in drawn["residuals"]["data"]}
    assert len(rests) == 3 and len(machine["points"]["x"]) == len(rests["LS-SVM"]["x"]) == 60
    data = Data("sinc", 0, (("n", 60), ("noise", 0.1)))
    setting = Setting(100.0, "rbf", 2.0, 3, 1.0)
    found = results.fit(data, sparsity.machine(Reweighting()), setting)
    assert rests[ISLS_NAME]["y"] == pytest.approx(found.points.residual.tolist())
    assert drawn["film-0"]["layout"]["meta"]["layers"] and "curve" in [t["name"] for t in drawn["film-0"]["data"]]
    said = f"{drawn} {transports(app)} {[part.value for part in app.main if hasattr(part, 'value')]}"
    assert "β p = " in said and "Δβ" in said and said.count("α") == said.count("(y α for classes)") == 1


def test_a_rule_that_stops_too_early_has_a_caption():
    told = [captions(healthy(open_page(PAGE, problem="sinc", **link))) for link in ({}, {"stop": "strict"})]
    assert ["stable or pruned" in text for text in told] == [True, False]


def test_a_click_means_powers_of_ten(monkeypatch):
    loaded = []
    monkeypatch.setattr(cell_map, "load", lambda *place: loaded.extend(place))
    cell_map._pick(2, -1.0)
    cell_map._pick(1e9, -1e9)  # no place of a picture
    assert loaded == pytest.approx([100.0, 0.1, 1e300, 1e-300])


def test_a_collapse_is_reported_and_other_kernels_have_no_map():
    app = healthy(open_page(PAGE, problem="ripley", C="0.001"))
    assert str(Status.CONSTANT) in " ".join(notes(app))
    assert table(app)[ISLS_NAME][4] == "constant"
    app = healthy(open_page(PAGE, problem="ripley", kernel="linear", C="10"))
    assert "Gaussian" in captions(app) and "cells_start" not in [button.key for button in app.button]


@pytest.fixture
def few(monkeypatch):
    """A map of four cells."""
    cells = [(0, 0), (8, 6), (6, 8), (12, 12)]
    monkeypatch.setattr(sparsity, "order", lambda: iter(cells))
    monkeypatch.setattr(cell_map, "begin", lambda asked: Job(asked, found(asked), len(cells)))
    return cells


def found(asked):
    return sparsity.cells(asked, results.problem(asked.data), results.unit(asked.data))


def test_the_map_is_computed_kept_and_loaded(few):
    link = dict(RIPLEY, seed="11")
    app = healthy(open_page(PAGE, **link))
    assert "cells-error" not in pictures(app)
    job = worked(press(app, "Compute the map"), "cells")
    drawn = pictures(app)
    assert {"cells-error", "cells-count"} <= set(drawn)
    heat, ring = drawn["cells-error"]["data"]
    assert np.isfinite(np.array(heat["z"], float)).sum() >= 4 and (ring["x"], ring["y"]) == (
        [pytest.approx(1.0)],
        [pytest.approx(np.log10(0.7))],
    )
    assert heat["zmax"] == pytest.approx(contrast_limit(np.array(heat["z"], float)), rel=1e-6)
    C, sigma = job.key.axes
    for cell in job.rows:
        assert heat["z"][cell.row][cell.column] == pytest.approx(100 * cell.error)
        place = f"C = {words.number(C[cell.column])}, σ = {words.number(sigma[cell.row])}"
        assert place in heat["text"][cell.row][cell.column]
    box = app.selectbox(key="cells_best")
    best = min((cell for cell in job.rows if cell.n_support), key=lambda cell: (round(cell.error, 6), cell.n_support))
    assert box.value == sparsity.description(best, job.key)
    app = healthy(press(app, cell_map.LOAD))
    assert (value(app, "C"), value(app, "sigma")) == (C[best.column], sigma[best.row])
    assert table(app)[ISLS_NAME][0] == f"{100 * best.error:.1f}\u202f%"
    assert table(app)[ISLS_NAME][2] == str(best.n_support)
    (ring,) = [trace for trace in pictures(app)["cells-error"]["data"] if trace["name"] == "chosen"]
    assert ring["x"][0] == pytest.approx(np.log10(C[best.column]), abs=0.01)
    # another session finds it made
    other = healthy(open_page(PAGE, **link))
    assert "cells-error" in pictures(other)


def test_the_best_cell_is_chosen_anew_when_there_are_more(few):
    app = press(healthy(open_page(PAGE, **RIPLEY, seed="13")), "Compute the map")
    job = worked(app, "cells")
    every, best = list(job.rows), sparsity.best(job.rows)[0]
    for rows in ([row for row in every if row != best], every):  # as if the best had come last
        job.rows[:] = rows
        app = healthy(app.run())
        box = app.selectbox(key="cells_best")
        assert box.value == box.options[0] == sparsity.description(sparsity.best(rows)[0], job.key)
    app = healthy(box.select(box.options[1]).run())  # what the reader chooses stays
    assert app.selectbox(key="cells_best").value == box.options[1]


def test_the_csv_names_every_cell():
    asked = MapRequest(Data("ripley", 0, (("n", 250),)), 1.0, Reweighting())
    rows = [sparsity.Cell(0, 12, 0.25, 0, "constant: x"), sparsity.Cell(6, 6, 0.1, 7, "converged")]
    head, first, second = cell_map.to_csv(rows, asked).strip().splitlines()
    assert head == "C,sigma,error,n_support,status"
    assert [float(x) for x in second.split(",")[:4]] == pytest.approx([10.0, 1.0, 0.1, 7])
    assert first.startswith("0.1,8.0") and first.endswith("constant: x")


def test_errors_of_good_cells_can_be_told_apart():
    assert contrast_limit(np.array([np.nan])) is None
    assert contrast_limit(np.array([10.0, 11.0, 50.0, 50.0])) == pytest.approx(16.0)
    assert classification.error(np.empty(0), np.empty(0)) != 0.0


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # at the first place C is too small
def test_c_and_sigma_can_be_tuned_for_it():
    app = healthy(open_page(PAGE, {"tune_open": True}, problem="moons", n="40"))
    app.number_input(key="tune-folds-sparsity").set_value(2).run()
    app.button(key="tune_start").click().run()
    job = app.session_state["tune_jobs"]["sparsity"]
    job.stop()
    job.wait(30)
    app = healthy(app.run())
    assert "tuning" in pictures(app) and job.key.machine == sparsity.machine(Reweighting())
    problem, first = problems.load("moons", n=40), job.rows[0]
    setting = Setting(first.C, "rbf", first.sigma, 3, 1.0)
    machine = sparsity.estimator("classification", job.key.machine, setting)
    assert isinstance(machine, SparseLSSVC) and (machine.C, machine.gamma) == (first.C, first.sigma**-2.0)
    folds = StratifiedKFold(2, shuffle=True, random_state=tuning_panel.SEED).split(problem.X, problem.y)
    errors = [np.mean(machine.fit(problem.X[a], problem.y[a]).predict(problem.X[b]) != problem.y[b]) for a, b in folds]
    assert first.value == pytest.approx(np.mean(errors), abs=0.02)
