"""The sparse LS-SVM: a few support vectors instead of all, and how the others die."""

from pages.shared import frame

frame.begin("Sparsity", "The LS-SVM needs every point. Re-weighting leaves a few: watch the others die.")

import streamlit as st

from pages.shared import controls, hand, panels, session, sparsity_page, theatre, watching

data = controls.data()
setting = controls.setting(data)
how = controls.reweighting()

with panels.guarded():
    data = controls.view(hand.edited(controls.outlier(data)))
    controls.share(data)
    panels.enough(data, toolbar=True)
    watching.watchable(session.problem(data))
    st.markdown(sparsity_page.ABOUT)
    found = sparsity_page.studies(data, setting, how)
    sparsity_page.side_by_side(found)
    sparsity_page.advice(found)
    panels.counted(*found.values())
    panels.advice(session.advice(data, setting))

    st.subheader("Round by round", anchor=False)
    theatre.show(session.rounds(data, setting, how), f"{data.problem}-isls", (data, setting, how))
    sparsity_page.cells(data, setting, how)
    sparsity_page.search(data, setting, how)
