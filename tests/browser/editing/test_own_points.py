"""Points as a table in Chromium: typed in, switched off, and pasted from a spreadsheet."""

import pytest
import waiting
from playwright.sync_api import expect
from waiting import answered, place, points, spot, under_hand

pytestmark = pytest.mark.slow  # the gestures themselves are tested by default, in test_gestures.py


def becomes(page, true):
    """Wait until `true` holds of the points of the plane."""
    waiting.until(page, lambda: true(points(page, "plane")))
    answered(page)


def table(page):
    """The table of points, opened and in sight: its grid."""
    page.get_by_text("Points as a table").click()
    grid = page.get_by_test_id("stDataFrame")
    grid.locator("canvas").first.wait_for()
    return grid


def cell(grid, row, column):
    """Page coordinates of a cell: rows and header are 35 pixels high, the columns as wide as the page makes them."""
    box, before = grid.locator("canvas").first.bounding_box(), None
    while box != before:  # an expander takes its time to open
        grid.scroll_into_view_if_needed()
        grid.page.wait_for_timeout(100)
        box, before = grid.locator("canvas").first.bounding_box(), box
    across = {"x1": 0.25, "x2": 0.4, "class": 0.58, "outlier": 0.76, "on": 0.92}[column]
    return box["x"] + across * box["width"], box["y"] + 35 * (row + 1) + 18


def fill(page, grid, row, column, text):
    """Type into a cell: Enter opens it, once the grid has taken the click, and Enter closes it."""
    field = page.locator("#portal input")
    page.mouse.click(*cell(grid, row, column))
    page.wait_for_function("() => document.activeElement.closest('[data-testid=stDataFrame]')")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    expect(field).to_be_focused()
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_count(0)


def test_the_table_moves_points_and_follows_the_plane(page, app):
    under_hand(page, app + "/playground")
    own = points(page, "plane")
    grid = table(page)
    fill(page, grid, 0, "x1", "2.5")
    becomes(page, lambda found: found[0] == (2.5, round(own[0][1], 3), 1))
    assert "edits=" in page.url
    fill(page, grid, 1, "x2", "-1.25")  # the table is still the one of the first edit
    becomes(page, lambda found: found[1][1] == -1.25 and found[0][0] == 2.5)
    page.mouse.dblclick(*spot(page, "plane", 2))  # flips it, outside of the table
    answered(page)
    page.mouse.click(*cell(grid, 2, "on"))
    becomes(page, lambda found: 2 not in found and found[0][0] == 2.5 and found[1][1] == -1.25 and len(found) == 39)


def test_rows_of_a_spreadsheet_are_pasted(new_page, app):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    under_hand(page, app + "/playground?problem=own", "bare")
    page.mouse.click(*place(page, "bare", 1, 1))
    answered(page)
    grid = table(page)
    page.evaluate("navigator.clipboard.writeText('2\\t1.5\\t1\\n-1\\t-1.5\\t-1\\n-2\\t0.25\\t-1')")
    page.mouse.click(*cell(grid, 0, "x1"))
    page.keyboard.press("Control+v")
    waiting.drawn(page, "plane")
    becomes(page, lambda found: found == {-1: (2, 1.5, 1), -2: (-1, -1.5, -1), -3: (-2, 0.25, -1)})
