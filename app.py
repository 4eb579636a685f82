"""Home: what this is, the table of machines, one live picture, the scenes."""

from pages.shared import frame

frame.begin("SVM Lab", "One problem, many support vector machines. Move the data, and see who holds.")

import streamlit as st

from pages.shared import figures, plane
from pages.shared.parts import home

left, right = st.columns([0.5, 0.5], gap="large")
with left:
    st.markdown(
        "Every support vector machine balances a wide margin against its errors. They differ in one choice: what an "
        "error costs. Flip labels, and watch what that choice does to the boundary."
    )
    flips = st.slider("Flip labels, farthest first", 0, 6, 2, key="home_flips")
    curves, points = home.live(flips)
    plane.show(figures.overlay(curves, points), key="live", height=470)
    st.markdown("**Another penalty** than the squared norm, to need less. Watch it work:")
    home.fewer()
    home.source()
with right:
    st.markdown("**Four machines**, by how they count slacks and write the constraint. Open one:")
    home.table()
    st.markdown("**In between**")
    home.others()
    home.family()

st.subheader("Scenes", anchor=False, divider="gray")
home.scenes()
