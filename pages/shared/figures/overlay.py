"""The boundaries of several models over the same points, or their curves."""

from typing import NamedTuple

from pages.shared import palette
from pages.shared.figures import marks, style, words
from pages.shared.figures.curve import Graph, axes_of, dots, path
from pages.shared.figures.plane import Field, frame, level_line


class Curve(NamedTuple):
    """One model in the overlay: its name, its field (or graph), and the number that picks its colour and dash."""

    name: str
    field: Field | Graph
    index: int


def overlay(curves, points, *, title=None, axes=None):
    """The Figure of the lines f = 0 of `curves`, coloured and dash-coded, over the points; traces bear their names.

    Colours and dashes follow `Curve.index`, so that a model keeps its own when others are left out. Where the curves
    hold graphs, the points are samples, and the lines y = f(x).
    """
    if not curves:
        raise ValueError("an overlay needs at least one curve")
    field = curves[0].field
    if isinstance(field, Graph):
        below, framed = dots(points.bare, compact=True), axes_of(field, title=title)
    else:
        below = marks.traces(points.bare, compact=True)
        framed = frame(field, points, title=title, axes=axes)
    return style.figure(
        [*below, *(_line(curve) for curve in curves)],
        title=title,
        alt=words.overlay([curve.name for curve in curves], points),
        showlegend=True,
        legend=style.legend(-0.06),
        **framed,
    )


def _line(curve):
    line_colour, dash = palette.variant(curve.index)
    options = dict(width=2.6, dash=dash, showlegend=True)
    if isinstance(curve.field, Graph):
        return path(curve.field.xs, curve.field.f, curve.name, line_colour, **options)
    return level_line(curve.field, curve.name, line_colour, **options)
