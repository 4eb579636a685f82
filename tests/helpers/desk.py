"""Pages in real browsers: a room that is opened and asks, and what travels on the live channel."""

import json
import re

import waiting
from playwright.sync_api import expect

from pages.shared.lessons.reading import built_in_lessons
from pages.shared.server.sessions import PULSE

PHONE = dict(width=390, height=844, has_touch=True, is_mobile=True)


def cockpit(page, app):
    """The code of a room that is opened on this page."""
    waiting.open_page(page, f"{app}/room")
    page.get_by_role("button", name="Open a room").click()
    expect(page.locator("img.svm-qr")).to_be_visible()
    page.wait_for_url("**join=*")
    return re.search(r"join=([A-Z0-9]{5})", page.url)[1]


def choose_lesson(desk):
    """The lesson on errors, in the cockpit of a room."""
    title = built_in_lessons()["errors"].title
    field = desk.get_by_label("Lesson", exact=True)
    field.click()
    desk.get_by_role("option", name=title).click()
    expect(field).to_have_value(title)
    waiting.quiet(desk)


def ask_for_the_line(desk):
    choose_lesson(desk)
    desk.get_by_label("Question of the lesson").click()
    desk.get_by_role("option", name=re.compile("Where do you expect the boundary of the LS-SVM")).click()
    expect(desk.get_by_text("Answered by a line")).to_be_visible()
    desk.get_by_role("button", name="Show it to the class").click()
    expect(desk.get_by_role("button", name="Show the bars")).to_be_visible()


def without_workers(page):
    """From its next address on the page itself relays the live channel: Playwright hears no socket of a worker."""
    page.add_init_script("delete globalThis.Worker")


class Channel:
    """What travels on the live channel of a page; attach it before the page opens."""

    def __init__(self, page):
        self.asked, self.answers = [], 0
        without_workers(page)
        page.on("websocket", self._listen)

    def _listen(self, socket):
        if socket.url.endswith("/live"):
            socket.on("framesent", lambda text: text == PULSE or self.asked.append(json.loads(text)))
            socket.on("framereceived", self._answer)

    def _answer(self, data):
        self.answers += data != PULSE
