"""A picture as SVG, for paper and for other programs: points and lines, without the colours of the field."""

import re
from collections.abc import Sequence
from html import escape

import numpy as np

from pages.shared.figures import palette
from pages.shared.figures.style import Drawing

WIDTH, HEIGHT = 420, 420  # pixels, the most that a picture takes
EDGE = 4
ROW = 18  # of the names of lines, below the picture
GAP = 16  # between two pictures side by side


def svg(figure: Drawing, name="") -> str:
    """An SVG document of a plane, an overlay or a curve: its markers and lines, and its description as a title.

    What is told by colour alone (the field, the strips) and the axes are left out: paper is white. A `name` stands
    below the picture.
    """
    colours = palette.THEMES["light"]
    across, up = (figure.layout[axis]["range"] for axis in ("xaxis", "yaxis"))
    scale = np.array([WIDTH / (across[1] - across[0]), HEIGHT / (up[1] - up[0])])
    if figure.layout["yaxis"].get("scaleanchor"):
        scale[:] = scale.min()
    width, height = np.rint(scale * [across[1] - across[0], up[1] - up[0]]).astype(int) + 2 * EDGE

    def place(x, y):
        return np.column_stack(
            [EDGE + (np.asarray(x) - across[0]) * scale[0], EDGE + (up[1] - np.asarray(y)) * scale[1]]
        )

    traces = [palette.replace_tokens(trace, colours) for trace in figure.traces]
    shapes = [shape for trace in traces for shape in _shapes(trace, place)]
    named = [trace for trace in traces if trace.get("showlegend")]
    key = [_legend_entry(trace, height + ROW * k, colours["ink"]) for k, trace in enumerate(named)]
    key += [_words(name, EDGE, height + ROW * (len(named) + 1) - 5, colours["ink"])] if name else []
    whole = height + ROW * len(key)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{whole}" viewBox="0 0 {width} {whole}" '
        f'role="img"><title>{escape(figure.alt)}</title>'
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" fill="{colours["page"]}" '
        f'stroke="{colours["muted"]}"/><svg width="{width}" height="{height}">'
        + "".join(shapes)
        + "</svg>"
        + "".join(key)
        + "</svg>"
    )


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
        if contours.get("coloring") != "none":
            return
        xs, ys, z = (np.asarray(trace[axis], float) for axis in "xyz")
        for level in np.arange(contours["start"], contours["end"] + contours["size"] / 2, contours["size"]):
            for chain in level_paths(z, level):
                rows, columns = np.arange(len(ys)), np.arange(len(xs))
                x, y = np.interp(chain[:, 0], columns, xs), np.interp(chain[:, 1], rows, ys)
                yield _path(place(x, y), line)
    elif "lines" in trace["mode"]:
        x, y = (np.asarray(trace[axis], float) for axis in "xy")
        gaps = np.flatnonzero(~(np.isfinite(x) & np.isfinite(y)))
        for part in np.split(np.arange(len(x)), gaps):
            part = part[np.isfinite(x[part]) & np.isfinite(y[part])]
            if len(part) > 1:
                yield _path(place(x[part], y[part]), trace["line"])
    else:
        yield from _markers(trace, place)


def _path(places, line):
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = "" if line.get("dash", "solid") == "solid" else f' stroke-dasharray="{line["dash"].replace("px", "")}"'
    return f'<polyline points="{points}" fill="none" stroke="{line["color"]}" stroke-width="{line["width"]:g}"{dash}/>'


def _legend_entry(trace, top, ink):
    line = _path([(EDGE, top + ROW / 2), (EDGE + 40, top + ROW / 2)], trace["line"])
    return line + _words(trace["name"], EDGE + 48, top + ROW - 5, ink)


def _words(text, x, y, ink):
    look = f'fill="{ink}" font-family="sans-serif" font-size="12"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(text)}</text>'


def _markers(trace, place):
    marker, n = trace["marker"], len(trace["x"])
    outline = marker.get("line", {})
    hollow = marker["symbol"].endswith("-open")
    fills = marker.get("color", outline.get("color"))
    looks = [marker["size"], fills, outline.get("color", fills), outline.get("width", 1.0)]
    looks = zip(*([look] * n if np.ndim(look) == 0 else look for look in looks), strict=True)
    words = trace.get("text", [""] * n) if "text" in trace["mode"] else [""] * n
    for (x, y), (size, fill, edge, width), word in zip(place(trace["x"], trace["y"]), looks, words, strict=True):
        half, inside = size / 2, "none" if hollow else fill
        look = f'fill="{inside}" stroke="{fill if hollow else edge}" stroke-width="{width:.2g}"'
        if marker["symbol"].startswith("square"):
            yield f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{size:.1f}" height="{size:.1f}" {look}/>'
        elif marker["symbol"].startswith("x"):
            way = f"M{x - half:.1f} {y - half:.1f}l{size:.1f} {size:.1f}m0 {-size:.1f}l{-size:.1f} {size:.1f}"
            yield f'<path d="{way}" {look}/>'
        else:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" {look}/>'
        if word:
            yield _words(word, x + half, y - half, fill)


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
