"""A curve under the hand, in Chromium: it follows the point, and what was drawn is what the solver saw."""

import re

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect
from test_gestures import choose, click, drag, focus_plane, in_view, link_edits, press, sentence
from waiting import answered, place, points, spot, under_hand

from pages.shared.screen import edits

pytestmark = pytest.mark.slow  # the gestures themselves are tested by default, in test_gestures.py and test_plane.py

SINC = "/playground?problem=sinc&n=60&loss=least_squares"


def result(page, index, key="plane"):
    """(beta, residual) of a training point, as the figure says."""
    rows = waiting.figure(page, key)["points"]["customdata"]
    return next(row[1:] for row in rows if row[0] == index)


def test_a_dragged_point_is_where_the_solver_saw_it(page, app):
    under_hand(page, app + SINC)
    before = waiting.figure(page, "plane")["curve"]["y"]
    x, y = spot(page, "plane", 3)
    drag(page, (x, y), (x - 40, y - 70))
    assert spot(page, "plane", 3) == pytest.approx([x - 40, y - 70], abs=0.6)
    new = points(page, "plane")[3]
    (edit,) = link_edits(page).edits
    assert edits.place(link_edits(page), edit) == new[:2] and edit.id == 3
    # beta = C (y - f) holds for the LS-SVM at the place where it was solved: beta by the figure, f by its curve
    curve = waiting.figure(page, "plane")["curve"]
    beta, residual = result(page, 3)
    assert residual == pytest.approx(new[1] - np.interp(new[0], curve["x"], curve["y"]), abs=1e-3)
    assert beta == pytest.approx(100 * residual, rel=1e-4)
    assert np.max(np.abs(np.array(curve["y"]) - before)) > 0.05


def test_the_curve_follows_while_the_pointer_moves(page, app):
    under_hand(page, app + SINC)
    before, drawn = waiting.figure(page, "plane")["curve"]["y"], waiting.drawn(page, "plane")
    x, y = spot(page, "plane", 3)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 80, steps=10)
    waiting.drawn(page, "plane", drawn + 1)
    moving = waiting.figure(page, "plane")["curve"]
    assert len(before) == 600 and len(moving["y"]) == 300 and "edits" not in page.url
    assert np.max(np.abs(np.array(moving["y"]) - before[::2])) > 0.02
    page.mouse.up()
    answered(page)
    assert len(waiting.figure(page, "plane")["curve"]["y"]) == 600 and "edits" in page.url


def test_a_curve_has_no_classes(page, app):
    """Neither a key, nor a double click, nor a class that was chosen before changes more than the place."""
    runs = under_hand(page, app + "/playground")
    choose(page, "−1")
    with runs.another():
        page.get_by_role("combobox", name="Problem").select_option("Regression: Sinc")
    answered(page)
    expect(page.locator(".svm-classes")).to_be_hidden()
    expect(page.get_by_role("button", name="Flip", exact=True)).to_be_hidden()
    own = points(page, "plane")
    for flip in (lambda: page.mouse.dblclick(*spot(page, "plane", 5)), lambda: page.keyboard.press("x")):
        flip()
        answered(page)
        assert points(page, "plane") == own and "edits" not in page.url
    click(page, place(page, "plane", -3.0, 0.9))
    (added,) = link_edits(page).edits
    assert added.id == -1 and added.flags == edits.MOVED
    press(page, "Undo")
    page.mouse.click(*spot(page, "plane", 5))
    expect(waiting.plane(page, "plane").locator(".svm-handle")).to_have_attribute(
        "aria-label", re.compile(r"^point 5, at −?\d+\.\d, −?\d\.\d\d[.;] (?!.*flips)")
    )


def test_points_come_and_go(page, app):
    under_hand(page, app + SINC)
    own = points(page, "plane")
    click(page, place(page, "plane", 2.0, 1.1))
    assert points(page, "plane")[-1][:2] == pytest.approx((2.0, 1.1), abs=0.02)
    assert link_edits(page).edits[0].flags == edits.MOVED
    expect(sentence(page)).to_have_text(re.compile(r"Added: added point 1, at 2"))
    expect(page.locator(".svm-numbers").get_by_text("61 of 61")).to_be_visible()
    press(page, "Delete")
    focus_plane(page)
    page.keyboard.press("Home")
    page.keyboard.press("Control+ArrowUp")
    answered(page)
    moved = points(page, "plane")[0]
    assert moved[1] > own[0][1] + 0.05 and moved[0] == pytest.approx(own[0][0], abs=0.01)
    for _ in range(3):
        page.keyboard.press("Control+z")
    answered(page)
    assert points(page, "plane") == own


def test_a_hovered_stem_rings_the_point(page, app):
    under_hand(page, app + SINC)
    waiting.drawn(page, "spectrum")
    page.mouse.move(*spot(page, "spectrum", 7))
    expect(waiting.plane(page, "plane").locator(".svm-ring.svm-on")).to_have_count(1)


def test_by_touch(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True, device_scale_factor=2)
    under_hand(page, app + SINC)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    in_view(page)
    own, start = points(page, "plane"), spot(page, "plane", 3)
    page.touchscreen.tap(*start)  # else a vertical swipe scrolls the page
    waiting.swipe(page, start, (start[0] + 30, start[1] - 60))
    answered(page)
    moved = points(page, "plane")[3]
    assert moved[0] > own[3][0] + 0.5 and moved[1] > own[3][1] + 0.1
