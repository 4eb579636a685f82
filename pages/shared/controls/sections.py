"""Folded sections, also those that a link opens: a field is in the link while its section is open, or stands beside the
picture.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

import streamlit as st

from pages.shared.controls.widgets import keep, raw_value, show
from pages.shared.page import url_state
from pages.shared.page.run import current
from pages.shared.screen.fields import Field
from pages.shared.screen.schema import BESIDE


@contextmanager
def expander(kind: str, page: str, title: str, icon: str) -> Iterator[bool]:
    """A folded part of the page, open on all pages or on none; yields whether it is open."""
    key, everywhere = f"{kind}-{page}", f"{kind}_open"  # a widget that two pages have is not the same one
    # written anew: one whose title changes is another widget
    st.session_state[key] = st.session_state.get(key, st.session_state.get(everywhere, False))
    with st.expander(title, icon=icon, key=key, on_change="rerun") as opened:
        st.session_state[everywhere] = opened.open
        yield opened.open


def is_open(page: str, field: Field) -> bool:
    """True if the section of a field will be open in this run, for what is computed above it."""
    if current().arrived and _is_named(field):
        return True
    return st.session_state.get(f"{field.name}-{page}", st.session_state.get(f"{field.name}_open", False))


@contextmanager
def fold(page: str, field: Field, title: str, icon: str, first) -> Iterator[bool]:
    """The `expander` of a section that is open if a link names the field; yields whether it is open.

    While it is open, the field has another value than its default, in the beginning `first`.
    """
    if is_open(page, field):
        st.session_state[f"{field.name}-{page}"] = True
    with expander(field.name, page, title, icon) as opened:
        if opened != _is_named(field):
            url_state.give(field.name, first if opened else None)
        keep(field)
        yield opened


def offer_chips(page: str, kinds: list[str], closed: Mapping[str, str]) -> Callable[[str], AbstractContextManager]:
    """Chips for the sections of these kinds, options of BESIDE; call it where the one that is pressed has its place.
    `closed` says of some of them why the points and machines do not have that section: their chips are grey.

    What it returns says where each section is written: `with at("tune"):` there, or else where that stands.
    """
    chosen = show(BESIDE.only([BESIDE.usual, *kinds]), closed=closed)
    before, st.session_state["section_beside"] = st.session_state.get("section_beside"), (page, chosen)
    if chosen != BESIDE.usual and before != (page, chosen):
        st.session_state[f"{chosen}-{page}"] = True
    place = st.container(key="section_brought")
    return lambda kind: place if kind == chosen else nullcontext()


def not_for(task: str) -> dict[str, str]:
    """{section: why} of those that the points of a task do not have, as in `offer_chips`."""
    kinds = {"multiclass": ["map", "best", "tune"], "regression": ["map", "best"]}.get(task, [])
    return dict.fromkeys(kinds, "These points are not of two classes.")


def _is_named(field):
    value = raw_value(field)
    return field.fits(value) and field.read(value) != field.usual
