"""A session that the server has forgotten, as after a phone has slept for minutes, a server that begins anew, a proxy
that cuts again and again, and a phone that has gone to another network: edits, controls, votes and the lecturer are
those of before, without a hand.
"""

import contextlib
import itertools
import re

import pytest
import serving
import waiting
from desk import PHONE, ask_for_the_line, cockpit
from playwright.sync_api import expect
from test_away import EXPECTED, SAYS
from wire import wire

pytestmark = pytest.mark.slow
ASLEEP = 4_000  # milliseconds, more than a session that has left is kept for
BACK = 30_000  # within which all are back: three times what it takes on a machine that does nothing else


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory):
    """start(port=None) -> (process, address) of a server; they share a store, and forget who left a second ago."""
    folder, count = tmp_path_factory.mktemp("forgetful"), itertools.count()
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        patch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "1")
        patch.setenv("STREAMLIT_SERVER_WEBSOCKET_PING_INTERVAL", "2")  # silent for twice as long, a browser has left
        patch.setenv("SVM_LAB_STORE", str(folder / "store.sqlite3"))

        def start(port=None):
            return stack.enter_context(serving.server("app.py", folder / f"log-{next(count)}.txt", port))

        yield start


@pytest.fixture(scope="module")
def address(forgetful):
    """The address of a server that forgets."""
    return forgetful()[1]


def asleep(page, line):
    """Beyond what the server remembers: the browser says that it is away, then that it is back."""
    page.expected = EXPECTED
    line.cut()
    expect(page.locator(".svm-away")).to_have_text(SAYS)
    page.wait_for_timeout(ASLEEP)
    line.mend()
    expect(page.locator(".svm-away")).to_have_text("")
    expect(page.get_by_role("dialog")).to_have_count(0)
    waiting.quiet(page)


def drag(page, index):
    """Move a point of the plane."""
    x, y = waiting.spot(page, "plane", index)
    waiting.drag(page, (x, y), (x + 60, y - 30))


def edited(page, line):
    """Playground, of which a point has been moved: where its points are."""
    waiting.under_hand(page, f"{line.address}/playground?problem=moons&n=40")
    drag(page, 3)
    page.wait_for_url(re.compile("edits="))
    waiting.answered(page)
    return waiting.points(page, "plane")


def voted(phone, desk):
    """The vote of the phone is counted."""
    waiting.drawn(phone, "asked")
    waiting.settled(phone)
    phone.locator(".svm-grip").first.focus()
    phone.keyboard.press("ArrowUp")
    phone.locator(".svm-question .svm-commit").click()
    expect(desk.get_by_text("1 of 1 have voted")).to_be_visible(timeout=BACK)


def revealed(desk, phone):
    """The lecturer shows the answer, and the phone has it."""
    desk.get_by_role("button", name="Reveal").click()
    expect(phone.get_by_text("You said")).to_be_visible(timeout=BACK)


def test_edits_and_controls_are_those_of_before(new_page, address):
    with wire(address) as line:
        page = new_page()
        before = edited(page, line)
        slider = page.get_by_role("slider", name="C, weight of the loss")
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_url(re.compile("[?&]C="))
        waiting.quiet(page)
        said = slider.get_attribute("aria-valuetext")
        asleep(page, line)
        assert waiting.points(page, "plane") == before
        assert slider.get_attribute("aria-valuetext") == said
        waiting.connected(page)
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("(said) => !location.search.includes(`C=${said}`)", arg=said)
        waiting.quiet(page)
        assert waiting.points(page, "plane") == before and "edits=" in page.url


