"""The picture of a regression with one input: the curve f through its training points, in the plane of (x, y).

All points are circles: the side of the curve on which a point lies gives the sign of its support value.

|beta|      area, on a scale that small multiples share; a zero keeps a small dot
box state   outline: zero none, free dark; a dot in the middle at a bound
"""

import numpy as np

from pages.shared.figures import captions, marks, style
from pages.shared.figures.palette import colour
from pages.shared.screen.edits import point_name


def curve_figure(  # noqa: PLR0913
    graph, samples, *, ghost=None, off=None, meant=None, ringed=(), compact=False, alpha_max=None, sized=True, sort=True
) -> style.Drawing:
    """The Drawing of a fitted curve and its points, `arrays.Samples`.

    `ghost` is the graph of an earlier model, thin and grey; `off` are samples that are left out of the fit, hollow
    and grey. `alpha_max` fixes the scale of marker areas, whose key is there if `sized`; `sort` as in `dots`, `compact`
    is the form for small multiples: no other key, no ticks. `meant` and `ringed` as in `plane`; where something is
    meant, the sign of beta does not give the side.
    Traces: "truth", "tube", "ghost", "curve", "switched off", "points", "outliers", "support".
    """
    drawn = graph.f is not None
    traces = []
    if graph.truth is not None:
        traces.append(style.path(*graph.truth, "truth", colour("field-minus"), width=1.6 if compact else 2.4))
    if drawn and graph.tube:
        x = np.concatenate([graph.xs, [np.nan], graph.xs])  # both edges, with a gap between them
        y = np.concatenate([graph.f + graph.tube, [np.nan], graph.f - graph.tube])
        traces.append(style.path(x, y, "tube", colour("ink"), width=0.9 if compact else 1.2, dash="7px,5px"))
    if ghost is not None:
        traces.append(style.path(ghost.xs, ghost.f, "ghost", colour("muted"), width=1.3 if compact else 1.7))
    if drawn:
        traces.append(style.path(graph.xs, graph.f, "curve", colour("ink"), width=2.2 if compact else 3))
    if off is not None:
        traces.append(marks.switched_off(off, compact))
    traces += dots(samples, alpha_max=alpha_max, compact=compact, sort=sort)
    traces += [marks.support(samples, ringed, compact)] if len(ringed) else []
    key = captions.curve_legend(samples, {trace["name"] for trace in traces}, meant)
    return style.figure(
        traces,
        alt=captions.curve(graph, samples, ghost=ghost is not None, off=off, ringed=ringed),
        key=None if compact else key,
        sizes=marks.size_key(samples, alpha_max, compact) if sized else None,
        **axes_of(graph, compact=compact),
    )


def axes_of(graph, *, compact=False) -> dict:
    """The layout of all pictures of curves: axes over the extent of the graph, each in its own units."""
    (left, right), (low, high) = ((float(axis[0]), float(axis[-1])) for axis in (graph.xs, graph.ys))
    edge = dict(showline=True, showgrid=False, showticklabels=not compact, nticks=6)
    return dict(
        xaxis=style.axis(range=[left, right], **edge),
        yaxis=style.axis(range=[low, high], **edge),
        margin=dict(l=4, r=4, t=4, b=4) if compact else dict(l=52, r=8, t=28, b=72),
        layers=True,
        uirevision=f"{left:.6g} {right:.6g} {low:.6g} {high:.6g}",
    )


def dots(samples, *, alpha_max=None, compact=False, sort=True) -> list[dict]:
    """The scatter traces of the samples: "points", the largest first, and, if there are any, "outliers"; without
    `sort` they keep their order.
    """
    alpha_max = marks.largest_alpha(samples) if alpha_max is None else alpha_max
    size = marks.diameters(samples.beta, alpha_max, len(samples.y), compact)
    order = np.argsort(-size, kind="stable") if sort else np.arange(len(size))
    bound = marks.at_bound(samples.state, order)
    edge = np.where(bound | marks.at_bound(samples.state, order, [marks.ZERO]), colour("page"), colour("ink")).tolist()
    line = dict(color=edge, width=marks.outlines(bound, size[order], compact))
    look = dict(symbol=marks.symbols("circle", bound), size=size[order], color=colour("plus"), line=line)
    names = [point_name(key) for key in samples.ids_of(order).tolist()]
    numbers = {"β": samples.beta, "y − f": samples.residual}
    boxes = marks.hover_boxes(samples, order, ["%{hovertext}", "x = %{x}, y = %{y}"], numbers)
    points = style.markers(samples.x[order], samples.y[order], "points", **look, hovertext=names, **boxes)
    return [points, *marks.rings(samples, size, compact)]
