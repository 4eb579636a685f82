"""The Tune panel: what it asks the core, what it shows of it, what it hands to the controls, stopping and resuming."""

import csv
import functools
import io
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from screen import captions, choose, healthy, html, metrics, open_page, traces, value, worked

from pages.shared.panels import tuning_panel
from pages.shared.panels.tuning_panel import PANEL, TuningRequest
from pages.shared.screen import codec, edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, regression
from svmcore import problems, tuning
from svmcore.tuning import BETWEEN, Evaluation

pytestmark = pytest.mark.usefixtures("nothing_computed")
PLAYGROUND = "pages/playground.py"
TOY = Data("toy_outliers", 0, (("n", 40),))
RBF = Setting(1.0, "rbf", 1.0, 3, 1.0)
LS = Machine("least_squares")


def opened(**link):
    """The Playground with its Tune panel open."""
    return healthy(open_page(PLAYGROUND, {"tune_open": True}, **link))


def searched(app, method="cv", folds=None):
    """Choose, press the button, and wait for the whole search."""
    app.selectbox(key="tune-by-playground").set_value(method).run()
    if folds:
        app.number_input(key="tune-folds-playground").set_value(folds).run()
    app.button(key="tune_start").click().run()
    return worked(app, "tune")


def rows(app):
    """The table of the best, as text."""
    return html(app, "<th scope='row'>best</th>")


@functools.cache
def expected(method="cv", data=TOY, machine=LS, setting=RBF, **options):
    """The evaluations by the core alone."""
    problem = classification.make_problem(data)
    return tuning.tune(classification.estimator(machine, setting), problem.X, problem.y, method, **options)


# ------------------------------------------------------------------------------- what is searched


@pytest.mark.parametrize(
    "data, machine, kernel, offered",
    [
        (TOY, LS, "rbf", ["cv", "csa", "loo", "vc_bound"]),
        (TOY, LS, "linear", ["cv", "csa", "loo"]),
        (TOY, Machine("hinge"), "rbf", ["cv", "csa", "vc_bound"]),
        (TOY, Machine("huber"), "rbf", ["cv", "csa"]),
        (Data("sinc", 0, ()), LS, "rbf", ["cv", "csa", "loo"]),
    ],
)
def test_it_offers_what_suits_the_machine(data, machine, kernel, offered):
    assert tuning_panel.methods(data, machine, RBF._replace(kernel=kernel)) == offered
    assert set(tuning_panel.METHODS) == set(tuning_panel.ABOUT) == set(tuning.METHODS)


def test_a_method_that_the_next_machine_has_not_gives_way():
    app = opened(loss="least_squares", kernel="rbf")
    box = app.selectbox(key="tune-by-playground").set_value("vc_bound").run().selectbox(key="tune-by-playground")
    assert box.value == "vc_bound" and len(box.options) == 4
    choose(app, loss="squared_hinge")
    assert healthy(app).selectbox(key="tune-by-playground").value == "cv"


def test_the_vc_bound_is_a_curve_at_the_C_that_is_set():
    app = opened(loss="least_squares", kernel="rbf", C="10")
    job = searched(app, "vc_bound")
    problem = classification.make_problem(TOY)
    machine = classification.estimator(LS, RBF._replace(C=10.0))
    result = tuning.tune(machine, problem.X, problem.y, "vc_bound")
    assert [e.value for e in job.rows] == [e.value for e in result.evaluations] and {e.C for e in job.rows} == {10.0}
    assert traces(app, "tuning")["best"]["x"] == [result.best.sigma] and "now" not in traces(app, "tuning")
    assert f"<td>{result.best.squared_radius:.4g}</td>" in rows(app) and f"<td>{result.best.bound}</td>" in rows(app)
    assert "tune-folds-playground" not in [field.key for field in app.number_input]
    choose(app, C=2.0)
    assert PANEL.outdated in captions(healthy(app)) and app.button(key="tune_take").disabled


