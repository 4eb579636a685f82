"""The sparse LS-SVM: few support vectors instead of all, and how the others are pruned."""

from pages.shared.page.page import page

with page(
    "Sparsity", "The LS-SVM needs every point. Re-weighting keeps a few and drives the other support values to zero."
):
    from functools import partial

    import streamlit as st

    from pages.shared.controls import link, widgets
    from pages.shared.controls.machines import choose_setting
    from pages.shared.controls.points import choose_data
    from pages.shared.live import films, pictures, scene
    from pages.shared.panels import cell_map, editing, guards, machine_numbers, player, sparse_comparison, tuning_panel
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from pages.shared.screen.choices import Reweighting
    from pages.shared.screen.fields import MORE
    from pages.shared.screen.screen import Screen
    from pages.shared.studies import formatting, results, runs, sparsity

    served = ("classification", "regression")
    data = choose_data(served)
    setting = choose_setting(data)
    reweighting = Reweighting(widgets.show(schema.INIT), widgets.show(schema.STOP))
    data = editing.points(data, rank=MORE)
    link.share(data)
    guards.require_task(data, served)
    guards.enough(data, toolbar=True)
    runs.watchable(results.problem(data))
    with editing.show_toolbar(data):
        screen = Screen(data, sparse_comparison.machines(data, reweighting), setting)
        shown = scene.show(pictures.sparsity, screen, points_version=editing.version(data))
        common = {"link": editing.POINTS, "edit": True, "live": shown.live}
        studies = {machine.name: study for machine, study in zip(screen.machines, shown.studies, strict=True)}
        small, large = st.columns([0.49, 0.51], gap="small")
        with small:
            cells = machine_numbers.cells(4, 2)
        for cell, name in zip(cells, studies, strict=False):
            with cell:
                key, caption = f"machine-{name}", f"caption-{name}"
                edge = name, shown.numbers[caption], caption
                component.show_figure(shown.figures[key], edge=edge, key=key, fill=0.5, less=8, **common)
        rounds, run = films.rounds(data, setting, reweighting), (data, setting, reweighting)
        with large:
            version = player.film(rounds._replace(screens=rounds.screens[:1]), run)
            component.film_sentences(player.FILM)
        player.show_plane(rounds, 1, cells[-1], version, fill=0.5, less=8)
    st.markdown(sparse_comparison.ABOUT)
    st.html(formatting.grid(*sparse_comparison.table(studies), tips=machine_numbers.COLUMN_TIPS))
    st.caption(sparse_comparison.WEIGHTED)
    if data.task == "regression":
        picture = shown.figures["residuals"]
        component.show_figure(picture, heading="Residuals", key="residuals", height=300, live=shown.live)
    sparse_comparison.advice(studies)
    machine_numbers.show_unit(*studies.values())
    machine_numbers.advice(results.advice(data, setting))

    st.header("Round by round", anchor=False)
    player.charts(rounds.charts, version)
    player.facts(rounds)
    player.downloads(rounds, f"{data.problem}-isls")
    st.header("Which C and σ?", anchor=False)
    cell_map.section(data, setting, reweighting)
    estimator = partial(sparsity.estimator, data.task)
    tuning_panel.panel("sparsity", data, sparsity.machine(reweighting), setting, estimator)
