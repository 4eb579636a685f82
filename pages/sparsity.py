"""The sparse LS-SVM: a few support vectors instead of all, and how the others die."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin("Sparsity", "The LS-SVM needs every point. Re-weighting leaves a few: watch the others die.")

import streamlit as st

from pages.shared import controls, session
from pages.shared.parts import editing, panels, player, sparse_machines
from pages.shared.studies import runs

data = controls.data()
setting = controls.setting(data)
how = controls.reweighting()

with guards.guarded():
    data = controls.view(editing.edited(controls.outlier(data)))
    controls.share(data)
    guards.enough(data, toolbar=True)
    runs.watchable(session.problem(data))
    st.markdown(sparse_machines.ABOUT)
    found = sparse_machines.studies(data, setting, how)
    sparse_machines.side_by_side(found)
    sparse_machines.advice(found)
    panels.counted(*found.values())
    panels.advice(session.advice(data, setting))

    st.subheader("Round by round", anchor=False)
    player.show(session.rounds(data, setting, how), f"{data.problem}-isls", (data, setting, how))
    sparse_machines.cells(data, setting, how)
    sparse_machines.search(data, setting, how)
