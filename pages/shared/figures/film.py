"""A film of a run: one figure, and the arrays that change from frame to frame.

The browser draws a frame by putting its arrays into the traces of the figure; the exported HTML contains the same
frames as Plotly frames. A frame therefore looks like the still picture of the same moment.
"""

from collections import defaultdict
from itertools import count
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from pages.shared.figures import marks, palette
from pages.shared.figures.palette import colour
from pages.shared.figures.plane import STRIPS, plane_figure, strip
from pages.shared.figures.style import Drawing, markers, path
from pages.shared.studies import arrays
from pages.shared.studies.arrays import STATES, Field
from pages.shared.studies.formatting import number, percent

FIELDS = ("field", "margins", "boundary")
POINTS = ("points +1", "points -1")
STEP = ("step", "ringed", "crossed")
STYLES = {"size": "f4", "color": "u1", "edge": "u1", "width": "u1", "symbol": "u1"}


class Film(NamedTuple):
    """`figure` shows the last frame. What changes: `z` (F, k, m) int16, in units of `unit` (F,), for the traces FIELDS;
    for each of the traces POINTS the styles `size`, `color`, `edge`, `width`, `symbol` (F, n), but for the size as
    rows of `table`; `marks`, per frame the ids that are ringed, joined and crossed, and a `sentence`; `strips`, per
    frame the levels of the traces of `plane.STRIPS`, None without bands. `details` are the values in the hover box of
    each point: `ids` (N,), `alpha` and `margin` (F, N), `state` (F, N) as rows of `states`, `box` (F, 2, N) or None;
    None if the frames have no margins.

    `moves` are other traces, by their names: those that change their `x` or `y` (F, n), and level lines that change
    their `level` (F,). A film without a field has no `z` and no `unit` (None).
    """

    figure: Drawing
    z: np.ndarray | None
    unit: np.ndarray | None
    styles: dict[str, dict[str, np.ndarray]]
    table: list[str | float]
    marks: list[dict]
    strips: list[dict] | None = None
    details: dict | None = None
    moves: dict[str, dict[str, np.ndarray]] | None = None


def plane_film(xs, ys, frames, points, *, compact=False, axes=None, meant=None, sized=True) -> Film:
    """The Film of the frames over the grid xs (m,), ys (k,); `points` are Points of which X, y, outlier, ids count.

    Areas of markers share one scale over all frames, whose key is there if `sized`. `meant` says what is ringed and
    crossed, as in `plane`. The frames, at least one, have bands all or none.
    """
    moments = [points.bare._replace(alpha=frame.alpha, state=frame.state) for frame in frames]
    largest = max(map(marks.largest_alpha, moments))
    look = dict(meant=meant, compact=compact, alpha_max=largest, sized=sized, axes=axes, timeless=True)
    figure = plane_figure(Field(xs, ys, frames[-1].f), moments[-1], band=frames[-1].band, **look)
    pictured = (marks.traces(one, alpha_max=largest, compact=compact, sort=False)[:2] for one in moments)
    styles, table = marker_styles(figure, pictured, POINTS, kept=1)
    strips = [{name: strip(name, frame.band) for name in STRIPS} for frame in frames] if frames[-1].band else None
    z, unit = np.stack([frame.counts for frame in frames]), np.array([frame.unit for frame in frames])
    steps = [step_marks(frame, points, meant) for frame in frames]
    return Film(figure, z, unit, styles, table, steps, strips, _details(frames, points))


def line_film(figure, sentences, moves) -> Film:
    """The Film of a figure without points and field, a sentence for each frame; `moves` as in `Film`."""
    marks = [dict(ringed=[], words=[], joined=[], crossed=[], sentence=text) for text in sentences]
    return Film(figure, None, None, {}, [], marks, moves=moves)


