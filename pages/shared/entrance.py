"""The parts of the home page: the table of machines as an entrance, the live picture, the scenes as links."""

import streamlit as st

from pages.shared import figures, session
from pages.shared.choices import Data, Machine, Setting
from pages.shared.controls import colour_index
from pages.shared.scenes import PLAYGROUND, SCENES
from svmcore import duals, losses
from svmcore.problems import REGISTRY

ROWS = {"inequality": r"$y f(x) \geq 1 - \xi$", "equality": r"$y f(x) = 1 - \xi$"}
COLUMNS = {"squared": r"squared slacks, $\frac12\sum\xi^2$", "absolute": r"slacks, $\sum|\xi|$"}
LIVE = ("least_squares", "hinge", "least_absolute")


def table():
    """The 2 x 2 table of machines (López and Dorronsoro 2010, Table 1); each cell opens its machine."""
    widths = [0.26, 0.37, 0.37]
    for cell, words in zip(st.columns(widths)[1:], COLUMNS.values(), strict=True):
        cell.caption(words)
    for constraint, words in ROWS.items():
        cells = st.columns(widths, vertical_alignment="center")
        cells[0].caption(words)
        for cell, slack in zip(cells[1:], COLUMNS, strict=True):
            with cell.container(border=True):
                _card(next(x for x in losses.LOSSES.values() if (x.constraint, x.slack) == (constraint, slack)))


def others():
    """The machines with a box dual outside the table."""
    st.markdown("**In between**")
    rest = [losses.LOSSES[key] for key in duals.DUALS if losses.LOSSES[key].slack is None]
    for cell, loss in zip(st.columns(len(rest)), rest, strict=True):
        with cell.container(border=True, height="stretch"):
            _card(loss)


def _card(loss):
    st.page_link(PLAYGROUND, label=f"**{loss.machine}**", query_params={"loss": loss.key})
    st.caption(f"${loss.latex}$")


def live(flips):
    """Three machines on the outlier toy, with `flips` labels flipped: the curves and the points."""
    entry = REGISTRY["toy_outliers"]
    data = Data("toy_outliers", 0, (), "flip_farthest", flips)
    setting = Setting(entry.C, entry.kernel, entry.sigma, 3, 1.0)
    machines = [Machine(loss) for loss in LIVE]
    studies = [session.fit(data, machine, setting) for machine in machines]
    curves = [figures.Curve(m.name, s.field, colour_index(m)) for m, s in zip(machines, studies, strict=True)]
    return curves, studies[0].points


def scenes():
    """One link per scene, with what it shows."""
    cells = [cell for _ in range(0, len(SCENES), 3) for cell in st.columns(3)]
    for cell, scene in zip(cells, SCENES.values(), strict=False):
        with cell.container(border=True, height="stretch"):
            st.page_link(
                scene.page,
                label=f"**{scene.title}**",
                icon=":material/play_circle:",
                query_params=scene.query,
            )
            st.caption(scene.claim)
