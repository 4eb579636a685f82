"""The influence map on its pages: asked for, watched, stopped, resumed, outdated, found again; words and numbers."""

import csv
import functools
import io
import threading

import numpy as np
import pytest
from screen import captions, choose, healthy, metrics, open_page, pictures, press, sent, session, worked

from pages.shared.panels import influence_map
from pages.shared.panels.influence_map import MapRequest
from pages.shared.screen import codec, edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, results
from svmcore import losses, problems
from svmcore.solvers.router import SOLVABLE
from svmcore.studies import influence
from svmcore.studies.influence import Cell

pytestmark = pytest.mark.usefixtures("nothing_computed")
PLAYGROUND, COMPARE = "pages/playground.py", "pages/compare.py"
TOY = Data("toy_outliers", 0, (("n", 40),))
LINEAR = Setting(1.0, "linear", 1.0, 3, 1.0)


CELLS = 8  # on a side, instead of 24: every map of this file is made of a ninth of the fits
FITS = CELLS**2


@pytest.fixture(scope="module", autouse=True)
def few_cells():
    with pytest.MonkeyPatch.context() as patch:
        for function in (influence.total, influence.rasters, influence.centres):
            patch.setattr(function, "__defaults__", (CELLS,))
        patch.setitem(influence.influence_map.__kwdefaults__, "cells", CELLS)
        yield


def opened(path=PLAYGROUND, chosen=None, **link):
    """The page with its map section open, and a point chosen by its number."""
    app = open_page(path, {"map_open": True}, **link)
    if chosen is not None:
        number(app).set_value(chosen).run()
    return healthy(app)


def computed(app):
    """Press the button and wait for the whole map."""
    return worked(press(app, "map_start"), "map")


@functools.cache
def mapped(path):
    """The page with the finished map of point 10, for tests that only read it."""
    app = opened(path, 10, losses="hinge,least_squares")
    computed(app)
    return app


def number(app):
    """The field for the number of the point."""
    (field,) = [field for field in app.number_input if field.key.startswith("map-point")]
    return field


def can_stop(app):
    return "map_stop" in [button.key for button in app.button]


def maps(app):
    """loss -> the traces, by name, of the maps on the page."""
    found = {name: figure for name, figure in pictures(app).items() if name.startswith("map-")}
    return {name[4:]: {trace["name"]: trace for trace in figure["data"]} for name, figure in found.items()}


def heat(traces):
    return np.array(traces["influence"]["z"])[1:-1, 1:-1]


@functools.cache
def expected(losses, chosen, data=TOY, setting=LINEAR):
    """The rasters by the core alone, and the largest share."""
    problem = classification.make_problem(data)
    models = {loss: classification.estimator(Machine(loss), setting) for loss in losses}
    cells = list(
        influence.influence_map(models, problem.X, problem.y, chosen, *classification.view(problem, data, 100))
    )
    return influence.rasters(cells, losses), influence.largest(cells)


# ----------------------------------------------------------------------------------------- asking


def test_without_a_point_it_says_how_to_choose_one_and_that_one_is_not_there():
    app = opened()
    assert influence_map.which(None, None, None) in captions(app)
    assert app.button(key="map_start").disabled and not can_stop(app) and not maps(app)
    for chosen, name in ((40, "point 40"), (-2, "added point 2")):
        number(app).set_value(chosen).run()
        assert app.button(key="map_start").disabled
        assert name in influence_map.which(None, None, chosen) in captions(healthy(app))


def test_with_one_class_only_there_is_nothing_to_map():
    y = problems.load("toy_outliers").y
    gone = edits.script((-3, -3), [(int(k), edits.GONE, 0, 0) for k in np.flatnonzero(y < 0)])
    app = opened(edits=codec.encode(gone))
    assert "class −1" in app.info[0].value and "map_start" not in [button.key for button in app.button]


