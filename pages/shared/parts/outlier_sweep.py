"""One outlier at increasing distances: its support value, and how far it turns the boundary of each machine."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import controls, figures, plane, session, tables
from pages.shared.choices import Machine
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.parts import loss_graph
from pages.shared.studies import arrays, glossary, lone_outlier
from pages.shared.studies.lone_outlier import RESOLUTION
from pages.shared.studies.source import WHILE_MOVING
from pages.shared.tables import percent
from svmcore.words import number

SET_UP = (
    "Two classes of twenty points and one outlier of class −1, with C = 1. At distance 0 the outlier lies in the "
    "centre of class +1; from there it moves outwards, at 60° to the line through the centres of the classes. The unit "
    "is the distance between the centres. The statements below hold for the default parameters of the losses."
)
LESSONS = {
    "linear": """
- **A bounded slope bounds α.** At the optimum α = C × slope, where a kink allows any value between the slopes on both
  sides. So α never exceeds C if no slope exceeds 1. If the slope grows without bound, as for the squared losses, α
  exceeds C.
- **A bounded loss ignores the outlier** once fitting it costs more than the largest possible loss: α goes to 0, and
  the boundary returns to where it is without the outlier. A loss that is constant only beyond the margin is not
  bounded, and its boundary turns. The direction matters: if the outlier moves out at 60° on the other side of the
  line, a boundary turned by 17° finally separates all 41 points, and even the L0/1-SVM fits the outlier.
- **Far outside, the boundary of every unbounded loss turns**, that of the Least 1-Norm SVM late. Its α is bounded, but
  the contribution to w is α times the position of the point, which is not bounded: this is leverage. In the end α
  falls, because the boundary has turned so far that the outlier lies on the correct side.
""",
    "rbf": """
- **A distant point is isolated.** Its kernel with all other points is zero, so that beyond some distance nothing
  changes for any loss: the kernel bounds the leverage.
- **There, bounded losses do not ignore the outlier.** Fitting a small bump around an isolated point is cheaper than
  misclassifying it, even for the L0/1-SVM.
- **In the centre of class +1 they do.** At distance 0 such a bump would misclassify the neighbours. A bounded loss
  misclassifies the outlier instead, with α at or near 0; for the other losses α is about C or more.
