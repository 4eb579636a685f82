"""The encoding of training points, the same in every picture of a plane.

class       colour and symbol: +1 a vermilion circle, -1 a blue square
|alpha|     area, on a scale that small multiples share; a zero keeps a small dot
sign        alpha > 0 filled, alpha < 0 hollow
box state   outline: zero none, free in a dark shade of the class; a dot in the middle at a bound
"""

import numpy as np

from pages.shared.figures.palette import at_depth, colour, variant
from pages.shared.figures.style import markers, path
from pages.shared.screen.edits import point_name
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, select
from pages.shared.studies.formatting import number

AREA_OF_SQUARE = np.sqrt(np.pi) / 2  # a square of side 0.886 d has the area of a circle of diameter d


def largest_alpha(points) -> float:
    """The largest |alpha|, 0.0 without support values; several models share a scale by the maximum of theirs."""
    return float(np.max(np.abs(points.alpha), initial=0.0)) if points.alpha is not None else 0.0


def diameters(alpha, alpha_max, n, compact=False) -> np.ndarray:
    """Diameters in pixels (n,) of circles of area proportional to |alpha|, but never smaller than a visible dot."""
    crowd = np.clip(np.sqrt(80 / max(n, 1)), 0.6, 1.0)
    full, dot = (13.0, 4.0) if compact else (20.0, 5.5)
    if alpha is None:
        return np.full(n, 0.45 * full * crowd, np.float32)
    share = np.minimum(np.abs(alpha) / max(alpha_max, 1e-300), 1.0)
    return np.maximum(full * crowd * np.sqrt(share), dot).astype(np.float32)


def size_key(points, alpha_max=None, compact=False) -> dict | None:
    """The key of sizes, for `style.figure`: up to three values of |alpha| that are 1, 2 or 5 times a power of ten, and
    the diameters of their markers, the smallest first; None without support values other than zero.

    Values whose markers would be as small as that of a zero are left out.
    """
    largest = largest_alpha(points) if alpha_max is None else alpha_max
    if not largest > 0.0:
        return None
    values = np.outer(10.0 ** (np.floor(np.log10(largest)) - np.arange(2)), [5.0, 2.0, 1.0]).ravel()
    values = values[values <= largest * (1.0 + 1e-9)][2::-1]
    size = diameters(np.append(values, 0.0), largest, len(points.y), compact)
    seen = size[:-1] > size[-1]
    texts = [number(value) for value in values[seen]]
    return {"label": f"|{points.letter}|", "text": texts, "marker": {"size": size[:-1][seen].tolist()}}


def traces(points, *, alpha_max=None, compact=False, sort=True) -> list[dict]:
    """The scatter traces of the points: "points +1", "points -1" and, if there are any, "outliers".

    `customdata[k][0]` of a marker is the id of its training point. Markers are sorted by size, so that the large ones
    do not hide the small ones; without `sort` they keep the order of the points.
    """
    alpha_max = largest_alpha(points) if alpha_max is None else alpha_max
    size = diameters(points.alpha, alpha_max, len(points.y), compact)
    return [*(_points(points, label, size, compact, sort) for label in (1, -1)), *rings(points, size, compact)]


def _points(points, label, size, compact, sort):
    members = np.flatnonzero(np.sign(points.y) == label)
    if sort:
        members = members[np.argsort(-size[members], kind="stable")]
    kind, symbol, scale = ("plus", "circle", 1.0) if label > 0 else ("minus", "square", AREA_OF_SQUARE)
    bound = at_bound(points.state, members)
    fill, edge, hollow = _style(points, members, bound, kind)
    words, name = hover_names(points.ids_of(members))
    lines, numbers = [f"{name}, class {points.class_names[label]}"], {"α": points.alpha, "y f": points.margin}
    hover = words | hover_boxes(points, members, lines, numbers | {"slack": points.slack})
    line = dict(color=edge, width=outlines(bound, size[members], compact, hollow))
    look = dict(symbol=symbols(symbol, bound), size=size[members] * scale, color=fill, line=line)
    return markers(*points.X[members].T, f"points {label:+d}", **look, **hover)


def at_bound(state, rows, bounds=(UPPER, LOWER)) -> np.ndarray:
    """A mask of the rows whose support values are at one of these bounds; without a `state` none is."""
    if state is None:
        return np.zeros(len(rows), bool)
    return np.any([np.asarray(state)[rows] == bound for bound in bounds], axis=0)


def symbols(symbol, bound) -> str | list[str]:
    """The symbol of each marker, with a dot where it is at a `bound`; one for all where none is."""
    return np.where(bound, f"{symbol}-dot", symbol).tolist() if bound.any() else symbol


def outlines(bound, size, compact, negative=False) -> np.ndarray:
    """The widths of the outlines in pixels; that of a point at a bound is the width of its dot, too."""
    thin, dot = (0.7, 1.8) if compact else (0.9, 2.4)
    dot = np.minimum(dot, np.floor(2 * size) / 10)  # a small marker keeps its fill
    return select([bound, negative], [dot, 1.7 * thin], thin).astype(np.float32)