def marker_styles(figure, pictured, names, kept) -> tuple[dict[str, dict[str, np.ndarray]], list]:
    """Per trace and style one row per frame, and the table of the colours and widths, of the traces in each frame.

    Of the hover boxes of the `figure` the first `kept` lines stay: what does not change.
    """
    for trace in figure.traces:
        if trace["name"] in names:
            trace["hovertemplate"] = "<br>".join(trace["hovertemplate"].split("<br>")[:kept]) + "<extra></extra>"
    columns = {name: {style: [] for style in STYLES} for name in names}
    table = defaultdict(count().__next__)  # a new value takes the next row
    for traces in pictured:
        for trace in traces:
            marker = trace["marker"]
            columns[trace["name"]]["size"].append(marker["size"])
            edge = marker["line"]
            look = {"color": marker["color"], "edge": edge["color"], "width": edge["width"], "symbol": marker["symbol"]}
            for style, given in look.items():
                values = np.broadcast_to(given, len(marker["size"])).tolist()
                columns[trace["name"]][style].append(list(map(table.__getitem__, values)))
    styles = {name: {s: np.array(rows, STYLES[s]) for s, rows in parts.items()} for name, parts in columns.items()}
    return styles, list(table)


def step_marks(frame, points, meant) -> dict:
    """The points that are ringed, joined and crossed in a frame, by id, with a sentence on them."""
    ringed, crossed = (points.ids_of(np.array(some, int)).tolist() for some in (frame.ringed, frame.crossed))
    joined = [[*map(int, points.ids_of(np.array([i, j]))), float(length)] for i, j, length in frame.joined]
    sentence = arrays.frame_sentences(frame, meant)
    return dict(ringed=ringed, words=list(frame.words), joined=joined, crossed=crossed, sentence=sentence)


def with_dial(film, values, limit) -> Film:
    """The film with a dial beside its name: of each value (F,), a share of the plane, as a part of the `limit`.

    It stands where others have the key of sizes. A dial is markup; its words are in the sentence of the frame, too.
    """
    words = [f"{percent(value)} of {percent(limit, 'g')}{': broken' if value >= limit else ''}" for value in values]
    dials = [
        {"dial": f"{_clock(float(value) / limit)} {said}", "sentence": f"Plane changed: {said}."}
        for value, said in zip(values, words, strict=True)
    ]
    return film._replace(marks=[mark | dial for mark, dial in zip(film.marks, dials, strict=True)])


def _clock(share):
    """A disc that fills clockwise from the top, full from a share of 1; SVG."""
    turn = 2.0 * np.pi * share
    end = f"{6.0 * np.sin(turn):.3f} {-6.0 * np.cos(turn):.3f}"
    part = f'<path d="M0 0V-6A6 6 0 {int(share > 0.5)} 1 {end}Z"/>' if share < 1.0 else '<circle r="6"/>'
    look = 'width="15" height="15" viewBox="-8 -8 16 16" fill="currentColor" style="vertical-align: -0.2em"'
    return f'<svg {look}><circle r="7" fill="none" stroke="currentColor"/>{part}</svg>'


def frame_part(trace, moved, k) -> dict:
    """The part of a trace that changes, in frame k: its places, its heights alone, or its level."""
    if "level" in moved:
        level = float(moved["level"][k])
        return {"type": "contour", "contours": {**trace["contours"], "start": level, "end": level}}
    return {"type": "scatter", **{axis: values[k] for axis, values in moved.items()}}


def _details(frames, points):
    if any(frame.margin is None for frame in frames):
        return None
    return {
        "ids": points.ids_of(np.arange(len(points.y))).tolist(),
        "alpha": np.array([frame.alpha for frame in frames], np.float32),
        "margin": np.array([frame.margin for frame in frames], np.float32),
        "state": np.array([frame.state for frame in frames], np.uint8),
        "states": [STATES[state] for state in sorted(STATES)],
        "box": None if frames[-1].box is None else np.array([frame.box for frame in frames], np.float32),
    }


def still_figure(film, k) -> Drawing:
    """The picture of frame k, with the points that are ringed, joined and crossed in it: the traces STEP come last."""
    parts = _parts(film, k, film.table)
    traces = [_apply_part(trace, parts.get(trace["name"], {})) for trace in film.figure.traces]
    steps = _step(film.marks[k], _places(film), {name: colour(name) for name in ("accent", "ink")})
    return film.figure._replace(traces=[*traces, *steps])


def _apply_part(trace, part):
    """The trace with a part laid over it, as Plotly lays a frame over a figure."""
    laid = {key: _apply_part(trace.get(key, {}), of) if isinstance(of, dict) else of for key, of in part.items()}
    return {**trace, **laid}


