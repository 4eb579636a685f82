"""The start of every page: title, width, menu, and the progress of a first start.

Only Streamlit is imported here, so that the frame of a page is visible while numba and scikit-learn still load: a page
calls `begin` before its other imports.
"""

from pathlib import Path

import streamlit as st

from pages.shared import carried, plotlyjs, warm

MENU = {
    "home.py": ("Home", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
    "pages/losses.py": ("Losses", ":material/show_chart:"),
    "pages/convergence.py": ("Convergence", ":material/slow_motion_video:"),
    "pages/sparsity.py": ("Sparsity", ":material/filter_alt:"),
    "pages/feature_walk.py": ("Feature walk", ":material/directions_walk:"),
    "pages/papers.py": ("Papers", ":material/menu_book:"),
    "pages/help.py": ("Help", ":material/help:"),
}

STYLE = Path(__file__).with_name("frame.css")
ICON = str(Path(__file__).with_name("icon.png"))


def begin(title, subtitle=None) -> None:
    """Title, menu and a place for notes; ends the run while the first start is still preparing the solvers."""
    st.set_page_config(page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide")
    st.html(STYLE)
    carried.carry_over(title)
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
        plotlyjs.preload()
        _report(progress)
        st.stop()
    if progress.error:
        st.session_state["notes"].warning(f"The solvers could not be prepared in advance: {progress.error}")


@st.fragment(run_every=0.2)  # more often it would delay what it reports
def _report(progress):
    if progress.finished.is_set():
        st.rerun()
    st.progress(progress.step / len(warm.STEPS), text=progress.message)
