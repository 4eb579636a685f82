"""A problem with three classes: Playground shows it, the other pages say what they need."""

import json
import re

import numpy as np
import pytest
from screen import board, choose, control, healthy, html, metrics, offered, open_page, pictures, session, upload, value

from pages.shared.controls import download
from pages.shared.panels import guards
from pages.shared.screen import codec, document
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.edits import FLIPPED, GONE, MARKED, MOVED, TURNED, script
from pages.shared.studies import results
from pages.shared.studies.source import Source
from svmcore import problems

pytestmark = pytest.mark.usefixtures("warm")
PLAYGROUND = "pages/playground.py"


def test_playground_shows_regions_machines_and_how_it_is_decided():
    app = healthy(open_page(PLAYGROUND, problem="three_clouds", n="60", kernel="rbf", C="3"))
    assert list(pictures(app)) == ["plane"]
    dots = [trace for trace in pictures(app)["plane"]["data"] if trace.get("mode") == "markers"]
    assert [len(trace["x"]) for trace in dots] == [20, 20, 20]
    assert set(metrics(app)) == {"Test error", "Training error", "Support vectors", "Solvers"}
    assert metrics(app)["Solvers"] == "converged"
    (how,) = (text.value for text in app.markdown if text.value.startswith("**One against the rest.**"))
    assert "L1-SVM" in how and "the largest f" in how and re.search(r"In [\d.]+\u202f% of the picture", how)
    rows = re.findall(r"<th scope='row'>(.*?)</th>", html(app, "class against the rest"))
    assert rows == ["class 1", "class 2", "class 3"]
    assert control(app, "contamination")["off"]


def test_controls_and_problems_change_the_picture():
    app = open_page(PLAYGROUND, problem="three_clouds")
    before = pictures(app)["plane"]
    after = pictures(healthy(choose(app, kernel="rbf")))["plane"]
    assert before["data"][0]["z"] != after["data"][0]["z"]
    assert {"plane", "spectrum", "on_loss"} <= set(pictures(healthy(choose(app, problem="moons"))))
    assert set(pictures(healthy(choose(app, problem="three_clouds")))) == {"plane"}


@pytest.mark.parametrize("page", ["compare", "convergence", "sparsity"])
def test_other_pages_say_what_they_need_and_what_to_do(page):
    app = healthy(open_page(f"pages/{page}.py", problem="three_clouds", n="30"))
    (said,) = (info.value for info in app.info)
    assert guards.OTHERS["multiclass"] in said
    assert not pictures(app) and app.get("page_link")[-1].proto.page == "playground"
    assert session(app).run.hint == ""  # it is about the pictures
    assert not healthy(choose(app, problem="moons")).info and pictures(app)
    assert session(app).run.hint.startswith("First: ")
    listed = offered(open_page(f"pages/{page}.py", problem="moons", n="30"), "problem")
    assert not [label for label in listed if label.startswith("More classes")]


def dots(app):
    """{class: places} of the points on the plane."""
    shown = {t["name"]: t for t in pictures(app)["plane"]["data"] if t["name"].startswith("points ")}
    return {name.removeprefix("points "): set(zip(t["x"], t["y"], strict=True)) for name, t in shown.items()}


def test_edits_of_a_link_give_other_classes_and_places():
    link = {"problem": "three_clouds", "n": "60"}
    clean = dots(open_page(PLAYGROUND, **link))
    rows = [(0, FLIPPED | MARKED), (1, TURNED), (2, MOVED, 5, 7), (3, GONE), (-1, MOVED | TURNED, 11, 13)]
    app = healthy(open_page(PLAYGROUND, **link, edits=codec.encode(script((-2, -2), rows))))
    edited = dots(app)
    # 0 from 1 to 2, 1 from 2 to 1, 2 moves, 3 of class 1 goes, a new one in 3
    assert [len(edited[k]) - len(clean[k]) for k in "123"] == [-1, 0, 1]
    assert (0.05, 0.07) in edited["3"] and (0.11, 0.13) in edited["3"]
    names = {trace["name"] for trace in pictures(app)["plane"]["data"]}
    assert {"outliers", "ghost 1"} <= names  # point 0 is marked, so that the boundaries without it are drawn
    off = healthy(choose(app, outliers_on=False))
    assert "ghost 1" not in {trace["name"] for trace in pictures(off)["plane"]["data"]}


def test_the_board_knows_the_classes_and_its_edits_reach_the_link_and_the_words():
    app = open_page(PLAYGROUND, problem="three_clouds", n="60")
    told = board(app)
    assert told["labels"] == [1, 2, 3] and told["classes"] == {"1": "1", "2": "2", "3": "3"}
    assert sorted(set(told["base"]["label"])) == [1, 2, 3]
    edited = healthy(open_page(PLAYGROUND, problem="toy_outliers"))
    assert board(edited)["labels"] == [1, -1] and board(edited)["classes"] == {"1": "+1", "-1": "−1"}


def test_a_class_without_points_is_asked_for_on_a_plane_that_can_be_edited():
    points = problems.load("three_clouds", n=60)
    rows = [(int(k), GONE) for k in np.flatnonzero(points.y == 2)]
    link = {"problem": "three_clouds", "n": "60", "edits": codec.encode(script((-2, -2), rows))}
    app = healthy(open_page(PLAYGROUND, **link))
    assert ["class 2:" in info.value for info in app.info] == [True]
    assert board(app)["labels"] == [1, 2, 3] and list(pictures(app)) == ["bare"]


CLASSES = "a,b,kind\n" + "\n".join(f"{k % 3 + 0.1 * k},{k % 4},{'uvw'[k % 3]}" for k in range(30))


def test_points_of_three_classes_from_a_file_come_back_from_the_downloads():
    app = healthy(upload(open_page(PLAYGROUND, problem="own"), "kinds.csv", CLASSES.encode()))
    assert {name: len(places) for name, places in dots(app).items()} == {"1": 10, "2": 10, "3": 10}
    assert all(any(f"{k} is {name}" in one.value for one in app.caption) for k, name in enumerate("uvw", 1))
    key = value(app, "data")
    own = results.own_set(key)
    edited = script((-2, -2), [(0, TURNED | MARKED), (-1, MOVED | FLIPPED, 10, 20)])
    link = {"problem": "own", "data": key, "edits": codec.encode(edited)}
    app = healthy(open_page(PLAYGROUND, **link))
    before = dots(app)
    assert {name: len(places) for name, places in before.items()} == {"1": 9, "2": 11, "3": 11}
    data = Data("own", 0, (("data", key),), n_classes=3)
    source = Source(results.points_of, 4)
    study = source.fit(data._replace(edits=edited), Machine("hinge"), Setting(1.0, "rbf", 1.0))
    saved = download.points_csv(study.points)
    app = healthy(upload(open_page(PLAYGROUND, problem="own"), "points.csv", saved.encode()))
    assert dots(app) == before
    text = document.text(
        source.problem(data._replace(edits=edited)), {"problem": "own"}, edited, own, Setting(1.0, "rbf", 1.0),
        {Machine("hinge"): study},
    )  # fmt: skip
    restored = document.read(text)
    assert restored.points.key == key and restored.edits == edited
    machines = json.loads(text)["model"]["machines"]
    assert [one["class"] for one in machines] == [1.0, 2.0, 3.0] and all(len(one["alpha"]) == 31 for one in machines)
    app = healthy(upload(open_page(PLAYGROUND, problem="own"), "screen.json", text.encode()))
    assert dots(app) == before and value(app, "data") == key
