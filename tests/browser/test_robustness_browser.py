"""The Robustness page in Chromium: a study that another page has asked for runs and is stopped."""

import re

import pytest
import waiting
from playwright.sync_api import expect

pytestmark = pytest.mark.slow  # by default the page is tested without a browser, in test_robustness_page.py


def test_compare_leads_to_the_study_of_its_problem(page, app):
    waiting.opened(page, app + "/compare?losses=hinge,least_squares&n=2000&seed=1&problem=moons&C=3", "overlay")
    page.get_by_role("link", name="Robustness of these machines").click()
    expect(page.get_by_text("No result is stored for this choice")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/robustness\?.*tables=moons&.*tuned=given"))
    page.get_by_role("button", name="Run this study").click()
    waiting.drawn(page, "errors")
    expect(page.get_by_role("button", name="Stop this study")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"Stopped after \d+ of 200 cells"))).to_be_visible()
    expect(page.get_by_role("button", name="Resume this study")).to_be_focused()
