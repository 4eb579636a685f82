"""A scene asks first: its claim, and the page that it opens, come after the answer, or at once with `claims=1`."""

import re

import pytest
from questions import act, form
from screen import healthy, notes, open_page
from waiting import mostly_slow

from pages.shared.lessons import reading
from pages.shared.lessons.screens import scene_card
from pages.shared.studies.scenes import SCENES

pytestmark = pytest.mark.usefixtures("warm")
KEY = "least_1_norm_fig1"
SCENE = SCENES[KEY]
PROMPT = reading.built_in_lessons()["errors"].prompt("flip")


@pytest.fixture
def asked(monkeypatch):
    """The scene with a question, and how its link is opened."""
    known = reading.scenes() | {KEY: PROMPT}
    monkeypatch.setattr(reading, "scenes", lambda: known)
    return lambda **link: healthy(open_page(SCENE.page, **SCENE.query, scene=KEY, **link))


def claimed(app):
    return [one.value for one in app.markdown if SCENE.claim in one.value]


@pytest.mark.parametrize("given, right", [(2, True), (0, False)])
def test_the_question_comes_first_then_the_claim_and_what_was_said(asked, given, right):
    app = asked()
    assert form(app)["asked"] == PROMPT.question and SCENE.title in form(app)["place"] and claimed(app) == []
    app = act(app, "commit", given)
    assert claimed(app) and form(app) is None and notes(app) == []
    assert not [e for e in app.get("page_link") if "claims" in e.proto.query_string], "the next scene asks again"
    (said,) = [one.value for one in app.markdown if "**You said:**" in one.value]
    assert PROMPT.options[given].text in said and (PROMPT.options[0].wrong in said) != right


def test_the_claim_can_be_shown_without_an_answer(asked):
    app = act(asked(), "next")
    assert claimed(app) and form(app) is None
    assert not [one for one in app.markdown if "**You said:**" in one.value]


@pytest.mark.parametrize("key", SCENES)
def test_the_question_of_a_scene_is_one_sentence_that_needs_no_other(key):
    question = scene_card.question(key)
    assert question in reading.scenes()[key].question and question[0].isupper() and question.endswith("?")
    assert not re.search(r"\b(they|them|it|afterwards)\b", question)


def test_home_does_not_tell_the_claim_before_the_question(asked):
    def tip(app):
        return next(e.proto.help for e in app.get("page_link") if e.proto.label.startswith(f"**{SCENE.title}.**"))

    assert tip(healthy(open_page("home.py"))) == ""
    assert tip(healthy(open_page("home.py", claims="1"))) == SCENE.claim


@pytest.mark.parametrize("key", mostly_slow(reading.scenes(), ["leverage", "window"]))
def test_every_scene_asks_and_then_shows_its_card(key):
    scene, prompt = SCENES[key], reading.scenes()[key]
    app = healthy(open_page(scene.page, **scene.query, n="20", scene=key))
    assert form(app)["asked"] and not [one for one in app.markdown if scene.claim in one.value]
    app = act(app, "commit", prompt.expected_option if prompt.options else prompt.scale.low)
    assert form(app) is None and [one for one in app.markdown if scene.claim in one.value]
