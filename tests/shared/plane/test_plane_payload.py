"""What travels to the component of the plane: bytes that come back."""

import numpy as np
import pytest
from screen import unpacked
from specimens import ALL, cloud, plane_field

from pages.shared.figures.plane import Change, plane_figure
from pages.shared.figures.surface import surface_figure
from pages.shared.plane import component
from pages.shared.plane.component import pack, payload, rounded_fields


def test_words_that_come_again_and_again_travel_once():
    words = {"many": ["free", "at the bound"] * 150, "different": [f"word {k}" for k in range(300)]}
    sent = pack(words)
    assert unpacked(sent) == words
    assert sent.count(b"free") == 1 and sent.count(b"word 299") == 1


def test_the_field_travels_once():
    figure = plane_figure(plane_field(100), cloud())
    assert len(payload(figure, name="a")) < 1.3 * plane_field(100).f.size * 4


@pytest.mark.parametrize("kind", ["changed", "surface"])
def test_a_light_picture_has_rounded_contours_and_all_else_as_it_is(kind):
    now, view = plane_field(), Change(np.array([-3.0, 3.0]), np.array([-2.0, 2.0]), 0)
    changed = plane_figure(now, cloud(), ghost=now._replace(f=now.f + 1.0), change=view)
    whole = changed.traces if kind == "changed" else surface_figure(now, cloud()).traces
    light = rounded_fields(whole)
    rounded = [(one["z"], like["z"]) for one, like in zip(whole, light, strict=True) if one["type"] == "contour"]
    assert len(rounded) == 5 * (kind == "changed")
    for z, like in rounded:
        assert like.codes * like.key["unit"] == pytest.approx(np.clip(z, -4.0, 4.0), abs=0.02)
    assert all(like is one for one, like in zip(whole, light, strict=True) if one["type"] != "contour")


def test_light_numbers_are_rounded_but_not_those_of_points():
    x = np.random.default_rng(0).normal(size=(40, 3)) * 10.0 ** np.arange(-4, 5, 4)
    x[0] = np.nan, np.inf, 8191.0
    points = np.arange(20_000.0)
    told, indices = unpacked(pack({"x": x, "points": points}, light=True), kept=np.copy).values()
    assert told.dtype == np.float32 and told == pytest.approx(x, rel=1 / 8000, abs=0, nan_ok=True)
    assert 0 < np.sum(told != x.astype(np.float32)) and told[0, 2] == 8191.0
    assert np.array_equal(indices, points)


def test_equal_figures_are_equal_bytes():
    assert payload(ALL["plane"](), name="a") == payload(ALL["plane"](), name="a")
    assert payload(ALL["plane"](), name="a") != payload(ALL["compact"](), name="a")


def test_an_option_that_no_plane_has_is_refused():
    sent = unpacked(payload(ALL["plane"](), name="a", fill=0.5))
    assert (sent["fill"], sent["height"], sent["link"], sent["pick"]) == (0.5, 480, None, False)
    with pytest.raises(TypeError, match="filled"):
        payload(ALL["plane"](), name="a", filled=0.5)


def test_a_pick_without_a_place_is_none(monkeypatch):
    taken, state = [], {}
    monkeypatch.setattr("streamlit.session_state", state)
    for place in ({"x": 1.0, "y": 2}, {"x": "a", "y": 1.0}, {"x": 1.0}, [1.0, 2.0], None, {"x": None, "y": 0.0}):
        state["map"] = {"pick": place}
        component._on_pick(lambda *where: taken.append(where), "map", state["map"])
    assert taken == [(1.0, 2)]
