"""Callbacks of widgets before the run that they start, also if the reader has just gone to another page.

Streamlit calls the callbacks of the page before, too: a press and a change of page can reach the server together, and a
message that the browser has sent from one page can come after the first run of the next. The values of the other
widgets are then gone, or those of another page under the same key; and a widget counts as changed because its last
value is gone. So no callback reads the value of a widget from the session: it is called with the values that it needs,
or not at all. Only Streamlit is imported here.
"""

from collections.abc import Callable
from functools import partial
from io import BytesIO

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.page.run import session

GONE = object()


def with_values(act: Callable, *keys: str) -> Callable:
    """A callback `act(*arguments, *values)` with the values of the widgets of this page that have these keys.

    It does nothing once the page has been left, because the values are those of this page.
    """
    page = _page()

    def call(*arguments):
        values = [st.session_state.get(key, GONE) for key in keys]
        if page == _page() and not any(value is GONE for value in values):
            note_change()
            act(*arguments, *values)

    return call


def show_widget(make: Callable, *arguments, key: str, act: Callable, args=(), on="on_change", now=GONE, **options):
    """The widget `make(*arguments, key=key, **options)`, and `act(*args, value)` when its value has become another.

    `on` is the name under which the widget takes its callback, `now` its value where that is kept elsewhere, too.
    """
    if now is not GONE and st.session_state.get(key) != now:
        st.session_state[key] = now
    result = make(*arguments, key=key, **options, **{on: partial(_call_if_changed, key, act, *args)})
    session().seen[key] = _name(st.session_state.get(key, GONE))
    return result


def note_change() -> None:
    """The run to come begins with a change of its page by the reader, with whatever link."""
    session().acted = st.query_params.to_dict()


def _call_if_changed(key, act, *args):
    value = st.session_state.get(key, GONE)
    seen = session().seen  # the values that widgets were last shown with, or called back for
    if value is GONE or seen.get(key, GONE) == _name(value):
        return
    seen[key] = _name(value)
    note_change()
    act(*args, value)


def _name(value):
    """The value, or the name that Streamlit has given to a file, whose content need not be kept.

    Only a file is asked for that name: the state of a component answers None for any attribute.
    """
    return value.file_id if isinstance(value, BytesIO) else value


def _page():
    context = get_script_run_ctx(suppress_warning=True)
    return context.page_script_hash if context else ""
