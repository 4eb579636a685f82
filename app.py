"""The server: what `streamlit run app.py` starts. The first page is home.py, the others stand in pages/."""

import streamlit as st

from pages.shared import served, warm

app = st.App("home.py", lifespan=warm.lifespan, middleware=served.MIDDLEWARE)
