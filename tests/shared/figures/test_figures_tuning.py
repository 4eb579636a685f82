"""The picture of a search: places where they were tried, the lowest deepest and ringed, curves along one number."""

import numpy as np
import pytest
import specimens

from pages.shared.figures import palette

FOUND = specimens.EVALUATED
BOX = FOUND.box


def picture(found=FOUND, measure="error"):
    return specimens.tuned(found, measure)


def drawn(figure, name):
    return next((trace for trace in figure.plotly.data if trace.name == name), None)


def places(trace):
    return list(zip(np.asarray(trace.x).tolist(), np.asarray(trace.y).tolist(), strict=True))


def test_every_place_is_there_the_best_on_top_and_ringed_on_logarithmic_axes_over_the_whole_box():
    figure = picture()
    assert places(drawn(figure, "evaluated")) == [(1000.0, 8.0), (0.1, 0.5), (10.0, 2.0), (1.0, 1.0)]
    assert places(drawn(figure, "best")) == [(1.0, 1.0)]
    assert places(drawn(figure, "failed")) == [(100.0, 4.0)]
    assert places(drawn(figure, "now")) == [(3.0, 0.7)]
    assert drawn(figure, "evaluated").text[-1] == "C = 1, σ = 1<br>error 10 % ± 2 %"
    assert "%{text}" in drawn(figure, "evaluated").hovertemplate
    layout = figure.plotly.layout
    assert layout.xaxis.type == layout.yaxis.type == "log"
    assert layout.xaxis.range[0] < -2 and layout.xaxis.range[1] > 3
    assert layout.yaxis.range[0] < -1 and layout.yaxis.range[1] > 1
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("C", "σ")


def test_the_darkest_colour_is_the_lowest_value_and_the_key_says_which():
    """The median of 0.1, 0.2, 0.3, 0.9 is 0.25; the colours end 0.15 above it."""
    figure = picture()
    marker = drawn(figure, "evaluated").marker
    assert np.asarray(marker.color) == pytest.approx([0.4, 0.3, 0.2, 0.1])
    assert (marker.cmin, marker.cmax) == pytest.approx((0.1, 0.4))
    assert [tuple(stop) for stop in marker.colorscale] == [
        (0.0, palette.colour("heat")),
        (1.0, palette.colour("page")),
    ]
    (key,) = figure.plotly.layout.annotations
    assert "darkest 10 %" in key.text and "lightest 40 %" in key.text and "no machine" in key.text
    assert "C and σ now" in key.text


@pytest.mark.parametrize("values", [[0.2] * 5, [0.1] * 4 + [0.3], [np.inf] * 5], ids=["equal", "one", "none"])
def test_a_plateau_and_no_machine_at_all_have_a_scale_still(values):
    figure = picture(FOUND._replace(values=np.array(values), best=0))
    marker = drawn(figure, "evaluated").marker
    assert marker.cmax > marker.cmin
    assert len(places(drawn(figure, "best"))) == np.isfinite(values[0])


def test_without_sigma_it_is_a_curve_over_C():
    figure = picture(FOUND._replace(sigma=None, box=(BOX[0], None)))
    line = drawn(figure, "spread")
    assert places(line) == [(0.1, 0.3), (1.0, 0.1), (10.0, 0.2), (1000.0, 0.9)]
    assert np.asarray(line.error_y.array) == pytest.approx([0.01, 0.02, 0.03, 0.04])
    assert places(drawn(figure, "best")) == [(1.0, 0.1)] and drawn(figure, "now") is None
    assert places(drawn(figure, "failed")) == [(100.0, 0.1)]
    assert (figure.plotly.layout.xaxis.title.text, figure.plotly.layout.yaxis.title.text) == ("C", "error")
    assert figure.plotly.layout.yaxis.tickformat == "~%"  # as the error is written
    assert drawn(figure, "evaluated").text[-1] == "C = 1<br>error 10 % ± 2 %"
    assert "now" not in figure.plotly.layout.annotations[0].text


def test_with_one_C_it_is_a_curve_over_sigma():
    found = FOUND._replace(C=np.full(5, 2.0), spreads=np.zeros(5), box=((2.0, 2.0), BOX[1]))
    figure = picture(found, "r²‖w‖²")
    assert places(drawn(figure, "best")) == [(1.0, 0.1)] and figure.plotly.layout.xaxis.title.text == "σ"
    assert drawn(figure, "evaluated").text[-1] == "C = 2, σ = 1<br>r²‖w‖² 10 %"


def test_what_it_shows_in_words():
    result = picture(measure="10-fold error").alt
    assert result == (
        "5 evaluations of the 10-fold error: 10 % at best, with C = 1 and σ = 1; 90 % at worst. 1 without a machine."
    )
    nothing = FOUND._replace(values=np.full(5, np.inf), best=0)
    assert picture(nothing).alt.endswith("none with a machine.")
