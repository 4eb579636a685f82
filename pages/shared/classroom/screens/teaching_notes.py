"""The teacher's reading before a lesson: notes on each prompt."""

import streamlit as st

from pages.shared.lessons import asked
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.wording import stack_parts, words
from pages.shared.screen import schema
from pages.shared.studies import formatting

LESSONS = "pages/lessons.py"
KINDS = {
    "choose": "choose an option",
    "number": "give a number",
    "line": "draw the boundary",
    "points": "click points",
    "place": "place a point",
    "step": "look ahead in a solver",
    "order": "order machines",
}


def lesson_link(lesson: Lesson, label: str, icon: str, presented: bool = False) -> None:
    """A link to the first question of a lesson on the Lessons page; `presented` in presenter mode.

    It names the question: a link that the page completes takes two steps back in the browser.
    """
    query = {schema.LESSON.name: lesson.id, schema.PROMPT.name: lesson.prompts[0].id}
    query |= {schema.PRESENT.name: "1"} if presented else {}
    st.page_link(LESSONS, label=label, icon=icon, query_params=query)


def notes(lesson: Lesson) -> None:
    """Minutes, goal, equation, and for each prompt its goal, the right option, the usual wrong answers, what to say."""
    teacher = lesson.teacher
    with st.container(horizontal=True, vertical_alignment="center"):
        lesson_link(lesson, "Present this lesson", ":material/slideshow:", presented=True)
        lesson_link(lesson, "Open it as a student", ":material/arrow_forward:")
    left, right = st.columns([0.6, 0.4], gap="large")
    with left:
        count = formatting.with_count(len(lesson.prompts), "question")
        st.markdown(f"**{formatting.plain(lesson.title)}**, {lesson.time}, {count}.")
        st.markdown(_list("Objectives", lesson.objectives) + _list("Before this lesson", lesson.prerequisites))
        st.markdown(f"**Goal.** {words(teacher.goal)}")
        st.markdown(f"**To leave out when time is short.** {words(teacher.skip)}")
    with right:
        if teacher.equation:
            st.latex(stack_parts(teacher.equation))
        st.caption(words(teacher.source))
    for number, prompt in enumerate(lesson.prompts, 1):
        with st.container(border=True, gap="small"):
            closing = ", on a new problem" if prompt.closing else ""
            st.caption(f"{number}: {KINDS[prompt.kind]}{closing}")
            st.markdown(f"**{words(prompt.question)}**")
            if prompt.goal:
                st.markdown(f"Goal: {words(prompt.goal)}")
            right = [f"- **Right:** {words(prompt.options[prompt.expected_option].text)}"] if prompt.options else []
            wrong = [f"- {words(given)} → *{words(reply)}*" for given, reply in asked.mistakes(prompt)]
            st.markdown("\n".join(right + wrong))
            if prompt.source:
                st.caption(words(prompt.source))


def _list(title, texts):
    return f"**{title}.**\n\n" + "".join(f"- {words(text)}\n" for text in texts) + "\n" if texts else ""
