"""The position of a boundary in words, for readers who cannot see it."""

import numpy as np

from pages.shared.studies.formatting import join_words, number

STRAIGHT = 1e-3  # of the largest |f| at the frame: the deviation from a plane of a function that counts as linear
LEVEL = 0.5  # degrees within which a line is horizontal or vertical
MOST = 3  # places that are named on one edge


def sentence(field, axes=None) -> str:
    """Describe the place of f = 0 of an `arrays.Field` in its picture: a straight line by an axis that it crosses, its
    angle and its sides, any other by the places where it meets the frame. `axes` are the names of both, if they have.
    """
    axes, f = axes or ("x1", "x2"), np.asarray(field.f, float)
    corner = "class +1" if f[0, 0] >= 0 else "class −1"
    if (f >= 0).all() or (f < 0).all():
        return f"The boundary is outside the picture, all of which is of {corner}."
    plane = _linear(field.xs, field.ys, f)
    if plane is not None:
        return _straight(*plane, field, f, axes)
    places = _meetings(field, f, axes)
    if not places:
        return f"The boundary is closed within the picture; at the frame all is of {corner}."
    return f"The boundary {places}; the lower left corner is of {corner}."


def _linear(xs, ys, f):
    """(a, b, c) of f = a x + b y + c, None if it is not of this form."""
    a, b = (f[0, -1] - f[0, 0]) / (xs[-1] - xs[0]), (f[-1, 0] - f[0, 0]) / (ys[-1] - ys[0])
    c = f[0, 0] - a * xs[0] - b * ys[0]
    away = np.abs(a * np.asarray(xs)[None, :] + b * np.asarray(ys)[:, None] + c - f).max()
    return (a, b, c) if away <= STRAIGHT * np.abs(f).max() else None


def _straight(a, b, c, field, f, axes):
    angle = np.degrees(np.arctan2(-a * np.sign(b), abs(b))) if b else 90.0
    steep, flat = abs(angle) > 90.0 - LEVEL, abs(angle) < LEVEL
    if steep:
        course, side = "is vertical", "to its right" if a > 0 else "to its left"
    else:
        turn = f"{'rises' if angle > 0 else 'falls'} to the right at {abs(angle):.0f} degrees"
        course, side = "is horizontal" if flat else turn, "above it" if b > 0 else "below it"
    place = _crossed_axis(a, b, c, field, axes) or _meetings(field, f, axes)
    return f"The boundary {place} and {course}; class +1 lies {side}."


def _crossed_axis(a, b, c, field, axes):
    """The axis that the line crosses within the picture, "" if it crosses none there."""
    (left, right), (low, high) = (field.xs[0], field.xs[-1]), (field.ys[0], field.ys[-1])
    if a and low <= 0 <= high and left <= -c / a <= right:
        return f"crosses the axis {axes[1]} = 0 at {axes[0]} = {_number(-c / a, field.xs)}"
    if b and left <= 0 <= right and low <= -c / b <= high:
        return f"crosses the axis {axes[0]} = 0 at {axes[1]} = {_number(-c / b, field.ys)}"
    return ""


def _meetings(field, f, axes):
    """Name the places where f = 0 meets the four edges of the picture, as a phrase; "" if there are none."""
    edges = [
        (f"lower edge at {axes[0]}", field.xs, f[0]),
        (f"right edge at {axes[1]}", field.ys, f[:, -1]),
        (f"upper edge at {axes[0]}", field.xs, f[-1]),
        (f"left edge at {axes[1]}", field.ys, f[:, 0]),
    ]
    found = [(name, along, _zeros(np.asarray(along, float), values)) for name, along, values in edges]
    texts = [
        f"the {name} = {', '.join(_number(zero, along) for zero in zeros[:MOST])}"
        + (f" and {len(zeros) - MOST} more" * (len(zeros) > MOST))
        for name, along, zeros in found
        if len(zeros)
    ]
    return f"meets {join_words(texts)}" if texts else ""


def _zeros(along, values):
    """The places where the values change their sign, between neighbours on a straight line."""
    before = np.flatnonzero((values[:-1] >= 0) != (values[1:] >= 0))
    low, high = values[before], values[before + 1]
    return along[before] + (along[before + 1] - along[before]) * low / (low - high)


def _number(value, along):
    """A place on an axis to about a thousandth of its length, wherever it begins."""
    digits = int(np.floor(np.log10(abs(value) or 1e-99)) + 4 - np.ceil(np.log10(along[-1] - along[0])))
    return number(float(value), f".{digits}g") if digits > 0 else "0"
