"""One problem, many machines: small multiples, an overlay, and one table with the effect of the outliers."""

from pages.shared import frame

frame.begin("Compare", "One problem, many machines: which boundary rotates when outliers are added?")

import streamlit as st

from pages.shared import controls, plane, session
from pages.shared.live import drawn, pictures
from pages.shared.parts import (
    best_possible,
    editing,
    export,
    guards,
    influence_map,
    movement,
    panels,
    points_table,
    robustness_study,
)
from pages.shared.studies import snippet, tasks

data = controls.data()
machines = controls.machines(data)
setting = controls.setting(data)

with guards.guarded():
    data = editing.points(data)
    controls.share(data)
    guards.one_machine(data)
    if len(machines) < 2:
        guards.end("Choose two to six losses to compare.", "tune")
    with editing.editing(data) as now:
        guards.enough(data)
        screen = drawn.Screen(data, tuple(machines), setting)
        shown = pictures.show("compare", screen, moving=now.moving, rev=editing.revision(data))
        studies, before, overlay = shown.studies, shown.before, shown.figures["overlay"]
        common = {"link": editing.BOARD, "edit": True, "live": shown.token}

        abreast = 2 if len(machines) <= 4 else 3
        rows = -(-len(machines) // abreast)
        multiples, together = st.columns([0.49, 0.51] if abreast == rows == 2 else [0.62, 0.38], gap="small")
        with multiples:
            cells = panels.cells(len(machines), abreast)
            for cell, machine in zip(cells, machines, strict=False):
                with cell:
                    key = f"plane-{machine.loss}"
                    caption = f"caption-{machine.loss}"
                    edge = machine.name, shown.numbers[caption], caption
                    plane.show(shown.figures[key], edge=edge, key=key, fill=1 / rows, less=8, **common)
        with together:
            heading = tasks.of(studies[0]).words.together
            plane.show(overlay, edge=(heading, "", ""), key="overlay", fill=1, **common)
        if not now.moving:
            movement.announce(data, machines, setting, studies)
        movement.suggest(data, before)
        movement.table(machines, studies, before)
        panels.counted(*studies)
        panels.advice(session.advice(data, setting))

    points_table.editor(data)
    best_possible.section(data, machines, setting)
    robustness_study.section(data, machines, setting)
    influence_map.section("compare", data, machines, setting, studies, now.chosen)
    stem = f"{data.problem}-compare"
    codes = {machine.name: snippet.code(data, machine, setting, studies[0].unit, stem) for machine in machines}
    export.row(stem, data, setting, dict(zip(machines, studies, strict=True)), overlay, codes)
