"""The surface of f over the plane in three dimensions, and the lift of a polynomial kernel of degree two."""

import streamlit as st

from pages.shared.controls import sections
from pages.shared.plane import component
from pages.shared.screen.schema import SURFACE

ABOUT = (
    "The plane, tilted: the height is f(x), lines mark f = 0 and f = ±1, and each point stands at the height of its "
    "label. Drag, or use the arrow keys, to turn it. Under a Gaussian kernel, hold σ above: hills become "
    "needles. A browser without WebGL shows no surface."
)
LIFT = (
    "The same machine as a lift: each point is raised to |x|², and f = 0 is where the grey surface cuts the "
    "paraboloid. Where the boundary is a circle, the cut is flat: in these three dimensions the machine is linear."
)


def section(shown) -> None:
    """The surface among the pictures that the page has drawn, and the lift where there is one."""
    with sections.fold("playground", SURFACE, "Surface of f in 3-D", ":material/3d_rotation:", True) as opened:
        if not opened or "surface" not in shown.figures:
            return
        st.markdown(ABOUT)
        keys = [key for key in ("surface", "lift") if key in shown.figures]
        for key, column in zip(keys, st.columns(len(keys), gap="small"), strict=True):
            with column:
                component.show_figure(shown.figures[key], key=key, fill=0.8, live=shown.live)
        if "lift" in keys:
            st.caption(LIFT)
