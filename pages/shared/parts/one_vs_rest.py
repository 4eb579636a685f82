"""Playground for more than two classes: the machines beside the plane, and how they decide."""

import streamlit as st

from pages.shared import controls, tables
from pages.shared.choices import Machine
from pages.shared.points.edits import class_names
from pages.shared.studies import glossary
from pages.shared.studies.one_vs_rest import OneVsRest
from pages.shared.tables import number, percent
from svmcore.status import Status

HOW = (
    "**One against the rest.** Each class has a machine of its own, {machine}, which separates it from all other "
    "points. A place belongs to the class whose machine has the largest f there. In {contested} of the picture none or "
    "several of them are positive; there, too, the largest decides."
)
TWO = (
    "Tuning, the influence map and the comparison of machines are for two classes: choose another problem for them. "
    "The Python code below takes any number of classes."
)
NAMES = {
    "test_error": "Test error",
    "train_error": "Training error",
    "support_vectors": "Support vectors",
    "status": "Solvers",
}
TIPS = glossary.tips({"support vectors": "support vector", "status": "status", "violation": "violation"})


def numbers(study: OneVsRest) -> dict[str, str]:
    """The main numbers, {key: text}."""
    used = int(study.support.any(axis=0).sum())
    return {
        "test_error": percent(study.test_error),
        "train_error": percent(study.train_error),
        "support_vectors": f"{used} of {len(study.points.y)}",
        "status": str(Status.CONVERGED) if study.converged else "not converged",
    }


def machines(machine: Machine, study: OneVsRest, values: dict[str, str]) -> None:
    """The main `numbers`, how the machines decide, and a table of them."""
    controls.hint("First: drag a point, or choose another loss or kernel, and see which regions grow.")
    tips = {"support_vectors": TIPS["support vectors"], "status": TIPS["status"]}
    controls.numbers((key, name, values[key], tips.get(key, "")) for key, name in NAMES.items())
    st.markdown(HOW.format(machine=machine.name, contested=percent(study.field.contested)))
    st.html(tables.grid(*_table(study), tips=TIPS))
    st.caption(TWO)


def _table(study):
    """(head, rows) of texts: a row for each machine."""
    head = ["class against the rest", "points", "support vectors", "status", "violation"]
    names = class_names(study.points.classes)
    rows = [
        [
            f"class {name}",
            f"{(study.points.y == label).sum()}",
            f"{used.sum()}",
            one.numbers.status,
            number(one.numbers.violation, ".1e"),
        ]
        for (label, name), used, one in zip(names.items(), study.support, study.machines, strict=True)
    ]
    return head, rows
