"""Where a browser finds plotly.js, and how it is fetched in advance. Light: only Streamlit is imported."""

from pathlib import Path

import streamlit as st

PRELOAD = """<script>
{
    const script = [...document.querySelectorAll("script[src]")].find(({ src }) => src.includes("/static/js/"));
    if (script) import(new URL("CHUNK", script.src).href).catch(() => {});
}
</script>"""


def chunks() -> list[str]:
    """Names of the files below static/js in which Streamlit ships plotly.js for its own charts: one, or none."""
    return sorted(path.name for path in (Path(st.__file__).parent / "static/static/js").glob("PlotlyChart.*.js"))


def preload() -> None:
    """Let the browser fetch plotly.js while the server prepares, so that the two times do not add up."""
    for name in chunks():
        st.html(PRELOAD.replace("CHUNK", name), unsafe_allow_javascript=True)
