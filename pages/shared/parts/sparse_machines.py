"""The parts of the Sparsity page: three machines side by side, and the map over C and sigma."""

from functools import partial

import numpy as np
import streamlit as st

from pages.shared import controls, figures, files, plane, session, tables
from pages.shared.choices import Data, Reweighting, Setting
from pages.shared.controls import download
from pages.shared.jobs.background import Job
from pages.shared.jobs.panel import Workbench
from pages.shared.parts import movement, panels, tuning_panel
from pages.shared.parts.panels import milliseconds
from pages.shared.studies import sparsity, tasks
from pages.shared.studies.sparsity import Asked
from svmcore.watch import isls

LINK = "sparsity"
BENCH = Workbench(
    kind="cells",
    start="Compute the map",
    go_on="Go on computing",
    stop="Stop computing",
    units="cells",
    rest="a missing one looks like the next coarser one",
)
ABOUT = (
    "In an LS-SVM α is C times the error of each point, so that nearly every point is a support vector. ISLS begins "
    "there and solves it again and again with the weight 1/α² on each α²: what is small is made smaller, and dies. "
    "What is left minimises Σ log|α| + C/2 Σ error², a penalty near the number of support vectors."
)
WEIGHTED = (
    "C weighs the errors in all three, but against other things: ‖w‖²/2 in LS-SVM and SVM, Σ log|α| in ISLS. So the "
    "same C is not the same compromise, and each machine deserves a C and σ of its own: the map below is that of ISLS."
)
ABOUT_MAP = (
    f"ISLS for {sparsity.CELLS}\u00a0×\u00a0{sparsity.CELLS} pairs of C and σ, from coarse to fine. The deeper the "
    "colour, the smaller the error, and the fewer support vectors. Click a cell, or choose one of the best, to load it."
    " The map shows how the two hang together; its smallest test error is one that was looked for on the test points. "
    "*Tune*, below, chooses from the training points alone."
)
LOAD = "Load a cell"


def studies(data: Data, setting: Setting, how: Reweighting):
    """name -> Study of the LS-SVM, of ISLS and of the SVM."""
    ls, svm = sparsity.neighbours(data.task)
    return {
        ls.name: session.fit(data, ls, setting),
        sparsity.NAME: session.sparse(data, setting, how),
        svm.name: session.fit(data, svm, setting),
    }


def side_by_side(found):
    """The pictures, each with the areas of its own support values, and the table of what they cost."""
    for cell, (name, study) in zip(panels.cells(3, 3, gap="medium"), found.items(), strict=True):
        with cell:
            st.markdown(f"**{name}**")
            alive = np.flatnonzero(study.points.alpha)
            few = alive if len(alive) <= isls.LAST else ()
            picture = figures.picture(study.field, study.points, ringed=few, compact=True)
            plane.show(picture, key=f"machine-{name}", height=300, link=LINK)
            left = f"{study.numbers.n_support} of {len(study.f)} are support vectors{', ringed' * (len(few) > 0)}"
            largest = f"largest |{study.points.letter}| {figures.largest(study.points):.3g}"
            st.caption(f"{movement.caption(study, None)}; {left}, {largest}")
    first = next(iter(found.values()))
    st.html(tables.grid(*_table(found)))
    st.caption(WEIGHTED)
    if first.regression:
        st.markdown("**What is left of y**")
        rests = [
            figures.Rest(name, study.points.residual, index)
            for (name, study), index in zip(found.items(), sparsity.COLOURS, strict=True)
        ]
        plane.show(figures.residuals(first.points.x, rests), key="residuals", height=300)


def _table(found):
    error, shown, *_ = tasks.of(next(iter(found.values()))).words
    head = ("machine", f"test {error}", f"training {error}", "support vectors", "time", "status", "violation")
    rows = [
        [
            name,
            shown(n.test_error),
            shown(n.train_error),
            f"{n.n_support}",
            milliseconds(n.solve_time),
            n.status.partition(":")[0],
            f"{n.violation:.1e}",
        ]
        for name, n in ((name, study.numbers) for name, study in found.items())
    ]
    return head, rows


