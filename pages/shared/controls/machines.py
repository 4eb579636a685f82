"""Which machine: its loss, its parameters, C and the kernel."""

import streamlit as st

from pages.shared.choices import COMPARED, LOSSES, MACHINES, Data, Machine, Setting
from pages.shared.controls.kinds import Choice, Logarithmic, Number, Several, under
from pages.shared.controls.points import about
from svmcore import kernels

LARGEST_PARAMETER = 1e3  # of a loss, where its range has no end
CLOSEST = 1e-3  # to an end that does not belong to the range


def _range(parameter):
    """What a control says of a parameter of a loss."""
    return {
        "default": parameter.default,
        "low": parameter.low + CLOSEST if parameter.low_open else parameter.low,
        "high": min(parameter.high, LARGEST_PARAMETER),
        "help": parameter.meaning,
    }


LOSS = Choice("loss", "Loss")
LOSS_LIST = Several("losses", "Losses")
PARAMETERS = {
    name: Number(name, name, step=0.05, **_range(parameter))
    for name, parameter in {p.name: p for loss in LOSSES.values() for p in loss.parameters}.items()
}
C = Logarithmic("C", "C, weight of the loss", 1.0, 1e-6, 1e6, powers=(-4, 5))
KERNEL = Choice("kernel", "Kernel", {k: kernel.label for k, kernel in kernels.KERNELS.items() if k != "precomputed"})
SIGMA = Logarithmic("sigma", "σ, width of the kernel", 1.0, 1e-9, 1e9, powers=(-2, 2))
DEGREE = Number("degree", "Degree", 3, 1, 12, 1, help="p in (γ x·z + c₀)^p")
COEF0 = Number("coef0", "Offset c₀", 1.0, -100.0, 100.0, 0.5, help="added to γ x·z")
MOST_COMPARED = 6


def machine(data: Data, among=None) -> Machine:
    """One loss of those that suit the problem, or of the keys `among`, and its parameters."""
    with st.sidebar, under("Machine"):
        loss = LOSS(options=machine_names(among or MACHINES[data.task]))
        return Machine.of(loss, loss_parameters([loss]))


def machines(data: Data) -> list[Machine]:
    """Two to six losses of those that suit the problem, and their parameters."""
    with st.sidebar, under("Machines"):
        options = machine_names(MACHINES[data.task])
        chosen = LOSS_LIST(options=options, default=COMPARED[data.task], most=MOST_COMPARED)
        params = loss_parameters(chosen)
    return [Machine.of(loss, params) for loss in chosen]


def colour_index(machine: Machine) -> int:
    """A machine keeps its colour whatever it is compared with."""
    return LOSSES[machine.loss].colour


def machine_names(keys) -> dict[str, str]:
    """{key: name of the machine} of losses."""
    return {key: LOSSES[key].machine for key in keys}


def loss_parameters(chosen) -> dict[str, float]:
    """{name: value} of all parameters of these losses; a name that two of them have is one control."""
    needed = {p.name: p for loss in chosen for p in LOSSES[loss].parameters}
    return {name: PARAMETERS[name](**_range(parameter)) for name, parameter in needed.items()}


def setting(data: Data) -> Setting:
    """C, the kernel and its numbers; the problem's own suggestions are the defaults."""
    suggested = Setting.of(about(data.problem))
    with st.sidebar:
        found = {"C": C(default=suggested.C), "kernel": KERNEL(default=suggested.kernel)}
        parameters = kernels.KERNELS[found["kernel"]].parameters
        if "gamma" in parameters:
            found["sigma"] = SIGMA(default=suggested.sigma)
            if found["kernel"] != "rbf":
                with SIGMA.place("gamma"):
                    st.caption("Here γ = 1/σ² multiplies the inner product.")
        if "degree" in parameters:
            found["degree"] = DEGREE()
        if "coef0" in parameters:
            found["coef0"] = COEF0()
    return suggested._replace(**found)
