"""Sketches for the lists of losses: the curve of each with its usual parameters, in the colour of its machine."""

from functools import cache

import numpy as np

from pages.shared.figures.palette import THEMES, replace_tokens, variant
from pages.shared.screen.choices import LOSSES
from svmcore.words import number

T = np.linspace(-2.0, 3.0, 51)  # from well beyond the margin to far on the wrong side
HIGHEST = 3.0  # a higher loss leaves the sketch
ROWS = 16
SAID = (-1, 1, 3)  # t of the values in words


@cache
def sketch(key: str) -> dict | None:
    """The heights of a loss over `T`, up to `ROWS` within the sketch, its colour as CSS, and words; None without it."""
    loss = LOSSES.get(key)
    if loss is None:
        return None
    heights = np.rint(ROWS / HIGHEST * loss(T)).astype(int).tolist()
    light, dark = (replace_tokens(variant(loss.colour)[0], THEMES[theme]) for theme in ("light", "dark"))
    words = ", ".join(f"{number(float(loss(t)))} at t = {number(t)}" for t in SAID)
    return {"heights": heights, "colour": f"light-dark({light}, {dark})", "words": f"Loss {words}"}
