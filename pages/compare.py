"""One problem, many machines: small multiples, an overlay, and one table with the effect of the outliers."""

from pages.shared.page.page import page

with page("Compare", "One problem, many machines: which boundary rotates when outliers are added?") as run:
    import streamlit as st

    from pages.shared.controls import link, widgets
    from pages.shared.controls.machines import choose_machines, choose_setting
    from pages.shared.controls.points import choose_data
    from pages.shared.lessons.screens import ask_here
    from pages.shared.live import pictures, scene
    from pages.shared.panels import (
        best_possible,
        breakdown,
        compare_sections,
        editing,
        export,
        guards,
        machine_numbers,
        movement,
        points_table,
    )
    from pages.shared.plane import component
    from pages.shared.screen import schema
    from pages.shared.screen.screen import Screen
    from pages.shared.studies import results, snippet, tasks

    served = ("classification", "regression")
    data = choose_data(served)
    machines = choose_machines(data)
    setting = choose_setting(data)
    trail = widgets.show(schema.TRAIL)
    data = editing.points(data)
    link.share(data, machines, setting)
    guards.require_task(data, served)
    if len(machines) < 2:
        run.end("Choose two to six losses to compare.")
    with editing.show_toolbar(data) as chosen:
        guards.enough(data)
        screen = Screen(data, tuple(machines), setting)
        shown = scene.show(pictures.compare, screen, points_version=editing.version(data))
        studies, before, overlay = shown.studies, shown.before, shown.figures["overlay"]
        lines = pictures.LINES if trail else ()
        common = {"link": editing.POINTS, "edit": True, "live": shown.live}

        abreast = 2 if len(machines) <= 4 else 3
        rows = -(-len(machines) // abreast)
        multiples, together = st.columns([0.49, 0.51] if abreast == rows == 2 else [0.62, 0.38], gap="small")
        with multiples:
            cells = machine_numbers.cells(len(machines), abreast)
            for cell, machine in zip(cells, machines, strict=False):
                with cell:
                    key = f"plane-{machine.loss}"
                    caption = f"caption-{machine.loss}"
                    edge = machine.name, shown.numbers[caption], caption
                    component.show_figure(
                        shown.figures[key], edge=edge, key=key, fill=1 / rows, less=8, trail=lines, **common
                    )
        with together:
            at = compare_sections.offer(data, machines)
            heading = tasks.task_of(studies[0]).words.together
            lines = tuple(machine.name for machine in machines) if trail else ()
            component.show_figure(overlay, edge=(heading, "", ""), key="overlay", fill=1, trail=lines, **common)
        movement.announce(data, machines, setting, studies)
        movement.suggest(data, before)
        proved = best_possible.proved_machines(data, machines, setting)
        movement.table(machines, shown, proved)
        machine_numbers.show_unit(*studies)
        machine_numbers.advice(results.advice(data, setting))

    breakdown.section(data, machines, setting)
    points_table.editor(data)
    compare_sections.show(at, data, machines, setting, studies, chosen)
    stem = f"{data.problem}-compare"
    codes = {machine.name: snippet.code(data, machine, setting, studies[0].unit, stem) for machine in machines}
    export.row(stem, data, setting, dict(zip(machines, studies, strict=True)), overlay, codes)
    ask_here.section(data, machines, setting)
