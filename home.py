"""Home: one live picture with its claim, the scenes beside it, the table of machines below."""

from pages.shared import frame

frame.begin("SVM Lab", "One problem, many support vector machines. Change the data and see which boundaries stay put.")

import streamlit as st

from pages.shared import controls, plane
from pages.shared.live import drawn, pictures
from pages.shared.parts import editing, guards, home

data = home.data(controls.flipped())

with guards.guarded():
    data = editing.edited(data)
    controls.share(data)
    with editing.editing(data) as now:
        left, right = st.columns([0.5, 0.5], gap="small")
        with left:
            rev = editing.revision(data)
            screen = drawn.Screen(data, home.LIVE, home.setting(data))
            shown = pictures.show("home", screen, moving=now.moving, rev=rev)
            edge = "All boundaries f = 0", shown.numbers["claim"], "claim"
            picture, token = shown.figures["live"], shown.token
            plane.show(picture, edge=edge, key="live", fill=1, link=editing.BOARD, edit=True, live=token)
        with right:
            home.scenes()
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        st.markdown(
            "A support vector machine computes a function f(x) = w·φ(x) + b. The sign of f is the predicted class, and "
            "f = 0 is the boundary. Every machine balances a wide margin against its errors; the machines differ in "
            "what an error costs. Flip labels and see how much that matters."
        )
        st.markdown("**A different penalty** instead of the squared norm, for sparser models:")
        home.sparser()
        home.source()
    with right:
        st.markdown(
            "**Four machines**, which differ in the constraint and in how they penalise the slack ξ of a point, by "
            "which y f falls short of 1. Open one:"
        )
        home.table()
        st.markdown("**Between these**")
        home.others()
        home.family()
    home.tour()
