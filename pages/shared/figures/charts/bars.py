"""The sizes of the weights of a linear machine, the largest first: a bar for each feature."""

from collections.abc import Mapping

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import with_count

SHOWN = 40  # bars of each machine; the others are as small as the last ones


def bars_figure(sizes: Mapping[str, np.ndarray], d_rel: int | None = None) -> style.Drawing:
    """The Drawing of |w| (d,) of one machine, or of several side by side, {name: |w|}.

    With `d_rel` the bars of the first so many features, those that matter, have a colour of their own. Traces:
    "weights", or "relevant" and "irrelevant".
    """
    places, heights, known, words, left = [], [], [], [], 0
    for name, size in sizes.items():
        order = np.argsort(-size, kind="stable")[:SHOWN]
        places.append(left + np.arange(len(order)))
        heights.append(size[order])
        known.append(order < (d_rel or 0))
        words.append((left + (len(order) - 1) / 2, name))
        left += len(order) + 4
    place, height, relevant = (np.concatenate(rows) for rows in (places, heights, known))
    shown = {"weights": (~relevant, "muted")}
    if d_rel is not None:
        shown = {"irrelevant": (~relevant, "muted"), "relevant": (relevant, "variant-2")}
    bare = dict(showticklabels=False, showgrid=False)
    told = "; ".join(f"{name}, largest {np.max(size):.3g}" for name, size in sizes.items())
    marked = "" if d_rel is None else f" {with_count(int(relevant.sum()), 'bar')} of features that matter."
    return style.chart(
        [_bars(place[rows], height[rows], name, ink, d_rel is not None) for name, (rows, ink) in shown.items()],
        alt=f"Bars of the sizes of weights, the largest first: {told}.{marked}",
        xaxis=style.axis("the largest weights, in order", range=[-1.0, left - 4.0], **bare),
        yaxis=style.axis("|w|", range=[0.0, 1.15 * float(height.max())], nticks=5),
        margin=dict(l=56, r=10, t=26, b=54),
        showlegend=d_rel is not None,
        annotations=[style.note(word, x=x, y=1, yref="paper", yanchor="bottom") for x, word in words],
        barmode="overlay",
        uirevision="bars",
    )


def _bars(place, height, name, ink, named):
    return dict(
        type="bar", x=place, y=height, name=name, width=0.8, marker=dict(color=colour(ink)), showlegend=named,
        hovertemplate="|w| = %{y:.3g}<extra></extra>",
    )  # fmt: skip
