"""The Feature walk in Chromium: the ball, the optimum, the boundary and the curves move together, round by round."""

import pytest
import waiting
from playwright.sync_api import expect

LINK = "/feature_walk?rounds=6&d_rel=2"


def figure(page, key, name):
    """x, y and level of a trace of the figure as it is shown."""
    return waiting.ask(
        page,
        key,
        """(root, name) => {
            const { x, y, contours } = root.figure.data.find((trace) => trace.name === name);
            return { x: Array.from(x), y: Array.from(y), level: contours?.start };
        }""",
        name,
    )


@pytest.mark.slow
def test_a_round_moves_everything(page, app):
    waiting.opened(page, app + LINK, "balls", "flat-points", "weights", "walk-objective")
    flat = page.locator(".svm-transport").first
    flat.get_by_role("button", name="First", exact=True).click()
    before = {name: figure(page, "balls", name) for name in ("re-weighted", "touched", "now", "1-norm")}
    widths = [max(before["re-weighted"][axis]) for axis in "xy"]
    assert widths[0] == pytest.approx(widths[1], rel=1e-3), "round 1 is a circle"
    image = waiting.plane(page, "balls").get_by_role("img").first
    result = image.get_attribute("aria-label")
    expect(flat).to_contain_text("Round 1")
    flat.get_by_role("button", name="Forward", exact=True).click()
    expect(flat).to_contain_text("Round 2")
    expect(flat).to_contain_text("The previous weights")
    page.evaluate(waiting.PAINTED)
    after = {name: figure(page, "balls", name) for name in before}
    assert max(after["re-weighted"]["y"]) < 0.8 * max(after["re-weighted"]["x"]), "round 2 is an ellipse"
    assert after["touched"]["level"] != before["touched"]["level"] and after["now"] != before["now"]
    assert image.get_attribute("aria-label") != result
    assert waiting.plane(page, "flat-points").get_attribute("data-frame") == "1"
    assert waiting.plane(page, "weights").get_attribute("data-frame") is None, "the other transport stands still"
    every = page.locator(".svm-transport").nth(1)
    every.get_by_role("button", name="Last", exact=True).click()
    expect(every).to_contain_text("RW(6)")
    expect(waiting.plane(page, "weights").locator(".svm-cursor.svm-on")).to_have_count(1)
