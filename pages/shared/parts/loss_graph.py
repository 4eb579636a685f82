"""The curves of all losses in one picture, and points on them: alpha = C times a slope of the loss."""

from typing import NamedTuple

import numpy as np

from pages.shared import controls, figures, session
from pages.shared.choices import Machine
from pages.shared.studies import loss_curves
from pages.shared.studies.arrays import Points
from pages.shared.studies.lone_outlier import Step
from svmcore import losses

TOP = 10.0  # beyond every axis
SLASHES = (0.5, 1.0, 3.0)
NO_ENDS = np.empty((0, 2))
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
ON_LOSS = "The points on the loss. The line through a point has the slope α / C."


class Graph(NamedTuple):
    """The curves of the page Losses: those of `curves`, and their kind, a key of MEANING."""

    curves: list[figures.LossCurve]
    kind: str


def picture(graph: Graph, here: dict[Machine, Step], C: float) -> figures.Drawing:
    """The Drawing of the curves, and on them the outlier under each machine `here`, whose C is that of the sweep."""
    tangent = graph.kind == "value"
    marked = [
        figures.Subgradient(
            machine.name,
            step.t,
            float(losses.get(machine.loss)(step.t, **dict(machine.params))) if tangent else step.alpha / C,
            step.alpha / C,
            controls.colour_index(machine),
        )
        for machine, step in here.items()
        if graph.kind != "prox"
    ]
    return figures.losses(graph.curves, marked=marked, tangent=tangent, **figures.LOSS_AXES[graph.kind])


def on_loss(machine: Machine, points: Points, C: float) -> figures.Drawing:
    """The Drawing of the training points of one machine on its loss."""
    curve, t = loss_curves.wide(machine), 1.0 - points.margin
    loss = losses.get(machine.loss)(t, **dict(machine.params))
    index = controls.colour_index(machine)
    return figures.on_loss(figures.OnLoss(machine.name, curve.x, curve.y, index, t, loss, points.alpha / C), points)


def curves(every: list[Machine], chosen: list[Machine], kind: str, c: float) -> list[figures.LossCurve]:
    """The curve of every machine's loss, for `figures.losses`; those of the `chosen` machines are highlighted.

    kind: a key of MEANING; c: the weight of the loss in its prox.
    """
    found = [
        figures.LossCurve(
            machine.name if machine in chosen else losses.get(machine.loss).machine,
            *session.curve(machine, kind, c),
            controls.colour_index(machine),
            machine in chosen,
        )
        for machine in every
    ]
    if kind == "slope":
        return [
            _with_rays(curve, machine) if curve.chosen else curve for curve, machine in zip(found, every, strict=True)
        ]
    return found + (_slashes(chosen) if kind == "value" else [])


def _with_rays(curve, machine):
    """The slope of a loss with all its subgradients: an upright ray where the loss jumps."""
    rays = [np.array([[np.nan, np.nan], [t, 0.0], [t, TOP]]) for t in loss_curves.rises(machine)]
    x, y = np.vstack([np.column_stack([curve.x, curve.y]), *rays]).T
    return curve._replace(x=x, y=y)


def _slashes(chosen):
    """Some of the lines that touch a loss from below where it jumps, as in figure 1 of the paper on the 0/1 loss."""
    return [
        figures.LossCurve(
            f"{machine.name}: slope {slope:g} at t = {t:g}", np.array([t, t + TOP]), np.array([0.0, slope * TOP]),
            NO_ENDS, NO_ENDS, controls.colour_index(machine), False, True,
        )
        for machine in chosen
        for t in loss_curves.rises(machine)
        for slope in SLASHES
    ]  # fmt: skip
