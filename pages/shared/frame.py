"""The start of every page: menu, the places of controls and notes, and the progress of a first start.

Only Streamlit is imported here, so that the frame of a page is visible while numba and scikit-learn still load: a page
calls `begin` before its other imports.
"""

from pathlib import Path

import streamlit as st

from pages.shared import carried, traffic, warm

MENU = {
    "home.py": ("SVM Lab", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
    "pages/losses.py": ("Losses", ":material/show_chart:"),
    "pages/convergence.py": ("Convergence", ":material/slow_motion_video:"),
    "pages/sparsity.py": ("Sparsity", ":material/filter_alt:"),
    "pages/feature_walk.py": ("Feature walk", ":material/directions_walk:"),
    "pages/papers.py": ("Papers", ":material/menu_book:"),
    "pages/room.py": ("Room", ":material/groups:"),
    "pages/help.py": ("Help", ":material/help:"),
}

STYLE = Path(__file__).with_name("frame.css")
ICON = str(Path(__file__).with_name("icon.png"))


def begin(title, subtitle=None) -> None:
    """Menu, title and a place for controls and notes; ends the run while the solvers are still being prepared.

    The title of the menu is that of the page; the heading itself is for readers who hear the page.
    """
    traffic.enter()
    state = st.session_state
    st.set_page_config(
        page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide", initial_sidebar_state="collapsed"
    )
    traffic.shield()
    st.html(STYLE)
    carried.take(title)
    state["redraw_menu"], state["paths"] = menu, list(MENU)
    state["path"] = next(path for path, (label, _) in MENU.items() if label == title)
    with st.container(key="nav", horizontal=True, gap="small", vertical_alignment="center"):
        state["menu"] = [(st.empty(), path) for path in MENU]
        menu()
        state["nav_end"] = st.container(key="nav_end", width="content", horizontal=True, gap="small")
    with st.container(key="heading"):
        st.title(title, anchor=False)
        if subtitle:
            st.caption(subtitle)
    state["room_place"] = st.container(key="room_line")
    state["sentence"], state["hint"] = "", subtitle or ""
    with st.container(key="controls", horizontal=True, gap="small"):
        state["strip_place"] = st.container(key="strip_place")
        state["aside"] = st.container(key="aside", width="content")
    state["scene_place"] = st.container(key="scene")
    state["notes"] = st.container()
    for text in state["refused"]:
        state["notes"].warning(text, icon=":material/info:")
    _wait()


def menu() -> None:
    """The links to all pages, with the settings of this one; once more where these have changed in this run."""
    query = st.session_state["menu_query"] = carried.query()
    for place, path in st.session_state["menu"]:
        label, icon = MENU[path]
        place.page_link(path, label=label, icon=icon, query_params=query)


def _wait():
    progress = warm.start()
    if not progress.finished.is_set():
        warm.preload()
        _report(progress)
        st.stop()
    if progress.error:
        st.session_state["notes"].warning(f"The solvers could not be prepared in advance: {progress.error}")


@st.fragment(run_every=0.2)  # more often it would delay what it reports
def _report(progress):
    if progress.finished.is_set():
        st.rerun()
    st.progress(progress.step / len(warm.STEPS), text=progress.message)
