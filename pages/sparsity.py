"""The sparse LS-SVM: few support vectors instead of all, and how the others are pruned."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin(
    "Sparsity", "The LS-SVM needs every point. Re-weighting keeps a few and drives the other support values to zero."
)

from functools import partial

import streamlit as st

from pages.shared import controls, figures, plane, session, tables
from pages.shared.parts import cell_map, editing, panels, player, sparse_comparison, tuning_panel
from pages.shared.studies import runs, sparsity

data = controls.data()
setting = controls.setting(data)
reweighting = controls.reweighting()

with guards.guarded():
    data = editing.points(data)
    controls.share(data)
    guards.enough(data, toolbar=True)
    runs.watchable(session.problem(data))
    st.markdown(sparse_comparison.ABOUT)
    studies = sparse_comparison.studies(data, setting, reweighting)
    for cell, (name, study) in zip(panels.cells(3, 3, gap="medium"), studies.items(), strict=True):
        with cell:
            rings = sparse_comparison.ringed(study)
            picture = figures.picture(study.field, study.points, ringed=rings, compact=True)
            plane.show(picture, heading=name, key=f"machine-{name}", height=300, link="sparsity")
            st.caption(sparse_comparison.caption(study))
    st.html(tables.grid(*sparse_comparison.table(studies), tips=sparse_comparison.TIPS))
    st.caption(sparse_comparison.WEIGHTED)
    if data.task == "regression":
        plane.show(sparse_comparison.residuals(studies), heading="Residuals", key="residuals", height=300)
    sparse_comparison.advice(studies)
    panels.counted(*studies.values())
    panels.advice(session.advice(data, setting))

    st.header("Round by round", anchor=False)
    player.show(session.rounds(data, setting, reweighting), f"{data.problem}-isls", (data, setting, reweighting))
    st.header("Which C and σ?", anchor=False)
    cell_map.section(data, setting, reweighting)
    estimator = partial(sparsity.estimator, data.task)
    tuning_panel.panel("sparsity", data, sparsity.machine(reweighting), setting, estimator)
