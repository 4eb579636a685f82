"""Pictures: marker i carries alpha_i, lines lie where they are said to, colours can be told apart, bytes come back."""

import ast
import itertools
import json
import struct
import tomllib
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared import figures, palette
from pages.shared.figures import marks, style, subgradients
from pages.shared.plane.plane import pack, payload
from pages.shared.studies import arrays
from pages.shared.studies.arrays import FREE, LOWER, UPPER, ZERO, Field, Graph, Points, Samples

ROOT = Path(__file__).parents[2]


def cloud(n=40, seed=0):
    """Points with every sign and box state, |alpha| <= 2."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
    alpha = rng.uniform(-2, 2, n)
    state = np.arange(n) % 4
    alpha = np.select([state == ZERO, state == UPPER, state == LOWER], [0.0, 2.0, -2.0], alpha)
    return Points(X, y, alpha, state, rng.normal(size=n), rng.random(n), np.array([f"case {k}" for k in range(n)]))


def plane_field(size=30):
    """f(x) = x1 + 2 x2."""
    xs, ys = np.linspace(-3, 3, size), np.linspace(-2, 2, size + 1)
    return Field(xs, ys, xs[None, :] + 2 * ys[:, None])


def trace(figure, name):
    return next(trace for trace in figure.plotly.data if trace.name == name)


def markers(figure):
    """{index of a training point: (x, y, size, fill, edge, width, symbol, customdata, text)} read off the picture."""
    found = {}
    for name in ("points +1", "points -1"):
        drawn = trace(figure, name)
        marker = drawn.marker
        for k, result in enumerate(drawn.customdata):
            style = (marker.size[k], marker.color[k], marker.line.color[k], marker.line.width[k], marker.symbol)
            found[int(result[0])] = (drawn.x[k], drawn.y[k], *style, result, drawn.text and drawn.text[k])
    return found


def samples():
    """Points of a regression."""
    points = cloud()
    x, y = points.X.T
    return Samples(x, y, points.alpha, points.state, points.margin, points.kkt, np.arange(40) < 3, np.arange(40) - 2)


def graph():
    xs = plane_field().xs
    return Graph(xs, np.array([-2.0, 2.0]), np.sin(xs), 0.1, (xs, np.cos(xs)))


def heat(**options):
    """An influence map that is not finished."""
    shares = np.where(np.arange(64) < 50, 0.01 * np.arange(64), np.nan).reshape(8, 8)
    xs, ys = plane_field().xs, plane_field().ys
    return figures.influence(xs, ys, shares, cloud()._replace(outlier=np.arange(40) < 3), 7, largest=0.5, **options)


def reeled(**options):
    """A film of two frames, the second with a ringed pair."""
    field, points = plane_field(), cloud()
    frames = [
        arrays.Frame(field.f, points.alpha * 0, points.state * 0, points.margin),
        arrays.Frame(-field.f, points.alpha, points.state, points.margin, (1, 2), ("up", "down"), ((1, 2, 0.5),)),
    ]
    return figures.film(field.xs, field.ys, frames, points, **options)


def curves():
    """One line with a zero and one of a single place."""
    return [
        arrays.Line("falls", np.arange(5.0), np.array([1, 0.1, 0.01, 1e-9, 0.0]), 0),
        arrays.Line("at once", np.array([1.0]), np.array([1e-5]), 1),
    ]


STEP = figures.LossCurve(
    "0/1",
    np.array([-1.0, 0.0, np.nan, 0.0, 1.0]),
    np.array([0.0, 0.0, np.nan, 1.0, 1.0]),
    np.array([[0.0, 0.0]]),
    np.array([[0.0, 1.0]]),
    14,
    True,
)
LOSSES = [
    STEP._replace(name="hinge", index=0, closed=np.empty((0, 2)), open=np.empty((0, 2))),
    STEP,
    STEP._replace(name="ramp", chosen=False),
]
MARKED = [
    figures.Subgradient("hinge", 0.5, 0.5, 1.0, 0),
    figures.Subgradient("0/1", 9.0, 1.0, 0.0, 14),
    figures.Subgradient("exponential", 0.2, 7.0, 7.0, 7),
]


def on_loss(t=None):
    """Points on the squared loss t^2 / 2, the first at t = 50."""
    points, xs = cloud(), np.linspace(-7, 7, 29)
    t = np.r_[50.0, np.linspace(-1, 1, 39)] if t is None else t
    return figures.on_loss(figures.OnLoss("LS-SVM", xs, xs**2 / 2, 1, t, t**2 / 2, t * (points.alpha != 0)), points)


def walked():
    """Two rounds: the unit circle, then a flat ellipse."""
    xs = np.linspace(-2.0, 2.0, 21)
    angle = np.linspace(0.0, 2.0 * np.pi, 9)
    ellipse = np.outer([1.0, 1.0], np.cos(angle)), np.outer([1.0, 0.3], np.sin(angle))
    return figures.norms(
        Field(xs, xs, np.hypot(xs[None, :] - 2.0, xs[:, None] - 1.0)),
        error=np.array([1.2, 1.3]),
        ellipse=ellipse,
        corner=np.array([1.3, 1.1]),
        path=np.array([[0.8, 0.6], [0.9, 0.1]]),
        end=np.array([1.0, 0.0]),
        names=("a", "b"),
        sentences=["one", "two"],
    )


ALL = {
    "plane": lambda: figures.plane(plane_field(), cloud(), title="LS-SVM", ghost=plane_field(), axes=("a", "b")),
    "compact": lambda: figures.plane(plane_field(), cloud(), title="LS-SVM", compact=True),
    "points": lambda: figures.plane(None, Points(cloud().X, cloud().y)),
    "outliers": lambda: figures.plane(None, cloud()._replace(outlier=np.arange(40) < 3, text=np.array(["label"] * 40))),
    "spectrum": lambda: figures.spectrum(cloud(), (-2.0, 2.0), title="Support values"),
    "long spectrum": lambda: figures.spectrum(cloud(200), (-np.inf, np.inf), by="absolute"),
    "overlay": lambda: figures.overlay([figures.Curve("hinge", plane_field(), 3)], cloud(), title="All"),
    "influence": lambda: heat(title="LS-SVM", boundary=plane_field(), axes=("a", "b")),
    "compact influence": lambda: heat(compact=True),
    "curve": lambda: figures.curve(graph(), samples(), title="SVR", ghost=graph(), off=samples().bare),
    "compact curve": lambda: figures.curve(graph(), samples(), title="SVR", compact=True),
    "no curve": lambda: figures.curve(graph()._replace(f=None), samples().bare),
    "curves": lambda: figures.overlay([figures.Curve("SVR", graph(), 0)], samples(), title="All"),
    "spectrum of a regression": lambda: figures.spectrum(samples(), (-2.0, 2.0)),
    "sweep": lambda: figures.sweep(
        np.arange(3.0),
        [figures.Band("hinge", np.ones(3), np.zeros(3), np.full(3, 2.0), 1)],
        xlabel="share",
        ylabel="error",
    ),
    "norms": lambda: walked().figure,
    "weights": lambda: figures.weights(
        np.array([[1.0, 0.5], [1.0, 0.0]]), np.array([True, False]), np.array([0.9, 0.0]), xlabel="round"
    ),
    "film": lambda: reeled().figure,
    "compact film": lambda: reeled(compact=True).figure,
    "history": lambda: figures.history(curves(), xlabel="steps", ylabel="gap", log=True, level=(1e-3, "tolerance")),
    "plain history": lambda: figures.history(curves(), xlabel="C", ylabel="%", log_x=False, title="Error"),
    "marked history": lambda: figures.history(
        [arrays.Line("hinge", np.arange(3.0), np.ones(3), 1)], xlabel="steps", ylabel="error", log_x=False, at=1.0
    ),
    "beyond": lambda: figures.overlay([figures.Curve("hinge", plane_field(), 3)], cloud(), beyond=((0, 9), "far")),
    "losses": lambda: figures.losses(LOSSES, xlabel="t", ylabel="loss", limits=(-1, 2), places=((0.0, "y f = 1"),)),
    "marked losses": lambda: figures.losses(LOSSES, xlabel="t", ylabel="loss", limits=(-1, 2), marked=MARKED),
    "points on a loss": lambda: on_loss(),
    "prox": lambda: figures.losses(
        [curve._replace(chosen=False) for curve in LOSSES],
        xlabel="z",
        ylabel="prox",
        limits=(-1, 2),
        level=([-1, 2], [-1, 2], "stays"),
    ),
}
every = pytest.mark.parametrize("build", ALL.values(), ids=ALL)


# Marks


@settings(deadline=None)  # the first picture of all takes longer
@given(st.permutations(range(12)))
def test_marker_i_carries_alpha_i_in_any_order(order):
    points, order = cloud(12), np.array(order)
    shuffled = Points(*(None if part is None else np.asarray(part)[order] for part in points[:-1]))  # the last: classes
    drawn = markers(figures.plane(None, shuffled, alpha_max=2.0))
    assert sorted(drawn) == list(range(12))
    for place, original in enumerate(order):
        x, y, size, *_, symbol, result, text = drawn[place]
        diameter = size / (marks.AREA_OF_SQUARE if symbol == "square" else 1)
        assert (x, y) == tuple(points.X[original])
        assert diameter == pytest.approx(max(20 * np.sqrt(abs(points.alpha[original]) / 2), 5.5), rel=1e-6)
        assert symbol == ("circle" if points.y[original] > 0 else "square")
        assert result[1:] == pytest.approx([points.alpha[original], points.margin[original], points.slack[original]])
        assert text == points.kkt[original]


def test_area_is_proportional_and_a_zero_is_a_dot():
    size = marks.diameters(np.array([0.0, 1.0, -4.0]), 4.0, 3)
    assert size[2] ** 2 == pytest.approx(4 * size[1] ** 2)
    assert 0 < size[0] < size[1]
    assert marks.diameters(np.array([1e-9]), 1.0, 1) == marks.diameters(np.array([0.0]), 1.0, 1)


def test_square_and_circle_of_equal_alpha_have_equal_area():
    drawn = markers(figures.plane(None, Points(np.zeros((2, 2)), np.array([1.0, -1.0]), np.array([1.0, 1.0]))))
    assert np.pi / 4 * drawn[0][2] ** 2 == pytest.approx(drawn[1][2] ** 2)


def test_small_multiples_share_the_scale_of_areas():
    one, two = cloud(), cloud()._replace(alpha=cloud().alpha * 3)
    top = max(figures.largest(one), figures.largest(two))
    sizes = [markers(figures.plane(None, points, alpha_max=top))[5][2] ** 2 for points in (one, two)]
    assert sizes[1] == pytest.approx(3 * sizes[0])


def test_fill_tells_the_sign_and_outline_the_state():
    points = cloud()
    for i, (_, _, _, fill, edge, width, symbol, _, _) in markers(figures.plane(None, points)).items():
        own = palette.colour("plus" if symbol == "circle" else "minus")
        assert (fill == own) == (points.alpha[i] >= 0)
        assert (edge == palette.colour("page")) == (points.state[i] == ZERO)
        assert (width > 2) == (points.state[i] in (UPPER, LOWER))
        if points.state[i] == FREE:
            assert edge == (palette.colour("ink") if points.alpha[i] > 0 else own)


def test_the_largest_markers_are_drawn_first():
    for name in ("points +1", "points -1"):
        assert np.all(np.diff(trace(figures.plane(None, cloud()), name).marker.size) <= 0)


# Lines and fields


def test_field_and_lines_lie_on_the_given_grid():
    field = plane_field()
    figure = figures.plane(field, cloud(), limit=3.0)
    for name in ("field", "margins", "boundary"):
        drawn = trace(figure, name)
        assert drawn.z.dtype == np.float32 and drawn.z.shape == (31, 30)
        assert drawn.z[0, -1] == pytest.approx(3 - 4)  # row = y, column = x
        assert (drawn.x[-1], drawn.y[0]) == (3.0, -2.0)
    levels = {name: trace(figure, name).contours for name in ("margins", "boundary")}
    assert [levels["boundary"].start, levels["boundary"].end] == [0, 0]
    assert [levels["margins"].start, levels["margins"].end, levels["margins"].size] == [-1, 1, 2]
    assert [trace(figure, "field").zmin, trace(figure, "field").zmax] == [-3.0, 3.0]
    assert "|f| = 3" in figure.plotly.layout.annotations[0].text


def test_the_ghost_is_the_line_of_the_other_field():
    ghost = plane_field()._replace(f=-5 * plane_field().f)
    drawn = trace(figures.plane(plane_field(), cloud(), ghost=ghost), "ghost")
    assert np.array_equal(drawn.z, ghost.f.astype(np.float32)) and drawn.line.dash == "4px,4px"


def test_zoom_is_kept_for_a_new_model_but_not_for_another_plane():
    same = figures.plane(plane_field()._replace(f=np.ones((31, 30))), cloud())
    other = figures.plane(plane_field()._replace(xs=np.linspace(0, 9, 30)), cloud())
    here = figures.plane(plane_field(), cloud()).plotly.layout.uirevision
    assert same.plotly.layout.uirevision == here != other.plotly.layout.uirevision


def test_a_limit_of_zero_is_refused():
    with pytest.raises(ValueError, match="limit must be positive"):
        figures.plane(plane_field(), cloud(), limit=0)


# Spectrum, overlay, sweep


@pytest.mark.parametrize("by", ["signed", "absolute"])
def test_spectrum_ranks_and_keeps_the_index(by):
    points = cloud(90)
    drawn = [trace(figures.spectrum(points, by=by), f"stems {label}") for label in ("+1", "-1")]
    heads = {int(t.customdata[k][0]): (t.x[k], t.y[k]) for t in drawn for k in range(1, len(t.x), 3)}
    assert len(heads) == 90
    ranked = sorted(heads, key=lambda i: heads[i][0])
    height = points.alpha if by == "signed" else np.abs(points.alpha)
    assert [heads[i][0] for i in ranked] == list(range(1, 91))
    assert np.all(np.diff(height[ranked]) <= 0)
    assert [heads[i][1] for i in range(90)] == pytest.approx(height, rel=1e-6)


def test_stems_stand_on_zero_and_are_parted():
    drawn = trace(figures.spectrum(cloud(), (-2, 2)), "stems +1")
    assert np.all(drawn.y[0::3] == 0) and np.all(np.isnan(drawn.y[2::3]))


def test_bounds_are_lines_inside_the_picture_and_words_beyond():
    near = figures.spectrum(cloud(), (-2.0, 2.0))
    assert list(trace(near, "bounds").y) == [2.0, 2.0, None, -2.0, -2.0, None]
    far = figures.spectrum(cloud(), (-2000.0, 2000.0))
    assert len(trace(far, "bounds").y) == 0
    assert [note.text for note in far.plotly.layout.annotations] == [
        "upper bound 2000, beyond the picture",
        "lower bound −2000, beyond the picture",
    ]
    assert not figures.spectrum(cloud()).plotly.layout.annotations


def test_a_spectrum_without_support_values_is_refused():
    with pytest.raises(ValueError, match="needs support values"):
        figures.spectrum(Points(cloud().X, cloud().y))
    with pytest.raises(ValueError, match="'signed' or 'absolute'"):
        figures.spectrum(cloud(), by="size")


def test_a_model_keeps_its_colour_and_dash_when_others_are_left_out():
    curves = [figures.Curve(f"m{k}", plane_field(), k) for k in range(8)]
    styles = [trace(figures.overlay(curves, cloud()), f"m{k}").line for k in range(8)]
    assert len({line.color for line in styles}) == len({line.dash for line in styles}) == 8
    alone = trace(figures.overlay(curves[5:6], cloud()), "m5").line
    assert (alone.color, alone.dash) == (styles[5].color, styles[5].dash)


@pytest.mark.parametrize("log_x, places", [(False, [1.0, 2.0]), (True, [1.0, 100.0])])
def test_error_bars_reach_from_low_to_high_and_stand_side_by_side(log_x, places):
    band = figures.Band("hinge", np.array([1.0, 2.0]), np.array([0.0, 1.5]), np.array([3.0, 4.0]), 2)
    three = [band._replace(name=name) for name in ("a", "hinge", "c")]
    figure = figures.sweep(np.array(places), three, xlabel="share", ylabel="error", log_x=log_x)
    line, bars = trace(figure, "hinge"), trace(figure, "hinge bars")
    assert list(line.x) == list(bars.x) == places and list(line.y) == list(bars.y) == [1.0, 2.0]
    assert (list(bars.error_y.arrayminus), list(bars.error_y.array)) == ([1.0, 0.5], [2.0, 2.0])
    assert bars.error_y.color == bars.marker.color == line.line.color == palette.variant(2)[0]
    left, right = (np.array(trace(figure, f"{name} bars").x) for name in ("a", "c"))
    assert np.all(left < places) and np.all(places < right) and np.all(right[:-1] < left[1:])
    assert figure.plotly.layout.showlegend


@pytest.mark.parametrize(
    "call", [lambda: figures.overlay([], cloud()), lambda: figures.sweep([], [], xlabel="", ylabel="")]
)
def test_nothing_to_draw_is_refused(call):
    with pytest.raises(ValueError, match="at least one"):
        call()


# All figures


@every
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plotly_accepts_every_property_and_no_token_is_left(build, theme):
    figure = build()
    resolved = palette.resolve(figure, theme)
    assert isinstance(resolved, go.Figure)
    assert "var(" in figure.plotly.to_json() and "var(" not in resolved.to_json()


@every
def test_a_picture_travels_without_the_copies_of_plotlys_figure(build, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a Figure of Plotly was made")

    monkeypatch.setattr(go, "Figure", refuse)
    figure = build()
    assert isinstance(figure, figures.Drawing) and payload(figure, name="a")
    with pytest.raises(AssertionError, match="was made"):
        _ = figure.plotly


def test_a_picture_shares_the_field_of_its_machine():
    field = plane_field()._replace(f=np.zeros((31, 30), np.float32))
    drawn = {trace["name"]: trace for trace in figures.plane(field, cloud()).traces}
    assert all(drawn[name]["z"] is drawn["boundary"]["z"] for name in ("field", "margins"))


@every
def test_touch_is_left_to_the_page_and_each_picture_has_words(build):
    figure = build()
    assert figure.plotly.layout.dragmode is False
    assert figure.alt.endswith(".") and len(figure.alt) > 30


def test_words_agree_with_the_numbers():
    points = cloud(40)
    assert figures.plane(None, points, title="LS-SVM").alt == (
        "Plane of LS-SVM: 40 points, 20 of class +1 and 20 of class -1. 30 of 40 have a support value other than "
        f"zero, largest |alpha| 2, {np.sum(points.alpha < 0)} negative, 20 at a bound."
    )


def test_key_and_words_name_the_lines_that_are_drawn():
    for field, lines in ((plane_field(), True), (None, False)):
        figure = figures.plane(field, cloud())
        (key,) = (note.text for note in figure.plotly.layout.annotations)
        for words in ("f = 0", "f = ±1", "colours end"):
            assert (words in key) == lines
        sentence = figure.alt
        assert ("lines mark f = 0 and f = ±1" in sentence) == lines == ("f = " in sentence)


def test_the_words_of_a_history_say_where_its_lines_begin_and_end():
    text = ALL["history"]().alt
    assert text == "Curves of gap over steps: falls from 1 to 0; at once from 10⁻⁵ to 10⁻⁵."


def test_the_words_of_a_history_begin_where_its_line_is_known():
    lines = [
        arrays.Line("gap", np.arange(4), np.array([np.nan, 2.0, 1.0, np.nan]), 0),
        arrays.Line("flat", np.arange(2), np.array([-0.0, -0.0]), 1),
    ]
    text = figures.history(lines, xlabel="steps", ylabel="gap").alt
    assert text == "Curves of gap over steps: gap from 2 to 1; flat from 0 to 0."


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
    layout = figures.history(lines, xlabel="σ", ylabel="r", log=True).plotly.layout
    assert layout.xaxis.type == layout.yaxis.type == "log" and layout.xaxis.ticktext == layout.yaxis.ticktext
    assert " ".join(layout.xaxis.ticktext) == words
    assert sum(low <= value <= high for value in layout.xaxis.tickvals) >= 2


def test_a_history_leaves_out_what_a_log_axis_cannot_hold_and_shows_a_single_place():
    drawn = figures.history(curves(), xlabel="steps", ylabel="gap", log=True, level=(1e-3, "tolerance"))
    falls, once, level = drawn.plotly.data
    assert np.isnan(falls.x[0]) and np.isnan(falls.y[-1]) and falls.y[1] == 0.1 and falls.mode == "lines"
    assert once.mode == "markers" and list(level.x) == [1, 4] and list(level.y) == [1e-3, 1e-3]
    plain = figures.history(curves(), xlabel="steps", ylabel="gap", log_x=False)
    assert (
        plain.plotly.data[0].x[0] == 0
        and plain.plotly.data[0].y[-1] == 0
        and plain.plotly.layout.xaxis.type == "linear"
    )


@every
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_html_file_needs_nothing_else(build, theme):
    page = figures.to_html(build(), theme)
    assert page.startswith("<!doctype html>") and len(page) > 3e6
    assert "<script src" not in page and "<link" not in page and "var(--svm" not in page
    assert f"background:{palette.THEMES[theme]['page']}" in page
    assert 'role="img" aria-label=' in page


@every
def test_large_numbers_of_an_axis_are_written_out(build):
    """Plotly's own are 100k and 100µ; ticks.js writes the same before Plotly is there."""
    layout = build().layout
    plain = [(axis["exponentformat"], axis["minexponent"]) for axis in (layout["xaxis"], layout["yaxis"])]
    assert plain == [("power", 5)] * 2 and layout["separators"] == "."


