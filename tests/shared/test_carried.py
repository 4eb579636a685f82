"""What the strip of controls sent is used once, by the first run that comes to its end."""

from types import SimpleNamespace

import pytest

from pages.shared import carried

PAGE, LINK = "playground", {"n": "40"}


class Query(dict):
    """The parameters of a link, as Streamlit has them."""

    to_dict = dict.copy

    def from_dict(self, words):
        self.clear()
        self.update(words)


@pytest.fixture
def state(monkeypatch):
    state = dict(page=PAGE, links_written=(LINK, None, 0.0), reset_next=["C"], C=1.0)
    monkeypatch.setattr(carried, "st", SimpleNamespace(session_state=state, query_params=Query(LINK)))
    return state


def sent(state, name, values, action=None):
    state[carried.STRIP] = {"update": {"id": name, "values": values, "action": action}}


def ended():
    carried.keep(["C", "n"], dict(LINK))


def test_a_change_is_used_once(state):
    sent(state, "first", {"C": 2.0}, "draw")
    carried.take(PAGE)
    assert (state["changed"], state["action"]) == ({"C": 2.0}, "draw")
    ended()
    carried.take(PAGE)
    assert (state["changed"], state["action"]) == ({}, None)


def test_a_run_that_was_interrupted_loses_no_change_and_repeats_no_action(state):
    sent(state, "first", {"C": 2.0}, "draw")
    carried.take(PAGE)
    carried.take(PAGE)
    assert (state["changed"], state["action"]) == ({"C": 2.0}, None)
    sent(state, "second", {"C": 3.0})
    carried.take(PAGE)
    assert state["changed"] == {"C": 3.0}


def test_a_link_that_is_followed_after_an_interrupted_run_is_what_counts(state):
    sent(state, "first", {"C": 2.0})
    carried.take(PAGE)
    carried.st.query_params["C"] = "7"
    carried.take(PAGE)
    assert state["arrived"] and state["changed"] == {}


def test_a_reset_that_was_interrupted_is_made(state):
    sent(state, "first", {"C": 2.0}, carried.RESET)
    carried.take(PAGE)
    carried.take(PAGE)
    assert state["C"] is None and state["changed"] == {}
