"""The influence map of one point, asked for, watched while it is made in the background, stopped, shown, downloaded."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared import figures, files, plane, session, tables
from pages.shared.choices import Data, Machine, Setting
from pages.shared.controls import download
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.parts import editing, panels
from pages.shared.studies import classification, tasks
from pages.shared.tables import percent
from svmcore import losses
from svmcore.status import succeeded
from svmcore.studies import influence

PANEL = JobPanel(
    kind="map",
    units="fits",
    start="Compute the map",
    resume="Resume computing",
    stop="Stop computing",
    stopped="Stopped after {made} of {total} fits; a cell without a fit has the colour of one next to it, if any.",
    room=32,  # of half a megabyte at most
)
ABOUT = (
    "Where could one point be moved, and how large a share of the plane would change sides? The point is put in the "
    f"middle of each of {influence.CELLS}\u00a0×\u00a0{influence.CELLS} cells and every machine is fitted again; the "
    "deeper the colour there, the larger the share."
)
HEAD = ("machine", "median share", "largest share", "|α| now", "|α| bounded")
READING = "A bound on |α| limits how hard one point can pull, not how far the boundary gives way."
BY_KERNEL = {
    "linear": "Under the linear kernel the pull is multiplied by the distance: a point that is taken far enough turns "
    "every machine with a convex loss. *Room around the points* shows more of the plane.",
    "rbf": "Under a Gaussian kernel a point far away from the others turns little more than the plane around itself, "
    "for every loss, also where |α| has no bound.",
}


NOT_CONVEX = (
    "A loss that is not convex may give the point up; it has several local minima, and the map also jumps where the "
    "solver ends in another one."
)


class Request(NamedTuple):
    """What a map is of; `chosen` is the id of the point that is moved."""

    data: Data
    machines: tuple[Machine, ...]
    setting: Setting
    chosen: int


def section(page, data: Data, machines: list[Machine], setting: Setting, studies, chosen) -> None:
    """The part of the page named `page` that is about the point with the id `chosen`, or about none.

    Each page has a map of its own, which goes on while the reader is elsewhere.
    """
    if not tasks.of(data).classes:
        return  # a map shows changes of class
    with PANEL.box(page, "Influence map of one point", ":material/blur_on:") as opened:
        if not opened:
            return
        points = studies[0].points
        row = row_of(points, chosen)
        request = None if row is None else Request(data, tuple(machines), setting, chosen)
        st.markdown(ABOUT)
        _controls(page, data, request, chosen)
        st.caption(which(points, row, chosen))
        PANEL.watch(page, request, _show, lambda shown: outdated(shown, request))


# ------------------------------------------------------------------------------------ asked for


def row_of(points, chosen) -> int | None:
    """The row of the point with the id `chosen`, None where there is none."""
    rows = np.flatnonzero(points.ids == chosen) if chosen is not None else ()
    return int(rows[0]) if len(rows) else None


def which(points, row, chosen) -> str:
    """The sentence on the chosen point, or on how to choose one."""
    if chosen is None:
        return "Choose a point on the plane first, or give its number."
    if row is None:
        return f"No {figures.called(chosen)} takes part: choose another on the plane, or give its number."
    x, y = points.X[row]
    name = figures.called(chosen)
    return f"{name[0].upper() + name[1:]}, class {'+1' if points.y[row] > 0 else '−1'}, at ({x:.3g}, {y:.3g})."


def _controls(page, data, request, chosen):
    """The point by its number, for those who do not choose it on the plane; start, go on."""
    number = f"map-point-{page}"
    if st.session_state.get(number) != chosen:
        st.session_state[number] = chosen
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Point number",
            value=None,
            step=1,
            key=number,
            placeholder="none",
            help="The toolbar says the number of the point that is chosen. −1, −2, … were added by hand.",
            on_change=_take_number,
            args=(data.drawn, number),
            width=170,
        )
        PANEL.button(page, request, begin)


def _take_number(drawn, number):
    editing.choose(drawn, st.session_state[number])


def begin(request: Request) -> Job:
    """The map, begun in the background."""
    problem = session.problem(request.data)
    models = {machine.name: classification.estimator(machine, request.setting) for machine in request.machines}
    row = row_of(problem, request.chosen)
    cells = influence.influence_map(models, problem.X, problem.y, row, *session.view(request.data))
    return Job(request, cells, influence.total(models))


# ---------------------------------------------------------------------------------------- shown


class Map(NamedTuple):
    """What is shown: a figure and a row of the table for each machine, the end of their scale, what went wrong."""

    pictures: list
    rows: list
    largest: float
    trouble: str


def drawn(key: Request, cells) -> Map:
    """The map that the cells found so far make."""
    studies = [session.fit(key.data, machine, key.setting) for machine in key.machines]
    names = [machine.name for machine in key.machines]
    row = row_of(studies[0].points, key.chosen)
    shares, largest = influence.rasters(cells, names), influence.largest(cells)
    pictures, rows = [], []
    for name, now in zip(names, studies, strict=True):
        xs, ys, _ = now.field
        options = dict(largest=largest, boundary=now.field, compact=len(names) > 1)
        pictures.append(figures.influence(xs, ys, shares[name], now.points, row, **options))
        rows.append([name, *numbers(shares[name], abs(now.points.alpha[row]), now.bounds)])
    return Map(pictures, rows, largest, trouble(cells))


def _show(job, rows):
    found = PANEL.once((job, len(rows)), lambda: drawn(job.key, rows))
    single = len(found.pictures) == 1
    columns = st.columns([0.56, 0.44], gap="medium") if single else _abreast(len(found.pictures))
    for column, machine, picture in zip(columns, job.key.machines, found.pictures, strict=False):
        with column:
            if not single:
                st.markdown(f"**{machine.name}**")
            plane.show(picture, key=f"map-{machine.loss}", height=560 if single else 260, link=editing.BOARD)
    with columns[1] if single else st.container():
        if single:
            st.html(tables.pairs(zip(HEAD[1:], found.rows[0][1:], strict=True)))
        else:
            st.caption(
                f"One scale for all: no colour is 0 %, the deepest is {percent(found.largest)} of the plane. Line: the "
                "boundary as it is. Cross: the point that is moved."
            )
            st.html(tables.grid(HEAD, found.rows))
        st.caption(reading(job.key))
        if found.trouble:
            st.caption(found.trouble)
        axes = session.view(job.key.data)
        name = f"influence-of-point-{job.key.chosen}.csv"
        download.button("Map (CSV)", lambda: to_csv(job.rows, *axes), name, "text/csv")


def _abreast(count):
    across = {2: 2, 4: 4}.get(count, 3)
    return panels.cells(count, across)


def outdated(shown: Request, request: Request | None) -> str:
    """How the map that is shown differs from the one that is requested now."""
    point = figures.called(shown.chosen)
    if request is None:
        return f"This is the map of {point} as it was computed."
    if shown == request._replace(chosen=shown.chosen):
        return f"This is the map of {point}; another point is chosen now."
    return f"The points or settings have changed since; this is the map of {point} as it was computed."


def reading(key: Request) -> str:
    """What may be read off the map, and what not."""
    said = [READING, BY_KERNEL.get(key.setting.kernel, "")]
    if not all(losses.get(machine.loss).convex for machine in key.machines):
        said.append(NOT_CONVEX)
    return " ".join(filter(None, said))


def numbers(shares, alpha, bounds) -> list[str]:
    """The numbers below `HEAD` for one machine: of its map, |α| of the point now, the bounds of alpha by its loss."""
    known = shares[np.isfinite(shares)]
    told = [percent(np.median(known)), percent(known.max())] if known.size else ["–", "–"]
    bound = max(map(abs, bounds))
    return [*told, f"{alpha:.4g}", f"by {bound:g}" if np.isfinite(bound) else "no"]


def trouble(cells) -> str:
    """Which fits did not end as they should; "" if all did."""
    counted = Counter((cell.machine, cell.status) for cell in cells if not succeeded(cell.status))
    said = [f"{machine}: {status} ({times} of its fits)" for (machine, status), times in counted.items()]
    return f"Not every fit converged. {'; '.join(said)}." if said else ""


def to_csv(cells, xs, ys) -> str:
    """The fits as text, one a line: machine, where the point was put, the share that changed sides, how it ended."""
    across, up = influence.centres(xs), influence.centres(ys)
    lines = ([c.machine, across[c.column], up[c.row], c.changed, c.status] for c in cells)
    return files.rows_text([["machine", "x", "y", "changed", "status"], *lines])