def test_the_ticks_reach_to_the_level():
    """Above a far level the powers of ten are enough; 1, 2, 5 and 10 would lie on one another."""
    lines = [arrays.Line("violation", np.array([1.0, 2.0]), np.array([9.0, 2.0]), 0)]
    drawn = figures.history(lines, xlabel="x", ylabel="y", log=True, level=(1e-3, "tolerance"))
    assert drawn.layout["yaxis"]["ticktext"] == ["0.001", "0.01", "0.1", "1", "10"]


def test_a_line_with_one_place_on_a_log_axis_is_a_mark():
    """A run of one round: its start, at 0, is not on the axis."""
    lines = [arrays.Line("objective", np.array([0.0, 1.0]), np.array([40.0, 39.7]), 0)]
    modes = [figures.history(lines, xlabel="x", ylabel="y", log_x=log_x).traces[0]["mode"] for log_x in (True, False)]
    assert modes == ["markers", "lines"]


def test_what_cannot_be_told_from_zero_is_zero_in_words_but_not_on_a_log_axis():
    lines = [arrays.Line("turned", np.arange(3.0), np.array([8.5e-7, 20.0, 41.4]), 0)]
    assert "turned from 0 to 41.4" in figures.history(lines, xlabel="x", ylabel="y", log_x=False).alt
    assert "turned from 8.5·10⁻⁷ to 41.4" in figures.history(lines, xlabel="x", ylabel="y", log=True, log_x=False).alt


