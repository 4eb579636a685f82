"""Playground for more than two classes: the regions, the machines that decide, and how."""

import streamlit as st

from pages.shared import controls, figures, files, plane, session, tables
from pages.shared.choices import Data, Machine, Setting
from pages.shared.controls import download
from pages.shared.parts import guards, panels
from pages.shared.points import edits
from pages.shared.studies import glossary, snippet
from pages.shared.tables import number, percent
from svmcore.status import Status

HOW = (
    "**One against the rest.** Each class has a machine of its own, {machine}, which separates it from all other "
    "points. A place belongs to the class whose machine has the largest f there. In {contested} of the picture none or "
    "several of them are positive; there, too, the largest decides."
)
FIXED = (
    "Points are edited, tuned and compared with two classes: choose another problem for that. The Python code below "
    "takes any number of classes."
)
TIPS = glossary.tips({"support vectors": "support vector", "status": "status", "violation": "violation"})


def page(data: Data, machine: Machine, setting: Setting) -> None:
    """The whole page, which ends here."""
    data = data._replace(edits=edits.NONE)
    controls.hint("First: choose another loss or kernel and see which regions grow.")
    found = session.many_classes(data, machine, setting)
    used = int(found.support.any(axis=0).sum())
    controls.numbers(
        [
            ("test_error", "Test error", percent(found.test_error), ""),
            ("train_error", "Training error", percent(found.train_error), ""),
            ("support_vectors", "Support vectors", f"{used} of {len(found.y)}", TIPS["support vectors"]),
            ("status", "Solvers", str(Status.CONVERGED) if found.converged else "not converged", TIPS["status"]),
        ]
    )
    picture = figures.regions(found)
    with st.container(key="stage"):
        left, right = st.columns([0.52, 0.48], gap="small")
        with left:
            plane.show(picture, key="regions", fill=1)
        with right:
            st.markdown(HOW.format(machine=machine.name, contested=percent(found.contested)))
            st.html(tables.grid(*_table(found), tips=TIPS))
            st.caption(FIXED)
            panels.advice(session.advice(data, setting))
    stem = f"{data.problem}-{machine.loss}"
    with st.expander("Download: data, figure, code", icon=":material/download:", key="take", on_change="rerun") as box:
        if box.open:
            with st.container(horizontal=True):
                points = found.X, found.y
                download.button(
                    "Points (CSV)",
                    lambda: files.csv_text(*points, predicted=found.predicted),
                    f"{stem}.csv",
                    "text/csv",
                )
                name = f"{stem}.html"
                download.button("Figure (HTML, works offline)", lambda: figures.to_html(picture), name, "text/html")
            st.code(snippet.code(data, machine, setting, stem=stem), language="python")
    raise guards.Unfinished


def _table(found):
    """(head, rows) of texts: a row for each machine."""
    head = ["class against the rest", "points", "support vectors", "status", "violation"]
    each = zip(found.classes, found.support, found.statuses, found.violations, strict=True)
    rows = [
        [f"class {kind:g}", f"{(found.y == kind).sum()}", f"{row.sum()}", status, number(violation, ".1e")]
        for kind, row, status, violation in each
    ]
    return head, rows
