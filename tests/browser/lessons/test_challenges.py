"""Challenges in Chromium: points are moved by hand until the solver says that the goal is reached."""

import pytest
import waiting
from playwright.sync_api import expect

PLANE = "challenge"


@pytest.mark.slow
def test_a_point_is_moved_until_the_goal_is_reached(new_page, app):
    page = new_page(width=1280, height=900)
    waiting.under_hand(page, app + "/lessons?lesson=support&prompt=end", PLANE)
    expect(page.get_by_text("Wanted: at least 30")).to_be_visible()
    waiting.plane(page, PLANE).scroll_into_view_if_needed()
    waiting.drag(page, waiting.spot(page, PLANE, 0), waiting.place(page, PLANE, 2.5, 4.6), steps=8)
    expect(page.get_by_text("Reached. Now: the angle")).to_be_visible()
    expect(page.get_by_text("Best so far")).to_be_visible()
    waiting.settled(page)
    waiting.drag(page, waiting.spot(page, PLANE, 2), waiting.place(page, PLANE, 1.0, 4.0))
    expect(page.get_by_text("This does not count: 2 points are edited")).to_be_visible()
