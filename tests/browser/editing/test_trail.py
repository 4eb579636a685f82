"""The trail of a boundary while a point is dragged: the last thirty lines stay, of those that move."""

import numpy as np
import pytest
import waiting

TRAIL = """root => root.figure.data.filter(({ name }) => name.startsWith('trail of '))
    .map(({ name, x, y, opacity }) => [name, Array.from(x), Array.from(y), opacity])"""


def width(trail, name):
    """The angle in degrees between the first and the last of the lines of a machine."""
    lines = [np.array([x, y], float) for own, x, y, _ in trail if own == f"trail of {name}"]
    return float(np.degrees(np.ptp([np.arctan2(*np.ptp(line[:, np.isfinite(line[0])], axis=1)) for line in lines])))


@pytest.mark.slow
def test_a_dragged_outlier_leaves_a_fan_of_one_machine_and_a_line_of_another(page, app):
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
    assert {name for name, *_ in trail} == {"trail of L0/1-SVM", "trail of LS-SVM"}
    shades = [opacity for *_, opacity in trail]
    assert shades == sorted(shades) and shades[0] < 0.1 < 0.6 < shades[-1]
    assert width(trail, "LS-SVM") > 5.0 > 1.0 > width(trail, "L0/1-SVM")
    assert {name for name, *_ in waiting.ask(page, "plane-zero_one", TRAIL)} == {"trail of boundary"}
    assert "Faint lines" in waiting.plane(page, "overlay").locator(".svm-image").get_attribute("aria-label")
