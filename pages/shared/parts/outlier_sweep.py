"""One outlier at growing distances: its support value, and how far it turns the boundary of each machine."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from pages.shared import controls, figures, plane, session, tables
from pages.shared.choices import Machine
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.studies import arrays, lone_outlier
from pages.shared.tables import percent

SET_UP = (
    "Two classes of twenty points and one outlier of class −1, with C = 1. At distance 0 it lies in the middle of "
    "class +1; from there it goes outwards, 60° off the line through the centres of the classes. The unit is the "
    "distance between the centres. What is said below holds for the parameters that the losses come with."
)
LESSONS = {
    "linear": """
- **A bounded slope bounds α.** At the optimum α = C × slope; at a kink, anything between the slopes beside it. So α
  never exceeds C where no slope exceeds 1. Where the slope grows without end, as that of a square does, α exceeds C.
- **A bounded loss lets go** where the outlier would cost more than the loss can: it stops pulling, α goes to 0, and the
  boundary stays where it was without the outlier. A loss that is cut off only beyond the margin is not bounded, and its
  boundary turns. It depends on the way out: 60° off on the other side of the line a boundary turned by 17° separates
  all 41 points in the end, and then even the L0/1-SVM takes the outlier in.
- **Far outside, every unbounded loss turns**, the Least 1-Norm SVM late. Its α is bounded, but what pulls at w is α
  times the place of the point, and that is not bounded: leverage. In the end α falls, not because the loss lets go, but
  because the boundary has given way: the outlier lies on its own side of it.
""",
    "rbf": """
- **A far point is alone.** Its kernel with all others is zero, so from some distance on nothing changes any more,
  whatever the loss: the kernel bounds the leverage.
- **There, bounded losses do not let go.** A small hill around a lone point costs less than to give it up, and even
  the L0/1-SVM pays for it.
- **In the middle of class +1 they do.** At distance 0 the hill would rise against the neighbours. A bounded loss gives
  the outlier up, with α = 0 or next to it; for the others α is about C or more.
""",
}
HEAD = ("machine", "α", "largest α", "t = 1 − y f", "turned", "plane changed", "status")
UNITS = {"alpha": "α", "turned": "degrees", "share": "% of the plane"}
FEW = 6  # boundaries that have a legend of their own; more would leave no room for them
PATIENCE = 0.7  # seconds that the page waits for the first fits
PANEL = JobPanel(kind="outlier", units="fits")


def section(machines: list[Machine], kernel: str, distance: float) -> None:
    """The curves of all machines over the distance, and boundaries and numbers at `distance`, while they are computed.

    kernel: one of `lone_outlier.KERNELS`. What is computed for one reader is there for all.
    """
    request = (tuple(machines), kernel)
    PANEL.run("losses", request, begin, PATIENCE)
    PANEL.watch("losses", request, lambda job, rows: _show(rows, *request, lone_outlier.nearest(distance)))


def begin(request: tuple[tuple[Machine, ...], str]) -> Job:
    """(machine, `lone_outlier.Step`) for all steps of the machines under the kernel, in the background."""
    machines, kernel = request
    sweeps = {machine: session.outlier_sweep(machine, kernel) for machine in machines}
    most_known = sorted(sweeps, key=lambda machine: -len(sweeps[machine].rows))
    rows = ((machine, step) for machine in most_known for step in sweeps[machine])
    return Job(request, rows, len(machines) * len(lone_outlier.DISTANCES), warns=False)


def _show(rows, machines, kernel, at):
    steps = {machine: [step for own, step in rows if own == machine] for machine in machines}
    steps = {machine: mine for machine, mine in steps.items() if mine}
    here = {machine: step for machine, mine in steps.items() for step in mine if step.distance == at}
    moved, title = (
        ("turned", "How far the boundary turned") if kernel == "linear" else ("share", "How much changed sides")
    )
    if here:
        plane.show(boundaries(here, kernel, at), edge=("All boundaries f = 0", "", ""), key="boundaries", fill=1)
    height = 250 + 20 * len(steps)
    plane.show(along(steps, "alpha", at), heading="α of the outlier", key="alpha", height=height)
    plane.show(along(steps, moved, at), heading=title, key="moved", height=height)
    if here:
        st.html(tables.grid(HEAD, [_row(machine, step, steps[machine]) for machine, step in here.items()]))


def along(steps: dict[Machine, list[lone_outlier.Step]], quantity: str, at: float) -> go.Figure:
    """The Figure of a quantity, a key of UNITS, over the distance, with the distance `at` marked on each curve."""
    lines = [
        arrays.Line(machine.name, *lone_outlier.curve(mine, quantity), controls.colour_index(machine))
        for machine, mine in steps.items()
    ]
    return figures.history(lines, xlabel="distance of the outlier", ylabel=UNITS[quantity], log_x=False, at=at)


def boundaries(here: dict[Machine, lone_outlier.Step], kernel: str, at: float) -> go.Figure:
    """The Figure of all boundaries with the outlier at the distance `at`, where `here` are the machines."""
    X, y = lone_outlier.points()
    xs, ys = lone_outlier.view(X)
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
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
