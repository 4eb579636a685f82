"""The answer of a prompt on a page: computed while the reader thinks, so that a commitment waits for nothing."""

import time
from collections.abc import Mapping

import streamlit as st

from pages.shared.lessons import answers
from pages.shared.lessons.answers import Answer, Late
from pages.shared.lessons.lesson import Prompt
from pages.shared.page.job_panel import Job
from pages.shared.studies import results
from pages.shared.studies.results import shared_cache, source
from svmcore import deadline

PATIENCE = 0.7 * results.SECONDS  # that a page waits; the rest of its time is for its pictures
LONGEST = 60.0  # seconds for an answer that is computed aside
TRIED = 10.0  # seconds after which an answer that could not be computed is tried again


def prepared_answer(prompt: Prompt, draw: int, changes: Mapping[str, object]) -> Answer:
    """The answer of the prompt, with the arguments of `lessons.answers.answer`; ValueError, in a sentence, if there is
    none, and `Late`, one of these, if it is not there in time.
    """
    job = lesson_answer(prompt, draw, changes)
    with st.spinner("Solving …"):
        job.wait(PATIENCE)
    if job.rows:
        return job.rows[0]
    if job.is_running:
        raise Late("The answer takes longer than expected and is still being computed. Try again in a moment.")
    raise ValueError(job.error)


@shared_cache(64)
def lesson_case(prompt: Prompt, draw, changes) -> answers.Case:
    """The set-ups of a prompt before and after its change; `changes` {name: value} are the reader's."""
    return answers.case(prompt, draw, changes, source)


def lesson_answer(prompt: Prompt, draw, changes) -> Job:
    """The answer of a prompt: one row, with arguments as in `lesson_case`, computed once for all sessions.

    A thread of its own does it while readers think; the time limit of a page, which would be another one for each, does
    not hold there. After an error it is computed again when it is asked for again, but not at once: all who wait for it
    should see the error.
    """
    job = _lesson_answers(prompt, draw, changes)
    if job.error and time.monotonic() - job.failed > TRIED:
        _lesson_answers.drop(prompt, draw, changes)
        return _lesson_answers(prompt, draw, changes)
    return job


@shared_cache(64, timed=False)
def _lesson_answers(prompt, draw, changes):
    def compute():
        with deadline.time_limit(LONGEST):
            found = answers.answer(prompt, draw, changes, source)
        yield found

    return Job(prompt.id, compute(), 1)
