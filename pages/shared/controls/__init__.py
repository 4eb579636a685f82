"""Every widget of the app whose value travels: declared once, in one registry, owner of one parameter of the link.

A control is an object (see `kinds`); the functions here show those that belong together and give their values.
"""

from pages.shared.controls.kinds import REGISTRY, note
from pages.shared.controls.link import link, share
from pages.shared.controls.machines import SIGMA, colour_index, machine, machines, setting
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
from pages.shared.controls.points import EDITS, about, data, outlier, view
from pages.shared.controls.walk import choosing, walk

__all__ = [
    "EDITS",
    "RACES",
    "REGISTRY",
    "SIGMA",
    "about",
    "along",
    "choosing",
    "colour_index",
    "curve",
    "data",
    "entrants",
    "link",
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
