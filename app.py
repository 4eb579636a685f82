"""The server: what `streamlit run app.py` starts. The first page is home.py, the others stand in pages/."""

import streamlit as st

from pages.shared import traffic, warm
from pages.shared.live import channel, served

ROUTES = [*channel.routes(), *traffic.routes(), *served.routes()]
app = st.App("home.py", routes=ROUTES, lifespan=warm.lifespan, middleware=served.MIDDLEWARE)
