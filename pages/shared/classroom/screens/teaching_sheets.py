"""A lesson as files: a sheet to print, with and without answers, and its prompts as questions for a course page."""

from collections.abc import Iterator
from functools import partial

import streamlit as st

from pages.shared.controls import download
from pages.shared.lessons import handin, moodle, qti, sheet
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.reading import built_in_lessons
from pages.shared.lessons.screens import printed_pictures
from pages.shared.page import addresses
from pages.shared.page.job_panel import JobPanel
from pages.shared.screen.schema import HIDE, LESSON, SECTION
from pages.shared.server.jobs import Job
from pages.shared.studies import formatting

PAGE = "teach"
PATIENCE = 1.0  # seconds before progress is shown
PANEL = JobPanel(
    kind="export",
    units="questions",
    stop="Stop checking",
    stopped="Stopped after {made} of {total} questions.",
    outdated="The lesson has changed since its answers were checked.",
)


def downloads(lesson: Lesson) -> None:
    """The downloads of one lesson; its answers are computed when a button is pressed.

    The prompts of a lesson of one's own are tried before, and those that cannot be exported are named: a download that
    fails can say nothing.
    """
    if lesson == built_in_lessons().get(lesson.id):
        query = {SECTION.name: "exercise", LESSON.name: lesson.id, HIDE.name: SECTION.name}
        _link_for_students("The link of the exercise sheet", query)
        _buttons(lesson)
        return
    way = "Send them this link and the file of the lesson; they upload it, then choose “Exercise sheet” and the lesson"
    _link_for_students(way, {SECTION.name: "own"})
    request = (lesson.id, handin.edition(lesson), repr(lesson))
    PANEL.run(PAGE, request, lambda key: Job(key, _flaws(lesson), len(lesson.prompts)), PATIENCE)
    PANEL.watch(PAGE, request, lambda job, rows: _show_check(lesson, job, rows))


def _link_for_students(about, query):
    st.markdown(
        f"**For your students.** {about}: each student has points of their own, and the answers come back as a code."
    )
    st.code(addresses.of_page(PAGE, **query), language=None, wrap_lines=True)


def _flaws(lesson) -> Iterator[str]:
    """For each prompt why it cannot be exported, "" if it can."""
    for prompt in lesson.prompts:
        try:
            for item in printed_pictures.printed_prompts(lesson._replace(prompts=(prompt,))):
                list(moodle.choices(item) if prompt.options else ())
        except ValueError as error:
            yield str(error)
        else:
            yield ""


def _show_check(lesson, job, rows):
    for flaw in filter(None, rows):
        st.error(formatting.plain(flaw), icon=":material/error:")
    if job.is_finished and not any(rows):
        _buttons(lesson)


def _buttons(lesson):
    st.markdown("**To print.** Each is one HTML file with its pictures, which any browser prints on A4.")
    with st.container(horizontal=True):
        _download(lesson, "Sheet (HTML)", sheet.page, ".html", "text/html")
        _download(lesson, "Sheet with answers (HTML)", partial(sheet.page, answers=True), "-answers.html", "text/html")
    st.markdown(
        "**For a course page.** Options become multiple choice questions with feedback on each wrong option, numbers "
        "become numerical questions with a tolerance, and orders become matching questions. A drawing becomes an essay "
        "question with the answer for the grader. The QTI zip is for Canvas, ILIAS, OpenOlat and Blackboard."
    )
    with st.container(horizontal=True):
        _download(lesson, "Questions (Moodle XML)", moodle.xml, ".xml", "application/xml")
        _download(lesson, "Questions (GIFT)", moodle.gift, ".gift", "text/plain")
        _download(lesson, "Questions (QTI 1.2)", qti.package, ".zip", "application/zip")
    st.caption(
        "Answers and pictures are computed on the points of the lesson when you press a button. It takes a few seconds."
    )


def _download(lesson, label, write, suffix, mime):
    """The file that `write` makes of a lesson and its printed prompts."""

    def make():
        return write(lesson, printed_pictures.printed_prompts(lesson))

    download.button(label, make, f"svm-lab-{lesson.id}{suffix}", mime)
