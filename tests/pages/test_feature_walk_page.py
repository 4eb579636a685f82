"""The Feature walk page without a browser: controls, link, words, charts, the experiment in the background."""

import numpy as np
import pytest
from screen import (
    captions,
    choose,
    healthy,
    html,
    open_page,
    pictures,
    press,
    sent,
    session,
    traces,
    transports,
    value,
    worked,
)

from pages.shared.live import films
from pages.shared.panels import player, relevance_study
from pages.shared.screen.choices import Walk
from pages.shared.screen.schema import WALK_C, WALK_LOSS, WALK_N
from pages.shared.server import cache
from pages.shared.studies import feature_walk
from svmcore.studies import relevance

pytestmark = pytest.mark.usefixtures("warm")
PAGE = "pages/feature_walk.py"
SHOWN = {"balls", "flat-points", "weights", "walk-objective", "walk-% correct", "walk-weights"}


def test_the_page_as_it_opens_and_that_the_first_thing_to_do_shows_what_it_says():
    """Press Play: the circle becomes an ellipse, and the optimum moves to the 1-norm SVM."""
    app = healthy(open_page(PAGE))
    assert set(pictures(app)) == SHOWN and not app.warning and "Play" in session(app).run.hint
    walk = Walk(100, 5, 0, 0.03, 15)
    steps, flat = films.walk(walk)
    x, y = feature_walk.balls(flat, walk, ("one", "other")).ellipse
    assert np.ptp(x[0]) == pytest.approx(np.ptp(y[0])) and np.ptp(y[-1]) < 0.5 * np.ptp(x[-1])
    away = np.linalg.norm(flat.w - flat.exact.details.w, axis=1)
    assert np.all(np.diff(away) < 0.0) and away[-1] < 0.1 * away[0]
    result = transports(app)
    assert set(result) == {"flat", "walk"} and len(result["walk"]["ticks"]) == len(result["flat"]["ticks"]) == 15
    moved = {spec["name"]: (spec["frames"] or spec["cursor"])["film"] for spec in sent(app, "frames")}
    assert moved == {name: "flat" if name in feature_walk.KEYS else "walk" for name in SHOWN}
    assert result["walk"]["ticks"][4]["words"] == feature_walk.why(steps, 5, 5)
    assert result["flat"]["ticks"][4]["words"] == feature_walk.why_in_the_plane(flat, 5)
    lines = traces(app, "walk-objective")
    assert lines["objective"]["y"] == pytest.approx(steps.objective)
    assert lines["lower bound"]["y"] == pytest.approx(steps.bound)
    assert lines["linear programme"]["y"] == pytest.approx([steps.exact.objective] * 2)
    share = traces(app, "walk-% correct")
    assert share["the walk"]["y"] == pytest.approx(100 * steps.accuracy)
    count = traces(app, "walk-weights")
    assert count["linear programme"]["y"] == [np.count_nonzero(steps.exact.details.w)] * 2
    table = html(app)
    assert "RW(1) = 2-norm SVM" in table and f"{100 * steps.accuracy[2]:.1f}\u202f%" in table


def test_the_films_leave_as_one_file_each(monkeypatch):
    made = {}
    monkeypatch.setattr(player.download, "button", lambda label, make, file, kind: made.update({file: (label, make())}))
    healthy(open_page(PAGE, {"take_flat": True}, walk_n="60", rounds="3"))
    pages = {"feature-walk-The weights.html", "feature-walk-The points.html"}
    assert set(made) == pages | {"feature-walk-The points.gif"}
    for label, text in (made[name] for name in pages):
        assert "5 MB" in label
        assert text.startswith("<!doctype html>") and "Round 3" in text and "<script src" not in text


@pytest.mark.parametrize("loss", WALK_LOSS.options)
def test_the_largest_walk_has_its_pictures(loss):
    app = healthy(open_page(PAGE, walk_n=str(WALK_N.high), walk_C=f"{WALK_C.high:g}", walk_loss=loss))
    assert {"balls", "flat-points", "weights"} <= set(pictures(app)) and not app.info


def test_other_pages_keep_their_points_and_C():
    app = healthy(open_page("pages/playground.py", problem="moons", n="80", C="2.0"))
    healthy(app.switch_page(PAGE).run())
    assert value(app, "walk_C") == 0.03 and set(pictures(app)) == SHOWN
    healthy(app.switch_page("pages/playground.py").run())
    assert value(app, "C") == 2.0 and value(app, "n") == 80


@pytest.fixture
def small(monkeypatch):
    """Two values of d_rel, two seeds, C from the sidebar."""
    monkeypatch.setattr(relevance_study, "D_RELS", (2, 20))
    monkeypatch.setattr(relevance_study, "SEEDS", 2)
    cache.RESULTS.clear()
    yield
    cache.RESULTS.clear()


def test_the_experiment_is_run_shown_and_kept(small):
    link = dict(walk_n="40", rounds="3", choose="fixed")
    app = healthy(press(open_page(PAGE, **link), "Run the experiment"))
    job = worked(app, "relevance")
    rows = list(relevance.sweep((2, 20), range(2), 40, 0.03))
    assert job.rows == rows
    drawn = traces(app, "relevance")
    _, bands = feature_walk.summary(rows)
    assert set(relevance.METHODS) <= set(drawn)
    assert drawn["RW(2)"]["y"] == pytest.approx(bands["RW(2)"][0]) and drawn["RW(2)"]["x"] == [2, 20]
    assert relevance_study.PANEL.finished_job((40, 0.03)) is job
    table = html(app)
    assert f"{bands['1-norm SVM'][0][1]:.1f}" in table
    other = healthy(open_page(PAGE, **link))
    assert "relevance" in pictures(other), "what one reader has computed, the next one finds"
    choose(app, rounds=4)
    assert relevance_study.PANEL.outdated not in captions(app), "rounds are no part of it"
    choose(app, walk_n=50)
    assert relevance_study.PANEL.outdated in captions(healthy(app))


def test_cross_validation_is_what_the_experiment_begins_with(small, monkeypatch):
    monkeypatch.setattr(relevance, "COSTS", (0.1,))
    app = healthy(press(open_page(PAGE, walk_n="30", rounds="3"), "Run the experiment"))
    job = worked(app, "relevance")
    assert job.key == (30, None) and {row.C for row in job.rows} == {0.1}
