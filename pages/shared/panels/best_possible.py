"""Distances of non-convex machines from the best possible one, which is searched for in the background, with proof."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.screen.choices import LOSSES, Data, Machine, Setting
from pages.shared.studies import formatting, lone_outlier, results, tasks
from pages.shared.studies.formatting import number, percent
from svmcore.solvers.nonconvex import global_optimum
from svmcore.studies import optimality
from svmcore.words import THIN

ABOUT = (
    "**The best possible machine.** With a loss that is not convex there are many local minima, and a solver cannot "
    "tell how far the one that it found is from the lowest. In the plane, with the linear kernel, "
    "all candidates can be examined: the result is the global optimum, with proof."
)
ELSEWHERE = (
    "How far the L0/1-SVM and the machines of truncated losses are from the best possible machine can be proved for "
    f"two features, the linear kernel and up to {global_optimum.MOST} points."
)
NONE = "Choose the L0/1-SVM or the machine of a truncated loss."
HEAD = ("machine", "method", "objective", "above the best")
PATIENCE = 0.7  # seconds that the page waits for a small search
PANEL = JobPanel(
    kind="best",
    units="machines",
    start="Find the best possible machine",
    resume="Go on searching",
    stop="Stop the search",
    stopped="Stopped: a lower objective may exist among the candidates that were not examined.",
    outdated="The points or settings have changed since; this is the search as it was run.",
    room=64,
)


class BestRequest(NamedTuple):
    """The machines to search for, on the points of `data`, or on those of the lone outlier at a `distance`."""

    machines: tuple[Machine, ...]
    C: float
    data: Data
    distance: float | None = None

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """X (N, 2) and y (N,)."""
        if self.distance is not None:
            return lone_outlier.contaminated_points(self.distance)
        problem = results.problem(self.data)
        return problem.X, problem.y


def section(data: Data, machines: list[Machine], setting: Setting) -> None:
    """The search for the machines of Compare: started, watched, stopped, resumed."""
    known = searchable(machines)
    if not known or not tasks.task_of(data).classes:
        return
    if setting.kernel != "linear" or data.is_table or len(results.problem(data).y) > global_optimum.MOST:
        st.caption(ELSEWHERE)
        return
    request = BestRequest(known, setting.C, data)
    st.markdown(ABOUT)
    PANEL.button("compare", request, begin)
    PANEL.watch("compare", request, _show, progress=_progress)


def proved_machines(data: Data, machines: list[Machine], setting: Setting) -> set[Machine]:
    """The machines of which the search on these points has proved that none is better."""
    if setting.kernel != "linear":
        return set()
    request = BestRequest(searchable(machines), setting.C, data)
    job = PANEL.job("compare", request)
    rows = dict(job.rows) if job and job.key == request else {}
    return {machine for machine, row in rows.items() if row.best.is_proved and row.is_optimal(optimality.EVERY)}


def beside_the_outlier(machines: list[Machine], distance: float) -> None:
    """The search for the machines of Losses, with the outlier at this distance, under the linear kernel."""
    known = searchable(machines)
    if not known:
        return
    setting = lone_outlier.setting("linear")
    request = BestRequest(known, setting.C, lone_outlier.DATA, lone_outlier.nearest(distance))
    PANEL.run("losses", request, begin, PATIENCE)
    PANEL.watch("losses", request, lambda job, rows: st.markdown("  \n".join(sentences(rows))), progress=_progress)


def searchable(machines) -> tuple[Machine, ...]:
    """The machines whose global optimum can be found."""
    return tuple(machine for machine in machines if machine.loss in global_optimum.LOSSES)


def begin(request: BestRequest) -> Job:
    """(machine, `optimality.Compared`) while the search goes on, machine by machine, in the background."""
    methods = None if request.distance is None else {optimality.EVERY: {}}
    rows = (
        (machine, row)
        for machine in request.machines
        for row in optimality.compare(machine.loss, dict(machine.params), *request.points(), request.C, methods)
    )
    return Job(request, rows, float("inf"))


def sentences(rows) -> list[str]:
    """One on each machine: what its solver has found, and the best possible objective or the lowest so far."""
    return [_sentence(machine, row) for machine, row in dict(rows).items()]


def _sentence(machine, row):
    best = row.best
    found, lowest, bound = (number(value, ".6g") for value in (row.found[optimality.EVERY], best.objective, best.bound))
    solver = f"**{machine.name}**: {LOSSES[machine.loss].solved_by} {found}"
    if not best.is_proved:
        return (
            f"{solver}, lowest so far {lowest}, none below {bound}, gap {percent(best.gap)}; "
            f"{percent(best.examined)} of the candidates examined"
        )
    if row.is_optimal(optimality.EVERY):
        return f"{solver}, the best possible (proved)"
    return f"{solver}, best possible {lowest} (proved), gap {percent(row.excess(optimality.EVERY))}"


def lines(rows) -> list[list[str]]:
    """A row of the table below `HEAD` for each method of each machine."""
    return [
        [
            machine.name,
            method,
            number(objective, ".6g"),
            f"0{THIN}%" if row.is_optimal(method) else percent(row.excess(method)),
        ]
        for machine, row in dict(rows).items()
        for method, objective in row.found.items()
    ]


def _show(job, rows):
    st.markdown("  \n".join(sentences(rows)))
    st.html(formatting.grid(HEAD, lines(rows)))


def _progress(job):
    latest = dict(job.rows)
    share = sum(row.best.examined for row in latest.values()) / len(job.key.machines)
    return share, f"{percent(share)} of the candidates examined"
