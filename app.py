"""The server: what `streamlit run app.py` starts. The first page is home.py, the others stand in pages/."""

import streamlit as st

from pages.shared.live import channel
from pages.shared.server import health, startup, static_files

ROUTES = [*channel.routes(), *health.routes(), *static_files.routes()]
app = st.App("home.py", routes=ROUTES, lifespan=startup.lifespan, middleware=static_files.MIDDLEWARE)
