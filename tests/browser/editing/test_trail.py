"""The trail of a boundary while a point is dragged: the last thirty lines stay."""

import pytest
import waiting

TRAIL = """root => root.figure.data.filter(({ name }) => name.startsWith('trail of '))
    .map(({ name }) => name)"""


@pytest.mark.slow
def test_a_dragged_outlier_leaves_the_lines_of_each_machine_in_the_overlay_and_its_own_plane(page, app):
    link = "/compare?problem=leverage_outliers&outliers=1&losses=least_squares,zero_one&trail=true"
    waiting.under_hand(page, app + link, "overlay")
    waiting.connected(page)
    outlier = max(waiting.points(page, "overlay"))
    x, y = waiting.spot(page, "overlay", outlier)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(20):
        count = waiting.drawn(page, "overlay")
        page.mouse.move(x - 4 * k - 8, y - 6 * k - 12)  # the first one further than a click may stray
        waiting.drawn(page, "overlay", count + 1)
    page.mouse.up()
    waiting.answered(page)
    trail = waiting.ask(page, "overlay", TRAIL)
    assert 2 * 10 < len(trail) <= 2 * 30
    assert set(trail) == {"trail of L0/1-SVM", "trail of LS-SVM"}
    assert set(waiting.ask(page, "plane-zero_one", TRAIL)) == {"trail of boundary"}
    assert "Faint lines" in waiting.plane(page, "overlay").locator(".svm-image").get_attribute("aria-label")
