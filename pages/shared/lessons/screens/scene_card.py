"""The links to all scenes; of the one in the link its question in the place of the page, and then its card."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.controls.widgets import checked_value, raw_value
from pages.shared.lessons import beginning, grading, reading
from pages.shared.lessons.answers import Late
from pages.shared.lessons.screens import navigation, prepared_answers, prompt_pictures, question_form
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.lessons.screens.prompt_pictures import PromptAttempt
from pages.shared.page.run import Run
from pages.shared.screen import schema
from pages.shared.studies.scenes import SCENES, neighbours

FIRST = 3  # of the scenes, on the first screen
ANSWER = "scene_answer"  # (key of the scene, what was said or None) in the session
QUESTION = "scene/{}/0"  # key that tells the question of a scene from all others
BUTTONS = [("next", "Show the claim at once", False)]


def query(key: str) -> dict[str, str]:
    """The parameters of the link of a scene, whose page shows its card; how claims and pages are presented goes on."""
    kept = {field.name: "1" for field in (schema.PRESENT, schema.CLAIMS) if checked_value(field)}
    return SCENES[key].query | {"scene": key} | kept


def links() -> None:
    """The link to the first chapter, and one per scene with its question, all but three in a list that opens."""
    with st.container(border=True):
        label, first = f"**New here? {beginning.chapter()['title']}**", {"lesson": beginning.KEY}
        st.page_link("pages/lessons.py", label=label, icon=":material/swipe_vertical:", query_params=first)
    with st.container(key="scenes", gap="xxsmall"):
        for key in list(SCENES)[:FIRST]:
            _open(key)
        with st.expander(f"All {len(SCENES)} scenes"):
            for key in list(SCENES)[FIRST:]:
                _open(key)


def _open(key):
    scene = SCENES[key]
    st.page_link(
        scene.page,
        label=f"**{scene.title}.** {question(key)}",
        icon=":material/play_circle:",
        query_params=query(key),
        help=None if _asks(key) else scene.claim,
    )


@contextmanager
def surround_page(run: Run) -> Iterator[None]:
    """The card of the scene in the link, if it names one of this page; before the answer its question in its place."""
    key = raw_value(schema.SCENE)
    if key not in SCENES or SCENES[key].page != run.path:
        yield
    elif _asks(key):
        with _ask_before(key):
            yield
    else:
        with run.places.scene:
            _card(key)
        yield


def _card(key):
    scene, (before, after) = SCENES[key], neighbours(key)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{scene.title}.** {scene.claim} **{scene.first}**")
        if said := _prediction_text(key):
            st.markdown(said)
        with st.container(width="content", key="scene_links", horizontal=True, gap="small"):
            for name, other, icon in (("previous", before, "arrow_back"), ("next", after, "arrow_forward")):
                if not other:
                    continue
                with st.container(key=f"scene_{name}", width="content"):
                    label, icon = f"{name.capitalize()} scene", f":material/{icon}:"
                    st.page_link(SCENES[other].page, label=label, icon=icon, query_params=query(other))


# ------------------------------------------------------------------------------------------ the question


def _asks(key: str) -> bool:
    """True if the claim of the scene waits for an answer; the message of the form is taken here."""
    if checked_value(schema.CLAIMS):
        return False
    message = navigation.take_message()
    if message and message["key"] == QUESTION.format(key):
        st.session_state[ANSWER] = key, message["given"] if message["action"] == "commit" else None
    return st.session_state.get(ANSWER, ("", None))[0] != key


def question(key: str) -> str:
    """The question of the scene in one sentence, without the description of its points."""
    (asked,) = re.findall(r"[^.?]+\?", reading.scenes()[key].question)
    return asked.strip()


def _prediction_text(key: str) -> str:
    """Prediction of the reader for the scene, and the truth, as Markdown; "" without a prediction."""
    answered, given = st.session_state.get(ANSWER, ("", None))
    if answered != key or given is None:
        return ""
    try:
        prompt = reading.scenes()[key]
        answer = prepared_answers.prepared_answer(prompt, 0, {})
        feedback = grading.grade(prompt, given, answer)
    except Late as late:
        return str(late)
    except ValueError:
        return ""
    rows = question_form.rows(feedback)
    return " ".join(f"**{name}:** {text}" for name, text in rows if name != "Why")  # the claim says that


@contextmanager
def _ask_before(key: str) -> Iterator[None]:
    """The question of the scene in the place of what is drawn inside, which stays out of sight."""
    prompt = reading.scenes()[key]
    asked = PromptAttempt(QUESTION.format(key), PromptView(prompt, 0), prepared_answers.lesson_case(prompt, 0, {}))
    with prompt_pictures.show_beside(asked, key="scene_stage"):
        question_form.show(asked, place=f"**{SCENES[key].title}**", buttons=BUTTONS)
    prepared_answers.lesson_answer(prompt, 0, {})  # so that it is ready at the commitment
    with st.container(key="behind"):
        yield
