"""A run, iteration by iteration, forwards and backwards; a race of several runs; the path of a hyperparameter."""

from pages.shared import frame

frame.begin(
    "Convergence",
    "Follow a solver step by step, with the reason for each step. Step forwards, step backwards, jump to the end.",
)

import streamlit as st

from pages.shared import controls, session
from pages.shared.parts import editing, guards, player, source_code
from pages.shared.studies import runs

kind = controls.show()
data = controls.data()
machine = controls.machine(data, runs.offered(kind)) if kind != "race" else None
setting = controls.setting(data)

with guards.guarded():
    data = editing.points(data)
    guards.classes(data)
    guards.enough(data, toolbar=True)
    runs.watchable(session.problem(data))
    if kind == "run":
        solver = controls.solver(runs.solvers(session.given(data, machine, setting)))
        options = controls.solver_options(solver)
    elif kind == "race":
        entrants, clock = controls.entrants(runs.rivals)
    else:
        name = controls.along(setting.kernel)
    controls.share(data)
    if kind == "run":
        run = (data, machine, setting, solver, options)
        request = player.requested(run)
        film = session.run(*run, request and request.centre)
        player.show(film, f"{data.problem}-{machine.loss}-{solver}", run, request)
        source_code.show(solver)
    elif kind == "path":
        path = (data, machine, setting, name)
        player.show(session.path(*path), f"{data.problem}-{machine.loss}-path-{name}", path)
    elif len(entrants) < 2:
        st.info("Choose two to four runs for a race, or one of the prepared races above.", icon=":material/flag:")
    else:
        race = (data, entrants, setting, clock)
        player.show(session.race(*race), f"{data.problem}-race", race)
