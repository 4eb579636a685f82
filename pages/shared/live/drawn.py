"""The live pictures of a page, drawn in one place: for the page's script and for its live channel.

A function for each page: (source, screen, moving) -> Drawn. `source` is a `studies.source.Source`, `screen` the
values of the controls and the board. `changed` gives the screen with other values of its controls.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pages.shared import controls, figures
from pages.shared.choices import LOSSES, NO_OUTLIERS, OWN, Data, Machine, Setting
from pages.shared.parts import (
    asked_pictures,
    lesson_pictures,
    lesson_question,
    loss_graph,
    movement,
    one_vs_rest,
    outlier_sweep,
    panels,
    sparse_comparison,
)
from pages.shared.parts.asked_pictures import Look
from pages.shared.parts.outlier_sweep import Sweep
from pages.shared.points import edits, own_points
from pages.shared.studies import lone_outlier, tasks
from pages.shared.studies.source import Source
from pages.shared.studies.sparsity import title
from pages.shared.studies.study import Study
from svmcore.problems import REGISTRY, outliers

LARGEST = 1e15  # no control has a larger number
SETTING = ("C", "sigma", "degree", "coef0")
UNITS = {
    "flips": "points",
    "home_flips": "points",
    "share": "share",
}  # of the amount of outliers, by the control that has it


class Screen(NamedTuple):
    """What the pictures of a page are drawn from."""

    data: Data
    machines: tuple[Machine, ...]
    setting: Setting


class Drawn(NamedTuple):
    """The figures by the key of their plane, the studies that they show, and the studies without the outliers.

    `numbers` {key: text} are live, too.
    """

    figures: dict[str, figures.Drawing]
    studies: list[Study]
    before: list[Study | None]
    numbers: dict[str, str]


# ------------------------------------------------------------------------------------------ pages


def playground(source: Source, screen: Screen, moving=False) -> Drawn:
    """The plane and the spectrum of one machine, with the numbers of `panels.numbers`; of two classes also the points
    on the loss; of more classes only the plane.
    """
    data, (machine,), setting = screen
    study = source.fit(data, machine, setting, moving)
    before = source.before(data, machine, setting, moving)
    plane = figures.picture(study.field, study.points, ghost=before and before.field, off=source.off(data))
    if data.task == "multiclass":
        return Drawn({"plane": plane}, [study], [before], one_vs_rest.numbers(study))
    shown = {"plane": plane, "spectrum": figures.spectrum(study.points, study.bounds)}
    if data.task == "classification":
        shown["on_loss"] = loss_graph.on_loss(machine, study.points, setting.C)
    return Drawn(shown, [study], [before], panels.numbers(study))


def home(source: Source, screen: Screen, moving=False) -> Drawn:
    """The boundaries of all machines over the points, with and without the flipped labels, and the claim: by how much
    each has turned.
    """
    data, machines, setting = screen
    studies = [source.fit(data, machine, setting, moving) for machine in machines]
    before = [source.before(data, machine, setting, moving) for machine in machines]
    curves = [
        figures.Curve(machine.name, now.field, controls.colour_index(machine), clean and clean.field)
        for machine, now, clean in zip(machines, studies, before, strict=True)
    ]
    turned = [
        f"{machine.name} {tasks.of(now).movement(clean, now)[1]}"
        for machine, now, clean in zip(machines, studies, before, strict=True)
        if clean is not None
    ]
    shown = {"live": figures.overlay(curves, studies[0].points)}
    return Drawn(shown, studies, before, {"claim": ", ".join(turned)})


def compare(source: Source, screen: Screen, moving=False) -> Drawn:
    """A small plane for each machine, markers on one scale, and the overlay of all; the line below each plane."""
    data, machines, setting = screen
    studies = [source.fit(data, machine, setting, moving) for machine in machines]
    before = [source.before(data, machine, setting, moving) for machine in machines]
    largest, off = max(figures.largest(study.points) for study in studies), source.off(data)
    shown, numbers, curves = {}, {}, []
    for machine, study, ghost in zip(machines, studies, before, strict=True):
        shown[f"plane-{machine.loss}"] = figures.picture(
            study.field, study.points, ghost=ghost and ghost.field, off=off, compact=True, alpha_max=largest
        )
        numbers[f"caption-{machine.loss}"] = movement.caption(study, ghost)
        curves.append(figures.Curve(machine.name, study.field, controls.colour_index(machine)))
    shown["overlay"] = figures.overlay(curves, studies[0].points)
    return Drawn(shown, studies, before, numbers)


def sparsity(source: Source, screen: Screen, moving=False) -> Drawn:
    """A small plane for each machine with its support vectors ringed, and the residuals of a regression."""
    data, machines, setting = screen
    shown, numbers, studies = {}, {}, {}
    for machine in machines:
        study = source.fit(data, machine, setting, moving)
        name = title(machine)
        rings = sparse_comparison.ringed(study)
        shown[f"machine-{name}"] = figures.picture(study.field, study.points, ringed=rings, compact=True)
        numbers[f"caption-{name}"] = sparse_comparison.caption(study)
        studies[name] = study
    if data.task == "regression":
        shown["residuals"] = sparse_comparison.residuals(studies)
    return Drawn(shown, list(studies.values()), [], numbers)


def losses(source: Source, sweep: Sweep, moving=False) -> Drawn:
    """The losses, the two curves over the distance of the outlier and the boundaries at this one; nothing is fitted."""
    return Drawn(outlier_sweep.pictures(sweep, moving), [], [], {})


def lessons(source: Source, look: Look, moving=False) -> Drawn:
    """The planes of a question, and the feedback on its answer."""
    sights = asked_pictures.seen(look, source)
    shown = {key: sight.drawing for key, sight in zip(lesson_pictures.KEYS, sights, strict=False)}
    return Drawn(shown, [], [], lesson_question.live(look, source))


PAGES: dict[str, Callable] = {
    "home": home,
    "playground": playground,
    "compare": compare,
    "sparsity": sparsity,
    "losses": losses,
    "lessons": lessons,
}


# --------------------------------------------------------------------------------- another value


def changed(screen: Screen | Sweep | Look, changes: Mapping[str, float]) -> Screen | Sweep | Look:
    """The screen with other values of controls, {name: number}.

    Raises ValueError, in a sentence, for a value out of range and for a control whose pictures wait for the release.
    """
    for name, value in changes.items():
        if type(value) not in (int, float) or not abs(value) < LARGEST:
            raise ValueError(f"The value of {name!r} must be a number.")
        screen = _changed(screen, name, value)
    return screen


def _changed(screen, name, value):
    if isinstance(screen, Sweep):
        if name != "distance" or not 0 <= value <= lone_outlier.DISTANCES[-1]:
            raise ValueError(f"{name} = {value:g} is not a distance of the outlier.")
        return screen._replace(at=lone_outlier.nearest(value))
    if isinstance(screen, Look):
        if name not in screen.prompt.controls:
            raise ValueError(f"The question has no control {name!r}.")
        return screen._replace(changes={**screen.changes, name: value})
    data, machines, setting = screen
    if name in SETTING:
        return screen._replace(setting=setting._replace(**{name: _checked(name, value)}))
    if name == "room":
        return screen._replace(data=data._replace(room=_checked(name, value)))
    if any(name in dict(machine.params) for machine in machines):
        return screen._replace(machines=tuple(_with_parameter(machine, name, value) for machine in machines))
    if name in dict(data.options):
        return screen._replace(data=_with_option(data, name, value))
    if name in UNITS and data.contamination != NO_OUTLIERS:
        kind = outliers.KINDS[data.contamination]
        if kind.unit == UNITS[name] and 0 <= value <= kind.maximum:
            return screen._replace(data=data._replace(amount=value))
    raise ValueError(f"No picture of this screen follows {name!r} while it is moved.")


def _checked(name, value):
    control = controls.REGISTRY[name]
    if not control.fits(value):
        raise ValueError(f"{name} must be {control.expected()}.")
    return control.read(value)


def _with_parameter(machine, name, value):
    if any(value not in parameter for parameter in LOSSES[machine.loss].parameters if parameter.name == name):
        raise ValueError(f"The {machine.name} has no {name} = {value:g}.")
    return machine._replace(params=_put(machine.params, name, value))


def _with_option(data, name, value):
    """The problem drawn with another option: these are other points, and none of them is edited."""
    known = (own_points.HOLD_OUT,) if data.problem == OWN else REGISTRY[data.problem].options
    option = next(option for option in known if option.name == name)
    if not option.low <= value <= option.high:
        raise ValueError(f"{name} must be from {option.low:g} to {option.high:g} in this problem.")
    value = int(value) if isinstance(option.step, int) else value
    return data._replace(options=_put(data.options, name, value), edits=edits.NONE)


def _put(pairs, name, value):
    return tuple((key, value if key == name else kept) for key, kept in pairs)
