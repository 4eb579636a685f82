"""The influence map of one point: its controls, its computation in the background, its pictures and its download."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import streamlit as st

from pages.shared.controls import download, sections
from pages.shared.figures.influence import influence_figure
from pages.shared.page import callbacks
from pages.shared.page.job_panel import Job, JobPanel, threads
from pages.shared.panels import editing, machine_numbers
from pages.shared.plane import component
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.edits import point_name
from pages.shared.studies import classification, formatting, glossary, results, tasks
from pages.shared.studies.formatting import percent
from svmcore import losses
from svmcore.problems.tables import rows_text
from svmcore.status import is_success
from svmcore.studies import influence
from svmcore.words import capital, number

PANEL = JobPanel(
    kind="map",
    units="fits",
    start="Compute the map",
    resume="Resume computing",
    stop="Stop computing",
    stopped="Stopped after {made} of {total} fits; a cell without a fit has the colour of a neighbour, if any.",
    room=32,  # of half a megabyte at most
)
ABOUT = (
    "How does the boundary depend on the position of one point? The point is moved to the centre of each of "
    f"{influence.CELLS}\u00a0×\u00a0{influence.CELLS} cells, and every machine is fitted again. A darker cell means "
    "that a larger share of the plane changes class."
)
HEAD = ("machine", "median share", "largest share", "|α| now", "|α| bounded")
TIPS = glossary.tips(
    {"median share": "influence", "largest share": "influence", "|α| now": "support value", "|α| bounded": "bound"}
)
READING = "A bound on |α| limits the support value of one point, but not how far that point can move the boundary."
BY_KERNEL = {
    "linear": "Under the linear kernel the effect of a point is α times its position: far enough away, one point "
    "turns the boundary of every machine with a convex loss. *Room around the points* shows more of the plane.",
    "rbf": "Under a Gaussian kernel a distant point changes little more than the plane around itself, for every loss, "
    "even if |α| is not bounded.",
}


NOT_CONVEX = (
    "With a loss that is not convex the point may be ignored. There are several local minima, so the map also jumps "
    "where the solver ends in a different one."
)


class MapRequest(NamedTuple):
    """A map; `chosen` is the id of the point that is moved."""

    data: Data
    machines: tuple[Machine, ...]
    setting: Setting
    chosen: int


def section(page, data: Data, machines: list[Machine], setting: Setting, studies, chosen) -> None:
    """The section of the page named `page` on the point with the id `chosen`, or None.

    Each page has its own map, which continues while the reader is on another page.
    """
    if not tasks.task_of(data).classes:
        return  # a map shows changes of class
    with sections.expander(PANEL.kind, page, "Influence map of one point", ":material/blur_on:") as opened:
        if not opened:
            return
        points = studies[0].points
        row = row_of(points, chosen)
        request = None if row is None else MapRequest(data, tuple(machines), setting, chosen)
        st.markdown(ABOUT)
        _controls(page, data, request, chosen)
        st.caption(which(points, row, chosen))
        PANEL.watch(page, request, _show, lambda shown: outdated_sentence(shown, request))


# ------------------------------------------------------------------------------------ requests


def row_of(points, chosen) -> int | None:
    rows = np.flatnonzero(points.ids == chosen) if chosen is not None else ()
    return int(rows[0]) if len(rows) else None


def which(points, row, chosen) -> str:
    if chosen is None:
        return "Choose a point on the plane first, or enter its number."
    if row is None:
        return f"The fit does not include {point_name(chosen)}. Choose another point on the plane, or enter its number."
    x, y = points.X[row]
    name = point_name(chosen)
    return f"{capital(name)}, class {'+1' if points.y[row] > 0 else '−1'}, at ({number(x)}, {number(y)})."


def _controls(page, data, request, chosen):
    """A field for the number of the point, for use without a pointer; the start button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        callbacks.show_widget(
            st.number_input,
            "Point number",
            value=None,
            step=1,
            key=f"map-point-{page}",
            now=chosen,
            placeholder="none",
            help="The toolbar shows the number of the chosen point. Points that you added have the numbers −1, −2, …",
            act=editing.choose,
            args=(data.as_drawn,),
            width=170,
        )
        PANEL.button(page, request, begin)


