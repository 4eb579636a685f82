"""The question of a scene on the page that it opens: the claim and the page itself come after the answer."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.controls.widgets import checked_value
from pages.shared.lessons import grading, reading
from pages.shared.lessons.answers import Late
from pages.shared.lessons.screens import navigation, prepared_answers, prompt_pictures, question_form
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.screen import schema
from pages.shared.studies.scenes import SCENES

ANSWER = "scene_answer"  # (key of the scene, what was said or None) in the session
BUTTONS = [("next", "Show the claim at once", False)]


def asks(key: str) -> bool:
    """True if the claim of the scene waits for an answer; the message of the form is taken here."""
    prompt = reading.scenes().get(key)
    if prompt is None or checked_value(schema.CLAIMS):
        return False
    message = navigation.take_message()
    if message and message["key"] == _key(prompt):
        st.session_state[ANSWER] = key, message["given"] if message["action"] == "commit" else None
    return st.session_state.get(ANSWER, ("", None))[0] != key


def question(key: str) -> str:
    """The question of the scene in one sentence, without the description of its points; "" where it asks nothing."""
    prompt = reading.scenes().get(key)
    (asked,) = re.findall(r"[^.?]+\?", prompt.question) if prompt else [""]
    return asked.strip()


def prediction_text(key: str) -> str:
    """Prediction of the reader for the scene, and the truth, as Markdown; "" without a prediction."""
    answered, given = st.session_state.get(ANSWER, ("", None))
    prompt = reading.scenes().get(key)
    if answered != key or given is None or prompt is None:
        return ""
    try:
        answer = prepared_answers.prepared_answer(prompt, 0, {})
        feedback = grading.grade(prompt, given, answer)
    except Late as late:
        return str(late)
    except ValueError:
        return ""
    rows = question_form.rows(feedback)
    return " ".join(f"**{name}:** {text}" for name, text in rows if name != "Why")  # the claim says that


@contextmanager
def ask_before(key: str) -> Iterator[None]:
    """The question of the scene in the place of what is drawn inside, which stays out of sight."""
    prompt = reading.scenes()[key]
    asked = PromptAttempt(_key(prompt), PromptView(prompt, 0), prepared_answers.lesson_case(prompt, 0, {}))
    with prompt_pictures.show_beside(asked, key="scene_stage"):
        question_form.show(asked, place=f"**{SCENES[key].title}**", buttons=BUTTONS)
    prepared_answers.lesson_answer(prompt, 0, {})  # so that it is ready at the commitment
    with st.container(key="behind"):
        yield


def _key(prompt):
    """Key that tells this question from all others."""
    return f"scene/{prompt.id}/0"
