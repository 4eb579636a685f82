"""Lessons of one's own: a file is uploaded or written here, checked, computed on several draws, and saved as a file."""

from pathlib import Path

import streamlit as st

from pages.shared import callbacks, tables
from pages.shared.controls import download
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.lessons import answers, handin, own, reading
from pages.shared.lessons.tables import LessonError
from pages.shared.parts import teaching_notes

PAGE = "teach"
DRAWS = 5
TEXT = "own_text"  # of the session: the file in the editor
PANEL = JobPanel(
    kind="own_lesson",
    units="answers",
    start="Compute all answers",
    resume="Resume computing",
    stop="Stop computing",
    stopped="Stopped after {made} of {total} answers.",
    outdated="The lesson has changed since these answers were computed.",
)
ABOUT = (
    "A lesson is a small text file (TOML). Begin with one of the lessons of the app, change it, check it, try it out, "
    "and save the file: nothing is stored here. `data/README.md` describes the format."
)


def editor(titles) -> None:
    """The editor of a lesson's file with its check; `titles` {id: title} are the lessons to begin with."""
    st.markdown(ABOUT)
    left, right = st.columns([0.62, 0.38], gap="medium")
    with right:
        st.selectbox("Begin with", list(titles), format_func=titles.get, key="own_model")
        copy = callbacks.reading(_copy, "own_model")
        st.button("Copy it into the editor", icon=":material/content_copy:", on_click=copy, key="own_copy")
        types = ["toml", "txt"]
        callbacks.changing(
            st.file_uploader, "Or upload a lesson", types, key="own_file", act=_uploaded, max_upload_size=1
        )
        if flaw := st.session_state.get("own_flaw"):
            st.error(tables.plain(flaw), icon=":material/error:")
    with left:
        text = st.text_area("The file", key=TEXT, height=420)
    with right:
        found = _checked(text) if text.strip() else None
    if found:
        request = (found.id, handin.edition(found), text)
        PANEL.button(PAGE, request, lambda key: Job(key, _computed(found), DRAWS * len(found.prompts)))
        st.caption(
            f"Computes the answer of each prompt on {DRAWS} draws of its points: does the option that you expect hold?"
        )
        PANEL.watch(PAGE, request, lambda job, rows: _show(rows))


def _copy(key):
    kept = st.session_state.get(own.TEXTS, {}).get(key)
    st.session_state[TEXT] = kept or (reading.FOLDER / f"{key}.toml").read_text(encoding="utf-8")


def _uploaded(file):
    if file is None:
        return
    try:
        st.session_state[TEXT], st.session_state["own_flaw"] = own.text_of(file.getvalue()), None
    except LessonError as error:
        st.session_state["own_flaw"] = f"{Path(file.name).name}: {error}"


def _checked(text):
    """The result of the check; a lesson that passes is one of this session."""
    try:
        found = own.keep(st.session_state, text)
    except LessonError as error:
        st.error(tables.plain(str(error)), icon=":material/error:")
        if error.line:
            st.code(text.splitlines()[error.line - 1][:200], language="toml")
        st.caption("The lesson can be tried out when the file can be read. Nothing that you wrote is lost.")
        return None
    st.success(
        f"“{tables.plain(found.title)}” can be read: {len(found.prompts)} prompts, {found.minutes} minutes. It is now "
        "one of the lessons of this session.",
        icon=":material/check:",
    )
    teaching_notes.lesson_link(found.id, "Try it on the Lessons page", ":material/arrow_forward:")
    download.button("Lesson (TOML)", lambda: text, f"{found.id}.toml", "application/toml")
    return found


def _computed(found):
    """(prompt, draw, answer in words, whether it is the expected one); an error is the answer in words."""
    for prompt in found.prompts:
        for draw in range(DRAWS):
            try:
                answer = answers.answer(prompt, draw)
                yield prompt.id, draw, answer.text, answer.expected
            except answers.AnswerError as error:
                yield prompt.id, draw, str(error), False


def _show(rows):
    prompts = dict.fromkeys(row[0] for row in rows)
    lines = []
    for key in prompts:
        mine = [row for row in rows if row[0] == key]
        lines.append((key, mine[0][2], f"{sum(row[3] for row in mine)} of {len(mine)}"))
    st.html(tables.grid(("prompt", "answer on the first draw", "as expected"), lines))
