"""Pictures: arrays in, a Plotly figure out. No Streamlit, no fitting, no scoring, no randomness."""

from pages.shared.figures.cells import cells, contrast
from pages.shared.figures.curve import curve
from pages.shared.figures.drawing import draw, drawn
from pages.shared.figures.export import document, to_html
from pages.shared.figures.film import Film, animation, film, still
from pages.shared.figures.history import history
from pages.shared.figures.influence import influence
from pages.shared.figures.line_films import curve_film, ranks
from pages.shared.figures.losses import LOSS_AXES, LossCurve, OnLoss, losses, on_loss
from pages.shared.figures.marks import largest
from pages.shared.figures.norms import WALK_END, norms
from pages.shared.figures.overlay import Curve, overlay
from pages.shared.figures.picture import picture
from pages.shared.figures.plane import plane
from pages.shared.figures.regions import regions
from pages.shared.figures.residuals import Rest, residuals
from pages.shared.figures.room import room_lines, room_numbers, room_places, room_points
from pages.shared.figures.spectrum import spectrum
from pages.shared.figures.style import Drawing
from pages.shared.figures.subgradients import Subgradient
from pages.shared.figures.sweep import Band, sweep
from pages.shared.figures.tuning import Evaluated, tuning
from pages.shared.figures.weights import weights
from pages.shared.points.edits import called

__all__ = [
    "LOSS_AXES",
    "WALK_END",
    "Band",
    "Curve",
    "Drawing",
    "Evaluated",
    "Film",
    "LossCurve",
    "OnLoss",
    "Rest",
    "Subgradient",
    "animation",
    "called",
    "cells",
    "contrast",
    "curve",
    "curve_film",
    "document",
    "draw",
    "drawn",
    "film",
    "history",
    "influence",
    "largest",
    "losses",
    "norms",
    "on_loss",
    "overlay",
    "picture",
    "plane",
    "ranks",
    "regions",
    "residuals",
    "room_lines",
    "room_numbers",
    "room_places",
    "room_points",
    "spectrum",
    "still",
    "sweep",
    "to_html",
    "tuning",
    "weights",
]
