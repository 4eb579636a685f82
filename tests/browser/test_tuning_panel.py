"""The Tune panel in Chromium: evaluations appear, the best sets controls and address."""

import itertools
import re

import pytest
import waiting
from playwright.sync_api import expect

pytestmark = pytest.mark.slow  # the panel is tested by default without a browser, in test_tuning_page.py
SEEDS = itertools.count(1)  # a search is made once for a draw, so a second try takes another


def test_evaluations_appear_and_the_best_is_used(page, app):
    seed = next(SEEDS)
    waiting.under_hand(page, f"{app}/playground?problem=moons&loss=hinge&seed={seed}")
    page.get_by_text("Tune: find C and σ").click()
    page.get_by_role("button", name="Search").click()
    waiting.drawn(page, "tuning")
    waiting.until(page, lambda: len(waiting.figure(page, "tuning")["evaluated"]["x"]) == 110)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    waiting.answered(page)

    best = waiting.figure(page, "tuning")["best"]
    (C,), (sigma,) = best["x"], best["y"]
    use = page.get_by_role("button", name="Use the best")
    use.click()
    expect(use).to_be_disabled()
    page.wait_for_url(re.compile(rf"sigma={sigma:.4g}"))
    assert re.search(rf"[?&]C={C:.4g}(&|$)", page.url) or C == 1.0
