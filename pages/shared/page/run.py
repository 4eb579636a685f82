"""The present run of a page, and what its session keeps from run to run. Imports only Streamlit.

Any module reaches them by `current()` and `session()`, a callback and a part that renews itself, too: they find the
last run of their page.
"""

import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

KEY = "svm_lab"  # of the record in st.session_state
HALF = re.compile("[\ud800-\udfff]")


class Unfinished(Exception):
    """The page has said what is missing; the rest of it is left out."""


@dataclass
class Places:
    """Containers for what a page fills in another order than it shows it, from top to bottom."""

    menu: list[tuple[DeltaGenerator, str]] = field(default_factory=list)  # with the path of each page
    menu_end: DeltaGenerator | None = None
    room: DeltaGenerator | None = None
    strip: DeltaGenerator | None = None
    beside_strip: DeltaGenerator | None = None
    scene: DeltaGenerator | None = None
    notes: DeltaGenerator | None = None
    refusals: DeltaGenerator | None = None


@dataclass
class Run:
    """One run of a page.

    title, path: its page; arrived: the reader followed a link, the menu, or the arrows of the browser; again: from the
    same page; tour: a first visit is shown around.
    """

    title: str
    path: str
    arrived: bool = True
    again: bool = False
    tour: bool = True
    places: Places = field(default_factory=Places)
    menu_query: dict[str, str] = field(default_factory=dict)  # of the links in the menu
    # what the strip sent and no control has taken yet, and the button that was pressed in it
    changed: dict[str, Any] = field(default_factory=dict)
    action: str | None = None
    # the controls of the page: {name: text in the link, None for a default}, and what the strip is sent of them
    shown: dict[str, str | None] = field(default_factory=dict)
    items: list[dict] = field(default_factory=list)
    resettable: dict[str, str] = field(default_factory=dict)  # {name: label} of the controls that "Reset" means
    dropped: set[str] = field(default_factory=set)  # no longer in the link, although the page does not show them
    # below the controls: numbers (key, name, value, tip), what the last edit did, what to try first
    numbers: list[list[str]] = field(default_factory=list)
    sentence: str = ""
    hint: str = ""

    def note(self, text: str) -> None:
        """Show a sentence at the top of the page: something that was requested could not be done."""
        self.places.notes.warning(text, icon=":material/info:")

    def refuse(self, text: str) -> None:
        """Note on a part of the link that cannot be used; it stays until the reader changes something."""
        session().refused.append(text)
        self.show_refused()

    def show_refused(self) -> None:
        """All that cannot be used of the link, as one note."""
        texts, places = session().refused, self.places
        if texts:
            places.refusals = places.refusals or places.notes.empty()  # an empty place would move the page
            listed = texts[0] if len(texts) == 1 else "\n".join(f"- {text}" for text in texts)
            places.refusals.warning(listed, icon=":material/info:")

    def end(self, sentence: str) -> NoReturn:
        """End the page with a sentence on what is missing; the controls stay. `st.stop` would not send them.

        What to try first is left out: it is about pictures that are not there.
        """
        self.hint = ""
        st.info(sentence, icon=":material/tune:")
        raise Unfinished


@dataclass
class Session:
    """State that a session keeps from run to run."""

    run: Run | None = None  # the present one, between two runs the last
    values: dict[str, Any] = field(default_factory=dict)  # of the controls since the reader arrived at this page
    kept: dict[str, Any] = field(default_factory=dict)  # the same of all pages
    brought: dict[str, Any] = field(default_factory=dict)  # values of a file that no control has taken yet
    linked: dict[str, str] = field(default_factory=dict)  # the same of the link
    refused: list[str] = field(default_factory=list)  # sentences on parts of the link
    links: list[dict[str, str]] = field(default_factory=list)  # from one that the browser may still have to the newest
    written_at: float = 0.0  # when a link was last sent to the browser
    acted: dict[str, str] | None = None  # the link of a callback since which no run has come to its end
    heard: str | None = None  # the newest message of the strip, and the newest that a whole run has used
    taken: str | None = None
    ended: str = ""  # a sentence on work in the background that no strip has said yet
    resettable: list[str] = field(default_factory=list)  # the controls that "Reset" in the strip means
    seen: dict[str, Any] = field(default_factory=dict)  # see `callbacks`
    files: dict[str, Any] = field(default_factory=dict)  # set -> `results.Given`, a file in its place


def session() -> Session:
    try:
        return st.session_state[KEY]
    except KeyError:
        kept = st.session_state[KEY] = Session()
        return kept


def read_state(key: str, name: str, /, **kinds) -> dict | None:
    """The state of that name of the component `key`; None for none, and for one without values of these `kinds`, whose
    texts can be sent again.
    """
    state = st.session_state.get(key)
    told = state.get(name) if state else None
    whole = isinstance(told, dict) and all(_is_one(told.get(part), kind) for part, kind in kinds.items())
    return told if whole else None


def _is_one(value, kind):
    """True for a value of this kind, and of texts for one without halves of characters, which no message can carry."""
    return isinstance(value, kind) and not (isinstance(value, str) and HALF.search(value))


def current() -> Run:
    """The present run of this session, between two runs the last one."""
    return session().run
