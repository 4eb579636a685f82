"""The Papers page in Chromium: pictures are drawn, a table opens, and a quick recomputation comes back by itself."""

import pytest
import waiting
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_a_table_is_recomputed_while_one_looks(page, app):
    waiting.open_page(page, f"{app}/papers?paper=ls_svm")
    for key in ("ls_svm.fig1-0", "ls_svm.fig2-0", "ls_svm.vc_bound-2"):
        waiting.drawn(page, key)
    page.get_by_text("All 63 rows").click()
    expect(page.get_by_role("rowheader", name="0.125").first).to_be_visible()
    page.get_by_role("button", name="Recompute quickly").nth(1).click()
    expect(page.get_by_text("Quick run")).to_be_visible()
    page.get_by_role("link", name="Two spirals").click()
    waiting.drawn(page, "plane")
    assert "problem=two_spirals" in page.url and "loss=least_squares" in page.url
