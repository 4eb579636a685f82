"""The plane: marker i carries alpha_i, lines lie where they are said to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import EXTENT, cloud, graph, markers, plane_field, samples, trace
from written import numbers_in

from pages.shared.figures import captions, marks, palette
from pages.shared.figures.curve import curve_figure
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.plane import Change, plane_figure
from pages.shared.live import pictures
from pages.shared.screen import edits
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.screen import Screen
from pages.shared.studies.arrays import LOWER, UPPER, ZERO, Points
from pages.shared.studies.formatting import number
from pages.shared.studies.source import Source
from svmcore.studies import plane

# Marks


@settings(deadline=None, max_examples=20)  # the first picture of all takes longer
@given(st.permutations(range(12)))
def test_marker_i_carries_alpha_i_in_any_order(order):
    points, order = cloud(12), np.array(order)
    of_points = points[:-2]  # then come classes and names
    shuffled = Points(*(None if part is None else np.asarray(part)[order] for part in of_points))
    drawn = markers(plane_figure(EXTENT, shuffled, alpha_max=2.0))
    assert sorted(drawn) == list(range(12))
    for place, original in enumerate(order):
        x, y, size, *_, symbol, result, text = drawn[place]
        symbol = symbol.removesuffix("-dot")
        diameter = size / (marks.AREA_OF_SQUARE if symbol == "square" else 1)
        assert (x, y) == tuple(points.X[original])
        assert diameter == pytest.approx(max(20 * np.sqrt(abs(points.alpha[original]) / 2), 5.5), rel=1e-6)
        assert symbol == ("circle" if points.y[original] > 0 else "square")
        assert result[1:] == pytest.approx([points.alpha[original], points.margin[original], points.slack[original]])
        assert text == points.kkt[original]


def test_square_and_circle_of_equal_alpha_have_equal_area():
    drawn = markers(plane_figure(EXTENT, Points(np.zeros((2, 2)), np.array([1.0, -1.0]), np.array([1.0, 1.0]))))
    assert np.pi / 4 * drawn[0][2] ** 2 == pytest.approx(drawn[1][2] ** 2)


@pytest.mark.parametrize("n", [40, 200])
def test_fill_tells_the_sign_and_a_dot_the_bound(n):
    points = cloud(n)
    for i, (_, _, size, fill, edge, width, symbol, _, _) in markers(plane_figure(EXTENT, points, compact=True)).items():
        kind, bound = "plus" if symbol.startswith("circle") else "minus", points.state[i] in (UPPER, LOWER)
        own, deep, page = (palette.colour(name) for name in (kind, f"{kind}-deep", "page"))
        assert (fill == own) == (points.alpha[i] >= 0)
        assert edge == (own if points.alpha[i] < 0 else page if bound or points.state[i] == ZERO else deep)
        assert symbol.endswith("-dot") == bound and width < 0.3 * size, "a small marker keeps its fill"


def test_the_largest_markers_are_drawn_first():
    for name in ("points +1", "points -1"):
        assert np.all(np.diff(trace(plane_figure(EXTENT, cloud()), name).marker.size) <= 0)


# Lines and fields


def test_field_and_lines_lie_on_the_given_grid():
    field = plane_field()
    figure = plane_figure(field, cloud())
    for name in ("field", "margins", "boundary"):
        drawn = trace(figure, name)
        assert drawn.z.dtype == np.float32 and drawn.z.shape == (31, 30)
        assert drawn.z[0, -1] == pytest.approx(3 - 4)  # row = y, column = x
        assert (drawn.x[-1], drawn.y[0]) == (3.0, -2.0)
    levels = {name: trace(figure, name).contours for name in ("margins", "boundary")}
    assert [levels["boundary"].start, levels["boundary"].end] == [0, 0]
    assert [levels["margins"].start, levels["margins"].end, levels["margins"].size] == [-1, 1, 2]
    assert [trace(figure, "field").zmin, trace(figure, "field").zmax] == [-2.0, 2.0]
    assert "|f| = 2" in figure.plotly.layout.annotations[0].text


def test_the_ghost_is_the_line_of_the_other_field_and_all_others_share_that_of_the_machine():
    ghost = plane_field()._replace(f=-5 * plane_field().f)
    drawn = trace(plane_figure(plane_field(), cloud(), ghost=ghost), "ghost")
    assert np.array_equal(drawn.z, ghost.f.astype(np.float32)) and drawn.line.dash == "solid"
    field = plane_field()._replace(f=np.zeros((31, 30), np.float32))
    shared = {trace["name"]: trace["z"] for trace in plane_figure(field, cloud()).traces if "z" in trace}
    assert shared["field"] is shared["margins"] is shared["boundary"]


TURNED = edits.script((-2, -2), [(point, edits.TURNED | edits.MARKED, 0, 0) for point in range(0, 12, 2)])
FLIPPED = dict(contamination="flip_farthest", amount=6)
OUTSIDE = FLIPPED | dict(edits=edits.script((-2, -2), [(6, edits.MOVED, 1100, 500)]))  # beyond the other picture


@pytest.mark.parametrize(
    ("draw", "data", "loss", "kernel"),
    [
        (pictures.playground, Data("toy_outliers", 0, (("n", 40), ("flips", 6))), "least_squares", "linear"),
        (pictures.compare, Data("toy_outliers", 0, (("n", 40), ("flips", 0)), **FLIPPED), "least_squares", "rbf"),
        (pictures.compare, Data("toy_outliers", 0, (("n", 40), ("flips", 0)), **OUTSIDE), "hinge", "linear"),
        (pictures.playground, Data("three_clouds", 0, (), edits=TURNED), "least_squares", "linear"),
        (pictures.home, Data("toy_outliers", 0, (("n", 40), ("flips", 6))), "least_squares", "linear"),
    ],
)
def test_the_shaded_area_is_the_measured_one_in_the_colour_of_the_machine(draw, data, loss, kernel):
    machine = Machine(loss)
    shown = draw(Source(), Screen(data, (machine,), Setting(1.0, kernel, 2.0)))
    (drawn,) = (trace for trace in shown.figures[next(iter(shown.figures))].traces if "changed" in trace["name"])
    (x, y), (left, right, low, high) = (drawn["x"], drawn["y"]), drawn["meta"]["view"]
    inside = np.outer((low <= y) & (y <= high), (left <= x) & (x <= right))
    assert (left, right, low, high) == pytest.approx(np.ravel(plane.view(shown.before[0].points.X, 2)))
    axes = np.linspace(max(left, x[0]), min(right, x[-1]), 100), np.linspace(max(low, y[0]), min(high, y[-1]), 100)
    share = plane.changed_share(*(machine.values_on(*axes) for machine in (shown.before[0], shown.studies[0])))
    assert share > 0.02 and np.mean(drawn["z"][inside] > 0) == pytest.approx(share, abs=0.01)
    assert not np.any(drawn["z"][~inside] > 0)
    assert drawn["fillcolor"] in [palette.tint(kind, machine.colour) for kind in ("faint", "pale")]
    names = {trace["name"] for trace in shown.figures[next(iter(shown.figures))].traces}
    assert {name for pair in drawn["meta"]["between"] for name in pair} <= names
    assert captions.SHADED in shown.figures[next(iter(shown.figures))].alt


def test_zoom_is_kept_for_a_new_model_but_not_for_another_plane():
    same = plane_figure(plane_field()._replace(f=np.ones((31, 30))), cloud())
    other = plane_figure(plane_field()._replace(xs=np.linspace(0, 9, 30)), cloud())
    here = plane_figure(plane_field(), cloud()).plotly.layout.uirevision
    assert same.plotly.layout.uirevision == here != other.plotly.layout.uirevision


def test_words_agree_with_the_numbers():
    points, counts = cloud(40), [40, 20, 1, 20, 1]  # of class +1 and of class -1
    support, sizes = [30, 40, 2, np.sum(points.alpha < 0), 20], [0.5, 1, 2]
    assert numbers_in(plane_figure(EXTENT, points).alt) == [*counts, *support, *sizes]


def test_the_key_is_written_from_its_entries():
    """picture/key.js writes them in other lines."""
    for figure in (plane_figure(plane_field(), cloud()), curve_figure(graph(), samples())):
        (note,), entries = figure.layout["annotations"], figure.layout["meta"]["key"]
        left = note["text"]
        for entry in entries:
            assert left.startswith(entry)
            left = left.removeprefix(entry).removeprefix("<br>").removeprefix(captions.SPACE).removeprefix("; ")
        assert not left and "area ∝" in " ".join(entries) and len(entries) > 3
        assert any(line.endswith(("|α|", "|β|")) for line in note["text"].split("<br>"))  # where sizes.js goes on


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize(("n", "largest"), [(40, 1.0), (40, 0.29), (40, 7e-8), (300, 24.0)])
def test_the_key_of_sizes_has_the_markers_of_round_values(n, largest, compact):
    points = cloud(n)
    key = marks.size_key(points._replace(alpha=largest * points.alpha / 2), compact=compact)
    values = {number(digit * 10.0**power): digit * 10.0**power for power in range(-9, 3) for digit in (1, 2, 5)}
    told = np.array([values[text] for text in key["text"]])
    assert len(told) == 3 or n == 300 and len(told) == 2
    assert largest / 2.5 < told[-1] <= largest and np.all(told[:-1] < told[1:])
    alpha = np.concatenate([told, [largest], np.zeros(n - len(told) - 1)])
    drawn = marks.traces(points._replace(y=np.ones(n), alpha=alpha, outlier=None), compact=compact, sort=False)
    assert drawn[0]["marker"]["size"][: len(told)] == pytest.approx(key["marker"]["size"])
    assert min(key["marker"]["size"]) > drawn[0]["marker"]["size"][-1]  # of a zero
    assert marks.size_key(points._replace(alpha=np.zeros(n))) is marks.size_key(points.bare) is None


def test_key_and_words_name_the_lines_that_are_drawn():
    for field, lines in ((plane_field(), True), (EXTENT, False)):
        figure = plane_figure(field, cloud())
        (key,) = (note.text for note in figure.plotly.layout.annotations)
        for words in ("f = 0", "f = ±1", "colours end"):
            assert (words in key) == lines
        sentence = figure.alt
        assert ("lines mark f = 0 and f = ±1" in sentence) == lines == ("f = " in sentence)


def test_the_key_has_the_colour_in_which_what_has_changed_class_is_shaded():
    change = Change(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 3)
    for changed in (change, None):
        drawn = plane_figure(plane_field(), cloud(), ghost=plane_field(), change=changed, earlier=bool(changed))
        (key,) = (note.text for note in drawn.plotly.layout.annotations)
        areas = [trace["fillcolor"] for trace in drawn.traces if trace["name"] == "changed"]
        assert areas == ([palette.tint("pale", 3)] if changed else [])
        assert (f'<span style="color:{palette.variant(3)[0]}">▒</span> changed class' in key) == bool(changed)
        for text in (key, drawn.alt):
            assert ("before" in text) == bool(changed) != ("without" in text)


@pytest.mark.parametrize(
    "place, edge, tail", [((0, 9), (0, 2), (0, 1)), ((-30, 0), (-3, 0), (1, 0)), ((6, -4), (3, -2), (-1, -1))]
)
def test_an_arrow_points_to_what_lies_beyond_the_picture(place, edge, tail):
    curves = [Curve("hinge", plane_field(), 3)]
    (arrow,) = overlay_figure(curves, cloud(), beyond=(place, "far")).plotly.layout.annotations
    assert (arrow.x, arrow.y) == pytest.approx(edge) and arrow.text == "far"
    assert np.allclose(np.sign(np.round([arrow.ax, arrow.ay], 9)), tail)  # in pixels, y downwards
    assert not overlay_figure(curves, cloud(), beyond=((2.9, -1.9), "inside")).plotly.layout.annotations
