"""The live pictures of the pages with machines, drawn in one place: for a page's script and for its live channel.

A function for each page: (source, screen, moving) -> Drawn. `source` is a `studies.source.Source`, `screen` the values
of the controls and the points. `loss_pictures` has that of the page Losses.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pages.shared.figures.charts.losses import OnLoss, on_loss_figure
from pages.shared.figures.charts.residuals import Rest, residuals_figure
from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.marks import largest_alpha
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.style import Drawing
from pages.shared.screen.choices import LOSSES, Machine
from pages.shared.screen.screen import Screen
from pages.shared.studies import classification, loss_curves, many_draws, tasks
from pages.shared.studies.arrays import Points
from pages.shared.studies.formatting import percent
from pages.shared.studies.one_vs_rest import OneVsRest
from pages.shared.studies.source import Source
from pages.shared.studies.sparsity import COLOURS, title
from pages.shared.studies.study import FittedMachine
from svmcore.status import Status
from svmcore.watch import isls

LARGEST = 1e15  # no control has a larger number
LINES = ("boundary", "curve")  # of the picture of a machine, which a trail is made of
ON_LOSS = "The points on the loss. The line through a point has the slope α / C."


class PictureSet(NamedTuple):
    """The figures by the key of their plane, the studies that they show, and the studies without the outliers.

    `numbers` {key: text} are live, too.
    """

    figures: dict[str, Drawing]
    studies: list[FittedMachine]
    before: list[FittedMachine | None]
    numbers: dict[str, str]


# ------------------------------------------------------------------------------------------ pages


def playground(source: Source, screen: Screen, moving=False) -> PictureSet:
    """The plane and the spectrum of one machine, with its main numbers; of two classes also the points
    on the loss; of more classes only the plane.
    """
    data, (machine,), setting = screen[:3]
    study = source.fit(data, machine, setting, moving)
    before = source.fit_before(data, machine, setting, moving)
    plane = machine_figure(study.field, study.points, ghost=before and before.field, off=source.points_off(data))
    if data.task == "multiclass":
        return PictureSet({"plane": plane}, [study], [before], main_numbers_of_classes(study))
    shown = {"plane": plane, "spectrum": spectrum_figure(study.points, study.bounds)}
    if data.task == "classification":
        shown["on_loss"] = points_on_loss(machine, study.points, setting.C)
    return PictureSet(shown, [study], [before], main_numbers(study))


def home(source: Source, screen: Screen, moving=False) -> PictureSet:
    """The boundaries of all machines over the points, with and without the flipped labels and faintly on other draws,
    and the claim: which share of the plane has changed class, and between which shares nine of ten draws lie.
    """
    data, machines, setting = screen[:3]
    studies = [source.fit(data, machine, setting, moving) for machine in machines]
    before = [source.fit_before(data, machine, setting, moving) for machine in machines]
    curves, changed = [], []
    for machine, now, clean in zip(machines, studies, before, strict=True):
        many, others = many_draws.follow(data, machine, setting), None
        if many is not None:
            x, y = many.lines(now.field.xs, now.field.ys)
            shown = slice(3, 3 + 3 * many_draws.SHOWN)  # after the draw that has its own line
            others = x[shown], y[shown]
        if clean is not None:
            share = percent(classification.changed_share(clean, now))
            changed.append(f"{machine.name} {share}{_range_text(many)}")
        curves.append(Curve(machine.name, now.field, machine.colour, clean and clean.field, others))
    shown = {"live": overlay_figure(curves, studies[0].points)}
    return PictureSet(shown, studies, before, {"claim": ", ".join(changed)})


def _range_text(many):
    """Between which shares nine of ten draws lie, in brackets; "" without draws."""
    return "" if many is None else " ({:.0f}–{:.0f})".format(*(100.0 * end for end in many.range))


def compare(source: Source, screen: Screen, moving=False) -> PictureSet:
    """A small plane for each machine, markers on one scale, and the overlay of all; the line below each plane."""
    data, machines, setting = screen[:3]
    studies = [source.fit(data, machine, setting, moving) for machine in machines]
    before = [source.fit_before(data, machine, setting, moving) for machine in machines]
    largest, off = max(largest_alpha(study.points) for study in studies), source.points_off(data)
    shown, numbers, curves = {}, {}, []
    for machine, study, ghost in zip(machines, studies, before, strict=True):
        shown[f"plane-{machine.loss}"] = machine_figure(
            study.field, study.points, ghost=ghost and ghost.field, off=off, compact=True, alpha_max=largest
        )
        numbers[f"caption-{machine.loss}"] = error_caption(study, ghost)
        curves.append(Curve(machine.name, study.field, machine.colour))
    shown["overlay"] = overlay_figure(curves, studies[0].points)
    return PictureSet(shown, studies, before, numbers)


def sparsity(source: Source, screen: Screen, moving=False) -> PictureSet:
    """A small plane for each machine with its support vectors ringed, and the residuals of a regression."""
    data, machines, setting = screen[:3]
    shown, numbers, studies = {}, {}, {}
    for machine in machines:
        study = source.fit(data, machine, setting, moving)
        name = title(machine)
        rings = ringed_rows(study)
        shown[f"machine-{name}"] = machine_figure(study.field, study.points, ringed=rings, compact=True)
        numbers[f"caption-{name}"] = support_caption(study)
        studies[name] = study
    if data.task == "regression":
        shown["residuals"] = residuals_of(studies)
    return PictureSet(shown, list(studies.values()), [], numbers)


# ------------------------------------------------------------------------------- texts and parts


def main_numbers(study: FittedMachine) -> dict[str, str]:
    """The five main numbers, {key: text}."""
    n, words = study.numbers, tasks.task_of(study).words
    return {
        "test_error": words.written(n.test_error),
        "train_error": words.written(n.train_error),
        "support_vectors": f"{n.n_support} of {len(study.f)}",
        "at_bound": f"{n.n_at_bound}",
        "status": n.status if n.converged else "not converged",
    }


def main_numbers_of_classes(study: OneVsRest) -> dict[str, str]:
    """The main numbers, {key: text}."""
    used = int(study.support.any(axis=0).sum())
    return {
        "test_error": percent(study.test_error),
        "train_error": percent(study.train_error),
        "support_vectors": f"{used} of {len(study.points.y)}",
        "status": str(Status.CONVERGED) if study.all_converged else "not converged",
    }


def ringed_rows(study: FittedMachine) -> Sequence[int]:
    """The rows of the support vectors, empty if there are too many to ring."""
    support = np.flatnonzero(study.points.alpha)
    return support if len(support) <= isls.LAST else ()


def support_caption(study: FittedMachine) -> str:
    """The caption of the picture of a machine: one line, since it lies over the points."""
    count = f"{study.numbers.n_support} of {len(study.f)} support vectors{', ringed' * (len(ringed_rows(study)) > 0)}"
    return f"{error_caption(study, None)}, {count}"


def residuals_of(studies: dict[str, FittedMachine]) -> Drawing:
    """The Drawing of the residuals of each machine, of a regression."""
    residuals = [
        Rest(name, study.points.residual, index) for (name, study), index in zip(studies.items(), COLOURS, strict=True)
    ]
    return residuals_figure(next(iter(studies.values())).points.x, residuals)


def error_caption(now, before) -> str:
    """The caption of a panel: the error, the change from `before`, and the status of the solver if it failed."""
    n, task = now.numbers, tasks.task_of(now)
    kind, error = ("training", n.train_error) if math.isnan(n.test_error) else ("test", n.test_error)
    text = f"{kind} {task.words.error} {task.words.written(error)}"
    if before is not None:
        text += f", {task.movement(before, now)[1]} against the clean points"
    return text if n.converged else f"{text}; {n.status}"


def points_on_loss(machine: Machine, points: Points, C: float) -> Drawing:
    """The Drawing of the training points of one machine on its loss."""
    curve, t = loss_curves.wide(machine), 1.0 - points.margin
    loss = LOSSES[machine.loss](t, **dict(machine.params))
    index = machine.colour
    return on_loss_figure(OnLoss(machine.name, curve.x, curve.y, index, t, loss, points.alpha / C), points)


# --------------------------------------------------------------------------------- another value


def replace_controls(screen: Any, changes: Mapping[str, float]) -> Any:
    """The screen with other values of controls, {name: number}, each by its own `replace`.

    Raises ValueError, in a sentence, for a value out of range and for a control that the screen does not have.
    """
    for name, value in changes.items():
        if type(value) not in (int, float) or not abs(value) < LARGEST:
            raise ValueError(f"The value of {name!r} must be a number.")
        try:
            screen = screen.replace(name, value)
        except ValueError as error:
            raise ValueError(f"The change {error}.") from None
    return screen
