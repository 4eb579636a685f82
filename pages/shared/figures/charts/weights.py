"""The weights of a linear machine over the rounds of a walk: one line a feature."""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import number, with_count

FLOOR = 1e-7  # of the largest weight; what is smaller lies below the picture


def weights_figure(size, relevant, end, *, xlabel) -> style.Drawing:
    """The Drawing of |w| (T, d) over the rounds 1 .. T on a log axis; `relevant` (d,) bool picks the colour.

    `end` (d,) is |w| of the machine that the walk leads to, as open diamonds at its right edge; zeros are left out.
    Traces: "irrelevant", "relevant", "1-norm SVM".
    """
    rounds = np.arange(1, len(size) + 1)
    largest = max(float(size.max(initial=0.0)), float(end.max(initial=0.0))) or 1.0
    place = rounds[-1] + 0.02 * max(len(size) - 1, 5)
    traces = [
        _lines(rounds, size, ~relevant, "irrelevant", "muted", 1.0, 0.45),
        _lines(rounds, size, relevant, "relevant", "variant-2", 2.0, 1.0),
        _ends(place, end, relevant),
    ]
    kept = size[-1] > 1e-6 * size[-1].max(initial=0.0)
    return style.chart(
        traces,
        alt=f"Absolute weights of {size.shape[1]} features, {int(relevant.sum())} of them relevant, over "
        f"{with_count(len(size), 'round')} on a log axis. In round 1 they reach {number(size[0].max(initial=0.0))}; "
        f"in the last {int(kept.sum())} are not negligible, {int((kept & relevant).sum())} of them relevant. Diamonds: "
        f"the {int(np.sum(end > 0))} of the 1-norm SVM.",
        xaxis=style.axis(xlabel, range=[0.8, place + 0.02 * max(len(size), 5)], nticks=8),
        yaxis=style.log_axis("|w|", FLOOR * largest, 2.0 * largest),
        uirevision=f"weights {len(size)}",
    )


def _lines(rounds, size, some, name, ink, width, opacity):
    """All features of a kind as one trace, with gaps between them: two hundred traces would take a second to draw."""
    features = np.flatnonzero(some)
    gap = np.full((1, len(features)), np.nan)
    y = np.vstack([np.where(size > 0.0, size, np.nan)[:, features], gap])
    x = np.repeat(np.append(rounds, np.nan)[:, None], len(features), axis=1)
    look = dict(width=width, opacity=opacity, showlegend=bool(len(features)))
    numbers = np.repeat(features + 1, len(rounds) + 1)[:, None]
    hover = "feature %{customdata[0]}: %{y:.3g} in round %{x}<extra></extra>"
    return style.path(x.T.ravel(), y.T.ravel(), name, colour(ink), **look, customdata=numbers, hovertemplate=hover)


def _ends(place, end, relevant):
    kept = np.flatnonzero(end > 0.0)
    inks = [colour("variant-2" if known else "muted") for known in relevant[kept]]
    look = dict(symbol="diamond-open", size=8, color=inks, line=dict(width=1.6), showlegend=bool(len(kept)))
    hover = "feature %{customdata[0]}: %{y:.3g} in the 1-norm SVM<extra></extra>"
    boxes = dict(customdata=(kept + 1)[:, None], hovertemplate=hover)
    return style.markers(np.full(len(kept), place), end[kept], "1-norm SVM", **look, **boxes)
