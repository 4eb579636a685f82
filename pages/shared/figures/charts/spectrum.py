"""The support values of one model, ranked."""

import numpy as np

from pages.shared.figures import captions, marks, style
from pages.shared.figures.palette import colour
from pages.shared.studies.arrays import Samples
from pages.shared.studies.formatting import readable

LOLLIPOPS = 80  # with more points the heads of the stems would only overlap


def spectrum_figure(points, bounds=(-np.inf, np.inf)) -> style.Drawing:
    """The Drawing of alpha_i against its rank: a stem for each point, in the colour of its class; of samples, beta_i.

    `bounds` = (lower, upper) of the box are drawn as dashed lines; an infinite bound has none. Traces: "bounds",
    "stems +1", "stems -1", of samples "bounds", "stems"; `customdata[k][0]` is the id of the training point, as in the
    plane.
    """
    alpha = np.asarray(points.alpha, float)
    rank = np.empty(len(alpha), int)
    rank[np.argsort(-alpha, kind="stable")] = np.arange(1, len(alpha) + 1)
    low, high = _limits(alpha, *bounds)
    line, notes = _bounds(*bounds, low, high, len(alpha))
    zero = dict(zeroline=True, zerolinecolor=colour("muted"), zerolinewidth=1)
    return style.figure(
        [line, *(_stems(points, *group, rank, alpha) for group in _groups(points))],
        alt=captions.spectrum(points, *bounds),
        xaxis=style.axis("rank", range=[0, len(alpha) + 1], showgrid=False, nticks=5),
        yaxis=style.axis(points.letter, range=[low, high], showgrid=False, nticks=6, **zero),
        margin=dict(l=66, r=10, t=28, b=44),  # the name of the axis beside 0.000002
        layers=True,
        annotations=notes,
        uirevision=f"{len(alpha)}",
    )


def _limits(height, lower, upper):
    """The range of the axis: all stems, and a bound unless it is so far away that it would flatten them.

    In round steps, so that the axis mostly stays when a point moves: an axis that changes has to be drawn anew.
    """
    reach = 2 * float(np.max(np.abs(height), initial=0.0)) or 1.0
    shown = [bound for bound in (lower, upper) if abs(bound) <= reach]
    low, high = min([0.0, *height, *shown]), max([0.0, *height, *shown])
    room = 0.08 * ((high - low) or 1.0)
    step = 10.0 ** np.floor(np.log10(high - low + room)) / 4
    return float(np.floor((low - room if low < 0 else 0.0) / step) * step), float(np.ceil((high + room) / step) * step)


def _bounds(lower, upper, low, high, n):
    """The lines of the bounds inside the picture, and a word on each."""
    x, y, notes = [], [], []
    for value, name in ((upper, "upper bound"), (lower, "lower bound")):
        if not np.isfinite(value) or value == 0:
            continue
        text = readable(f"{name} {value:.4g}")
        if low <= value <= high:
            x += [0, n + 1, None]
            y += [value, value, None]
            notes.append(_note(text, value))
        else:
            notes.append(_note(f"{text}, beyond the picture", high if value > 0 else low))
    return style.path(x, y, "bounds", colour("ink"), width=1.2, dash="7px,5px"), notes


def _note(text, y):
    """Above or below its line at the end where no stem reaches it: the stems fall from left to right."""
    x, across = (0, "left") if y < 0 else (1, "right")
    up = "top" if y > 0 else "bottom"
    return style.note(text, x=x, xref="paper", xanchor=across, y=y, yanchor=up, bgcolor=colour("page"), name="line")


def _groups(points):
    """(members, name, colour, words) of each group of stems that has a look of its own: the classes, or all samples."""
    if isinstance(points, Samples):
        return [(np.arange(len(points.y)), "stems", "plus", "")]
    label, names = np.sign(points.y), points.class_names
    return [
        (np.flatnonzero(label > 0), "stems +1", "plus", f", class {names[1]}"),
        (np.flatnonzero(label < 0), "stems -1", "minus", f", class {names[-1]}"),
    ]


def _stems(points, members, name, kind, described, rank, height):
    """One line trace with a gap after each stem; its vertices come in threes: foot, head, gap."""
    members = members[np.argsort(rank[members])]
    gap = np.full(len(members), np.nan)
    values = np.column_stack([points.ids_of(members), height[members]])
    words, one = marks.hover_names(points.ids_of(members), times=3)
    symbol, size = ("circle", 8) if kind == "plus" else ("square", 7)
    heads = len(rank) <= LOLLIPOPS
    look = dict(width=float(np.clip(300 / max(len(rank), 1), 1, 4)), mode="lines+markers" if heads else "lines")
    if heads:
        sizes = [0, size, 0] * len(members)
        look["marker"] = dict(symbol=symbol, size=sizes, color=colour(kind), opacity=1, line=dict(width=0))
    x = np.column_stack([rank[members], rank[members], gap]).ravel().astype(np.float32)
    y = np.column_stack([np.zeros(len(members)), height[members], gap]).ravel().astype(np.float32)
    words |= dict(customdata=np.repeat(values, 3, axis=0).astype(np.float32))
    hover = f"{one}{described}<br>{points.letter} = %{{customdata[1]:.4g}}<br>rank %{{x:d}}<extra></extra>"
    return style.path(x, y, name, colour(kind), **look, **words, hovertemplate=hover)
