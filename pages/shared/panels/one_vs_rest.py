"""Playground for more than two classes: the machines beside the plane, and how they decide."""

import streamlit as st

from pages.shared.page.run import current
from pages.shared.panels.machine_numbers import COLUMN_TIPS
from pages.shared.screen.choices import Machine
from pages.shared.studies import formatting
from pages.shared.studies.formatting import number, percent
from pages.shared.studies.one_vs_rest import OneVsRest

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


def machines(machine: Machine, study: OneVsRest, values: dict[str, str]) -> None:
    """The main `numbers`, how the machines decide, and a table of them."""
    current().hint = "First: drag a point, or choose another loss or kernel, and see which regions grow."
    tips = {"support_vectors": COLUMN_TIPS["support vectors"], "status": COLUMN_TIPS["status"]}
    current().numbers = [[key, name, values[key], tips.get(key, "")] for key, name in NAMES.items()]
    st.markdown(HOW.format(machine=machine.name, contested=percent(study.field.contested_share)))
    head = ["class against the rest", "points", "support vectors", "status", "violation"]
    names = study.points.class_names
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
    st.html(formatting.grid(head, rows, tips=COLUMN_TIPS))
    st.caption(TWO)