# Losses


def test_chosen_losses_have_their_colour_and_lie_on_top_of_the_faint():
    figure = ALL["losses"]()
    names = [drawn.name for drawn in figure.plotly.data]
    assert names == ["places", "ramp", "hinge", "hinge ends", "0/1", "0/1 ends"]
    line_colour, dash = palette.variant(14)
    assert (trace(figure, "0/1").line.color, trace(figure, "0/1").line.dash) == (line_colour, dash)
    assert trace(figure, "ramp").line.color == palette.colour("muted") and not trace(figure, "ramp").showlegend
    assert figure.alt == "loss over t: hinge and 0/1; faint behind: 1 other."


def test_a_jump_is_a_gap_with_a_filled_and_a_hollow_end():
    figure = ALL["losses"]()
    line, ends = trace(figure, "0/1"), trace(figure, "0/1 ends")
    assert np.isnan(line.y[2]) and line.connectgaps is False
    filled = {(x, y): fill for x, y, fill in zip(ends.x, ends.y, ends.marker.color, strict=True)}
    assert filled == {(0.0, 1.0): palette.colour("page"), (0.0, 0.0): palette.variant(14)[0]}


def slopes(drawn, layout):
    """The slope, the middle and the length, in lengths of the axes, of each short line of a trace."""
    x, y = (np.reshape(values, (-1, 3)) for values in (drawn.x, drawn.y))
    assert np.all(np.isnan(x[:, 2])) and np.all(np.isnan(y[:, 2])) and drawn.connectgaps is False
    across, up = x[:, 1] - x[:, 0], y[:, 1] - y[:, 0]
    length = np.hypot(across / np.ptp(layout["xaxis"]["range"]), up / np.ptp(layout["yaxis"]["range"]))
    return up / across, np.column_stack([x[:, :2].mean(axis=1), y[:, :2].mean(axis=1)]), length


