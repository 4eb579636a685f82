"""What every page begins with: title, width, menu, and the wait on a first start.

Only Streamlit is imported here, so that the frame of a page stands while numba and scikit-learn still load: a page
calls `begin` before its other imports.
"""

from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared import plotlyjs, warm

MENU = {
    "app.py": ("Home", ":material/home:"),
    "pages/playground.py": ("Playground", ":material/tune:"),
    "pages/compare.py": ("Compare", ":material/grid_view:"),
    "pages/losses.py": ("Losses", ":material/show_chart:"),
    "pages/convergence.py": ("Convergence", ":material/slow_motion_video:"),
    "pages/papers.py": ("Papers", ":material/menu_book:"),
}

STYLE = Path(__file__).with_name("frame.css")
ICON = str(Path(__file__).with_name("icon.png"))


def begin(title, subtitle=None):
    """Title, menu and place for notes; stops the run while the first start is still preparing the solvers."""
    st.set_page_config(page_title=f"{title} · SVM Lab", page_icon=ICON, layout="wide")
    st.html(STYLE)
    _carry_over(title)
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


def keep(names):
    """What the controls `names` and the address say now: a page from the menu begins with it."""
    state = st.session_state
    state["names"] = names
    state["kept"] = {**state.get("kept", {}), **{name: state[name] for name in names if name in state}}
    state["query"] = st.query_params.to_dict()


def cells(count, across, gap="small"):
    """At least `count` places, `across` in a row, from left to right and from top to bottom."""
    return [cell for _ in range(0, count, across) for cell in st.columns(across, gap=gap)]


def settings():
    """{name: value} of the controls of this screen, as `keep` has seen them."""
    kept = st.session_state.get("kept", {})
    return {name: kept[name] for name in sorted(kept) if name in st.session_state and kept[name] is not None}


def give(name, value):
    """Give a control its value before it is declared, and the link, too.

    Streamlit lets a control that was there in the run before write its own parameter, and none else.
    """
    st.session_state[name] = value
    try:
        st.query_params[name] = str(value).lower() if isinstance(value, bool) else str(value)
    except StreamlitAPIException:
        pass


def _carry_over(page):
    """A page from the menu begins with the points and settings of the page before.

    A link that says something is taken at its word: what it leaves out is the default, whatever was seen before.
    """
    state = st.session_state
    before, state["page"] = state.get("page"), page
    if before in (None, page) or "kept" not in state:
        return
    if st.query_params:
        for name in set(state["names"]) - set(st.query_params):
            state.pop(name, None)
    else:
        state.update(state["kept"])
        st.query_params.from_dict(state["query"])


def _wait():
    progress = warm.start()
    if not progress.finished.is_set():
        plotlyjs.preload()
        _report(progress)
        st.stop()
    if progress.error:
        st.session_state["notes"].warning(f"The solvers could not be prepared in advance: {progress.error}")


@st.fragment(run_every=0.1)
def _report(progress):
    if progress.finished.is_set():
        st.rerun()
    st.progress(progress.step / len(warm.STEPS), text=progress.words)