""",
}
HEAD = ("machine", "α", "largest α", "t = 1 − y f", "turned", "plane changed", "status")
TIPS = glossary.tips(
    {"α": "support value", "turned": "angle turned", "plane changed": "plane changed", "status": "status"}
)
UNITS = {"alpha": "α", "turned": "degrees", "share": "% of the plane"}
FEW = 6  # at most so many boundaries have a legend; more would leave no room for the plane
PATIENCE = 0.7  # seconds that the page waits for the first fits
PANEL = JobPanel(kind="outlier", units="fits", inside=True)


class Sweep(NamedTuple):
    """What is known of the sweeps of machines, {machine: steps}, their kernel, the distance that is shown, and the
    curves of the losses.
    """

    steps: dict[Machine, list[lone_outlier.Step]]
    kernel: str
    at: float
    graph: loss_graph.Graph

    @property
    def here(self) -> dict[Machine, lone_outlier.Step]:
        """The step of each machine at this distance, where it is known."""
        return {machine: step for machine, mine in self.steps.items() for step in mine if step.distance == self.at}

    @property
    def made(self) -> dict[Machine, int]:
        """The number of steps that each machine has made."""
        return {machine: len(mine) for machine, mine in self.steps.items()}


def begun(machines: list[Machine], kernel: str, distance: float, graph: loss_graph.Graph) -> Sweep:
    """What is known of the sweeps of these machines after a moment; the rest is computed in the background.

    kernel: one of `lone_outlier.KERNELS`. The sessions of a server share the results.
    """
    request = (tuple(machines), kernel)
    if machines:
        PANEL.run("losses", request, begin, PATIENCE)
    rows = list(PANEL.job("losses", request).rows) if machines else []
    return Sweep(_by_machine(rows, machines), kernel, lone_outlier.nearest(distance), graph)


def section(machines: list[Machine], known: Sweep, shown, draw: Callable) -> None:
    """The curves of all machines over the distance; boundaries and numbers at this one, updated as they are computed.

    `known` is what has `begun`, `shown` its pictures and their token for the live channel; draw(sweep) gives those of
    another sweep, as soon as more of it is known.
    """

    def show(job, rows):
        sweep = known._replace(steps=_by_machine(rows, machines))
        _show(job, sweep, shown if sweep.made == known.made else draw(sweep))

    PANEL.watch("losses", (tuple(machines), known.kernel), show)


def begin(request: tuple[tuple[Machine, ...], str]) -> Job:
    """(machine, `lone_outlier.Step`) for all steps of the machines under the kernel, in the background."""
    machines, kernel = request
    sweeps = {machine: session.outlier_sweep(machine, kernel) for machine in machines}
    most_known = sorted(sweeps, key=lambda machine: -len(sweeps[machine].rows))
    rows = ((machine, step) for machine in most_known for step in sweeps[machine])
    return Job(request, rows, len(machines) * len(lone_outlier.DISTANCES))


def pictures(sweep: Sweep, moving=False) -> dict[str, figures.Drawing]:
    """The losses with the outlier on them; as soon as a machine is there, the curves of alpha and of what moved over
    the distance, and the boundaries.
    """
    moved = "turned" if sweep.kernel == "linear" else "share"
    shown = {"curves": loss_graph.picture(sweep.graph, sweep.here, lone_outlier.setting(sweep.kernel).C)}
    if sweep.steps:
        shown |= {"alpha": along(sweep.steps, "alpha", sweep.at), "moved": along(sweep.steps, moved, sweep.at)}
    if sweep.here:
        shown["boundaries"] = boundaries(sweep.here, sweep.kernel, sweep.at, WHILE_MOVING if moving else RESOLUTION)
    return shown


def _by_machine(rows, machines):
    steps = {machine: [step for own, step in rows if own == machine] for machine in machines}
    return {machine: mine for machine, mine in steps.items() if mine}


def _show(job, sweep, drawn):
    steps, kernel, at, here = sweep.steps, sweep.kernel, sweep.at, sweep.here
    shown, token = drawn.figures, drawn.token
    title = "Angle by which the boundary turned" if kernel == "linear" else "Share of the plane changed"
    if here:
        edge = "All boundaries f = 0", "drag the outlier, or use its slider", ""
        plane.show(shown["boundaries"], edge=edge, key="boundaries", fill=1, rail=_rail(at), live=token)
    PANEL.progress(job)
    height = 250 + 20 * len(steps)
    plane.show(shown["alpha"], heading="α of the outlier", key="alpha", height=height, live=token)
    plane.show(shown["moved"], heading=title, key="moved", height=height, live=token)
    if here:
        st.html(tables.grid(HEAD, [_row(machine, step, steps[machine]) for machine, step in here.items()], tips=TIPS))


def _rail(at):
    """The line along which the outlier in the picture of the boundaries moves the control of its distance."""
    X, y = lone_outlier.points()
    low, second, *_, high = lone_outlier.DISTANCES
    ends = [lone_outlier.place(distance, X, y).tolist() for distance in (low, high)]
    label = "The outlier, distance"
    return dict(name="distance", label=label, low=low, high=high, step=second - low, value=at, ends=ends)


def along(steps: dict[Machine, list[lone_outlier.Step]], quantity: str, at: float) -> figures.Drawing:
    """The Drawing of a quantity, a key of UNITS, over the distance, with the distance `at` marked on each curve."""
    lines = [
        arrays.Line(machine.name, *lone_outlier.curve(mine, quantity), controls.colour_index(machine))
        for machine, mine in steps.items()
    ]
    return figures.history(lines, xlabel="distance of the outlier", ylabel=UNITS[quantity], log_x=False, at=at)


def boundaries(
    here: dict[Machine, lone_outlier.Step], kernel: str, at: float, size=lone_outlier.RESOLUTION
) -> figures.Drawing:
    """The Drawing of the boundaries of the machines `here`, with the outlier at the distance `at`."""
    X, y = lone_outlier.points()
    xs, ys = lone_outlier.sight(X, y, size)
    drawn = [
        figures.Curve(
            machine.name,
            arrays.Field(xs, ys, lone_outlier.field(step.fit, kernel, xs, ys).astype(np.float32)),
            controls.colour_index(machine),
        )
        for machine, step in here.items()
    ]
    place = lone_outlier.place(at, X, y)
    points = arrays.Points(np.vstack([X, place]), np.append(y, -1.0), outlier=np.append(np.zeros(len(y), bool), True))
    return figures.overlay(drawn, points, beyond=(place, "the outlier"), legend=len(drawn) <= FEW)


def _row(machine, step, steps):
    """The numbers of a machine at one step, and the largest α of all its steps."""
    turned = "–" if np.isnan(step.turned) else f"{step.turned:.1f}°"
    largest = max(one.alpha for one in steps)
    alphas = [_decimals(step.alpha, 3), _decimals(largest, 3)]
    return [machine.name, *alphas, _decimals(step.t, 2), turned, percent(step.share), step.fit.status]


def _decimals(value, digits):
    return number(round(value, digits), f".{digits}f")
