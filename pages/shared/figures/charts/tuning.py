"""Tried values of C and sigma with their errors: places of the (C, sigma) plane, or a curve along one of them."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import captions, style
from pages.shared.figures.palette import colour
from pages.shared.studies.formatting import number


class Evaluated(NamedTuple):
    """The minimised values at places: C, sigma, values and spreads, (k,) each; a value is inf without a machine.

    sigma is None where the kernel has none, `best` the index of the best place. `box` = ((C from, to), (sigma from, to)
    or None) are the ends of what is searched; a range without length is not drawn: then the picture is a curve along
    the other axis.
    """

    C: np.ndarray
    sigma: np.ndarray | None
    values: np.ndarray
    spreads: np.ndarray
    best: int
    box: tuple


def tuning_figure(found, *, measure, write, now) -> style.Drawing:
    """The Drawing of the places `found`: log axes, the lower the value the deeper the colour, the best ringed.

    `measure` names the value and `write` writes one. `now` = (C, sigma) is marked by a cross, where it is in the box.
    Colours end at the lowest value and as far above the median as that is above the lowest. Traces: "evaluated",
    "failed", "best", "now"; of a curve "spread" first.
    """
    known = np.isfinite(found.values)
    curve = found.sigma is None or found.box[0][0] == found.box[0][1]
    if curve:
        x, across = (found.C, ("C", found.box[0])) if found.sigma is None else (found.sigma, ("σ", found.box[1]))
        y = np.where(known, found.values, np.min(found.values, where=known, initial=np.inf) if known.any() else 0.0)
        form = "~%" if write(1.0).endswith("%") else ""
        traces, up = [_spread(x, found, known)], style.axis(measure, nticks=6, rangemode="tozero", tickformat=form)
    else:
        x, y, across = found.C, found.sigma, ("C", found.box[0])
        traces, up = [], _logarithmic("σ", found.box[1])
    low, high = _colours(found.values[known])
    traces.append(_evaluation_marks(x, y, found, known, low, high, write, measure))
    best = known & (np.arange(len(known)) == found.best)
    traces.append(_marks(x[~known], y[~known], "failed", "x-thin-open", 7, colour("muted"), 1.5))
    traces.append(_marks(x[best], y[best], "best", "circle-open", 20, colour("ink"), 2.5))
    if not curve:
        traces.append(_marks(*np.reshape(now, (2, 1)), "now", "x-thin-open", 11, colour("accent"), 2.5))
    return style.figure(
        traces,
        alt=captions.tuning_text(found.C, found.sigma, found.values, found.best, write, measure),
        key=captions.tuning_legend(low, high, write, not curve, not known.all()),
        margin=dict(l=64, r=10, t=12, b=104),
        uirevision=f"{found.box}",
        xaxis=_logarithmic(*across),
        yaxis=up,
    )


def _spread(x, found, known):
    """A thin line through the values over x, from left to right, with a bar of a standard error each way."""
    order = np.flatnonzero(known)[np.argsort(x[known])]
    bars = dict(type="data", array=found.spreads[order], color=colour("muted"), thickness=1.2, width=3)
    return style.path(x[order], found.values[order], "spread", colour("muted"), width=1.4, error_y=bars)


def _evaluation_marks(x, y, found, known, low, high, write, measure):
    """The places with a machine, the best on top."""
    order = np.flatnonzero(known)
    order = order[np.argsort(-found.values[order], kind="stable")]
    texts = []
    for k in order:
        sigma = "" if found.sigma is None else f", σ = {number(found.sigma[k], '.4g')}"
        error = f" ± {write(found.spreads[k])}" if found.spreads[k] else ""
        texts.append(f"C = {number(found.C[k], '.4g')}{sigma}<br>{measure} {write(found.values[k])}{error}")
    scale = dict(cmin=low, cmax=high, colorscale=[[0.0, colour("heat")], [1.0, colour("page")]])
    look = dict(color=np.minimum(found.values[order], high), line=dict(color=colour("muted"), width=1), marker=scale)
    hover = dict(text=texts, hovertemplate="%{text}<extra></extra>")
    return style.markers(x[order], y[order], "evaluated", size=11, **look, **hover)


def _marks(x, y, name, symbol, size, ink, width):
    return style.markers(x, y, name, symbol=symbol, size=size, color=ink, line=dict(color=ink, width=width))


def _colours(values):
    """The values of the darkest and of the lightest colour."""
    if not len(values):
        return 0.0, 1.0
    low, median, high = float(values.min()), float(np.median(values)), float(values.max())
    end = min(high, 2.0 * median - low)
    return low, end if end > low else high if high > low else low + 1.0


def _logarithmic(title, ends):
    low, high = np.log10(ends)
    room = 0.06 * (high - low) or 0.5
    return style.log_axis(title, 10.0 ** (low - room), 10.0 ** (high + room))
