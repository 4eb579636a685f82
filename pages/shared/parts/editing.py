"""Points that are edited on the page: what the board in the browser sends, and what link and board are sent back.

The browser owns the points while it edits them. What it tells is a script (`edits`) relative to the problem as it is
drawn; another problem, or another draw, brings its own script, and coming back brings the first one back. Which of the
page, the link and the board is right is for `points.editor` to say; this is its Streamlit side.
"""

from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import controls, plane, session
from pages.shared.choices import Data
from pages.shared.points import codec, editor, edits

BOARD = "points"  # the link of all planes whose points are edited


class Editing(NamedTuple):
    """What is done on the board: whether a point is being moved, and the id that was chosen last, or None.

    The point with that id may have been deleted or switched off since.
    """

    moving: bool
    chosen: int | None


def edited(data: Data) -> Data:
    """The data with what was done to its points, as the link says or as it was left."""
    record = _record()
    _tell(record.begin(data.drawn, _held()))
    refused, record.refused = record.refused, None
    if refused:
        controls.note(refused)
    try:
        script = record.read(data.drawn, controls.EDITS())
    except ValueError as error:
        controls.note(f"The link's edits of points could not be read: {error}. The points are the problem's own.")
        script = edits.NONE
    if not editor.fits(codec.encode(script)):
        controls.note(
            f"The edits of {len(script.edits)} points are too long for a link and are kept in this session only. To "
            "keep them, download the JSON file under “Download” or “Share this screen”."
        )
    return data._replace(edits=script)


@contextmanager
def editing(data: Data):
    """The toolbar at the left edge, and what is done with it; the planes that follow inside are drawn for it.

    The toolbar is sent last, whatever happens inside: it tells the browser that its message has been answered.
    """
    message = _message() or {}
    with st.container(key="stage", horizontal=True, gap="small"):
        place, pictures = st.container(key="palette", width=44), st.container(key="pictures")
    try:
        with pictures:
            yield Editing(is_moving(), _record().chosen(data.drawn))
    finally:
        with place:
            plane.board(_answer(data, message), key=BOARD, on_change=_take)


def is_moving() -> bool:
    """Whether a point is being moved."""
    return bool((_message() or {}).get("moving"))


def choose(drawn: Data, chosen: int | None) -> None:
    """From now on the point with the id `chosen` of this draw is the chosen one, on whatever page; None for none."""
    _record().choose(drawn, chosen)


def remember(drawn: Data, script: edits.Edits) -> None:
    """From now on these are the edits of the problem, and what the link says. Only before the controls of a run."""
    _tell(_record().remember(drawn, script, _held()))


def _record():
    return editor.of(st.session_state)


def _held():
    """The link's text, as the page sent it or as it was set in this run."""
    return st.session_state.get("edits")


def _tell(text):
    if text is not None:
        st.session_state["edits"] = text


def _message():
    """The newest message of the board, None before the first."""
    state = st.session_state.get(BOARD)
    return state.get("edits") if state else None


def _take():
    """Called before the run that a message of the board starts."""
    message = _message()
    if message:
        _tell(_record().take(message, _held()))


def _answer(data, message):
    """What the board is to know; the points only when none is moving: they cannot have changed then."""
    revision = _record().shown(data.base, data.edits)
    answer = {"rev": revision, "draw": repr(data.drawn), "ack": message.get("seq", 0)}
    if message.get("moving"):
        return answer
    problem = session.base(data.base)
    regression, places = problem.task == "regression", edits.places(problem)
    x, y = places.T
    label = np.ones(len(places)) if regression else problem.y
    base = {"ids": problem.ids, "x": x, "y": y, "label": label, "mark": problem.outlier}
    return answer | {
        "base": {name: column.tolist() for name, column in base.items()},
        "edits": [list(edit) for edit in data.edits.edits],
        "step": list(data.edits.step if data.edits.edits else edits.steps(places, equal=not regression)),
        "regression": regression,
        "classes": {"1": "+1", "-1": "−1"},
    }


def points(data: Data) -> Data:
    """The data as the controls of outliers, the edits by hand and the control of the view make it."""
    return controls.view(edited(controls.outlier(data)))
