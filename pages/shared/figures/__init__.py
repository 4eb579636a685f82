"""Pictures: arrays in, a Plotly figure out. No Streamlit, no fitting, no scoring, no randomness."""

from pages.shared.figures.curve import Graph, curve
from pages.shared.figures.export import to_html
from pages.shared.figures.film import Film, Frame, animation, film
from pages.shared.figures.history import Line, history
from pages.shared.figures.influence import influence
from pages.shared.figures.losses import LossCurve, losses
from pages.shared.figures.marks import FREE, LOWER, UPPER, ZERO, Points, Samples, called, largest
from pages.shared.figures.overlay import Curve, overlay
from pages.shared.figures.picture import picture
from pages.shared.figures.plane import Field, plane
from pages.shared.figures.spectrum import spectrum
from pages.shared.figures.style import alt_text
from pages.shared.figures.sweep import Band, sweep
from pages.shared.figures.tuning import Evaluated, tuning

__all__ = [
    "FREE",
    "LOWER",
    "UPPER",
    "ZERO",
    "Band",
    "Curve",
    "Evaluated",
    "Field",
    "Film",
    "Frame",
    "Graph",
    "Line",
    "LossCurve",
    "Points",
    "Samples",
    "alt_text",
    "animation",
    "called",
    "curve",
    "film",
    "history",
    "influence",
    "largest",
    "losses",
    "overlay",
    "picture",
    "plane",
    "spectrum",
    "sweep",
    "to_html",
    "tuning",
]
