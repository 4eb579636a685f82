"""Every loss on one axis, a card each, and what each makes of one outlier."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin("Losses", "What a loss does to a margin, and to an outlier.")

import streamlit as st

from pages.shared import controls
from pages.shared.parts import loss_cards
from pages.shared.studies import lone_outlier

every, chosen = controls.looked_at()
what, weight = controls.curve()

with guards.guarded():
    loss_cards.curves(every, chosen, what, weight)
    loss_cards.cards(every, chosen)
    with st.expander("All losses in one table: the dual box, and how each is solved"):
        loss_cards.table(every)

    st.subheader("One outlier on its way out", anchor=False)
    st.markdown(loss_cards.SET_UP)
    kernel, distance = controls.lone_outlier(lone_outlier.KERNELS, lone_outlier.DISTANCES)
    controls.share(lone_outlier.DATA)
    if not chosen:
        st.info("Choose a loss to see what the outlier does to its machine.", icon=":material/tune:")
        st.stop()
    loss_cards.outlier(chosen, kernel, distance)
    st.markdown(loss_cards.LESSONS[kernel])
