"""Home: what the app is about, one live picture, the table of machines, the scenes."""

from pages.shared import frame

frame.begin("SVM Lab", "One problem, many support vector machines. Change the data and see which boundaries stay put.")

import streamlit as st

from pages.shared import figures, plane
from pages.shared.parts import home

left, right = st.columns([0.5, 0.5], gap="large")
with left:
    st.markdown(
        "A support vector machine computes a function f(x) = w·φ(x) + b. The sign of f is the predicted class, and "
        "f = 0 is the boundary. Every machine balances a wide margin against its errors; the machines differ in what "
        "an error costs. Flip labels and see how that choice moves the boundary."
    )
    flips = st.slider("Flip labels, farthest first", 0, 6, 2, key="home_flips")
    curves, points = home.live(flips)
    plane.show(figures.overlay(curves, points), key="live", height=470)
    st.markdown("**A different penalty** instead of the squared norm, for sparser models:")
    home.sparser()
    home.source()
with right:
    st.markdown(
        "**Four machines**, which differ in the constraint and in how they penalise the slack ξ of a point, its "
        "distance to f = ±1. Open one:"
    )
    home.table()
    st.markdown("**Between these**")
    home.others()
    home.family()

st.header("Scenes", anchor=False, divider="gray")
home.scenes()