def advice(found):
    """What to say where ISLS did not end as it should."""
    n = found[sparsity.NAME].numbers
    if not n.converged:
        controls.note(f"ISLS ended with: {n.status}.")
    elif n.violation > 0.5:
        st.caption(
            f"The paper's rule has stopped ISLS while a coefficient is still dying (violation {n.violation:.2g}); "
            "the strict rule waits for it."
        )


def search(data: Data, setting: Setting, how: Reweighting):
    """The panel that finds C and sigma without the test points."""
    tuning_panel.panel("sparsity", data, sparsity.machine(how), setting, partial(sparsity.estimator, data.task))


# ---------------------------------------------------------------------------------------- the map


def cells(data: Data, setting: Setting, how: Reweighting):
    """The map: asked for, watched while it is made, stopped, shown, loaded from."""
    st.subheader("Which C and σ?", anchor=False)
    if setting.kernel != "rbf":
        st.caption("The map is about the width σ: choose the Gaussian kernel.")
        return
    st.markdown(ABOUT_MAP)
    asked = Asked(data, float(controls.about(data.problem).sigma), how)
    job = BENCH.job("sparsity", session.cell_maps(), asked)
    BENCH.button("sparsity", job, asked, begin)
    if job:
        outdated = "The points or settings have changed since; this is the map as it was computed."
        BENCH.watch(job, asked, lambda rows: _show(job, rows, setting), outdated)


def begin(asked: Asked) -> Job:
    """The map, begun in the background."""
    found = sparsity.cells(asked, session.problem(asked.data), session.unit(asked.data))
    return Job(asked, found, sparsity.CELLS**2, warns=False)


def _show(job, rows, setting):
    key = job.key
    regression, (C, sigma) = key.data.task == "regression", key.axes
    tested = len(session.problem(key.data).y_test) > 0
    error = ("Test" if tested else "Training") + (" RMSE" if regression else " error")
    errors, counts = sparsity.rasters(rows)
    scale = 1.0 if regression else 100.0
    sentences = {(cell.column, cell.row): sparsity.told(cell, key, not regression) for cell in rows}
    told = [[sentences.get((c, r), "not computed yet") for c in range(len(C))] for r in range(len(sigma))]
    at = setting.C, setting.sigma
    named = f"{error}{'' if regression else ' in %'}"
    pictures = {
        "error": (
            error,
            figures.cells(C, sigma, scale * errors, told, at=at, quantity=named, cap=_cap(scale * errors)),
        ),
        "count": (
            "Support vectors",
            figures.cells(C, sigma, counts, told, at=at, quantity="Support vectors", log=True),
        ),
    }
    for column, (name, (title, picture)) in zip(st.columns(2, gap="medium"), pictures.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            plane.show(picture, key=f"cells-{name}", height=380, on_pick=_pick)
    if len(rows) == job.total or job.stopped:  # else what is chosen below would be the best of a part
        _best(key, rows)


def _best(key, rows):
    """The best cells by name, for those who do not click."""
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


def _cap(errors):
    """Where the colours of an error end: at twice the smallest or so, that the good ones can be told apart."""
    known = errors[np.isfinite(errors)]
    return float(max(1.6 * known.min(), np.percentile(known, 20))) if len(known) else None


def _pick(x, y):
    load(10.0**x, 10.0**y)


def load(C, sigma):
    """C and sigma become those of the page; only in a callback, before the controls of a run."""
    st.session_state["C"], st.session_state["sigma"] = float(f"{C:.3g}"), float(f"{sigma:.3g}")
    st.rerun()  # the whole page: the map is a part that runs by itself


def to_csv(rows, key):
    """The cells as text, one a line."""
    C, sigma = key.axes
    lines = ([C[c.column], sigma[c.row], c.error, c.n_support, c.status] for c in rows)
    return files.rows_text([["C", "sigma", "error", "n_support", "status"], *lines])
