"""Pages at four times their size, and with wider letters, in Chromium (WCAG 2.2, 1.4.10 and 1.4.12)."""

from pathlib import Path

import pytest
import waiting

from pages.shared.page import page as frame

PATHS = ["", *(Path(page).stem for page in frame.MENU if page != "home.py"), "playground?problem=three_clouds"]
# what lies beyond the right edge, unless it is in a part of the page that scrolls or is cut on purpose
BEYOND = """() => {
    const kept = (e) => {
        for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
            const { overflowX } = getComputedStyle(p);
            if (overflowX !== 'visible' && p.dataset.testid !== 'stMain') return true;
        }
        return false;
    };
    const beyond = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 1
        && e.getBoundingClientRect().right > innerWidth + 1;
    const found = [...document.querySelectorAll('[data-testid=stMain] *')].filter((e) => beyond(e) && !kept(e));
    const main = document.querySelector('[data-testid=stMain]');
    return [main.scrollWidth, found.map((e) => e.outerHTML.slice(0, 120))];
}"""
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }"""
CUT = """() => [
    ...document.querySelectorAll(':is(.svm-control-bar, .svm-editor, .svm-transport, .svm-question) *'),
].filter((e) => {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const { overflowX, clipPath } = getComputedStyle(e);
    const hides = overflowX === 'hidden' && clipPath === 'none';
    return own && hides && e.checkVisibility() && e.scrollWidth > e.clientWidth + 1;
}).map((e) => e.textContent)"""


@pytest.mark.parametrize("path", waiting.mostly_slow(PATHS, ["playground?problem=three_clouds"]))
def test_nothing_lies_beyond_the_edge_of_320_pixels(app, new_page, path):
    page = new_page(width=320, height=256)
    waiting.open_page(page, f"{app}/{path}")
    waiting.settled(page)
    assert page.evaluate(BEYOND) == [320, []]


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_wider_letters_are_not_cut(app, new_page, path):
    page = new_page()
    waiting.open_page(page, f"{app}/{path}")
    waiting.settled(page)
    page.add_style_tag(content=SPACED)
    page.set_viewport_size({"width": 1281, "height": 720})  # the controls are laid again
    page.wait_for_function(f"() => !({CUT})().length")


@pytest.mark.slow
def test_the_number_of_a_long_name_is_in_sight(app, new_page):
    page = new_page(width=320, height=640)
    waiting.open_page(page, app + "/losses")
    waiting.settled(page)
    box = page.locator(".svm-field[data-name=distance] .svm-number").bounding_box()
    field = page.locator(".svm-field[data-name=distance]").bounding_box()
    assert box["width"] > 25 and box["x"] + box["width"] <= field["x"] + field["width"] + 1
