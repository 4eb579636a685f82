"""Drawings of a room over the picture of the true machine: its lines, points and places, its numbers."""

import numpy as np

from pages.shared.figures import style
from pages.shared.figures.palette import colour
from pages.shared.figures.style import Drawing
from pages.shared.studies.formatting import number

LAYERS = 60  # traces of translucent lines: what lies on top of each other gets darker
NUMBERED = 40  # points that have their number of votes beside them, at most


def room_lines_figure(below: Drawing, lines) -> Drawing:
    """The lines (n, 4) of a room, through (x0, y0) and (x1, y1), over a picture; on top of them its boundary, thick,
    where it has one.
    """
    first, last = np.reshape(np.asarray(lines, float), (-1, 2, 2)).transpose(1, 0, 2)
    (left, right), (low, high) = (below.layout[name]["range"] for name in ("xaxis", "yaxis"))
    reach = np.hypot(right - left, high - low)
    way = (last - first) / np.linalg.norm(last - first, axis=1, keepdims=True)
    middle = np.array([left + right, low + high]) / 2
    near = first + way * np.sum((middle - first) * way, axis=1, keepdims=True)
    ends = np.stack([near - reach * way, near + reach * way, np.full_like(near, np.nan)], axis=1).astype(np.float32)
    drawn = [
        style.path(*ends[k::LAYERS].reshape(-1, 2).T, f"line {k + 1}", colour("haze"), width=2)
        for k in range(min(len(ends), LAYERS))
    ]
    thick = [t | {"line": t["line"] | {"width": 6}} if t["name"] == "boundary" else t for t in below.traces]
    at = next((k for k, trace in enumerate(thick) if trace["name"] == "boundary"), len(thick))
    return _lay_over(below, [*thick[:at], *drawn, *thick[at:]], f"{len(ends)} lines of the room.")


def room_points_figure(below: Drawing, X, counts, true) -> Drawing:
    """Discs whose area grows with the number of votes for a point: X (n, 2), counts (n,); `true` (n,) are ringed."""
    X, counts, true = np.asarray(X, float), np.asarray(counts, int), np.asarray(true, bool)
    size = np.where(counts > 0, 16 + 26 * np.sqrt(counts / max(counts.max(initial=0), 1)), 0).astype(np.float32)
    discs = _marks(X, "votes", "circle", size, colour("haze"), dict(color=colour("accent"), width=1))
    ringed = np.full(int(true.sum()), 18, np.float32)
    rings = _marks(X[true], "true", "circle-open", ringed, colour("ink"), dict(width=2.4))
    most = [k for k in np.argsort(-counts, kind="stable")[:NUMBERED] if counts[k]]
    words = [_word(str(counts[k]), X[k], 16 + size[k] / 4) for k in reversed(most)]
    told = "; ".join(f"{counts[k]} at ({number(X[k, 0])}, {number(X[k, 1])})" for k in most[:8])
    said = f"Votes for points: {told}." if told else "No point has votes."
    return _lay_over(below, [discs, *below.traces, *([rings] if true.any() else ())], said, words)


def room_places_figure(below: Drawing, places, label, best) -> Drawing:
    """The places (n, 2) to which a room moves a point of class `label`; `best` (x, y) is the most harmful one, None
    where that is not shown.
    """
    places = np.reshape(np.asarray(places, float), (-1, 2))
    kind, symbol = ("plus", "circle") if label > 0 else ("minus", "square")
    size = np.full(len(places), 13, np.float32)
    cloud = _marks(places, "places", symbol, size, colour("haze"), dict(color=colour(kind), width=1.6))
    if best is None:
        return _lay_over(below, [*below.traces, cloud], f"{len(places)} places of the room.")
    at = np.reshape(np.asarray(best, float), (1, 2))
    ring = _marks(at, "true", "circle-open", np.full(1, 24, np.float32), colour("ink"), dict(width=3))
    words = [_word("most harm", at[0], 22)]
    return _lay_over(below, [*below.traces, cloud, ring], f"{len(places)} places of the room.", words)


def room_numbers_figure(edges, counts, *, names, true, said=None, unit="", factor=1, log=False) -> Drawing:
    """Bars of the numbers of each vote, `counts` [(n,), ...] between `edges` (n + 1,), with lines at what is `true`
    and what the reader has `said`, either None for no line. `names` are those of the votes; numbers are shown times
    `factor`.
    """
    edges = factor * np.asarray(edges, float)
    top = max([int(np.max(row, initial=0)) for row in counts] + [1])
    place = np.log10(edges) if log else edges
    width, shades = np.diff(place) / len(counts), (colour("muted"), colour("accent"))
    bars = []
    for k, (name, row) in enumerate(zip(names, counts, strict=True)):
        left, middle, right = (_back(place[:-1] + (k + share) * width, log) for share in (0.0, 0.5, 1.0))
        look = dict(name=name, marker=dict(color=shades[k + 2 - len(counts)], opacity=0.75))
        look |= dict(hovertemplate="%{y} votes<extra></extra>")
        bars.append(dict(type="bar", x=middle, y=np.asarray(row, np.int32), width=right - left, **look))
    marks = [("it is", factor * true, 1.16, colour("ink"), "solid")] if true is not None else []
    marks += [("you", factor * said, 1.06, colour("plus"), "7px,5px")] if said is not None else []
    lines, words = [], []
    for word, value, height, ink, dash in marks:
        lines.append(style.path([value, value], [0, height * top], word, ink, width=3, dash=dash))
        words.append(_word(word, (np.log10(value) if log else value, height * top), 9))
    known = "" if true is None else f" It is {number(factor * true, '.4g')} {unit}."
    told = "; ".join(f"{name}: {int(np.sum(row))} votes" for name, row in zip(names, counts, strict=True))
    return style.figure(
        [*bars, *lines],
        alt=f"Histogram of the votes. {told}.{known}",
        xaxis=style.axis(unit or None, type="log" if log else "linear", range=[float(place[0]), float(place[-1])]),
        yaxis=style.axis("votes", range=[0, 1.32 * top], dtick=max(1, -(-top // 4)), tick0=0),
        margin=dict(l=44, r=8, t=34 if len(counts) > 1 else 8, b=46),
        annotations=words,
        barmode="overlay",
        showlegend=len(counts) > 1,
        legend=style.legend(1.02) | dict(yanchor="bottom"),
    )


def _back(place, log):
    return 10**place if log else place


def _marks(places, name, symbol, size, fill, line):
    return style.markers(*places.T, name, symbol=symbol, size=size, color=fill, line=line)


def _word(text, place, above):
    return dict(
        text=f"<b>{text}</b>", x=float(place[0]), y=float(place[1]), yshift=float(above), showarrow=False,
        font=dict(size=13, color=colour("ink")), bgcolor=colour("veil"), borderpad=1,
    )  # fmt: skip


def _side(share):
    """Anchor of a word, so that the edge of the picture does not cut it."""
    return "left" if share < 0.1 else "right" if share > 0.9 else "center"


def _lay_over(below, traces, said, words=()):
    layout = dict(below.layout)
    layout["meta"] = {**layout["meta"], "alt": f"{below.alt} {said}"}
    left, right = layout["xaxis"]["range"]
    words = [word | dict(xanchor=_side((word["x"] - left) / (right - left))) for word in words]
    layout["annotations"] = [*layout.get("annotations", ()), *words]
    return Drawing(traces, layout)
