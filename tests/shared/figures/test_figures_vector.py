"""Pictures as SVG: lines lie where the field is zero, markers where the points are, and the file is well formed."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from pages.shared.figures.charts.bars import bars_figure
from pages.shared.figures.charts.history import history_figure
from pages.shared.figures.curve import curve_figure
from pages.shared.figures.overlay import Curve, overlay_figure
from pages.shared.figures.plane import Change, plane_figure
from pages.shared.figures.vector import EDGE, HEIGHT, LEFT, WIDTH, level_paths, svg
from pages.shared.studies.arrays import FREE, UPPER, Field, FunctionCurve, Line, Points, Samples

NS = "{http://www.w3.org/2000/svg}"
SIDE = np.linspace(-2, 2, 41)
RNG = np.random.default_rng(0)
POINTS = Points(RNG.uniform(-2, 2, (12, 2)), np.where(np.arange(12) % 2, 1.0, -1.0), outlier=np.arange(12) == 3)


def field(f):
    x, y = np.meshgrid(SIDE, SIDE)
    return Field(SIDE, SIDE, f(x, y))


def test_a_circle_is_closed_a_line_goes_from_edge_to_edge_and_branches_stay_apart():
    (path,) = level_paths(field(lambda x, y: x**2 + y**2 - 1).f, 0.0)
    assert np.array_equal(path[0], path[-1])
    radius = np.hypot(*(path / 10 - 2).T)
    assert np.abs(radius - 1).max() < 5e-3
    (path,) = level_paths(field(lambda x, y: x - 0.51).f, 0.0)
    assert sorted(path[[0, -1], 1]) == [0, 40] and path[:, 0] == pytest.approx(25.1)
    branches = level_paths(field(lambda x, y: x * y - 0.3).f, 0.0)
    assert len(branches) == 2
    for branch in branches:
        assert len(set(np.sign(branch[:, 0] - 20))) == 1
    saddle = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for z in (saddle, -saddle):
        assert [len(path) for path in level_paths(z, 0.0)] == [2, 2], "no line is joined twice"


def drawn(figure):
    return ElementTree.fromstring(svg(figure))


def test_a_point_at_a_bound_has_a_dot_in_its_middle():
    bound = POINTS._replace(alpha=np.ones(12), state=np.where(np.arange(12) < 5, UPPER, FREE), outlier=None)
    both, ends = (POINTS._replace(outlier=None), bound), np.array([-3.0, 3.0])
    free, dotted = ([*drawn(plane_figure(Field(ends, ends), one)).iter(f"{NS}circle")] for one in both)
    assert len(dotted) == len(free) + 5


def corners(path):
    """The places (m, 2) that an SVG path of absolute and relative lines goes through, turned as it is."""
    here, places = np.zeros(2), []
    for step, numbers in re.findall(r"([MLhlm])([-\d. ]*)", path.get("d")):
        way = np.array([float(number) for number in numbers.split()] + [0.0] * (step == "h"))
        here = way if step in "ML" else here + way
        places.append(here)
    turn = path.get("transform")
    degrees, *middle = (float(number) for number in re.findall(r"-?[\d.]+", turn)) if turn else (0.0, 0.0, 0.0)
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return (np.array(places) - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle


@pytest.mark.parametrize(
    "symbol, offsets",
    [
        ("triangle-up", [(-5, 5), (5, 5), (0, -5)]),
        ("triangle-right", [(-5, -5), (-5, 5), (5, 0)]),
        ("triangle-left", [(5, 5), (5, -5), (-5, 0)]),
        ("x-thin", [(-5, -5), (5, 5), (5, -5), (-5, 5)]),
    ],
)
def test_a_marker_of_any_shape_has_its_middle_at_the_point(symbol, offsets):
    figure = plane_figure(field(lambda x, y: x + 0.5), POINTS, compact=True)
    trace = next(one for one in figure.traces if one["name"] == "points +1")
    trace = {**trace, "x": [1.0], "y": [-0.5], "mode": "markers", "marker": dict(symbol=symbol, size=10, color="red")}
    (path,) = drawn(figure._replace(traces=[trace])).iterfind(f".//{NS}path[@fill='red']")
    middle = np.array([EDGE + 3.0 / 4 * WIDTH, EDGE + 2.5 / 4 * HEIGHT])
    assert corners(path) == pytest.approx(middle + np.array(offsets), abs=0.11)


def test_points_and_boundary_lie_where_they_are():
    flat = field(lambda x, y: x + 0.5)
    root = drawn(plane_figure(flat, POINTS, compact=True))
    assert root.find(f"{NS}title").text.startswith("Plane: 12 points")
    circles = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{NS}circle")]
    squares = [float(r.get("x")) + float(r.get("width")) / 2 for r in root.iter(f"{NS}rect")][1:]
    plus = POINTS.y > 0
    pixels = np.column_stack([EDGE + (POINTS.X[:, 0] + 2) / 4 * WIDTH, EDGE + (2 - POINTS.X[:, 1]) / 4 * HEIGHT])
    wanted = np.vstack([pixels[plus], pixels[3]])  # the ring of the outlier as well
    assert np.array(sorted(circles)) == pytest.approx(np.array(sorted(map(tuple, wanted))), abs=0.06)
    assert sorted(squares) == pytest.approx(sorted(pixels[~plus, 0]), abs=0.11)
    lines = [line.get("points").split() for line in root.iter(f"{NS}polyline")]
    across = [{float(place.split(",")[0]) for place in line} for line in lines]
    assert {EDGE + 1.5 / 4 * WIDTH} in [{round(x, 1) for x in line} for line in across]


def test_grid_and_numbers_stand_at_their_values():
    figure = plane_figure(field(lambda x, y: x + 0.5), POINTS)
    (low, right), (_, high) = (figure.layout[f"{name}axis"]["range"] for name in "xy")
    scale = WIDTH / (right - low)
    root = drawn(figure)
    grid = [path.get("d") for path in root.iter(f"{NS}path") if path.get("fill") is None]
    columns, rows = ([float(one) for text in grid for one in re.findall(f, text)] for f in (r"M(.*) 1V", r"M1 (.*)H"))
    for anchor, lines, place in (
        ("middle", columns, lambda value: EDGE + (value - low) * scale),
        ("end", rows, lambda value: EDGE + (high - value) * scale),
    ):
        numbers = [text for text in root.iter(f"{NS}text") if text.get("text-anchor") == anchor]
        assert len(numbers) >= 4 and lines == pytest.approx([place(float(text.text)) for text in numbers], abs=0.06)
        beside = [float(text.get("x")) - LEFT if anchor == "middle" else float(text.get("y")) - 4 for text in numbers]
        assert beside == pytest.approx(lines, abs=0.6)


def test_lines_of_several_machines_are_named_below():
    curves = [Curve("One & <two>", field(lambda x, y: x), 0), Curve("Three", field(lambda x, y: y), 1)]
    root = drawn(overlay_figure(curves, POINTS))
    texts = [text.text for text in root.iter(f"{NS}text")]
    assert texts[-2:] == ["One & <two>", "Three"] and texts.count("-1") == texts.count("1") == 2  # on both axes
    assert float(root.get("height")) > float(root.get("width"))


def test_a_curve_has_gaps_where_it_is_not_known():
    samples = Samples(SIDE[::5], SIDE[::5] ** 2)
    root = drawn(curve_figure(FunctionCurve(SIDE, np.array([-1.0, 5.0]), SIDE**2, tube=0.5), samples, compact=True))
    assert len(list(root.iter(f"{NS}polyline"))) == 3  # f, and both rims of the tube
    assert len(list(root.iter(f"{NS}circle"))) == len(samples.x)


def test_a_chart_on_logarithmic_axes_has_its_ticks_and_lines_where_they_are():
    line = Line("error", np.array([1.0, 10.0, 100.0]), np.array([0.01, 0.1, 1.0]), 0)
    root = drawn(history_figure([line], xlabel="steps", ylabel="share", log=True))
    (path,) = [p.get("points") for p in root.iter(f"{NS}polyline") if p.get("points").count(",") == 3]
    (x0, y0), (x1, y1), (x2, y2) = (map(float, place.split(",")) for place in path.split())
    assert (x1 - x0, y0 - y1) == pytest.approx((x2 - x1, y1 - y2), abs=0.2)
    texts = " ".join(text.text for text in root.iter(f"{NS}text"))
    assert {"share", "steps", "error", "10", "100"} <= set(texts.split())


def test_what_has_changed_class_is_shaded_and_bars_reach_from_zero():
    flat = field(lambda x, y: x)
    everywhere = Change(np.array([-9.0, 9.0]), np.array([-9.0, 9.0]), 0)
    root = drawn(plane_figure(flat, POINTS, compact=True, ghost=field(lambda x, y: 0 * x - 1), change=everywhere))
    assert len([shade for shade in root.iter(f"{NS}path") if shade.get("fill-opacity")]) == 41  # one for each row
    bars = drawn(bars_figure({"SVM": np.array([0.2, 0.8, 0.4])}, d_rel=1)).find(f"{NS}svg")
    heights = sorted(float(bar.get("height")) for bar in bars.iter(f"{NS}rect"))
    assert np.array(heights) / heights[0] == pytest.approx([1, 2, 4], rel=1e-2)
