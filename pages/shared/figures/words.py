"""Words for pictures: the key below a plane and the sentences for those who cannot see it."""

import numpy as np

from pages.shared.figures.marks import LOWER, UPPER
from pages.shared.palette import colour


def key(points, limit, ghost=False, off=False, below=22):
    """The annotation, `below` pixels under a plane, that says what colour, symbol, area, fill and outline mean.

    It holds no number that moves with the model: the axes and texts of a plane are drawn anew only when they change.
    """
    marks = [f"{_ink('●', 'plus')} class +1", f"{_ink('■', 'minus')} class −1"]
    lines, colours = [], []
    if limit is not None:
        marks += [_ink("━", "ink") + " f = 0", _ink("╌", "ink") + " f = ±1"]
        colours = [f"colours end at |f| = {limit:g}"]
    if ghost:
        marks.append("┄ before")
    if points.outlier is not None and np.any(points.outlier):
        marks.append(f"{_ink('◯', 'accent')} outlier")
    if off:
        marks.append(f"{_ink('○', 'muted')} switched off")
    if points.alpha is not None:
        colours.append("area ∝ |α|")
        lines = ["filled α > 0, hollow α < 0; thick edge: at a bound"]
    space = "\u2002"
    return dict(
        text="<br>".join([space.join(marks), "; ".join(colours), *lines]),
        xref="x domain",
        x=0,
        xanchor="left",
        yref="y domain",
        y=0,
        yanchor="top",
        yshift=-below,
        align="left",
        showarrow=False,
        font=dict(size=11, color=colour("muted")),
        name="key",
    )


def _ink(text, name):
    return f'<span style="color:{colour(name)}">{text}</span>'


def plane(points, *, title=None, drawn=True, ghost=False, off=None):
    """What a plane shows: points, classes, support values, lines."""
    head = f"Plane of {title}: " if title else "Plane: "
    text = head + f"{_count(points.y)}."
    if points.alpha is not None:
        text += " " + _support(points)
    if drawn:
        text += " The field of decision values is coloured by sign; lines mark f = 0 and f = ±1."
    if ghost:
        text += " A dashed grey line shows the boundary before."
    if points.outlier is not None and np.any(points.outlier):
        text += f" {_number(int(np.sum(points.outlier)), 'outlier')} ringed."
    if off is not None:
        text += f" {_number(len(off.y), 'point')} switched off, hollow and grey."
    return text


def spectrum(points, lower, upper, *, title=None):
    """What a spectrum shows: how many support values, how large, how many at a bound."""
    head = f"Support values of {title}, ranked: " if title else "Support values, ranked: "
    text = head + f"{_count(points.y)}. {_support(points)}"
    bounds = [f"{name} {value:.4g}" for name, value in (("lower", lower), ("upper", upper)) if np.isfinite(value)]
    return text + (f" Bounds: {', '.join(bounds)}." if bounds else " No bounds.")


def overlay(names, points):
    """What an overlay shows: whose boundaries over which points."""
    return f"Boundaries f = 0 of {_list(names)} over {_count(points.y)}."


def sweep(names, xlabel, ylabel):
    """What a sweep shows: which quantity against which, for whom."""
    return f"{ylabel} against {xlabel} for {_list(names)}: a line for the mean, a band around it."


def _support(points):
    alpha = np.asarray(points.alpha)
    used = int(np.sum(alpha != 0))
    text = f"{used} of {len(alpha)} have a support value other than zero"
    text += f", largest |alpha| {np.max(np.abs(alpha), initial=0):.3g}"
    negative = int(np.sum(alpha < 0))
    if negative:
        text += f", {negative} negative"
    if points.state is not None:
        bound = int(np.sum((points.state == UPPER) | (points.state == LOWER)))
        text += f", {bound} at a bound"
    return text + "."


def _count(y):
    plus = int(np.sum(np.asarray(y) > 0))
    return f"{_number(len(y), 'point')}, {plus} of class +1 and {len(y) - plus} of class -1"


def _number(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _list(names):
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
