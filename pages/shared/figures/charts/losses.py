"""All losses on one axis of t = 1 - y f: some in colour, the others faint behind them."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import captions, marks, palette, style
from pages.shared.figures.charts import subgradients
from pages.shared.figures.palette import colour
from pages.shared.studies.arrays import Line, Points
from pages.shared.studies.formatting import with_count

MANY, TANGENTS = 200, 12  # points from which on they are dots; points that have a line then
BINS, HIGHEST, DOT = 40, 0.35, 4.0  # of the counts along t; pixels of a dot
PLACES = ((0.0, "y f = 1"), (1.0, "f = 0"))
AXES = {  # the names of both axes and the ends of the vertical one, for each kind of curve of `studies.loss_curves`
    "value": ("t = 1 − y f", "ℓ(t)", (-0.2, 4.0)),
    "slope": ("t = 1 − y f", "slope of ℓ at t", (-1.6, 3.2)),
    "prox": ("z", "prox of c ℓ at z", (-3.2, 4.2)),
}
LEAST, FARTHEST = 2.0, (-3.0, 6.0)  # the axes of `on_loss` reach at least so far from 0, and follow no point beyond


class LossCurve(NamedTuple):
    """One loss: x and y (n,) with nan where it jumps, `closed` (k, 2) ends that belong to it, `open` (k, 2) that do
    not, the number that picks its colour and dash, and whether it stands out. Or, `touching`, a line that touches a
    loss from below where it jumps.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray
    open: np.ndarray
    index: int
    chosen: bool
    touching: bool = False


def losses_figure(curves, kind, marked=()) -> style.Drawing:
    """The Drawing of the curves of one `kind`, a key of AXES; those that are chosen lie on top, with a dot at each end
    that a jump leaves.

    Behind them are the PLACES, behind a prox the line on which it leaves z as it is. `marked` are `Subgradient`s, drawn
    with their tangents on the values of the losses. Traces bear the names of the losses; the dots "NAME ends".
    """
    chosen = [curve for curve in curves if curve.chosen]
    span = float(np.nanmin(curves[0].x)), float(np.nanmax(curves[0].x))
    (xlabel, ylabel, limits), is_prox = AXES[kind], kind == "prox"
    ends = np.array(limits)
    traces = [style.reference_line(ends, ends, "stays") if is_prox else _places(limits)]
    traces += [_path(curve, colour("muted"), width=1, opacity=0.35) for curve in curves if not curve.chosen]
    for curve in chosen:
        line_colour, dash = palette.variant(curve.index)
        traces.append(_path(curve, line_colour, width=2.6, dash=dash, showlegend=True))
        traces.append(_ends(curve, line_colour))
    traces += subgradients.traces(marked, span, limits, kind == "value") if marked else []
    return style.chart(
        traces,
        alt=captions.losses(curves, xlabel, ylabel),
        xaxis=style.axis(xlabel, range=list(span), dtick=1),
        yaxis=style.axis(ylabel, range=list(limits), nticks=7, zeroline=True, zerolinecolor=colour("grid")),
        margin=dict(l=56, r=10, t=26, b=54 + 20 * bool(chosen)),
        showlegend=bool(chosen),
        annotations=[] if is_prox else _words(),
        uirevision=f"{xlabel} {ylabel} {limits}",
    )


