"""A page on paper: light in either theme, its pictures in their proportions, and without what only a screen can use."""

import pytest
import waiting
from playwright.sync_api import expect

DRAWN = "() => [...document.querySelectorAll('.svm-plane canvas')].map((canvas) => canvas.toDataURL())"
INKS = """() => [
    ...['body', '[data-testid=stApp]'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor),
    ...[...document.querySelectorAll('p, td, th, code, dd')].map((e) => getComputedStyle(e).color),
]"""
HALF = """(plane) => {  // in one step, as a browser prints: nothing is drawn anew
    const [width, height] = [plane.clientWidth, plane.clientHeight], { style } = plane.parentElement;
    style.width = `${width / 2}px`;
    const half = [plane.clientWidth / width, plane.clientHeight / height];
    const boxes = [...plane.querySelectorAll('.svm-over, .main-svg')].map((svg) => svg.getAttribute('viewBox'));
    style.width = '';
    return [...half, getComputedStyle(plane.querySelector('canvas')).opacity, `0 0 ${width} ${height}`, ...boxes];
}"""
A4 = 718  # pixels between its margins
ENDS = f"""(bar) => {{
    bar.parentElement.style.width = '{A4}px';
    const left = bar.getBoundingClientRect().left, fields = [...bar.querySelectorAll(':scope > .svm-field')];
    return fields.map((field) => field.getBoundingClientRect().right - left);
}}"""


def send(page, event):
    page.evaluate("(event) => dispatchEvent(new Event(event))", event)
    page.evaluate(waiting.PAINTED)


@pytest.mark.slow
def test_a_dark_page_is_light_on_paper_and_its_pictures_keep_their_proportions(new_page, app):
    page = new_page(width=1280, height=720)
    waiting.opened(page, f"{app}/playground?flips=6", "plane", "spectrum")
    waiting.quiet(page)
    light = page.evaluate(DRAWN)
    page.emulate_media(color_scheme="dark")
    waiting.quiet(page)
    dark = page.evaluate(DRAWN)
    assert light != dark
    send(page, "beforeprint")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(DRAWN) == light
    assert set(page.evaluate(INKS)) == {"rgb(255, 255, 255)", "rgb(22, 32, 42)"}
    across, down, opacity, box, *boxes = waiting.ask(page, "plane", HALF)
    assert across == pytest.approx(0.5, abs=0.01) and down == pytest.approx(0.5, abs=0.01)
    assert float(opacity) < 1  # else Chromium prints the points without what lies below them
    assert boxes and set(boxes) == {box}
    page.emulate_media(media="screen", color_scheme="dark")
    send(page, "afterprint")
    assert page.evaluate(DRAWN) == dark
    assert page.locator(".svm-plane :is(.svm-over, .main-svg)[viewBox]").count() == 0


@pytest.mark.slow
def test_paper_has_no_tools_and_cuts_no_control(new_page, app):
    page = new_page(width=1280, height=720)
    waiting.opened(page, f"{app}/playground?flips=6", "plane")
    waiting.quiet(page)
    gone = (".svm-editor", ".st-key-nav", ".svm-announcement", "[data-testid=stExpander]", ".svm-field[data-off]")
    for part in gone:
        assert page.locator(part).count(), part
    page.emulate_media(media="print")
    for part in gone:
        expect(page.locator(part).first).to_be_hidden()
    ends = page.locator(".svm-bar").evaluate(ENDS)
    assert len(ends) > 3 and max(ends) <= A4
