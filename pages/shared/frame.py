"""What every page begins with: title, width, menu, and the wait on a first start.

Only Streamlit is imported here, so that the frame of a page stands while numba and scikit-learn still load: a page calls
`begin` before its other imports.
"""

from pathlib import Path

import streamlit as st

from pages.shared import warm

MENU = {
    "app.py": ("Home", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
}

STYLE = """<style>
[class*="st-key-hidden-"], [data-testid="stLayoutWrapper"]:has(> [class*="st-key-hidden-"]) { display: none; }
[data-testid="stMainBlockContainer"] { padding: 3.6rem 2.5rem 3rem; max-width: 1500px; }
[data-testid="stSidebarHeader"] { height: 2.2rem; margin-bottom: 0; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.9rem; padding: 0; }
.svm-cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: 0.4rem 1rem; margin: 0; }
.svm-cards dt { font-size: 0.875rem; } .svm-cards dd { font-size: 1.35rem; margin: 0; }
.svm-scroll { overflow-x: auto; }
.svm-table { border-collapse: collapse; font-size: 0.875rem; }
.svm-table :is(th, td) { padding: 0.3rem 0.6rem; text-align: right; white-space: nowrap; font-weight: 400;
  border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
.svm-table th { text-align: left; font-weight: 600; } .svm-table thead th:not(:first-child) { text-align: right; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.6rem 1rem 2rem; } }
</style>"""
ICON = str(Path(__file__).with_name("icon.png"))


def begin(title, subtitle=None):
    """Title, menu and place for notes; stops the run while the first start is still preparing the solvers."""
    st.set_page_config(page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide")
    st.html(STYLE)
    with st.sidebar:
        for path, (label, icon) in MENU.items():
            st.page_link(path, label=label, icon=icon)
        st.divider()
    st.title(title, anchor=False)
    if subtitle:
        st.caption(subtitle)
    st.session_state["notes"] = st.container()
    st.session_state["links"] = st.container(key="hidden-links")
    _wait()


def _wait():
    progress = warm.start()
    if not progress.finished.is_set():
        _report(progress)
        st.stop()
    if progress.error:
        st.session_state["notes"].warning(f"The solvers could not be prepared in advance: {progress.error}")


@st.fragment(run_every=0.25)
def _report(progress):
    if progress.finished.is_set():
        st.rerun()
    st.progress(progress.step / len(warm.STEPS), text=progress.words)
