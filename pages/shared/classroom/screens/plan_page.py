"""A plan of a lecture: its questions one by one, and the way into a room that steps through them."""

from collections.abc import Mapping
from itertools import groupby

import streamlit as st

from pages.shared.classroom import rooms
from pages.shared.classroom.screens import room_page, vote_forms
from pages.shared.classroom.screens.following import HERE, browser, lecturer_key
from pages.shared.classroom.screens.teaching_notes import KINDS, LESSONS
from pages.shared.lessons.lesson import Lesson, short
from pages.shared.lessons.plan import EACH, JOINING, Step, plan, subjects_that_fit
from pages.shared.page import url_state
from pages.shared.page.run import current
from pages.shared.screen.schema import CODE, LESSON, PROMPT
from pages.shared.studies import formatting
from svmcore.words import with_count

ABOUT = (
    f"A question takes about {EACH} minutes: **ask, let them vote, let them talk to a neighbour, let them vote again, "
    "then show.** Each line opens its question. In a room, *Next question* asks them one by one; phones show the "
    "pictures, and the wall the votes."
)
LONGEST = 150  # characters of a question in a line


def show(lessons: Mapping[str, Lesson], minutes: int, subjects: list[str]) -> None:
    steps = plan(lessons, minutes, subjects)
    st.markdown(ABOUT)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Teach this plan in a room", type="primary", icon=":material/groups:", key="plan_room"):
            _teach(steps)
        st.markdown(f"**{with_count(len(steps), 'question')} in {minutes} minutes**")
    for lesson, group in groupby(steps, key=lambda step: step.lesson):
        with st.container(key=f"lesson_plan_{lesson.id}", gap=None):
            st.markdown(f"**{formatting.plain(lesson.title)}**")
            for step in group:
                _line(step)
    _left_out(lessons, minutes, subjects, steps)


def _line(step):
    question = formatting.plain(short(step.prompt.question, LONGEST))
    needed = " (needed by a later one)" if step.is_needed else ""
    at = f"{step.begin // 60}:{step.begin % 60:02d}"
    query = {LESSON.name: step.lesson.id, PROMPT.name: step.prompt.id}
    st.page_link(LESSONS, label=f"{at} · {KINDS[step.prompt.kind]}: {question}{needed}", query_params=query)


def _left_out(lessons, minutes, subjects, steps):
    """Name what of the subjects has no place in these minutes."""
    fit = subjects_that_fit(subjects, minutes)
    there, title = {step.key for step in steps}, {key: f"“{formatting.plain(lessons[key].title)}”" for key in subjects}
    rows = []
    for key in fit:
        missing = [str(k) for k, one in enumerate(lessons[key].prompts, 1) if (key, one.id) not in there]
        if missing:
            rows.append(f"{'questions' if missing[1:] else 'question'} {', '.join(missing)} of {title[key]}")
    if whole := [title[key] for key in subjects if key not in fit]:
        rows.append(f"all of {', '.join(whole)}")
    if rows:
        st.markdown("**Left out, for want of time:** " + "; ".join(rows) + ".")
    st.caption(
        f"The first {JOINING} minutes are for joining the room. With no subject chosen the plan takes all, in order."
    )


def _teach(steps: list[Step]) -> None:
    """The room of this browser has the plan, or a new one if it has none; the cockpit is opened."""
    with vote_forms.explain_refusals(current().note):
        code = next(iter(rooms.keys_of(browser())), "") or room_page.open_room()
        if code:
            rooms.set_plan(code, lecturer_key(code), [step.key for step in steps])
            url_state.lead_to(HERE, {CODE.name: code})