@pytest.mark.slow
def test_a_linear_kernel_has_a_curve_over_C():
    app = opened(loss="hinge", kernel="linear")
    job = searched(app, folds=5)
    assert {e.sigma for e in job.rows} == {None} and len(job.rows) == 11
    assert traces(app, "tuning")["spread"] and "<th scope='col'>σ</th>" not in rows(app)
    app.button(key="tune_take").click().run()
    assert value(app, "C") == tuning.best(job.rows).C


def test_a_curve_is_told_in_the_units_of_y():
    app = opened(problem="motorcycle", loss="least_squares")
    job = searched(app)
    data = Data("motorcycle", 0, (("n", 89),))
    problem = classification.make_problem(data)
    unit = problem.unit
    machine = regression.estimator(LS, RBF)
    best = tuning.tune(machine, problem.X, problem.y / unit, "cv", cv=10).best
    assert unit != 1.0 and (tuning.best(job.rows).place, tuning.best(job.rows).value) == (best.place, best.value)
    rmse = unit * math.sqrt(best.value)
    slope = (unit * math.sqrt(1.001 * best.value) - rmse) / (0.001 * best.value)
    values, error = re.findall(r"<td>([^<]*)</td>", rows(app))[2:4]
    assert values == f"{rmse:.4g}" and float(error) == pytest.approx(slope * best.spread, rel=0.01)
    fitted = regression.estimator(LS, RBF._replace(C=best.C, sigma=best.sigma))
    off = problem.y_test - unit * fitted.fit(problem.X, problem.y / unit).predict(problem.X_test)
    assert f"a test RMSE of {np.sqrt(np.mean(off**2)):.4g}" in captions(app)


def test_only_the_training_points_as_edited_are_searched():
    script = edits.script((-3, -3), [(0, edits.GONE, 0, 0), (39, edits.FLIPPED, 0, 0), (-1, edits.FLIPPED, 500, 500)])
    app = opened(loss="least_squares", kernel="rbf", edits=codec.encode(script))
    job = searched(app, folds=5)
    result = expected(data=TOY._replace(edits=script), cv=5)
    assert [e.value for e in job.rows] == [e.value for e in result.evaluations]
    assert result.best.value != expected(cv=5).best.value


def test_with_one_point_of_a_class_no_folds_can_be_cut_and_with_few_fewer():
    y = problems.load("toy_outliers").y
    gone = [(int(k), edits.GONE, 0, 0) for k in np.flatnonzero(y < 0)[1:]]
    app = opened(edits=codec.encode(edits.script((-3, -3), gone)))
    assert app.button(key="tune_start").disabled and "needs at least two points of each class" in captions(app)
    app = opened(edits=codec.encode(edits.script((-3, -3), gone[1:])))
    assert app.number_input(key="tune-folds-playground").max == 2 and not app.button(key="tune_start").disabled

    app = opened(edits=codec.encode(edits.script((-3, -3), gone[3:])))
    field = app.number_input(key="tune-folds-playground")
    assert (field.value, field.max) == (4, 4)
    searched(app)


# ------------------------------------------------------------------------------- what is taken over


def test_the_best_goes_into_the_controls_and_the_link():
    app = opened(loss="least_squares", kernel="rbf", sigma="1")
    best = tuning.best(searched(app, "csa", folds=5).rows)
    button = app.button(key="tune_take")
    assert button.label == f"Use the best: C = {best.C:.4g}, σ = {best.sigma:.4g}" and not button.disabled
    values, shares = captions(app), [f"{100 * value:.1f}\u202f%" for value in (best.value, best.spread)]
    row = "".join(f"<td>{cell}</td>" for cell in (f"{best.C:.4g}", f"{best.sigma:.4g}", *shares))
    assert f"<th scope='row'>best</th>{row}" in rows(app) and "<th scope='col'>5-fold error</th>" in rows(app)
    shown = traces(app, "tuning")
    assert len(shown["evaluated"]["x"]) == len(app.session_state["tune_jobs"]["playground"].rows)
    assert (shown["best"]["x"], shown["best"]["y"]) == ([best.C], [best.sigma])
    assert (shown["now"]["x"], shown["now"]["y"]) == ([1.0], [1.0])
    button.click().run()
    healthy(app.run())
    assert value(app, "C") == best.C and value(app, "sigma") == best.sigma
    assert (app.query_params["C"], app.query_params["sigma"]) == (str(best.C), str(best.sigma))
    assert app.button(key="tune_take").disabled and PANEL.outdated not in captions(app)
    assert metrics(app)["Test error"] in values
    assert (traces(app, "tuning")["now"]["x"], traces(app, "tuning")["now"]["y"]) == ([best.C], [best.sigma])


