"""The cached calls, keyed by small values. The only file that says st.cache_data."""

import streamlit as st

from pages.shared import study
from pages.shared.choices import Data, Machine, Setting
from svmcore import grid

RESOLUTION = 100


@st.cache_data(max_entries=128, show_spinner=False)
def problem(data: Data):
    return study.make_problem(data)


@st.cache_data(max_entries=256, show_spinner="Solving …")
def fit(data: Data, machine: Machine, setting: Setting) -> study.Study:
    """The machine on these points, drawn over the extent that the problem has with its outliers switched on."""
    xs, ys = grid.axes(problem(data._replace(on=True)).X, RESOLUTION)
    return study.fit(problem(data), machine, setting, xs, ys)


@st.cache_data(max_entries=128, show_spinner=False)
def most_outliers(data: Data) -> int:
    """How many labels can be flipped so that half of every class stays as it was."""
    y = problem(data).y
    return int(min((y > 0).sum(), (y < 0).sum()))


def before(data: Data, machine: Machine, setting: Setting):
    """The machine on the clean points, or None where no outliers are switched on."""
    return fit(data._replace(on=False), machine, setting) if data.on and problem(data).outlier.any() else None


@st.cache_data(max_entries=256, show_spinner=False)
def advice(data: Data, setting: Setting) -> str | None:
    return study.advice(problem(data).X, setting)
