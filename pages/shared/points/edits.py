"""What was done to the points of a problem by hand: a short script that can be applied. `codec` writes it for a link.

Positions are whole multiples of a decimal step, so that a link restores exactly the points that were seen. A script is
relative to the problem as it is drawn: a problem that is drawn anew brings its own points, and its own script.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

MOVED, FLIPPED, MARKED, OFF, GONE = 1, 2, 4, 8, 16
MOST = 5000
LARGEST = 2**31
STEPS = range(-12, 13)  # powers of ten


class Edit(NamedTuple):
    """What was done to one point.

    id: the row of the problem's training point, or -1, -2, ... for the points added by hand. flags: MOVED (it has a
    place of its own), FLIPPED (the label reversed; an added point is of class -1), MARKED (taken as an outlier, or no
    longer so), OFF (left out of the fit for now), GONE (deleted). x, y: the place in steps, 0 where it has not moved.
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

    ValueError, in a sentence, for what no editor writes.
    """
    step = tuple(int(power) for power in step)
    if len(step) != 2 or any(power not in STEPS for power in step):
        raise ValueError(f"The step of the edits must be two powers of ten from {STEPS[0]} to {STEPS[-1]}, got {step}.")
    found = {}
    for row in rows:
        edit = Edit(*(int(value) for value in row))
        if edit.id in found:
            raise ValueError(f"The edits name point {edit.id} twice.")
        if not 0 <= edit.flags < 2 * GONE or max(map(abs, edit)) >= LARGEST:
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


def called(key: int) -> str:
    """What the point with that id is called, here and in the browser (edits.js)."""
    return f"point {key}" if key >= 0 else f"added point {-key}"


def places(problem):
    """Where the training points stand in the plane, (N, 2): those of a regression at (x, y)."""
    return np.column_stack([problem.X[:, 0], problem.y]) if problem.task == "regression" else problem.X


def moved(edits):
    """The places (k, 2) of the points that were moved or added."""
    return np.array([place(edits, edit) for edit in edits.edits if edit.flags & MOVED]).reshape(-1, 2)


def place(edits, edit):
    """Coordinates (x, y) of a moved or added point."""
    return tuple(round(steps * 10.0**power, max(-power, 0)) for steps, power in zip(edit[2:], edits.step, strict=True))


# ------------------------------------------------------------------------------------------- apply


class Edited(NamedTuple):
    """A problem after its edits, and the points that are switched off: a problem of their own, or None."""

    problem: object
    off: object | None


def apply(problem, edits: Edits) -> Edited:
    """The problem with the edits made; edits of points that it does not have are passed over.

    A point that is marked counts as an outlier: `outliers.without` restores its label if only that was changed, and
    removes it otherwise. Test points stay as they are.
    """
    rows = {int(key): row for row, key in enumerate(problem.ids)}
    known = [edit for edit in edits.edits if edit.id in rows]
    new = [edit for edit in edits.edits if edit.id < 0]
    changed = _extended(problem, len(new), [edit.id for edit in new])
    marked = changed.outlier.copy()
    gone, off, moved = np.zeros((3, len(marked)), dtype=bool)
    rows |= {edit.id: len(rows) + k for k, edit in enumerate(new)}
    for edit in [*known, *new]:
        row = rows[edit.id]
        moved[row], gone[row], off[row] = (bool(edit.flags & flag) for flag in (MOVED, GONE, OFF))
        marked[row] ^= bool(edit.flags & MARKED)
        if moved[row]:
            _put(changed, row, place(edits, edit))
        if edit.flags & FLIPPED and problem.task == "classification":
            changed.y[row] *= -1.0
    flip_only = marked & ~moved & ~changed.added & (changed.y != changed.y_clean)
    changed = replace(changed, added=marked & ~flip_only, y_clean=np.where(flip_only, changed.y_clean, changed.y))
    kept = _rows(changed, ~gone & ~off)
    return Edited(kept, _rows(changed, off & ~gone) if np.any(off & ~gone) else None)


def _extended(problem, k, ids):
    """A copy of the problem with k more points of class +1 at the origin."""
    return replace(
        problem,
        X=np.vstack([problem.X, np.zeros((k, problem.X.shape[1]))]),
        y=np.append(problem.y, np.ones(k)),
        y_clean=np.append(problem.y_clean, np.ones(k)),
        added=np.append(problem.added, np.zeros(k, dtype=bool)),
        ids=np.append(problem.ids, np.array(ids, dtype=int)),
    )


def _put(problem, row, xy):
    if problem.task == "regression":
        problem.X[row, 0], problem.y[row] = xy
    else:
        problem.X[row] = xy


def _rows(problem, keep):
    parts = {name: getattr(problem, name)[keep] for name in ("X", "y", "y_clean", "added", "ids")}
    return replace(problem, **parts)


def without_outliers(problem, edits: Edits) -> Edits:
    """What is left of the script when the outliers are switched off: the same for every place of an outlier."""
    marked = set(problem.ids[problem.outlier].tolist())
    kept = []
    for edit in edits.edits:
        if (edit.id in marked) == bool(edit.flags & MARKED):  # no outlier in the end
            kept.append(edit)
        elif edit.id >= 0:
            kept.append(Edit(edit.id, GONE) if edit.flags & (MOVED | GONE) else edit)
    return script(edits.step, kept)
