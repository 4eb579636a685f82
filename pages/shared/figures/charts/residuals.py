"""The residuals of several machines at each point."""

import numpy as np

from pages.shared.figures import palette, style
from pages.shared.figures.palette import colour
from pages.shared.studies.regression import rms

SYMBOLS = ("circle", "square", "diamond", "cross")


def residuals_figure(rests) -> style.Drawing:
    """The Drawing of the residuals y - f of each machine over x, an `arrays.Line` each. Traces bear the names."""
    traces = []
    for rest, symbol in zip(rests, SYMBOLS, strict=False):
        look = dict(symbol=symbol, size=6, color=palette.variant(rest.index)[0], marker=dict(opacity=0.75))
        hover = f"{rest.name}: y − f = %{{y:.4g}} at x = %{{x:.4g}}<extra></extra>"
        x, y = np.asarray(rest.x, float), np.asarray(rest.y, float)
        traces.append(style.markers(x, y, rest.name, **look, hovertemplate=hover, showlegend=True))
    spread = "; ".join(f"{rest.name}, root mean square {rms(rest.y):.4g}" for rest in rests)
    return style.chart(
        traces,
        alt=f"Residuals y − f over x at {len(rests[0].x)} points: {spread}.",
        xaxis=style.axis("x", showgrid=False, nticks=6),
        yaxis=style.axis("y − f", nticks=6, zeroline=True, zerolinecolor=colour("muted"), zerolinewidth=1),
        uirevision="residuals",
    )
