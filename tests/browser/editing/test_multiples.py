"""Small multiples in Chromium: a point that is dragged in one of them moves in all, before it is released."""

import pytest
import waiting

BOUNDARY = """root => root.figure.data.find(({ name }) => name === 'field').z.map((row) => Array.from(row)).flat()"""


@pytest.mark.slow
def test_a_point_that_is_dragged_in_one_plane_moves_all(page, app):
    waiting.under_hand(page, app + "/playground?problem=moons&n=100&multiples=true", "cell-1-1")
    waiting.connected(page)
    waiting.drawn(page, "cell-4-4")
    waiting.plane(page, "cell-1-1").scroll_into_view_if_needed()
    before = waiting.ask(page, "cell-1-3", BOUNDARY), waiting.points(page, "cell-1-3")
    x, y = waiting.spot(page, "cell-1-1", 5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=8)
    waiting.until(page, lambda: waiting.ask(page, "cell-1-3", BOUNDARY) != before[0])
    page.mouse.up()
    waiting.answered(page)
    after = waiting.points(page, "cell-1-3")
    assert {key for key in after if after[key] != before[1][key]} == {5}
    assert after == waiting.points(page, "plane")
