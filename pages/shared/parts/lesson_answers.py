"""The answer of a prompt on a page: computed while the reader thinks, so that a commitment waits for nothing."""

from collections.abc import Mapping

import streamlit as st

from pages.shared import session
from pages.shared.lessons.answers import Answer, Late
from pages.shared.lessons.lesson import Prompt

PATIENCE = 0.7 * session.SECONDS  # that a page waits; the rest of its time is for its pictures


def ahead(prompt: Prompt, draw: int) -> None:
    """Begin to compute the answer of the prompt on the draw with this number."""
    session.lesson_answer(prompt, draw, {})


def of(prompt: Prompt, draw: int, changes: Mapping[str, object]) -> Answer:
    """The answer of the prompt; the arguments are those of `lessons.answers.answer`.

    `Late`, a ValueError, if it is not there in time; ValueError, in a sentence, if there is none.
    """
    job = session.lesson_answer(prompt, draw, dict(changes))
    with st.spinner("Solving …"):
        job.wait(PATIENCE)
    if job.rows:
        return job.rows[0]
    if job.running:
        raise Late("The answer takes longer than expected and is still being computed. Try again in a moment.")
    raise ValueError(job.error)