@pytest.mark.parametrize("path", [PLAYGROUND, COMPARE])
def test_a_curve_has_no_sides_and_no_map(path):
    app = opened(path, problem="sinc")
    assert pictures(app) and "map_start" not in [button.key for button in app.button]


@pytest.mark.parametrize("path, losses", [(PLAYGROUND, ("hinge",)), (COMPARE, ("hinge", "least_squares"))])
def test_the_colours_are_the_shares_of_the_core(path, losses):
    app = mapped(path)
    shares, largest = expected(losses, 10)
    assert list(maps(app)) == list(losses)
    problem = problems.load("toy_outliers")
    for loss, traces in maps(app).items():
        assert np.array_equal(heat(traces), shares[loss].astype(np.float32)) and shares[loss].max() > 0.05
        assert traces["influence"]["zmax"] == pytest.approx(largest)  # one scale
        assert (traces["chosen"]["x"][0], traces["chosen"]["y"][0]) == pytest.approx(tuple(problem.X[10]))
        main = pictures(app)["plane" if path == PLAYGROUND else f"plane-{loss}"]
        line = next(trace for trace in main["data"] if trace["name"] == "boundary")
        assert np.array_equal(traces["boundary"]["z"], line["z"])
    assert app.button(key="map_start").disabled and not can_stop(app)
    assert "(0.875, −0.239)" in captions(app)


def test_the_scale_stands_once_in_words_and_the_numbers_in_a_table():
    app = mapped(COMPARE)
    shares, largest = expected(("hinge", "least_squares"), 10)
    assert captions(app).count(f"to the darkest at {100 * largest:.1f}\u202f% of the plane") == 1
    (shown,) = (element.proto.body for element in app.get("html") if "median share" in element.proto.body)
    for loss, name, bounded in (("hinge", "L1-SVM", "by 1"), ("least_squares", "LS-SVM", "no")):
        alpha = abs(results.fit(TOY, Machine(loss), LINEAR).points.alpha[10])
        result = [f"{100 * value:.1f}\u202f%" for value in (np.median(shares[loss]), shares[loss].max())]
        cells = "".join(f"<td>{cell}</td>" for cell in [*result, f"{alpha:.4g}", bounded])
        assert f"<th scope='row'>{name}</th>{cells}" in shown


def test_the_reading_is_that_of_the_kernel_and_the_losses():
    def sentence(kernel, *keys):
        return influence_map.explain_map(MapRequest(TOY, tuple(map(Machine, keys)), LINEAR._replace(kernel=kernel), 3))

    assert all(text in sentence(kernel, "hinge") for kernel, text in influence_map.BY_KERNEL.items())
    assert sentence("poly", "hinge") == sentence("sigmoid", "exponential") == influence_map.READING
    assert sentence("poly", "hinge", "ramp") == f"{influence_map.READING} {influence_map.NOT_CONVEX}"
    assert sentence("linear", "hinge") in captions(mapped(PLAYGROUND))


@pytest.mark.slow
def test_what_is_read_is_true():
    """On the toy problem: how far each machine gives way when the point is taken a hundred times the plane away."""
    problem = classification.make_problem(TOY)
    view = [influence.centres(axis, 60) for axis in classification.view(problem, TOY, 100)]
    for setting, true in (
        (LINEAR, lambda loss, share: share > 0.35 or not loss.convex),
        (LINEAR._replace(kernel="rbf", sigma=2.0), lambda loss, share: share < 0.15),
    ):
        for key in SOLVABLE:
            params = tuple((p.name, p.default) for p in losses.get(key).parameters)
            models = {key: classification.estimator(Machine(key, params), setting)}
            ends = [-900.0, 900.0]
            cells = influence.influence_map(models, problem.X, problem.y, 10, ends, ends, view=view, cells=4)
            assert true(losses.get(key), influence.largest(list(cells))), (key, setting)


