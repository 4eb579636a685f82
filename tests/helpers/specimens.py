"""A small picture of each kind, and what it is drawn from."""

import functools

import numpy as np
import pytest

from pages.shared.figures.cells import cells_figure
from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.charts.losses import LossCurve, losses_figure, on_loss_figure
from pages.shared.figures.charts.ranks import errors_figure, ranks_figure
from pages.shared.figures.charts.residuals import residuals_figure
from pages.shared.figures.charts.room import (
    room_lines_figure,
    room_numbers_figure,
    room_places_figure,
    room_points_figure,
)
from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.charts.subgradients import Subgradient
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.figures.charts.tuning import Evaluated, tuning_figure
from pages.shared.figures.charts.weights import weights_figure
from pages.shared.figures.curve import curve_figure
from pages.shared.figures.film import plane_film
from pages.shared.figures.influence import influence_figure
from pages.shared.figures.norms import norm_film
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.plane import plane_figure
from pages.shared.studies import arrays
from pages.shared.studies.arrays import LOWER, UPPER, ZERO, Field, FunctionCurve, Points, Samples
from svmcore.studies import significance


def cloud(n=40, seed=0):
    """Points with every sign and box state, |alpha| <= 2."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
    alpha = rng.uniform(-2, 2, n)
    state = np.arange(n) % 4
    alpha = np.select([state == ZERO, state == UPPER, state == LOWER], [0.0, 2.0, -2.0], alpha)
    return Points(X, y, alpha, state, rng.normal(size=n), rng.random(n), np.array([f"case {k}" for k in range(n)]))


def plane_field(size=30):
    """f(x) = x1 + 2 x2."""
    xs, ys = np.linspace(-3, 3, size), np.linspace(-2, 2, size + 1)
    return Field(xs, ys, xs[None, :] + 2 * ys[:, None])


EXTENT = plane_field()._replace(f=None)


def trace(figure, name):
    return next(trace for trace in figure.plotly.data if trace.name == name)


def markers(figure):
    """{index of a training point: (x, y, size, fill, edge, width, symbol, customdata, text)} read off the picture."""
    found = {}
    for name in ("points +1", "points -1"):
        drawn = trace(figure, name)
        marker = drawn.marker
        for k, result in enumerate(drawn.customdata):
            symbol = marker.symbol if isinstance(marker.symbol, str) else marker.symbol[k]
            style = (marker.size[k], marker.color[k], marker.line.color[k], marker.line.width[k], symbol)
            found[int(result[0])] = (drawn.x[k], drawn.y[k], *style, result, drawn.text and drawn.text[k])
    return found


def samples(n=40, seed=0):
    """Points of a regression."""
    points, rows = cloud(n, seed), np.arange(n)
    return Samples(*points.X.T, points.alpha, points.state, points.margin, points.kkt, rows < 3, rows - 2)


def graph():
    xs = plane_field().xs
    return FunctionCurve(xs, np.array([-2.0, 2.0]), np.sin(xs), 0.1, (xs, np.cos(xs)))


def heat(**options):
    """An influence map that is not finished."""
    shares = np.where(np.arange(64) < 50, 0.01 * np.arange(64), np.nan).reshape(8, 8)
    points = cloud()._replace(outlier=np.arange(40) < 3)
    return influence_figure(plane_field(), shares, points, 7, largest=0.5, **options)


def reeled(**options):
    """A film of two frames, the second with a ringed pair."""
    field, points = plane_field(), cloud()
    frames = [
        arrays.Frame(field.f, points.alpha * 0, points.state * 0, points.margin),
        arrays.Frame(-field.f, points.alpha, points.state, points.margin, (1, 2), ("up", "down"), ((1, 2, 0.5),)),
    ]
    return plane_film(field.xs, field.ys, frames, points, **options)


def curves():
    """One line with a zero and one of a single place."""
    return [
        arrays.Line("falls", np.arange(5.0), np.array([1, 0.1, 0.01, 1e-9, 0.0]), 0),
        arrays.Line("at once", np.array([1.0]), np.array([1e-5]), 1),
    ]


STEP = LossCurve(
    "0/1",
    np.array([-1.0, 0.0, np.nan, 0.0, 1.0]),
    np.array([0.0, 0.0, np.nan, 1.0, 1.0]),
    np.array([[0.0, 0.0]]),
    np.array([[0.0, 1.0]]),
    14,
    True,
)

LOSSES = [
    STEP._replace(name="hinge", index=0, closed=np.empty((0, 2)), open=np.empty((0, 2))),
    STEP,
    STEP._replace(name="ramp", chosen=False),
]

MARKED = [
    Subgradient("hinge", 0.5, 0.5, 1.0, 0),
    Subgradient("0/1", 9.0, 1.0, 0.0, 14),
    Subgradient("exponential", 0.2, 7.0, 7.0, 7),
]


def on_loss(t=None):
    """Points on the squared loss t^2 / 2, the first at t = 50."""
    points, xs = cloud(40 if t is None else len(t)), np.linspace(-7, 7, 29)
    t = np.r_[50.0, np.linspace(-1, 1, 39)] if t is None else t
    curve = arrays.Line("LS-SVM", xs, xs**2 / 2, 1)
    return on_loss_figure(curve, points, t, t**2 / 2, t * (points.alpha != 0))


def walked():
    """A film of two rounds: the unit circle, then a flat ellipse."""
    xs = np.linspace(-2.0, 2.0, 21)
    angle = np.linspace(0.0, 2.0 * np.pi, 9)
    ellipse = np.outer([1.0, 1.0], np.cos(angle)), np.outer([1.0, 0.3], np.sin(angle))
    return norm_film(
        Field(xs, xs, np.hypot(xs[None, :] - 2.0, xs[:, None] - 1.0)),
        error=np.array([1.2, 1.3]),
        ellipse=ellipse,
        corner=np.array([1.3, 1.1]),
        path=np.array([[0.8, 0.6], [0.9, 0.1]]),
        end=np.array([1.0, 0.0]),
        names=("a", "b"),
        sentences=["one", "two"],
    )


EVALUATED = Evaluated(
    C=np.array([0.1, 1.0, 10.0, 100.0, 1000.0]),
    sigma=np.array([0.5, 1.0, 2.0, 4.0, 8.0]),
    values=np.array([0.3, 0.1, 0.2, np.inf, 0.9]),
    spreads=np.array([0.01, 0.02, 0.03, 0.0, 0.04]),
    best=1,
    box=((0.01, 1000.0), (0.1, 10.0)),
)


def tuned(found=EVALUATED, measure="error"):
    return tuning_figure(found, measure=measure, write=lambda value: f"{100 * value:.0f} %", now=(3.0, 0.7))


@functools.cache
def compared():
    """Three machines on eight tables; their intervals take a quarter of a second."""
    return significance.compare(np.tile([[1.0, 2.0, 9.0]], (8, 1)), ("hinge", "log", "ramp"))


ALL = {
    "plane": lambda: plane_figure(plane_field(), cloud(), ghost=plane_field(), axes=("a", "b")),
    "compact": lambda: plane_figure(plane_field(), cloud(), compact=True),
    "points": lambda: plane_figure(EXTENT, Points(cloud().X, cloud().y)),
    "outliers": lambda: plane_figure(EXTENT, cloud()._replace(outlier=np.arange(40) < 3)),
    "spectrum": lambda: spectrum_figure(cloud(), (-2.0, 2.0)),
    "long spectrum": lambda: spectrum_figure(cloud(200), (-np.inf, np.inf)),
    "overlay": lambda: overlay_figure([Curve("hinge", plane_field(), 3)], cloud()),
    "influence": lambda: heat(),
    "compact influence": lambda: heat(compact=True),
    "curve": lambda: curve_figure(graph(), samples(), ghost=graph(), off=samples().bare),
    "compact curve": lambda: curve_figure(graph(), samples(), compact=True),
    "no curve": lambda: curve_figure(graph()._replace(f=None), samples().bare),
    "curves": lambda: overlay_figure([Curve("SVR", graph(), 0)], samples()),
    "spectrum of a regression": lambda: spectrum_figure(samples(), (-2.0, 2.0)),
    "sweep": lambda: sweep_figure(
        np.arange(3.0), [Band("hinge", np.ones(3), np.zeros(3), np.full(3, 2.0), 1)], xlabel="share", ylabel="error"
    ),
    "ranks": lambda: ranks_figure(compared()),
    "errors": lambda: errors_figure(np.eye(2), ["heart", "glass"], ["hinge", "ramp"], measure="error, %"),
    "norms": lambda: walked().figure,
    "weights": lambda: weights_figure(
        np.array([[1.0, 0.5], [1.0, 0.0]]), np.array([True, False]), np.array([0.9, 0.0]), xlabel="round"
    ),
    "film": lambda: reeled().figure,
    "compact film": lambda: reeled(compact=True).figure,
    "history": lambda: history_figure(curves(), xlabel="steps", ylabel="gap", log=True, level=(1e-3, "tolerance")),
    "plain history": lambda: history_figure(curves(), xlabel="C", ylabel="%", log_x=False),
    "marked history": lambda: history_figure(
        [arrays.Line("hinge", np.arange(3.0), np.ones(3), 1)], xlabel="steps", ylabel="error", log_x=False, at=1.0
    ),
    "beyond": lambda: overlay_figure([Curve("hinge", plane_field(), 3)], cloud(), beyond=((0, 9), "far")),
    "losses": lambda: losses_figure(LOSSES, "value"),
    "marked losses": lambda: losses_figure(LOSSES, "value", MARKED),
    "points on a loss": lambda: on_loss(),
    "tuning": lambda: tuned(),
    "tuning of C": lambda: tuned(EVALUATED._replace(sigma=None, box=(EVALUATED.box[0], None))),
    "residuals": lambda: residuals_figure([arrays.Line("SVR", np.arange(9.0), np.arange(9.0) - 4, 0)]),
    "cells": lambda: cells_figure(
        np.logspace(-1, 3, 5), np.logspace(-1, 1, 3), np.ones((3, 5)), [["a"] * 5] * 3, at=(10.0, 1.0), quantity="Error"
    ),
    "lines of a room": lambda: room_lines_figure(ALL["plane"](), [[0, 0, 1, 1]]),
    "points of a room": lambda: room_points_figure(ALL["plane"](), cloud(3).X, [1, 2, 0], [True, False, False]),
    "places of a room": lambda: room_places_figure(ALL["plane"](), [[0, 0]], 1.0, (0, 0)),
    "numbers of a room": lambda: room_numbers_figure([0, 1, 2], [[1, 2]], names=["vote 1"], true=1.0),
    "prox": lambda: losses_figure([curve._replace(chosen=False) for curve in LOSSES], "prox"),
}

every = pytest.mark.parametrize("build", ALL.values(), ids=ALL)