def test_a_mark_on_a_loss_has_its_slope_and_one_beyond_the_axes_points_outwards():
    figure = ALL["marked losses"]()
    (slope,), (middle,), (length,) = slopes(trace(figure, "hinge slope"), figure.layout)
    assert (slope, *middle, length) == pytest.approx((1.0, 0.5, 0.5, 2 * subgradients.HALF), rel=1e-5)
    assert trace(figure, "hinge slope").line.color == palette.variant(0)[0]
    rings = trace(figure, "marked")
    assert rings.marker.symbol == ("circle-open", "triangle-right", "triangle-up")
    assert (rings.x[0], rings.y[0]) == (0.5, 0.5) and rings.x[1] < 2.0 and rings.y[2] < 2.0
    assert [list(row) for row in rings.customdata] == [["hinge", 0.5, 1], ["0/1", 9, 0], ["exponential", 0.2, 7]]
    flat = figures.losses(LOSSES, xlabel="t", ylabel="slope", limits=(-1, 2), marked=MARKED, tangent=False)
    assert not [drawn.name for drawn in flat.plotly.data if drawn.name.endswith(" slope")]


def test_every_point_lies_on_its_loss_under_its_id_and_each_support_vector_has_its_slope():
    figure, points = ALL["points on a loss"](), cloud()
    found = markers(figure)
    assert found.keys() == set(range(40))
    places = np.array([found[k][:2] for k in range(40)])
    assert places[1:] == pytest.approx(np.column_stack([np.linspace(-1, 1, 39), np.linspace(-1, 1, 39) ** 2 / 2]))
    (low, high), top = figure.layout["xaxis"]["range"], figure.layout["yaxis"]["range"][1]
    assert (low, high, top) == (-2.0, 6.0, 6.0) and high - 0.3 < places[0, 0] < high and top - 0.3 < places[0, 1] < top
    slope, middles, _ = slopes(trace(figure, "slopes"), figure.layout)
    support = points.alpha != 0
    assert np.any(~support) and len(slope) == np.sum(support)
    expected = np.r_[50.0, np.linspace(-1, 1, 39)][support]
    assert slope == pytest.approx(expected, rel=1e-2, abs=1e-5) and middles == pytest.approx(places[support], abs=1e-5)


