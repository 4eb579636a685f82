"""Sections that a link opens: a field is in the link while its section is open, or stands beside the picture."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

import streamlit as st

from pages.shared.controls.widgets import keep, raw_value, show
from pages.shared.page import url_state
from pages.shared.page.job_panel import JobPanel
from pages.shared.page.run import current
from pages.shared.screen.fields import Field
from pages.shared.screen.schema import BESIDE


def is_open(panel: JobPanel, page: str, field: Field) -> bool:
    """True if the section will be open in this run, for what is computed above it."""
    if current().arrived and _is_named(field):
        return True
    return st.session_state.get(f"{panel.kind}-{page}", st.session_state.get(f"{panel.kind}_open", False))


@contextmanager
def fold(panel: JobPanel, page: str, field: Field, title: str, icon: str, first) -> Iterator[bool]:
    """`JobPanel.expander` of a section that is open if a link names the field; yields whether it is open.

    While it is open, the field has another value than its default, in the beginning `first`.
    """
    if is_open(panel, page, field):
        st.session_state.update({f"{panel.kind}-{page}": True, f"{panel.kind}_open": True})
    with panel.expander(page, title, icon) as opened:
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
