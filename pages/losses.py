"""Every loss on one axis, a card each, and what each makes of one outlier."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin("Losses", "What a loss does to a margin, and to an outlier.")

import streamlit as st

from pages.shared import controls, figures, plane, tables
from pages.shared.parts import loss_cards, loss_graph, outlier_sweep
from pages.shared.studies import lone_outlier

every, chosen = controls.looked_at()
what, weight = controls.curve()

with guards.guarded():
    st.caption(loss_graph.MEANING[what])
    curves = loss_graph.curves(every, chosen, what, weight)
    plane.show(figures.losses(curves, **figures.LOSS_AXES[what]), key="curves", height=430 + 20 * len(chosen))
    loss_cards.cards(chosen)
    loss_cards.folded([machine for machine in every if machine not in chosen])
    with st.expander("All losses in one table: the dual box, and how each is solved"):
        st.html(tables.grid(loss_cards.HEAD, loss_cards.rows(every)))

    st.subheader("One outlier on its way out", anchor=False)
    st.markdown(outlier_sweep.SET_UP)
    kernel, distance = controls.lone_outlier(lone_outlier.KERNELS, lone_outlier.DISTANCES)
    controls.share(lone_outlier.DATA)
    if not chosen:
        st.info("Choose a loss to see what the outlier does to its machine.", icon=":material/tune:")
        st.stop()
    outlier_sweep.section(chosen, kernel, distance)
    st.markdown(outlier_sweep.LESSONS[kernel])
