"""The manual of the folder docs/ and the glossary, one subject at a time."""

from pages.shared import frame

frame.begin("Help", "The manual and the glossary.")

import streamlit as st

import svmcore
from pages.shared import controls
from pages.shared.parts import guards
from pages.shared.studies import manual

subject = controls.subject(manual.subjects())

with guards.guarded():
    controls.share()
    with st.columns([0.85, 0.15])[0]:
        st.markdown(manual.text(subject, controls.subject_address), unsafe_allow_html=True)
        st.caption(f"SVM Lab {svmcore.__version__}")
