"""The server of plane_demo.py, with the script of the component."""

import streamlit as st

from pages.shared.live import served

app = st.App("plane_demo.py", routes=served.routes())
