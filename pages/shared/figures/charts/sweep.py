"""A quantity against another for several models: lines with error bars."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import palette, style
from pages.shared.studies.formatting import join_words

BESIDE = 0.006  # of the axis between the bars of two models


class Band(NamedTuple):
    """One model in a sweep: its name, mean, low and high (k,) each, and the number that picks its colour and dash."""

    name: str
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    index: int


def sweep_figure(x, bands, *, xlabel, ylabel, log_x=False) -> style.Drawing:
    """The Drawing of the bands over x (k,): a line for the mean, an error bar from low to high at each place.

    The bars of several models stand side by side, since pale bands over one another could not be told apart. Traces:
    "NAME bars" and "NAME" for each model. A log axis is ticked at the places of x.
    """
    traces = [_bars(_bar_places(x, k - (len(bands) - 1) / 2, log_x), band) for k, band in enumerate(bands)]
    traces += [_line(x, band, ylabel) for band in bands]
    names = join_words([band.name for band in bands])
    return style.chart(
        traces,
        alt=f"{ylabel} against {xlabel} for {names}: a line for the mean, with error bars.",
        xaxis=style.axis(xlabel, **(dict(type="log", tickvals=x, ticktext=[f"{v:g}" for v in x]) if log_x else {})),
        yaxis=style.axis(ylabel, nticks=8),
        margin=dict(l=56, r=10, t=28, b=70),
        uirevision=f"{xlabel} {ylabel}",
    )


def _bar_places(x, places, log_x):
    """The places of the bars of one model, so many `places` to the right of x."""
    x = np.asarray(x, float)
    if log_x:
        return x * (x[-1] / x[0]) ** (BESIDE * places) if len(x) > 1 else x
    return x + BESIDE * places * (np.ptp(x) or 1.0)


def _bars(x, band):
    line_colour, _ = palette.variant(band.index)
    ends = np.maximum([band.high - band.mean, band.mean - band.low], 0.0)
    bars = dict(type="data", symmetric=False, array=ends[0], arrayminus=ends[1], thickness=1.6, width=4)
    look = dict(size=6, color=line_colour, error_y=bars | dict(color=line_colour))
    return style.markers(x, band.mean, f"{band.name} bars", **look)


def _line(x, band, ylabel):
    line_colour, dash = palette.variant(band.index)
    hover = f"{band.name} at %{{x:.4g}}: {ylabel} %{{y:.4g}}, bar %{{customdata[0]:.4g}} to %{{customdata[1]:.4g}}"
    boxes = dict(customdata=np.column_stack([band.low, band.high]), hovertemplate=hover + "<extra></extra>")
    return style.path(x, band.mean, band.name, line_colour, width=2.4, dash=dash, **boxes, showlegend=True)
