"""A curve under the hand, in Chromium: it follows the point, and what was drawn is what the solver saw."""

import re

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect
from test_gestures import choose, click, link_edits, press
from waiting import answered, place, points, spot, under_hand

from pages.shared.screen import edits

pytestmark = pytest.mark.slow  # the gestures themselves are tested by default, in test_gestures.py and test_plane.py

SINC = "/playground?problem=sinc&n=60&loss=least_squares"


def test_the_curve_follows_a_dragged_point_and_is_where_the_solver_saw_it_whose_stems_ring_points(page, app):
    under_hand(page, app + SINC)
    before, drawn = waiting.figure(page, "plane")["curve"]["y"], waiting.drawn(page, "plane")
    x, y = spot(page, "plane", 3)
    with waiting.held(page, (x, y), (x - 40, y - 70)):
        waiting.drawn(page, "plane", drawn + 1)
        moving = waiting.figure(page, "plane")["curve"]
        assert len(before) == 600 and len(moving["y"]) == 300 and "edits" not in page.url
        assert np.max(np.abs(np.array(moving["y"]) - before[::2])) > 0.02
    answered(page)
    assert spot(page, "plane", 3) == pytest.approx([x - 40, y - 70], abs=0.6)
    new = points(page, "plane")[3]
    (edit,) = link_edits(page).edits
    assert edits.place(link_edits(page), edit) == new[:2] and edit.id == 3
    # beta = C (y - f) holds for the LS-SVM at the place where it was solved: beta by the figure, f by its curve
    curve, shown = (waiting.figure(page, "plane")[name] for name in ("curve", "points"))
    beta, residual = next(row[1:] for row in shown["customdata"] if row[0] == 3)
    assert residual == pytest.approx(new[1] - np.interp(new[0], curve["x"], curve["y"]), abs=1e-3)
    assert beta == pytest.approx(100 * residual, rel=1e-4)
    assert np.max(np.abs(np.array(curve["y"]) - before)) > 0.05
    page.mouse.move(*spot(page, "spectrum", 7))
    expect(waiting.plane(page, "plane").locator(".svm-ring.svm-on")).to_have_count(1)


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
