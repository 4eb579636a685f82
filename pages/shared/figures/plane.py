"""The picture of a plane: the field f, its lines f = 0 and f = +-1, and the training points."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import captions, marks, position, style
from pages.shared.figures.palette import colour, tint
from pages.shared.studies.arrays import Field

LIMIT = 2.0  # |f| at which the colours end
BANDS = 6  # colour steps from f = 0 to it
STRIPS = {"band +1": 1, "band -1": -1}
BEYOND = 1e3  # a strip that ends further out than this is drawn without an end


class Change(NamedTuple):
    """The rectangle in which a changed area is shaded, xs and ys, (2,) each, and the number of its colour."""

    xs: np.ndarray
    ys: np.ndarray
    index: int


def plane_figure(  # noqa: PLR0913
    field,
    points,
    *,
    ghost=None,
    change=None,
    earlier=False,
    off=None,
    band=None,
    meant=None,
    ringed=(),
    compact=False,
    alpha_max=None,
    sized=True,
    axes=None,
    timeless=False,
    forces=None,
) -> style.Drawing:
    """The Drawing of a decision function and its points.

    `field` may have no f (points alone); `ghost` is the field of an earlier model, of which only f = 0 is drawn, thin
    and grey, without the outliers or, with `earlier`, before a change; with a `Change` the area between both lines is
    shaded; `off` are Points that are left out of the fit, drawn hollow and grey. `band` = (low, high) shades where
    low <= y f < high, for either class a strip whose edges have its colour; `meant` = {"band", "ringed" or "crossed":
    words} goes into the key; `ringed` are rows of support vectors to be ringed. `alpha_max` fixes the scale of marker
    areas, whose key is there if `sized`; `axes` = (horizontal, vertical) names the features if a slice does not,
    `compact` is the form for small multiples: no other key, no ticks. With `timeless`, for a film, markers keep the
    order of the points, and the description is as in `captions.plane`; `forces` = (places, directions), (k, 2) each,
    are arrows. Traces: "field", "band +1", "band -1", "changed", "margins", "ghost", "boundary", "switched off",
    "points +1", "points -1", "outliers", "support", "forces".
    """
    axes = axes_of(field, points, axes)
    drawn, ink, traces = field.f is not None, colour("ink"), []
    if drawn:
        traces.append(_fill(field, compact))
        traces += [_strip(field, name, band, compact) for name in STRIPS] if band else []
        traces += [changed_area({"ghost": ghost}, {"boundary": field}, change)] if change else []
        look = dict(width=0.9 if compact else 1.2, dash="7px,5px", levels=(-1, 1, 2))
        traces.append(level_line(field, "margins", ink, **look))
    if ghost is not None:
        traces.append(level_line(ghost, "ghost", colour("muted"), width=1.3 if compact else 1.7))
    if drawn:
        traces.append(level_line(field, "boundary", ink, width=2.2 if compact else 3))
    if off is not None:
        traces.append(marks.switched_off(off, compact))
    traces += marks.traces(points, alpha_max=alpha_max, compact=compact, sort=not timeless)
    traces += [marks.support(points, ringed, compact)] if len(ringed) else []
    traces += [] if forces is None else [marks.arrows(*forces)]
    names = {trace["name"] for trace in traces}
    told = dict(below=38 if axes else 22, earlier=earlier, shade=change.index if drawn and change else None)
    key = captions.plane_legend(points, names, LIMIT, meant, **told)
    return style.figure(
        traces,
        alt=captions.plane(points, names, ringed=ringed, off=off, timeless=timeless, earlier=earlier),
        where=position.sentence(field, axes) if drawn and not timeless else "",
        key=None if compact else key,
        sizes=marks.size_key(points, alpha_max, compact) if sized else None,
        **frame(field, points, axes=axes, compact=compact, noted=bool(meant or change or forces)),
    )


def frame(field, points, *, axes=None, compact=False, noted=False) -> dict:
    """The layout of all pictures of a plane: axes with equal units over the extent of the field."""
    (left, right), (low, high) = ((float(axis[0]), float(axis[-1])) for axis in (field.xs, field.ys))
    axes = axes_of(field, points, axes)
    named = axes is not None and not compact
    ticks = dict(showticklabels=not compact, showgrid=False, nticks=5, constrain="domain")
    across = style.axis(axes[0] if named else None, range=[left, right], constraintoward="left", **ticks)
    up = style.axis(axes[1] if named else None, range=[low, high], constraintoward="top", scaleanchor="x", **ticks)
    roomy = dict(l=50 if named else 34, r=8, t=8, b=72 + 16 * named + 16 * noted)
    return dict(
        xaxis=across,
        yaxis=up,
        margin=dict(l=4, r=4, t=4, b=4) if compact else roomy,
        layers=True,
        uirevision=f"{left:.6g} {right:.6g} {low:.6g} {high:.6g}",
    )


def axes_of(field, points, axes=None) -> tuple[str, str] | None:
    """The names of the axes: those of a slice that a field shows, else `axes`, else those that the features of the
    points have; without Plotly's tags.
    """
    if field.slice:
        return tuple(name.replace("<", "‹") for name in field.slice.names)
    return axes or (points and points.named.features) or None


def _fill(field, compact):
    step = LIMIT / (4 if compact else BANDS)
    steps = dict(start=step - LIMIT, end=LIMIT - step, size=step, showlines=False)
    scale = [[0.0, colour("field-minus")], [0.5, colour("page")], [1.0, colour("field-plus")]]
    look = dict(zmin=-LIMIT, zmax=LIMIT, contours=steps, line=dict(smoothing=0), colorscale=scale)
    return contour(field, "field", **look)


def strip(name, band) -> list[float]:
    """The levels of f between which the strip of a class lies, lowest first, for the constraint of its trace."""
    low, high = (float(np.clip(edge, -BEYOND, BEYOND)) for edge in band)
    return [low, high] if STRIPS[name] > 0 else [-high, -low]


def _strip(field, name, band, compact):
    ink = colour("plus" if STRIPS[name] > 0 else "minus")
    line = dict(color=ink, width=1.2 if compact else 2, smoothing=0)
    return area(field, name, colour("haze"), line, between=strip(name, band), meta=dict(hatch=STRIPS[name]))


def changed_area(before, now, change, name="changed", kind="pale") -> dict:
    """The trace of what changes class in the rectangle of the `change`.

    before, now: {name of the trace of a line: the Field of which it is the zero}; for several classes the lead of each.
    The canvas shades what lies between the lines of a pair, Plotly where z > 0.
    """
    field = next(iter(now.values()))
    pairs = [(_on_grid(was, field), line.f) for was, line in zip(before.values(), now.values(), strict=True)]
    z = np.max([-np.sign(a * b) * np.minimum(abs(a), abs(b)) for a, b in pairs], axis=0)
    xs, ys, index = change
    inside = np.outer((ys[0] <= field.ys) & (field.ys <= ys[1]), (xs[0] <= field.xs) & (field.xs <= xs[1]))
    meta = dict(between=[list(pair) for pair in zip(before, now, strict=True)], view=[*xs.tolist(), *ys.tolist()])
    changed = Field(field.xs, field.ys, np.where(inside, z, -np.abs(z)))
    return area(changed, name, tint(kind, index), dict(width=0), meta=meta)


def _on_grid(field, other):
    """The values of a field on the grid of another one, which differs where an outlier lies outside its picture."""
    if np.array_equal(field.xs, other.xs) and np.array_equal(field.ys, other.ys):
        return field.f
    across = np.stack([np.interp(other.xs, field.xs, row) for row in field.f])
    return np.stack([np.interp(other.ys, field.ys, column) for column in across.T], axis=1)


def level_line(field, name, line_colour, *, width, dash="solid", levels=(0, 0, 1), **options) -> dict:
    """The trace of the line f = 0 of `field`, or of those at other `levels` = (first, last, step)."""
    contours = dict(zip(("start", "end", "size"), levels, strict=True), coloring="none")
    line = dict(color=line_colour, width=width, dash=dash, smoothing=0)
    return contour(field, name, contours=contours, line=line, **options)


def area(field, name, fill, line, *, between=None, **options) -> dict:
    """The trace of the area where f > 0, or where f lies `between` two levels; `line` is its edge."""
    # Plotly tints what a constraint excludes
    outside = dict(operation="<", value=0) if between is None else dict(operation="][", value=between)
    contours = dict(type="constraint", **outside)
    return contour(field, name, contours=contours, fillcolor=fill, line=line, showlegend=False, **options)


def contour(field, name, **options) -> dict:
    """The trace of a field; the range of its colours is given, which saves the browser work."""
    x, y, z = np.asarray(field.xs, np.float32), np.asarray(field.ys, np.float32), np.asarray(field.f, np.float32, "C")
    given = dict(zauto=False, zmin=-1.0, zmax=1.0, autocontour=False, showscale=False, hoverinfo="skip")
    return {"type": "contour", "x": x, "y": y, "z": z, "name": name, **given, **options}
