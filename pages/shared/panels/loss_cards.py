"""A card for each loss: its formula, its properties, and how its machine is solved; and all losses in one table."""

import numpy as np
import streamlit as st

from pages.shared.page import url_state
from pages.shared.panels import machine_numbers
from pages.shared.screen.choices import MACHINES, Machine
from pages.shared.studies import glossary, loss_curves
from pages.shared.studies.scenes import PLAYGROUND
from svmcore import losses, problems
from svmcore.words import number

HEAD = ("machine", "convex", "bounded", "sparse", "α between", "ridge", "solved by")
TIPS = glossary.tips(
    {"convex": "convex", "bounded": "bounded", "sparse": "sparse", "α between": "bound", "ridge": "ridge"}
)
NO_BOX = "–"


def cards(machines: list[Machine]) -> None:
    """A card for the loss of each machine, three in a row; it leads to the machine on the points of the link, if it can
    be fitted to them.
    """
    kept = url_state.query()
    problem = problems.REGISTRY.get(kept.get("problem"))
    suited = MACHINES[problem.task if problem else "classification"]
    cells = machine_numbers.cells(len(machines), 3)
    for cell, machine in zip(cells, machines, strict=False):
        loss = losses.get(machine.loss)
        with cell.container(border=True, height="stretch", gap="small"):
            query = (kept if loss.key in suited else {}) | {"loss": loss.key}
            st.page_link(PLAYGROUND, label=f"**{loss.machine}**", query_params=query)
            formula = f"$\\ell(t) = {loss.latex}{machine_numbers.parameters_latex(machine)}$"
            st.caption(f"{formula}  \n`{loss.key}`: {properties(loss)}; solved by {loss.solved_by}. {loss.source}")


def show_folded(machines: list[Machine]) -> None:
    """The same cards in a folded section, made when it is opened."""
    if machines:
        with st.expander("The other losses", key="others", on_change="rerun") as box:
            if box.open:
                cards(machines)


def properties(loss: losses.Loss) -> str:
    """A phrase on a loss: convex, bounded, sparse or not."""
    sparse = "sparse" if loss.sparse else "not sparse"
    return f"{'convex' if loss.convex else 'not convex'}, {'bounded' if loss.bounded else 'unbounded'}, {sparse}"


def rows(every: list[Machine]) -> list[list[str]]:
    """A row of the table below `HEAD` for each machine: its properties, and the box of its support values."""
    lines = []
    for machine in every:
        loss, box = losses.get(machine.loss), loss_curves.box(machine)
        properties = [("no", "yes")[flag] for flag in (loss.convex, loss.bounded, loss.sparse)]
        lines.append([machine.name, *properties, *box_text(box), loss.solved_by])
    return lines


def box_text(box: loss_curves.Box | None) -> list[str]:
    if box is None:
        return [NO_BOX, NO_BOX]
    ridge = {None: NO_BOX, 0.0: "0", 1.0: "1/C"}.get(box.ridge, f"{box.ridge or 0:g}/C")
    return [f"{_times_C(box.low)} .. {_times_C(box.high)}", ridge]


def _times_C(bound):
    if np.isinf(bound):
        return "−inf" if bound < 0 else "inf"
    return {0.0: "0", 1.0: "C", -1.0: "−C"}.get(bound, f"{number(bound, 'g')} C")
