"""The sparse LS-SVM: few support vectors instead of all, and how the others are pruned."""

from pages.shared import frame

frame.begin(
    "Sparsity", "The LS-SVM needs every point. Re-weighting keeps a few and drives the other support values to zero."
)

from functools import partial

import streamlit as st

from pages.shared import controls, plane, session, tables
from pages.shared.live import drawn, pictures
from pages.shared.parts import cell_map, editing, guards, panels, player, sparse_comparison, tuning_panel
from pages.shared.studies import runs, sparsity

data = controls.data()
setting = controls.setting(data)
reweighting = controls.reweighting()

with guards.guarded():
    data = editing.points(data)
    controls.share(data)
    guards.one_machine(data)
    guards.enough(data, toolbar=True)
    runs.watchable(session.problem(data))
    with editing.editing(data) as now:
        screen = drawn.Screen(data, sparse_comparison.machines(data, reweighting), setting)
        shown = pictures.show("sparsity", screen, moving=now.moving, rev=editing.revision(data))
        common = {"link": editing.BOARD, "edit": True, "live": shown.token}
        studies = dict(zip(map(sparsity.title, screen.machines), shown.studies, strict=True))
        small, large = st.columns([0.49, 0.51], gap="small")
        with small:
            cells = panels.cells(4, 2)
        for cell, name in zip(cells, studies, strict=False):
            with cell:
                key, caption = f"machine-{name}", f"caption-{name}"
                edge = name, shown.numbers[caption], caption
                plane.show(shown.figures[key], edge=edge, key=key, fill=0.5, less=8, **common)
        rounds, run = session.rounds(data, setting, reweighting), (data, setting, reweighting)
        with large:
            rev = player.controlled(rounds, run, below=160)
        player.screen(rounds, 1, cells[-1], rev, fill=0.5, less=8)
    st.markdown(sparse_comparison.ABOUT)
    st.html(tables.grid(*sparse_comparison.table(studies), tips=sparse_comparison.TIPS))
    st.caption(sparse_comparison.WEIGHTED)
    if data.task == "regression":
        picture = shown.figures["residuals"]
        plane.show(picture, heading="Residuals", key="residuals", height=300, live=shown.token)
    sparse_comparison.advice(studies)
    panels.counted(*studies.values())
    panels.advice(session.advice(data, setting))

    st.header("Round by round", anchor=False)
    player.charts(rounds.charts, rev)
    player.facts(rounds)
    player.downloads(rounds, f"{data.problem}-isls")
    st.header("Which C and σ?", anchor=False)
    cell_map.section(data, setting, reweighting)
    estimator = partial(sparsity.estimator, data.task)
    tuning_panel.panel("sparsity", data, sparsity.machine(reweighting), setting, estimator)
