"""The link of a screen: its parameters, the controls that it leaves out, and how it is shared."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared import callbacks, carried
from pages.shared.choices import Data
from pages.shared.controls import download, strip
from pages.shared.controls.kinds import REGISTRY, Number, Several, Text, quoted, refuse
from pages.shared.controls.points import EDITS
from pages.shared.controls.room import CODE, PRIVATE
from pages.shared.points import codec, own_points

HIDE = Several(
    "hide",
    "Leave out these controls",
    help="For a link to students: a control that is left out keeps its value but is not shown.",
    hideable=False,
    resets=False,
)
PRESENT = Number("present", "Presenter mode", 0, 0, 1, hideable=False, resets=False)
SCENE = Text("scene", "Scene", hideable=False, resets=False)
CLAIMS = Number("claims", "Claim of the scene at once", 0, 0, 1, hideable=False, resets=False)
LONG = 1500  # characters of edits in a link; for longer ones a file is recommended


def share(data: Data | None = None) -> None:
    """The link of this screen, and the choice of controls that it leaves out. Call it after all other controls.

    `data` are the points of the page, whose edits may be too long for a link.
    """
    hide = HIDE.at(options={name: control.label for name, control in REGISTRY.items() if control.hideable})
    hidden = hide.current()
    strip.put(hide, hidden, visible=False)
    for control in (PRESENT, SCENE, CODE, CLAIMS):
        strip.put(control, control.at().current(), visible=False)
    _write()
    place = st.session_state["nav_end"]
    place.button(
        "Present",
        icon=":material/slideshow:",
        key="presenting",
        help="Hides the menu and enlarges letters and lines for a projector. The key P does the same, and leads back.",
        on_click=carried.give,
        args=(PRESENT.name, 1),
    )
    with place, st.popover("Share", icon=":material/link:", key="sharing", on_change="rerun") as box:
        if box.open:
            st.markdown("This link restores the points and the settings. It is also the address in your browser.")
            if data:
                _too_long(data)
            st.code(link(), language=None, wrap_lines=True, height=180 if len(link()) > LONG else "content")
            _pick(hide, hidden.split(",") if hidden else [])


def finish() -> None:
    """Write the link and draw the strip, once in a run, when all controls and numbers are known."""
    if not st.session_state["strip_done"]:
        _write()
        if carried.query() != st.session_state["menu_query"]:
            st.session_state["redraw_menu"]()
        strip.draw()


def _write():
    """Write the link; what is left in `linked` is of no control of this page, perhaps of none at all."""
    state = st.session_state
    carried.keep(list(REGISTRY), {name: text for name, text in state["words"].items() if text is not None})
    for name in sorted(set(state["linked"]) - set(REGISTRY)):
        refuse(
            f"The link has {quoted(name)[1:-1]} = {quoted(state['linked'].pop(name))}, which is not a parameter of "
            "this app; it was ignored."
        )


def _pick(hide, chosen):
    """The choice of the controls that the link leaves out."""
    if st.session_state.get("hide_choice") != chosen:
        st.session_state["hide_choice"] = chosen
    callbacks.changing(
        st.multiselect,
        hide.label,
        list(hide.options),
        format_func=hide.options.get,
        key="hide_choice",
        help=hide.help,
        act=_picked,
    )


def _picked(chosen):
    carried.give("hide", ",".join(chosen))


def link() -> str:
    """Address and query of this screen, with the controls shown so far in this run."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(sorted((name, text) for name, text in st.query_params.items() if name not in PRIVATE))
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