def begin(request: MapRequest) -> Job:
    """Start computing the map in the background."""
    problem = results.problem(request.data)
    models = {machine.name: classification.estimator(machine, request.setting) for machine in request.machines}
    row = row_of(problem, request.chosen)
    xs, ys = results.view(request.data)
    cells = influence.influence_map(models, problem.X, problem.y, row, xs, ys, workers=threads, cut=problem.slice)
    return Job(request, cells, influence.total(models))


# ---------------------------------------------------------------------------------------- shown


def _results(key, cells):
    """A figure and a row of the table for each machine, the end of the scale, and a sentence on failures."""
    studies = [results.fit(key.data, machine, key.setting) for machine in key.machines]
    names = [machine.name for machine in key.machines]
    row = row_of(studies[0].points, key.chosen)
    shares, largest = influence.rasters(cells, names), influence.largest(cells)
    pictures, rows = [], []
    for name, now in zip(names, studies, strict=True):
        options = dict(largest=largest, compact=len(names) > 1)
        pictures.append(influence_figure(now.field, shares[name], now.points, row, **options))
        rows.append([name, *numbers(shares[name], abs(now.points.alpha[row]), now.bounds)])
    return pictures, rows, largest, trouble(cells)


def _show(job, rows):
    pictures, table, largest, failed = PANEL.once((job, len(rows)), lambda: _results(job.key, rows))
    count = len(pictures)
    single, abreast = count == 1, count if count in (2, 4) else 3
    columns = st.columns([0.56, 0.44], gap="medium") if single else machine_numbers.cells(count, abreast)
    for column, machine, picture in zip(columns, job.key.machines, pictures, strict=False):
        with column:
            heading, height = ("", 560) if single else (machine.name, 260)
            component.show_figure(
                picture, heading=heading, key=f"map-{machine.loss}", height=height, link=editing.POINTS
            )
    with columns[1] if single else st.container():
        if single:
            st.html(formatting.pairs(zip(HEAD[1:], table[0][1:], strict=True), tips=TIPS))
        else:
            st.caption(
                f"All maps have the same scale, from no colour at 0 % to the darkest at {percent(largest)} of "
                "the plane. Line: the current boundary. Cross: the point that is moved."
            )
            st.html(formatting.grid(HEAD, table, tips=TIPS))
        st.caption(explain_map(job.key))
        if failed:
            st.caption(failed)
        axes = results.view(job.key.data)
        name = f"influence-of-point-{job.key.chosen}.csv"
        download.button("Map (CSV)", lambda: to_csv(job.rows, *axes), name, "text/csv")


def outdated_sentence(shown: MapRequest, request: MapRequest | None) -> str:
    """A sentence on how the map on the page differs from the current request."""
    point = point_name(shown.chosen)
    if request is None:
        return f"This is the map of {point} as it was computed."
    if shown == request._replace(chosen=shown.chosen):
        return f"This is the map of {point}; another point is chosen now."
    return f"The points or settings have changed since this map of {point} was computed."


def explain_map(key: MapRequest) -> str:
    sentences = [READING, BY_KERNEL.get(key.setting.kernel, "")]
    if not all(losses.get(machine.loss).convex for machine in key.machines):
        sentences.append(NOT_CONVEX)
    return " ".join(filter(None, sentences))


def numbers(shares, alpha, bounds) -> list[str]:
    """The entries of `HEAD` for one machine: the shares of its map, |α| of the point, the bound on |α| by its loss."""
    known = shares[np.isfinite(shares)]
    summary = [percent(np.median(known)), percent(known.max())] if known.size else ["–", "–"]
    bound = max(map(abs, bounds))
    return [*summary, number(alpha, ".4g"), f"by {number(bound, '.4g')}" if np.isfinite(bound) else "no"]


def trouble(cells) -> str:
    """A sentence on the fits that failed; "" if there are none."""
    counted = Counter((cell.machine, cell.status) for cell in cells if not is_success(cell.status))
    failures = [f"{machine}: {status} ({times} of its fits)" for (machine, status), times in counted.items()]
    return f"Not every fit converged. {'; '.join(failures)}." if failures else ""


def to_csv(cells, xs, ys) -> str:
    """The fits as CSV text, one per line: machine, position of the point, share of the plane that changed, status."""
    across, up = influence.centres(xs), influence.centres(ys)
    lines = ([c.machine, across[c.column], up[c.row], c.changed, c.status] for c in cells)
    return rows_text([["machine", "x", "y", "changed", "status"], *lines])
