"""The Sparsity page in Chromium: a cell that is clicked is loaded, a narrow page."""

import itertools
import re
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.screen.choices import Data, Reweighting
from pages.shared.studies.sparsity import MapRequest
from svmcore import problems

pytestmark = pytest.mark.slow

SEEDS = itertools.count(1)  # a map is computed once for a draw, so a second try takes another


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_a_clicked_cell_is_loaded(page, app):
    seed = next(SEEDS)
    waiting.open_page(page, f"{app}/sparsity?problem=moons&seed={seed}&n=60&C=50&sigma=0.9")
    waiting.drawn(page, "film-0")
    button(page, "Compute the map").click()
    expect(button(page, "Load a cell")).to_be_visible()
    expect(button(page, "Stop computing")).to_have_count(0)
    waiting.drawn(page, "cells-error")
    data = Data("moons", seed, (("n", 60), ("noise", 0.2)))
    C, sigma = MapRequest(data, problems.REGISTRY["moons"].sigma, Reweighting()).axes
    waiting.plane(page, "cells-count").scroll_into_view_if_needed()
    page.mouse.click(*waiting.place(page, "cells-count", np.log10(C[8]), np.log10(sigma[4])))
    page.wait_for_url(re.compile(re.escape(f"C={C[8]:g}")))
    waiting.quiet(page)
    asked = parse_qs(urlparse(page.url).query)
    assert (float(asked["C"][0]), float(asked["sigma"][0])) == (C[8], sigma[4])
    ring = waiting.figure(page, "cells-error")["chosen"]
    assert (ring["x"], ring["y"]) == ([pytest.approx(np.log10(C[8]))], [pytest.approx(np.log10(sigma[4]))])
    button(page, "Load a cell").click()
    page.wait_for_url(lambda url: f"C={C[8]:g}&" not in url)
    waiting.drawn(page, "film-0")


def test_no_chart_covers_its_heading(page, app):
    waiting.open_page(page, f"{app}/sparsity")
    above = """(heading) => { const { left, top, height } = heading.getBoundingClientRect();
        return heading.contains(document.elementFromPoint(left + 5, top + height / 2)); }"""
    headings = page.locator('[class*="st-key-title-"] p')
    expect(headings).to_have_count(3)
    for heading in headings.all():
        heading.scroll_into_view_if_needed()
        page.mouse.wheel(0, 200)
        waiting.quiet(page)
        assert heading.evaluate(above)


def test_a_finger_chooses_a_point_once(new_page, app):
    """Plotly clicks twice for one tap; a second would let the point go."""
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, f"{app}/sparsity?n=20")
    waiting.drawn(page, "film-0")
    waiting.plane(page, "film-0").scroll_into_view_if_needed()
    page.touchscreen.tap(*waiting.spot(page, "film-0", 4))
    page.wait_for_function("() => document.querySelector('.svm-chosen').textContent.startsWith('Point 4: ')")
    page.wait_for_timeout(500)  # the mouse that the browser makes of the tap has come and gone
    assert page.locator(".svm-chosen").inner_text().startswith("Point 4: ")
