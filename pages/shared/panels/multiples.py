"""Small multiples: the machine of the page over C and the width of its kernel, refitted while a point is dragged."""

import streamlit as st

from pages.shared.controls import sections
from pages.shared.live import pictures
from pages.shared.page import url_state
from pages.shared.panels import editing, machine_numbers
from pages.shared.plane import component
from pages.shared.screen.choices import Setting
from pages.shared.screen.schema import MULTIPLES
from svmcore.words import number

ABOUT = (
    "The same points and the same loss with other values of C, from left to right, and of σ, from top to bottom; the "
    "machine of the page is in the middle. Drag a point in any of the planes: all are fitted again. Press the "
    "name of one to open it."
)
WITHOUT = ABOUT.replace(", from left to right, and of σ, from top to bottom", ", from left to right")
HEIGHT = 200  # pixels of a plane


def section(setting: Setting, shown) -> None:
    """The planes that the page has drawn, each with a button that takes its C and sigma to the page."""
    grid = pictures.settings_around(setting)
    with_sigma = len(grid) > pictures.ACROSS
    title = "Small multiples over C" + " and σ" * with_sigma
    with sections.fold("playground", MULTIPLES, title, ":material/grid_view:", True) as opened:
        if not opened or "cell-0-0" not in shown.figures:
            return
        st.markdown(ABOUT if with_sigma else WITHOUT)
        cells = machine_numbers.cells(len(grid), pictures.ACROSS)
        for cell, (key, one) in zip(cells, grid.items(), strict=True):
            name = f"C = {number(one.C)}" + f", σ = {number(one.sigma)}" * with_sigma
            figure = shown.figures[key]
            with cell:
                st.button(
                    name, key=f"open-{key}", type="tertiary", on_click=_open, args=(one,), disabled=one == setting
                )
                component.show_figure(
                    figure, key=key, alt=f"{name}. {figure.alt}", height=HEIGHT, link=editing.POINTS, edit=True,
                    live=shown.live,
                )  # fmt: skip


def _open(setting):
    """Set C and sigma of the page, in a callback."""
    url_state.give("C", setting.C)
    url_state.give("sigma", setting.sigma)
