"""Every widget of the app, declared once; each owns one parameter of the link.

A value travels as `?name=value`. What a link says and no control can take falls back to the default, with a note on the
page. `hide` names controls that a link leaves out: they keep their value but are not shown.
"""

from pages.shared.controls.link import HIDEABLE, KNOWN, link, share
from pages.shared.controls.machines import COLOURED, colour_index, machine, machines, setting
from pages.shared.controls.page_controls import (
    RACES,
    along,
    curve,
    entrants,
    lone_outlier,
    looked_at,
    paper,
    reweighting,
    show,
    solver,
)
from pages.shared.controls.points import about, data, outlier, view
from pages.shared.controls.walk import choosing, walk
from pages.shared.controls.widgets import linked, note

__all__ = [
    "COLOURED",
    "HIDEABLE",
    "KNOWN",
    "RACES",
    "about",
    "along",
    "choosing",
    "colour_index",
    "curve",
    "data",
    "entrants",
    "link",
    "linked",
    "lone_outlier",
    "looked_at",
    "machine",
    "machines",
    "note",
    "outlier",
    "paper",
    "reweighting",
    "setting",
    "share",
    "show",
    "solver",
    "view",
    "walk",
]
