"""All losses on one axis of t = 1 - y f: some in colour, the others faint behind them."""

from typing import NamedTuple

import numpy as np

from pages.shared import palette
from pages.shared.figures import captions, style
from pages.shared.palette import colour

PLACES = ((0.0, "y f = 1"), (1.0, "f = 0"))
STAYS = (np.array([-3.2, 4.2]), np.array([-3.2, 4.2]), "stays")
LOSS_AXES = {  # the options of `losses` for each curve of `studies.loss_curves`
    "value": dict(xlabel="t = 1 − y f", ylabel="ℓ(t)", limits=(-0.2, 4.0), places=PLACES),
    "slope": dict(xlabel="t = 1 − y f", ylabel="slope of ℓ at t", limits=(-1.6, 3.2), places=PLACES),
    "prox": dict(xlabel="z", ylabel="prox of c ℓ at z", limits=(-3.2, 4.2), level=STAYS),
}


class LossCurve(NamedTuple):
    """One loss: x and y (n,) with nan where it jumps, `closed` (k, 2) ends that belong to it, `open` (k, 2) that do
    not, the number that picks its colour and dash, and whether it stands out.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray
    open: np.ndarray
    index: int
    chosen: bool


def losses(curves, *, xlabel, ylabel, limits, places=(), level=None) -> style.Drawing:
    """The Drawing of the curves; those that are chosen lie on top, with a dot at each end that a jump leaves.

    `limits` = (low, high) of the vertical axis; `places` are (t, word) pairs of upright lines with a word on each;
    `level` = (x, y, name) is a dashed line behind all. Traces bear the names of the losses; the dots "NAME ends".
    """
    if not curves:
        raise ValueError("a picture of losses needs at least one curve")
    chosen = [curve for curve in curves if curve.chosen]
    traces = [_places(places, limits)]
    traces += [style.level(*level)] if level else []
    traces += [_faint(curve) for curve in curves if not curve.chosen]
    for curve in chosen:
        traces += [_line(curve), _ends(curve)]
    return style.figure(
        traces,
        alt=captions.losses([c.name for c in chosen], len(curves) - len(chosen), xlabel, ylabel),
        xaxis=style.axis(xlabel, range=[float(np.nanmin(curves[0].x)), float(np.nanmax(curves[0].x))], dtick=1),
        yaxis=style.axis(ylabel, range=list(limits), nticks=7, zeroline=True, zerolinecolor=colour("grid")),
        margin=dict(l=56, r=10, t=26, b=54 + 20 * bool(chosen)),
        showlegend=bool(chosen),
        legend=style.tall_legend(),
        annotations=[_word(t, word) for t, word in places],
        uirevision=f"{xlabel} {ylabel} {limits}",
    )


def _line(curve):
    line_colour, dash = palette.variant(curve.index)
    return _path(curve, line_colour, width=2.6, dash=dash, showlegend=True)


def _faint(curve):
    return _path(curve, colour("muted"), width=1, opacity=0.35)


def _path(curve, line_colour, **options):
    template = f"{curve.name}: %{{y:.4g}} at %{{x:.4g}}<extra></extra>"
    return style.path(curve.x, curve.y, curve.name, line_colour, hovertemplate=template, **options)


def _ends(curve):
    """Filled where the end belongs to the curve, hollow where it does not."""
    line_colour, _ = palette.variant(curve.index)
    ends = np.vstack([np.reshape(curve.open, (-1, 2)), np.reshape(curve.closed, (-1, 2))])
    fills = [colour("page")] * len(curve.open) + [line_colour] * len(curve.closed)
    return dict(
        type="scatter",
        x=ends[:, 0],
        y=ends[:, 1],
        mode="markers",
        name=f"{curve.name} ends",
        marker=dict(size=8, color=fills, opacity=1, line=dict(color=line_colour, width=2)),
        hoverinfo="skip",
        showlegend=False,
    )


def _places(places, limits):
    gap = np.nan
    x = np.array([value for t, _ in places for value in (t, t, gap)], float)
    y = np.array([*limits, gap] * len(places), float)
    return style.path(x, y, "places", colour("muted"), width=1, dash="3px,4px")


def _word(t, word):
    return style.note(word, x=t, xanchor="center", y=1, yref="paper", yanchor="bottom")
