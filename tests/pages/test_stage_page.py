"""What stands around the pictures: the scene's card, the sentence on the last edit, the numbers, presenter mode."""

import re

import numpy as np
import pytest
from screen import choose, edges, healthy, metrics, open_page, press, sent, session, traces

from pages.shared.studies.scenes import SCENES, neighbours
from svmcore import SVC, losses, problems

pytestmark = pytest.mark.usefixtures("warm")

SHARE = "\\d+\\.\\d\u202f%"
FLIPPED = dict(contamination="flip_farthest", losses="least_squares,least_absolute")


def bar(app):
    return sent(app, "controls")[0]


@pytest.mark.parametrize("key", SCENES)
def test_a_scene_keeps_its_card(key):
    scene = SCENES[key]
    few = {"n": "20"} if "feature_walk" not in scene.page else {"walk_n": "20"}  # the card is the same for few points
    app = healthy(open_page(scene.page, **scene.query, **few, scene=key, claims="1"))
    assert len(app.warning) == 0
    (card,) = [one.value for one in app.markdown if one.value.startswith(f"**{scene.title}.**")]
    assert scene.claim in card and scene.first and scene.first in card
    link = scene.query | {"scene": key}  # what the page takes from it would be a step back of its own
    assert all(app.query_params.get(name) == text for name, text in link.items())
    links = {e.proto.label: e.proto.query_string for e in app.get("page_link") if e.proto.label.endswith(" scene")}
    assert links and all("claims=1" in query for query in links.values())
    assert not sent(app, "question")
    expected = dict(zip(("Previous scene", "Next scene"), neighbours(key), strict=True))
    assert {name: re.search(r"scene=(\w+)", query)[1] for name, query in links.items()} == {
        name: other for name, other in expected.items() if other
    }


@pytest.mark.parametrize("link", [{"scene": "humbug"}, {"scene": "few_features"}, {"scene": "leverage", "claims": "1"}])
def test_no_scene_and_one_of_another_page_have_neither_question_nor_card_here(link):
    app = healthy(open_page("pages/convergence.py", n="20", **link))
    assert not [link for link in app.get("page_link") if link.proto.label.endswith(" scene")]
    assert not sent(app, "question")


def test_an_edit_is_followed_by_a_sentence_on_what_it_did():
    app = healthy(open_page("pages/compare.py", **FLIPPED))
    assert bar(app)["sentence"] == ""
    result = bar(choose(app, flips=4))["sentence"]
    told = f"By this change: LS-SVM changed {SHARE} of the plane; Least 1-Norm SVM changed {SHARE} of the plane\\."
    assert re.fullmatch(told, result)
    assert bar(choose(app, C=3.0))["sentence"] == "", "another machine has not moved"
    against = f"LS-SVM test error .*, changed {SHARE} of the plane against the clean points"
    assert any(re.fullmatch(against, edge) for edge in edges(app))


def test_home_says_what_its_picture_shows():
    app = healthy(open_page("home.py"))
    assert edges(app) == [" "], "it tells nothing beforehand"
    app = healthy(press(app, "Flip 6 labels"))
    (edge,) = edges(app)
    shares = [list(map(float, found)) for found in re.findall(r"SVM ([\d.]+)\u202f% \((\d+)–(\d+)\)", edge)]
    assert len(shares) == 3 and shares[0][0] > 10 > 1 > shares[2][0], edge
    assert all(low <= high for _, low, high in shares) and shares[0][2] > shares[2][2]
    extra = ("before the change", "on other draws")
    assert all(len([name for name in traces(app, "live") if words in name]) == 3 for words in extra)
    assert "%" not in edges(press(app, "Flip them back"))[0]
    assert not [name for name in traces(app, "live") for words in extra if words in name]
    assert [spec["edit"] for spec in sent(app, "figure")] == [True]


def test_presenter_mode_is_part_of_the_link_and_the_numbers_have_names_for_a_held_slider():
    app = healthy(open_page("pages/playground.py", present="1"))
    assert bar(app)["present"] and not app.warning
    names = ["test_error", "train_error", "support_vectors", "at_bound", "status"]
    assert [key for key, *_ in bar(app)["numbers"]] == names and metrics(app)["Solver"] == "converged"
    assert not bar(choose(app, present=0))["present"] and "present" not in app.query_params
    assert bar(healthy(press(app, "Present")))["present"] and app.query_params["present"] in ("1", ["1"])


@pytest.mark.parametrize("key", [key for key, loss in losses.LOSSES.items() if not loss.bounded])
def test_the_first_thing_to_do_on_playground_changes_the_picture(key):
    problem = problems.load("toy_outliers", 0)
    far = int(np.argmax(problem.X[:, 0]))
    across = problem.X.copy()
    across[far] = problem.X[problem.y != problem.y[far]].mean(axis=0)
    before, after = (SVC(key).fit(X, problem.y) for X in (problem.X, across))
    alpha = [dict(zip(one.support_, abs(one.dual_coef_[0]), strict=True)).get(far, 0.0) for one in (before, after)]
    assert alpha[1] > alpha[0] + 0.2


def test_playground_says_what_to_do_first():
    for link, words in (({}, "drag a point across the boundary"), ({"problem": "sinc"}, "how far the curve follows")):
        assert words in session(healthy(open_page("pages/playground.py", n="30", **link))).run.hint
