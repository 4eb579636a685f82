"""The influence map of one machine: where a training point could be moved, and how much the boundary would change."""

import numpy as np

from pages.shared.figures import captions, marks, style
from pages.shared.figures.palette import colour
from pages.shared.figures.plane import axes_of, contour, frame, level_line
from pages.shared.studies.arrays import Field
from pages.shared.studies.formatting import THIN

BANDS = 20  # colour steps from nothing to the largest share


def influence_figure(field, shares, points, chosen, *, largest, compact=False) -> style.Drawing:
    """The Drawing of the shares of the plane (0 to 1) that change sides, as heat over where the point is moved to.

    `field` is the `Field` of the machine as it is, of which f = 0 is drawn. shares[r, c], (cells, cells), belongs to
    the middle of the cell in row r, counted upwards, and column c of its plane; nan has no colour. `chosen` is the row
    of the point that would be moved: it is ringed in a cross. `largest` is the share of the darkest colour, the same
    for all machines of a comparison. Traces: "influence", "boundary", "places" (invisible, for hover boxes),
    "points +1", "points -1", "outliers", "chosen", "cross".
    """
    shares = np.asarray(shares, float)
    across, up = _middles(field.xs, shares.shape[1]), _middles(field.ys, shares.shape[0])
    traces = [
        _heat(across, up, shares, largest if largest > 0 else 1.0),
        level_line(field, "boundary", colour("ink"), width=2.2 if compact else 3),
        _places(across, up, shares),
        *marks.traces(points.bare._replace(depth=None), compact=True),
        *_cross(points.X[chosen], float(field.xs[-1] - field.xs[0]), compact),
    ]
    below = 38 if axes_of(field, points) else 22
    key = captions.influence_legend(points, {trace["name"] for trace in traces}, largest, below)
    return style.figure(
        traces,
        alt=captions.influence(across, up, shares, points, chosen),
        key=None if compact else key,
        **frame(field, points, compact=compact),
    )


def _middles(axis, count):
    first, last = float(axis[0]), float(axis[-1])
    return first + (last - first) * (np.arange(count) + 0.5) / count


def _heat(across, up, shares, largest):
    """The cells as a field; half a cell more on each side, so that the colour reaches the edge of the plane."""
    step = largest / BANDS
    xs, ys = (np.pad(middles, 1, mode="reflect", reflect_type="odd") for middles in (across, up))
    steps = dict(start=step, end=largest - step, size=step, showlines=False)
    scale = [[0.0, colour("page")], [1.0, colour("heat")]]
    look = dict(zmin=0, zmax=largest, contours=steps, line=dict(smoothing=0), colorscale=scale)
    return contour(Field(xs, ys, np.pad(shares, 1, mode="edge")), "influence", **look)


def _places(across, up, shares):
    """Nothing to see: what the hover box says of a place. The index nan of the customdata is that of no point."""
    x, y = np.meshgrid(across, up)
    known = np.isfinite(shares)
    percent = 100 * shares[known]
    data = np.column_stack([np.full(len(percent), np.nan), percent])
    x, y, data = (np.asarray(values, np.float32) for values in (x[known], y[known], data))
    hover = f"moved here: %{{customdata[1]:.1f}}{THIN}% of the plane changes class<extra></extra>"
    return style.scatter(x, y, "places", mode="none", customdata=data, hovertemplate=hover)


def _cross(place, width, compact):
    """A ring around the chosen point and four arms that do not cover its mark."""
    x, y = place
    inner, outer, gap = 0.03 * width, 0.07 * width, np.nan
    size, thick = (14, 2) if compact else (20, 2.5)
    ink = colour("ink")
    ring = style.markers([x], [y], "chosen", symbol="circle-open", size=size, color=ink, line=dict(width=thick))
    across = np.array([x - outer, x - inner, gap, x + inner, x + outer, gap, x, x, gap, x, x])
    up = np.array([y, y, gap, y, y, gap, y - outer, y - inner, gap, y + inner, y + outer])
    return [ring, style.path(across, up, "cross", ink, width=thick)]
