"""A picture as SVG, for paper and for other programs: points and lines, without the colours of the field."""

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from pages.shared.figures import palette
from pages.shared.figures.style import Drawing

WIDTH, HEIGHT = 420, 420  # pixels, the most that a picture takes
EDGE = 4
ROW = 18  # of the names of lines, below the picture
LEFT, TICKS = 40, 18  # of the numbers on the axes, beside the picture and below
GAP = 16  # between two pictures side by side
TURNS = {"triangle-right": 90, "triangle-left": -90}  # degrees from a triangle that points up


def svg(figure: Drawing, name="") -> str:
    """An SVG document of a plane, an overlay, a curve or a chart: its markers, lines, bars and axes with numbers, and
    its description as a title.

    What is told by colour alone (the field, the strips) is left out: paper is white. A `name` stands below the picture.
    """
    colours = palette.THEMES["light"]
    across, up = (_axis(figure, name) for name in "xy")
    scale = np.array([WIDTH / (across.high - across.low), HEIGHT / (up.high - up.low)])
    if figure.layout["yaxis"].get("scaleanchor"):
        scale[:] = scale.min()
    width, height = np.rint(scale * [across.high - across.low, up.high - up.low]).astype(int) + 2 * EDGE

    def place(x, y):
        x, y = across.on_axis(x), up.on_axis(y)
        return np.column_stack([EDGE + (x - across.low) * scale[0], EDGE + (up.high - y) * scale[1]])

    traces = [palette.replace_tokens(trace, colours) for trace in figure.traces]
    shapes = [shape for trace in traces for shape in _shapes(trace, place)]
    named = [trace for trace in traces if trace.get("showlegend") and len(trace["x"])]
    low = height + TICKS + ROW * bool(across.title or up.title)
    key = [_legend_entry(trace, low + ROW * k, colours["ink"]) for k, trace in enumerate(named)]
    key += [_words(name, EDGE, low + ROW * (len(named) + 1) - 5, colours["ink"])] if name else []
    whole, wide = low + ROW * len(key), width + LEFT
    grid, numbers = _grid(across, up, scale, (width, height), colours)
    titles = " over ".join(escape(axis.title) for axis in (up, across) if axis.title)
    key += [_words(titles, LEFT, height + TICKS + ROW - 6, colours["muted"])] if titles else []
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{whole}" viewBox="0 0 {wide} {whole}" '
        f'role="img"><title>{escape(figure.alt)}</title>'
        f'<rect x="{LEFT}.5" y="0.5" width="{width - 1}" height="{height - 1}" fill="{colours["page"]}" '
        f'stroke="{colours["muted"]}"/><svg x="{LEFT}" width="{width}" height="{height}">'
        + grid
        + "".join(shapes)
        + "</svg>"
        + "".join(
            _words(note["text"], LEFT + place([note["x"]], [0.0])[0, 0] - 3 * len(note["text"]), 14, colours["muted"])
            for note in figure.layout.get("annotations", ())
            if note.get("yref") == "paper" and "xref" not in note  # a word at a place of the horizontal axis
        )
        + numbers
        + "".join(key)
        + "</svg>"
    )


class _Axis(NamedTuple):
    """One axis: its ends, in powers of ten where it is logarithmic, its ticks (place, text) and its title."""

    low: float
    high: float
    log: bool
    ticks: list[tuple[float, str]]
    title: str

    def on_axis(self, values):
        values = np.asarray(values, float)
        return np.log10(values) if self.log else values


def _axis(figure, name):
    """The axis "x" or "y"; without a range it holds all values."""
    layout = figure.layout[f"{name}axis"]
    log, title = layout.get("type") == "log", layout.get("title", {}).get("text", "")
    if "range" in layout:
        low, high = (float(end) for end in layout["range"])
    else:
        values = np.concatenate([np.asarray(trace[name], float) for trace in figure.traces])
        values = values[np.isfinite(values) & ((values > 0.0) | (not log))]
        values = np.log10(values) if log else values
        room = 0.05 * (float(np.ptp(values)) or 1.0)
        low, high = float(values.min()) - room, float(values.max()) + room
    if layout.get("showticklabels") is False and layout.get("range") and "scaleanchor" not in figure.layout["yaxis"]:
        return _Axis(low, high, log, [], title)
    if "tickvals" in layout:
        ticks = zip(np.log10(layout["tickvals"]) if log else layout["tickvals"], layout["ticktext"], strict=True)
    else:
        step = layout.get("dtick") or _round_step((high - low) / 5)
        ticks = ((k * step, f"{k * step:.6g}") for k in range(int(np.ceil(low / step)), int(high / step) + 1))
    return _Axis(low, high, log, [(float(at), text) for at, text in ticks if low <= at <= high], title)


