"""Contaminated tables: which machine holds, up to which level, and how sure that is."""

from pages.shared.page.page import page

with page("Robustness", "Tables with contaminated training points: which machine holds, where, and how sure is it?"):
    import streamlit as st

    from pages.shared.controls.page_controls import choose_contamination
    from pages.shared.panels import contaminated_tables

    request, level = choose_contamination()
    contaminated_tables.section(request, level)
    st.caption(contaminated_tables.PROTOCOL)
