"""The live pictures of the pages with machines, drawn in one place: for a page's script and for its live channel.

A function for each page: (source, screen, moving) -> Drawn. `source` is a `studies.source.Source`, `screen` the values
of the controls and the points. `loss_pictures` has that of the page Losses.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pages.shared.figures.charts.losses import on_loss_figure
from pages.shared.figures.charts.residuals import residuals_figure
from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.marks import largest_alpha, size_key
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.picture import machine_figure
from pages.shared.figures.plane import Change
from pages.shared.figures.style import Drawing
from pages.shared.figures.surface import lift_figure, surface_figure
from pages.shared.live import comparison
from pages.shared.plane.component import LiveScene
from pages.shared.screen import schema
from pages.shared.screen.choices import LOSSES, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies import classification, loss_curves, many_draws, tasks
from pages.shared.studies.arrays import Line, Points
from pages.shared.studies.formatting import percent
from pages.shared.studies.one_vs_rest import OneVsRest
from pages.shared.studies.source import Source
from pages.shared.studies.sparsity import COLOURS
from pages.shared.studies.study import FittedMachine
from svmcore.kernels import KERNELS
from svmcore.status import Status
from svmcore.studies import plane
from svmcore.watch import isls

ACROSS = 5  # multiples in a row, and rows
C_FACTOR, SIGMA_FACTOR = 10.0, 2.0  # between neighbours
THUMBNAIL = 30  # lines of the grid of a multiple
LARGEST = 1e15  # no control has a larger number
LINES = ("boundary", "curve")  # of the picture of a machine, which a trail is made of
ON_LOSS = "The points on the loss. The line through a point has the slope α / C."


class PictureSet(NamedTuple):
    """The figures by the key of their plane, the studies that they show, and the studies without the outliers.

    `numbers` {key: text} are live, too. Where a page shows them, `live` is the scene whose channel draws them anew.
    """

    figures: dict[str, Drawing]
    studies: list[FittedMachine]
    before: list[FittedMachine | None]
    numbers: dict[str, str]
    live: LiveScene | None = None


# ------------------------------------------------------------------------------------------ pages


def playground(source: Source, screen: Screen, moving=False, multiples=False, surface=False) -> PictureSet:
    """The plane and the spectrum of one machine, with its main numbers; of two classes also the points
    on the loss; of more classes only the plane.

    With `multiples` also a small plane for each of the `settings_around` that of the screen, with `surface` the surface
    of f, and for a polynomial kernel of degree two the lift.
    """
    data, (machine,), setting = screen[:3]
    study = source.fit(data, machine, setting, moving)
    before = source.fit_before(data, machine, setting, moving)
    ghost = _before_look(machine, before)
    shown = {"plane": machine_figure(study.field, study.points, **ghost, off=source.points_off(data))}
    if data.task == "multiclass":
        return PictureSet(shown, [study], [before], main_numbers_of_classes(study))
    shown["spectrum"] = spectrum_figure(study.points, study.bounds)
    if data.task == "classification":
        shown["on_loss"] = points_on_loss(machine, study.points, setting.C)
    for key, one in settings_around(setting).items() if multiples else ():
        cell = source.fit(data, machine, one, moving, THUMBNAIL)
        shown[key] = machine_figure(cell.field, cell.points.bare, compact=True)
    if surface:
        shown["surface"] = surface_figure(study.field, study.points)
        curved = setting.kernel == "poly" and setting.degree == 2 and not data.is_table
        if curved and (curvature := classification.curvature(study, setting)):
            shown["lift"] = lift_figure(study.field, study.points, curvature)
    return PictureSet(shown, [study], [before], main_numbers(study))


PLAYGROUND = {  # by whether the multiples are open, and the surface
    (multiples, surface): partial(playground, multiples=multiples, surface=surface)
    for multiples in (False, True)
    for surface in (False, True)
}


def settings_around(setting: Setting) -> dict[str, Setting]:
    """{key of its plane: setting} for C in a row and sigma in a column, that of the page in the middle; without a width
    of the kernel there is one row.
    """
    steps = range(-(ACROSS // 2), ACROSS // 2 + 1)
    rows = steps if "gamma" in KERNELS[setting.kernel].parameters else [0]
    return {
        f"cell-{row}-{column}": setting._replace(
            C=_round_within(setting.C * C_FACTOR**right, schema.C),
            sigma=_round_within(setting.sigma * SIGMA_FACTOR**down, schema.SIGMA),
        )
        for row, down in enumerate(rows)
        for column, right in enumerate(steps)
    }


def _round_within(value, field):
    """The value with twelve digits, so that the middle one is that of the page, within the range of its control."""
    return min(max(float(f"{value:.12g}"), field.low), field.high)


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
            most = "" if many is None else " ({:.0f}–{:.0f})".format(*(100.0 * end for end in many.range))
            changed.append(f"{machine.name} {share}{most}")
        change = _change(machine, clean)
        curves.append(Curve(machine.name, now.field, machine.colour, clean and clean.field, others, change))
    shown = {"live": overlay_figure(curves, studies[0].points)}
    claim = f"Plane changed: {', '.join(changed)}" if changed else ""
    return PictureSet(shown, studies, before, {"claim": claim})


def _before_look(machine, before):
    """The options of a picture that show the machine `before`, if there is one: its line, and what changes class."""
    if before is None:
        return {}
    return {"ghost": before.field, **({} if before.task == "regression" else {"change": _change(machine, before)})}


def _change(machine, before):
    """The area that is shaded against the machine `before`, in the rectangle on which the share is measured."""
    return before and Change(*plane.view(before.points.X, 2), machine.colour)


def compare(source: Source, screen: Screen, moving=False) -> PictureSet:
    """A small plane for each machine, markers on one scale, and the overlay of all, with the key of this scale; the
    line below each plane, and the cells of the table.
    """
    data, machines, setting = screen[:3]
    studies = [source.fit(data, machine, setting, moving) for machine in machines]
    before = [source.fit_before(data, machine, setting, moving) for machine in machines]
    largest, off = max(largest_alpha(study.points) for study in studies), source.points_off(data)
    shown, numbers, curves = {}, {}, []
    moves = list(map(comparison.movement, studies, before))
    for machine, study, ghost, (_, moved) in zip(machines, studies, before, moves, strict=True):
        look = dict(**_before_look(machine, ghost), off=off, compact=True, alpha_max=largest, sized=False)
        shown[f"plane-{machine.loss}"] = machine_figure(study.field, study.points, **look)
        numbers[f"caption-{machine.loss}"] = error_caption(study, moved)
        curves.append(Curve(machine.name, study.field, machine.colour))
    sizes = size_key(studies[0].points, largest, compact=True)
    sizes = sizes and {**sizes, "label": f"small planes: {sizes['label']}"}
    shown["overlay"] = overlay_figure(curves, studies[0].points, sizes=sizes)
    return PictureSet(shown, studies, before, numbers | comparison.cells(studies, moves))


def sparsity(source: Source, screen: Screen, moving=False) -> PictureSet:
    """A small plane for each machine, with its support vectors ringed unless they are too many, and the residuals of a
    regression.
    """
    data, machines, setting = screen[:3]
    studies = {machine.name: source.fit(data, machine, setting, moving) for machine in machines}
    shown, numbers = {}, {}
    for name, study in studies.items():
        support = np.flatnonzero(study.points.alpha)
        rings = support if len(support) <= isls.LAST else ()
        shown[f"machine-{name}"] = machine_figure(study.field, study.points, ringed=rings, compact=True)
        count = f"{study.numbers.n_support} of {len(study.f)} support vectors{', ringed' * (len(rings) > 0)}"
        numbers[f"caption-{name}"] = f"{error_caption(study)}, {count}"
    if data.task == "regression":
        points = {name: study.points for name, study in studies.items()}
        rests = zip(points.items(), COLOURS, strict=True)
        shown["residuals"] = residuals_figure([Line(name, one.x, one.residual, k) for (name, one), k in rests])
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
    used = int(study.support.any(axis=0).sum())
    return {
        "test_error": percent(study.test_error),
        "train_error": percent(study.train_error),
        "support_vectors": f"{used} of {len(study.points.y)}",
        "status": str(Status.CONVERGED) if study.all_converged else "not converged",
    }


def error_caption(now, moved="") -> str:
    """The caption of a panel: the error, how far the outliers `moved` it, and the status of the solver if it failed."""
    n, task = now.numbers, tasks.task_of(now)
    if n.status == Status.UNBOUNDED:
        return f"no machine; {n.status}"
    kind, error = ("training", n.train_error) if math.isnan(n.test_error) else ("test", n.test_error)
    text = f"{kind} {task.words.error} {task.words.written(error)}"
    if moved:
        text += f", {moved} against the clean points"
    return text if n.converged else f"{text}; {n.status}"


def points_on_loss(machine: Machine, points: Points, C: float) -> Drawing:
    curve, t = loss_curves.curve(machine, "value", reach=loss_curves.WIDE), 1.0 - points.margin
    loss = LOSSES[machine.loss](t, **dict(machine.params))
    return on_loss_figure(Line(machine.name, curve.x, curve.y, machine.colour), points, t, loss, points.alpha / C)


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