def test_after_a_restart_of_the_server_the_lecturer_is_the_lecturer_and_a_vote_is_there_once(new_page, forgetful):
    process, address = forgetful()
    desk, phone = new_page(), new_page(**PHONE)
    # a script of Streamlit's that is fetched when the server is killed
    desk.expected = phone.expected = re.compile(f"{EXPECTED.pattern}|Failed to fetch dynamically imported module")
    code = cockpit(desk, address)
    ask_for_the_line(desk)
    waiting.open_page(phone, f"{address}/room?join={code}")
    voted(phone, desk)
    process.kill()
    process.wait(waiting.PATIENCE)
    for page in (desk, phone):
        expect(page.locator(".svm-away")).to_have_text(SAYS)
    forgetful(int(address.rpartition(":")[2]))
    for page in (desk, phone):
        expect(page.locator(".svm-away")).to_have_text("")
        waiting.quiet(page)
    expect(desk.get_by_text("1 of 1 have voted")).to_be_visible()
    expect(phone.get_by_text("Your vote is counted")).to_be_visible()
    revealed(desk, phone)


def test_a_proxy_that_cuts_every_few_seconds_loses_no_change(new_page, address):
    """As some proxies cut a websocket after a minute."""
    with wire(address, lasts=4.0) as line:
        page = new_page()
        page.expected = EXPECTED
        waiting.under_hand(page, f"{line.address}/playground?problem=moons&n=40")
        slider = page.get_by_role("slider", name="C, weight of the loss")
        slider.focus()
        for _ in range(8):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(1500)
        said = slider.get_attribute("aria-valuetext")
        page.wait_for_function("(said) => location.search.includes(`C=${said}`)", arg=said)
        assert slider.get_attribute("aria-valuetext") == said
        for index in (3, 5, 8):
            before = page.url
            drag(page, index)
            page.wait_for_url(lambda url, before=before: url != before and "edits=" in url, timeout=BACK)
        waiting.answered(page)
        kept, fresh = waiting.points(page, "plane"), new_page()
        waiting.under_hand(fresh, page.url.replace(line.address, address))
        assert waiting.points(fresh, "plane") == kept


def moved(page, line):
    """To another network: the browser takes its connections for open, and nothing arrives on them."""
    line.move()


def slept(page, line):
    """For longer than the server keeps a connection that does not answer, and without being told of its end."""
    line.lose()
    phone = page.context.new_cdp_session(page)
    phone.send("Page.setWebLifecycleState", {"state": "frozen"})
    page.wait_for_timeout(2 * ASLEEP)
    line.move()
    phone.send("Page.setWebLifecycleState", {"state": "active"})


@pytest.mark.parametrize("away", [moved, slept])
def test_connections_that_are_dead_without_a_word_are_made_anew(new_page, address, away):
    """With the changes and the vote that were made on them, of which the server has never heard; and the lecturer's."""
    desk, phone, reader = new_page(), new_page(**PHONE), new_page()
    with wire(address) as one, wire(address) as other, wire(address) as third:
        code = cockpit(desk, third.address)
        ask_for_the_line(desk)
        waiting.open_page(phone, f"{one.address}/room?join={code}")
        waiting.drawn(phone, "asked")
        before = edited(reader, other)
        waiting.connected(reader)
        for page, line, sockets in ((phone, one, 1), (desk, third, 1), (reader, other, 2)):
            page.expected = EXPECTED
            waiting.until(page, lambda line=line, sockets=sockets: line.carries == sockets)  # and no file on its way
            away(page, line)
        slider = reader.get_by_role("slider", name="C, weight of the loss")
        drag(reader, 5)
        slider.press("ArrowRight")
        said = slider.get_attribute("aria-valuetext")
        voted(phone, desk)
        revealed(desk, phone)
        reader.wait_for_url(re.compile(f"[?&]C={said}"), timeout=BACK)
        waiting.quiet(reader)
        waiting.connected(reader)
        now, fresh = waiting.points(reader, "plane"), new_page()
        assert {index for index in before if now[index] != before[index]} == {5}
        assert slider.get_attribute("aria-valuetext") == said
        waiting.under_hand(fresh, reader.url.replace(other.address, address))
        assert waiting.points(fresh, "plane") == now
        for page in (phone, desk, reader):
            expect(page.locator(".svm-away")).to_have_text("")
            expect(page.get_by_role("dialog")).to_have_count(0)
