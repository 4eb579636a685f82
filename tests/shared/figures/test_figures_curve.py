"""The picture of a regression: marker i bears beta_i, lines lie where f, its tube and the truth are, words agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import samples, trace

from pages.shared.figures import marks, palette
from pages.shared.figures.charts.spectrum import spectrum_figure
from pages.shared.figures.curve import curve_figure
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.studies import arrays
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, FunctionCurve, Samples
from svmcore.problems import Names

XS = np.linspace(-3.0, 3.0, 61)


def graph(**changes):
    """f(x) = x^2 - 1 between y = -2 and y = 9."""
    return FunctionCurve(XS, np.array([-2.0, 9.0]), XS**2 - 1)._replace(**changes)


def names(figure):
    return [trace.name for trace in figure.plotly.data]


@settings(deadline=None, max_examples=20)  # on a busy machine
@given(st.permutations(range(12)))
def test_marker_i_bears_beta_i_in_any_order(order):
    points, order = samples(12), np.array(order)
    shuffled = Samples(*(part[order] for part in points))
    drawn = trace(curve_figure(graph(), shuffled), "points")
    found = {int(result[0]): k for k, result in enumerate(drawn.customdata)}
    assert sorted(found) == sorted(points.ids.tolist())
    for i, key in enumerate(points.ids.tolist()):
        k = found[key]
        assert (drawn.x[k], drawn.y[k]) == (points.x[i], points.y[i])
        assert drawn.customdata[k][1:] == pytest.approx([points.beta[i], points.residual[i]])
        assert drawn.marker.size[k] == pytest.approx(max(20 * np.sqrt(abs(points.beta[i]) / 2), 5.5), rel=1e-6)
        assert drawn.text[k] == points.kkt[i]
        assert drawn.hovertext[k] == (f"point {key}" if key >= 0 else f"added point {-key}")
        edge, width = drawn.marker.line.color[k], drawn.marker.line.width[k]
        bound = points.state[i] in (UPPER, LOWER)
        assert edge == palette.colour("page" if bound or points.state[i] == ZERO else "ink")
        assert drawn.marker.symbol[k] == ("circle-dot" if bound else "circle") and (width > 2) == bound
    assert np.all(np.diff(drawn.marker.size) <= 0)


def test_points_without_a_machine_are_free_and_one_symbol_in_one_colour():
    marker = trace(curve_figure(graph(f=None), samples().bare), "points").marker
    assert marker.symbol == "circle" and marker.color == palette.colour("plus")
    assert set(marker.line.color) == {palette.colour("ink")} and len(set(np.asarray(marker.line.width).tolist())) == 1
    assert marks.largest_alpha(samples().bare) == 0.0 and FREE == 1


def test_the_lines_are_where_they_are_said_to_be():
    truth, ghost = (np.array([-1.0, 1.0]), np.array([0.5, 0.25])), graph(f=XS)
    figure = curve_figure(graph(tube=0.25, truth=truth), samples(), ghost=ghost)
    assert names(figure) == ["truth", "tube", "ghost", "curve", "points", "outliers"]
    assert np.array_equal(trace(figure, "curve").x, XS) and np.array_equal(trace(figure, "curve").y, XS**2 - 1)
    assert np.array_equal(trace(figure, "ghost").y, XS)
    assert np.array_equal(trace(figure, "truth").x, truth[0]) and np.array_equal(trace(figure, "truth").y, truth[1])
    x, y = trace(figure, "tube").x, trace(figure, "tube").y
    assert np.isnan(x[61]) and np.isnan(y[61]) and len(x) == 123
    assert np.array_equal(x[:61], XS) and np.array_equal(x[62:], XS)
    assert y[:61] == pytest.approx(XS**2 - 0.75) and y[62:] == pytest.approx(XS**2 - 1.25)


def test_a_curve_is_finer_than_the_digits_of_float32():
    """The strontium ratios of fossil shells differ in the fifth digit."""
    narrow = graph(ys=np.array([0.7072, 0.7075]), f=0.70735 + 1e-9 * XS)
    drawn = trace(curve_figure(narrow, samples()), "curve")
    assert np.all(np.diff(drawn.y) > 0)


def test_what_is_not_there_is_not_drawn():
    assert names(curve_figure(graph(tube=0.0), samples().bare._replace(outlier=None))) == ["curve", "points"]
    assert names(curve_figure(graph(f=None, tube=0.5), samples().bare)) == ["points", "outliers"]
    off = Samples(np.array([0.5]), np.array([2.0]), ids=np.array([7]))
    figure = curve_figure(graph(), samples(), off=off)
    drawn = trace(figure, "switched off")
    assert (list(drawn.x), list(drawn.y), drawn.customdata.tolist()) == ([0.5], [2.0], [[7]])


def test_outliers_are_ringed_around_their_markers():
    figure = curve_figure(graph(), samples())
    rings, points = trace(figure, "outliers"), trace(figure, "points")
    size = {int(result[0]): points.marker.size[k] for k, result in enumerate(points.customdata)}
    assert [int(result[0]) for result in rings.customdata] == [-2, -1, 0]
    assert list(rings.marker.size) == [size[key] + 9 for key in (-2, -1, 0)]
    assert np.array_equal(rings.x, samples().x[:3])


def test_the_axes_have_their_own_units_and_ticks():
    layout = curve_figure(graph(), samples()).plotly.layout
    assert list(layout.xaxis.range) == [-3, 3] and list(layout.yaxis.range) == [-2, 9]
    assert layout.yaxis.scaleanchor is None and layout.xaxis.showticklabels and layout.yaxis.showticklabels
    compact = curve_figure(graph(), samples(), compact=True).plotly.layout
    assert not compact.yaxis.showticklabels and not compact.annotations


def test_zoom_is_kept_for_a_new_curve_but_not_for_another_plane():
    here = curve_figure(graph(), samples()).plotly.layout.uirevision
    assert curve_figure(graph(f=XS), samples()).plotly.layout.uirevision == here
    assert curve_figure(graph(ys=np.array([-2.0, 10.0])), samples()).plotly.layout.uirevision != here


def test_the_key_names_what_is_drawn():
    (full,) = curve_figure(
        graph(tube=0.5, truth=(XS, XS)), samples(), ghost=graph(), off=samples().bare
    ).plotly.layout.annotations
    words = "training point", "f ± ε", "the true curve", "without outliers", "outlier", "switched off", "area ∝ |β|"
    assert all(word in full.text for word in (*words, "one colour: β > 0 above the curve"))
    (bare,) = curve_figure(graph(f=None, tube=0.5), samples().bare._replace(outlier=None)).plotly.layout.annotations
    assert bare.text.endswith("training point")
    (moved,) = curve_figure(graph(f=7 * XS), samples(seed=1)._replace(outlier=None)).plotly.layout.annotations
    (still,) = curve_figure(graph(), samples()._replace(outlier=None)).plotly.layout.annotations
    assert moved == still  # no number that moves with the model


def test_words_agree_with_the_numbers():
    figure = curve_figure(graph(tube=0.25, truth=(XS, XS)), samples(), ghost=graph())
    negative = int(np.sum(samples().beta < 0))
    assert figure.alt == (
        "Plane: 40 points. 30 of 40 have a support value other than zero, largest |beta| 2, "
        f"{negative} negative, 20 at a bound. A line marks the fitted curve from x = −3 to 3, with values from −1 to 8."
        " Dashed lines mark the tube, 0.25 above and below it. A pale line marks the true curve. "
        "A thin grey line shows the curve without the outliers. 3 outliers ringed. Key of sizes, |β|: 0.5, 1, 2."
    )


def test_an_overlay_of_curves():
    curves = [Curve("one", graph(tube=0.3), 0), Curve("two", graph(f=XS), 2)]
    figure = overlay_figure(curves, samples())
    assert names(figure) == ["points", "outliers", "one", "two"]
    assert np.array_equal(trace(figure, "two").y, XS) and trace(figure, "two").showlegend
    assert (trace(figure, "two").line.color, trace(figure, "two").line.dash) == palette.variant(2)
    assert trace(figure, "points").customdata[:, 0].tolist() == samples().ids.tolist()
    assert all(part in figure.alt for part in ("Fitted curves", "one and two", "40 points"))


def test_an_overlay_of_boundaries_keeps_the_ids():
    """A point that was deleted does not shift the numbers of the others."""
    ids = np.array([0, 2, -1])
    points = arrays.Points(np.zeros((3, 2)), np.ones(3), alpha=np.ones(3), ids=ids)
    figure = overlay_figure([Curve("a", arrays.Field(XS, XS, np.add.outer(XS, XS)), 0)], points)
    assert trace(figure, "points +1").customdata[:, 0].tolist() == ids.tolist()
    stems = trace(spectrum_figure(points._replace(named=Names((), ("ill", "well")))), "stems +1")
    assert stems.hovertext[1::3] == ("point 0", "point 2", "added point 1")
    assert stems.hovertemplate.startswith("%{hovertext}, class +1 (ill)<br>")


def test_the_spectrum_of_a_regression():
    points = samples()
    figure = spectrum_figure(points, (-2.0, 2.0))
    drawn = trace(figure, "stems")
    heads = {int(drawn.customdata[k][0]): (drawn.x[k], drawn.y[k]) for k in range(1, len(drawn.x), 3)}
    assert [heads[key][1] for key in points.ids.tolist()] == pytest.approx(points.beta, rel=1e-6)
    ranked = sorted(heads, key=lambda key: heads[key][0])
    assert np.all(np.diff([heads[key][1] for key in ranked]) <= 0)
    assert names(figure) == ["bounds", "stems"] and figure.plotly.layout.yaxis.title.text == "β"
    assert "β = " in drawn.hovertemplate and "class" not in drawn.hovertemplate
    assert drawn.line.color == trace(curve_figure(graph(), points), "points").marker.color
    assert "40 points. 30 of 40" in figure.alt and "class" not in figure.alt