def test_the_axes_of_a_loss_stay_while_a_point_moves_a_little():
    before, after = (on_loss(np.linspace(-1.2, end, 40)).layout for end in (1.4, 1.5))
    assert before["uirevision"] == after["uirevision"] and before["xaxis"]["range"] == after["xaxis"]["range"]


def test_a_place_is_marked_on_every_line_that_has_reached_it():
    lines = [
        arrays.Line("far", np.array([0.0, 1.0, 2.0]), np.array([0.0, 4.0, 6.0]), 2),
        arrays.Line("near", np.array([0.0, 1.0]), np.array([0.0, 4.0]), 3),
    ]
    figure = figures.history(lines, xlabel="x", ylabel="y", log_x=False, at=1.5)
    now = trace(figure, "now")
    assert (list(now.x), list(now.y), list(now.marker.color)) == ([1.5], [5.0], [palette.variant(2)[0]])
    assert [(shape.x0, shape.x1) for shape in figure.plotly.layout.shapes] == [(1.5, 1.5)]
    assert "now" not in [drawn.name for drawn in figures.history(lines, xlabel="x", ylabel="y").plotly.data]


@pytest.mark.parametrize(
    "place, edge, tail", [((0, 9), (0, 2), (0, 1)), ((-30, 0), (-3, 0), (1, 0)), ((6, -4), (3, -2), (-1, -1))]
)
def test_an_arrow_points_to_what_lies_beyond_the_picture(place, edge, tail):
    (arrow,) = figures.overlay(
        [figures.Curve("hinge", plane_field(), 3)], cloud(), beyond=(place, "far")
    ).plotly.layout.annotations
    assert (arrow.x, arrow.y) == pytest.approx(edge) and arrow.text == "far"
    assert np.allclose(np.sign(np.round([arrow.ax, arrow.ay], 9)), tail)  # in pixels, y downwards


