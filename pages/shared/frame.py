"""The start of every page: menu, the places of controls and notes, and the progress of a first start.

Only Streamlit is imported here, so that the frame of a page is visible while numba and scikit-learn still load: a page
calls `begin` before its other imports.
"""

import functools
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.shared import carried, delivery, traffic, warm

MENU = {
    "home.py": ("SVM Lab", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
    "pages/losses.py": ("Losses", ":material/show_chart:"),
    "pages/convergence.py": ("Convergence", ":material/slow_motion_video:"),
    "pages/sparsity.py": ("Sparsity", ":material/filter_alt:"),
    "pages/feature_walk.py": ("Feature walk", ":material/directions_walk:"),
    "pages/papers.py": ("Papers", ":material/menu_book:"),
    "pages/lessons.py": ("Lessons", ":material/school:"),
    "pages/room.py": ("Room", ":material/groups:"),
    "pages/teach.py": ("Teach", ":material/co_present:"),
    "pages/help.py": ("Help", ":material/help:"),
}

FIRST = {  # what to try first on a page, by its title; nothing where the page itself says so
    "SVM Lab": "First: drag a point, or double-click one to change its class, and see which boundaries move.",
    "Playground": "First: drag a point across the boundary and watch its support value.",
    "Compare": "First: choose outliers, then see in each picture by how much its boundary turned.",
    "Losses": "First: pull the slider of the outlier outwards and see which boundaries turn, and when.",
    "Convergence": "First: press Play, or step with the arrow keys.",
    "Sparsity": "First: press Play and see which support vectors are pruned, round by round.",
    "Feature walk": "First: press Play and see the circle become an ellipse and the optimum move to the 1-norm SVM.",
    "Papers": "First: open the claims of a paper and see which are confirmed.",
    "Lessons": "",
    "Room": "First: open a room and join it with a phone.",
    "Teach": "",
    "Help": "",
}

UPDATE = 0.2  # seconds between two reports on the first start; more of them would slow it down
ICON = str(Path(__file__).with_name("icon.png"))


def begin(title, subtitle=None) -> None:
    """Menu, title and a place for controls and notes; waits, and says so, while the solvers are being prepared.

    The title of the menu is that of the page; the heading itself is for readers who hear the page.
    """
    traffic.enter()
    state = st.session_state
    st.set_page_config(
        page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide", initial_sidebar_state="collapsed"
    )
    traffic.shield()
    _prepare_browser()
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
    state["sentence"], state["hint"] = "", FIRST.get(title, subtitle or "")
    with st.container(key="controls", horizontal=True, gap="small"):
        state["strip_place"] = st.container(key="strip_place")
        state["aside"] = st.container(key="aside", width="content")
    state["scene_place"] = st.container(key="scene")
    state["notes"] = st.container()
    state["refusals"] = None
    carried.show_refused()
    _wait()


def _prepare_browser():
    """Let a new browser load what shows components while this run is still at work: one comes ahead of the pictures."""
    if delivery.gathers():
        _nothing_to_see()(key="ahead", height="content")
        delivery.ahead()


@functools.cache
def _nothing_to_see() -> Callable:
    return st.components.v2.component("svm_ahead", html="<i></i>")


def menu() -> None:
    """The links to all pages, with the settings of this one; once more where these have changed in this run."""
    query = st.session_state["menu_query"] = carried.query()
    for place, path in st.session_state["menu"]:
        label, icon = MENU[path]
        place.page_link(path, label=label, icon=icon, query_params=query)


def _wait():
    progress = warm.start()
    with st.session_state["notes"]:
        if not progress.finished.is_set():
            warm.preload()
            place = st.empty()
            while not progress.finished.wait(UPDATE):
                place.progress(progress.step / len(warm.STEPS), text=progress.message)
            place.empty()
        if progress.error:
            st.warning(f"The solvers could not be prepared in advance: {progress.error}")