def test_other_settings_leave_the_search_as_it_was():
    app = opened(loss="least_squares", kernel="rbf")
    searched(app, folds=5)
    choose(app, C=7.0)
    assert PANEL.outdated not in captions(healthy(app)) and app.button(key="tune_start").disabled
    choose(app, room=2.0)
    assert PANEL.outdated not in captions(healthy(app))
    choose(app, seed=1)
    assert PANEL.outdated in captions(healthy(app)) and app.button(key="tune_take").disabled
    assert not app.button(key="tune_start").disabled
    choose(app, seed=0)
    assert PANEL.outdated not in captions(app)


def test_the_places_leave_as_a_file():
    found = expected(cv=5).evaluations
    table = list(csv.DictReader(io.StringIO(tuning_panel.to_csv(found))))
    read = [tuple(float(row[name]) for name in ("C", "sigma", "value")) for row in table]
    assert read == [(e.C, e.sigma, e.value) for e in found]


# -------------------------------------------------------------------------------------- words


def test_what_went_wrong_is_counted():
    notes = ["", "iteration limit", "iteration limit", "overflow"]
    sentence = tuning_panel.trouble([Evaluation(1.0, None, 0.1, note=note) for note in notes])
    assert sentence == ("Notes: iteration limit (in 2 of 4 evaluations); overflow (in 1 of 4 evaluations).")
    assert tuning_panel.trouble([Evaluation(1.0, None, 0.1)]) == ""
    both = [Evaluation(1.0, None, 0.1, note=BETWEEN.join(values)) for values in (["flat: x; y", "cap"], ["flat: x; y"])]
    assert tuning_panel.trouble(both) == "Notes: flat: x; y (in 2 of 2 evaluations); cap (in 1 of 2 evaluations)."


def test_the_edge_is_reported():
    box = (0.01, 1000.0), (0.1, 10.0)
    assert tuning_panel.edge(Evaluation(1.0, 1.0, 0.1), *box) == ""
    at_C = tuning_panel.edge(Evaluation(1000.0, 1.0, 0.1), *box)
    assert " 0.01 to 1000;" in at_C and "σ" not in at_C
    both = "in which C ranges from 0.01 to 1000 and σ ranges from 0.1 to 10;"
    assert both in tuning_panel.edge(Evaluation(0.01, 10.0, 0.1), *box)
    assert tuning_panel.edge(Evaluation(2.0, None, 0.1), box[0], None) == ""
    assert tuning_panel.edge(Evaluation(2.0, 1.0, 0), (2, 2), box[1]) == ""


def test_no_machine_anywhere_and_nothing_to_hold_the_best_against(monkeypatch):
    drawn = classification.make_problem(TOY)
    alone = replace(drawn, X_test=drawn.X_test[:0], y_test=drawn.y_test[:0])
    monkeypatch.setattr(tuning_panel.results, "problem", lambda data: alone)
    key, best = TuningRequest(TOY, LS, RBF, "cv", 5), Evaluation(1.0, 1.0, 0.1)
    assert tuning_panel.on_test(key, best, classification.estimator).startswith("There are no test points")
    failed = [Evaluation(1.0, 1.0, math.inf, note="overflow")]
    best, _, table, said, trouble = tuning_panel.read_results(key, failed, (1.0, 1.0), classification.estimator)
    assert best is None and table[1] == [] and said == "" and "overflow" in trouble
    assert tuning_panel.measure(key._replace(method="loo"))[0] == "leave-one-out error"
