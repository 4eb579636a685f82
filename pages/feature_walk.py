"""The walk from the 2-norm to the 1-norm SVM: in two features, in all, and against how many of them matter."""

from pages.shared import frame
from pages.shared.parts import guards

frame.begin("Feature walk", "From the 2-norm SVM, which uses every feature, to the 1-norm SVM, which picks a few.")

import streamlit as st

from pages.shared import controls
from pages.shared.parts import walk_films

asked = controls.walk()

with guards.guarded():
    st.subheader("Two features", anchor=False)
    walk_films.two_features(asked)
    st.subheader("All features", anchor=False, divider="gray")
    walk_films.all_features(asked)
    st.subheader("How many features matter", anchor=False, divider="gray")
    walk_films.experiment(asked)
    controls.share()
