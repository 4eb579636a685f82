"""The residuals of several machines at each point."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import palette, style
from pages.shared.figures.palette import colour
from pages.shared.studies.regression import rms

SYMBOLS = ("circle", "square", "diamond", "cross")


class Rest(NamedTuple):
    """y - f (n,) of one machine: its name, and the number that picks its colour."""

    name: str
    values: np.ndarray
    index: int


def residuals_figure(x, rests) -> style.Drawing:
    """The Drawing of the residuals of each machine over x (n,), all in the units of y. Traces bear the names."""
    if not rests:
        raise ValueError("a picture of residuals needs at least one machine")
    traces = [
        style.markers(
            np.asarray(x, float),
            np.asarray(rest.values, float),
            rest.name,
            symbol=symbol,
            size=6,
            color=palette.variant(rest.index)[0],
            line=dict(width=0),
            marker=dict(opacity=0.75),
            hovertemplate=f"{rest.name}: y − f = %{{y:.4g}} at x = %{{x:.4g}}<extra></extra>",
            showlegend=True,
        )
        for rest, symbol in zip(rests, SYMBOLS, strict=False)
    ]
    spread = "; ".join(f"{rest.name}, root mean square {rms(rest.values):.4g}" for rest in rests)
    return style.figure(
        traces,
        alt=f"Residuals y − f over x at {len(x)} points: {spread}.",
        xaxis=style.axis("x", showgrid=False, nticks=6),
        yaxis=style.axis("y − f", nticks=6, zeroline=True, zerolinecolor=colour("muted"), zerolinewidth=1),
        margin=dict(l=64, r=10, t=26, b=70),
        showlegend=True,
        legend=style.tall_legend(),
        uirevision="residuals",
    )
