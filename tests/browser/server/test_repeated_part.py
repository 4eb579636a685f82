"""A part of a page that renews itself, made again before the page has reached the browser."""

import re

import pytest
import waiting
from playwright.sync_api import expect
from wire import wire

pytestmark = pytest.mark.slow


def test_it_replaces_nothing_that_stands_beside_it(serve, page):
    # on a slow line the browser goes on asking for the part until it hears that the page is made
    with wire(serve("tests/browser/apps/repeat_demo_app.py"), delay=0.5) as line:
        waiting.open_page(page, line.address)
        part = page.get_by_text(re.compile(r"Part \d"))
        for number in (2, 3):
            page.get_by_role("button", name="Again").click()
            expect(page.get_by_text(f"Page {number}")).to_be_visible()
            before = part.inner_text()
            expect(part).not_to_have_text(before)  # made again
            expect(page.get_by_text(f"Page {number}")).to_be_visible(timeout=1500)


def test_it_leads_to_another_page_which_stays(serve, page):
    # what the browser asks of the part until it hears of the page is answered after that, and would clear it
    with wire(serve("tests/browser/apps/lead_demo_app.py"), delay=0.5) as line:
        waiting.open_page(page, line.address)
        page.get_by_role("button", name="Go").click()
        page.wait_for_url("**/second?by=part")
        expect(page.get_by_text("Page 2", exact=True)).to_be_visible()
        page.wait_for_timeout(2500)
        expect(page.get_by_text("Page 2", exact=True)).to_be_visible()
        expect(page.get_by_text("Part of page 2")).to_be_visible()


def test_a_page_that_is_asked_for_at_its_end_is_not_drawn_into_its_place(serve, page, monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_POST_SCRIPT_GC", "true")  # its end takes as long as the app wants
    waiting.open_page(page, serve("tests/browser/apps/late_demo_app.py"))
    for number in range(2, 6):
        page.get_by_role("button", name="Again").click()
        expect(page.get_by_text(f"Page {number}")).to_be_visible()
        expect(page.locator(".st-key-place").get_by_text("Page")).to_have_count(0)
