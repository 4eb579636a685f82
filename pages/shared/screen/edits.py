"""The edits of the points of a problem: a short script that can be applied. `codec` writes it for a link.

Positions are whole multiples of a decimal step, so that a link restores exactly the same points. A script refers to
the problem as it is drawn: each draw has its own points and its own script.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from svmcore.problems import outliers

MOVED, FLIPPED, MARKED, OFF, GONE, TURNED = 1, 2, 4, 8, 16, 32
MOST = 5000
LARGEST = 2**31
STEPS = range(-12, 13)  # powers of ten


class Edit(NamedTuple):
    """The edit of one point.

    id: the row of the problem's training point, or -1, -2, ... for added points. flags: MOVED (it has a position of
    its own), FLIPPED (its class is the next one in the list of classes, of two classes the other one), TURNED (its
    class is two places further in that list), MARKED (its mark as an outlier is reversed), OFF (left out of the fit),
    GONE (deleted). The list goes round, and an added point begins with its first class. x, y: the position in steps, 0
    if it has not moved.
    """

    id: int
    flags: int
    x: int = 0
    y: int = 0


class Edits(NamedTuple):
    """A script: one `Edit` per point, ordered by id, places in multiples of 10**step, a power for each axis."""

    step: tuple[int, int] = (0, 0)
    edits: tuple[Edit, ...] = ()


NONE = Edits()


def script(step, rows) -> Edits:
    """The script of rows (id, flags, x, y) in any order, checked; an edit that changes nothing is left out.

    ValueError for values that no editor writes.
    """
    step = tuple(int(power) for power in step)
    if len(step) != 2 or any(power not in STEPS for power in step):
        raise ValueError(f"The step of the edits must be two powers of ten from {STEPS[0]} to {STEPS[-1]}, got {step}.")
    found = {}
    for row in rows:
        edit = Edit(*(int(value) for value in row))
        if edit.id in found:
            raise ValueError(f"The edits name point {edit.id} twice.")
        if not 0 <= edit.flags < 2 * TURNED or max(map(abs, edit)) >= LARGEST:
            raise ValueError(f"The edit {tuple(edit)} has a number out of range.")
        if edit.id < 0:
            edit = edit._replace(flags=edit.flags | MOVED)
        elif not edit.flags & MOVED:
            edit = edit._replace(x=0, y=0)
        if edit.flags and not (edit.id < 0 and edit.flags & GONE):
            found[edit.id] = edit
    if len(found) > MOST:
        raise ValueError(f"At most {MOST} points can be edited by hand, got {len(found)}.")
    return Edits(step if found else (0, 0), tuple(found[key] for key in sorted(found)))


def from_message(told: dict) -> Edits:
    """The script in a message of the browser, {"step", "edits"}; ValueError for what no editor writes."""
    step, rows = told.get("step"), told.get("edits")
    if not (_is_whole(step, 2) and isinstance(rows, list) and all(_is_whole(row, 4) for row in rows)):
        raise ValueError("The edits must be rows of four whole numbers, and their step two.")
    return script(step, rows)


def _is_whole(values, count):
    return isinstance(values, list) and len(values) == count and all(type(value) is int for value in values)


def steps(X, equal=True) -> tuple[int, int]:
    """The powers of ten that divide the span of X (N, 2) into a thousand to ten thousand steps.

    The same for both axes, that of the larger span; one for each where their units are not `equal`.
    """
    if not len(X):
        return -3, -3
    spans, reach = np.ptp(X, axis=0), np.abs(X).max(axis=0)
    if equal:
        spans, reach = np.full(2, spans.max()), np.full(2, reach.max())
    return tuple(_power(*axis) for axis in zip(spans.tolist(), reach.tolist(), strict=True))


def _power(span, reach):
    power = math.floor(math.log10(span / 1000)) if span > 0 else -3
    if reach > 0:
        power = max(power, math.ceil(math.log10(10 * reach / LARGEST)))  # a place has to stay below LARGEST
    return min(max(power, STEPS[0]), STEPS[-1])


def point_name(key: int) -> str:
    """The name of the point with that id, here and in the browser (edits.js)."""
    return f"point {key}" if key >= 0 else f"added point {-key}"


def class_flags(classes, before, after) -> int:
    """The flags of a point that goes from one class of the list to another."""
    places = (classes.index(after) - classes.index(before)) % len(classes)
    return FLIPPED * (places & 1) | TURNED * (places >> 1)


def class_of(classes, label, flags: int) -> float:
    """The class of a point with the label `label` and these flags; a regression, without classes, has the label."""
    places = bool(flags & FLIPPED) + 2 * bool(flags & TURNED)
    return classes[(classes.index(label) + places) % len(classes)] if classes else label


def class_names(classes, called=()) -> dict[int, str]:
    """The names of classes on the page, {label: name}, in their order; with what they are `called` in brackets."""
    signs = {1: "+1", -1: "−1"} if -1.0 in classes else {}
    names = [signs.get(label, f"{label:g}") for label in classes]
    names = [f"{name} ({own})" for name, own in zip(names, called, strict=True)] if called else names
    return dict(zip(map(int, classes), names, strict=True))


def places(problem) -> np.ndarray:
    """The positions of the training points in the plane or on their slice, (N, 2); for a regression (x, y)."""
    if problem.slice is not None:
        return problem.slice.places(problem.X)
    return np.column_stack([problem.X[:, 0], problem.y]) if problem.task == "regression" else problem.X


def moved_places(edits) -> np.ndarray:
    """The places (k, 2) of the points that were moved or added."""
    return np.array([place(edits, edit) for edit in edits.edits if edit.flags & MOVED]).reshape(-1, 2)


def place(edits, edit) -> tuple[float, float]:
    """Coordinates (x, y) of a moved or added point."""
    return tuple(round(steps * 10.0**power, max(-power, 0)) for steps, power in zip(edit[2:], edits.step, strict=True))


# ------------------------------------------------------------------------------------------- apply


class EditedProblem(NamedTuple):
    """A problem after its edits, and the points that are switched off: a problem of their own, or None."""

    problem: object
    off: object | None


def apply(problem, edits: Edits) -> EditedProblem:
    """The problem with the edits made; edits of points that it does not have are ignored.

    A point that is marked counts as an outlier: `outliers.without_outliers` restores its label and place if it was not
    moved by hand, and removes it otherwise. Test points stay as they are.
    """
    rows = {int(key): row for row, key in enumerate(problem.ids)}
    known = [edit for edit in edits.edits if edit.id in rows]
    new = [edit for edit in edits.edits if edit.id < 0]
    changed = _add_points(problem, [edit.id for edit in new])
    marked = changed.outlier.copy()
    gone, off, moved = np.zeros((3, len(marked)), dtype=bool)
    rows |= {edit.id: len(rows) + k for k, edit in enumerate(new)}
    for edit in [*known, *new]:
        row = rows[edit.id]
        moved[row], gone[row], off[row] = (bool(edit.flags & flag) for flag in (MOVED, GONE, OFF))
        marked[row] ^= bool(edit.flags & MARKED)
        if moved[row]:
            _put(changed, row, place(edits, edit))
        changed.y[row] = class_of(problem.classes, changed.y[row], edit.flags)
    restored = marked & ~moved & ~changed.added & changed.restorable
    clean = np.where(restored[:, None], changed.X_clean, changed.X)
    y_clean = np.where(restored, changed.y_clean, changed.y)
    changed = replace(changed, added=marked & ~restored, X_clean=clean, y_clean=y_clean)
    kept = _rows(changed, ~gone & ~off)
    return EditedProblem(kept, _rows(changed, off & ~gone) if np.any(off & ~gone) else None)


def _add_points(problem, ids):
    """A copy of the problem with more points of its first class at the origin."""
    origin = np.zeros(problem.X.shape[1]) if problem.slice is None else problem.slice.origin
    origins = np.tile(origin, (len(ids), 1))
    labels = np.full(len(ids), problem.classes[0] if problem.classes else 0.0)
    ids = np.append(problem.ids, np.array(ids, dtype=int))
    return replace(outliers.add(problem, origins, labels), added=np.isin(ids, problem.ids[problem.added]), ids=ids)


def _put(problem, row, xy):
    if problem.task == "regression":
        problem.X[row, 0], problem.y[row] = xy
    elif problem.slice is not None:
        problem.X[row] = problem.slice.move(problem.X[row], xy)
    else:
        problem.X[row] = xy


def _rows(problem, keep):
    parts = {name: getattr(problem, name)[keep] for name in ("X", "y", "X_clean", "y_clean", "added", "ids")}
    return replace(problem, **parts)


def without_outliers(problem, edits: Edits) -> Edits:
    """The script without the outliers, the same for every position of an outlier."""
    marked = set(problem.ids[problem.outlier].tolist())
    kept = []
    for edit in edits.edits:
        if (edit.id in marked) == bool(edit.flags & MARKED):  # no outlier in the end
            kept.append(edit)
        elif edit.id >= 0:
            kept.append(Edit(edit.id, GONE) if edit.flags & (MOVED | GONE) else edit)
    return script(edits.step, kept)
