"""A point on a loss: a mark at (t, loss), and through it a short line whose slope is the subgradient alpha / C."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures import palette, style
from pages.shared.figures.palette import colour

HALF = 0.06  # of a short line, in lengths of the axes
EDGE = 0.02  # of an axis: how far inside its end a mark stands whose place is beyond it


class Subgradient(NamedTuple):
    """One point on the loss of one machine: its t, its place on the vertical axis of the picture, the slope alpha / C,
    and the number that picks the colour. `words` say which point it is; an `earlier` one is marked in grey.
    """

    name: str
    t: float
    value: float
    slope: float
    index: int
    words: str = "the outlier"
    earlier: bool = False


def clip_to_axis(values, low, high) -> np.ndarray:
    """The values (n,), those beyond the axis from `low` to `high` moved to just inside its end."""
    room = EDGE * (high - low)
    return np.clip(values, low + room, high - room)


def strokes(t, value, slope, xs, ys, half=HALF) -> tuple[np.ndarray, np.ndarray]:
    """Short lines of one length on the screen through the places (t, value), (n,) each, as x and y (3 n,) with gaps.

    `xs` and `ys` are the (low, high) of the axes, `half` of a line is measured in lengths of the axes; slope (n,) is
    finite.
    """
    t, value, slope = (np.asarray(values, float) for values in (t, value, slope))
    across, up = xs[1] - xs[0], ys[1] - ys[0]
    half = half / np.hypot(1.0 / across, slope / up)
    gap = np.full(len(t), np.nan)
    x = np.column_stack([t - half, t + half, gap])
    y = np.column_stack([value - half * slope, value + half * slope, gap])
    return x.ravel().astype(np.float32), y.ravel().astype(np.float32)


def traces(found, xs, ys, tangent) -> list[dict]:
    """The traces of several `Subgradient`: with `tangent` a short line for each, "NAME slope", and the rings, "marked".

    A place beyond the axes is marked by a triangle at their end, which points to it.
    """
    lines = [_line(one, xs, ys) for one in found] if tangent else []
    t, value = np.array([one.t for one in found]), np.array([one.value for one in found])
    symbols = np.select([t > xs[1], t < xs[0], value > ys[1]], ["right", "left", "up"], "")
    inks = [colour("muted" if one.earlier else "accent") for one in found]
    symbols = [f"triangle-{way}" if way else "circle-open" for way in symbols]
    look = dict(symbol=symbols, size=14, color=inks, line=dict(width=2.4, color=inks))
    told = [[f"{one.name}: {one.words}", one.t, one.slope] for one in found]
    hover = "%{customdata[0]}<br>t = %{customdata[1]:.3g}<br>slope α / C = %{customdata[2]:.3g}<extra></extra>"
    places = clip_to_axis(t, *xs), clip_to_axis(value, *ys)
    return [*lines, style.markers(*places, "marked", **look, customdata=told, hovertemplate=hover)]


def _line(one, xs, ys):
    x, y = strokes(clip_to_axis([one.t], *xs), clip_to_axis([one.value], *ys), [one.slope], xs, ys)
    return style.path(x, y, f"{one.name} slope", palette.variant(one.index)[0], width=5)
