"""The controls of the pages that show one thing: the losses, and runs to watch."""

import streamlit as st

from pages.shared.choices import MACHINES, Machine, Reweighting
from pages.shared.controls.machines import loss_parameters, machine_label
from pages.shared.controls.widgets import choice, named, pick_several, place, slider
from svmcore import kernels, losses

SHOWS = {"run": "One run", "race": "A race", "path": "A path"}
MOST_RACING = 4
RACES = {
    "First against second order": ["hinge:smo_first", "hinge:smo_second"],
    "LS-SVM three ways": ["least_squares:smo_first", "least_squares:cg", "least_squares:direct"],
    "Least 1-Norm against LS-SVM": ["least_absolute:smo_first", "least_squares:smo_first"],
}
RACES_ABOUT = "The third: Table 2 of López and Dorronsoro (2010), where now the one, now the other takes fewer steps."
INITS = {
    "absolute": "λ = |α| of the LS-SVM",
    "inverse_square": "λ = 1/α², the rule of all later rounds",
    "literal": "λ = α with its sign, as printed",
}
STOPS = {
    "paper": "The paper's: |Δα|/N < 10⁻⁴",
    "strict": "Strict: α p = 1 to 10⁻⁶ for all that are left",
}
LOOKED_AT = ["hinge", "least_squares", "least_absolute", "ramp", "zero_one"]
CURVES = {"value": "Loss", "slope": "Slope", "prox": "Proximal operator"}


def looked_at() -> tuple[list[Machine], list[Machine]]:
    """Every loss with its parameters, in teaching order; and those that the reader looks at."""
    with st.sidebar:
        st.subheader("What to look at", anchor=False)
        options = list(losses.LOSSES)
        chosen = named("losses", options, LOOKED_AT)
        with place("losses"):
            pick_several("losses", "Losses in colour", chosen, options, machine_label)
        params = dict(loss_parameters(chosen))
    every = {
        key: Machine(key, tuple((p.name, params.get(p.name, p.default)) for p in loss.parameters))
        for key, loss in losses.LOSSES.items()
    }
    return list(every.values()), [every[key] for key in every if key in chosen]


def curve() -> tuple[str, float]:
    """Which curve of the losses is drawn, and the weight of the loss in its proximal operator."""
    with st.sidebar:
        what = choice("curve", "Curve", list(CURVES), CURVES.get)
        if what != "prox":
            return what, 1.0
        return what, slider(
            "prox_c", "c, weight of the loss", 1.0, 0.1, 5.0, 0.1, "argmin over v of c ℓ(v) + (v − z)²/2"
        )


def lone_outlier(names, distances) -> tuple[str, float]:
    """Under which kernel the one outlier goes its way, and how far it is; both lie on the page itself."""
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="bottom")
    with left:
        kernel = choice("around", "Kernel", list(names), lambda k: kernels.KERNELS[k].label)
    with right:
        step = distances[1] - distances[0]
        help = "In units of the distance between the centres of the classes. 0: in the middle of class +1."
        at = slider("distance", "Distance of the outlier", 3.0, distances[0], distances[-1], step, help)
    return kernel, at


def paper(titles) -> str:
    """Which of the papers, {key: title}; on the page itself."""
    with st.columns([0.4, 0.6])[0]:
        return choice("paper", "Paper", list(titles), titles.get)


def show() -> str:
    """What the Convergence page shows: one run, a race, or the path of a hyperparameter."""
    return choice("show", "Show", list(SHOWS), SHOWS.get)


def solver(serving) -> str:
    """One of the (key, title) solvers that can be watched."""
    titles = dict(serving)
    _drop("solver", titles)
    return choice("solver", "Solver", list(titles), titles.get)


def entrants(serving):
    """The (machine, solver, label) of a race, four at most, and its clock. `serving` gives a loss its (key, title)
    solvers.
    """
    titles = {
        f"{loss}:{key}": f"{machine_label(loss)}, {title}"
        for loss in MACHINES["classification"]
        for key, title in serving(loss)
    }
    first, *_ = RACES.values()
    chosen = named("race", list(titles), first, MOST_RACING)
    with place("race"):
        pick_several("race", "Who runs", chosen, list(titles), titles.get, MOST_RACING)
        for name, runners in RACES.items():
            st.button(name, key=name, help=RACES_ABOUT, on_click=_enter, args=(runners,), width="stretch")
    clock = choice("clock", "Clock", ["iterations", "seconds"], str.capitalize)
    params = dict(loss_parameters(dict.fromkeys(key.partition(":")[0] for key in chosen)))
    found = []
    for key in chosen:
        loss, _, name = key.partition(":")
        machine = Machine.of(loss, params)
        found.append((machine, name, f"{machine.name}, {dict(serving(loss))[name]}"))
    return tuple(found), clock


def _enter(runners):
    st.session_state["race"] = ",".join(runners)


def reweighting() -> Reweighting:
    """The first weights and the stopping rule of ISLS."""
    with st.sidebar:
        init = choice("init", "First weights", list(INITS), INITS.get)
        return Reweighting(init, choice("stop", "Stopping rule", list(STOPS), STOPS.get))


def along(kernel) -> str:
    """The hyperparameter of a path."""
    names = {"C": "C, weight of the loss"}
    if "gamma" in kernels.KERNELS[kernel].parameters:
        names["sigma"] = "σ, width of the kernel"
    _drop("along", names)
    return choice("along", "Along", list(names), names.get)


def _drop(name, options):
    """What was chosen for another machine or kernel, and this one does not have, gives way to the first option."""
    if name in st.session_state and st.session_state[name] not in options:
        st.session_state[name] = next(iter(options))