def test_an_edited_point_is_known_by_its_id():
    """Row 8 of what is fitted is point 10: 0 is deleted, 3 is switched off; 39 stands elsewhere; one is added."""
    rows = [(0, edits.GONE, 0, 0), (3, edits.OFF, 0, 0), (39, edits.MOVED, 6500, 4000), (-1, edits.FLIPPED, 500, 500)]
    script = edits.script((-3, -3), rows)
    data = TOY._replace(edits=script)
    for chosen, row in ((10, 8), (-1, 38)):
        app = opened(chosen=chosen, edits=codec.encode(script), loss="least_squares")
        computed(app)
        shares, _ = expected(("least_squares",), row, data)
        assert np.array_equal(heat(maps(app)["least_squares"]), shares["least_squares"].astype(np.float32))
    ids = {row[0] for k in ("+1", "-1") for row in maps(app)["least_squares"][f"points {k}"]["customdata"]}
    assert ids == ({*range(40)} - {0, 3}) | {-1}
    assert "Added point 1, class −1, at (0.5, 0.5)." in captions(app)
    assert influence_map.point_name(-1) in pictures(app)["map-least_squares"]["layout"]["meta"]["alt"]
    app = opened(chosen=3, edits=codec.encode(script))
    assert influence_map.which(None, None, 3) in captions(app)


# --------------------------------------------------------------------------- watching and stopping


@pytest.fixture
def gate(monkeypatch):
    """A map whose fits wait for `gate(k, job)`, which lets k more of them be made."""
    free, real = threading.Semaphore(0), influence.influence_map

    def slow(*asked, workers, cut):
        for cell in real(*asked, workers=workers):
            assert free.acquire(timeout=120)
            yield cell

    def opened(count, job):
        end = min(len(job.rows) + count, job.total)
        free.release(count)
        while len(job.rows) < end:
            job._thread.join(0.005)

    monkeypatch.setattr(influence, "influence_map", slow)
    yield opened
    free.release(4 * FITS)


