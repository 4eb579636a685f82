"""Callbacks of a page that the reader has left, in Streamlit's own bookkeeping."""

from types import SimpleNamespace

import pytest
from streamlit.components.v2.bidi_component.state import ComponentResult
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

from pages.shared.page import callbacks, run


@pytest.fixture
def page(monkeypatch):
    """The page of a run; the session is a dictionary."""
    shown = SimpleNamespace(page_script_hash="one")
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(callbacks, "get_script_run_ctx", lambda **_: shown)
    return shown


@pytest.fixture
def session(page):
    return callbacks.st.session_state


def test_a_press_is_given_the_newest_values_and_does_nothing_without_them(page, session):
    taken = []
    press = callbacks.with_values(lambda *values: taken.append(values), "text", "low")
    press("too early")
    session.update(text="new", low=None)
    press("code")
    session["text"] = "of another page, with a widget under the same key"
    page.page_script_hash = "two"
    press("too late")
    assert taken == [("code", "new", None)]


class Widget:
    """A widget of Streamlit: it has its value in the session and keeps its callback."""

    def __init__(self, session, value, name="on_change"):
        self.session, self.value, self.name = session, value, name

    def __call__(self, label, *, key, width, **callback):
        self.key, self.changed = key, callback.pop(self.name)
        assert not callback and (label, width) == ("Label", 3)
        self.session[key] = self.value
        return f"shown {self.value}"

    def turn(self, value):
        self.session[self.key] = value
        self.changed()


def shown(session, value, taken, **options):
    widget = Widget(session, value, **{"name": options["on"]} if options else {})
    act = lambda *arguments: taken.append(arguments)  # noqa: E731
    assert callbacks.show_widget(widget, "Label", key="w", act=act, args=("a",), width=3, **options) == f"shown {value}"
    return widget


@pytest.mark.parametrize("options", [{}, {"on": "on_pick_change"}])
def test_a_change_is_heard_once(session, options):
    taken = []
    widget = shown(session, 1, taken, **options)
    widget.turn(2)
    widget.turn(2)  # Streamlit has lost what it was before
    widget.turn(1)  # back again, before the page was made
    assert taken == [("a", 2), ("a", 1)]


def test_a_value_that_was_set_by_the_page_is_no_change_and_that_of_a_widget_that_is_gone_neither(session):
    taken = []
    shown(session, 1, taken)
    widget = shown(session, 5, taken)
    widget.turn(5)
    del session["w"]
    widget.changed()
    assert taken == []


def test_a_component_has_a_value_for_every_name(session):
    taken, state = [], ComponentResult({"pick": {"x": 1.0}})
    shown(session, ComponentResult({}), taken).turn(state)
    assert taken == [("a", state)]


def test_the_content_of_a_file_is_not_kept(session):
    taken, file = [], UploadedFile(UploadedFileRec("7", "points.csv", "text/csv", bytes(1000)), None)
    shown(session, None, taken).turn(file)
    assert taken == [("a", file)] and run.session().seen == {"w": "7"}
