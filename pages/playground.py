"""One machine in depth."""

from pages.shared import frame

frame.begin("Playground", "One problem, one machine: its boundary, its support values, and how exactly it was solved.")

import streamlit as st

from pages.shared import controls, plane, session
from pages.shared.live import drawn, pictures
from pages.shared.parts import (
    editing,
    export,
    guards,
    influence_map,
    loss_graph,
    movement,
    one_vs_rest,
    panels,
    points_table,
    tuning_panel,
)
from pages.shared.studies import snippet

data = controls.data()
machine = controls.machine(data)
setting = controls.setting(data)

with guards.guarded():
    data = editing.points(data)
    controls.share(data)
    with editing.editing(data) as now:
        guards.enough(data)
        screen = drawn.Screen(data, (machine,), setting)
        shown = pictures.show("playground", screen, moving=now.moving, rev=editing.revision(data))
        (study,), picture, token = shown.studies, shown.figures["plane"], shown.token
        if not now.moving:
            movement.announce(data, [machine], setting, [study])
        left, right = st.columns([0.48, 0.52], gap="small")
        with left:
            plane.show(picture, key="plane", fill=1, link=editing.BOARD, edit=True, live=token)
        with right:
            panels.advice(session.advice(data, setting))
            if data.task == "multiclass":
                one_vs_rest.machines(machine, study, shown.numbers)
            else:
                panels.headline(study, shown.numbers)
                plane.show(shown.figures["spectrum"], key="spectrum", fill=0.46, link=editing.BOARD, live=token)
                on_loss, text = st.columns([0.46, 0.54], gap="small") if "on_loss" in shown.figures else [None, right]
                if on_loss:
                    with on_loss:
                        plane.show(shown.figures["on_loss"], key="on_loss", fill=0.4, link=editing.BOARD, live=token)
                        st.caption(loss_graph.ON_LOSS)
                with text:
                    panels.formula(machine, setting, study)
                panels.solver(study, setting)
    points_table.editor(data)
    if data.task != "multiclass":
        tuning_panel.panel("playground", data, machine, setting)
        influence_map.section("playground", data, [machine], setting, [study], now.chosen)
    stem = f"{data.problem}-{machine.loss}"
    codes = {machine.name: snippet.code(data, machine, setting, session.unit(data), stem)}
    export.row(stem, data, setting, {machine: study}, picture, codes)
