"""A room in real browsers: the lecturer's screen on a phone, a vote, the reveal, one vote a browser."""

import pytest
import waiting
from desk import PHONE, cockpit
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def side_by_side(page):
    """Whether the bars of both votes on an option stand beside each other, and those of a vote below each other."""
    found = [page.locator("meter").nth(k).bounding_box() for k in range(4)]
    rows = [abs(found[k]["y"] - found[k + 1]["y"]) < 2 for k in (0, 2)]
    return all(rows) and all(abs(found[k]["x"] - found[k + 2]["x"]) < 2 for k in (0, 1))


def inks(page, part):
    """The colours of the words and grounds of this control where the system asks for high contrast."""
    page.emulate_media(forced_colors="active")
    read = """e => [getComputedStyle(e.querySelector('p')).color,
        ...[e, ...e.querySelectorAll('div')].map((x) => getComputedStyle(x).backgroundColor)]"""
    found = page.locator("label, button").filter(has=page.get_by_text(part, exact=True)).first.evaluate(read)
    page.emulate_media(forced_colors="none")
    return {ink for ink in found if not (ink.startswith("rgba") and ink.endswith(" 0)"))}


def test_a_phone_follows_votes_and_sees_the_reveal(new_page, app):
    desk, hand = new_page(), new_page(**PHONE)
    code = cockpit(desk, app)
    expect(desk.get_by_role("heading", name="Room", exact=True)).to_be_focused()
    ask = desk.get_by_role("button", name="Ask", exact=True)
    ask.click()
    expect(desk.get_by_text("The question needs")).to_be_visible()
    expect(ask).to_be_focused()  # it was pushed down
    desk.get_by_role("textbox", name="Question", exact=True).fill("What turns?")
    desk.get_by_label("Options, one in each line").fill("one\ntwo\n" + 60 * "w")
    desk.get_by_label("Options, one in each line").blur()
    ask.click()
    expect(desk.get_by_role("button", name="Show the bars")).to_be_visible()

    waiting.open_page(hand, f"{app}/losses?join={code}")
    expect(hand.get_by_text(f"Room {code}")).to_be_visible()
    hand.get_by_text("two", exact=True).click()
    expect(hand.get_by_text("Your vote is counted")).to_be_visible()
    assert hand.get_by_test_id("stRadioOption").first.bounding_box()["height"] >= 44  # for a thumb
    assert len(inks(hand, "Follow")) == len(inks(hand, "two")) == 3  # of words, page, and what is chosen
    assert len(inks(hand, "one")) == len(inks(desk, "Reveal")) == 2
    said, line = (hand.locator(place).last.bounding_box() for place in (".st-key-room_line p", ".st-key-room_line"))
    assert said["y"] + said["height"] <= line["y"] + line["height"] + 1  # what follows does not cover it
    expect(desk.get_by_text("1 of 1 have voted")).to_be_visible()
    again = hand.context.new_page()
    waiting.open_page(again, f"{app}/losses?join={code}")  # the same browser: the vote is there already
    expect(again.get_by_text("Your vote is counted")).to_be_visible()
    again.close()
    desk.get_by_role("button", name="Show the bars").click()
    expect(desk.get_by_role("button", name="Back to the vote")).to_be_focused()
    expect(hand.get_by_text("1 (100 %)")).to_be_visible()
    expect(hand.locator("meter").first).to_be_visible()

    desk.get_by_role("button", name="Second vote").click()
    hand.get_by_role("radiogroup").get_by_text("one", exact=True).click()
    expect(desk.get_by_text("1 of 1 have voted; first vote: 1 vote")).to_be_visible()
    desk.get_by_role("button", name="Reveal").click()
    for page in (hand, desk):
        expect(page.get_by_role("columnheader", name="vote 2")).to_be_visible()
        assert side_by_side(page)
        table = page.get_by_role("group", name="Votes")
        assert table.evaluate("e => e.scrollWidth <= e.clientWidth"), "a long word leaves the bars in sight"

    waiting.menu(desk, "Playground").click()
    desk.wait_for_url("**/playground*")
    waiting.drawn(desk, "plane")
    assert "cockpit=" not in desk.url
    hand.wait_for_url("**/playground*")
    waiting.drawn(hand, "plane")
