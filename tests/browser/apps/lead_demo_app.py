"""An app of two pages: a part of the first one, which renews itself, leads to the second one, which takes long."""

import time

import streamlit as st

from pages.shared.page import url_state
from pages.shared.server import run_queue


def first():
    st.markdown("Page 1")
    run_queue.repeat(lead, 0.3)


def lead():
    if st.button("Go"):
        st.session_state.since = time.monotonic()
    if since := st.session_state.get("since"):
        url_state.lead_to(pages[1], {"by": "part"}, since=since)


def second():
    time.sleep(1.5)
    run_queue.repeat(lambda: st.markdown("Part of page 2"), 0.3)
    st.markdown("Page 2")


pages = [st.Page(first), st.Page(second)]
st.navigation(pages).run()
