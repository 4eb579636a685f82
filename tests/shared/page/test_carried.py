"""What the strip of controls sent is used once, by the first run that comes to its end."""

from types import SimpleNamespace

import pytest

from pages.shared.page import callbacks, url_state
from pages.shared.page.run import Run, current, session

PAGE, PATH, LINK = "Playground", "pages/playground.py", {"n": "40"}


class Query(dict):
    """The parameters of a link, as Streamlit has them."""

    to_dict = dict.copy

    def from_dict(self, words):
        self.clear()
        self.update(words)
        self.written = words


@pytest.fixture
def state(monkeypatch):
    """The session of a reader who is on this page; what Streamlit holds is a dictionary."""
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr("streamlit.query_params", Query(LINK))
    state = session()
    state.run, state.links, state.resettable, state.values = Run(PAGE, PATH), [LINK], ["C"], {"C": 1.0}
    return state


def sent(name, values, action=None):
    url_state.st.session_state[url_state.STRIP] = {"update": {"id": name, "values": values, "action": action}}


def ended(**more):
    """The run comes to its end, with these controls in the link."""
    current().shown = session().values = {**more, **LINK}
    url_state.keep(["C", "n"])


def test_a_change_is_used_once(state):
    sent("first", {"C": 2.0}, "draw")
    url_state.begin(PAGE, PATH)
    assert (state.run.changed, state.run.action) == ({"C": 2.0}, "draw")
    ended()
    url_state.begin(PAGE, PATH)
    assert (state.run.changed, state.run.action) == ({}, None)


def test_a_link_to_the_same_page_is_written_although_it_is_complete_and_stays_in_the_room(state):
    state.links, query = [{**LINK, "join": "QDJJH"}], url_state.st.query_params
    query.from_dict({"n": "50"})
    url_state.begin(PAGE, PATH)
    assert state.linked == {"n": "50", "join": "QDJJH"}
    current().shown, query.written = dict(query), None
    state.values = dict(query)
    url_state.keep(["n"])
    assert query.written == {"n": "50"}


@pytest.mark.parametrize("action, changed", [("draw", {"C": 2.0}), (url_state.RESET, {})])
def test_a_run_that_was_interrupted_loses_no_change_and_repeats_no_action(state, action, changed):
    sent("first", {"C": 2.0}, action)
    url_state.begin(PAGE, PATH)
    url_state.begin(PAGE, PATH)
    assert (state.run.changed, state.run.action) == (changed, None)
    assert state.values["C"] == (None if action == url_state.RESET else 1.0)
    sent("second", {"C": 3.0})
    url_state.begin(PAGE, PATH)
    assert state.run.changed == {"C": 3.0}


def test_a_link_that_is_followed_after_an_interrupted_run_is_what_counts(state):
    sent("first", {"C": 2.0})
    url_state.begin(PAGE, PATH)
    url_state.st.query_params["C"] = "7"
    url_state.begin(PAGE, PATH)
    assert state.run.arrived and state.run.changed == {}


@pytest.mark.parametrize("whole", [False, True])
def test_a_change_goes_along_to_a_page_whose_link_in_the_menu_does_not_have_it_yet(state, whole):
    sent("first", {"C": 2.0})
    url_state.begin(PAGE, PATH)
    if whole:
        ended(C="2")
    url_state.st.query_params.from_dict(LINK)
    run = url_state.begin("Compare", "pages/compare.py")
    assert (state.linked, run.changed) == (({"C": "2", **LINK}, {}) if whole else (LINK, {"C": 2.0}))
    state.written_at = -url_state.LATE  # long ago: a link of the page to the same screen as before
    url_state.begin("Losses", "pages/losses.py")
    assert state.linked == LINK


def test_a_link_that_is_followed_right_after_a_change_is_written_anew(state, monkeypatch):
    """The browser can have the link with the change after it has gone to the other page, and that link likewise."""
    written, now = [], 100.0
    monkeypatch.setattr(Query, "from_dict", lambda _, words: written.append(words))
    monkeypatch.setattr(url_state, "time", SimpleNamespace(monotonic=lambda: now))
    state.written_at = now
    for waited, title in ((1.5, "Compare"), (1.5, PAGE), (2.5, "Compare")):
        now += waited
        url_state.st.query_params["C"] = title
        url_state.begin(title, PATH)
    assert written == [{"C": "Compare", **LINK}, {"C": PAGE, **LINK}]


def test_a_change_that_comes_late_is_one_of_this_page_and_a_link_is_followed(state, monkeypatch):
    """The browser has sent both changes before it knew the link of any; then its reader goes back to that by a link."""
    monkeypatch.setattr(url_state, "LATE", 0.0)
    acts = (lambda: sent("a", {"C": 2.0}), lambda: sent("b", {"C": 3.0}), callbacks.with_values(lambda: None), str)
    arrived = []
    for number, act in enumerate(acts):
        url_state.st.query_params.from_dict(LINK)
        act()
        arrived.append(url_state.begin(PAGE, PATH).arrived)
        ended(C=str(number))
    assert arrived == [False, False, False, True]
    assert state.links == [LINK, {"C": "3", "n": "40"}]


def test_a_change_and_its_opposite_before_the_browser_knows_a_link_end_in_the_link_of_the_page(state):
    """The link of the first change reaches the browser later than its second request, which has none of it."""
    query = url_state.st.query_params
    for name, link in (("a", {"C": "2"}), ("b", {})):
        query.from_dict(LINK)
        sent(name, {"C": float(link.get("C", 1.0))})
        url_state.begin(PAGE, PATH)
        query.written = None
        ended(**link)
        assert query.written == {**LINK, **link}


def test_a_change_with_another_link_says_nothing_of_this_one(state, monkeypatch):
    """Such as one in a part of a page that is made by itself, where no run of the page follows."""
    monkeypatch.setattr(url_state, "LATE", 0.0)
    ended()
    state.links.append({"C": "9"})
    url_state.st.query_params.from_dict({"C": "9"})
    callbacks.with_values(lambda: None)()
    url_state.st.query_params.from_dict(LINK)
    assert url_state.begin(PAGE, PATH).arrived


def test_links_that_the_browser_has_gone_beyond_are_followed(state):
    for number in range(2):
        url_state.begin(PAGE, PATH)
        ended(C=str(number))
    url_state.begin(PAGE, PATH)
    url_state.st.query_params.from_dict(LINK)
    assert url_state.begin(PAGE, PATH).arrived
