"""The reader's hand on the points: told by the board in the browser, carried by the link, remembered for each problem.

The browser owns the points while it edits them. What it tells is a script (`edits`) relative to the problem as it is
drawn; another problem, or another draw, brings its own script, and coming back brings the first one back.
"""

import time
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import controls, plane, session
from pages.shared.choices import Data
from pages.shared.points import edits

BOARD = "points"  # the link of all planes whose points are edited
LONGEST = 6000  # characters of a script that a link is trusted with; web servers refuse much longer addresses
ECHO = 3.0  # seconds within which a page may not have heard of a new text


class Hand(NamedTuple):
    """What the hand is doing: whether a point is on its way, and the id that was chosen last, or None.

    The point with that id may have been deleted or switched off since.
    """

    moving: bool
    chosen: int | None


class Told(NamedTuple):
    """What the link was last given: for which draw, the text, the text before it, and when (monotonic seconds)."""

    drawn: Data
    text: str
    before: str
    time: float


def edited(data: Data) -> Data:
    """The data with what was done to its points, as the link says or as it was left."""
    brought = st.session_state.pop("edits_brought", None)
    if brought is not None:
        remember(data.drawn, brought)
    told, memory = st.session_state.get("edits_told"), _memory()
    if (
        told
        and (told.drawn != data.drawn or _is_echo(told))
        and st.session_state.get("edits") in (told.text, told.before)
    ):
        told = _tell(data.drawn)
    if refused := st.session_state.pop("edits_refused", None):
        controls.note(refused)
    text = controls.EDITS()
    try:
        script = edits.decode(text)
    except ValueError as error:
        controls.note(f"The link's edits of points could not be read: {error}. The points are the problem's own.")
        script = edits.NONE
    if not told or (told.drawn, told.text) != (data.drawn, text):
        memory[data.drawn] = script
        st.session_state["edits_told"] = Told(data.drawn, text, text, -ECHO)
    script = memory.get(data.drawn, edits.NONE)
    if not _fits(edits.encode(script)):
        controls.note(
            f"What was done by hand to {len(script.edits)} points is too long for a link and lives in this session "
            "only. To keep it, take the JSON file under “Take it along” or “Share this screen”."
        )
    return data._replace(edits=script)


def _is_echo(told):
    """A page that has not heard of the newest text yet still sends the one before."""
    return time.monotonic() - told.time < ECHO and st.session_state.get("edits") == told.before


@contextmanager
def editing(data: Data):
    """The toolbar, and what the hand does; the planes that follow inside are drawn for it.

    The toolbar is sent last, whatever happens inside: it tells the browser that its message has been answered.
    """
    place = st.container()
    told = _told() or {}
    try:
        yield Hand(is_moving(), _chosen(data.drawn))
    finally:
        with place:
            plane.board(_message(data, told), key=BOARD, on_change=_take)


def is_moving():
    """Whether a point is on its way."""
    return bool((_told() or {}).get("moving"))


def choose(drawn: Data, chosen):
    """From now on the point with the id `chosen` of this draw is the chosen one, on whatever page; None for none."""
    st.session_state["chosen"] = (drawn, chosen)


def _chosen(drawn):
    of, chosen = st.session_state.get("chosen", (None, None))
    return chosen if of == drawn else None


def remember(drawn: Data, script: edits.Edits):
    """From now on these are the edits of the problem, and what the link says. Only before the controls of a run."""
    _memory()[drawn] = script
    _tell(drawn)


def _tell(drawn):
    """Give the link the edits of this draw; those that are too long for a link stay with the session alone."""
    text = edits.encode(_memory().get(drawn, edits.NONE))
    text = text if _fits(text) else ""
    told = st.session_state.get("edits_told")
    before = told.before if told and told.text == text else st.session_state.get("edits", "")
    st.session_state["edits"] = text
    st.session_state["edits_told"] = Told(drawn, text, before, time.monotonic())
    return st.session_state["edits_told"]


def _fits(text):
    return len(text) <= LONGEST


def _memory():
    return st.session_state.setdefault("edits_of", {})


def _told():
    """The newest message of the board, None before the first."""
    state = st.session_state.get(BOARD)
    return state.get("hand") if state else None


def _take():
    """Called before the run that a message starts. One that is about other points than these comes too late."""
    told = _told()
    if not told or told["rev"] != st.session_state.get("edits_rev"):
        return
    drawn = st.session_state["edits_told"].drawn
    try:
        script = edits.script(told["step"], told["edits"])
    except ValueError as error:
        st.session_state["edits_refused"] = str(error)
        st.session_state["edits_seen"] = None  # the board takes back what it did
        return
    if told["chosen"] is not None:
        choose(drawn, told["chosen"])
    if told["moving"]:
        _memory()[drawn] = script
    else:
        remember(drawn, script)
    st.session_state["edits_seen"] = (st.session_state["edits_seen"][0], script)


def _message(data, told):
    """What the board is to know; the points only when none is moving, and a new revision when they are not its own."""
    seen = (data.base, data.edits)
    if st.session_state.get("edits_seen") != seen:
        st.session_state["edits_rev"] = time.time_ns() // 1000  # unlike those of a session before a restart
        st.session_state["edits_seen"] = seen
    message = {"rev": st.session_state["edits_rev"], "draw": repr(data.drawn), "ack": told.get("seq", 0)}
    if told.get("moving"):
        return message
    problem = session.base(data.base)
    regression, places = problem.task == "regression", edits.places(problem)
    x, y = places.T
    label = np.ones(len(places)) if regression else problem.y
    base = {"ids": problem.ids, "x": x, "y": y, "label": label, "mark": problem.outlier}
    return message | {
        "base": {name: column.tolist() for name, column in base.items()},
        "edits": [list(edit) for edit in data.edits.edits],
        "step": list(data.edits.step if data.edits.edits else edits.steps(places, equal=not regression)),
        "regression": regression,
        "classes": {"1": "+1", "-1": "−1"},
    }


def points(data: Data) -> Data:
    """The data as the controls of outliers, the edits by hand and the control of the view make it."""
    return controls.view(edited(controls.outlier(data)))