def test_what_lies_inside_needs_no_arrow():
    figure = figures.overlay([figures.Curve("hinge", plane_field(), 3)], cloud(), beyond=((2.9, -1.9), "near"))
    assert not figure.plotly.layout.annotations


def test_a_picture_of_no_losses_is_refused():
    with pytest.raises(ValueError, match="at least one curve"):
        figures.losses([], xlabel="t", ylabel="loss", limits=(0, 1))


def test_an_unknown_theme_or_colour_is_refused():
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        figures.to_html(ALL["points"](), "sepia")
    with pytest.raises(KeyError, match="no colour is called 'pink'"):
        palette.colour("pink")


def test_figures_know_neither_streamlit_nor_solvers():
    for path in (ROOT / "pages/shared/figures").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in getattr(node, "names", [])] + [getattr(node, "module", None) or ""]
            assert not {name.split(".")[0] for name in names} & {"streamlit", "svmcore", "sklearn", "random"}, path


# Colours


def channels(colour):
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """WCAG 2.2, contrast ratio."""
    low, high = sorted(float(channels(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


VISION = {  # Machado, Oliveira and Fernandes (2009), severity 1, linear RGB
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def lab(linear):
    """CIELAB of a linear sRGB colour, white D65."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = (np.array(to_xyz) @ np.clip(linear, 0, 1)) / [0.9505, 1, 1.089]
    f = [np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, vision):
    return np.linalg.norm(lab(np.array(vision) @ channels(one)) - lab(np.array(vision) @ channels(other)))


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_colours_can_be_told_apart(theme, vision):
    colours = palette.THEMES[theme]
    assert distance(colours["plus"], colours["minus"], VISION[vision]) > 80
    assert distance(colours["field-plus"], colours["field-minus"], VISION[vision]) > 30
    assert min(distance(colours["heat"], colours[k], VISION[vision]) for k in ("plus", "minus", "accent", "ink")) > 20
    assert min(distance(colours["third"], colours[k], VISION[vision]) for k in ("plus", "minus", "ink")) > 35
    third = (distance(colours["field-third"], colours[k], VISION[vision]) for k in ("field-plus", "field-minus"))
    assert min(third) > 30
    variants = [colours[f"variant-{k}"] for k in range(1, 9)]
    assert min(distance(a, b, VISION[vision]) for a, b in itertools.combinations(variants, 2)) > 20


def test_variants_repeat_neither_colour_nor_dash_together():
    looks = [palette.variant(k) for k in range(64)]
    assert len(set(looks)) == 64 and looks[0] == (palette.colour("variant-1"), "solid")
    for k in range(8):  # the same colour, but another dash
        assert looks[k][0] == looks[k + 8][0] and looks[k][1] != looks[k + 8][1]


def test_every_machine_has_a_look_of_its_own_and_the_old_ones_keep_theirs():
    from pages.shared import controls
    from pages.shared.choices import MACHINES, Machine
    from svmcore import losses

    index = {loss: controls.colour_index(Machine(loss)) for loss in losses.LOSSES}
    assert len({palette.variant(k) for k in index.values()}) == len(losses.LOSSES)
    kept = (
        "hinge squared_hinge least_squares least_absolute pinball huber insensitive_pinball exponential log ramp "
        "truncated_pinball asymmetric_truncated_pinball sigmoid normalized_sigmoid zero_one"
    )
    assert [index[loss] for loss in kept.split()] == list(range(15))
    for together in MACHINES.values():
        assert len({controls.colour_index(Machine(loss)) for loss in together}) == len(together)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_contrasts_reach_wcag(theme):
    colours = palette.THEMES[theme]
    for name in ("ink", "muted"):
        assert contrast(colours[name], colours["page"]) >= 4.5
    for name in ("plus", "minus", "third", "accent", "heat", *(f"variant-{k}" for k in range(1, 9))):
        assert contrast(colours[name], colours["page"]) >= 3, name
    for field in ("field-plus", "field-minus", "field-third", "heat"):
        assert contrast(colours["ink"], colours[field]) >= 4.5  # lines and outlines on the strongest colour


def test_config_and_frame_have_the_colours_of_the_palette():
    frame = (ROOT / "pages/shared/frame.css").read_text(encoding="utf-8")
    for name in ("page", "ink"):
        both = ", ".join(palette.THEMES[theme][name] for theme in ("light", "dark"))
        assert f"--svm-{name}: light-dark({both});" in frame
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    for name, colours in palette.THEMES.items():
        assert theme[name]["backgroundColor"] == colours["page"]
        assert theme[name]["textColor"] == colours["ink"]
        variants = [colours[f"variant-{k}"] for k in range(1, 9)]
        assert theme[name]["chartCategoricalColors"] == [colours["plus"], colours["minus"], *variants]


# Bytes


def unpack(raw):
    """The reverse of `pack`, written after its docstring."""
    start = 4 + struct.unpack_from("<I", raw)[0]

    def array(value):
        if not isinstance(value, dict) or "at" not in value:
            return value
        count = int(np.prod(value["shape"]))
        return np.frombuffer(raw, "<" + value["type"], count, start + value["at"]).reshape(value["shape"])

    return json.loads(raw[4:start], object_hook=array)


def test_a_line_tells_what_it_is_given_to_tell():
    silent, result = (
        style.path([0], [1], "a", "#123456", width=2),
        style.path([0], [1], "a", "#123456", width=2, hovertemplate="%{y}"),
    )
    assert silent["hoverinfo"] == "skip" and not silent["showlegend"] and "hoverinfo" not in result
    assert silent["line"] == result["line"] == {"color": "#123456", "width": 2, "dash": "solid"}
    level = style.level([0, 1], [2, 2], "end", showlegend=True)
    assert (
        level["line"]["dash"] == "7px,5px" and level["line"]["color"] == palette.colour("muted") and level["showlegend"]
    )


def test_bytes_come_back():
    spec = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": [{"c": np.arange(3)}, "ü", None, np.float64(0.5)],
        "d": np.array(["x", "y"]),
        "e": np.array([1, 2, 3], np.int16),
        "f": np.zeros((0,)),
        "g": [np.nan, np.float64(np.inf)],
    }
    found = unpack(pack(spec))
    assert found["a"].dtype == np.float32 and np.array_equal(found["a"], spec["a"])
    assert np.array_equal(found["b"][0]["c"], [0, 1, 2]) and found["b"][1:] == ["ü", None, 0.5]
    assert found["d"] == ["x", "y"] and found["e"].dtype == np.int16 and len(found["f"]) == 0
    assert found["g"] == [None, None]


def test_the_field_travels_once():
    figure = figures.plane(plane_field(100), cloud())
    assert len(payload(figure, name="a")) < 1.3 * plane_field(100).f.size * 4


def test_equal_figures_are_equal_bytes():
    assert payload(ALL["plane"](), name="a") == payload(ALL["plane"](), name="a")
    assert payload(ALL["plane"](), name="a") != payload(ALL["compact"](), name="a")
