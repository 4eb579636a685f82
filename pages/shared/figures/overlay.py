"""The boundaries of several models over the same points."""

from typing import NamedTuple

from pages.shared import palette
from pages.shared.figures import marks, style, words
from pages.shared.figures.plane import Field, frame, level_line


class Curve(NamedTuple):
    """One model in the overlay: its name, its field, and the number that picks its colour and dash."""

    name: str
    field: Field
    index: int


def overlay(curves, points, *, title=None, axes=None):
    """The Figure of the lines f = 0 of `curves`, coloured and dash-coded, over the points; traces bear their names.

    Colours and dashes follow `Curve.index`, so that a model keeps its own when others are left out.
    """
    if not curves:
        raise ValueError("an overlay needs at least one curve")
    dots = marks.traces(marks.Points(points.X, points.y, outlier=points.outlier), compact=True)
    return style.figure(
        [*dots, *(_line(curve) for curve in curves)],
        title=title,
        alt=words.overlay([curve.name for curve in curves], points),
        showlegend=True,
        legend=style.legend(-0.06),
        **frame(curves[0].field, points, title=title, axes=axes),
    )


def _line(curve):
    line_colour, dash = palette.variant(curve.index)
    return level_line(curve.field, curve.name, line_colour, width=2.6, dash=dash, showlegend=True)
