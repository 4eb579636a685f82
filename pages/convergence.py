"""A run, iteration by iteration, forwards and backwards; a race of several runs; the path of a hyperparameter."""

from pages.shared.page.page import page

with page(
    "Convergence",
    "Follow a solver step by step, with the reason for each step. Step forwards, step backwards, jump to the end.",
):
    import streamlit as st

    from pages.shared.controls import link, widgets
    from pages.shared.controls.machines import choose_machine, choose_setting
    from pages.shared.controls.page_controls import choose_race, choose_solver_options
    from pages.shared.controls.points import choose_data
    from pages.shared.live import films
    from pages.shared.panels import editing, guards, player, source_code
    from pages.shared.screen import schema
    from pages.shared.screen.fields import MORE
    from pages.shared.studies import results, runs
    from svmcore import kernels

    kind = widgets.show(schema.SHOW)
    served = ("classification",)
    data = choose_data(served)
    # the path from loss to loss has no machine of its own
    morphs = kind == "path" and data.task == "classification" and widgets.raw_value(schema.ALONG) == "loss"
    alone = kind != "race" and not morphs
    machine = choose_machine(data, runs.recordable_losses(kind), rank=MORE) if alone else None
    setting = choose_setting(data)
    data = editing.points(data, rank=MORE)
    guards.require_task(data, served)
    guards.enough(data, toolbar=True)
    editing.tell_slice(data)
    runs.watchable(results.problem(data))
    if kind == "run":
        serving = runs.solvers(results.solver_input(data, machine, setting))
        solver = widgets.show(schema.SOLVER, options=dict(serving))
        options = choose_solver_options(solver)
    elif kind == "race":
        entrants, clock = choose_race(runs.rivals)
    else:
        with_width = "gamma" in kernels.KERNELS[setting.kernel].parameters
        name = widgets.show(schema.ALONG.only(["C", *["sigma"] * with_width, "loss"]))
    link.share(data)
    if kind == "run":
        run = (data, machine, setting, solver, options)
        request = player.read_request(run)
        film = films.run(*run, request and request.centre)
        player.show(film, f"{data.problem}-{machine.loss}-{solver}", run, request)
        source_code.show(solver)
    elif kind == "path" and name == "loss":
        player.show(films.morph(data, setting), f"{data.problem}-losses", (data, setting, name))
    elif kind == "path":
        path = (data, machine, setting, name)
        player.show(films.path(*path), f"{data.problem}-{machine.loss}-path-{name}", path)
    elif len(entrants) < 2:
        st.info("Choose two to four runs for a race, or one of the prepared races above.", icon=":material/flag:")
    else:
        race = (data, entrants, setting, clock)
        player.show(films.race(*race), f"{data.problem}-race", race)
