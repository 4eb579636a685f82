"""The question of a scene on the page that it opens: the claim and the page itself come after the answer."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared import controls, session
from pages.shared.lessons import grading, reading
from pages.shared.lessons.answers import Late
from pages.shared.lessons.lesson import Lesson, Prompt, Teacher
from pages.shared.parts import lesson_answers, lesson_flow, lesson_pictures, lesson_question
from pages.shared.parts.lesson_flow import At
from pages.shared.parts.lesson_pictures import Asked
from pages.shared.studies.scenes import SCENES

ANSWER = "scene_answer"  # (key of the scene, what was said or None) in the session
BUTTONS = [("next", "Show the claim at once", False)]


def asks(key: str) -> bool:
    """Whether the claim of the scene waits for an answer; what the form has sent is taken here."""
    prompt = reading.scenes().get(key)
    if prompt is None or controls.CLAIMS.at().current():
        return False
    message = lesson_flow.sent()
    if message and message["key"] == _at(key, prompt).key:
        st.session_state[ANSWER] = key, message["given"] if message["action"] == "commit" else None
    return st.session_state.get(ANSWER, ("", None))[0] != key


def question(key: str) -> str:
    """The question of the scene in one sentence, without the description of its points; "" where it asks nothing."""
    prompt = reading.scenes().get(key)
    (asked,) = re.findall(r"[^.?]+\?", prompt.question) if prompt else [""]
    return asked.strip()


def said(key: str) -> str:
    """What the reader predicted for the scene, and what is, as Markdown; "" without a prediction."""
    answered, given = st.session_state.get(ANSWER, ("", None))
    prompt = reading.scenes().get(key)
    if answered != key or given is None or prompt is None:
        return ""
    try:
        answer = lesson_answers.of(prompt, 0, {})
        feedback = grading.grade(prompt, given, answer)
    except Late as late:
        return str(late)
    except ValueError:
        return ""
    rows = lesson_question.rows(feedback)
    return " ".join(f"**{name}:** {text}" for name, text in rows if name != "Why")  # the claim says that


@contextmanager
def before(key: str) -> Iterator[None]:
    """The question of the scene in the place of what is drawn inside, which stays out of sight."""
    prompt = reading.scenes()[key]
    asked = Asked(_at(key, prompt), session.lesson_case(prompt, 0, {}), None, None)
    with st.container(key="scene_stage"):
        left, right = st.columns([0.46, 0.54], gap="medium")
        with right:
            lesson_question.show(asked, {}, place=f"**{SCENES[key].title}**", buttons=BUTTONS)
        with left:
            lesson_pictures.show(asked, {})
    lesson_answers.ahead(prompt, 0)
    with st.container(key="behind"):
        yield


def _at(key, prompt: Prompt, given=None):
    """A scene as a lesson with one prompt."""
    one = Lesson("scene", SCENES[key].title, 1, (), (), (), Teacher("", "", "", ""), (prompt,))
    return At(one, prompt, 0, 0, given, {})
