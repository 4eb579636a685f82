"""The picture of more than two classes: the region of each, their boundaries, and the training points."""

import numpy as np
import scipy

from pages.shared.figures import captions, marks, plane, style
from pages.shared.figures.palette import at_depth, colour
from pages.shared.screen.edits import class_names, point_name
from pages.shared.studies.arrays import ZERO, Field

# the colour and the symbol of each class, in their order; plane/web/base/classes.js has the same
KINDS = (("plus", "circle"), ("minus", "square"), ("third", "triangle-up"))


def regions_figure(field, points, *, ghost=None, change=None, off=None) -> style.Drawing:
    """The Drawing of `arrays.Regions` and their points, of up to three classes: a region, a marker, a name for each.

    The area of a marker is its largest |alpha|, a thick edge a support vector of any machine; a region is deeper where
    its class leads by more than 1. `ghost` are the regions without the outliers, of which only the boundaries are
    drawn, in grey, and with a `plane.Change` what changes class is shaded; `off` are Points that are left out of the
    fit. Traces: "region k", "inner k", "changed", "ghost k", "switched off", "points k", "outliers" and "name k" for
    each class k. ValueError for more classes than there are symbols.
    """
    if len(points.classes) > len(KINDS):
        raise ValueError(f"There are symbols for {len(KINDS)} classes, got {len(points.classes)}.")
    names = list(class_names(points.classes).values())
    leads = () if field.values is None else field.leads
    now = {f"region {name}": Field(field.xs, field.ys, lead) for name, lead in zip(names, leads, strict=False)}
    shown = list(zip(names, now.values(), KINDS, strict=False))
    traces = [_region(one, f"region {name}", colour(f"{ink}-region"), 2.2) for name, one, (ink, _) in shown]
    traces += [
        _region(one._replace(f=one.f - 1), f"inner {name}", colour(f"{ink}-inner"), 0) for name, one, (ink, _) in shown
    ]
    if ghost is not None:
        was = {f"ghost {n}": Field(ghost.xs, ghost.ys, lead) for n, lead in zip(names, ghost.leads, strict=True)}
        traces += [plane.changed_area(was, now, change)] if change is not None else []
        traces += [plane.level_line(line, name, colour("muted"), width=1.6) for name, line in was.items()]
    traces += [marks.switched_off(off)] if off is not None else []
    used = np.zeros(len(points.y), bool) if points.state is None else np.asarray(points.state) != ZERO
    size = marks.diameters(points.alpha, marks.largest_alpha(points), len(points.y))
    traces += [_points(points, *each, size, used) for each in zip(points.classes, names, KINDS, strict=False)]
    called = list(points.class_names.values())
    traces += marks.rings(points, size, compact=False)
    traces += [_name(field, *each) for each in zip(names, called, leads, strict=False)]
    return style.figure(
        traces,
        alt=captions.regions(points, called, used, ghost is not None, off) + captions.SHADED * bool(change),
        where=captions.shares(called, leads),
        key=captions.regions_legend(points, {trace["name"] for trace in traces}),
        sizes=marks.size_key(points),
        **plane.frame(field, points, noted=True),
    )


def _region(field, name, fill, width):
    return plane.area(field, name, fill, dict(color=colour("ink"), width=width, smoothing=0))


def _points(points, label, name, look, size, used):
    members = np.flatnonzero(points.y == label)
    ink, symbol = look
    depth = None if points.depth is None else points.depth[members]
    return style.markers(
        *points.X[members].T,
        f"points {name}",
        symbol=symbol,
        size=size[members],
        color=colour(ink) if depth is None else [at_depth(ink, k) for k in depth],
        line=dict(color=colour(f"{ink}-deep"), width=np.where(used[members], 2.0, 0.9).astype(np.float32)),
        hovertext=[_describe(points, row, used[row]) for row in members],
        **marks.hover_boxes(points, members, ["%{hovertext}"], {"α": points.alpha}),
    )


def _describe(points, row, used):
    text = f"{point_name(int(points.ids_of(row)))}, class {points.class_names[points.y[row]]}"
    text += ", support vector" if used else ""
    wrong = points.predicted is not None and points.predicted[row] != points.y[row]
    return text + (f"<br>predicted: class {points.class_names[points.predicted[row]]}" if wrong else "")


def _name(field, name, called, lead):
    """The name of a class in the middle of its region; no text where it has none."""
    inside = np.pad(lead > 0.0, 1)
    depth = scipy.ndimage.distance_transform_edt(inside)[1:-1, 1:-1]
    row, column = np.unravel_index(np.argmax(depth), depth.shape)
    place, text = ([float(field.xs[column])], [float(field.ys[row])]), f"<b>class {called}</b>" if inside.any() else ""
    font = dict(size=13, color=colour("ink"), family=colour("font"))
    return style.scatter(*place, f"name {name}", mode="text", text=[text], textfont=font)
