"""The link of a screen: its parameters, the controls that it leaves out, and how it is shared."""

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
    help="For a link to students: a control that is left out keeps its value but is not shown.",
    hideable=False,
)
LONG = 1500  # characters of edits in a link; for longer ones a file is recommended


def share(data: Data | None = None) -> None:
    """The link of this screen, and the choice of controls that it leaves out. Call it after all other controls.

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
            st.markdown("This link restores the points and the settings. It is also the address in your browser.")
            if data:
                _too_long(data)
            st.code(link(), language=None, wrap_lines=True, height=180 if len(link()) > LONG else "content")
            hide.pick(hidden)
    for name in sorted(set(st.query_params) - set(REGISTRY)):
        note(f"The link has {name} = {st.query_params[name]!r}, which is no parameter of this app; it was ignored.")


def link() -> str:
    """Address and query of this screen, with the controls shown so far in this run."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(dict(sorted(st.query_params.to_dict().items())))
    return f"{base}?{query}" if query else base


def _too_long(data):
    """A download in the place of a link that is too long to share."""
    length = len(codec.encode(data.edits))
    if length > LONG:
        left_out = "" if EDITS.value else ", so it leaves them out"
        st.markdown(
            f"The edits of points add {length} characters to this link{left_out}. Share a file instead: loading it "
            f"under “{own_points.TITLE}” restores the screen."
        )
        download.screen(data)
