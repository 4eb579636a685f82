"""The server of repeat_demo.py, which can be kept busy."""

import time

import streamlit as st
from starlette.responses import Response
from starlette.routing import Route


async def be_busy(request):
    time.sleep(1.0)  # nothing is sent meanwhile
    return Response()


app = st.App("repeat_demo.py", routes=[Route("/busy", be_busy)])
