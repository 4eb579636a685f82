"""A room in real browsers: the lecturer's screen on a phone, a vote, the reveal, one vote a browser."""

import re

import pytest
import waiting
from desk import PHONE
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def side_by_side(page):
    """Whether the bars of both votes on an option stand beside each other, and those of a vote below each other."""
    found = [page.locator("meter").nth(k).bounding_box() for k in range(4)]
    rows = [abs(found[k]["y"] - found[k + 1]["y"]) < 2 for k in (0, 2)]
    return all(rows) and all(abs(found[k]["x"] - found[k + 2]["x"]) < 2 for k in (0, 1))


@pytest.mark.slow
def test_a_phone_follows_votes_and_sees_the_reveal(new_page, app):
    desk, hand = new_page(), new_page(**PHONE)
    waiting.open_page(desk, f"{app}/room")
    desk.get_by_role("button", name="Open a room").click()
    expect(desk.locator("img.svm-qr")).to_be_visible()
    code = re.search(r"join=([A-Z0-9]{5})", desk.url)[1]
    desk.get_by_label("Question").fill("What turns?")
    desk.get_by_label("Options, one in each line").fill("one\ntwo")
    desk.get_by_label("Options, one in each line").blur()
    desk.get_by_role("button", name="Ask", exact=True).click()
    expect(desk.get_by_text("vote 1: 0 votes")).to_be_visible()

    waiting.open_page(hand, f"{app}/losses?join={code}")
    expect(hand.get_by_text(f"Room {code}")).to_be_visible()
    hand.get_by_text("two", exact=True).click()
    expect(hand.get_by_text("Your vote is counted")).to_be_visible()
    said, line = (hand.locator(place).last.bounding_box() for place in (".st-key-room_line p", ".st-key-room_line"))
    assert said["y"] + said["height"] <= line["y"] + line["height"] + 1  # what follows does not cover it
    expect(desk.get_by_text("vote 1: 1 vote")).to_be_visible()
    again = hand.context.new_page()
    waiting.open_page(again, f"{app}/losses?join={code}")  # the same browser: the vote is there already
    expect(again.get_by_text("Your vote is counted")).to_be_visible()
    again.close()
    desk.get_by_role("button", name="Reveal").click()
    expect(hand.get_by_text("1 (100 %)")).to_be_visible()
    expect(hand.locator("meter").first).to_be_visible()

    desk.get_by_role("button", name="Second vote").click()
    hand.get_by_role("radiogroup").get_by_text("one", exact=True).click()  # the table of the first vote has it, too
    expect(desk.get_by_text("vote 2: 1 vote")).to_be_visible()
    desk.get_by_role("button", name="Reveal").click()
    for page in (hand, desk):
        expect(page.get_by_role("columnheader", name="vote 2")).to_be_visible()
        assert side_by_side(page)

    waiting.menu(desk, "Playground").click()
    desk.wait_for_url("**/playground*")
    waiting.drawn(desk, "plane")
    assert "cockpit=" not in desk.url
    hand.wait_for_url("**/playground*")
    waiting.drawn(hand, "plane")
