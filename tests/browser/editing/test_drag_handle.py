"""The outlier of the Losses page under the hand: by mouse, touch and keys; the slider and pictures follow."""

import pytest
import waiting
from answering import centre
from desk import Channel
from playwright.sync_api import expect
from waiting import until

pytestmark = pytest.mark.slow

LINK = "/losses?losses=least_squares,hinge&distance=1"


def opened(page, app):
    """(runs, channel, spot of the outlier) of the page with all fits done."""
    channel = Channel(page)
    runs = waiting.opened(page, app + LINK, "alpha", "moved", "boundaries")
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    waiting.connected(page)
    page.locator(".svm-plane[data-drag-handle]").scroll_into_view_if_needed()
    waiting.quiet(page)
    return runs, channel, centre(page.locator(".svm-plane[data-drag-handle] .svm-handle"))


def outlier(page):
    found = waiting.figure(page, "boundaries", ["outliers"])["outliers"]
    return found["x"][0], found["y"][0]


def distance(page):
    return float(page.locator('.svm-field[data-name="distance"] .svm-range').input_value())


def ended(page, value):
    until(page, lambda: f"distance={value:g}" in page.url)
    assert waiting.figure(page, "alpha")["now"]["x"] == [value] * 2


def test_the_outlier_is_dragged_and_the_slider_follows(page, app):
    runs, channel, (x, y) = opened(page, app)
    before, begun, started = waiting.figure(page, "boundaries")["LS-SVM"]["z"], runs.begun, outlier(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 9):
        page.mouse.move(x, y - 14 * k)
        page.wait_for_timeout(40)
    until(page, lambda: channel.answers >= 2 and distance(page) != 1)
    until(page, lambda: waiting.figure(page, "boundaries")["LS-SVM"]["z"] != before)
    assert runs.begun == begun, "an outlier that is dragged starts no run"
    assert outlier(page) != started
    held = distance(page)
    with runs.another():
        page.mouse.up()
    ended(page, held)


def test_a_drag_beside_it_changes_nothing_and_arrow_keys_move_it_a_held_one_once(page, app):
    runs, channel, (x, y) = opened(page, app)
    begun = runs.begun
    waiting.drag(page, (x + 60, y + 60), (x + 60, y - 100))
    page.wait_for_timeout(300)
    assert runs.begun == begun and not channel.asked and distance(page) == 1
    handle = page.locator(".svm-plane[data-drag-handle] .svm-handle")
    handle.focus()
    expect(handle).to_have_attribute("aria-valuenow", "1")
    for _ in range(3):
        page.keyboard.down("ArrowRight")
        page.wait_for_timeout(50)
    expect(handle).to_have_attribute("aria-valuenow", "1.75")
    until(page, lambda: channel.answers)
    assert runs.begun == begun and distance(page) == 1.75
    with runs.another():
        page.keyboard.up("ArrowRight")
    ended(page, 1.75)


def test_a_finger_drags_it_without_scrolling(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True, device_scale_factor=2)
    runs, channel, (x, y) = opened(page, app)
    main = page.get_by_test_id("stMain")
    scrolled = main.evaluate("(main) => main.scrollTop")
    with runs.another():
        waiting.swipe(page, (x, y), (x, y - 50))
    assert distance(page) != 1 and channel.asked
    assert main.evaluate("(main) => main.scrollTop") == scrolled
