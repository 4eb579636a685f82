"""A quantity against another for several models: lines with bands."""

from typing import NamedTuple

import numpy as np

from pages.shared import palette
from pages.shared.figures import captions, style


class Band(NamedTuple):
    """One model in a sweep: its name, mean, low and high (k,) each, and the number that picks its colour and dash."""

    name: str
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    index: int


def sweep(x, bands, *, xlabel, ylabel, title=None, log_x=False) -> style.Drawing:
    """The Drawing of the bands over x (k,): a line for the mean, a pale band from low to high.

    Traces: "NAME band" and "NAME" for each model. A log axis is ticked at the places of x.
    """
    if not bands:
        raise ValueError("a sweep needs at least one band")
    traces = [_band(x, band) for band in bands] + [_line(x, band, ylabel) for band in bands]
    return style.figure(
        traces,
        title=title,
        alt=captions.sweep([band.name for band in bands], xlabel, ylabel),
        xaxis=style.axis(xlabel, **(dict(type="log", tickvals=x, ticktext=[f"{v:g}" for v in x]) if log_x else {})),
        yaxis=style.axis(ylabel, rangemode="tozero"),
        margin=dict(l=56, r=10, t=38 if title else 28, b=84),
        showlegend=True,
        legend=style.legend(-0.2),
        uirevision=f"{xlabel} {ylabel}",
    )


def _band(x, band):
    return dict(
        type="scatter",
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([band.low, band.high[::-1]]),
        mode="lines",
        name=f"{band.name} band",
        fill="toself",
        fillcolor=palette.variant(band.index)[0],
        line=dict(width=0),
        opacity=0.16,
        hoverinfo="skip",
        showlegend=False,
    )


def _line(x, band, ylabel):
    line_colour, dash = palette.variant(band.index)
    return style.path(
        x,
        band.mean,
        band.name,
        line_colour,
        width=2.4,
        dash=dash,
        customdata=np.column_stack([band.low, band.high]),
        hovertemplate="%{x:.4g}: " + ylabel + " %{y:.4g}, band %{customdata[0]:.4g} to %{customdata[1]:.4g}",
        showlegend=True,
    )
