"""Lessons of one's own: a file is uploaded or written here, checked, computed on several draws, and saved as a file."""

from pathlib import Path

import streamlit as st

from pages.shared.classroom.screens import teaching_notes
from pages.shared.controls import download
from pages.shared.lessons import answers, handin, own, reading
from pages.shared.lessons.tables import LessonError
from pages.shared.page import callbacks, url_state
from pages.shared.page.job_panel import JobPanel
from pages.shared.page.run import read_state
from pages.shared.plane import component
from pages.shared.screen import schema
from pages.shared.server.jobs import Job
from pages.shared.studies import formatting

PAGE = "teach"
DRAWS = 5
MEMORY = "own_memory"  # of the session: what the browser remembers
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
    "and save the file: nothing is stored here, but your browser remembers what stands in the editor."
)


def editor(titles, first) -> None:
    """The editor of a lesson's file with its check; `titles` {id: title}: the lessons to begin with, `first` chosen."""
    st.markdown(ABOUT)
    label = "Help: teaching, with the format of lessons at its end"
    st.page_link("pages/help.py", label=label, icon=":material/help:", query_params={"subject": "teaching"})
    _restore()
    left, right = st.columns([0.62, 0.38], gap="medium")
    with right:
        keys = list(titles)
        st.selectbox("Begin with", keys, keys.index(first), format_func=titles.get, key="own_model")
        copy = callbacks.with_values(_copy, "own_model")
        st.button("Copy it into the editor", icon=":material/content_copy:", on_click=copy, key="own_copy")
        label, types = "Or upload a lesson (TOML, at most 100 kB)", ["toml", "txt"]
        callbacks.show_widget(st.file_uploader, label, types, key="own_file", act=_on_upload, max_upload_size=1)
        if flaw := st.session_state.get("own_flaw"):
            st.error(formatting.plain(flaw), icon=":material/error:")
        if own.REPLACED in st.session_state:
            back = callbacks.with_values(lambda: own.replace(st.session_state, st.session_state[own.REPLACED]))
            st.button("Text before this one", icon=":material/undo:", on_click=back, key="own_back")
    with left:
        text = st.text_area("The file", key=own.EDITOR, height=420)
        if text or own.KEPT in st.session_state:
            st.session_state[own.KEPT] = text
        component.browser_memory("own_lesson", text, own.KEPT in st.session_state, key=MEMORY)
    with right:
        found = _check_lesson(text) if text.strip() else None
    if found:
        request = (found.id, handin.edition(found), text)
        PANEL.button(PAGE, request, lambda key: Job(key, _answer_rows(found), sum(map(_draws, found.prompts))))
        st.caption(
            f"Computes the answer of each prompt on {DRAWS} draws of its points, or on its only one: does the option "
            "that you expect hold?"
        )
        PANEL.watch(PAGE, request, lambda job, rows: _show(rows))


def _restore():
    """The text of this session, which Streamlit forgets on another page; of an earlier one where this has none yet."""
    session, remembered = st.session_state, read_state(MEMORY, "memory", text=str)
    session.setdefault(own.EDITOR, session.get(own.KEPT, ""))
    if remembered and own.KEPT not in session:
        session[own.EDITOR] = session[own.EDITOR] or remembered["text"]


def _copy(key):
    kept = st.session_state.get(own.TEXTS, {}).get(key)
    own.replace(st.session_state, kept or (reading.FOLDER / f"{key}.toml").read_text(encoding="utf-8"))


def _on_upload(file):
    st.session_state["own_flaw"] = None
    if file is None:
        return
    try:
        own.replace(st.session_state, own.text_of(file.getvalue()))
    except LessonError as error:
        st.session_state["own_flaw"] = f"{Path(file.name).name}: {error}"


def _check_lesson(text):
    """The result of the check; a lesson that passes is one of this session, which other sections are then about."""
    try:
        found = own.keep(st.session_state, text)
        url_state.give(schema.TAUGHT.name, found.id)
    except LessonError as error:
        st.error(formatting.plain(str(error)), icon=":material/error:")
        if error.line:
            st.code(text.split("\n")[error.line - 1][:200], language="toml")
        st.caption("The lesson can be tried out when the file can be read. Nothing that you wrote is lost.")
        return None
    st.success(
        f"“{formatting.plain(found.title)}” can be read: {formatting.with_count(len(found.prompts), 'prompt')}, "
        f"{found.time}. It is now one of the lessons of this session"
        f"{', in the place of the one of the app that has its id' * (found.id in reading.built_in_lessons())}.",
        icon=":material/check:",
    )
    teaching_notes.lesson_link(found, "Try it on the Lessons page", ":material/arrow_forward:")
    download.button("Lesson (TOML)", lambda: text, f"{found.id}.toml", "application/toml")
    return found


def _draws(prompt):
    return DRAWS if prompt.any_draw else 1


def _answer_rows(found):
    """(prompt, answer in words, True if it is as expected, "" or why it cannot be given) of each draw; an error is the
    answer in words.
    """
    for prompt in found.prompts:
        for draw in range(_draws(prompt)):
            try:
                answer = answers.answer(prompt, draw)
                flaw = answers.off_scale(prompt, answer)
                yield prompt.id, answer.text, answer.expected and not flaw, flaw
            except answers.AnswerError as error:
                yield prompt.id, str(error), False, ""


def _show(rows):
    prompts = dict.fromkeys(row[0] for row in rows)
    lines = []
    for key in prompts:
        mine = [row[1:] for row in rows if row[0] == key]
        flaw = next((flaw for _, _, flaw in mine if flaw), "")
        odd = [f"draw {k}: {text}" for k, (text, right, _) in enumerate(mine) if not right]
        lines.append((key, f"{mine[0][0]} {flaw}".strip(), "; ".join([f"{len(mine) - len(odd)} of {len(mine)}", *odd])))
    st.html(formatting.grid(("prompt", "answer on draw 0", "as expected; other answers"), lines))
