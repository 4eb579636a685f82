"""The manual of the folder docs/ and the glossary, one subject at a time."""

from pages.shared.page.page import page

with page("Help", "The manual and the glossary."):
    import streamlit as st

    import svmcore
    from pages.shared.controls import widgets
    from pages.shared.controls.page_controls import subject_address
    from pages.shared.screen import schema
    from pages.shared.studies import manual

    subject = widgets.show(schema.SUBJECT, options=manual.subjects())

    with st.columns([0.85, 0.15])[0]:
        st.markdown(manual.text(subject, subject_address), unsafe_allow_html=True)
        st.caption(f"SVM Lab {svmcore.__version__}")
