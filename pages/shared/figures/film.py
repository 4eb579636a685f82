"""A picture that moves: the plane of each frame of a run, as one figure and the arrays that change in it.

The browser draws a frame by putting its arrays into the traces of the figure; the exported HTML holds the same frames
as Plotly's own. So a frame looks as the still picture of the same moment does.
"""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from pages.shared import palette
from pages.shared.figures import marks
from pages.shared.figures.plane import Field, plane

FIELDS = ("field", "margins", "boundary")
POINTS = ("points +1", "points -1")
CLIP = 4.0  # decision values beyond this look alike: colours end at 2, lines at 1
TOP = 32767  # of an int16
STYLES = {"size": "f4", "color": "u1", "edge": "u1", "width": "f4"}


class Frame(NamedTuple):
    """One moment: decision values f (k, m) on the grid, alpha (N,) and state (N,) as in `marks.Points`.

    `ringed` points with a word each, and `joined` pairs (i, j, length) show what the step was about.
    """

    f: np.ndarray
    alpha: np.ndarray
    state: np.ndarray
    ringed: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    joined: tuple[tuple[int, int, float], ...] = ()


class Film(NamedTuple):
    """`figure` shows the last frame. What changes: `z` (F, k, m) int16, in units of `unit`, for the traces FIELDS; for
    each of the traces POINTS the styles `size`, `color`, `edge`, `width` (F, n), colours as rows of `table`; `marks`,
    per frame what is ringed and joined, by id.
    """

    figure: go.Figure
    z: np.ndarray
    unit: float
    styles: dict[str, dict[str, np.ndarray]]
    table: list[str]
    marks: list[dict]


def film(xs, ys, frames, points, *, compact=False, title=None, axes=None):
    """The Film of the frames over the grid xs (m,), ys (k,); `points` are Points of which X, y, outlier, ids count.

    Areas of markers share one scale over all frames.
    """
    if not frames:
        raise ValueError("a film needs at least one frame")
    largest = max(float(np.max(np.abs(frame.alpha), initial=0.0)) for frame in frames)
    bare = points._replace(alpha=None, state=None, margin=None, slack=None, kkt=None)
    moments = [bare._replace(alpha=frame.alpha, state=frame.state) for frame in frames]
    figure = plane(
        Field(xs, ys, frames[-1].f), moments[-1], compact=compact, alpha_max=largest, title=title, axes=axes, sort=False
    )
    for trace in figure.data:
        if trace.name in POINTS:  # a moment has no time for boxes of its own: they tell only what stays
            trace.hovertemplate = trace.hovertemplate.split("<br>")[0] + "<extra></extra>"
    unit = CLIP / TOP
    z = np.stack([np.rint(np.clip(frame.f, -CLIP, CLIP) / unit).astype(np.int16) for frame in frames])
    styles, table = _styles(moments, largest, compact)
    return Film(figure, z, unit, styles, table, [_marks(frame, points) for frame in frames])


def _styles(moments, largest, compact):
    """Per trace and style one row per frame, and the table of the colours."""
    columns = {name: {style: [] for style in STYLES} for name in POINTS}
    table = {}
    for points in moments:
        for trace in marks.traces(points, alpha_max=largest, compact=compact, sort=False)[:2]:
            marker = trace["marker"]
            row = {"size": marker["size"], "width": marker["line"]["width"]}
            for style, colours in (("color", marker["color"]), ("edge", marker["line"]["color"])):
                row[style] = [table.setdefault(colour, len(table)) for colour in colours]
            for style, values in row.items():
                columns[trace["name"]][style].append(values)
    found = {name: {s: np.array(rows, STYLES[s]) for s, rows in parts.items()} for name, parts in columns.items()}
    return found, list(table)


def _marks(frame, points):
    named = [int(key) for key in points.named(np.array(frame.ringed, int))]
    joined = [[*map(int, points.named(np.array([i, j]))), float(length)] for i, j, length in frame.joined]
    return {"ringed": named, "words": list(frame.words), "joined": joined}


def animation(film, labels, theme="light", title=None):
    """The film as a Plotly figure with frames, buttons and a slider; `labels` name the frames."""
    figure = palette.resolve(film.figure, theme)
    colours = palette.resolve(go.Figure(layout=dict(meta=film.table)), theme).layout.meta
    order = [trace.name for trace in figure.data]
    frames = [
        go.Frame(
            name=str(k),
            data=[
                *(dict(type="contour", z=film.z[k] * np.float32(film.unit)) for _ in FIELDS),
                *_scatters(film, k, colours),
            ],
            traces=[order.index(name) for name in (*FIELDS, *POINTS)],
        )
        for k in range(len(labels))
    ]
    still = dict(frame=dict(duration=0, redraw=True), mode="immediate", transition=dict(duration=0))
    play = {**still, "frame": dict(duration=120, redraw=True), "fromcurrent": True}
    figure.update(frames=frames)
    figure.update_layout(
        title=title,
        updatemenus=[
            dict(
                type="buttons",
                direction="left",
                x=0,
                y=1.02,
                yanchor="bottom",
                showactive=False,
                buttons=[
                    dict(label="▶ play", method="animate", args=[None, play]),
                    dict(label="❚❚ pause", method="animate", args=[[None], still]),
                ],
            )
        ],
        sliders=[
            dict(
                active=len(labels) - 1,
                x=0.25,
                len=0.75,
                y=1.02,
                yanchor="bottom",
                currentvalue=dict(visible=True, xanchor="right"),
                steps=[dict(label=label, method="animate", args=[[str(k)], still]) for k, label in enumerate(labels)],
            )
        ],
        margin_t=120,
    )
    return figure


def _scatters(film, k, colours):
    for name in POINTS:
        style = film.styles[name]
        yield dict(
            type="scatter",
            marker=dict(
                size=style["size"][k],
                color=[colours[c] for c in style["color"][k]],
                line=dict(color=[colours[c] for c in style["edge"][k]], width=style["width"][k]),
            ),
        )
