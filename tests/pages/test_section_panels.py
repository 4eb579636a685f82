"""The breakdown meter on Compare, small multiples and the surface on Playground: what they show, and their links."""

import re

import numpy as np
import pytest
from screen import captions, choose, healthy, html, notes, open_page, pictures, sent, traces, transports, worked

from pages.shared.figures.drawing import film_of
from pages.shared.figures.film import with_dial
from pages.shared.live import pictures as live_pictures
from pages.shared.panels import breakdown as panel
from pages.shared.screen import own_points, schema
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies import classification, many_draws
from pages.shared.studies.source import Source
from svmcore import problems
from svmcore.studies import breakdown

MACHINES = (Machine("hinge"), Machine("least_squares"))
MOONS = Data("moons", 0, (("n", 40), ("noise", 0.2)))


def test_a_film_ends_when_all_machines_are_broken():
    made = many_draws.flip_labels(
        problems.load("toy_outliers", 0, n=20), "farthest", 0, MACHINES, Setting(1.0, "linear", 2.0)
    )
    assert made.shares.shape == (2, 11) and (made.shares[:, 0] == 0.0).all()
    for share in (0.05, 0.25, 2.0):
        at, view = made.broken_at(share), made.view(share)
        assert at == [next((k for k in range(11) if row[k] >= share), np.inf) for row in made.shares]
        end = 11 if np.inf in at else int(max(at)) + 1
        assert len(view.ticks) == end == len(view.charts[0].places) == len(view.screens[0].at)
        assert all(("broken at" in word) == (k <= end - 1) for k, word in zip(at, view.ticks[-1].words, strict=True))
    shown = film_of(made.films[0])
    assert "sizes" not in shown.figure.layout["meta"] and "|α|" not in shown.figure.alt
    dials = [mark["dial"] for mark in with_dial(shown, made.shares[0], 0.25).marks]
    assert [": broken" in dial for dial in dials] == (made.shares[0] >= 0.25).tolist()
    assert dials[0].endswith("0.0\u202f% of 25\u202f%") and "dial" not in shown.marks[0]
    for share, end in ((0.25, (0, 6.0, 0.0)), (0.75, (1, -6.0, 0.0))):  # on the face of a clock
        (mark, *_) = with_dial(shown, np.full(11, 0.2 * share), 0.2).marks
        assert np.array(re.search(r"A6 6 0 (\d) 1 (\S+) (\S+)Z", mark["dial"]).groups(), float) == pytest.approx(end)
    (full, *_) = with_dial(shown, np.full(11, 0.2), 0.2).marks  # no sector whose ends meet: that would be an empty one
    assert '<circle r="6"/>' in full["dial"]
    last = made.films[0].frames[3]
    assert len(last.ringed) == 3 and made.films[0].points.y.sum() == 0  # the clean labels, and the flipped ones ringed


def test_numbers_are_percentiles_with_what_does_not_break():
    assert panel.numbers(np.array([3.0, 1.0, 2.0])) == ["3", "2", "1 to 3", "0 of 3"]
    assert panel.numbers(np.array([4.0, np.inf, np.inf])) == ["4", "–", "4 to –", "2 of 3"]


@pytest.mark.usefixtures("warm")
def test_the_page_of_a_race(monkeypatch):
    monkeypatch.setattr(panel, "DRAWS", 2)
    link = dict(n="20", losses="hinge,least_squares", contamination="flip_random")
    app = healthy(open_page("pages/compare.py", **link))
    assert "flipping" not in app.query_params and not [b for b in app.button if b.key == "breakdown_start"]
    app = healthy(open_page("pages/compare.py", **link, flipping="central", broken="10"))
    assert notes(app) == [] and "film" not in transports(app)
    job = worked(app.button(key="breakdown_start").click().run(), "breakdown")
    assert len(job.rows) == job.total == 2 * 2 * 11
    assert not any(problems.load("toy_outliers", s, n=20).outlier.any() for s in (0, 1))
    assert job.rows == list(
        breakdown.race(
            {m.name: panel.classification.estimator(m, Setting(1.0, "linear", 2.0)) for m in MACHINES},
            lambda seed: problems.load("toy_outliers", seed, n=20), "central", (0, 1),
        )
    )  # fmt: skip
    for name, at in breakdown.broken_at(job.rows, 0.1).items():
        assert f"{name}</th>" + "".join(f"<td>{text}</td>" for text in panel.numbers(at)) in html(app, "percentile")
    film = transports(app)["film"]
    assert film["plays"] and film["start"] == 0 and "labels flipped" in film["ticks"][-1]["label"]
    frames = [spec["frames"] for spec in sent(app, "frames") if spec["frames"]]
    assert [len(one["marks"]) for one in frames] == [11, 11] and all("of 10" in m["dial"] for m in frames[1]["marks"])
    assert app.query_params["flipping"] == "central" and app.query_params["broken"] == "10"
    choose(app, C=7.0)
    assert panel.PANEL.outdated in captions(healthy(app)) and "film" not in transports(app)


def test_a_request_starts_from_clean_points(monkeypatch):
    data = Data("label_flips", 3, (("n", 40), ("noise", 0.2)))
    request = panel.request_of(data, MACHINES, Setting(1.0, "linear", 2.0), "random")
    drawn, clean = request.draw(3), problems.load("label_flips", 3, n=40, noise=0)
    assert np.array_equal(drawn.X, clean.X) and np.array_equal(drawn.y, clean.y)


