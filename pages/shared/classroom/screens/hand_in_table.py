"""Reading hand-ins: a pasted column of codes or a file, graded in the background, as a table, shares and a CSV file."""

from math import nan

import streamlit as st

from pages.shared.controls import download
from pages.shared.lessons import collected, handin
from pages.shared.lessons.collected import LEFT_OUT, READ, RIGHT, UNANSWERED, UNREADABLE, WRONG
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.wording import words
from pages.shared.page import callbacks
from pages.shared.page.job_panel import JobPanel
from pages.shared.server import jobs
from pages.shared.server.jobs import Job
from pages.shared.studies import formatting
from svmcore.problems.tables import text_of
from svmcore.words import with_count

PAGE = "teach"
PATIENCE = 1.0  # seconds before progress is shown
PANEL = JobPanel(
    kind="handins",
    units="hand-ins",
    stop="Stop reading",
    stopped="Stopped after {made} of {total} hand-ins.",
    outdated="These results belong to another text or another lesson.",
)
SIGNS = {RIGHT: "✓", WRONG: "✗", LEFT_OUT: "–", UNREADABLE: "?", UNANSWERED: "·"}
TEXT, FLAW = "handins_text", "handins_flaw"  # of the session: what was read, or why it could not be
ABOUT = (
    "Paste the codes of a class, one below the other, or a table with a column of them; mail and course pages may have "
    "broken them across lines. Or upload the file. Each student's answers are computed again on the points of that "
    f"student's number; at most {collected.MOST} hand-ins at once. Nothing is stored: the codes are forgotten with "
    "this session."
)


def reader(lesson: Lesson) -> None:
    """The place to paste or upload, and, once something was read, the results."""
    st.markdown(ABOUT)
    st.caption(
        "The checksum detects codes that were altered or mistyped. It does not prove authorship: it contains no "
        "secret, so a code that was passed on, or made by a program, looks like any other."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.text_area("Hand-in codes", key="handins_pasted", height=160, placeholder="SVMLAB1…")
        take = callbacks.with_values(_on_read, "handins_pasted", "handins_file")
        st.button("Read hand-ins", on_click=take, icon=":material/play_arrow:", key="handins_read")
    with right:
        types = ["csv", "tsv", "txt"]
        callbacks.show_widget(
            st.file_uploader, "Or a file with them", types, key="handins_file", act=_on_upload, max_upload_size=4
        )
    if flaw := st.session_state.get(FLAW):
        st.error(formatting.plain(flaw), icon=":material/error:")
    text = st.session_state.get(TEXT)
    if text:
        request = (lesson.id, handin.edition(lesson), text)
        found = collected.entries(text)
        graded = collected.rows(found, lesson, workers=jobs.threads)
        PANEL.run(PAGE, request, lambda key: Job(key, graded, len(found)), PATIENCE)
        PANEL.watch(PAGE, request, lambda job, rows: _show(lesson, rows))


def _on_read(pasted, file):
    """Read what is pasted or, where nothing is, the file."""
    if pasted.strip() or file is None:
        _take(pasted)
    else:
        _on_upload(file)


def _on_upload(file):
    if file is not None:
        _take(text_of(file.getvalue()))


def _take(text):
    """Reads this text from now on; if there is nothing in it, the one before stays and a sentence says why."""
    try:
        collected.entries(text)
    except ValueError as error:
        st.session_state[FLAW] = str(error)
        return
    st.session_state[FLAW], st.session_state[TEXT] = None, text


def _show(lesson, rows):
    read = [row for row in rows if row.status == READ]
    students = len({row.handin.number for row in read})
    remarked = [row for row in rows if row.note]
    count = f"**{len(read)} of {with_count(len(rows), 'hand-in')} read**, of {with_count(students, 'student')}"
    st.markdown(f"{count}; {len(remarked)} with a remark.")
    if read:
        _shares(lesson, rows)
    if remarked:
        st.markdown("**Remarks**")
        st.markdown("\n".join(f"- {_who(row)}: {formatting.plain(row.note)}" for row in remarked))
    st.markdown("**All hand-ins**")
    tips = {str(k): f"{prompt.id}: {words(prompt.question)}" for k, prompt in enumerate(lesson.prompts, 1)}
    head = ("line", "beside the code", "number", "status", *tips)
    st.html(formatting.grid(head, (_row(row, len(tips)) for row in rows), tips=tips))
    st.caption(
        "✓ right, ✗ wrong, – left out, ? an answer that the prompt cannot have, · the prompt has no answer on these "
        "points (the CSV file says why). The numbers are those of the prompts."
    )
    with st.container(horizontal=True):
        for label, name, write in (
            ("Table (CSV)", "hand-ins", lambda: formatting.UTF8 + collected.csv_text(lesson, rows)),
            ("Grades for Moodle (CSV)", "grades-moodle", lambda: collected.grades(lesson, rows, "moodle")),
            ("Grades for Canvas (CSV)", "grades-canvas", lambda: collected.grades(lesson, rows, "canvas")),
        ):
            download.button(label, write, f"{name}-{lesson.id}.csv", "text/csv")
    st.caption(
        "Grades have one point for each prompt that is right, or has no answer on these points; of several "
        "hand-ins with one number the last in the table counts. Moodle matches the numbers of the students with its "
        "field “ID number”, Canvas with its “SIS User ID”."
    )


def _who(row):
    return f"line {row.line}" + (f" ({formatting.plain(row.beside)})" if row.beside else "")


def _row(row, prompts):
    number = row.handin.number if row.handin else ""
    signs = [SIGNS[result.outcome] for result in row.results] or [""] * prompts
    return [str(row.line), row.beside, number, row.status, *signs]


def _shares(lesson, found):
    rows, named = [], []
    for k, s in enumerate(collected.shares(lesson, found), 1):
        share = s.right / (s.right + s.wrong) if s.right + s.wrong else nan
        rows.append((f"{k}: {s.prompt}", str(s.right), str(s.wrong), str(s.left_out), formatting.percent(share)))
        if s.times:
            named.append(f"- **{k}: {s.prompt}**, {s.times} of {s.wrong} wrong: *{words(s.misconception)}*")
    st.html(formatting.grid(("prompt", "right", "wrong", "left out", "share right"), rows))
    if named:
        st.markdown("**The commonest misconception of each prompt**")
        st.markdown("\n".join(named))
