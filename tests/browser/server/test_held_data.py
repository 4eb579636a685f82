"""While a control that changes the data is held, what is drawn is of the same moment as on a fresh page."""

import pytest
import waiting
from test_live import LIVE, live_numbers
from waiting import connected, figure, under_hand, until

pytestmark = pytest.mark.slow

POINTS = "(root) => root.querySelector('.svm-points').toDataURL()"  # as painted, not as the figure has them
SPIRALS, FLIPS = "?problem=two_spirals", "?problem=moons&contamination=flip_random"
COMPARED = "&losses=hinge,least_squares"
HELD = [
    ("/playground", SPIRALS, "noise", 0.9, "plane"),
    ("/playground", FLIPS + "&flips=3", "flips", 9, "plane"),
    ("/playground", "?problem=moons&contamination=leverage_cluster&flips=5", "flips", 14, "plane"),
    ("/compare", SPIRALS + COMPARED, "noise", 0.9, "plane-hinge"),
    ("/compare", FLIPS + COMPARED + "&flips=3", "flips", 9, "plane-least_squares"),
    ("/sparsity", SPIRALS, "noise", 0.9, "machine-LS-SVM"),
]


def painted(page, key):
    return waiting.ask(page, key, POINTS)


@pytest.mark.parametrize("path, link, name, value, key", HELD)
def test_a_held_control_of_the_data_shows_its_points(page, app, path, link, name, value, key):
    runs = under_hand(page, app + path + link, key)
    connected(page)
    before, begun, asked = figure(page, key), runs.begun, {name: value}
    assert page.evaluate(LIVE, [asked, {"moving": True}])
    until(page, lambda: figure(page, key)["field"] != before["field"])
    held = painted(page, key)
    assert page.evaluate(LIVE, [asked, {"moving": False}])
    until(page, lambda: len(figure(page, key)["field"]["z"]) > 50)
    waiting.drawn(page, key)
    shown, points, numbers = figure(page, key), painted(page, key), live_numbers(page)
    assert runs.begun == begun
    under_hand(
        page, app + path + "&".join([part for part in link.split("&") if name not in part]) + f"&{name}={value}", key
    )
    assert figure(page, key) == shown and live_numbers(page) == numbers
    until(page, lambda: painted(page, key) == points)
    if FLIPS in link:  # the axes stay
        assert held == points


def test_the_table_of_a_comparison_follows_and_the_next_run_restores_it(page, app):
    link = app + "/compare?losses=hinge,least_squares,zero_one"
    cells = page.locator('.svm-table [data-live]:not([data-live$="-time"])')
    runs = under_hand(page, link, "plane-hinge")
    connected(page)
    before = cells.all_inner_texts()
    assert page.evaluate(LIVE, [{"C": 0.001}, {"moving": True}])
    until(page, lambda: cells.all_inner_texts() != before)
    held = cells.all_inner_texts()
    with runs.another():
        page.get_by_role("button", name="Best possible", exact=True).click()
    assert cells.all_inner_texts() == before != held
    under_hand(page, f"{link}&C=0.001", "plane-hinge")
    assert cells.all_inner_texts() == held