def _round_step(step):
    """1, 2 or 5 times a power of ten, the next one above."""
    power = 10.0 ** np.floor(np.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))


def _grid(across, up, scale, size, colours):
    """The lines of a grid over the picture, and the numbers outside of it at which they stand."""
    (width, height), muted, look = size, colours["muted"], f'stroke="{colours["grid"]}" stroke-width="1"'
    xs = [(EDGE + (at - across.low) * scale[0], text) for at, text in across.ticks]
    ys = [(EDGE + (up.high - at) * scale[1], text) for at, text in up.ticks]
    lines = [f'<path d="M{x:.1f} 1V{height - 1}" {look}/>' for x, _ in xs]
    lines += [f'<path d="M1 {y:.1f}H{width - 1}" {look}/>' for y, _ in ys]
    numbers = [_words(text, LEFT + x, height + TICKS - 5, muted, anchor="middle") for x, text in xs]
    return "".join(lines), "".join(numbers + [_words(text, LEFT - 4, y + 4, muted, anchor="end") for y, text in ys])


def join_documents(pictures: Sequence[str]) -> str:
    """Several SVG documents side by side as one; one alone stays as it is."""
    if len(pictures) == 1:
        return pictures[0]
    sizes = [[int(size) for size in re.findall(r'(?:width|height)="(\d+)"', picture)[:2]] for picture in pictures]
    left = [sum(width + GAP for width, _ in sizes[:k]) for k, _ in enumerate(sizes)]
    wide, high = left[-1] + sizes[-1][0], max(height for _, height in sizes)
    inner = "".join(picture.replace("<svg ", f'<svg x="{x}" ', 1) for x, picture in zip(left, pictures, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f"{inner}</svg>"
    )


def _shapes(trace, place):
    """The SVG elements of a trace; `place(x, y)` are pixels (n, 2)."""
    if trace["type"] == "contour":
        contours, line = trace["contours"], trace["line"]
        if "between" in trace.get("meta", ()):
            yield from _shade(trace, place)
        if contours.get("coloring") != "none":
            return
        xs, ys, z = (np.asarray(trace[axis], float) for axis in "xyz")
        for level in np.arange(contours["start"], contours["end"] + contours["size"] / 2, contours["size"]):
            for chain in level_paths(z, level):
                rows, columns = np.arange(len(ys)), np.arange(len(xs))
                x, y = np.interp(chain[:, 0], columns, xs), np.interp(chain[:, 1], rows, ys)
                yield _path(place(x, y), line)
    elif trace["type"] == "bar":
        half, look = trace["width"] / 2, f'fill="{trace["marker"]["color"]}"'
        tops = place(np.asarray(trace["x"]) - half, trace["y"])
        feet = place(np.asarray(trace["x"]) + half, np.zeros(len(trace["x"])))
        for (left, top), (right, foot) in zip(tops, feet, strict=True):
            yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{foot - top:.1f}" {look}/>'
    elif "lines" in trace["mode"]:
        x, y = (np.asarray(trace[axis], float) for axis in "xy")
        gaps = np.flatnonzero(~(np.isfinite(x) & np.isfinite(y)))
        for part in np.split(np.arange(len(x)), gaps):
            part = part[np.isfinite(x[part]) & np.isfinite(y[part])]
            if len(part) > 1:
                yield _path(place(x[part], y[part]), trace["line"])
    else:
        yield from _markers(trace, place)


def _shade(trace, place):
    """SVG elements of the area that has changed class, row by row."""
    xs, ys, inside = trace["x"], trace["y"], np.asarray(trace["z"]) > 0.0
    half = np.array([xs[1] - xs[0], ys[1] - ys[0]]) / 2
    for row, column in np.argwhere(inside & ~np.pad(inside, ((0, 0), (1, 0)))[:, :-1]).tolist():
        last = column + int(np.argmin(np.append(inside[row, column:], False))) - 1
        (x0, y0), (x1, y1) = place([xs[column] - half[0], xs[last] + half[0]], [ys[row] + half[1], ys[row] - half[1]])
        yield f'<path d="M{x0:.1f} {y0:.1f}H{x1:.1f}V{y1:.1f}H{x0:.1f}z" fill="#000" fill-opacity="0.14"/>'


def _path(places, line):
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = "" if line.get("dash", "solid") == "solid" else f' stroke-dasharray="{line["dash"].replace("px", "")}"'
    return f'<polyline points="{points}" fill="none" stroke="{line["color"]}" stroke-width="{line["width"]:g}"{dash}/>'


def _legend_entry(trace, top, ink):
    if "line" in trace and trace.get("mode") != "markers":
        line = _path([(EDGE, top + ROW / 2), (EDGE + 40, top + ROW / 2)], trace["line"])
    else:
        marker, colours = trace["marker"], trace["marker"]["color"]
        tone = colours if isinstance(colours, str) else colours[0]
        look = {"symbol": marker.get("symbol", "square"), "size": 9, "color": tone}
        line = "".join(_markers({"x": [0], "y": [0], "mode": "", "marker": look}, lambda *_: [(EDGE + 20, top + 9)]))
    return line + _words(trace["name"], EDGE + 48, top + ROW - 5, ink)


def _words(text, x, y, ink, size=12, anchor="start"):
    look = f'text-anchor="{anchor}" fill="{ink}" font-family="sans-serif" font-size="{size}"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(text)}</text>'


def _markers(trace, place):
    marker, n = trace["marker"], len(trace["x"])
    outline = marker.get("line", {})
    symbols = marker.get("symbol", "circle")
    symbols = [symbols] * n if isinstance(symbols, str) else symbols
    fills = marker.get("color", outline.get("color"))
    looks = [marker["size"], fills, outline.get("color", fills), outline.get("width", 1.0)]
    looks = zip(*([look] * n if np.ndim(look) == 0 else look for look in looks), symbols, strict=True)
    words = trace.get("text", [""] * n) if "text" in trace["mode"] else [""] * n
    for (x, y), (size, fill, edge, width, symbol), word in zip(
        place(trace["x"], trace["y"]), looks, words, strict=True
    ):
        hollow = symbol.endswith("-open")
        half, inside = size / 2, "none" if hollow else fill
        look = f'fill="{inside}" stroke="{fill if hollow else edge}" stroke-width="{width:.2g}"'
        if symbol.startswith("square"):
            yield f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{size:.1f}" height="{size:.1f}" {look}/>'
        elif symbol.startswith("triangle"):
            turn = f'transform="rotate({TURNS.get(symbol, 0)} {x:.1f} {y:.1f})"'
            yield f'<path d="M{x - half:.1f} {y + half:.1f}h{size:.1f}L{x:.1f} {y - half:.1f}z" {turn} {look}/>'
        elif symbol.startswith("x"):
            way = f"M{x - half:.1f} {y - half:.1f}l{size:.1f} {size:.1f}m0 {-size:.1f}l{-size:.1f} {size:.1f}"
            yield f'<path d="{way}" {look}/>'
        else:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" {look}/>'
        if symbol.endswith("-dot"):
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.5 + width / 2:.1f}" fill="{edge}"/>'
        if word:
            yield _words(word, x + half + 3, y - half - 3, fill, trace.get("textfont", {}).get("size", 12))


