"""The controls of the Feature walk page. What other pages have too, but of another problem, has a name of its own."""

import streamlit as st

from pages.shared.choices import Walk
from pages.shared.controls.widgets import choice, logarithmic, number, place, slider
from svmcore.problems import REGISTRY

CHOOSE = {"validation": "by cross-validation", "fixed": "as in the sidebar"}


def walk() -> Walk:
    """The problem of relevant features, C, and how many rounds."""
    options = {option.name: option for option in REGISTRY["relevant_features"].options}
    d_rel = options["d_rel"]
    with st.sidebar:
        st.caption(REGISTRY["relevant_features"].about)
        n = number("walk_n", "Points", 100, 20, 500, step=10, help="Training points, both classes together.")
        relevant = number("d_rel", "Relevant features", 5, d_rel.low, d_rel.high, step=1, help=f"{d_rel.meaning}.")
        left, right = st.columns([0.84, 0.16], vertical_alignment="bottom", gap="small")
        with left:
            seed = number("seed", "Seed", 0, 0, 10**9, step=1, help="The same seed draws the same points.")
        with right, place("seed", "again"):
            st.button("", on_click=_next_seed, icon=":material/casino:", help="Draw anew: the next seed", key="draw")
        C = logarithmic("walk_C", "C, weight of the errors", 0.03, (1e-4, 100.0), (-3.0, 1.0))
        rounds = slider("rounds", "Rounds", 15, 2, 50, 1, "RW(1) is the 2-norm SVM, RW(2) is re-weighted once, ...")
    return Walk(n, relevant, seed, C, rounds)


def choosing() -> str:
    """How the C of the experiment is chosen: a key of CHOOSE."""
    return choice("choose", "C of each machine", list(CHOOSE), CHOOSE.get)


def _next_seed():
    st.session_state.seed = st.session_state.get("seed", 0) + 1
