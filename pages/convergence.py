"""A run, iteration by iteration, back and forth; a race of several; the path of a hyperparameter."""

from pages.shared import frame

frame.begin("Convergence", "See why the solver did what it did: step forward, step back, jump to the end.")

import streamlit as st

from pages.shared import controls, hand, panels, session, theatre, watching

with st.sidebar:
    kind = controls.show()
data = controls.data()
machine = controls.machine(data) if kind != "race" else None
setting = controls.setting(data)

with panels.guarded():
    data = controls.view(hand.edited(controls.outlier(data)))
    panels.classes(data)
    panels.enough(data)
    with st.sidebar:
        if kind == "run":
            solver = controls.solver(watching.solvers(session.given(data, machine, setting)))
        elif kind == "race":
            entrants, clock = controls.entrants(watching.serving, controls.defaults)
        else:
            name = controls.along(setting.kernel)
    controls.share()
    if kind == "run":
        what = session.run(data, machine, setting, solver, theatre.around())
        theatre.show(what, f"{data.problem}-{machine.loss}-{solver}")
    elif kind == "race":
        theatre.show(session.race(data, entrants, setting, clock), f"{data.problem}-race")
    else:
        theatre.show(session.path(data, machine, setting, name), f"{data.problem}-{machine.loss}-path-{name}")
