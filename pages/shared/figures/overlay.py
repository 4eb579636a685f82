"""The boundaries of several models over the same points."""

from typing import NamedTuple

import numpy as np

from pages.shared import palette
from pages.shared.figures import marks, style, words
from pages.shared.figures.plane import Field, frame, level_line
from pages.shared.palette import colour


class Curve(NamedTuple):
    """One model in the overlay: its name, its field, and the number that picks its colour and dash."""

    name: str
    field: Field
    index: int


def overlay(curves, points, *, title=None, axes=None, beyond=None):
    """The Figure of the lines f = 0 of `curves`, coloured and dash-coded, over the points; traces bear their names.

    Colours and dashes follow `Curve.index`, so that a model keeps its own when others are left out. `beyond` = (place,
    word) is a point that may lie outside of the picture: there an arrow points to it.
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
        annotations=_arrow(curves[0].field, *beyond) if beyond else [],
        **frame(curves[0].field, points, title=title, axes=axes),
    )


def _line(curve):
    line_colour, dash = palette.variant(curve.index)
    return level_line(curve.field, curve.name, line_colour, width=2.6, dash=dash, showlegend=True)


def _arrow(field, place, word):
    """From inside the picture to its edge, towards a place outside; nothing where the place lies inside."""
    low, high = np.array([field.xs[0], field.ys[0]], float), np.array([field.xs[-1], field.ys[-1]], float)
    middle, half = (low + high) / 2, (high - low) / 2
    way = np.asarray(place, float) - middle
    reach = float(np.max(np.abs(way) / half))
    if reach <= 1.0:
        return []
    x, y = middle + way / reach
    length = 34 / float(np.linalg.norm(way))
    return [
        dict(
            text=word,
            x=float(x),
            y=float(y),
            ax=float(-way[0] * length),
            ay=float(way[1] * length),
            arrowhead=2,
            arrowwidth=2,
            arrowcolor=colour("accent"),
            font=dict(size=12, color=colour("ink")),
            bgcolor=colour("page"),
            name="beyond",
        )
    ]
