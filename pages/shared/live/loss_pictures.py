"""The pictures of the page Losses: the losses, and one outlier on them and beside the boundaries of their machines."""

from typing import NamedTuple

import numpy as np

from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.charts.losses import LossCurve, losses_figure
from pages.shared.figures.charts.subgradients import Subgradient
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.style import Drawing
from pages.shared.live.pictures import PictureSet
from pages.shared.screen import schema
from pages.shared.screen.choices import LOSSES, Machine
from pages.shared.studies import arrays, lone_outlier, loss_curves
from pages.shared.studies.lone_outlier import Step
from pages.shared.studies.source import WHILE_MOVING, Source

TOP = 10.0  # beyond every axis
SLASHES = (0.5, 1.0, 3.0)
NO_ENDS = np.empty((0, 2))
UNITS = {"alpha": "α", "turned": "degrees", "share": "% of the plane"}
FEW = 6  # at most so many boundaries have a legend; more would leave no room for the plane
MEANING = {
    "value": "The cost of a point with t = 1 − y f. Points with t < 0 lie beyond the margin, those with t > 1 on "
    "the wrong side of the boundary.",
    "slope": "The slope of the loss. It gives the support value of a point, α = C × slope at the optimum; where the "
    "slope jumps, any value in between is possible, and where the 0/1 loss itself jumps, at t = 0, any value from 0 to "
    "infinity.",
    "prox": "The v that minimises c ℓ(v) + (v − z)²/2, drawn over z. Dashed: v = z, where the loss has no effect.",
}
MARKED = {
    "value": "Ring: the outlier on each loss. The thick line through it has the slope α / C, a subgradient of the "
    "loss: the steeper, the stronger the force of the outlier on the boundary. A triangle: it lies further out.",
    "slope": "Ring: the outlier. Its height is α / C, the force of the outlier on the boundary for C = 1. A triangle: "
    "it lies further out.",
    "prox": "",
}


class LossGraph(NamedTuple):
    """The curves of losses: of which machines, which of them are highlighted, their kind, a key of MEANING, and the
    weight of the loss in its prox.
    """

    every: tuple[Machine, ...]
    chosen: tuple[Machine, ...]
    kind: str
    weight: float


class Sweep(NamedTuple):
    """Sweeps of machines as far as they are computed, {machine: steps}, their kernel, the distance that is shown, and
    the curves of the losses.
    """

    steps: dict[Machine, list[lone_outlier.Step]]
    kernel: str
    at: float
    graph: LossGraph

    def replace(self, name, value) -> "Sweep":
        """Return a copy at another distance; ValueError, in a sentence without its subject, for anything else."""
        if name != schema.DISTANCE.name:
            raise ValueError(f"has {name!r}, which no picture of this screen follows")
        return self._replace(at=lone_outlier.nearest(schema.DISTANCE.parse(value)))

    def __eq__(self, other) -> bool:
        """Return whether as much is known of both, so that their pictures are the same."""
        return isinstance(other, Sweep) and (self.steps_made, *self[1:]) == (other.steps_made, *other[1:])

    @property
    def here(self) -> dict[Machine, lone_outlier.Step]:
        """The step of each machine at this distance, where it is known."""
        return {machine: step for machine, mine in self.steps.items() for step in mine if step.distance == self.at}

    @property
    def steps_made(self) -> dict[Machine, int]:
        return {machine: len(mine) for machine, mine in self.steps.items()}


def losses(source: Source, sweep: Sweep, moving=False) -> PictureSet:
    """The losses with the outlier on them; as soon as a machine is there, the curves of alpha and of what moved over
    the distance, and the boundaries. Nothing is fitted.
    """
    steps, kernel, at, graph = sweep
    moved = "turned" if kernel == "linear" else "share"
    shown = {"curves": curves_figure(graph, sweep.here, lone_outlier.setting(kernel).C)}
    if steps:
        shown |= {"alpha": along_figure(steps, "alpha", at), "moved": along_figure(steps, moved, at)}
    if sweep.here:
        size = WHILE_MOVING if moving else lone_outlier.RESOLUTION
        shown["boundaries"] = boundaries_figure(sweep.here, kernel, at, size)
    return PictureSet(shown, [], [], {})


def curves_figure(graph: LossGraph, here: dict[Machine, Step], C: float) -> Drawing:
    """The Drawing of the curves, and on them the outlier under each machine `here`, whose C is that of the sweep."""
    marked = []
    for machine, step in here.items() if graph.kind != "prox" else ():
        slope = height = step.alpha / C
        if graph.kind == "value":
            height = float(LOSSES[machine.loss](step.t, **dict(machine.params)))
        marked.append(Subgradient(machine.name, step.t, height, slope, machine.colour))
    return losses_figure(loss_curves_of(graph), graph.kind, marked)


def loss_curves_of(graph: LossGraph) -> list[LossCurve]:
    """The curve of every machine's loss, for `figures.charts.losses`."""
    every, chosen, kind, weight = graph
    found = []
    for machine in every:
        x, y, *ends = loss_curves.curve(machine, kind, weight)
        name = machine.name if machine in chosen else LOSSES[machine.loss].machine
        if kind == "slope" and machine in chosen:  # all subgradients: an upright ray where the loss jumps
            rays = [np.array([[np.nan, np.nan], [t, 0.0], [t, TOP]]) for t in loss_curves.rises(machine)]
            x, y = np.vstack([np.column_stack([x, y]), *rays]).T
        found.append(LossCurve(name, x, y, *ends, machine.colour, machine in chosen))
    return found + (_slashes(chosen) if kind == "value" else [])


def _slashes(chosen):
    """Some of the lines that touch a loss from below where it jumps, as in figure 1 of the paper on the 0/1 loss."""
    return [
        LossCurve(
            f"{machine.name}: slope {slope:g} at t = {t:g}", np.array([t, t + TOP]), np.array([0.0, slope * TOP]),
            NO_ENDS, NO_ENDS, machine.colour, False, True,
        )
        for machine in chosen
        for t in loss_curves.rises(machine)
        for slope in SLASHES
    ]  # fmt: skip


def along_figure(steps: dict[Machine, list[lone_outlier.Step]], quantity: str, at: float) -> Drawing:
    """The Drawing of a quantity, a key of UNITS, over the distance, with the distance `at` marked on each curve."""
    curves = {machine: lone_outlier.curve(mine, quantity) for machine, mine in steps.items()}
    lines = [arrays.Line(machine.name, *curve, machine.colour) for machine, curve in curves.items()]
    return history_figure(lines, xlabel="distance of the outlier", ylabel=UNITS[quantity], log_x=False, at=at)


def boundaries_figure(here: dict[Machine, Step], kernel: str, at: float, size: int) -> Drawing:
    """The Drawing of the boundaries of the machines `here`, with the outlier at the distance `at`."""
    X, y = lone_outlier.contaminated_points(at)
    xs, ys = lone_outlier.sight(X[:-1], y[:-1], size)
    drawn = []
    for machine, step in here.items():
        f = lone_outlier.field(step.fit, X, kernel, xs, ys).astype(np.float32)
        drawn.append(Curve(machine.name, arrays.Field(xs, ys, f), machine.colour))
    points = arrays.Points(X, y, outlier=np.arange(len(y)) == len(y) - 1)
    return overlay_figure(drawn, points, beyond=(X[-1], "the outlier"), legend=len(drawn) <= FEW)