def _style(points, members, bound, kind):
    """(fill, outline) of the markers: lists of colours; and whether they are hollow."""
    own, pale, deep, page = (colour(name) for name in (kind, f"{kind}-pale", f"{kind}-deep", "page"))
    alpha = np.ones(len(members)) if points.alpha is None else np.asarray(points.alpha)[members]
    state = np.where(alpha == 0, ZERO, FREE) if points.state is None else np.asarray(points.state)[members]
    negative = alpha < 0
    fill = np.where(negative, pale, own)
    edge = select([negative, bound | (state == ZERO)], [own, page], deep)
    if points.depth is not None:
        depth = points.depth[members]
        far = np.array([at_depth(kind, k) for k in range(3)])[depth]
        fill, edge = np.where(negative, pale, far), np.where(depth > 0, far, edge)
    return fill.tolist(), edge.tolist(), negative


def hover_names(ids, times=1) -> tuple[dict, str]:
    """The names of points in hover boxes: what a trace needs for them, each so many `times`, and the template."""
    if np.all(ids >= 0):
        return {}, "point %{customdata[0]:d}"
    return {"hovertext": [point_name(key) for key in ids for _ in range(times)]}, "%{hovertext}"


def hover_boxes(points, members, lines, numbers) -> dict:
    """Hover boxes of these `lines`, then the `numbers`, {name: one of each point}, that are known, and the words on the
    optimality conditions: customdata (n, 1 + k) = id and numbers, the words, and the template.
    """
    known = {name: np.asarray(values, float)[members] for name, values in numbers.items() if values is not None}
    lines = lines + [f"{name} = %{{customdata[{k}]:.4g}}" for k, name in enumerate(known, start=1)]
    words = {} if points.kkt is None else {"text": np.asarray(points.kkt)[members].tolist()}
    return dict(
        customdata=np.column_stack([points.ids_of(members), *known.values()]).astype(np.float32),
        hovertemplate="<br>".join([*lines, *(f"%{{{name}}}" for name in words)]) + "<extra></extra>",
        **words,
    )


def rings(points, size, compact) -> list[dict]:
    """The trace "outliers" of the rings around them, if there are any; size (n,) are the diameters of the markers."""
    if points.outlier is None or not np.any(points.outlier):
        return []
    members = np.flatnonzero(points.outlier)
    diameters = size[members] + (6 if compact else 9)
    return [_circles(points, members, "outliers", diameters, "accent", 1.5 if compact else 2)]


def support(points, rows, compact=False) -> dict:
    """The trace of the rings around the support vectors in these rows."""
    diameter, width = (13.0, 1.5) if compact else (17.0, 1.8)
    return _circles(points, np.asarray(rows, int), "support", diameter, "ink", width)


def _circles(points, rows, name, diameters, ink, width, **options):
    """The trace of open circles around the points in these rows."""
    size, ids = np.full(len(rows), diameters, np.float32), points.ids_of(rows)[:, None].astype(np.float32)
    look = dict(symbol="circle-open", size=size, color=colour(ink), line=dict(width=width))
    return markers(*points.X[rows].T, name, **look, customdata=ids, **options)


def arrows(places, directions) -> dict:
    """The trace of arrows (k, 2) from places (k, 2), with heads of a third of their length at most."""
    ends, gap = places + directions, np.full((len(places), 2), np.nan)
    back = -0.22 * directions
    across = 0.5 * np.column_stack([-back[:, 1], back[:, 0]])
    corners = [places, ends, ends + back + across, ends, ends + back - across, gap]
    x, y = np.stack(corners, axis=1).reshape(-1, 2).T
    return path(x, y, "forces", colour("accent"), width=2.6)


def places(X, name, index) -> dict:
    """The trace of triangles at X (k, 2), in the colour with this number, with its name in the legend."""
    ink, _ = variant(index)
    triangles = markers(*X.T, f"{name} ({len(X)})", symbol="triangle-up", size=9, color=ink, showlegend=True)
    # of its entry in the legend, which knows lines alone
    return triangles | {"line": dict(color=ink, width=3, dash="solid")}


def numbers(points) -> dict:
    """The trace of the number of each point beside it, for paper."""
    nothing = dict(symbol="circle-open", size=0.0, color=colour("ink"))
    names = [str(key) for key in points.ids_of(np.arange(len(points.y)))]
    return markers(*points.X.T, "numbers", **nothing, mode="markers+text", text=names, textfont=dict(size=8))


def switched_off(off, compact=False) -> dict:
    """The trace of the points that are left out of the fit: small hollow symbols in grey."""
    words = dict(hovertemplate="switched off<extra></extra>")
    return _circles(off, np.arange(len(off.X)), "switched off", 7.0 if compact else 10.0, "muted", 1.2, **words)
