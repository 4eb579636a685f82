"""Every widget of the app whose value is part of the link: declared once, in one registry.

A control is an object (see `kinds`) that owns one parameter of the link; the functions here show related controls and
return their values.
"""

from pages.shared.controls import lessons, teaching
from pages.shared.controls.kinds import REGISTRY, note, quoted, refuse
from pages.shared.controls.link import CLAIMS, PRESENT, SCENE, finish, link, share
from pages.shared.controls.machines import SIGMA, colour_index, machine, machines, setting
from pages.shared.controls.manual import subject, subject_address
from pages.shared.controls.moment import moment
from pages.shared.controls.page_controls import (
    RACES,
    along,
    curve,
    entrants,
    flipped,
    highlighted,
    lone_outlier,
    paper,
    reweighting,
    show,
    solver,
    solver_options,
)
from pages.shared.controls.points import EDITS, about, data, outlier, view
from pages.shared.controls.room import joined, room
from pages.shared.controls.strip import announce, hint, numbers
from pages.shared.controls.walk import choosing, walk

__all__ = [
    "CLAIMS",
    "EDITS",
    "PRESENT",
    "RACES",
    "REGISTRY",
    "SCENE",
    "SIGMA",
    "about",
    "along",
    "announce",
    "choosing",
    "colour_index",
    "curve",
    "data",
    "entrants",
    "finish",
    "flipped",
    "highlighted",
    "hint",
    "joined",
    "lessons",
    "link",
    "lone_outlier",
    "machine",
    "machines",
    "moment",
    "note",
    "numbers",
    "outlier",
    "paper",
    "quoted",
    "refuse",
    "reweighting",
    "room",
    "setting",
    "share",
    "show",
    "solver",
    "solver_options",
    "subject",
    "subject_address",
    "teaching",
    "view",
    "walk",
]
