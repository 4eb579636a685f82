"""Seconds without a network, in the middle of a vote and of a drag: nothing is lost, and a sentence says so."""

import re
import threading

import pytest
import waiting
from desk import PHONE, ask_for_the_line, cockpit
from playwright.sync_api import expect
from wire import wire

pytestmark = pytest.mark.slow
AWAY, LONG = 6_000, 20_000  # milliseconds; after more of them Streamlit asks less often whether the server is back
SAYS = (
    "No connection to the server. What you change is kept and sent when the connection is back. "
    "If a button or an upload then shows no effect, use it again."
)
EXPECTED = re.compile("disconnected from server|server endpoint|not responding|Failed to load resource|WebSocket")


@pytest.fixture(params=["the line is cut", "the browser is offline"])
def line(request, app):
    """(address of the app by way of a line, cut(page), mend(page))."""
    with wire(app) as one:
        if request.param == "the line is cut":
            yield one.address, lambda page: one.cut(), lambda page: one.mend()
        else:
            yield one.address, lambda page: page.context.set_offline(True), lambda page: page.context.set_offline(False)


def without(page, line, away=AWAY):
    """Wait in front of a page that says that the server is away, and until it is back."""
    _, _, mend = line
    said = page.locator(".svm-away")
    expect(said).to_have_text(SAYS)
    page.wait_for_timeout(away)
    expect(said).to_have_text(SAYS)
    dialog = page.get_by_role("dialog")
    assert all(SAYS in text for text in dialog.all_inner_texts())
    mend(page)
    expect(said).to_have_text("")
    expect(dialog).to_have_count(0)
    page.expected = EXPECTED


def test_a_vote_that_was_given_without_a_network_is_counted_and_the_room_goes_on(new_page, app, line):
    address, cut, _ = line
    desk, phone = new_page(), new_page(**PHONE)
    code = cockpit(desk, app)
    ask_for_the_line(desk)
    waiting.open_page(phone, f"{address}/room?join={code}")
    waiting.drawn(phone, "asked")
    waiting.settled(phone)
    phone.locator(".svm-grip").first.focus()
    phone.keyboard.press("ArrowUp")
    cut(phone)
    phone.keyboard.press("ArrowUp")
    given = phone.locator(".svm-question .svm-given").inner_text()
    assert "Your line goes through" in given
    phone.locator(".svm-question .svm-commit").click()
    without(phone, line, away=LONG)
    expect(phone.get_by_text("Your vote is counted")).to_be_visible()
    assert phone.locator(".svm-question .svm-given").inner_text() == given
    expect(desk.get_by_text("1 of 1 have voted")).to_be_visible()
    desk.get_by_role("button", name="Reveal").click()
    expect(phone.get_by_text("You said")).to_be_visible()


def test_a_point_that_was_moved_without_a_network_stays_where_it_is(new_page, app, line):
    address, cut, _ = line
    page, fresh = new_page(), new_page()
    waiting.under_hand(page, f"{address}/playground?problem=moons&n=40")
    before = waiting.points(page, "plane")
    way = [waiting.place(page, "plane", *at) for at in ((0.2, 0.2), (0.0, 0.0))]
    with waiting.held(page, waiting.spot(page, "plane", 3), way[0]):
        cut(page)
        page.mouse.move(*way[1], steps=2)
    without(page, line)
    page.wait_for_url(re.compile("edits="))
    waiting.answered(page)
    after = waiting.points(page, "plane")
    assert [number for number in before if after[number] != before[number]] == [3]
    assert after[3][:2] == pytest.approx((0.0, 0.0), abs=0.02)
    waiting.under_hand(fresh, page.url.replace(address, app))
    assert waiting.points(fresh, "plane") == after


BUSY = """slider => {
    const end = performance.now() + 1500;
    while (performance.now() < end);
    slider.stepUp();
    for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, { bubbles: true }));
    return slider.getAttribute("aria-valuetext");
}"""


def test_a_control_that_is_changed_before_the_browser_hears_of_the_cut_is_in_the_next_run(new_page, app):
    with wire(app) as one:
        page = new_page()
        waiting.under_hand(page, f"{one.address}/playground?problem=moons&n=40")
        slider = page.get_by_role("slider", name="C, weight of the loss")
        cut = threading.Timer(0.5, one.cut)  # while the browser is busy
        cut.start()
        said = slider.evaluate(BUSY)
        cut.join()
        without(page, (one.address, one.cut, lambda page: one.mend()), away=3000)
        page.wait_for_url(re.compile("[?&]C="))
        waiting.quiet(page)
        assert slider.get_attribute("aria-valuetext") == said
