"""Every page in Chromium: axe-core finds nothing, in dark and light on a desktop, in light on a phone; four times as
large, and with wider letters, nothing is cut or out of reach (WCAG 2.2, 1.4.10 and 1.4.12), nor is what has the focus
behind something (2.4.11).
"""

from pathlib import Path

import pytest
import waiting
from axe_playwright_python.base import AXE_FILE_PATH

from pages.shared.page import page as frame

pytestmark = pytest.mark.slow

AXE = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
PAGES = [Path(page).stem for page in frame.MENU if page != "home.py"]
PATHS = ["", *PAGES, "playground?problem=three_clouds", "lessons?lesson=beginning"]
THEME = "(scheme) => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === scheme"
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

# what has the focus, where its middle is behind something else, such as the controls at the lower edge of a phone
BEHIND = """() => {
    const focused = document.activeElement, { left, top, width, height } = focused.getBoundingClientRect();
    const within = focused.closest('.svm-plane') ?? focused;
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return !within.contains(seen) && !seen?.contains(focused) && focused.outerHTML.slice(0, 120);
}"""


def flawless(new_page, url, width, height, schemes):
    """The page at `url`, opened in the first of these themes, in which axe finds nothing in any of them."""
    page = new_page(width=width, height=height, color_scheme=schemes[0])
    waiting.open_page(page, url)
    page.evaluate(AXE)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(THEME, arg=scheme)
        waiting.quiet(page)  # pictures, the menu, the focus of wide formulas; while a page runs, its old parts are pale
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
        assert [(scheme, rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
    return page


@pytest.mark.parametrize("path", PATHS)
def test_on_a_desktop_and_with_wider_letters(app, new_page, path):
    page = flawless(new_page, f"{app}/{path}", 1280, 720, ("dark", "light"))
    page.add_style_tag(content=SPACED)
    page.set_viewport_size({"width": 1281, "height": 720})  # the controls are laid again
    page.wait_for_function(f"() => !({CUT})().length")


@pytest.mark.parametrize("path", PATHS)
def test_on_a_phone_and_at_320_pixels(app, new_page, path):
    page = flawless(new_page, f"{app}/{path}", 390, 844, ("light",))
    page.set_viewport_size({"width": 320, "height": 256})
    waiting.quiet(page)
    waiting.settled(page)
    assert page.evaluate(BEYOND) == [320, []]
    for _ in range(50 if path in ("playground", "lessons?lesson=beginning") else 0):
        page.keyboard.press("Tab")
        page.evaluate(waiting.PAINTED)
        assert not page.evaluate(BEHIND)
    if path == "losses":  # a long name leaves its number in sight
        field = page.locator(".svm-field[data-name=distance]")
        box, number = field.bounding_box(), field.locator(".svm-number").bounding_box()
        assert number["width"] > 25 and number["x"] + number["width"] <= box["x"] + box["width"] + 1


@pytest.mark.slow
def test_a_screen_reader_meets_no_picture_and_no_control_without_a_name(new_page, app):
    page = new_page(first_visit=True)  # without Plotly, which measures letters in a picture of its own
    waiting.opened(page, f"{app}/playground", "plane", "spectrum", "on_loss")
    waiting.quiet(page)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    roles = "image button link textbox combobox slider spinbutton checkbox radio application heading".split()
    met = [node for node in tree if not node["ignored"] and node["role"]["value"] in roles]
    assert {"image", "slider", "application"} <= {node["role"]["value"] for node in met}
    assert [node for node in met if not node["name"]["value"].strip()] == []
