"""The screen of a prompt: its plane beside its form, and the way out."""

from typing import NamedTuple

import streamlit as st

from pages.shared import session
from pages.shared.parts import lesson_flow, lesson_overview, lesson_pictures, lesson_question
from pages.shared.parts.asked_pictures import Look
from pages.shared.parts.lesson_flow import At
from pages.shared.parts.lesson_pictures import Asked


class Shown(NamedTuple):
    """A question with the settings of the reader, {name: value}, and what its planes are drawn from."""

    asked: Asked
    changes: dict[str, float]
    look: Look


def asked(now: At) -> Shown:
    """The prompt at this place; its place has what the answer adds to the progress."""
    changes = lesson_flow.changed(now)
    now, answer, feedback = lesson_flow.graded(now, changes)
    case = answer.case if answer else session.lesson_case(now.prompt, now.attempt, changes)
    found = Asked(now, case, answer, feedback, late=now.given is not None and feedback is None)
    return Shown(found, changes, lesson_pictures.look(found, changes))


def show(shown: Shown, live: str) -> At:
    """Puts the prompt on the page; `live` is the token of its planes. Returns its place."""
    asked, changes, _ = shown
    wide = asked.prompt.second is not None
    with st.container(key="stage"):
        left, right = st.columns([0.64, 0.36] if wide else [0.46, 0.54], gap="medium")
        with right:
            lesson_question.show(asked, changes)
            _links(asked)
            lesson_pictures.words(asked)
        with left:
            lesson_pictures.show(asked, changes, live)
    return asked.at


def _links(asked):
    """The overview, and, once the answer is given, the page on which this screen can be changed."""
    with st.container(horizontal=True, gap="small", key="lesson_links"):
        overview = lesson_overview.overview_query(asked.at)
        st.page_link(lesson_overview.PAGE, label="All lessons", icon=":material/list:", query_params=overview)
        if asked.locked:
            setup = asked.case.after
            name = setup.page.removeprefix("pages/").removesuffix(".py").replace("_", " ").capitalize()
            st.page_link(setup.page, label=f"Open on {name}", icon=":material/open_in_new:", query_params=setup.query)
