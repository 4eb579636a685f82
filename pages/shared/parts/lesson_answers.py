"""The answer of a prompt, computed in the background while the reader thinks: a commitment then waits for nothing."""

from collections.abc import Mapping

import streamlit as st

from pages.shared import session
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.lessons.answers import Answer, Late
from pages.shared.lessons.lesson import Prompt
from svmcore import deadline

PANEL = JobPanel(kind="lesson", units="answers", room=64)
PAGE = "lessons"
LONGEST = 60.0  # seconds for one answer; the reader may be long gone
PATIENCE = 0.7 * session.SECONDS  # that a page waits; the rest of its time is for its pictures


def ahead(prompt: Prompt, draw: int, changes: Mapping[str, object]) -> None:
    """Begin to compute the answer of the prompt; the arguments are those of `lessons.answers.answer`."""
    _job(prompt, draw, changes, 0.0)


def of(prompt: Prompt, draw: int, changes: Mapping[str, object]) -> Answer:
    """The answer of the prompt, of `ahead` if it was called. `Late`, a ValueError, if there is none in time."""
    with st.spinner("Solving …"):
        job = _job(prompt, draw, changes, PATIENCE)
    if job.rows:
        return job.rows[0]
    if job.running:
        raise Late("The answer takes longer than expected and is still being computed. Try again in a moment.")
    del PANEL.jobs[PAGE]  # asked again, it is computed again
    raise ValueError(job.error or "The answer was not computed. Try again.")


def _job(prompt, draw, changes, patience):
    request = repr(prompt), draw, tuple(sorted(changes.items()))
    PANEL.run(PAGE, request, lambda key: Job(key, _computed(prompt, draw, dict(changes)), 1), patience)
    return PANEL.jobs[PAGE]


def _computed(prompt, draw, changes):
    with deadline.within(LONGEST):
        found = session.lesson_answer(prompt, draw, changes)
    yield found
