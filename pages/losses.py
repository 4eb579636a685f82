"""Every loss on one axis, a card each, and what each makes of one outlier."""

from pages.shared import frame

frame.begin("Losses", "What a loss does to a margin, and to an outlier.")

import streamlit as st

from pages.shared import approach, controls, losses_page, panels

every, chosen = controls.looked_at()
what, weight = controls.curve()

with panels.guarded():
    losses_page.curves(every, chosen, what, weight)
    losses_page.cards(every, chosen)
    with st.expander("All losses in one table: the dual box, and how each is solved"):
        losses_page.table(every)

    st.subheader("One outlier on its way out", anchor=False)
    st.markdown(losses_page.SET_UP)
    kernel, distance = controls.lone_outlier(approach.KERNELS, approach.DISTANCES)
    controls.share(approach.DATA)
    if not chosen:
        st.info("Choose a loss to see what the outlier does to its machine.", icon=":material/tune:")
        st.stop()
    losses_page.outlier(chosen, kernel, distance)
    st.markdown(losses_page.LESSONS[kernel])
