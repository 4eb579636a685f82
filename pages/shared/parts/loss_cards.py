"""A card for each loss: its formula, of what kind it is, and how it is solved; and all of them in one table."""

import numpy as np
import streamlit as st

from pages.shared.choices import Machine
from pages.shared.parts import panels
from pages.shared.studies import loss_curves
from pages.shared.studies.scenes import PLAYGROUND
from svmcore import losses

HEAD = ("machine", "convex", "bounded", "sparse", "α between", "ridge", "solved by")
NO_BOX = "–"


def cards(machines: list[Machine]) -> None:
    """A card for the loss of each machine, three in a row."""
    cells = panels.cells(len(machines), 3)
    for cell, machine in zip(cells, machines, strict=False):
        loss = losses.get(machine.loss)
        with cell.container(border=True, height="stretch", gap="small"):
            st.page_link(PLAYGROUND, label=f"**{loss.machine}**", query_params={"loss": loss.key})
            st.caption(f"$\\ell(t) = {loss.latex}{_parameters(machine)}$  \n`{loss.key}`: {kind(loss)}. {loss.source}")


def folded(machines: list[Machine]) -> None:
    """The same cards, made when the reader opens them."""
    if machines:
        with st.expander(f"The other {len(machines)} losses", key="others", on_change="rerun") as box:
            if box.open:
                cards(machines)


def _parameters(machine):
    """The parameters as they stand in the formula."""
    symbols = {p.name: p.latex for p in losses.get(machine.loss).parameters}
    return "".join(rf",\; {symbols[name]} = {value:g}" for name, value in machine.params)


def kind(loss: losses.Loss) -> str:
    """Words on a loss: convex, bounded, sparse or not, and how it is solved."""
    words = [
        "convex" if loss.convex else "not convex",
        "bounded" if loss.bounded else "unbounded",
        "sparse" if loss.sparse else "not sparse",
    ]
    return f"{', '.join(words)}; solved by {loss.solved_by}"


def rows(every: list[Machine]) -> list[list[str]]:
    """A row of the table below `HEAD` for each machine: its kind, and the box of its support values."""
    found = []
    for machine in every:
        loss, box = losses.get(machine.loss), loss_curves.box(machine)
        yes = [("no", "yes")[flag] for flag in (loss.convex, loss.bounded, loss.sparse)]
        found.append([machine.name, *yes, *between(box), loss.solved_by])
    return found


def between(box: loss_curves.Box | None) -> list[str]:
    """The dual box and its ridge, in words."""
    if box is None:
        return [NO_BOX, NO_BOX]
    ridge = {None: NO_BOX, 0.0: "0", 1.0: "1/C"}.get(box.ridge, f"{box.ridge or 0:g}/C")
    return [f"{_times_C(box.low)} .. {_times_C(box.high)}", ridge]


def _times_C(bound):
    if np.isinf(bound):
        return "−inf" if bound < 0 else "inf"
    return {0.0: "0", 1.0: "C", -1.0: "−C"}.get(bound, f"{bound:g} C".replace("-", "−"))
