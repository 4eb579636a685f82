"""Sketches for the lists of losses: the curve of each with its usual parameters, in the colour of its machine."""

from functools import lru_cache

import numpy as np

from pages.shared.figures.palette import THEMES, replace_tokens, variant
from svmcore.losses.registry import Loss
from svmcore.words import number

T = np.linspace(-2.0, 3.0, 51)  # from well beyond the margin to far on the wrong side
HIGHEST = 3.0  # a higher loss leaves the sketch
ROWS = 16
SAID = (-1, 1, 3)  # t of the values in words


@lru_cache(64)
def sketch(loss: Loss) -> dict:
    """The heights of a loss over `T`, up to `ROWS` within the sketch, its colour as CSS, and words."""
    heights = np.rint(ROWS / HIGHEST * loss(T)).astype(int).tolist()
    light, dark = (replace_tokens(variant(loss.colour)[0], THEMES[theme]) for theme in ("light", "dark"))
    words = ", ".join(f"{number(float(loss(t)))} at t = {number(t)}" for t in SAID)
    return {"heights": heights, "colour": f"light-dark({light}, {dark})", "words": f"Loss {words}"}
