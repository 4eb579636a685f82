"""What is carried from page to page: the settings of the controls and the query of the link. Imports only Streamlit."""

import streamlit as st
from streamlit.errors import StreamlitAPIException


def keep(names) -> None:
    """Store the values of the controls `names` and the query, with which a page from the menu begins."""
    state = st.session_state
    state["names"] = names
    state["kept"] = {**state.get("kept", {}), **{name: state[name] for name in names if name in state}}
    state["query"] = st.query_params.to_dict()


def settings() -> dict:
    """{name: value} of the controls of this screen, as `keep` stored them."""
    kept = st.session_state.get("kept", {})
    return {name: kept[name] for name in sorted(kept) if name in st.session_state and kept[name] is not None}


def give(name, value) -> None:
    """Set a control to a value before it is declared, in the session and in the link.

    Streamlit lets only the control itself write its parameter once it was shown in the run before.
    """
    st.session_state[name] = value
    try:
        st.query_params[name] = str(value).lower() if isinstance(value, bool) else str(value)
    except StreamlitAPIException:
        pass


def carry_over(page) -> None:
    """Start a page from the menu with the points and settings of the page before.

    A link with parameters is complete: what it leaves out is the default, not the value of the page before.
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
