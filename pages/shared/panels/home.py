"""The parts of the home page: the live picture, the table of machines and the scenes as links."""

import streamlit as st

from pages.shared.page import callbacks, url_state
from pages.shared.page.run import current
from pages.shared.plane import component
from pages.shared.screen.choices import Data, Machine
from pages.shared.screen.schema import HOME_FLIPS
from pages.shared.studies.scenes import FEATURE_WALK, PLAYGROUND, SPARSITY
from svmcore import duals, losses
from svmcore.words import capital

CONSTRAINTS = {"inequality": r"${y f \geq 1 - \xi}$", "equality": r"${y f = 1 - \xi}$"}  # braces: in one line
SLACKS = {"squared": r"$\frac12 \sum \xi^2$", "absolute": r"$\sum |\xi|$"}
TOUR = [
    {
        "at": ".st-key-nav",
        "title": "The pages",
        "text": "Each page shows the machines in a different way: one in depth, several together, their losses, "
        "their solvers step by step.",
    },
    {
        "at": ".st-key-pictures .svm-plane",
        "title": "The picture",
        "text": "Drag a point, click to add one, double-click one to change its class. The boundaries follow.",
    },
    {
        "at": ".svm-editor",
        "title": "The tools",
        "text": "“…” opens them: select points, spray many, mark outliers, undo. Point at a tool to see its key.",
    },
    {
        "at": ".svm-control-bar .svm-bar",
        "title": "The controls",
        "text": "Move a slider or type a number; the pictures follow. On other pages “Reset” goes back to the "
        "suggested values.",
    },
    {
        "at": '.st-key-nav a[href*="lessons"]',
        "title": "The lessons",
        "text": "They ask for your prediction before they show the picture. The first one takes twelve minutes.",
    },
]
FLIPPED = 6  # labels, with which the order of the first and the last machine holds on 99 of 100 draws
LIVE = tuple(Machine(loss) for loss in ("least_squares", "hinge", "least_absolute"))


def invitation(flips: int) -> None:
    """Show what the picture is about, and the one thing to do: flip labels, or flip them back."""
    st.header("If some labels are wrong, which of these boundaries stays where it is?", anchor=False)
    words, wanted = ("Flip them back", 0) if flips else ("Flip 6 labels", FLIPPED)
    give = dict(on_click=callbacks.with_values(url_state.give), args=(HOME_FLIPS.name, wanted))
    st.button(words, icon=":material/swap_horiz:", type="primary", key="flip_labels", width="stretch", **give)


def table() -> None:
    """The 2 x 2 table of machines (López and Dorronsoro 2010, Table 1); each cell opens its machine."""
    for constraint, formula in CONSTRAINTS.items():
        for cell, (slack, penalty) in zip(st.columns(2), SLACKS.items(), strict=True):
            loss = next(x for x in losses.LOSSES.values() if (x.constraint, x.slack) == (constraint, slack))
            _card(cell, loss, f"{slack} slacks {penalty}, {constraint} {formula}")


def others() -> None:
    """The machines with a box dual that are not in the table."""
    rest = [losses.LOSSES[key] for key in duals.DUALS if losses.LOSSES[key].slack is None]
    for cell, loss in zip(st.columns(len(rest)), rest, strict=True):
        _card(cell, loss, "between hinge and absolute" if loss.key == "pinball" else "between hinge and squared hinge")


def family() -> None:
    """All other machines, grouped by whether their loss is bounded."""
    rest = [loss for loss in losses.LOSSES.values() if loss.key not in duals.DUALS]
    groups = {
        False: "Unbounded losses: a larger error always costs more",
        True: "Bounded losses: no error costs more than a fixed amount",
    }
    for bounded, heading in groups.items():
        st.caption(heading)
        with st.container(horizontal=True):
            for loss in rest:
                if loss.bounded == bounded:
                    st.page_link(PLAYGROUND, label=loss.machine, query_params={"loss": loss.key})


def sparser() -> None:
    """The machines with another norm instead of another loss: fewer points, fewer features."""
    norms = (
        (SPARSITY, "Sparse LS-SVM", "Few points: the squared support values are re-weighted until most are zero."),
        (
            FEATURE_WALK,
            "1-norm SVM",
            "Few features: the squared weights are re-weighted until their sum approximates the 1-norm.",
        ),
    )
    for cell, (page, name, description) in zip(st.columns(len(norms)), norms, strict=True):
        with cell.container(border=True, height="stretch", gap="small"):
            st.page_link(page, label=f"**{name}**")
            st.caption(description)


def _card(cell, loss, description):
    with cell.container(border=True, height="stretch", gap="small"):
        st.page_link(PLAYGROUND, label=f"**{loss.machine}**", query_params={"loss": loss.key})
        st.caption(f"{capital(description)}  \n$\\ell(t) = {loss.latex}$")


def data(flips) -> Data:
    """The points of the home page: a toy problem with the labels of the `flips` farthest points flipped."""
    return Data("toy_outliers", 0, (("n", 40),), "flip_farthest", flips)


def tour() -> None:
    """The link to five steps over the page; a class that follows a room is not led away from it."""
    if current().tour:
        component.tour(TOUR, key="tour")
