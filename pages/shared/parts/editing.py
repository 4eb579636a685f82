"""Editing points on the page: the messages between Python, the board in the browser, and the link.

The browser owns the points while it edits them. It sends a script (`edits`) relative to the problem as it is drawn.
Each problem and each draw has its own script, which is restored when the reader returns to it. `points.editor` decides
which of page, link and board is up to date; this is its Streamlit side.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import controls, plane, session, tables
from pages.shared.choices import Data
from pages.shared.points import codec, editor, edits

BOARD = "points"  # the link of all planes whose points are edited


class Editing(NamedTuple):
    """The state of the board: whether a point is being moved, and the id of the chosen point, or None.

    The point with that id may have been deleted or switched off since.
    """

    moving: bool
    chosen: int | None


def edited(data: Data) -> Data:
    """The data with the edits of its points, from the link or from earlier in the session."""
    record = _record()
    _set_link(record.begin(data.drawn, _held()))
    refused, record.refused = record.refused, None
    if refused:
        controls.note(refused)
    try:
        script = record.read(data.drawn, controls.EDITS())
    except ValueError as error:
        controls.note(
            f"The link's edits of points could not be read: {tables.plain(str(error))}. The points are the problem's "
            "own."
        )
        script = edits.NONE
    if not editor.fits(codec.encode(script)):
        controls.note(
            f"The edits of {len(script.edits)} points are too long for a link and are kept in this session only. To "
            "keep them, download the JSON file under “Download” or “Share this screen”."
        )
    return data._replace(edits=script)


@contextmanager
def editing(data: Data) -> Iterator[Editing]:
    """The toolbar at the left edge of the planes that are drawn inside; yields the state of the board.

    The toolbar is sent last, also after an exception, because it confirms to the browser that its message was answered.
    """
    message = _message() or {}
    with st.container(key="stage", horizontal=True, gap="small"):
        place, pictures = st.container(key="palette", width=44), st.container(key="pictures")
    try:
        with pictures:
            yield Editing(is_moving(), _record().chosen(data.drawn))
    finally:
        with place:
            plane.board(_answer(data, message), key=BOARD, act=_take)


def revision(data: Data) -> int:
    """The revision of the points that this run sends to the board."""
    return _record().shown(data.base, data.edits)


def is_moving() -> bool:
    """Whether a point is being moved."""
    return bool((_message() or {}).get("moving"))


def choose(drawn: Data, chosen: int | None) -> None:
    """Choose the point with the id `chosen` in this draw, on all pages; None for no point."""
    _record().choose(drawn, chosen)


def remember(drawn: Data, script: edits.Edits) -> None:
    """Set the edits of the problem and of the link. Only before the controls of a run."""
    _set_link(_record().remember(drawn, script, _held()))


def _record():
    return editor.of(st.session_state)


def _held():
    """The text in the link, as the page sent it or as it was set in this run."""
    return st.session_state.get("edits")


def _set_link(text):
    if text is not None:
        st.session_state["edits"] = text


def _message():
    """The newest message of the board, None before the first."""
    state = st.session_state.get(BOARD)
    return state.get("edits") if state else None


def _take():
    """Called before the run that is started by a message of the board."""
    message = _message()
    if message:
        _set_link(_record().take(message, _held()))


def _answer(data, message):
    """The message for the board; without the points while one is moving, because they cannot have changed then."""
    begun = _record().begun
    answer = {"session": begun, "rev": revision(data), "draw": repr(data.drawn), "ack": message.get("seq", 0)}
    if message.get("moving"):
        return answer
    problem = session.base(data.base)
    places, names = edits.places(problem), edits.class_names(problem.classes)
    x, y = places.T
    label = problem.y if names else np.ones(len(places))
    base = {"ids": problem.ids, "x": x, "y": y, "label": label, "mark": problem.outlier}
    return answer | {
        "base": {name: column.tolist() for name, column in base.items()},
        "edits": [list(edit) for edit in data.edits.edits],
        "step": list(data.edits.step if data.edits.edits else edits.steps(places, equal=bool(names))),
        "labels": list(names),
        "classes": names,
    }


def points(data: Data) -> Data:
    """The data with the outliers, the edits of points and the view that are set on the page."""
    return controls.view(edited(controls.outlier(data)))
