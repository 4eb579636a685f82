"""The place of a boundary in words: true for every line and every curve."""

import re

import numpy as np
import pytest

from pages.shared.figures import position
from pages.shared.figures.plane import plane_figure
from pages.shared.studies.arrays import Field, Points

XS, YS = np.linspace(-4.0, 6.0, 60), np.linspace(-5.0, 5.0, 50)


def field(f, xs=XS, ys=YS):
    return Field(xs, ys, np.asarray(f(*np.meshgrid(xs, ys)), np.float32))


@pytest.mark.parametrize(
    "f, words",
    [
        (
            lambda x, y: y - np.tan(np.radians(34)) * (x - 0.4),
            "crosses the axis x2 = 0 at x1 = 0.4 and rises to the right at 34 degrees; class +1 lies above it",
        ),
        (
            lambda x, y: 2.0 - x - y,
            "crosses the axis x2 = 0 at x1 = 2 and falls to the right at 45 degrees; class +1 lies below it",
        ),
        (lambda x, y: x + 1.25, "crosses the axis x2 = 0 at x1 = −1.25 and is vertical; class +1 lies to its right"),
        (lambda x, y: -x, "crosses the axis x2 = 0 at x1 = 0 and is vertical; class +1 lies to its left"),
        (lambda x, y: y - 3, "crosses the axis x1 = 0 at x2 = 3 and is horizontal; class +1 lies above it"),
        (
            lambda x, y: x + y - 9.0,
            "meets the right edge at x2 = 3 and the upper edge at x1 = 4 and falls to the right at 45 degrees; "
            "class +1 lies above it",
        ),
        (lambda x, y: 1 + 0 * x, "is outside the picture, all of which is of class +1"),
        (lambda x, y: x - 100, "is outside the picture, all of which is of class −1"),
        (lambda x, y: 1 - x**2 - y**2, "is closed within the picture; at the frame all is of class −1"),
        (
            lambda x, y: y - x**2 / 4,
            "meets the upper edge at x1 = 4.47 and the left edge at x2 = 4; the lower left corner is of class −1",
        ),
    ],
)
def test_a_boundary_in_words(f, words):
    assert position.sentence(field(f)) == f"The boundary {words}."


@pytest.mark.parametrize(
    "origin, unit, place", [(0.0, 1e-9, "1.23·10⁻⁹"), (0.0, 1e9, "1.23·10⁹"), (1e4, 1.0, "10001.23")]
)
def test_a_place_has_the_digits_that_its_axis_needs(origin, unit, place):
    xs, ys = origin + unit * XS, unit * YS
    text = position.sentence(field(lambda x, y: (x - origin) / unit - 1.23 + 0 * y, xs, ys))
    assert text.startswith(f"The boundary crosses the axis x2 = 0 at x1 = {place} and is vertical")


def test_only_the_first_of_many_places_are_named():
    text = position.sentence(field(lambda x, y: np.sin(np.pi * (x - 0.5))))
    edge = "edge at x1 = −3.5, −2.5, −1.5 and 7 more"
    assert f"lower {edge}" in text and f"upper {edge}" in text and text.endswith("class −1.")


@pytest.mark.parametrize("seed", range(20))
def test_the_line_that_is_described_is_that_of_f(seed):
    rng = np.random.default_rng(seed)
    a, b, c = rng.normal(size=3)
    text = position.sentence(field(lambda x, y: a * x + b * y + c))
    found = re.search(r"the axis x(\d) = 0 at x(\d) = (−?[\d.]+)", text)
    angle = re.search(r"(rises|falls) to the right at (\d+) degrees", text)
    if found:
        other = float(found[3].replace("−", "-"))
        place = (other, 0.0) if found[2] == "1" else (0.0, other)
        assert {found[1], found[2]} == {"1", "2"}
        assert a * place[0] + b * place[1] + c == pytest.approx(0.0, abs=0.01 * np.hypot(a, b))
    if angle:
        slope = np.degrees(np.arctan(-a / b))
        assert int(angle[2]) == pytest.approx(abs(slope), abs=0.51) and (angle[1] == "rises") == (slope > 0)
        assert ("above" in text) == (b > 0)
    assert found or angle or "outside" in text


def test_a_plane_and_its_summary_say_it():
    points = Points(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([1.0, -1.0]))
    shown = field(lambda x, y: y - x)
    figure = plane_figure(shown, points)
    where = (
        "The boundary crosses the axis x2 = 0 at x1 = 0 and rises to the right at 45 degrees; class +1 lies above it."
    )
    assert figure.alt.endswith(" " + where) and figure.layout["meta"]["where"] == where
    for without in (plane_figure(shown._replace(f=None), points), plane_figure(shown, points, timeless=True)):
        assert without.layout["meta"]["where"] == "" and "meets" not in without.alt and "crosses" not in without.alt
