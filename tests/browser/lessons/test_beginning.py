"""The chapter before the lessons in Chromium: by mouse, by keys, and on a phone; text and picture follow each other."""

import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.lessons import beginning
from pages.shared.lessons.beginning import CHART, KEY

pytestmark = pytest.mark.slow

SECTIONS = [section["key"] for section in beginning.chapter()["section"]]
AT = f"/lessons?lesson={KEY}"


def text(page):
    return page.locator(".svm-chapter")


def reads(page, key):
    """The section is the one that is read, and Python knows it."""
    expect(text(page)).to_have_attribute("data-section", key)
    waiting.quiet(page)
    expect(page.locator(".svm-chapter section[data-read]")).to_have_count(1)


def number(page, section, name):
    return page.locator(f".svm-chapter section:nth-child({SECTIONS.index(section) + 1}) [data-live={name}]").first


def scroll_to(page, key):
    """By the wheel until the text reads this section."""
    page.mouse.move(*waiting.place(page, KEY, 2.0, 3.5))
    for _ in range(80):
        if text(page).get_attribute("data-section") == key:
            return reads(page, key)
        page.mouse.wheel(0, 120)
        page.wait_for_timeout(30)
    raise AssertionError(f"{key} is not reached")


def test_the_picture_follows_the_text_and_a_dragged_point_its_words(new_page, app):
    page = new_page(width=1280, height=720)
    waiting.under_hand(page, app + AT, KEY)
    waiting.connected(page)
    top = waiting.plane(page, KEY).bounding_box()["y"]
    assert not waiting.figure(page, KEY).keys() & {"lines", "boundary"}
    scroll_to(page, "lines")
    assert "lines" in waiting.figure(page, KEY)
    scroll_to(page, "support")
    assert "support" in waiting.figure(page, KEY)
    assert abs(waiting.plane(page, KEY).bounding_box()["y"] - top) < 60, "the picture stays while the text is scrolled"
    before = number(page, "margin", "width").inner_text()
    at = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop")
    with waiting.held(page, waiting.spot(page, KEY, 6), waiting.place(page, KEY, 4.0, 2.0)):
        expect(page.locator(".svm-chapter [data-lit]").first).to_be_attached()
    expect(number(page, "margin", "width")).not_to_have_text(before)
    waiting.quiet(page)
    reads(page, "support")
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop") == at
    now = number(page, "margin", "width").inner_text()
    page.reload()
    waiting.drawn(page, KEY)
    expect(number(page, "margin", "width")).to_have_text(now)
    reads(page, "support")  # where its reader was
    assert "support" in waiting.figure(page, KEY)


def test_by_keys_and_by_ear(new_page, app):
    page = new_page()
    runs = waiting.opened(page, app + AT, KEY)
    reads(page, SECTIONS[0])
    page.locator(".svm-after").focus()
    for step, key in enumerate(SECTIONS[1:6], 2):
        page.keyboard.press("Enter")
        reads(page, key)
        title = beginning.chapter()["section"][step - 1]["title"]
        expect(page.locator(".svm-at")).to_have_text(f"{step} of {len(SECTIONS)}: {title}")
        expect(page.get_by_role("heading", name=title)).to_be_focused()
        page.locator(".svm-after").focus()
    alt = waiting.plane(page, KEY).locator(".svm-image").get_attribute("aria-label")
    assert "slack" in alt
    assert " C = 1 the margin is 2.71 wide, 4 of 24 points " in text(page).inner_text().replace("\u00a0", " ")
    slider = page.get_by_role("slider", name="C =")
    before = number(page, "price", "width").inner_text()
    slider.focus()
    for _ in range(8):
        page.keyboard.press("PageDown")
    expect(number(page, "price", "width")).not_to_have_text(before)
    waiting.quiet(page)
    assert float(number(page, "price", "width").inner_text()) > float(before)
    expect(slider).to_have_attribute("aria-valuetext", number(page, "price", "C").inner_text())
    with runs.another():  # Python hears where the slider rests
        page.keyboard.press("ArrowRight")


def test_on_a_phone_the_picture_stays_above_the_text(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.opened(page, app + AT, KEY)
    for key in SECTIONS[1:]:
        expect(page.get_by_role("button", name="Undo")).to_be_visible()
        page.locator(".svm-after").tap()
        reads(page, key)
        heading = page.locator(f"#svm-section-{key}").bounding_box()
        planes = [waiting.plane(page, name).bounding_box() for name in (KEY, CHART)[: 1 + (key in beginning.CHARTED)]]
        turn = page.locator(".svm-turn").bounding_box()
        for box in planes:
            assert box["y"] >= 0 and box["y"] + box["height"] <= heading["y"], key
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["height"] > 150
        assert heading["y"] + heading["height"] < turn["y"]
    expect(page.locator(".svm-after")).to_be_disabled()


def test_home_leads_to_the_chapter_and_it_to_the_lessons(page, app):
    waiting.open_page(page, app)
    page.locator(f'.stMain a[href*="lesson={beginning.KEY}"]').click()
    waiting.drawn(page, KEY)
    page.get_by_role("link", name="Next lesson").click()
    expect(page.locator(".svm-question")).to_be_visible()
