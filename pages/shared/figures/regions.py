"""The picture of more than two classes: the region of each, their boundaries, and the training points."""

import numpy as np
from scipy import ndimage

from pages.shared.figures import style
from pages.shared.palette import colour
from pages.shared.tables import percent

KINDS = (("plus", "circle", "●"), ("minus", "square", "■"), ("third", "triangle-up", "▲"))


def regions(found) -> style.Drawing:
    """The Drawing of a `studies.one_vs_rest.OneVsRest` of up to three classes: a region, a marker and a name for each.

    Support vectors of any machine are large with a thick edge. Traces: "region k", "points k" and "name k" for each
    class k. ValueError for more classes than there are symbols.
    """
    if len(found.classes) > len(KINDS):
        raise ValueError(f"There are symbols for {len(KINDS)} classes, got {len(found.classes)}.")
    leads, used, kinds = found.leads, found.support.any(axis=0), [f"{kind:g}" for kind in found.classes]
    rows = list(zip(found.classes, kinds, leads, KINDS, strict=False))
    traces = [_region(found, name, lead, look) for _, name, lead, look in rows]
    traces += [_points(found, kind, name, used, look) for kind, name, _, look in rows]
    traces += [_name(found, name, lead) for _, name, lead, _ in rows]
    marks = [f'<span style="color:{colour(ink)}">{mark}</span> class {name}' for _, name, _, (ink, _, mark) in rows]
    key = "\u2002".join([*marks, "━ boundary of two regions"]) + "<br>large, thick edge: support vector"
    place = dict(x=0, xref="x domain", xanchor="left", y=0, yref="y domain", yanchor="top", yshift=-22)
    ticks = dict(showgrid=False, nticks=5, constrain="domain")
    ends = [[float(axis[0]), float(axis[-1])] for axis in (found.xs, found.ys)]
    return style.figure(
        traces,
        alt=_described(found, kinds, leads, used),
        xaxis=style.axis(None, range=ends[0], constraintoward="left", **ticks),
        yaxis=style.axis(None, range=ends[1], constraintoward="top", scaleanchor="x", **ticks),
        margin=dict(l=34, r=8, t=8, b=56),
        annotations=[style.note(key, align="left", name="key", **place)],
        uirevision=str(ends),
    )


def _region(found, name, lead, look):
    return dict(
        type="contour",
        x=np.asarray(found.xs, np.float32),
        y=np.asarray(found.ys, np.float32),
        z=lead.astype(np.float32),
        name=f"region {name}",
        autocontour=False,
        # Plotly tints what a constraint excludes
        contours=dict(type="constraint", operation="<", value=0),
        fillcolor=colour(f"field-{look[0]}"),
        line=dict(color=colour("ink"), width=2.2, smoothing=0),
        showscale=False,
        showlegend=False,
        hoverinfo="skip",
    )


def _points(found, kind, name, used, look):
    members = np.flatnonzero(found.y == kind)
    ink, symbol, _ = look
    words = np.where(found.predicted[members] == kind, "", "<br>predicted: class ")
    words = [w + (f"{p:g}" if w else "") for w, p in zip(words, found.predicted[members], strict=True)]
    states = np.where(used[members], ", support vector", "")
    return dict(
        type="scatter",
        x=found.X[members, 0],
        y=found.X[members, 1],
        mode="markers",
        name=f"points {name}",
        customdata=members[:, None].astype(np.float32),
        text=[f"point {i}, class {name}{state}{word}" for i, state, word in zip(members, states, words, strict=True)],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
        marker=dict(
            symbol=symbol,
            size=np.where(used[members], 12.0, 7.0).astype(np.float32),
            color=colour(ink),
            opacity=1,
            line=dict(color=colour("ink"), width=np.where(used[members], 2.0, 0.7).astype(np.float32)),
        ),
    )


def _name(found, name, lead):
    """The name of a class in the middle of its region; no text where it has none."""
    inside = np.pad(lead > 0.0, 1)
    depth = ndimage.distance_transform_edt(inside)[1:-1, 1:-1]
    row, column = np.unravel_index(np.argmax(depth), depth.shape)
    return dict(
        type="scatter",
        x=[float(found.xs[column])],
        y=[float(found.ys[row])],
        mode="text",
        name=f"name {name}",
        text=[f"<b>class {name}</b>" if inside.any() else ""],
        textfont=dict(size=13, color=colour("ink")),
        hoverinfo="skip",
        showlegend=False,
    )


def _described(found, kinds, leads, used):
    shares = [
        f"{percent(float(np.mean(lead > 0.0)))} of the picture for class {k}"
        for k, lead in zip(kinds, leads, strict=True)
    ]
    counts = [
        f"{int(np.sum(found.y == kind))} of class {name}" for kind, name in zip(found.classes, kinds, strict=True)
    ]
    wrong = int(np.sum(found.predicted != found.y))
    return (
        f"Plane with a region for each class: {len(found.y)} points, {', '.join(counts)}. Regions: "
        f"{', '.join(shares)}. "
        f"{int(used.sum())} points are support vectors of at least one machine, {wrong} are in the region of another "
        "class."
    )
