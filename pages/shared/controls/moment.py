"""The moment of a film in the link. The film itself runs in the browser, which tells where it rests."""

import streamlit as st

from pages.shared.controls import strip
from pages.shared.controls.kinds import Number

NOWHERE = -1  # of a link that says nothing
STEP = Number("step", "Moment of the film", NOWHERE, NOWHERE, 10**9, 1, hideable=False, resets=False)


def moment(run: str, iterations: list[int], rested: dict | None) -> int | None:
    """Where the film of `run` begins if a link or a file says so, as a place in `iterations`, those of its moments.

    rested: {run, iteration}, where the browser rested last; it goes into the link. The film of another run, as after a
    change of C, stands at the same part of its way, and so does the link.
    """
    state = st.session_state
    arrived = state["arrived"] or STEP.name in state.get("settings_brought", {})
    step = STEP.at().current()
    known, share = state.get("film_rests", (None, None))
    if arrived:
        share = None if step == NOWHERE else _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif rested and rested["run"] == run:
        step = int(rested["iteration"])
        share = _nearest(iterations, step) / max(len(iterations) - 1, 1)
    elif known != run:
        step = NOWHERE if share is None else iterations[round(share * (len(iterations) - 1))]
    state["film_rests"], state[STEP.name] = (run, share), step
    strip.put(STEP.at(), step, visible=False)
    return _nearest(iterations, step) if arrived and step != NOWHERE else None


def _nearest(iterations, step):
    return min(range(len(iterations)), key=lambda k: abs(iterations[k] - step))
