"""One machine in depth."""

from pages.shared import frame

frame.begin("Playground", "One problem, one machine: its boundary, its support values, and how exactly it was solved.")

import streamlit as st

from pages.shared import controls, drawn, live, plane, session
from pages.shared.parts import editing, export, guards, influence_map, panels, points_table, tuning_panel
from pages.shared.studies import snippet

data = controls.data()
machine = controls.machine(data)
setting = controls.setting(data)

with guards.guarded():
    data = editing.points(data)
    controls.share(data)
    numbers = st.container()
    with editing.editing(data) as now:
        guards.enough(data)
        screen = drawn.Screen(data, (machine,), setting)
        shown = live.show("playground", screen, moving=now.moving, rev=editing.revision(data))
        (study,), picture, token = shown.studies, shown.figures["plane"], shown.token
        left, right = st.columns([0.56, 0.44], gap="medium")
        with left:
            plane.show(picture, key="plane", height=640, link=editing.BOARD, edit=True, live=token)
        with right:
            plane.show(shown.figures["spectrum"], key="spectrum", height=280, link=editing.BOARD, live=token)
            panels.formula(machine, setting, study)
            panels.solver(study, setting)
        with numbers:
            panels.advice(session.advice(data, setting))
            panels.headline(study)
    points_table.editor(data)
    tuning_panel.panel("playground", data, machine, setting)
    influence_map.section("playground", data, [machine], setting, [study], now.chosen)
    stem = f"{data.problem}-{machine.loss}"
    codes = {machine.name: snippet.code(data, machine, setting, study.unit, stem)}
    export.row(stem, data, setting, {machine: study}, picture, codes)
