"""Curves over time: their ticks, their marks and their words."""

import numpy as np
import pytest
from specimens import ALL, curves, trace
from written import numbers_in

from pages.shared.figures import palette
from pages.shared.figures.charts.history import history_figure
from pages.shared.studies import arrays


def test_the_words_of_a_history_say_where_its_lines_begin_where_they_are_known_and_where_they_end():
    assert numbers_in(ALL["history"]().alt) == [1, 0, 1e-5, 1e-5]
    lines = [
        arrays.Line("gap", np.arange(4), np.array([np.nan, 2.0, 1.0, np.nan]), 0),
        arrays.Line("flat", np.arange(2), np.array([-0.0, -0.0]), 1),
    ]
    text = history_figure(lines, xlabel="steps", ylabel="gap").alt
    assert text == "Curves of gap over steps: gap from 2 to 1; flat from 0 to 0."  # no −0


TICKS = [
    (1.0, 5.0, "1 2 5 10 20 50"),
    (1.0, 50.0, "1 2 5 10 20 50 100 200 500"),
    (1.0, 500.0, "1 10 100 1000"),
    (1e-3, 500.0, "0.001 0.1 10 1000"),
    (1e-7, 50.0, "10⁻⁷ 10⁻⁵ 10⁻³ 10⁻¹ 10"),
    (3e-5, 7e-5, "3·10⁻⁵ 7·10⁻⁵"),
]


@pytest.mark.parametrize("low, high, words", TICKS)
def test_the_ticks_of_a_logarithmic_axis_are_few_and_a_short_one_names_more_than_powers_of_ten(low, high, words):
    lines = [arrays.Line("a", np.array([low, high]), np.array([low, high]), 0)]
    layout = history_figure(lines, xlabel="σ", ylabel="r", log=True).plotly.layout
    assert layout.xaxis.type == layout.yaxis.type == "log" and layout.xaxis.ticktext == layout.yaxis.ticktext
    assert " ".join(layout.xaxis.ticktext) == words
    assert sum(low <= value <= high for value in layout.xaxis.tickvals) >= 2


def test_a_history_leaves_out_what_a_log_axis_cannot_hold_and_shows_a_single_place():
    drawn = history_figure(curves(), xlabel="steps", ylabel="gap", log=True, level=(1e-3, "tolerance"))
    falls, once, level = drawn.plotly.data
    assert np.isnan(falls.x[0]) and np.isnan(falls.y[-1]) and falls.y[1] == 0.1 and falls.mode == "lines"
    assert once.mode == "markers" and list(level.x) == [1, 4] and list(level.y) == [1e-3, 1e-3]
    plain = history_figure(curves(), xlabel="steps", ylabel="gap", log_x=False)
    first = plain.plotly.data[0]
    assert first.x[0] == first.y[-1] == 0 and plain.plotly.layout.xaxis.type == "linear"
    lines = [arrays.Line("objective", np.array([0.0, 1.0]), np.array([40.0, 39.7]), 0)]  # its start is not on the axis
    modes = [history_figure(lines, xlabel="x", ylabel="y", log_x=log_x).traces[0]["mode"] for log_x in (True, False)]
    assert modes == ["markers", "lines"]


def test_the_ticks_reach_to_the_level():
    """Above a far level the powers of ten are enough; 1, 2, 5 and 10 would lie on one another."""
    lines = [arrays.Line("violation", np.array([1.0, 2.0]), np.array([9.0, 2.0]), 0)]
    drawn = history_figure(lines, xlabel="x", ylabel="y", log=True, level=(1e-3, "tolerance"))
    assert drawn.layout["yaxis"]["ticktext"] == ["0.001", "0.01", "0.1", "1", "10"]


def test_what_cannot_be_told_from_zero_is_zero_in_words_but_not_on_a_log_axis():
    lines = [arrays.Line("turned", np.arange(3.0), np.array([8.5e-7, 20.0, 41.4]), 0)]
    for log, first in ((False, 0), (True, 8.5e-7)):
        text = history_figure(lines, xlabel="x", ylabel="y", log=log, log_x=False).alt
        assert numbers_in(text) == [first, 41.4]


def test_a_place_is_marked_on_every_line_that_has_reached_it():
    lines = [
        arrays.Line("far", np.array([0.0, 1.0, 2.0]), np.array([0.0, 4.0, 6.0]), 2),
        arrays.Line("near", np.array([0.0, 1.0]), np.array([0.0, 4.0]), 3),
    ]
    figure = history_figure(lines, xlabel="x", ylabel="y", log_x=False, at=1.5)
    now = trace(figure, "now")
    assert (list(now.x), list(now.y), list(now.marker.color)) == ([1.5], [5.0], [palette.variant(2)[0]])
    assert [(shape.x0, shape.x1) for shape in figure.plotly.layout.shapes] == [(1.5, 1.5)]
    assert "now" not in [drawn.name for drawn in history_figure(lines, xlabel="x", ylabel="y").plotly.data]
