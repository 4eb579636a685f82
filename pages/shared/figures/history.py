"""What a run was worth, iteration by iteration: curves over time."""

from typing import NamedTuple

import numpy as np

from pages.shared import palette
from pages.shared.figures import style, words
from pages.shared.palette import colour


class Line(NamedTuple):
    """One curve: its name, its places (k,) and values (k,), and the number that picks its colour and dash."""

    name: str
    x: np.ndarray
    y: np.ndarray
    index: int


def history(lines, *, xlabel, ylabel, log=False, level=None, log_x=True, title=None):
    """The Figure of the lines, with a dashed line at `level` = (value, name), if given.

    On a log axis what is not positive is left out. Traces bear the names of the lines.
    """
    if not lines:
        raise ValueError("a history needs at least one line")
    traces = [_line(line, log, log_x) for line in lines]
    if level is not None:
        traces.append(_level(level, lines, log_x))
    scales = dict(xaxis=style.axis(xlabel, type="log" if log_x else "linear", nticks=6, dtick=1 if log_x else None))
    return style.figure(
        traces,
        title=title,
        alt=words.history(lines, xlabel, ylabel),
        yaxis=style.axis(
            ylabel, type="log" if log else "linear", exponentformat="power", nticks=6, minorloglabels="none"
        ),
        margin=dict(l=64, r=10, t=38 if title else 26, b=50 + 20 * _rows(traces)),
        showlegend=True,
        legend={**style.legend(0), "yref": "container", "yanchor": "bottom"},
        uirevision=f"{xlabel} {ylabel}",
        **scales,
    )


def _rows(traces):
    """How many rows the legend takes in a narrow column."""
    return 1 if sum(60 + 7 * len(trace["name"]) for trace in traces) < 360 else len(traces)


def _line(line, log, log_x):
    line_colour, dash = palette.variant(line.index)
    x, y = np.asarray(line.x, float), np.asarray(line.y, float)
    x, y = np.where(x > 0, x, np.nan) if log_x else x, np.where(y > 0, y, np.nan) if log else y
    return dict(
        type="scatter",
        x=x,
        y=y,
        mode="lines" if len(x) > 1 else "markers",  # a direct method has a single place
        name=line.name,
        line=dict(color=line_colour, width=2.2, dash=dash),
        marker=dict(color=line_colour, size=9),
        hovertemplate=f"{line.name}: %{{y:.4g}} at %{{x:.4g}}<extra></extra>",
        showlegend=True,
    )


def _level(level, lines, log_x):
    value, name = level
    x = np.concatenate([np.asarray(line.x, float) for line in lines])
    x = x[x > 0] if log_x else x
    ends = [x.min(), x.max()] if len(x) else [1, 2]
    return dict(
        type="scatter",
        x=ends,
        y=[value, value],
        mode="lines",
        name=name,
        line=dict(color=colour("muted"), width=1.4, dash="7px,5px"),
        hoverinfo="skip",
        showlegend=True,
    )
