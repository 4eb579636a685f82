"""The link of a screen: what may be in it, what it leaves out, and how it is passed on."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared import carried
from pages.shared.choices import Data
from pages.shared.controls import download
from pages.shared.controls.kinds import REGISTRY, Several, note
from pages.shared.controls.points import EDITS
from pages.shared.points import codec, own_points

HIDE = Several(
    "hide",
    "Leave out these controls",
    help="A link for students: what is left out keeps its value but is not shown.",
    hideable=False,
)
LONG = 1500  # characters of edits in a link that are still passed on without a second thought


def share(data: Data | None = None) -> None:
    """The link of this screen, and which controls it leaves out. Call it after all other controls.

    `data` are the points of the page, whose edits may be too long for a link.
    """
    hide = HIDE.at(options={name: control.label for name, control in REGISTRY.items() if control.hideable})
    hidden = hide.chosen()
    carried.keep(list(REGISTRY))
    with (
        st.sidebar,
        st.popover(
            "Share this screen", icon=":material/link:", width="stretch", key="sharing", on_change="rerun"
        ) as box,
    ):
        if box.open:
            st.markdown("This link restores the whole screen. It is the address in your browser, too.")
            if data:
                _too_long(data)
            st.code(link(), language=None, wrap_lines=True, height=180 if len(link()) > LONG else "content")
            hide.pick(hidden)
    for name in sorted(set(st.query_params) - set(REGISTRY)):
        note(f"The link says {name} = {st.query_params[name]!r}, which this app does not know; it was ignored.")


def link() -> str:
    """Address and query of this screen, as far as this run's controls have declared it."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(dict(sorted(st.query_params.to_dict().items())))
    return f"{base}?{query}" if query else base


def _too_long(data):
    """A file instead of a link that nobody wants to pass on."""
    length = len(codec.encode(data.edits))
    if length > LONG:
        left_out = "" if EDITS.value else ", and it leaves them out"
        st.markdown(
            f"The edits of points by hand make this link {length} characters longer{left_out}. Pass on a file instead: "
            f"whoever chooses it under “{own_points.TITLE}” has the whole screen."
        )
        download.screen(data)
