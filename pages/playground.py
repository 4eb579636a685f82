"""One machine in depth."""

from pages.shared.page.page import page

with page("Playground", "One problem, one machine: its boundary, its support values, and how exactly it was solved."):
    import streamlit as st

    from pages.shared.controls import link, sections, widgets
    from pages.shared.controls.machines import choose_machine, choose_setting
    from pages.shared.controls.points import choose_data
    from pages.shared.lessons.screens import ask_here
    from pages.shared.live import pictures, scene
    from pages.shared.panels import (
        editing,
        export,
        guards,
        influence_map,
        machine_numbers,
        movement,
        multiples,
        one_vs_rest,
        points_table,
        surface,
        tuning_panel,
    )
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from pages.shared.screen.screen import Screen
    from pages.shared.studies import results, snippet

    data = choose_data()
    machine = choose_machine(data)
    setting = choose_setting(data)
    trail = pictures.LINES if widgets.show(schema.TRAIL) else ()
    data = editing.points(data)
    link.share(data, [machine], setting)
    with editing.show_toolbar(data) as chosen:
        guards.enough(data)
        screen = Screen(data, (machine,), setting)
        with_planes = data.task == "classification"
        folds = [with_planes and sections.is_open("playground", one) for one in (schema.MULTIPLES, schema.SURFACE)]
        draw = pictures.PLAYGROUND[tuple(folds)]
        shown = scene.show(draw, screen, points_version=editing.version(data))
        (study,), picture, live = shown.studies, shown.figures["plane"], shown.live
        movement.announce(data, [machine], setting, [study])
        left, right = st.columns([0.48, 0.52], gap="small")
        with left:
            common = {"link": editing.POINTS, "live": live}
            component.show_figure(picture, key="plane", fill=1, edit=True, trail=trail, **common)
        with right:
            at = sections.offer_chips("playground", ["map", "tune"], sections.not_for(data.task))
            machine_numbers.advice(results.advice(data, setting))
            if data.task == "multiclass":
                one_vs_rest.machines(machine, study, shown.numbers)
            else:
                machine_numbers.headline(study, shown.numbers)
                component.show_figure(shown.figures["spectrum"], key="spectrum", fill=0.46, **common)
                machine_numbers.loss_and_formula(machine, setting, study, shown, **common)
                machine_numbers.solver(study, setting)
    if with_planes:
        surface.section(shown)
        multiples.section(setting, shown)
    points_table.editor(data)
    if data.task != "multiclass":
        with at("tune"):
            tuning_panel.panel("playground", data, machine, setting)
        with at("map"):
            influence_map.section("playground", data, [machine], setting, [study], chosen)
    stem = f"{data.problem}-{machine.loss}"
    codes = {machine.name: snippet.code(data, machine, setting, results.unit(data), stem)}
    export.row(stem, data, setting, {machine: study}, picture, codes)
    ask_here.section(data, [machine], setting)
