"""A part that the browser asks for while the page is made, on a server too busy to send what the page has of it."""

import threading
import time
import urllib.request

import streamlit as st

from pages.shared.server import run_queue

BUSY = f"http://127.0.0.1:{st.get_option('server.port')}/busy"


def part():
    st.session_state.made = st.session_state.get("made", 0) + 1
    st.markdown(f"Part {st.session_state.made}")


if st.button("Again"):
    time.sleep(1.5)  # the browser asks
    threading.Thread(target=urllib.request.urlopen, args=(BUSY,)).start()
    time.sleep(0.2)
run_queue.repeat(part, 0.3)
st.session_state.pages = st.session_state.get("pages", 0) + 1
st.markdown(f"Page {st.session_state.pages}")
