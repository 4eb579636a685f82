"""A problem with three classes: Playground shows it, the other pages say what they need."""

import re

import pytest
from screen import choose, healthy, html, metrics, open_page, pictures, strip

from pages.shared.points import codec
from pages.shared.points.edits import FLIPPED, MOVED, script
from svmcore import problems


def test_playground_shows_regions_machines_and_how_it_is_decided():
    app = healthy(open_page("pages/playground.py", problem="three_clouds", n="60", kernel="rbf", C="3"))
    assert list(pictures(app)) == ["regions"]
    dots = [trace for trace in pictures(app)["regions"]["data"] if trace.get("mode") == "markers"]
    assert [len(trace["x"]) for trace in dots] == [20, 20, 20]
    assert set(metrics(app)) == {"Test error", "Training error", "Support vectors", "Solvers"}
    assert metrics(app)["Solvers"] == "converged"
    (how,) = (text.value for text in app.markdown if text.value.startswith("**One against the rest.**"))
    assert "L1-SVM" in how and "the largest f" in how and re.search(r"In [\d.]+ % of the picture", how)
    rows = re.findall(r"<th scope='row'>(.*?)</th>", html(app, "class against the rest"))
    assert rows == ["class 1", "class 2", "class 3"]
    assert "contamination" not in {item["name"] for item in strip(app)}


def test_controls_and_problems_change_the_picture():
    app = open_page("pages/playground.py", problem="three_clouds")
    before = pictures(app)["regions"]
    after = pictures(healthy(choose(app, kernel="rbf")))["regions"]
    assert before["data"][0]["z"] != after["data"][0]["z"]
    assert set(pictures(healthy(choose(app, problem="moons")))) == {"plane", "spectrum"}
    assert set(pictures(healthy(choose(app, problem="three_clouds")))) == {"regions"}


@pytest.mark.parametrize("page", ["compare", "convergence", "sparsity"])
def test_other_pages_say_what_they_need_and_what_to_do(page):
    app = healthy(open_page(f"pages/{page}.py", problem="three_clouds"))
    (said,) = (info.value for info in app.info)
    assert "more than two classes, which Playground shows. Choose another problem." in said
    assert not pictures(app)
    assert not healthy(choose(app, problem="moons")).info and pictures(app)


def test_edits_of_a_link_do_not_reach_the_classes():
    """A point of this problem cannot be edited by hand, so that a link with edits is one that was made by hand."""
    edits = codec.encode(script((-2, -2), [(0, FLIPPED, 0, 0), (1, MOVED, 5, 5)]))
    clean, edited = (
        open_page("pages/playground.py", problem="three_clouds", **link) for link in ({}, {"edits": edits})
    )
    assert pictures(healthy(edited)) == pictures(clean)


def test_it_is_the_only_problem_of_its_kind():
    assert problems.names("multiclass") == problems.names("multiclass", planar=True) == ["three_clouds"]
