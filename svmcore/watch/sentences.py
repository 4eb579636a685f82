"""Sentences about a step: numbers to three digits or as many as tell two apart, points by their index from 0."""

import numpy as np

from svmcore import duals, words
from svmcore.watch import trace
from svmcore.words import capital as capital
from svmcore.words import number as number
from svmcore.words import with_count as with_count

STATES = {
    duals.ZERO: "zero",
    duals.FREE: "free",
    duals.UPPER: "at the upper bound",
    duals.LOWER: "at the lower bound",
}
MANY = 6  # more points than this are counted instead of listed


def list_points(points) -> str:
    """ "point 3", "points 3, 7 and 9", "12 points"."""
    points = [int(point) for point in points]
    if len(points) > MANY:
        return f"{len(points)} points"
    return f"{'point' if len(points) == 1 else 'points'} {words.join_words(points)}"


def format_pair(first: float, second: float) -> tuple[str, str]:
    """Two numbers to three digits, or to so many that two digits of their difference are seen: "1.7857", "1.7843"."""
    size, gap = max(abs(first), abs(second)), abs(first - second)
    digits = 3 if gap == 0.0 or not np.isfinite(size) else min(max(3, int(np.ceil(np.log10(size / gap))) + 1), 12)
    return number(first, f".{digits}g"), number(second, f".{digits}g")


def state_changes(before, after) -> str:
    """The points that changed their state in the box; `before` and `after`, (N,), as from `duals.box_state`."""
    moves = {}
    for point in np.flatnonzero(before != after):
        moves.setdefault((before[point], after[point]), []).append(point)
    if not moves:
        return "No point changes its state."
    parts = (f"{list_points(points)}: {STATES[a]} → {STATES[b]}" for (a, b), points in moves.items())
    return capital("; ".join(parts)) + "."


def objective(gain, now) -> str:
    """The change of the objective and its value; a `gain` of nan: the value alone."""
    if not np.isfinite(gain):
        return f"The objective is {number(now)}."
    return f"The objective {'falls' if gain >= 0.0 else 'rises'} by {number(abs(gain))} to {number(now)}."


def end_sentence(run) -> str:
    """Sentence on the end of the run, a Trace, with its violation and tolerance."""
    known = np.isfinite(run.violation[-1])
    violation = f" (violation {number(run.violation[-1])}, tolerance {number(run.tol)})" if known else ""
    return f"The run ends here, after {with_count(run.n_iter, 'step')}: {run.status}{violation}."


def start_sentence(run, violation) -> str:
    return f"The start: nothing has moved yet. The violation is {number(violation)}, the tolerance {number(run.tol)}."


def of_round(run, t, given) -> list[str]:
    """Sentences on iteration t of any solver: objective, changed states, violation, and the events by name."""
    row = run.row(t)
    now = trace.moments(run, t, given)
    if row == 0:
        lines = [objective(np.nan, now.objective[0])]
    else:
        before = trace.moments(run, run.iteration[row - 1], given)
        gain = before.objective[0] - now.objective[0]
        lines = [objective(gain, now.objective[0]), state_changes(before.state[0], now.state[0])]
    if np.isfinite(now.violation[0]):
        lines.append(f"The violation is {number(now.violation[0])}, the tolerance {number(run.tol)}.")
    lines += [f"{capital(name.replace('_', ' '))}: {_value(column[row])}." for name, column in run.events.items()]
    return [*lines, end_sentence(run)] if t == run.n_iter else lines


def _value(value) -> str:
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    if value.dtype == bool and value.ndim:
        return list_points(np.flatnonzero(value)) if value.any() else "no point"
    if value.ndim == 0:
        return str(bool(value)) if value.dtype == bool else number(value)
    return f"{value.size} values from {number(value.min())} to {number(value.max())}" if value.size else "none"
