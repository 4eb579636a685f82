"""A screen as the scene of a live file: its points with their edits, its machines, its setting. No Streamlit here."""

from collections.abc import Sequence

from pages.shared.screen import edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies.source import Source
from svmcore import duals, live
from svmcore.problems import outliers


def kept_machines(machines: Sequence[Machine]) -> list[Machine]:
    """The first of these machines that a live file can have."""
    return [machine for machine in machines if machine.loss in duals.DUALS][: live.MOST_MACHINES]


def refusal(data: Data, machines: Sequence[Machine], setting: Setting, n: int) -> str:
    """The reason why there is no live file of n points of this screen, as a sentence; "" if there is one."""
    if data.task != "classification":
        return "A live file shows two classes."
    if data.is_table:
        return "A live file shows points of two features; those of this screen have more."
    return live.refusal([machine.loss for machine in kept_machines(machines) or machines], setting.kernel, n)


def scene(source: Source, data: Data, machines: Sequence[Machine], setting: Setting) -> live.Scene:
    """The scene of the machines that are kept. Outliers that are switched off are left out."""
    problem, script = source.base(data.base), data.edits
    if not data.on:
        problem, script = outliers.without_outliers(problem), edits.without_outliers(problem, script)
    xs, ys = source.view(data, 2)
    return live.Scene(
        base=live.columns(problem.X, problem.y.astype(int), problem.ids, problem.outlier, problem.y_clean.astype(int)),
        machines=[{"loss": machine.loss, "params": dict(machine.params)} for machine in kept_machines(machines)],
        setting={name: getattr(setting, name) for name in live.SETTING},
        view={"x": (float(xs[0]), float(xs[-1])), "y": (float(ys[0]), float(ys[-1]))},
        step=script.step if script.edits else edits.steps(problem.X),
        edits=[list(edit) for edit in script.edits],
        classes=edits.class_names(problem.classes, problem.named.classes),
        features=problem.named.features or (),
    )
