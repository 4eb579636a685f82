"""The walk from the 2-norm to the 1-norm SVM: in two features, in all, and against how many of them matter."""

from pages.shared import frame

frame.begin("Feature walk", "From the 2-norm SVM, which uses every feature, to the 1-norm SVM, which picks a few.")

import streamlit as st

from pages.shared import controls, panels, walk_page

asked = controls.walk()

with panels.guarded():
    st.subheader("Two features", anchor=False)
    walk_page.two_features(asked)
    st.subheader("All features", anchor=False, divider="gray")
    walk_page.all_features(asked)
    st.subheader("How many features matter", anchor=False, divider="gray")
    walk_page.experiment(asked)
    controls.share()
