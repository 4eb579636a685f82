"""The influence map in Chromium: a point chosen by click or number, pictures that sharpen, a stop, an old map."""

import itertools
import re

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect

pytestmark = pytest.mark.slow  # the gestures themselves are tested by default, in test_gestures.py and test_plane.py

LOSSES = ["hinge", "least_squares"]
TRIES = itertools.count(1)  # a map is computed once for a C, so a second try takes another
LARGE = "/playground?problem=moons&n=1000&loss=least_squares"  # twenty seconds or more


def opened(page, url, key):
    """The page with its map section open."""
    runs = waiting.under_hand(page, url, key)
    page.get_by_text("Influence map of one point").click()
    expect(button(page, "Compute the map")).to_be_disabled()
    return runs


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def number(page):
    return page.get_by_role("spinbutton", name="Point number")


def choose(page, index):
    number(page).fill(str(index))
    number(page).press("Enter")
    expect(page.get_by_text(f"Point {index}, class")).to_be_visible()


def heat(page, loss):
    return np.array(waiting.figure(page, f"map-{loss}")["influence"]["z"], dtype=float)[1:-1, 1:-1]


def test_a_clicked_point_is_mapped_for_every_machine(page, app):
    opened(page, f"{app}/compare?losses={','.join(LOSSES)}&C={next(TRIES)}", "overlay")
    expect(page.get_by_text("Choose a point on the plane first")).to_be_visible()
    waiting.plane(page, "overlay").scroll_into_view_if_needed()
    page.mouse.click(*waiting.spot(page, "overlay", 10))
    expect(page.get_by_text("Point 10, class +1, at (0.875, −0.239).", exact=True)).to_be_visible()
    expect(number(page)).to_have_value("10")
    button(page, "Compute the map").click()
    for loss in LOSSES:
        waiting.drawn(page, f"map-{loss}")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    waiting.answered(page)

    assert all(np.isfinite(heat(page, loss)).all() for loss in LOSSES)
    # a place tells its share and is no point; a point of the map is one that can be chosen
    waiting.plane(page, "map-hinge").scroll_into_view_if_needed()
    waiting.settled(page)
    x, y = waiting.place(page, "map-hinge", 2.4, 4.4)
    page.mouse.move(x - 30, y)
    page.mouse.move(x, y, steps=4)
    expect(page.get_by_text(re.compile(r"moved here: [\d.]+\u202f% of the plane changes class"))).to_be_visible()
    page.mouse.click(x, y)
    spot = waiting.spot(page, "map-hinge", 4)
    page.mouse.move(*spot, steps=4)
    expect(page.get_by_text("moved here")).to_have_count(0)  # Plotly has seen where the mouse is now
    page.mouse.click(*spot)
    expect(page.get_by_text("This is the map of point 10; another point is chosen now.")).to_be_visible()
    expect(number(page)).to_have_value("4")
    expect(button(page, "Compute the map")).to_be_enabled()


def test_a_long_map_sharpens_stops_and_goes_on_elsewhere(page, app):
    opened(page, app + LARGE, "plane")
    choose(page, 3)
    button(page, "Compute the map").click()
    drawn = waiting.drawn(page, "map-least_squares")
    waiting.drawn(page, "map-least_squares", drawn + 1)
    expect(page.get_by_text(re.compile(r"^\d+ of 576 fits"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"fits, about \d+ (s|min) to go"))).to_be_visible()
    button(page, "Stop computing").click()
    expect(page.get_by_text(re.compile(r"Stopped after \d+ of 576 fits"))).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    known = np.isfinite(heat(page, "least_squares")).sum()
    assert 0 < known

    button(page, "Resume computing").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    waiting.menu(page, "Home").click()
    waiting.drawn(page, "live")
    waiting.menu(page, "Playground").click()
    waiting.drawn(page, "map-least_squares")  # the section is open still, and the map goes on
    expect(number(page)).to_have_value("3")
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert np.isfinite(heat(page, "least_squares")).sum() >= known
    button(page, "Stop computing").click()
    expect(page.get_by_text("Stopped after")).to_be_visible()