def test_a_map_is_watched_stopped_and_gone_on_with(gate):
    app = opened(chosen=10)
    press(app, "map_start")
    job = app.session_state["map_jobs"]["playground"]
    assert job.is_running and not maps(app) and can_stop(app)
    assert app.button(key="map_start").disabled
    gate(FITS // 16, job)
    app.run()
    assert app.get("progress")[0].proto.text.startswith(f"{FITS // 16} of {FITS} fits")
    rough = heat(maps(healthy(app))["hinge"])
    assert np.isfinite(rough).all() and np.array_equal(rough, np.kron(rough[::4, ::4], np.ones((4, 4))))

    app.button(key="map_stop").click().run()
    assert influence_map.PANEL.stopped.format(made=FITS // 16, total=FITS) in captions(app)
    assert not job.is_running and not app.get("progress")
    assert app.button(key="map_start").label == "Resume computing" and not can_stop(app)
    press(app, "map_start")
    assert job.is_running and app.session_state["map_jobs"]["playground"] is job
    gate(FITS, job)
    job.wait(20)
    app.run()
    assert len({(cell.row, cell.column) for cell in job.rows}) == len(job.rows) == FITS
    shares = influence.rasters(job.rows, ["L1-SVM"])["L1-SVM"].astype(np.float32)
    assert np.array_equal(heat(maps(healthy(app))["hinge"]), shares) and "Stopped" not in captions(app)
    session(app).ended = "Finished."  # as by the part that renews itself: it is said once
    assert [sent(app.run(), "sentence")[0]["sentence"] for _ in "ab"] == ["Finished.", ""]


def test_it_goes_on_while_the_reader_is_elsewhere_and_each_page_has_its_own(gate):
    app = opened(chosen=10)
    press(app, "map_start")
    job = app.session_state["map_jobs"]["playground"]
    app.switch_page("home.py").run()
    gate(20, job)
    healthy(app.switch_page(COMPARE).run())
    assert number(app).value == 10 and not maps(app)  # the point is still the chosen one
    assert not app.button(key="map_start").disabled and not can_stop(app)
    healthy(app.switch_page(PLAYGROUND).run())
    assert app.get("progress")[0].proto.text.startswith(f"20 of {FITS}") and maps(app)
    gate(FITS, job)
    job.wait(20)
    app.run()
    assert job.is_finished and influence_map.PANEL.finished_job(job.key) is job


def test_what_cannot_be_mapped_is_a_sentence(monkeypatch):
    why = "these numbers are too large for a map"

    def broken(*asked, workers, cut):
        raise ValueError(why)
        yield

    monkeypatch.setattr(influence, "influence_map", broken)
    app = opened(chosen=10)
    press(app, "map_start")
    app.session_state["map_jobs"]["playground"].wait(5)
    app.run()
    assert [e.value for e in app.error] == [why]
    assert not app.button(key="map_start").disabled and app.button(key="map_start").label == influence_map.PANEL.start


# ------------------------------------------------------------------------------- kept and outdated


def test_an_old_map_stays_until_there_is_another():
    app = opened(chosen=10)
    numbers = metrics(app)
    computed(app)
    assert metrics(app) == numbers, "the page above does not mind"
    before = json_of(maps(app))
    for change, words in (
        (lambda: choose(app, C=3.0), "points or settings have changed since this map of"),
        (lambda: choose(app, C=1.0), ""),
        (lambda: number(app).set_value(4), "map of point 10; another point is chosen now."),
        (lambda: number(app).set_value(None), "This is the map of point 10 as it was computed."),
        (lambda: number(app).set_value(10), ""),
        (lambda: choose(app, seed=1), "Choose a point on the plane first"),
    ):
        change().run()
        healthy(app)
        assert json_of(maps(app)) == before
        assert words in captions(app) and (influence_map.point_name(10) in captions(app)) == bool(words)


def json_of(traces):
    return {loss: (heat(found).tolist(), found["chosen"]["x"]) for loss, found in traces.items()}


# ------------------------------------------------------------------------------- words and numbers


def test_the_numbers_of_a_map():
    shares = np.array([[0.0, 0.1], [np.nan, 0.4]])
    assert influence_map.numbers(shares, 0.21834, (-0.5, 2.0)) == ["10.0\u202f%", "40.0\u202f%", "0.2183", "by 2"]
    assert influence_map.numbers(shares, 0.0, (-3e6, 1.0))[2:] == ["0", "by 3·10⁶"]
    assert influence_map.numbers(shares * np.nan, 1.0, (0.0, np.inf)) == ["–", "–", "1", "no"]


def test_a_fit_that_did_not_converge_is_counted():
    good, late, none = (Cell("a", 0, 0, 4, 0.1, status) for status in ("converged", "iteration limit", "too far"))
    assert influence_map.trouble([good, good, good._replace(status="local minimum")]) == ""
    sentence = influence_map.trouble([good, late, late, none._replace(machine="b", changed=float("nan"))])
    assert sentence == "Not every fit converged. a: iteration limit (2 of its fits); b: too far (1 of its fits)."


def test_the_file_has_a_line_for_each_fit():
    job = mapped(COMPARE).session_state["map_jobs"]["compare"]
    assert job.total == len(job.rows) == 2 * FITS
    xs, ys = results.view(TOY)
    lines = list(csv.DictReader(io.StringIO(influence_map.to_csv(job.rows, xs, ys))))
    assert len(lines) == 2 * FITS and set(lines[0]) == {"machine", "x", "y", "changed", "status"}
    assert {line["machine"] for line in lines} == {"L1-SVM", "LS-SVM"}
    step = (xs[-1] - xs[0]) / CELLS
    line, cell = lines[5], job.rows[5]
    assert float(line["x"]) == pytest.approx(xs[0] + step * (cell.column + 0.5)) and cell.column != cell.row
    assert float(line["y"]) == pytest.approx(ys[0] + (ys[-1] - ys[0]) / CELLS * (cell.row + 0.5))
    assert float(line["changed"]) == cell.changed and line["status"] == cell.status == "converged"
