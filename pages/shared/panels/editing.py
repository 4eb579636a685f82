"""Editing points on the page: the messages between Python, the point editor in the browser, and the link.

The browser owns the points while it edits them. It sends a script (`edits`) relative to the problem as it is drawn.
Each problem and each draw has its own script, which is restored when the reader returns to it. `screen.editor` decides
which of page, link and editor is up to date; this is its Streamlit side.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import streamlit as st

from pages.shared.controls.points import with_outliers, with_view
from pages.shared.controls.widgets import show
from pages.shared.page import callbacks
from pages.shared.page.run import current, read_state, session
from pages.shared.plane import component
from pages.shared.screen import codec, editor, edits, schema
from pages.shared.screen.choices import Data
from pages.shared.studies import classification, formatting, results

POINTS = "points"  # the link of all planes whose points are edited


def with_edits(data: Data) -> Data:
    """The data with the edits of its points, from the link or from earlier in the session."""
    record = _record()
    _tell(record.begin, data.as_drawn)
    refused, record.refused = record.refused, None
    if refused:
        current().note(refused)
    try:
        script = record.read(data.as_drawn, show(schema.EDITS))
    except ValueError as error:
        current().note(
            f"The link's edits of points could not be read: {formatting.plain(str(error))}. The points are the "
            "problem's own."
        )
        script = edits.NONE
    if not editor.fits(codec.encode(script)):
        current().note(
            f"The edits of {len(script.edits)} points are too long for a link and are kept in this session only. To "
            "keep them, download the JSON file under “Download” or “Share this screen”."
        )
    return data._replace(edits=script)


@contextmanager
def show_toolbar(data: Data, quiet=False) -> Iterator[int | None]:
    """The toolbar at the left edge of the planes that are drawn inside; yields the id of the chosen
    point, or None; that point may have been deleted or switched off since. A `quiet` one is a single button at first.

    The toolbar is sent last, also after an exception, because it confirms to the browser that its message was answered.
    """
    message = _message() or {}
    with st.container(key="stage", horizontal=True, gap="small"):
        place, pictures = st.container(key="palette", width=44), st.container(key="pictures")
    try:
        with pictures:
            tell_slice(data)
            yield _record().chosen_point(data.as_drawn)
    finally:
        with place:
            component.point_editor(_answer(data, message) | {"quiet": quiet}, key=POINTS, act=_take)


def tell_slice(data: Data) -> None:
    """One line on what the plane shows of a table of more than two features, and what not."""
    if sentence := classification.slice_sentence(results.base(data.base)):
        st.caption(formatting.plain(sentence))


def version(data: Data) -> int:
    """The version of the points that this run sends to the point editor."""
    return _record().version_of(data.base, data.edits)


def choose(drawn: Data, chosen: int | None) -> None:
    """Choose the point with the id `chosen` in this draw, on all pages; None for no point."""
    _record().choose(drawn, chosen)


def remember(drawn: Data, script: edits.Edits) -> None:
    """Set the edits of the problem and of the link. Only before the controls of a run."""
    _tell(_record().remember, drawn, script)


def _record():
    return editor.session_editor(st.session_state)


def _tell(method, *told):
    """Tell the record, which also takes the text in the link, as the page sent it or as it was set in this run, and may
    return another.
    """
    text = method(*told, session().values.get("edits"))
    if text is not None:
        session().values["edits"] = text


def _message():
    """The newest message of the point editor, None before the first."""
    return read_state(POINTS, "edits", version=int, seq=int, chosen=int | None, step=list, edits=list)


def _take():
    """Called before the run that is started by a message of the point editor."""
    message = _message()
    if message:
        callbacks.note_change()
        _tell(_record().take, message)


def _answer(data, message):
    begun = _record().begun
    answer = {"session": begun, "version": version(data), "draw": repr(data.as_drawn), "ack": message.get("seq", 0)}
    problem = results.base(data.base)
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


def points(data: Data, **changes) -> Data:
    """The data with the outliers, the edits of points and the view that are set on the page; `changes` are those of
    the fields of the outliers.
    """
    return with_view(with_edits(with_outliers(data, **changes)), **changes)
