"""ISLS over a grid of C and sigma: a map, computed in the background, whose cells can be loaded."""

import streamlit as st

from pages.shared.controls import download
from pages.shared.controls.points import entry_of
from pages.shared.figures.cells import cells_figure, contrast_limit
from pages.shared.page.job_panel import Job, JobPanel
from pages.shared.page.run import session
from pages.shared.plane import component
from pages.shared.screen.choices import Data, Reweighting, Setting
from pages.shared.studies import results, sparsity, tasks
from pages.shared.studies.sparsity import MapRequest
from svmcore.problems.tables import rows_text

ABOUT = (
    f"ISLS for {sparsity.CELLS}\u00a0×\u00a0{sparsity.CELLS} pairs of C and σ, from coarse to fine. A darker colour "
    "means a smaller error, or fewer support vectors. Click a cell, or choose one of the best, to load it. The map "
    "shows the trade-off between the two; its smallest test error was selected on the test points and is optimistic. "
    "*Tune*, below, selects C and σ from the training points alone."
)
LOAD = "Load a cell"
PANEL = JobPanel(
    kind="cells",
    units="cells",
    start="Compute the map",
    resume="Resume computing",
    stop="Stop computing",
    stopped="Stopped after {made} of {total} cells; a missing cell has the colour of the next coarser one.",
    outdated="The points or settings have changed since this map was computed.",
    room=64,  # of some kilobytes
)


def section(data: Data, setting: Setting, reweighting: Reweighting) -> None:
    """The maps of errors and of support vectors, computed in the background; their cells can be loaded."""
    if setting.kernel != "rbf":
        st.caption("The map varies the width σ, which needs the Gaussian kernel. Choose it above.")
        return
    st.markdown(ABOUT)
    request = MapRequest(data, float(entry_of(data.problem).sigma), reweighting)
    PANEL.button("sparsity", request, begin)
    PANEL.watch("sparsity", request, lambda job, rows: _show(job, rows, (setting.C, setting.sigma)))


def begin(request: MapRequest) -> Job:
    """Start computing the map in the background."""
    cells = sparsity.cells(request, results.problem(request.data), results.unit(request.data))
    return Job(request, cells, sparsity.CELLS**2)


def _show(job, rows, at):
    (C, sigma), words = job.key.axes, tasks.task_of(job.key.data).words
    tested = "Test" if len(results.problem(job.key.data).y_test) else "Training"
    scale, error = words.chart
    errors, counts = sparsity.rasters(rows)
    errors, texts = scale * errors, sparsity.texts(rows, job.key)
    maps = {
        "error": (f"{tested} {words.error}", errors, dict(quantity=f"{tested} {error}", cap=contrast_limit(errors))),
        "count": ("Support vectors", counts, dict(quantity="Support vectors", log=True)),
    }
    for column, (name, (title, values, options)) in zip(st.columns(2, gap="medium"), maps.items(), strict=True):
        with column:
            picture = cells_figure(C, sigma, values, texts, at=at, **options)
            component.show_figure(picture, heading=title, key=f"cells-{name}", height=380, on_pick=_pick)
    if len(rows) == job.total or job.is_stopped:  # earlier, the best of a part would be shown as the best
        _best(job.key, rows)


def _best(key, rows):
    """The best cells as a list, for use without a pointer."""
    cells, (C, sigma) = sparsity.best(rows), key.axes
    if not cells:
        st.caption("f is constant in every cell so far, so there is no cell to load.")
        return
    options = {sparsity.description(cell, key): cell for cell in cells}
    if st.session_state.get("cells_best_of") != (key, len(rows)):  # the list has changed
        st.session_state["cells_best_of"] = key, len(rows)
        st.session_state["cells_best"] = next(iter(options))
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="bottom")
    with left:
        chosen = st.selectbox("The best cells, smallest error first", list(options), key="cells_best")
    with right, st.container(horizontal=True):
        cell = options.get(chosen, cells[0])
        place = float(C[cell.column]), float(sigma[cell.row])
        st.button(LOAD, icon=":material/input:", key="cells_load", on_click=load, args=place)
        name = f"{key.data.problem}-isls-map.csv"
        download.button("Map (CSV)", lambda: to_csv(rows, key), name, "text/csv")


def _pick(x, y):
    load(*(10.0 ** max(min(power, 300.0), -300.0) for power in (x, y)))  # no float for what no picture has


def load(C: float, sigma: float) -> None:
    """Set C and sigma of the page; only in a callback, before the controls of a run."""
    session().values.update(C=float(f"{C:.3g}"), sigma=float(f"{sigma:.3g}"))
    st.rerun()  # the whole page: the map is a fragment


def to_csv(rows, key: MapRequest) -> str:
    C, sigma = key.axes
    lines = ([C[c.column], sigma[c.row], c.error, c.n_support, c.status] for c in rows)
    return rows_text([["C", "sigma", "error", "n_support", "status"], *lines])
