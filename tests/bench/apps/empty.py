"""Streamlit and nothing else: a page with a sentence, below which no page of it can get."""

import streamlit as st

st.set_page_config(page_title="Empty", layout="wide")
st.write("Nothing but Streamlit.")
