"""Which machine: its loss, its parameters, C and the kernel."""

import streamlit as st

from pages.shared.choices import COMPARED, LOSSES, MACHINES, Data, Machine, Setting
from pages.shared.controls.points import about
from pages.shared.controls.widgets import choice, logarithmic, named, number, pick_several, place
from svmcore import duals, kernels, losses

C_RANGE = (1e-6, 1e6)
SIGMA_RANGE = (1e-9, 1e9)
C_SLIDER = (-4, 5)  # powers of ten
SIGMA_SLIDER = (-2, 2)
KERNELS = [name for name in kernels.KERNELS if name != "precomputed"]
MOST_COMPARED = 6
COLOURED = [*duals.DUALS, *(key for key in losses.LOSSES if key not in duals.DUALS)]  # in the order of their colours


def machine(data: Data, among=None) -> Machine:
    """One loss of those that suit the problem, or of the keys `among`, and its parameters."""
    with st.sidebar:
        st.subheader("Machine", anchor=False)
        loss = choice("loss", "Loss", among or MACHINES[data.task], machine_label)
        return Machine(loss, loss_parameters([loss]))


def machines(data: Data) -> list[Machine]:
    """Two to six losses of those that suit the problem, and their parameters."""
    with st.sidebar:
        st.subheader("Machines", anchor=False)
        options = MACHINES[data.task]
        chosen = named("losses", options, COMPARED[data.task], MOST_COMPARED)
        with place("losses"):
            pick_several("losses", "Losses", chosen, options, machine_label, MOST_COMPARED)
        params = dict(loss_parameters(chosen))
    return [Machine.of(loss, params) for loss in chosen]


def colour_index(machine: Machine) -> int:
    """A machine keeps its colour whatever it is compared with; the tube has that of the hinge, never beside it."""
    return COLOURED.index({"epsilon_insensitive": "hinge"}.get(machine.loss, machine.loss))


def machine_label(loss):
    return LOSSES[loss].machine


def loss_parameters(chosen):
    found = []
    for loss in chosen:
        for p in LOSSES[loss].parameters:
            if p.name in dict(found):
                continue
            low = p.low if not p.low_open else p.low + 1e-3
            high = min(p.high, 1e3)
            found.append((p.name, number(p.name, p.name, p.default, low, high, step=0.05, help=p.meaning)))
    return tuple(found)


def setting(data: Data) -> Setting:
    """C, the kernel and its numbers; the problem's own suggestions are the defaults."""
    entry = about(data.problem)
    with st.sidebar:
        C = logarithmic("C", "C, weight of the loss", entry.C, C_RANGE, C_SLIDER)
        kernel = choice("kernel", "Kernel", KERNELS, lambda k: kernels.KERNELS[k].label, default=entry.kernel)
        parameters = kernels.KERNELS[kernel].parameters
        sigma, degree, coef0 = float(entry.sigma), 3, 1.0
        if "gamma" in parameters:
            sigma = logarithmic("sigma", "σ, width of the kernel", entry.sigma, SIGMA_RANGE, SIGMA_SLIDER)
            if kernel != "rbf":
                st.caption("Here γ = 1/σ² multiplies the inner product.")
        if "degree" in parameters:
            degree = number("degree", "Degree", 3, 1, 12, step=1, help="p in (γ x·z + c₀)^p")
        if "coef0" in parameters:
            coef0 = number("coef0", "Offset c₀", 1.0, -100.0, 100.0, step=0.5, help="added to γ x·z")
    return Setting(C, kernel, sigma, degree, coef0)
