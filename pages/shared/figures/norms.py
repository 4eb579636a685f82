"""Two weights in their plane: level lines of the error, and the balls of the norms that touch them, round by round."""

import numpy as np

from pages.shared.figures import captions, style
from pages.shared.figures.film import Film, frame_part, line_film
from pages.shared.figures.palette import colour
from pages.shared.figures.plane import frame, level_line
from pages.shared.studies.formatting import join_words, with_count

LEVELS = 12  # lines of the error
WALK_END = "1-norm SVM"  # the trace of the place where a walk ends


def norm_film(field, *, error, ellipse, corner, path, end, names, sentences) -> Film:
    """The Film of a walk in the plane of two weights, after Figure 1 of the paper.

    field: a Field of the error over the plane; error (T,) its value at the optimum of each round. ellipse: x and y, (T,
    n) each, of the re-weighted norm's ball; corner (T,) where the 1-norm's ball through that optimum meets the axes.
    path (T, 2) the optima; end (2,) that of the 1-norm; names of the two weights; sentences (T,) on each round.

    Traces: "axes", "error", "touched", "2-norm", "1-norm", "re-weighted", "walk", "1-norm SVM", "now"; the figure shows
    the last round.
    """
    rounds = len(path)
    reach = float(field.xs[-1])
    moves = {
        "touched": {"level": np.asarray(error, np.float64)},
        "1-norm": _columns(np.outer(corner, [1, 0, -1, 0, 1]), np.outer(corner, [0, 1, 0, -1, 0])),
        "re-weighted": _columns(*ellipse),
        "walk": _columns(*(_so_far(path[:, axis]) for axis in (0, 1))),
        "now": _columns(path[:, :1], path[:, 1:]),
    }
    lowest = float(field.f.min())
    step = (_at_zero(field) - lowest) / (LEVELS / 2) or 1.0  # half of the lines lie below the error at zero
    levels = lowest + step / 2, lowest + LEVELS * step, step
    traces = [
        _line("axes", [-reach, reach, np.nan, 0.0, 0.0], [0.0, 0.0, np.nan, -reach, reach], "grid", 1.4),
        level_line(field, "error", colour("muted"), width=0.8, levels=levels),
        level_line(field, "touched", colour("ink"), width=2.2),
        _line("2-norm", ellipse[0][0], ellipse[1][0], "muted", 1.4, "2px,4px"),
        _line("1-norm", [], [], "variant-2", 1.8),
        _line("re-weighted", [], [], "variant-1", 2.4, "9px,5px"),
        _line("walk", [], [], "accent", 2.0),
        _marker(WALK_END, end, "square-open", 13, "ink", 2.2),
        _marker("now", path[-1], "circle", 12, "accent", 0.0),
    ]
    for trace in traces:
        if trace["name"] in moves:
            trace.update(frame_part(trace, moves[trace["name"]], rounds - 1))
    axes = tuple(f"weight of {name}" for name in names)
    alt = (
        f"Plane of the weights of {join_words(names)}, over {with_count(rounds, 'round')}: level lines of the error, "
        "with a thick one that touches the balls; the ball of the re-weighted norm, a circle in round 1 and an ellipse "
        "afterwards; the ball of the 1-norm, a diamond; the path of the optimum, and a square at the 1-norm SVM."
    )
    key, framed = captions.norms_legend(), frame(field, None, axes=axes, noted=True)
    figure = style.figure(traces, alt=alt, key=key, **framed)
    return line_film(figure, sentences, moves)


def _at_zero(field):
    """The error where both weights are zero."""
    return float(field.f[np.argmin(np.abs(field.ys)), np.argmin(np.abs(field.xs))])


def _columns(x, y):
    return {"x": np.asarray(x, np.float32), "y": np.asarray(y, np.float32)}


def _so_far(values):
    """Row k holds the values up to k, and nothing after."""
    return np.where(np.tri(len(values), dtype=bool), values, np.nan)


def _line(name, x, y, ink, width, dash="solid"):
    return style.path(np.asarray(x, np.float32), np.asarray(y, np.float32), name, colour(ink), width=width, dash=dash)


def _marker(name, place, symbol, size, ink, width):
    look = dict(symbol=symbol, size=size, color=colour(ink), line=dict(color=colour("page"), width=width))
    hover = f"{name}: %{{x:.4g}}, %{{y:.4g}}<extra></extra>"
    return style.markers(*np.asarray(place, np.float32).reshape(2, 1), name, **look, hovertemplate=hover)
