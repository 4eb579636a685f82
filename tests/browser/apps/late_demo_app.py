"""A page that is asked for while the server clears up after a part of it, in whose thread it is then made."""

import time

import streamlit as st

from pages.shared.server import run_queue


class Rubbish:
    """Is collected after a run, which takes a while."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        time.sleep(0.5)


def part():
    st.markdown("Part")
    Rubbish()


with run_queue.from_the_top():
    with st.container(key="place"):
        run_queue.repeat(part, 0.2)
    st.button("Again")
    st.session_state.pages = st.session_state.get("pages", 0) + 1
    st.markdown(f"Page {st.session_state.pages}")
