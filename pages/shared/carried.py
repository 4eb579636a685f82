"""What travels from page to page: the settings of the controls and the query of the link. Imports only Streamlit."""

import streamlit as st
from streamlit.errors import StreamlitAPIException


def keep(names):
    """What the controls `names` and the address say now: a page from the menu begins with it."""
    state = st.session_state
    state["names"] = names
    state["kept"] = {**state.get("kept", {}), **{name: state[name] for name in names if name in state}}
    state["query"] = st.query_params.to_dict()


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


def over(page):
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
