"""ISLS over a grid of C and sigma: a map that is computed in the background, and whose cells can be loaded."""

import streamlit as st

from pages.shared import controls, figures, files, plane, session
from pages.shared.choices import Data, Reweighting, Setting
from pages.shared.controls import download
from pages.shared.jobs.background import Job
from pages.shared.jobs.job_panel import JobPanel
from pages.shared.studies import sparsity
from pages.shared.studies.sparsity import Asked

ABOUT = (
    f"ISLS for {sparsity.CELLS}\u00a0×\u00a0{sparsity.CELLS} pairs of C and σ, from coarse to fine. The deeper the "
    "colour, the smaller the error, and the fewer support vectors. Click a cell, or choose one of the best, to load it."
    " The map shows how the two hang together; its smallest test error is one that was looked for on the test points. "
    "*Tune*, below, chooses from the training points alone."
)
LOAD = "Load a cell"
PANEL = JobPanel(
    kind="cells",
    units="cells",
    start="Compute the map",
    resume="Go on computing",
    stop="Stop computing",
    stopped="Stopped after {made} of {total} cells; a missing one looks like the next coarser one.",
    outdated="The points or settings have changed since; this is the map as it was computed.",
    room=64,  # of some kilobytes
)


def section(data: Data, setting: Setting, how: Reweighting) -> None:
    """The maps of errors and of support vectors, made in the background; a cell of them can be loaded."""
    if setting.kernel != "rbf":
        st.caption("The map is about the width σ: choose the Gaussian kernel.")
        return
    st.markdown(ABOUT)
    request = Asked(data, float(controls.about(data.problem).sigma), how)
    PANEL.button("sparsity", request, begin)
    PANEL.watch("sparsity", request, lambda job, rows: _show(job, rows, (setting.C, setting.sigma)))


def begin(request: Asked) -> Job:
    """The map, begun in the background."""
    found = sparsity.cells(request, session.problem(request.data), session.unit(request.data))
    return Job(request, found, sparsity.CELLS**2, warns=False)


def _show(job, rows, at):
    (C, sigma), shares = job.key.axes, job.key.data.task != "regression"
    tested = "Test" if len(session.problem(job.key.data).y_test) else "Training"
    title, scale = (f"{tested} error", 100.0) if shares else (f"{tested} RMSE", 1.0)
    errors, counts = sparsity.rasters(rows)
    errors, texts = scale * errors, sparsity.texts(rows, job.key)
    quantity = f"{title} in %" if shares else title
    maps = {
        "error": (title, errors, dict(quantity=quantity, cap=figures.contrast(errors))),
        "count": ("Support vectors", counts, dict(quantity="Support vectors", log=True)),
    }
    for column, (name, (title, values, options)) in zip(st.columns(2, gap="medium"), maps.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            picture = figures.cells(C, sigma, values, texts, at=at, **options)
            plane.show(picture, key=f"cells-{name}", height=380, on_pick=_pick)
    if len(rows) == job.total or job.stopped:  # before that the best below would be those of a part
        _best(job.key, rows)


def _best(key, rows):
    """The best cells by name, for a reader without a pointer."""
    found, (C, sigma) = sparsity.best(rows), key.axes
    if not found:
        st.caption("Every cell so far is a constant: nothing to load.")
        return
    options = {sparsity.told(cell, key, key.data.task != "regression"): cell for cell in found}
    if st.session_state.get("cells_best_of") != (key, len(rows)):  # there is more to choose from
        st.session_state["cells_best_of"] = key, len(rows)
        st.session_state["cells_best"] = next(iter(options))
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="bottom")
    with left:
        chosen = st.selectbox("The best cells, smallest error first", list(options), key="cells_best")
    with right, st.container(horizontal=True):
        cell = options.get(chosen, found[0])
        place = float(C[cell.column]), float(sigma[cell.row])
        st.button(LOAD, icon=":material/input:", key="cells_load", on_click=load, args=place)
        name = f"{key.data.problem}-isls-map.csv"
        download.button("Map (CSV)", lambda: to_csv(rows, key), name, "text/csv")


def _pick(x, y):
    load(10.0**x, 10.0**y)


def load(C: float, sigma: float) -> None:
    """C and sigma become those of the page; only in a callback, before the controls of a run."""
    st.session_state["C"], st.session_state["sigma"] = float(f"{C:.3g}"), float(f"{sigma:.3g}")
    st.rerun()  # the whole page: the map is a part that runs by itself


def to_csv(rows, key: Asked) -> str:
    """The cells as text, one a line."""
    C, sigma = key.axes
    lines = ([C[c.column], sigma[c.row], c.error, c.n_support, c.status] for c in rows)
    return files.rows_text([["C", "sigma", "error", "n_support", "status"], *lines])