def level_paths(z, level) -> list[np.ndarray]:
    """The lines z = level of an array (rows, columns), by marching squares: chains (n, 2) of (column, row).

    A closed line ends where it begins.
    """
    z = np.asarray(z, float)
    ends: dict[tuple, list[tuple]] = {}
    above = z > level
    corners = np.stack([above[:-1, :-1], above[:-1, 1:], above[1:, :-1], above[1:, 1:]])
    for row, column in np.argwhere(corners.any(axis=0) & ~corners.all(axis=0)).tolist():
        for one, other in _square_edges(z, above, row, column, level):
            ends.setdefault(one, []).append(other)
            ends.setdefault(other, []).append(one)
    chains = []
    for first in sorted(ends, key=lambda edge: len(ends[edge])):  # open lines from an end
        if not ends[first]:
            continue
        chain = [first]
        while ends[chain[-1]]:
            following = ends[chain[-1]].pop()
            ends[following].remove(chain[-1])
            chain.append(following)
        chains.append(np.array([_crossing_point(z, level, edge) for edge in chain]))
    return chains


def _square_edges(z, above, row, column, level):
    """The pairs of edges (row, column, upwards) of a square that a line joins."""
    bottom, right, top, left = (row, column, 0), (row, column + 1, 1), (row + 1, column, 0), (row, column, 1)
    corners = above[row, column], above[row, column + 1], above[row + 1, column + 1], above[row + 1, column]
    cut = [edge for k, edge in enumerate((bottom, right, top, left)) if corners[k] != corners[(k + 1) % 4]]
    if len(cut) == 2:
        return [tuple(cut)]
    middle = z[row : row + 2, column : column + 2].mean() > level
    return [(bottom, right), (top, left)] if corners[0] == middle else [(bottom, left), (top, right)]


def _crossing_point(z, level, edge):
    row, column, upwards = edge
    one, other = z[row, column], z[row + upwards, column + 1 - upwards]
    share = (level - one) / (other - one)
    return column + (1 - upwards) * share, row + upwards * share
