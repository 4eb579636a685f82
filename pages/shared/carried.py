"""The values of the controls: in the session, in the link, and what the strip of controls sent. Imports only Streamlit.

The value of a control is st.session_state[name] and belongs to no widget. At the beginning of a run `take` notes what a
link says and what was changed on the page; each control checks its own part of that when it is shown. At the end `keep`
writes the link, once, so that one change is one entry in the history of the browser.
"""

import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

STRIP = "strip"  # key of the component with the controls
RESET = "reset"  # the action that sets all controls of the page to their defaults
OF_ONE_PAGE = ("step",)  # what means something else on another page
LATE = 2.0  # seconds within which a request may still have the link from before the last run


def take(page) -> None:
    """Begin a run of `page`: read its link if it is another one, and the changes that the strip sent."""
    state = st.session_state
    link = st.query_params.to_dict()
    state["arrived"] = _arrived(page, link)
    if state["arrived"]:
        for name in state.get("names", ()):
            state.pop(name, None)
        state["linked"], state["refused"] = dict(link), []
    state["page"], state["shown"], state["dropped"] = page, {}, set()
    state["changed"], state["action"] = {}, None
    state.update(words={}, items=[], resettable=[], numbers=[], strip_done=False)
    update = (state.get(STRIP) or {}).get("update")
    if not update or update["id"] == state.get("taken"):
        return
    again = update["id"] == state.get("heard")  # that run was interrupted, and may not have come to these controls
    if again and state["arrived"]:
        return
    state["changed"] = dict(update["values"])
    if update["action"] == RESET:
        for name in state.get("reset_next", ()):
            forget(name)
    if not again:
        state["heard"], state["refused"], state["action"] = update["id"], [], update["action"]


def show_refused() -> None:
    """All that cannot be used of the link, as one note."""
    state, texts = st.session_state, st.session_state["refused"]
    if texts:
        state["refusals"] = state["refusals"] or state["notes"].empty()  # an empty place would move the page
        listed = texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)
        state["refusals"].warning(listed, icon=":material/info:")


def _arrived(page, link):
    """Whether the reader followed a link, the menu, or the arrows of the browser, rather than changed this page.

    A request that the browser sent before it knew the newest link has the one before.
    """
    state = st.session_state
    written, before, when = state.get("links_written", (None, None, 0.0))
    if written is None or page != state.get("page"):
        return True
    if getattr(get_script_run_ctx(), "is_history_navigation", False):
        return True
    return link != written and not (link == before and time.monotonic() - when < LATE)


def keep(names, words) -> None:
    """Write `words` {name: text} to the link, and store the values of the controls that this run has shown.

    `names` are those of all controls: what the link has for one that is not on this page stays in it.
    """
    state, link = st.session_state, st.query_params.to_dict()
    here = {*state["shown"], *state["dropped"]}
    elsewhere = {name: text for name, text in link.items() if name in names and name not in here}
    state["names"] = names
    state["kept"] = {**state.get("kept", {}), **{name: state[name] for name in state["shown"]}}
    state["taken"] = state.get("heard")
    query = {**elsewhere, **words}
    written, *_ = state.get("links_written", (None,))
    if query != link:
        st.query_params.from_dict(query)
    if query != written:
        state["links_written"] = query, written, time.monotonic()


def query() -> dict:
    """{name: text} of the link that a page from the menu begins with."""
    written, *_ = st.session_state.get("links_written", (None,))
    return {name: text for name, text in (written or {}).items() if name not in OF_ONE_PAGE}


def settings() -> dict:
    """{name: value} of the controls that have been shown, on this page or on others."""
    kept = st.session_state.get("kept", {})
    return {name: kept[name] for name in sorted(kept) if kept[name] is not None}


def give(name, value) -> None:
    """Set a control to a value before it is shown."""
    st.session_state[name] = value
    st.session_state.get("linked", {}).pop(name, None)
    st.session_state.get("changed", {}).pop(name, None)


def forget(name) -> None:
    """Set a control to its default before it is shown, also in the link if this page does not show it."""
    give(name, None)
    st.session_state.setdefault("dropped", set()).add(name)
