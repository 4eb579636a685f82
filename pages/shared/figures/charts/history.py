"""Progress of a run, iteration by iteration: curves over time."""

import numpy as np

from pages.shared.figures import captions, palette, style
from pages.shared.figures.palette import colour


def history_figure(lines, *, xlabel, ylabel, log=False, level=None, log_x=True, at=None) -> style.Drawing:
    """The Drawing of the lines, with a dashed line at `level` = (value, name), if given.

    On a log axis what is not positive is left out. `at` is a place on the horizontal axis that is marked on every line.
    Traces bear the names of the lines; the marks are called "now".
    """
    traces = [_line(line, log, log_x) for line in lines]
    if level is not None:
        x = np.concatenate([np.asarray(line.x, float) for line in lines])
        x = x[x > 0] if log_x else x
        ends = [x.min(), x.max()] if len(x) else [1, 2]
        traces.append(style.reference_line(ends, [level[0]] * 2, level[1], showlegend=True))
    if at is not None:
        traces.append(_now(lines, at))
    across = _scale(log_x, [line.x for line in lines])
    up = _scale(log, [line.y for line in lines] + ([] if level is None else [level[:1]]))
    upright = dict(layer="below", line=dict(color=colour("ink"), width=1.4))
    return style.chart(
        traces,
        alt=captions.history(lines, xlabel, ylabel, at, log),
        xaxis=style.axis(xlabel, nticks=6, **across),
        yaxis=style.axis(ylabel, nticks=6, **up),
        showlegend=len(lines) > 1 or level is not None,
        shapes=[] if at is None else [dict(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", **upright)],
        uirevision=f"{xlabel} {ylabel}",
    )


def _scale(log, values):
    """The kind of an axis, and its ticks where it is logarithmic."""
    if not log:
        return dict(type="linear")
    shown = np.concatenate([np.asarray(some, float) for some in values])
    shown = shown[np.isfinite(shown) & (shown > 0)]
    return style.decades(shown.min(), shown.max()) if len(shown) else dict(type="log")


def _line(line, log, log_x):
    line_colour, dash = palette.variant(line.index)
    x, y = np.asarray(line.x, float), np.asarray(line.y, float)
    x, y = np.where(x > 0, x, np.nan) if log_x else x, np.where(y > 0, y, np.nan) if log else y
    mode = "lines" if np.sum(np.isfinite(x) & np.isfinite(y)) > 1 else "markers"  # a single place has no line
    look = dict(width=2.2, dash=dash, mode=mode, marker=dict(color=line_colour, size=9), showlegend=True)
    hover = f"{line.name}: %{{y:.4g}} at %{{x:.4g}}<extra></extra>"
    return style.path(x, y, line.name, line_colour, **look, hovertemplate=hover)


def _now(lines, at):
    """A dot on every line that has reached this place."""
    reached = [line for line in lines if len(line.x) and line.x[0] <= at <= line.x[-1]]
    heights = np.array([np.interp(at, line.x, line.y) for line in reached])
    inks, edge = [palette.variant(line.index)[0] for line in reached], dict(color=colour("page"), width=2)
    return style.markers(np.full(len(reached), float(at)), heights, "now", size=11, color=inks, line=edge)
