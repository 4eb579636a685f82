"""The Convergence page without a browser: each kind of show, links, notes, what is asked of a run, a new solver."""

from pathlib import Path
from textwrap import indent

import numpy as np
import pytest
from screen import choose, edges, healthy, html, notes, open_page, pictures, press, strip, transports, value

from pages.shared.controls.page_controls import RACES
from pages.shared.live import films
from pages.shared.panels import player
from pages.shared.screen.choices import LOSSES, Data, Machine, Setting
from pages.shared.studies import results, runs
from svmcore.solvers import isls, quasi_newton
from svmcore.solvers.box_dual import smo, smo_plain
from svmcore.status import Status
from svmcore.watch import recording, registry, sentences, trace

pytestmark = pytest.mark.usefixtures("warm")

PAGE = "pages/convergence.py"
SMALL = dict(problem="moons", n="30")


def test_a_run():
    app = healthy(open_page(PAGE, {"take": True}, **SMALL))
    assert "Curves (CSV)" in [button.proto.label for button in app.get("download_button")]
    spec, drawn = transports(app)["film"], pictures(app)
    assert list(drawn)[0] == "film-0" and len(drawn) == 5 and notes(app) == [] and not app.code
    assert spec["ticks"][0]["label"].startswith("pair update 0 of") and spec["start"] is None
    assert spec["steps"] is False and spec["beyond"] == [False, False]
    assert spec["ends"] and spec["speed"] == 5
    assert "converged" in spec["ticks"][-1]["words"][-1] and "<td>converged</td>" in html(app)


def test_a_direct_method_is_no_film():
    app = healthy(open_page(PAGE, **SMALL, loss="least_squares", solver="direct"))
    (tick,) = transports(app)["film"]["ticks"]
    assert "30 x 30" in tick["words"][0] and transports(app)["film"]["steps"] is None
    assert list(pictures(app)) == ["film-0"]


@pytest.mark.parametrize("show", ["run", "race"])
def test_a_kernel_without_a_margin_is_named(show):
    """The pair updates meet their tolerance at a stationary point, where the dual objective bounds nothing."""
    link = dict(kernel="sigmoid", sigma="0.3", coef0="0", show=show, race="hinge:smo_first,pinball:smo_second")
    app = healthy(open_page(PAGE, **SMALL, **link))
    assert str(Status.STATIONARY) in html(app) and "converged" not in html(app)
    assert "stationary point" in notes(app)[0]
    if show == "run":
        assert "stationary point" in transports(app)["film"]["ticks"][-1]["words"][-1]
        drawn = pictures(app)["chart-Objective: distance from its best value"]["data"]
        assert [line["name"] for line in drawn] == ["dual objective"]


@pytest.mark.parametrize("clock", ["iterations", "seconds"])
def test_a_race(clock):
    link = dict(show="race", race="pinball:smo_second,least_squares:cg", tau="0.2", clock=clock)
    app = healthy(open_page(PAGE, {"source": True}, **SMALL, **link))
    shown = " ".join(edges(app))
    assert "Pinball SVM (τ = 0.2), SMO, second order" in shown and registry.DESCRIPTIONS["cg"].words.title in shown
    assert transports(app)["film"]["ticks"][-1]["label"].endswith(" ms") == (clock == "seconds")
    assert {"film-0", "film-1"} < set(pictures(app)) and notes(app) == [] and not app.code
    assert len(transports(app)["film"]["ticks"][0]["words"]) == 2 and html(app).count("without recording") == 2


@pytest.mark.parametrize("along", ["C", "sigma"])
def test_a_path(along):
    app = healthy(open_page(PAGE, **SMALL, show="path", along=along))
    assert len(transports(app)["film"]["ticks"]) == 41 and transports(app)["film"]["start"] == 20
    assert set(pictures(app)) == {"film-0", "chart-Error", "chart-Support vectors"}


@pytest.mark.parametrize(
    "name, value, others",
    [
        ("solver", "cg", {}),  # not for the hinge
        ("race", "hinge:smo_first,hinge:cg,hinge:smo_second", {"show": "race"}),
        ("along", "sigma", {"show": "path", "kernel": "linear"}),
    ],
)
def test_a_broken_link_falls_back_with_a_note(name, value, others):
    app, usual = (healthy(open_page(PAGE, **SMALL, **others, **link)) for link in ({name: value}, {}))
    assert any(f"The link has {name} = " in note for note in notes(app))
    assert list(pictures(app)) == list(pictures(usual)) and len(film(app)["ticks"]) == len(film(usual)["ticks"])