def animated_figure(film, labels, title=None) -> go.Figure:
    """The film as a Plotly figure with frames, buttons and a slider, in the colours of a light page; `labels`, {frame:
    name}, are those to show.

    It begins with the picture of `film.figure`; three more traces, STEP, hold the marks.
    """
    figure, colours = palette.resolve(film.figure), palette.THEMES["light"]
    table, places = palette.replace_tokens(film.table, colours), _places(film)
    steps = {k: list(_step(film.marks[k], places, colours)) for k in labels}
    figure.add_traces(steps[max(labels)])
    parts = {k: _parts(film, k, table) for k in labels}
    order = [trace["name"] for trace in film.figure.traces] + list(STEP)
    changing = [order.index(name) for name in (*parts[max(labels)], *STEP)]
    figure.update(frames=[go.Frame(name=str(k), data=[*parts[k].values(), *steps[k]], traces=changing) for k in labels])
    figure.update_layout(title=title, **_buttons(labels), margin_t=120)
    return figure


def _buttons(labels):
    """Play, pause and a slider over the frames {number: name}."""
    still = dict(frame=dict(duration=0, redraw=True), mode="immediate", transition=dict(duration=0))
    play = {**still, "frame": dict(duration=120, redraw=True), "fromcurrent": True}
    buttons = [
        dict(label="▶ play", method="animate", args=[None, play]),
        dict(label="❚❚ pause", method="animate", args=[[None], still]),
    ]
    steps = [dict(label=label, method="animate", args=[[str(k)], still]) for k, label in labels.items()]
    place, shown = dict(y=1.02, yanchor="bottom"), dict(visible=True, xanchor="right")
    menu = dict(type="buttons", direction="left", x=0, showactive=False, buttons=buttons, **place)
    slider = dict(active=len(labels) - 1, x=0.25, len=0.68, currentvalue=shown, steps=steps, **place)
    return dict(updatemenus=[menu], sliders=[slider])


def _places(film):
    """{id: [x, y]} of the points."""
    dots = [trace for trace in film.figure.traces if trace["name"] in film.styles]
    rows = (zip(trace["x"], trace["y"], trace["customdata"], strict=True) for trace in dots)
    return {int(data[0]): place for part in rows for *place, data in part}


def _parts(film, k, table):
    """{name of a trace: the part of it that changes} in frame k; markers have the colours of the `table`."""
    parts = {}
    if film.z is not None:
        shown = dict(type="contour", z=film.z[k] * np.float32(film.unit[k]))
        strips = film.strips[k] if film.strips else {}
        parts = {name: shown for name in FIELDS}
        parts |= {name: {**shown, "contours": dict(value=levels)} for name, levels in strips.items()}
    traces = {trace["name"]: trace for trace in film.figure.traces}
    parts |= {name: frame_part(traces[name], moved, k) for name, moved in (film.moves or {}).items()}
    for name, styles in film.styles.items():
        color, edge, width, symbol = ([table[row] for row in styles[key][k]] for key in list(STYLES)[1:])
        line = dict(color=edge, width=width)
        parts[name] = dict(type="scatter", marker=dict(size=styles["size"][k], color=color, symbol=symbol, line=line))
    return parts


def _step(marks, places, colours):
    """The traces STEP: the points that are joined, ringed and crossed, empty where there are none."""

    def columns(points):
        return np.reshape([places[point] for point in points], (-1, 2)).T.tolist()

    ink, accent = colours["ink"], colours["accent"]
    yield path(*columns(point for pair in marks["joined"] for point in pair[:2]), STEP[0], accent, width=2)
    lengths = [number(length) for *_, length in marks["joined"]]
    texts = [" ".join([word, *lengths]) if k == 0 else word for k, word in enumerate(marks["words"])]
    size, tone, width = (24, accent, 2.5) if any(marks["words"]) else (17, ink, 1.8)
    ring = dict(symbol="circle-open", size=size, color=tone, line=dict(width=width))
    words = dict(mode="markers+text", text=texts, textposition="top center")
    yield markers(*columns(marks["ringed"]), STEP[1], **ring, **words)
    cross = dict(symbol="x-thin", size=11, color=ink, line=dict(color=ink, width=2))
    yield markers(*columns(marks["crossed"]), STEP[2], **cross)
