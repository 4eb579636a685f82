"""What holds for every picture, and the spectrum, the overlay and the sweep."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest
from specimens import ALL, cloud, every, plane_field, trace
from written import numbers_in

from pages.shared.figures import palette, style
from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.charts.sweep import Band, sweep_figure
from pages.shared.figures.export import to_html
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.style import Drawing
from pages.shared.plane.component import payload

# Spectrum, overlay, sweep


def test_spectrum_ranks_and_keeps_the_index():
    points = cloud(90)
    drawn = [trace(spectrum_figure(points), f"stems {label}") for label in ("+1", "-1")]
    assert all(np.all(t.y[0::3] == 0) and np.all(np.isnan(t.y[2::3])) for t in drawn), "on zero, with gaps"
    heads = {int(t.customdata[k][0]): (t.x[k], t.y[k]) for t in drawn for k in range(1, len(t.x), 3)}
    assert len(heads) == 90
    ranked = sorted(heads, key=lambda i: heads[i][0])
    assert [heads[i][0] for i in ranked] == list(range(1, 91))
    assert np.all(np.diff(points.alpha[ranked]) <= 0)
    assert [heads[i][1] for i in range(90)] == pytest.approx(points.alpha, rel=1e-6)


def test_bounds_are_lines_inside_the_picture_and_words_beyond():
    near = spectrum_figure(cloud(), (-2.0, 2.0))
    assert list(trace(near, "bounds").y) == [2.0, 2.0, None, -2.0, -2.0, None]
    far = spectrum_figure(cloud(), (-2000.0, 2000.0))
    assert len(trace(far, "bounds").y) == 0
    assert [numbers_in(note.text) for note in far.plotly.layout.annotations] == [[2000], [-2000]]
    assert not spectrum_figure(cloud()).plotly.layout.annotations


def test_a_model_keeps_its_colour_and_dash_when_others_are_left_out():
    curves = [Curve(f"m{k}", plane_field(), k) for k in range(8)]
    styles = [trace(overlay_figure(curves, cloud()), f"m{k}").line for k in range(8)]
    assert len({line.color for line in styles}) == len({line.dash for line in styles}) == 8
    alone = trace(overlay_figure(curves[5:6], cloud()), "m5").line
    assert (alone.color, alone.dash) == (styles[5].color, styles[5].dash)


@pytest.mark.parametrize("log_x, places", [(False, [1.0, 2.0]), (True, [1.0, 100.0])])
def test_error_bars_reach_from_low_to_high_and_stand_side_by_side(log_x, places):
    band = Band("hinge", np.array([1.0, 2.0]), np.array([0.0, 1.5]), np.array([3.0, 4.0]), 2)
    three = [band._replace(name=name) for name in ("a", "hinge", "c")]
    figure = sweep_figure(np.array(places), three, xlabel="share", ylabel="error", log_x=log_x)
    line, bars = trace(figure, "hinge"), trace(figure, "hinge bars")
    assert list(line.x) == list(bars.x) == places and list(line.y) == list(bars.y) == [1.0, 2.0]
    assert (list(bars.error_y.arrayminus), list(bars.error_y.array)) == ([1.0, 0.5], [2.0, 2.0])
    assert bars.error_y.color == bars.marker.color == line.line.color == palette.variant(2)[0]
    left, right = (np.array(trace(figure, f"{name} bars").x) for name in ("a", "c"))
    assert np.all(left < places) and np.all(places < right) and np.all(right[:-1] < left[1:])
    axis = figure.plotly.layout.xaxis
    assert figure.plotly.layout.showlegend and axis.type == ("log" if log_x else None)
    assert not log_x or list(axis.tickvals) == places


# All figures


@every
def test_plotly_accepts_every_property_touch_is_left_to_the_page_and_each_picture_has_words(build):
    figure = build()
    assert figure.plotly.layout.dragmode is False
    assert figure.alt.endswith(".") and len(figure.alt) > 30
    # Plotly's own large numbers are 100k and 100µ; ticks.js writes the same as here before Plotly is there
    axes = figure.layout["xaxis"], figure.layout["yaxis"]
    assert [(axis["exponentformat"], axis["minexponent"]) for axis in axes] == [("power", 5)] * 2
    assert figure.layout["separators"] == "."
    assert "var(" in figure.plotly.to_json()
    for theme in ("light", "dark"):
        resolved = palette.resolve(figure, theme)
        assert isinstance(resolved, go.Figure) and "var(" not in resolved.to_json()


@every
def test_a_picture_travels_without_the_copies_of_plotlys_figure(build, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a Figure of Plotly was made")

    monkeypatch.setattr(go, "Figure", refuse)
    figure = build()
    assert isinstance(figure, Drawing) and payload(figure, name="a")
    with pytest.raises(AssertionError, match="was made"):
        _ = figure.plotly


@every
def test_the_html_file_needs_nothing_else(build):
    page = to_html(build())
    assert page.startswith("<!doctype html>") and len(page) > 3e6
    assert "<script src" not in page and "<link" not in page and "var(--svm" not in page
    assert f"background:{palette.THEMES['light']['page']}" in page
    assert 'role="img" aria-label=' in page


def test_an_unknown_colour_is_refused():
    with pytest.raises(KeyError, match="no colour is called 'pink'"):
        palette.colour("pink")


def test_a_line_tells_what_it_is_given_to_tell():
    silent, result = (
        style.path([0], [1], "a", "#123456", width=2, **options) for options in ({}, {"hovertemplate": "%{y}"})
    )
    assert silent["hoverinfo"] == "skip" and not silent["showlegend"] and "hoverinfo" not in result
    assert silent["line"] == result["line"] == {"color": "#123456", "width": 2, "dash": "solid"}
    level = style.reference_line([0, 1], [2, 2], "end", showlegend=True)
    assert (level["line"]["dash"], level["line"]["color"]) == ("7px,5px", palette.colour("muted"))
    assert level["showlegend"]


@pytest.mark.parametrize("key", ALL)
def test_a_hover_box_shows_what_its_trace_has(key):
    """A name that the trace does not have stands there as it is; words that are not named are never seen."""
    for one in ALL[key]().traces:
        named = re.findall(r"%\{(\w+)(?:\[(\d+)\])?", one.get("hovertemplate", ""))
        assert {name for name, _ in named} <= one.keys()
        assert all(int(column) < np.shape(one["customdata"])[1] for _, column in named if column)
        # those of a film show only what stays
        words = {"text", "hovertext"} & one.keys() if named and "film" not in key else set()
        assert words <= {name for name, _ in named}
