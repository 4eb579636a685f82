"""The moment of a film in the link. The film itself runs in the browser, which tells where it rests."""

import streamlit as st

from pages.shared.controls import strip, widgets
from pages.shared.page.run import current, session
from pages.shared.screen.schema import NOWHERE, STEP


def first_moment(run: str, iterations: list[int], rested: dict | None) -> int | None:
    """Moment at which the film of `run` begins if a link or a file says so, as a place in its `iterations`.

    rested: {run, iteration}, where the browser rested last; it goes into the link. The film of another run, as after a
    change of C, stands at the same part of its way, and so does the link.
    """
    arrived = current().arrived or STEP.name in session().brought
    step = widgets.checked_value(STEP)
    known, share = st.session_state.get("film_rests", (None, None))
    if arrived:
        share = None if step == NOWHERE else _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif rested and rested["run"] == run:
        step = int(rested["iteration"])
        share = _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif known != run:
        step = NOWHERE if share is None else iterations[round(share * (len(iterations) - 1))]
    st.session_state["film_rests"], session().values[STEP.name] = (run, share), step
    strip.put(STEP, step, visible=False)
    return _nearest(iterations, step) if arrived and step != NOWHERE else None


def _nearest(iterations, step):
    return min(range(len(iterations)), key=lambda k: abs(iterations[k] - step))
