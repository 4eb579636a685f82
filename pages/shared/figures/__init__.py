"""Pictures: arrays in, a Plotly figure out. No Streamlit, no fitting, no scoring, no randomness."""
