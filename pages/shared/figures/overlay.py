"""The boundaries of several models over the same points, or their curves."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import captions, marks, palette, style
from pages.shared.figures.curve import axes_of, dots
from pages.shared.figures.palette import colour
from pages.shared.figures.plane import Change, changed_area, frame, level_line
from pages.shared.studies.arrays import Field, FunctionCurve

BELOW, TITLE = 24, 16  # pixels for the ticks, and for the name of an axis
BEFORE = "before the change"
OTHERS = "on other draws"
SEVERAL = dict(several=True)  # picture/line_names.js names every line but these, which stay in the legend


class Curve(NamedTuple):
    """One model in the overlay: its name, its field (or graph), and the number that determines its colour and dash.

    `before` is its field before a change, None without one, and with a `change` the area between is shaded; `others`
    are the boundaries on other draws, x (k,), y (k,) of a broken line with nan in its gaps.
    """

    name: str
    field: Field | FunctionCurve
    index: int
    before: Field | None = None
    others: tuple[np.ndarray, np.ndarray] | None = None
    change: Change | None = None


def overlay_figure(curves, points, *, beyond=None, legend=True, sizes=None) -> style.Drawing:
    """The Drawing of the lines f = 0 of `curves`, coloured and dash-coded, over the points; traces have their names.

    Colours and dashes follow `Curve.index`, so that a model keeps them when others are left out. Where the curves
    hold graphs, the points are samples, and the lines y = f(x). The line of a model before a change is thin and pale,
    in its colour; those on other draws are faint. `beyond` = (place, word) is a point that may lie outside the plane;
    an arrow then points to it. `sizes` as in `style.figure`, of the planes beside it.
    """
    field = curves[0].field
    if isinstance(field, FunctionCurve):
        below, framed = dots(points.bare), axes_of(field)
    else:
        below = marks.traces(points.bare)
        framed = frame(field, points)
    areas, faint, ghosts = [], [], []  # the first line of a kind stands in the legend for all
    for name, now, index, before, others, change in curves:
        if before is not None:
            ghost, look = f"{name} {BEFORE}" if ghosts else BEFORE, dict(showlegend=not ghosts, meta=SEVERAL)
            ghosts.append(level_line(before, ghost, palette.tint("pale", index), width=1.6, **look))
            if change:
                areas.append(changed_area({ghost: before}, {name: now}, change, f"{name} changed", "faint"))
        if others is not None:
            other, look = f"{name} {OTHERS}" if faint else OTHERS, dict(showlegend=not faint, meta=SEVERAL)
            faint.append(style.path(*others, other, palette.tint("faint", index), width=1, **look))
    moved = [curve.name for curve in curves if curve.before is not None]
    redrawn = [curve.name for curve in curves if curve.others is not None]
    # in the lower left corner; what lies below it shines through
    inside = dict(orientation="v", yanchor="bottom", font=dict(size=style.SMALL), bgcolor=colour("veil"))
    alt = captions.overlay([curve.name for curve in curves], points, moved, redrawn)
    return style.figure(
        [*below, *areas, *faint, *ghosts, *(_line(curve) for curve in curves)],
        alt=alt + captions.SHADED * bool(areas),
        sizes=sizes,
        showlegend=legend,
        legend=style.legend(0) | inside,
        annotations=_arrow(curves[0].field, *beyond) if beyond else [],
        **framed | {"margin": {**framed["margin"], "b": BELOW + TITLE * ("title" in framed["xaxis"])}},
    )


def _line(curve):
    line_colour, dash = palette.variant(curve.index)
    options = dict(width=2.6, dash=dash, showlegend=True)
    if isinstance(curve.field, FunctionCurve):
        return style.path(curve.field.xs, curve.field.f, curve.name, line_colour, **options)
    return level_line(curve.field, curve.name, line_colour, **options)


def _arrow(field, place, word):
    """From inside the picture to its edge, towards a place outside; nothing where the place lies inside."""
    low, high = np.array([field.xs[0], field.ys[0]], float), np.array([field.xs[-1], field.ys[-1]], float)
    middle, half = (low + high) / 2, (high - low) / 2
    way = np.asarray(place, float) - middle
    reach = float(np.max(np.abs(way) / half))
    if reach <= 1.0:
        return []
    (x, y), (ax, ay) = (middle + way / reach).tolist(), (way * [-34, 34] / np.linalg.norm(way)).tolist()
    arrow = dict(arrowhead=2, arrowwidth=2, arrowcolor=colour("accent"), name="beyond")
    look = dict(font=dict(size=12, color=colour("ink")), bgcolor=colour("page"))
    return [dict(text=word, x=x, y=y, ax=ax, ay=ay, **arrow, **look)]
