"""The link of a screen: what may be in it, what it leaves out, and how it is passed on."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared import carried
from pages.shared.choices import LOSSES, Data
from pages.shared.controls import download
from pages.shared.controls.widgets import named, note, pick_several
from pages.shared.points import codec, own_points

LOSS_PARAMETERS = {p.name: p for loss in LOSSES.values() for p in loss.parameters}
HIDEABLE = {
    "problem": "Problem",
    "seed": "Seed",
    "n": "Number of points",
    "noise": "Noise",
    "hold_out": "Held out for testing",
    "outliers": "Outliers",
    "contamination": "Kind of outliers",
    "flips": "Outlier amount",
    "share": "Outlier share",
    "room": "Room around the points",
    "loss": "Machine",
    "losses": "Machines",
    "C": "C",
    "kernel": "Kernel",
    "sigma": "Sigma",
    "degree": "Degree",
    "coef0": "Offset",
    **{name: parameter.meaning for name, parameter in LOSS_PARAMETERS.items()},
    "show": "Show",
    "solver": "Solver",
    "race": "Who runs",
    "clock": "Clock",
    "along": "Along",
    "init": "First weights",
    "stop": "Stopping rule",
    "curve": "Curve of the losses",
    "prox_c": "Weight in the proximal operator",
    "around": "Kernel around the outlier",
    "distance": "Distance of the outlier",
    "walk_n": "Points of the walk",
    "d_rel": "Relevant features",
    "walk_C": "C of the walk",
    "rounds": "Rounds of the walk",
    "choose": "How C is chosen",
    "paper": "Paper",
}
KNOWN = {*HIDEABLE, "hide", "outliers_on", "edits", "data"}
LONG = 1500  # characters of edits in a link that are still passed on without a second thought


def share(data: Data | None = None):
    """The link of this screen, and which controls it leaves out. Call it after all other controls.

    `data` are the points of the page, whose edits may be too long for a link.
    """
    hidden = named("hide", list(HIDEABLE), [])
    carried.keep(KNOWN)
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
            pick_several(
                "hide",
                "Leave out these controls",
                hidden,
                list(HIDEABLE),
                HIDEABLE.get,
                help="A link for students: what is left out keeps its value but is not shown.",
            )
    for name in sorted(set(st.query_params) - KNOWN):
        note(f"The link says {name} = {st.query_params[name]!r}, which this app does not know; it was ignored.")


def link():
    """Address and query of this screen, as far as this run's controls have declared it."""
    base = (st.context.url or "").split("?")[0]
    query = urlencode(dict(sorted(st.query_params.to_dict().items())))
    return f"{base}?{query}" if query else base


def _too_long(data):
    """A file instead of a link that nobody wants to pass on."""
    length = len(codec.encode(data.edits))
    if length > LONG:
        left_out = "" if st.session_state.get("edits") else ", and it leaves them out"
        st.markdown(
            f"The edits of points by hand make this link {length} characters longer{left_out}. Pass on a file instead: "
            f"whoever chooses it under “{own_points.TITLE}” has the whole screen."
        )
        download.screen(data)
