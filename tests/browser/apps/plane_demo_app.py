"""The server of plane_demo.py, with the script of the component."""

import streamlit as st

from pages.shared.server import static_files

app = st.App("plane_demo.py", routes=static_files.routes())
