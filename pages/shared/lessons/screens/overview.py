"""The overview of the lessons, and the summary at the end of one."""

import streamlit as st

from pages.shared.controls import download
from pages.shared.controls.widgets import checked_value
from pages.shared.lessons import beginning, progress, reading
from pages.shared.lessons.lesson import Lesson, plain, short
from pages.shared.lessons.screens import challenge_page, navigation
from pages.shared.lessons.screens.navigation import LessonPosition
from pages.shared.lessons.wording import stack_parts
from pages.shared.screen import schema
from svmcore.words import with_count

PAGE = "pages/lessons.py"
LONGEST = 90  # letters of a question in the summary
LICENCE = "The texts of the lessons may be used and changed by anyone who names their source (CC BY 4.0)."
IN_CODE = (
    "- You can compute slack, the objective that a machine minimises, its dual, and the gap between the two.\n"
    "- You can scale features on the training points, and choose C and σ by cross-validation."
)
ICONS = {
    progress.RIGHT: ":material/check_circle:",
    progress.OFF: ":material/lightbulb:",
    progress.LATER: ":material/task_alt:",
    progress.OPEN: ":material/radio_button_unchecked:",
}


def show(now: LessonPosition) -> None:
    """A card for each lesson: minutes, objectives, prerequisites, and how far the reader is."""
    st.markdown(
        "Each question asks you to predict first. Then you see what happens, and why. A wrong prediction teaches as "
        "much as a right one; nothing is scored. Your answers stay in this browser and in the link."
    )
    with st.container(border=True, gap="small", key="lesson_beginning"):
        chapter = beginning.as_lesson()
        label = f"**Begin here: {chapter.title}**"
        st.page_link(PAGE, label=label, icon=":material/swipe_vertical:", query_params=query(now, chapter))
        st.caption(f"{chapter.minutes} minutes · read and drag · nothing is needed before")
        st.markdown(f"- {chapter.objectives[0]}")
    lessons = list(navigation.lessons().values())
    for row in range(0, len(lessons), 2):
        for cell, lesson in zip(st.columns(2, gap="small"), lessons[row : row + 2], strict=False):
            with cell.container(border=True, height="stretch", gap="small", key=f"lesson_{lesson.id}"):
                _card(lesson, now, lessons.index(lesson) + 1)
    with st.container(border=True, gap="small", key="lesson_in_code"):
        st.markdown("**In code:** ten lines of Python, in a notebook that checks them")
        st.caption("40 minutes · for those who program · you need Python, svmcore and scikit-learn")
        st.markdown(IN_CODE)
        download.button(
            "Notebook (ipynb)", reading.NOTEBOOK.read_bytes, "svm-lab-in-code.ipynb", "application/x-ipynb+json"
        )
    st.caption(LICENCE)
    if progress.write(now.progress):
        st.button("Forget all answers", icon=":material/delete:", key="forget_lessons", on_click=navigation.forget)


def _card(lesson, now, number):
    marks = progress.lesson_marks(now.progress, lesson.id, len(lesson.prompts))
    done = len(marks) - marks.count(progress.OPEN)
    st.page_link(PAGE, label=f"**{number}. {lesson.title}**", icon=":material/school:", query_params=query(now, lesson))
    state = f"{done} of {len(marks)} answered" if done else with_count(len(marks), "question")
    begin = "Continue" if 0 < done < len(marks) else "Look at the summary" if done else "Begin"
    st.caption(f"{lesson.time} · {state} · {begin}")
    st.markdown("\n".join(f"- {plain(text)}" for text in lesson.objectives))
    if lesson.prerequisites:
        st.caption("You need: " + " ".join(map(plain, lesson.prerequisites)))


def query(now: LessonPosition, lesson: Lesson, prompt: str = "") -> dict[str, str]:
    """The parameters of the link of a lesson, or of one of its prompts; what was answered goes with it."""
    asked, present = {"prompt": prompt} if prompt else {}, {"present": "1"} if checked_value(schema.PRESENT) else {}
    return {"lesson": lesson.id} | asked | overview_query(now) | present


def summary(now: LessonPosition) -> None:
    """Show what the reader can do now, the equation, each question with a link to it, and the pages that go deeper."""
    lesson, marks = now.lesson, now.marks
    with st.container(key="lessons_summary"):
        st.header(lesson.title, anchor=False)
    st.markdown("\n".join(["**What you can do now**", *(f"- {plain(text)}" for text in lesson.objectives)]))
    st.markdown(plain(lesson.teacher.goal))
    if lesson.teacher.equation:
        st.latex(stack_parts(lesson.teacher.equation))
    if lesson.challenge:
        challenge_page.show(lesson)
    with st.container(key="lessons_links"):
        left, right = st.columns([0.6, 0.4], gap="large")
    with left:
        for mark, prompt in zip(marks, lesson.prompts, strict=True):
            label = f"**{progress.WORDS[mark]}:** {short(prompt.question, LONGEST)}"
            st.page_link(PAGE, label=label, icon=ICONS[mark], query_params=query(now, lesson, prompt.id))
    with right:
        if lesson.deeper:
            st.markdown("**Go deeper**")
        for page in lesson.deeper:
            label = page.replace("_", " ").capitalize()
            st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
        others = list(navigation.lessons().values())
        after = others[others.index(lesson) + 1 :] if lesson in others else []
        if after:
            link_next(now, after[0])
        st.page_link(PAGE, label="All lessons", icon=":material/list:", query_params=overview_query(now))


def link_next(now: LessonPosition, lesson: Lesson) -> None:
    st.page_link(PAGE, label=f"Next lesson: {lesson.title}", icon=":material/school:", query_params=query(now, lesson))


def overview_query(now: LessonPosition) -> dict[str, str]:
    text = progress.write(now.progress)
    return {"progress": text} if text else {}
