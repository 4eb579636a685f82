"""Three classes under the hand, in Chromium: by mouse and by keys, undone, and in the link."""

import re

import pytest
import waiting
from playwright.sync_api import expect
from waiting import answered, place, points, spot, under_hand

pytestmark = pytest.mark.slow

CLOUDS = "/playground?problem=three_clouds"
SENTENCE = ".svm-announcement"


def radio(page, name):
    return page.locator(".svm-editor").get_by_role("radio", name=name, exact=True)


def button(page, name):
    return page.locator(".svm-editor").get_by_role("button", name=name, exact=True)


def regions(page):
    return [waiting.figure(page, "plane", [f"region {k}"])[f"region {k}"]["z"] for k in (1, 2, 3)]


def test_points_are_added_to_a_class_given_the_next_one_and_restored_by_the_link(page, app, new_page):
    under_hand(page, app + CLOUDS)
    own, before = points(page, "plane"), regions(page)
    assert radio(page, "1").get_attribute("aria-checked") == "true" and button(page, "Next class").is_visible()
    handle = waiting.plane(page, "plane").locator(".svm-handle")
    handle.focus()
    page.keyboard.press("Home")
    answered(page)
    told = r"^point 0, class 1, at .*; support value [\d.]+, .*3 machines.*X gives it the next class"
    expect(handle).to_have_attribute("aria-label", re.compile(told))
    summary = page.locator("#" + handle.get_attribute("aria-describedby"))
    expect(summary).to_have_text(re.compile("30 of class 1, 30 of class 2, 30 of class 3.*Regions: .* for class 3"))
    radio(page, "3").click()
    page.mouse.click(*place(page, "plane", -3.0, 3.0))
    answered(page)
    found = points(page, "plane")
    assert found[-1] == (pytest.approx(-3.0, abs=0.02), pytest.approx(3.0, abs=0.02), 3) and len(found) == len(own) + 1
    expect(page.locator(SENTENCE)).to_have_text(
        re.compile(r"^Added: added point 1, class 3, at .* changed [\d.]+\u202f%")
    )
    page.mouse.dblclick(*spot(page, "plane", 5))
    answered(page)
    assert own[5][2] == 3 and points(page, "plane")[5][2] == 1
    said = r"^Given the next class: point 5, class 1, at .*, outlier\. By this change: L1-SVM changed [\d.]+\u202f%"
    expect(page.locator(SENTENCE)).to_have_text(re.compile(said))
    expect(summary).to_have_text(re.compile("31 of class 1, 30 of class 2, 30 of class 3, 1 marked as outlier"))
    assert regions(page) != before
    edited, link = points(page, "plane"), page.url
    other = new_page()
    under_hand(other, link)
    assert points(other, "plane") == edited and regions(other) == regions(page)
    for _ in range(2):
        button(page, "Undo").click()
        answered(page)
    assert points(page, "plane") == own and regions(page) == before
    button(page, "Redo").click()
    answered(page)
    assert points(page, "plane")[-1][2] == 3
