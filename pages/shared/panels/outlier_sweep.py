"""One outlier at increasing distances: its support value, and how far it turns the boundary of each machine."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.shared.live import loss_pictures
from pages.shared.live.loss_pictures import Sweep
from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.plane import component
from pages.shared.screen.choices import Machine
from pages.shared.studies import formatting, glossary, lone_outlier, results
from pages.shared.studies.formatting import percent
from svmcore.words import number

SET_UP = (
    "Two classes of twenty points and one outlier of class −1, with C = 1. At distance 0 the outlier lies in the "
    "centre of class +1; from there it moves outwards, at 60° to the line through the centres of the classes. The unit "
    "is the distance between the centres."
)
WHY = {
    "linear": "At the optimum α = C × slope of the loss, where a kink allows any value between the slopes on both "
    "sides. A bounded slope bounds α, but the part of the point in w is α times its position, which is not bounded: "
    "this is leverage. A point is ignored where the slope is zero or nearly so, which costs no more than the largest "
    "value of the loss; where turning the boundary costs less, it is followed. The direction matters: if the outlier "
    "moves out at 60° on the other side of the line, a boundary turned by 17° separates all 41 points.",
    "rbf": "The kernel of a distant point with all others is zero: the point is isolated, and the kernel bounds its "
    "leverage. A small bump of f around an isolated point costs less than misclassifying it. In the centre of the "
    "other class such a bump would misclassify the neighbours.",
}
HEAD = ("machine", "α", "largest α", "t = 1 − y f", "turned", "plane changed", "status")
TIPS = glossary.tips(
    {"α": "support value", "turned": "angle turned", "plane changed": "plane changed", "status": "status"}
)
ROUNDED = 1.001  # α at its bound, but for the tolerance of the solver
PATIENCE = 0.7  # seconds that the page waits for the first fits
PANEL = JobPanel(kind="outlier", units="fits", inside=True)


def begin_sweep(machines: list[Machine], kernel: str, distance: float, graph: loss_pictures.LossGraph) -> Sweep:
    """Begin the sweeps of these machines and return what is known after a moment; the rest follows in the background.

    kernel: one of `lone_outlier.KERNELS`. The sessions of a server share the results.
    """
    request = (tuple(machines), kernel)
    if machines:
        PANEL.run("losses", request, begin, PATIENCE)
    rows = list(PANEL.job("losses", request).rows) if machines else []
    return Sweep(_by_machine(rows, machines), kernel, lone_outlier.nearest(distance), graph)


def section(machines: list[Machine], known: Sweep, shown, draw: Callable) -> None:
    """The curves of all machines over the distance; boundaries and numbers at this one, updated as they are computed.

    `known` is what has `begun`, `shown` its pictures and their live scene; draw(sweep) gives those of another sweep, as
    soon as more of it is known.
    """

    def show(job, rows):
        sweep = known._replace(steps=_by_machine(rows, machines))
        _show(job, sweep, shown if sweep.steps_made == known.steps_made else draw(sweep))

    PANEL.watch("losses", (tuple(machines), known.kernel), show)


def begin(request: tuple[tuple[Machine, ...], str]) -> Job:
    """(machine, `lone_outlier.Step`) for all steps of the machines under the kernel, in the background."""
    machines, kernel = request
    sweeps = {machine: results.outlier_sweep(machine, kernel) for machine in machines}
    most_known = sorted(sweeps, key=lambda machine: -len(sweeps[machine].rows))
    rows = ((machine, step) for machine in most_known for step in sweeps[machine])
    return Job(request, rows, len(machines) * len(lone_outlier.DISTANCES))


def _by_machine(rows, machines):
    steps = {machine: [step for own, step in rows if own == machine] for machine in machines}
    return {machine: mine for machine, mine in steps.items() if mine}


def _show(job, sweep, drawn):
    steps, kernel, at, here = sweep.steps, sweep.kernel, sweep.at, sweep.here
    shown, live = drawn.figures, drawn.live
    title = "Angle by which the boundary turned" if kernel == "linear" else "Share of the plane changed"
    if here:
        edge = "All boundaries f = 0", "drag the outlier, or use its slider", ""
        component.show_figure(
            shown["boundaries"], edge=edge, key="boundaries", fill=1, drag_handle=_drag_handle(at), live=live
        )
    PANEL.progress(job)
    height = 250 + 20 * len(steps)
    component.show_figure(shown["alpha"], heading="α of the outlier", key="alpha", height=height, live=live)
    component.show_figure(shown["moved"], heading=title, key="moved", height=height, live=live)
    if here:
        st.html(
            formatting.grid(HEAD, [_row(machine, step, steps[machine]) for machine, step in here.items()], tips=TIPS)
        )
    st.markdown("\n".join(f"- {sentence}" for sentence in statements(steps, kernel)))


def statements(steps: dict[Machine, list[lone_outlier.Step]], kernel: str) -> list[str]:
    """Sentences on what the sweeps that are complete show: which machines ignore the outlier at which distances, which
    follow it, where α exceeds C, and from where on nothing changes. They rest on the sweeps, not on the kind of a loss.
    """
    whole = {machine: mine for machine, mine in steps.items() if len(mine) == len(lone_outlier.DISTANCES)}
    if not whole:
        return []
    C, last = lone_outlier.setting(kernel).C, number(lone_outlier.DISTANCES[-1])
    always, partly = f"**Ignored at every distance** up to {last}", "**Ignored at some distances only**"
    never = f"**Followed**, with the share of the plane that has changed at distance {last}"
    above = "**α exceeds C**, because the slope of the loss exceeds 1"
    groups = {begin: [] for begin in (always, partly, never, above)}
    for machine, mine in whole.items():
        where = lone_outlier.ignored_at(mine, C)
        if len(where) == len(mine):
            groups[always].append(machine.name)
        elif where:
            ends = " to ".join(dict.fromkeys(map(number, (where[0], where[-1]))))
            groups[partly].append(f"{machine.name} (distance {ends})")
        else:
            groups[never].append(f"{machine.name} ({percent(mine[-1].share)})")
        if max(step.alpha for step in mine) > C * ROUNDED:
            groups[above].append(machine.name)
    still = [lone_outlier.still_from(mine) for mine in whole.values()]
    if None not in still:
        groups[f"**Nothing changes any more** from distance {number(max(still))} on"] = ["all machines above"]
    return [
        *(f"{begin}: {', '.join(names)}." for begin, names in groups.items() if names),
        f"A point counts as ignored where α is below {number(lone_outlier.SMALL, 'g')} C and less than "
        f"{percent(lone_outlier.UNMOVED)} of the plane differs from the machine without it.",
    ]


def _drag_handle(at):
    """The line along which the outlier in the picture of the boundaries moves the control of its distance."""
    X, y = lone_outlier.points()
    low, second, *_, high = lone_outlier.DISTANCES
    ends = [lone_outlier.place(distance, X, y).tolist() for distance in (low, high)]
    label = "The outlier, distance"
    return dict(name="distance", label=label, low=low, high=high, step=second - low, value=at, ends=ends)


def _row(machine, step, steps):
    """The numbers of a machine at one step, and the largest α of all its steps."""
    turned = "–" if np.isnan(step.turned) else f"{step.turned:.1f}°"
    largest = max(one.alpha for one in steps)
    alphas = [_decimals(step.alpha, 3), _decimals(largest, 3)]
    return [machine.name, *alphas, _decimals(step.t, 2), turned, percent(step.share), step.fit.status]


def _decimals(value, digits):
    return number(round(value, digits), f".{digits}f")