def on_loss_figure(curve: Line, points: Points, t, loss, slope) -> style.Drawing:
    """The Drawing of the loss of one machine, a `curve` with nan where it jumps, with all its training points on it,
    each support vector with a line: t, loss, slope = alpha / C, (n,) each.

    Markers are those of the plane, with the same ids; a marker whose place is beyond the axes stands at their end.
    From `MANY` points on these are dots, with lines through `TANGENTS` of them, and step lines count the points of each
    class along t. Traces: "places", the name of the machine, "slopes", "count +1", "count -1", and those of
    `marks.traces`.
    """
    many = len(t) >= MANY
    xs = _reach(t, -LEAST, LEAST)
    ys = -0.2, _reach(loss, 0.0, LEAST)[1]
    spots = np.column_stack([subgradients.clip_to_axis(t, *xs), subgradients.clip_to_axis(loss, *ys)])
    support = np.flatnonzero(slope)
    if many and len(support) > TANGENTS:
        support = support[np.argsort(t[support])][np.linspace(0, len(support) - 1, TANGENTS, dtype=int)]
    dots = marks.traces(points._replace(X=spots, depth=None), compact=True)
    for trace in dots if many else ():
        size, edge = np.full(len(trace["x"]), DOT, np.float32), trace["marker"]["line"]
        trace["marker"] |= {"size": size, "line": {**edge, "width": 0 * size}}
    x, y = subgradients.strokes(*spots[support].T, slope[support], xs, ys, half=0.1)
    line_colour, dash = palette.variant(curve.index)
    places = curve.x.astype(np.float32), curve.y.astype(np.float32)
    return style.figure(
        [
            _places((-10.0, 20.0)),  # also where the axes are wider, while a point moves
            style.path(*places, curve.name, line_colour, width=2.6, dash=dash),
            style.path(x, y, "slopes", colour("ink"), width=2),
            *(_counts(spots[:, 0], points.y, xs, ys) if many else ()),
            *dots,
        ],
        alt=f"Loss ℓ(t) of the {curve.name} with {with_count(len(t), 'point')} on it, each at its t = 1 − y f. The "
        "short line through a point has the slope α / C, at the optimum a subgradient of the loss."
        + " Step lines count the points of each class along t."
        * many,
        xaxis=style.axis("t = 1 − y f", range=list(xs), dtick=2, showgrid=False),
        yaxis=style.axis("ℓ(t)", range=list(ys), nticks=5, showgrid=False),
        margin=dict(l=44, r=10, t=26, b=44),
        layers=True,
        annotations=_words(),
        uirevision=f"{xs} {ys}",
    )


def _counts(t, y, xs, ys):
    """The numbers of points of each class along t as step lines, the highest `HIGHEST` of the picture."""
    ends = np.linspace(*xs, BINS + 1)
    counts = {label: np.histogram(t[y == label], ends)[0] for label in (1, -1)}
    scale = HIGHEST * (ys[1] - ys[0]) / max(count.max() for count in counts.values())
    steps = np.repeat(ends, 2)[1:-1].astype(np.float32)
    for (label, count), kind in zip(counts.items(), ("plus", "minus"), strict=True):
        height = (ys[0] + scale * np.repeat(count, 2)).astype(np.float32)
        yield style.path(steps, height, f"count {label:+d}", colour(kind), width=1.6)


def _path(curve, line_colour, **options):
    template = f"{curve.name}: %{{y:.4g}} at %{{x:.4g}}<extra></extra>"
    return style.path(curve.x, curve.y, curve.name, line_colour, hovertemplate=template, **options)


def _ends(curve, line_colour):
    """Filled where the end belongs to the curve, hollow where it does not."""
    ends = np.vstack([np.reshape(curve.open, (-1, 2)), np.reshape(curve.closed, (-1, 2))])
    fills = [colour("page")] * len(curve.open) + [line_colour] * len(curve.closed)
    look = dict(size=8, color=fills, line=dict(color=line_colour, width=2))
    return style.markers(*ends.T, f"{curve.name} ends", **look)


def _places(limits):
    gap = np.nan
    x = np.array([value for t, _ in PLACES for value in (t, t, gap)])
    y = np.array([*limits, gap] * len(PLACES))
    return style.path(x, y, "places", colour("muted"), width=1, dash="3px,4px")


def _words():
    """The names of the PLACES, each on its side, so that they are apart in a small picture, too."""
    sides = zip(PLACES, ("right", "left"), strict=True)
    return [style.note(word, x=t, xanchor=side, y=1, yref="paper", yanchor="bottom") for (t, word), side in sides]


def _reach(values, low, high) -> tuple[float, float]:
    """An axis (low, high) of whole numbers around the values, at least [low, high], at most FARTHEST.

    Whole numbers, because an axis that changes while a point moves has to be drawn anew.
    """
    inside = np.clip(values, *FARTHEST)
    return float(np.floor(np.min(inside, initial=low))), float(np.ceil(np.max(inside, initial=high)))
