"""Sentences about a step: numbers with three digits, points by their index from 0."""

import numpy as np

from svmcore import duals
from svmcore.watch import trace

STATES = {
    duals.ZERO: "zero",
    duals.FREE: "free",
    duals.UPPER: "at the upper bound",
    duals.LOWER: "at the lower bound",
}
MANY = 6  # more points than this are counted, not named


def number(x) -> str:
    """Three significant digits: 0.123, 1.23e-05, 12."""
    return f"{x + 0.0:.3g}"  # the sum makes -0 a 0


def counted(n, what) -> str:
    """ "1 step", "7 steps"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def listed(points) -> str:
    """ "point 3", "points 3, 7 and 9", "12 points"."""
    points = [int(point) for point in points]
    if len(points) > MANY:
        return f"{len(points)} points"
    head, last = points[:-1], points[-1]
    return f"points {', '.join(map(str, head))} and {last}" if head else f"point {last}"


def changed(before, after) -> str:
    """Which points went from one state of the box to another; `before` and `after`, (N,), as `duals.box_state`."""
    moves = {}
    for point in np.flatnonzero(before != after):
        moves.setdefault((before[point], after[point]), []).append(point)
    if not moves:
        return "No point changes its state."
    parts = (f"{listed(points)}: {STATES[a]} → {STATES[b]}" for (a, b), points in moves.items())
    return capital("; ".join(parts)) + "."


def objective(gain, now) -> str:
    """How far the objective fell, or rose, and where it stands."""
    if not np.isfinite(gain):
        return f"The objective is {number(now)}."
    return f"The objective {'falls' if gain >= 0.0 else 'rises'} by {number(abs(gain))} to {number(now)}."


def ending(seen) -> str:
    """How the run ended, with the violation beside the tolerance."""
    violation = f"violation {number(seen.violation[-1])}, tolerance {number(seen.tol)}"
    return f"The run ends here, after {seen.n_iter}: {seen.status} ({violation})."


def beginning(seen, violation) -> str:
    """Iteration 0."""
    return f"The start: nothing has moved yet. The violation is {number(violation)}, the tolerance {number(seen.tol)}."


def capital(sentence) -> str:
    """The same with a capital letter first."""
    return sentence[:1].upper() + sentence[1:]


def of_round(seen, t, given) -> list[str]:
    """Sentences for any solver that works in rounds: objective, violation, who changed, and the events by name."""
    row = int(np.searchsorted(seen.iteration, t))
    now = trace.moments(seen, t, given)
    if row == 0:
        said = [objective(np.nan, now.objective[0])]
    else:
        before = trace.moments(seen, seen.iteration[row - 1], given)
        gain = before.objective[0] - now.objective[0]
        said = [objective(gain, now.objective[0]), changed(before.state[0], now.state[0])]
    if np.isfinite(now.violation[0]):
        said.append(f"The violation is {number(now.violation[0])}, the tolerance {number(seen.tol)}.")
    said += [f"{capital(name.replace('_', ' '))}: {_value(column[row])}." for name, column in seen.events.items()]
    return [*said, ending(seen)] if t == seen.n_iter else said


def _value(value) -> str:
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    if value.dtype == bool and value.ndim:
        return listed(np.flatnonzero(value)) if value.any() else "no point"
    if value.ndim == 0:
        return str(bool(value)) if value.dtype == bool else number(value)
    return f"{value.size} values from {number(value.min())} to {number(value.max())}" if value.size else "none"