def test_a_loss_that_the_next_view_does_not_have_is_no_matter_of_the_link():
    app = open_page(PAGE, **SMALL, loss="ramp")
    (note,) = notes(healthy(choose(app, show="path")))
    before, _, after = note.replace("\\", "").partition(f"'{LOSSES['ramp'].machine}' here: it must be one of ")
    assert before == "“Loss” cannot stay " and after.endswith("; L1-SVM is used.") and "link" not in note


def test_what_another_machine_was_given_is_dropped_in_silence():
    app = open_page(PAGE, **SMALL, loss="least_squares", solver="cg")
    choose(app, loss="hinge")
    assert notes(healthy(app)) == [] and transports(app)["film"]["ticks"][0]["label"].startswith("pair update")


def test_the_races_are_one_click_away_and_one_is_no_race():
    app = open_page(PAGE, **SMALL, show="race")
    for name, runners in RACES.items():
        press(app, name)
        healthy(app)
        assert sum(key.startswith("film-") for key in pictures(app)) == len(runners) and notes(app) == []
    app = healthy(open_page(PAGE, **SMALL, show="race", race="hinge:smo_first"))
    assert app.info and pictures(app) == {}


@pytest.mark.parametrize("show", ["run", "race", "path"])
def test_a_curve_which_has_no_classes_and_too_many_points_are_sentences(show):
    app = healthy(open_page(PAGE, problem="sinc", show=show))
    assert "two classes" in app.info[0].value and pictures(app) == {}
    app = open_page(PAGE, problem="moons", n="1500", show=show)
    assert [e.value for e in app.exception] == [] and "1000" in app.error[0].value


@pytest.mark.parametrize(
    "loss, solver, module, names",
    [
        *(("hinge", f"smo_{selection}", smo_plain, ["minimise"]) for selection in smo.SELECTIONS),
        ("least_squares", "isls", isls, ["rounds", "__call__"]),
        ("log", "descent_zero", quasi_newton, ["_descend", "_newton"]),
    ],
)
def test_the_source_stands_next_to_the_run(loss, solver, module, names):
    source = Path(module.__file__).read_text(encoding="utf-8")
    app = healthy(open_page(PAGE, {"source": True}, **SMALL, loss=loss, solver=solver))
    words, shown = " ".join(markdown.value for markdown in app.markdown), [code.value for code in app.code]
    assert words.count(" ".join(module.__doc__.split("\n\n")[0].split())) == 1
    assert ("compiled" in words) == (module is smo_plain)
    assert [code.split("(")[0] for code in shown] == [f"def {name}" for name in names]
    for code in shown:
        assert code.strip() in source or indent(code.strip(), "    ") in source


# --------------------------------------------------------------------------------------- the moment in the link


TOY = dict(problem="toy_outliers", loss="hinge")


def film(app):
    return transports(app)["film"]


def step(app):
    value = app.query_params.get("step")
    return value and int(value[0] if isinstance(value, list) else value)


def rests(app, tick):
    """The browser tells that the film has come to rest at this moment."""
    shown = film(app)
    state = {"run": shown["run"], "iteration": shown["ticks"][tick]["iteration"]}
    app.session_state["film"] = {"moment": state}
    return app.run()


def test_a_film_at_rest_is_in_the_link_which_opens_there_and_the_menu_leaves_it_behind():
    app = open_page(PAGE, **TOY)
    assert step(app) is None and film(app)["start"] is None
    app = rests(app, 5)
    iteration = film(app)["ticks"][5]["iteration"]
    assert step(app) == iteration and film(app)["start"] is None, "the film is there already"
    links = [link.proto.query_string for link in app.run().get("page_link") if link.proto.page.endswith("sparsity")]
    assert links and not any("step=" in link for link in links)
    again = open_page(PAGE, **TOY, step=iteration)
    assert film(again)["start"] == 5 and step(again) == iteration
    assert film(again.run())["start"] is None and step(again) == iteration


