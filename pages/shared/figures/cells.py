"""A value for each cell of a grid of C and sigma: the deeper the colour, the smaller, which here is the better."""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import number


def cells_figure(C, sigma, values, texts, *, at, quantity, log=False, cap=None) -> style.Drawing:
    """The Drawing of values (len(sigma), len(C)) over logarithmic axes; nan has no colour.

    `texts` (same shape) are hover texts. `at` = (C, sigma) is ringed. With `log` the scale of colours is
    logarithmic; from `cap` upwards there is no colour (None: from the largest value). Traces: "cells", "chosen".
    """
    values = np.asarray(values, float)
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    high = min(high, cap) if cap is not None and cap > low else high
    scale = np.log10 if log else np.asarray
    high = high if high > low else low * 1.1 + 1e-12
    x, y = np.log10(C), np.log10(sigma)
    colours = dict(zauto=False, zmin=float(scale(low)), zmax=float(scale(high)))
    colours |= dict(colorscale=[[0.0, colour("heat")], [1.0, colour("page")]])
    heat = style.heatmap(x, y, scale(values).astype(np.float32), "cells", text=texts, **colours)
    look = dict(symbol="circle-open", size=15, color=colour("ink"), line=dict(width=2.5))
    ring = style.markers([np.log10(at[0])], [np.log10(at[1])], "chosen", **look)
    key = f"darkest {number(low)}, no colour from {number(high)}" if len(known) else "no cell is computed yet"
    below = dict(xref="paper", yref="paper", yshift=-44)
    return style.figure(
        [heat, ring],
        alt=_description(C, sigma, values, quantity, at),
        xaxis=_axis("C", x),
        yaxis=_axis("σ", y),
        margin=dict(l=56, r=10, t=28, b=72),
        annotations=[style.note(f"{quantity}: {key}; ○ here", x=0, xanchor="left", y=0, yanchor="top", **below)],
        uirevision=f"{x[0]:.6g} {x[-1]:.6g} {y[0]:.6g} {y[-1]:.6g}",
    )


def contrast_limit(errors) -> float | None:
    """End of the colour scale of errors, at about twice the smallest, so that good cells differ; None for all nan."""
    known = errors[np.isfinite(errors)]
    return float(max(1.6 * known.min(), np.percentile(known, 20))) if len(known) else None


def _axis(name, powers):
    """One axis over powers of ten: half a cell of room, round numbers at the ticks, enough of them to tell."""
    half = 0.5 * (powers[1] - powers[0])
    low, high = powers[0] - half, powers[-1] + half
    steps = (1.0,) if high - low > 2 else (1.0, 2.0, 5.0)
    ticks = [(np.log10(s) + k, s * 10.0**k) for k in range(int(np.floor(low)), int(np.ceil(high)) + 1) for s in steps]
    places, values = zip(*(tick for tick in ticks if low <= tick[0] <= high), strict=True)
    texts = [f"{value:g}" for value in values]
    return style.axis(name, range=[low, high], showgrid=False, tickvals=list(places), ticktext=texts)


def _description(C, sigma, values, quantity, at):
    reach = f"C from {number(C[0])} to {number(C[-1])} and σ from {number(sigma[0])} to {number(sigma[-1])}"
    text = f"{quantity} over {reach}."
    known = np.isfinite(values)
    if known.any():
        row, column = np.unravel_index(np.nanargmin(values), values.shape)
        text += f" Smallest {number(values[row, column], '.4g')} at C = {number(C[column])}, σ = {number(sigma[row])};"
        text += f" largest {number(np.nanmax(values), '.4g')}."
    if not known.all():
        text += f" {int(np.sum(~known))} of {values.size} cells have no value."
    return text + f" Ringed: C = {number(at[0])}, σ = {number(at[1])}."
