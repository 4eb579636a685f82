"""The influence map in Chromium: a point chosen by click, places and points of the map, an old map."""

import itertools
import re

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect

pytestmark = pytest.mark.slow  # a map that is stopped and goes on is tested in test_influence_page.py

LOSSES = ["hinge", "least_squares"]
TRIES = itertools.count(1)  # a map is computed once for a C, so a second try takes another


def test_a_clicked_point_is_mapped_for_every_machine(page, app):
    waiting.under_hand(page, f"{app}/compare?losses={','.join(LOSSES)}&C={next(TRIES)}", "overlay")
    page.get_by_text("Influence map of one point").click()
    compute = page.get_by_role("button", name="Compute the map", exact=True)
    number = page.get_by_role("spinbutton", name="Point number")
    expect(compute).to_be_disabled()
    expect(page.get_by_text("Choose a point on the plane first")).to_be_visible()
    waiting.plane(page, "overlay").scroll_into_view_if_needed()
    page.mouse.click(*waiting.spot(page, "overlay", 10))
    expect(page.get_by_text("Point 10, class +1, at (0.875, −0.239).", exact=True)).to_be_visible()
    expect(number).to_have_value("10")
    compute.click()
    for loss in LOSSES:
        waiting.drawn(page, f"map-{loss}")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    waiting.answered(page)

    for loss in LOSSES:
        heat = np.array(waiting.figure(page, f"map-{loss}")["influence"]["z"], dtype=float)
        assert np.isfinite(heat[1:-1, 1:-1]).all()
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
    expect(number).to_have_value("4")
    expect(compute).to_be_enabled()