def test_a_changed_c_keeps_the_part_of_the_way_also_in_the_link():
    app = open_page(PAGE, **TOY)
    last = len(film(app)["ticks"]) - 1
    app = choose(rests(app, last // 2), C=5.0)
    ticks = film(app)["ticks"]
    assert film(app)["start"] is None and film(app)["ends"], "the browser keeps the part of the way by itself"
    assert step(app) == ticks[round(last // 2 / last * (len(ticks) - 1))]["iteration"]


def test_a_moment_that_is_none_is_refused_and_one_beyond_the_end_is_the_last():
    app = open_page(PAGE, **TOY, step="soon")
    assert film(app)["start"] is None and step(app) is None
    assert any("step" in note and "soon" in note for note in notes(app))
    app = open_page(PAGE, **TOY, step=10**8)
    assert film(app)["start"] == len(film(app)["ticks"]) - 1


# --------------------------------------------------------------------------------------- what the browser asks


def test_the_request_for_one_run_does_not_apply_to_another(monkeypatch):
    def state(run, **fields):
        message = {"run": player._hash(run), "steps": True, "iteration": 7, "by": 1, **fields}
        monkeypatch.setattr(player.st, "session_state", {player.FILM: {"film": message}})

    state("mine")
    assert player.read_request("mine") == (True, 7, 1) and player.read_request("mine").centre == 7
    assert player.read_request("yours") is None
    state("mine", steps=False)
    assert player.read_request("mine").centre is None
    for empty in ({}, {player.FILM: None}, {player.FILM: {"film": None}}):
        monkeypatch.setattr(player.st, "session_state", empty)
        assert player.read_request("mine") is None


# ----------------------------------------------------------------------------------------- a solver that is new


def rounds(given):
    """Halves the way to the middle of the box; no solver, but it has rounds."""
    middle = 0.5 * np.minimum(given.qp.upper, 1.0) * (given.y > 0) - 0.5 * (given.y < 0)
    for k in range(12):
        beta = middle * (1 - 0.5**k)
        moved = np.abs(beta) > 0.2
        known = dict(iteration=k, objective=-float(np.abs(beta).sum()), violation=0.9**k, beta=beta, intercept=0.0)
        yield known | dict(pace=0.5**k, moved=moved)


class Toy(trace.Description):
    """What the page needs to know of a solver, and nothing else."""

    key = "toy"
    words = trace.Words(
        title="A toy that halves the way",
        unit="round",
        substeps=("look", "halve"),
        columns={"pace": "the way left", "moved": "who is far"},
        source="Nobody (2026)",
    )

    def serves(self, given):
        return given.qp is not None

    def solve(self, given, **options):
        return list(rounds(given))[-1]

    def record(self, given, *, tol=1e-3, max_iter=100):
        return recording.of_rounds(rounds(given), "toy", tol=tol, max_rounds=max_iter)

    def why(self, run, t, given):
        return sentences.of_round(run, t, given)


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setitem(registry.DESCRIPTIONS, "toy", Toy())
    yield
    for cached in (results.record_run, films.run, films.race):
        cached.clear()


def test_a_new_solver_needs_only_its_description_and_races_at_once(toy):
    app = healthy(open_page(PAGE, **SMALL, solver="toy"))
    spec = transports(app)["film"]
    assert [tick["label"] for tick in spec["ticks"]] == [f"round {k} of 11" for k in range(12)]
    assert any(sentence.startswith("Pace: 0.5") for sentence in spec["ticks"][1]["words"])
    charts = runs.DISTANCE, runs.VIOLATION, "Support values", "Training error"
    assert set(pictures(app)) == {"film-0", *(f"chart-{chart}" for chart in charts)}
    assert Toy.words.title in html(app) and "stopped before the tolerance" in notes(app)[0]
    assert "<td>converged</td>" not in html(app)
    app = healthy(open_page(PAGE, **SMALL, show="race", race="hinge:toy,hinge:smo_first"))
    assert any(Toy.words.title in edge for edge in edges(app))
    assert {"film-0", "film-1"} < set(pictures(app))


def test_sigma_and_eta_of_admm_are_controls():
    """The printed algorithm ends at w = 0 at once for a penalty of 2C or more, and not below."""
    link = {"problem": "toy_outliers", "loss": "zero_one", "C": "1"}
    app = healthy(open_page(PAGE, solver="admm_paper", penalty="8", eta="0.5", **link))
    assert value(app, "eta") == 0.5
    asked = Data("toy_outliers", 0, ()), Machine("zero_one"), Setting(1.0, "linear", 1.0)
    run = results.record_run(*asked, "admm_paper", (("sigma", 8.0), ("eta", 0.5)))
    assert run.events["sigma"][1] == 8.0 and run.status.endswith("the trivial solution")
    usual = results.record_run(*asked, "admm_paper", (("sigma", 1.0), ("eta", 1.618)))
    assert not usual.status.endswith("the trivial solution")
    assert np.array_equal(usual.frame_beta, results.record_run(*asked, "admm_paper").frame_beta)
    for solver in ("admm_authors", "admm_robust"):
        page = healthy(open_page(PAGE, solver=solver, **link))
        assert ("eta" in [item["name"] for item in strip(page)]) == (solver == "admm_authors")
        assert solver != "admm_authors" or value(page, "eta") == 1.0