def test_own_points_are_split_and_too_few_are_named(monkeypatch):
    made = own_points.Own(np.arange(24.0).reshape(12, 2), np.repeat([1.0, -1.0], [8, 4]))
    monkeypatch.setattr(panel.contaminated, "shown_set", lambda data: made)
    request = panel.request_of(Data("own", 3, (("data", ""),)), MACHINES, Setting(1.0, "linear", 2.0), "random")
    assert request.too_few.endswith("in each class; the smaller has 4.")
    drawn, other = request.draw(0), request.draw(1)
    assert {*map(tuple, drawn.X), *map(tuple, drawn.X_test)} == set(map(tuple, made.X))
    assert not np.array_equal(drawn.X_test, other.X_test) and len(drawn.y_test) == 3
    assert request._replace(points=request.points[:4] + request.points[-4:]).too_few
    assert not request._replace(problem="moons", points=()).too_few


def test_the_settings_are_around_that_of_the_page():
    middle = Setting(3.0, "rbf", 0.7)
    found = live_pictures.settings_around(middle)
    assert len(found) == 25 and found["cell-2-2"] == middle
    assert (found["cell-0-4"].C, found["cell-0-4"].sigma) == pytest.approx((300.0, 0.175))
    ends = live_pictures.settings_around(Setting(1e6, "linear", 1.0))
    assert len(ends) == 5 and ends["cell-0-4"].C == schema.C.high


@pytest.mark.parametrize("moving", [False, True])
def test_a_plane_is_the_machine_with_its_setting(moving):
    source, screen = Source(), live_pictures.Screen(MOONS, (MACHINES[0],), Setting(1.0, "rbf", 0.7))
    drawn = live_pictures.playground(source, screen, moving, multiples=True)
    assert len(drawn.figures) == 25 + len(live_pictures.playground(source, screen, moving).figures)
    problem, (xs, ys) = source.problem(MOONS), source.view(MOONS, live_pictures.THUMBNAIL)
    for key, setting in live_pictures.settings_around(screen.setting).items():
        model = classification.estimator(MACHINES[0], setting).fit(problem.X, problem.y)
        places = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        (field,) = (trace for trace in drawn.figures[key].traces if trace["name"] == "field")
        assert np.allclose(field["z"], model.decision_function(places).reshape(len(ys), len(xs)), atol=2e-3)


@pytest.mark.usefixtures("warm")
def test_a_link_opens_them_and_a_name_opens_one():
    link = dict(problem="moons", n="40")
    app = healthy(open_page("pages/playground.py", **link))
    assert not [name for name in pictures(app) if name.startswith(("cell-", "map-", "tuning"))]
    assert not {"map_start", "tune_start"} & {button.key for button in app.button}, "all is quiet until it is opened"
    assert "multiples" not in app.query_params
    app = healthy(open_page("pages/playground.py", **link, multiples="true"))
    assert len([name for name in pictures(app) if name.startswith("cell-")]) == 25
    names = [button.label for button in app.button if button.key.startswith("open-")]
    assert "C = 10, σ = 1.4" in names and len(names) == 25
    app.button(key="open-cell-3-3").click().run()
    assert (app.query_params["C"], app.query_params["sigma"]) == ("10", "1.4")
    assert app.button(key="open-cell-2-2").disabled and np.allclose(
        traces(app, "cell-2-2")["field"]["z"][0][0], traces(app, "plane")["field"]["z"][0][0]
    )


@pytest.mark.usefixtures("warm")
def test_a_link_opens_the_surface_and_both_sections_together():
    link = dict(problem="circles", n="40", kernel="poly", degree="2", surface="true")
    app = healthy(open_page("pages/playground.py", **link))
    assert {"surface", "lift"} < set(pictures(app)) and app.query_params["surface"] == "true"
    (alt,) = (spec["alt"] for spec in sent(app, "name") if spec["name"] == "surface")
    assert "−1, 0 and 1" in alt and "40 points" in alt
    app = healthy(open_page("pages/playground.py", **link | dict(kernel="rbf"), multiples="true"))
    assert {"surface", "cell-4-4"} < set(pictures(app)) and "lift" not in pictures(app)
    for is_open in (False, True):
        app.session_state["surface-playground"] = is_open
        assert ("surface" in healthy(app.run()).query_params) == is_open
    healthy(choose(app, problem="sinc"))
    assert "surface" not in pictures(app)


def beside(block, within=False):
    """The keys of the folded sections that stand beside the picture."""
    for part in getattr(block, "children", {}).values():
        if within and part.type == "expander":
            yield part.proto.id.split("-", 2)[2]
        yield from beside(part, within or part.proto and getattr(part.proto, "id", "").endswith("section_brought"))


@pytest.mark.usefixtures("warm")
def test_a_chip_brings_its_section_open_and_it_may_be_folded_there():
    app = healthy(open_page("pages/playground.py", beside="tune"))
    for kernel in ("linear", "rbf"):  # which gives it another title
        healthy(choose(app, kernel=kernel))
        assert [*beside(app.main)] == ["tune-playground"] and app.session_state["tune-playground"]
    app.session_state["tune-playground"] = False
    assert not healthy(app.run()).session_state["tune-playground"]
    healthy(choose(app, beside="map"))
    assert [*beside(app.main)] == ["map-playground"] and app.session_state["map-playground"]
    assert [*beside(healthy(choose(app, beside="none")).main)] == []
