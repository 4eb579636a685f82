"""Points as rows of a table, and the changes of the rows as an edit script. No Streamlit here."""

import math
from typing import NamedTuple

import numpy as np

from pages.shared.files.table import MOST_ROWS
from pages.shared.screen import edits
from pages.shared.screen.edits import GONE, MARKED, MOVED, OFF, Edit, Edits
from svmcore.words import join_words

LISTED = 3  # sentences about rows; those after them are only counted


class Sheet(NamedTuple):
    """The rows of a table, one per point that is not deleted; all columns are (N,).

    `ids` are those of the script, `places` (N, 2) the coordinates called `names`, `label` one of `classes` (0: a
    regression has none), `outlier` whether a point is marked as an outlier, `on` whether it is fitted.
    """

    ids: np.ndarray
    places: np.ndarray
    label: np.ndarray
    outlier: np.ndarray
    on: np.ndarray
    names: tuple[str, str]
    classes: tuple[int, ...]

    @property
    def columns(self) -> dict:
        """{title: cells} as the table shows them; there is no class in a regression."""
        classes = {"class": self.label} if self.classes else {}
        coordinates = dict(zip(self.names, self.places.T, strict=True))
        named = {"point": [edits.point_name(key) for key in self.ids.tolist()]}
        return {**named, **coordinates, **classes, "outlier": self.outlier, "on": self.on}


def rows(base, script: Edits) -> Sheet:
    """The points of a problem after the edits of `script`, switched off or not; added points last, in their order."""
    as_on = [edit._replace(flags=edit.flags & ~OFF) for edit in script.edits]
    shown = edits.apply(base, edits.script(script.step, as_on)).problem
    own, added = np.flatnonzero(shown.ids >= 0), np.flatnonzero(shown.ids < 0)
    order = np.concatenate([own, added[::-1]])
    return Sheet(
        shown.ids[order],
        edits.places(shown)[order],
        (shown.y if base.classes else np.zeros(len(shown.y)))[order].astype(int),
        shown.outlier[order],
        ~np.isin(shown.ids[order], [edit.id for edit in script.edits if edit.flags & OFF]),
        base.slice.names if base.slice else ("x1", "x2") if base.classes else ("x", "y"),
        tuple(map(int, base.classes)),
    )


class RowRequest(NamedTuple):
    """The values that a row of the table requests for a point; `place` is None if the point has not moved."""

    place: tuple[float, float] | None
    label: int
    outlier: bool
    on: bool


def apply_changes(base, script: Edits, deltas) -> tuple[Edits, list[str]]:
    """The script after the changes of a table that began as `rows(base, script)`, and sentences on those left out.

    `deltas` is the state of an `st.data_editor`: "edited_rows" {row: {title: value}}, "added_rows" [{title: value}],
    "deleted_rows" [row]. A cell without a valid value leaves its point unchanged; a row that lacks a coordinate is
    not yet a point.
    """
    sheet = rows(base, script)
    deleted = {int(sheet.ids[row]) for row in deltas["deleted_rows"]}
    changed, unread = _edit_requests(sheet, deltas["edited_rows"])
    added, unmade = _new_requests(sheet, deltas["added_rows"], MOST_ROWS - len(sheet.ids) + len(deleted))
    requests = changed | added
    step = script.step if script.edits else _steps(base, [place for place, *_ in requests.values() if place])
    known = dict(zip(base.ids.tolist(), zip(base.y.tolist(), base.outlier.tolist(), strict=True), strict=True))
    done, far = {edit.id: edit for edit in script.edits}, []
    for key, request in requests.items():
        edit = _edit(key, request, done.get(key, Edit(key, 0)), known.get(key), step, sheet.classes)
        if edit:
            done[key] = edit
        else:
            far.append(
                f"A point at {request.place[0]:g}, {request.place[1]:g} is too far out and was left out: with "
                f"points this close together, coordinates reach only to {edits.LARGEST * 10.0 ** max(step):.1g}."
            )
    done |= {key: Edit(key, GONE) for key in deleted}
    left_out = [*unread, *unmade, *far]
    more = len(left_out) - LISTED
    return edits.script(step, done.values()), left_out[:LISTED] + [f"And {more} more."] * (more > 0)


def _edit_requests(sheet, changes):
    """{id: request} of the rows {row: cells} that were changed, and sentences on cells without a valid value."""
    requests, unread = {}, []
    names = [called for _, called in sorted(edits.class_names(sheet.classes).items())]
    for row, cells in changes.items():
        key = int(sheet.ids[row])
        name = edits.point_name(key).capitalize()
        place, moved = sheet.places[row].tolist(), False
        for axis, column in enumerate(sheet.names):
            value = _number(cells[column]) if column in cells else place[axis]
            if value is None:
                unread.append(f"{name}, {column}: expected a number; it stays at {place[axis]:g}.")
            else:
                place[axis], moved = value, moved or column in cells
        label = cells.get("class", sheet.label[row])
        if label not in (*sheet.classes, sheet.label[row]):
            unread.append(f"{name}: expected class {join_words(names, 'or')}; the class is unchanged.")
            label = sheet.label[row]
        outlier, on = _flag(cells.get("outlier"), sheet.outlier[row]), _flag(cells.get("on"), sheet.on[row])
        requests[key] = RowRequest(tuple(place) if moved else None, int(label), outlier, on)
    return requests, unread


def _new_requests(sheet, new, room):
    """{id: request} of the new rows that are points, at most `room`, and sentences on the other rows."""
    requests, unmade, first = {}, [], min([0, *sheet.ids.tolist()])
    for count, cells in enumerate(new, 1):
        place, label = tuple(_number(cells.get(name)) for name in sheet.names), cells.get("class")
        missing = [f"a number for {name}" for name, value in zip(sheet.names, place, strict=True) if value is None]
        if len(missing) == len(place):
            continue
        if sheet.classes and label not in sheet.classes:
            missing.append(f"class {join_words(sheet.classes, 'or')}")
        if missing:
            unmade.append(f"New row {count} becomes a point when it has {join_words(missing)}.")
        elif count > room:
            unmade.append(f"New row {count} is left out: there are already {MOST_ROWS} points.")
        else:
            outlier, on = _flag(cells.get("outlier"), False), _flag(cells.get("on"), True)
            requests[first - count] = RowRequest(place, label if sheet.classes else 0, outlier, on)
    return requests, unmade


def _edit(key, request, before, known, step, classes):
    """The edit of a point after the request; None for a place that a script cannot hold."""
    flags, xy = before.flags & MOVED, before[2:]
    if request.place:
        counts = [value / 10.0**power for value, power in zip(request.place, step, strict=True)]
        if max(map(abs, counts)) >= edits.LARGEST - 1:
            return None
        flags, xy = MOVED, tuple(map(round, counts))
    label, outlier = known or (classes[0] if classes else 0, False)
    flags |= edits.class_flags(classes, label, request.label) if classes else 0
    flags |= MARKED if request.outlier != outlier else 0
    return Edit(key, flags if request.on else flags | OFF, *xy)


def _steps(base, places):
    """The steps of the plane; one without points takes three decimals, more if the places are close together."""
    if len(base.y):
        return edits.steps(edits.places(base), equal=bool(base.classes))
    power = min(edits.steps(np.array(places).reshape(-1, 2))[0], -3)
    return power, power


def _number(value):
    """A finite number, or None."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if good else None


def _flag(value, otherwise):
    return otherwise if value is None else bool(value)
