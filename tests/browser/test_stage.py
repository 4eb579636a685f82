"""The first screen, measured by bounding boxes: what one uses while looking lies in it, and pictures fill it."""

import re

import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.studies import glossary

pytestmark = pytest.mark.slow

SCREENS = [(1280, 720), (1366, 768)]
PAGES = {
    "playground": (
        "/playground?problem=moons",
        ["plane", "spectrum"],
        ["problem", "loss", "C", "kernel", "sigma", "contamination", "flips"],
    ),
    "compare": (
        "/compare?problem=moons",
        ["plane-hinge", "plane-least_squares", "plane-least_absolute", "plane-pinball", "overlay"],
        ["problem", "losses", "C", "kernel", "sigma", "contamination", "flips"],
    ),
    "convergence": (
        "/convergence?problem=moons&n=60",
        ["film-0", "chart-Training error"],
        ["problem", "loss", "C", "kernel", "sigma", "solver"],
    ),
    "sparsity": (
        "/sparsity?problem=ripley",
        ["machine-LS-SVM", "machine-Sparse LS-SVM (ISLS)", "machine-L1-SVM", "film-0"],
        ["problem", "C", "kernel", "sigma"],
    ),
    "feature_walk": ("/feature_walk", ["balls", "flat-points"], ["walk_C", "walk_n", "rounds"]),
}
SHARE = {"compare": 0.60}
SMALLEST = 0.55  # of the first screen that is picture
BOX = """(e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }"""
ROWS = "(e) => [e.querySelector('.svm-edge').offsetHeight, e.axes.yaxis._offset, e.offsetHeight]"
VISIBLE = "(e) => e.checkVisibility({ visibilityProperty: true })"


def boxes(page, selector):
    return [found.evaluate(BOX) for found in page.locator(selector).all() if found.evaluate(VISIBLE)]


def inside(box, width, height):
    left, top, right, bottom = box
    return left >= -0.5 and top >= -0.5 and right <= width + 0.5 and bottom <= height + 0.5 and right > left


def overlap(a, b):
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return across > 1 and down > 1


def covered(rectangles, width, height):
    """The share of the first screen that lies in any of the rectangles, which do not overlap."""
    area = 0.0
    for left, top, right, bottom in rectangles:
        area += max(min(right, width) - max(left, 0), 0) * max(min(bottom, height) - max(top, 0), 0)
    return area / (width * height)


def folded(page):
    """The page as a new reader sees it: the sentences of a film wait behind "Why?"."""
    page.add_init_script("localStorage.removeItem('svm-lab why')")
    return page


def opened(page, app, name):
    path, keys, _ = PAGES[name]
    waiting.opened(page, app + path, *keys)
    page.locator(".svm-field").first.wait_for()


def resized(page, size):
    """The page at rest in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(waiting.PAINTED)
    waiting.quiet(page)
    waiting.settled(page)


@pytest.mark.parametrize("name", PAGES)
def test_the_first_screen_holds_pictures_and_controls(new_page, app, name):
    page = folded(new_page(width=1280, height=720))
    opened(page, app, name)
    _, keys, controls = PAGES[name]
    for size in SCREENS:
        resized(page, size)
        for key in keys:
            box = waiting.plane(page, key).evaluate(BOX)
            assert inside(box, *size), (key, box)
        for control in controls:
            (box,) = boxes(page, f'.svm-bar > .svm-field[data-name="{control}"]')
            assert inside(box, *size), (control, box)
        for selector in (".svm-more", ".svm-reset", ".st-key-stage .svm-transport .svm-controls"):
            for box in boxes(page, selector):
                assert inside(box, *size), (selector, box)
        assert covered(boxes(page, ".svm-plane"), *size) >= SHARE.get(name, SMALLEST)


CUT = """() => {
    const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('.svm-bar select')].filter((list) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(list);
        pen.font = font;
        const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 20; // of the arrow
        return pen.measureText(list.selectedOptions[0].textContent).width > room;
    }).map((list) => list.selectedOptions[0].textContent);
}"""
SMALL = """() => [...document.querySelectorAll('.svm-plane text, .svm-plane tspan')]
    .filter((e) => e.checkVisibility() && e.textContent.trim() && parseFloat(getComputedStyle(e).fontSize) < 12)
    .map((e) => e.textContent)"""


def apart(page):
    """No legend of a chart lies over the title of its axis."""
    for chart in page.locator(".svm-plane:has(.legend):has(.g-xtitle)").all():
        legend, title = (chart.locator(part).evaluate(BOX) for part in (".legend", ".g-xtitle"))
        assert not overlap(legend, title), (chart.get_attribute("data-name"), legend, title)


def assert_titles_above_their_axes(page):
    for plane in page.locator(".svm-plane:has(.svm-edge:not([hidden]))").all():
        drawn, words = plane.locator(".nsewdrag").first.evaluate(BOX), plane.locator(".svm-edge").evaluate(BOX)
        whole, name = plane.evaluate(BOX), plane.get_attribute("data-name")
        assert whole[1] <= words[1] and words[3] <= drawn[1] + 1, name
        assert words[0] >= drawn[0] - 1 and words[2] <= whole[2] + 1, name


def assert_saved_from_beside_the_axes(page):
    """What is drawn and written is not covered by the sign that saves it."""
    for plane in page.locator(".svm-plane:has(.nsewdrag)").all():
        sign, drawn = (plane.locator(part).first.evaluate(BOX) for part in (".svm-save svg", ".nsewdrag"))
        texts = [text.evaluate(BOX) for text in plane.locator("svg text:visible").all()]
        assert not any(overlap(sign, other) for other in [drawn, *texts]), plane.get_attribute("data-name")


def assert_key_beside(plane):
    """A plane that the window makes low has its key beside it."""
    column, field = plane.evaluate(BOX), plane.locator(".nsewdrag").first.evaluate(BOX)
    words, save = (plane.locator(part).first.evaluate(BOX) for part in (".annotation-text", ".svm-save summary"))
    assert not overlap(words, field) and not overlap(words, save) and inside(words, column[2], column[3])
    assert words[2] - field[0] > 0.85 * (column[2] - column[0]), "white space beside the plane"
    assert field[3] - field[1] > 0.8 * (column[3] - column[1]), "white space below the plane"


MEANING = glossary.TERMS["support vector"].text
BESIDE = {"sparsity": ["film-0"], "feature_walk": ["balls", "flat-points"]}  # planes with their keys beside them


@pytest.mark.parametrize("name", PAGES)
def test_nothing_overlaps_or_is_cut_and_pictures_fill_their_columns(new_page, app, name):
    page = new_page(width=1280, height=720)
    opened(page, app, name)
    assert page.evaluate(CUT) == [] and page.evaluate(SMALL) == []
    apart(page)
    assert_titles_above_their_axes(page)
    parts = boxes(page, ".svm-bar > *") + boxes(page, ".svm-plane") + boxes(page, ".svm-transport, .svm-editor")
    for k, one in enumerate(parts):
        assert not [other for other in parts[:k] if overlap(one, other)], one
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 1280
    for field in page.locator(".svm-bar > .svm-field").all():
        assert field.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1"), field.get_attribute("data-name")
    middles = {(top + bottom) / 2 for _, top, _, bottom in boxes(page, ".svm-bar > .svm-field .svm-name")}
    assert name != "playground" or max(middles) - min(middles) < 1.5, "names of controls are in line"
    ((_, top, right, bottom),) = boxes(page, ".svm-reset")
    assert (top, right, bottom) == pytest.approx((63, 1268, 92), abs=1.5), "the same place on all pages"
    before = waiting.plane(page, PAGES[name][1][0]).evaluate(BOX)
    for size in (*SCREENS, (1920, 1080)):
        resized(page, size)
        if name == "convergence":
            film = waiting.plane(page, "film-0")
            column, drawn = film.evaluate(BOX), film.locator(".nsewdrag").first.evaluate(BOX)
            across, down = ((drawn[k + 2] - drawn[k]) / (column[k + 2] - column[k]) for k in (0, 1))
            assert across > 0.75 and max(across, down) > 0.8, size  # it is square: a low window makes it narrow
        for key in BESIDE.get(name, []) if size in SCREENS else []:
            assert_key_beside(waiting.plane(page, key))
    after = waiting.plane(page, PAGES[name][1][0]).evaluate(BOX)
    assert name != "compare" or after[2] - after[0] > 1.4 * (before[2] - before[0]), "pictures grow with the window"


@pytest.mark.parametrize("name", ["playground", "convergence"])
def test_presenter_mode_holds_the_stage_and_has_large_letters(new_page, app, name):
    page = folded(new_page(width=1920, height=1080))
    path, keys, _ = PAGES[name]
    waiting.opened(page, f"{app}{path}&present=1", *keys)
    for selector in (".svm-bar", ".svm-transport", ".svm-editor"):
        for box in boxes(page, selector):
            assert inside(box, 1920, 1080), (selector, box)
    letters = page.locator(".svm-plane .xtick text, .svm-plane .annotation text").all()
    sizes = [letter.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") for letter in letters]
    assert sizes and min(sizes) >= 24
    apart(page)


def assert_share_in_sight(page, width):
    (box,) = boxes(page, ".st-key-sharing button")
    assert 0 <= box[0] and box[2] <= width and box[3] <= 60, box


@pytest.mark.parametrize("name", PAGES)
def test_on_a_tablet_pictures_stack(new_page, app, name):
    page = new_page(width=820, height=1180, has_touch=True)
    opened(page, app, name)
    assert_share_in_sight(page, 820)
    for key in PAGES[name][1]:
        left, _, right, _ = waiting.plane(page, key).evaluate(BOX)
        assert right - left >= 280 and left >= 0 and right <= 820, key


def assert_controls_in_reach(page, keys):
    """The controls stay at the lower edge of a phone, and the first of these planes above them."""
    for scrolled in (0, 700):
        page.locator('[data-testid="stMain"]').evaluate("(e, top) => e.scrollTo(0, top)", scrolled)
        (bar,) = boxes(page, ".svm-bar")
        assert bar[3] == pytest.approx(844, abs=1) and bar[0] >= 0 and bar[2] <= 390
        for control in ("C", "sigma"):
            (box,) = boxes(page, f'.svm-bar > .svm-field[data-name="{control}"]')
            assert inside(box, 390, 844)
        for box in boxes(page, ".svm-bar > *"):
            assert inside(box, 390, 844)
    page.locator('[data-testid="stMain"]').evaluate("(e) => e.scrollTo(0, 0)")
    first = min((waiting.plane(page, key).evaluate(BOX) for key in keys), key=lambda box: box[1])
    assert first[0] >= 0 and first[2] <= 390
    assert first[3] <= bar[1] + 1, "the first picture is hidden by the controls"
    above = max(box[3] for box in boxes(page, ".svm-line, .svm-editor"))
    assert 0 <= first[1] - above <= 24, "an empty strip above the first picture"
    assert_share_in_sight(page, 390)


def assert_pictures_in_pairs(page):
    small = page.locator("[data-testid=stColumn] [data-testid=stColumn] .svm-plane[data-editable]").all()
    (first, above, end, _), (second, beside, right, _) = (plane.evaluate(BOX) for plane in small[:2])
    assert above == beside and first >= 0 and end <= second and right <= 390
    assert min(end - first, right - second) >= 170
    looks = [plane.evaluate(ROWS) for plane in small]
    assert all(look[1:] == looks[0][1:] for look in looks)
    assert len({title for title, *_ in looks}) > 1 or "sparsity" in page.url


def assert_error_and_support_vectors_said(page):
    for caption in page.locator('[data-name^="machine-"] > .svm-edge').all():
        assert re.search(r"test\serror\s[\d.]+\s%,\s\d+\sof\s\d+\ssupport\svectors", caption.inner_text())
        for part in caption.locator("css=*").all():
            assert part.evaluate("(e) => e.scrollHeight <= e.clientHeight + 1 || !e.clientHeight"), "it is cut"


@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone(new_page, app, name):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    opened(page, app, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_saved_from_beside_the_axes(page)
    if name != "playground":
        assert_titles_above_their_axes(page)
    if name != "feature_walk":
        assert_controls_in_reach(page, PAGES[name][1])
    if name in ("compare", "sparsity"):
        assert_pictures_in_pairs(page)
    if name == "sparsity":
        assert_error_and_support_vectors_said(page)
    for words in page.locator(".svm-why:visible").all():  # the sentences on a moment of a film have room
        seen, whole = words.evaluate("(e) => [e.clientHeight, e.scrollHeight]")
        assert seen >= min(whole, 200), words.inner_text()
    if name == "playground":
        page.get_by_role("button", name="Support vectors").tap()
        expect(page.locator(".svm-numbers .svm-meaning:popover-open")).to_contain_text(MEANING)
        assert MEANING not in waiting.plane(page, "plane").locator(".svm-summary").text_content()
        page.keyboard.press("Escape")
        expect(page.get_by_role("combobox", name="Problem")).to_be_hidden()
        page.get_by_text("More", exact=True).click()
        expect(page.get_by_role("combobox", name="Problem")).to_be_visible()


@pytest.mark.parametrize("present", ["", "?present=1"])
def test_the_tools_fit_into_a_low_window(new_page, app, present):
    page = new_page(width=1280, height=720)
    waiting.opened(page, f"{app}/playground{present}", "plane", "spectrum")
    for height in (720, 600):
        resized(page, (1280, height))
        (board,) = boxes(page, ".svm-editor")
        assert inside(board, 1280, height), board


def test_where_pictures_stack_the_outlier_comes_before_the_cards_of_the_losses(new_page, app):
    page = new_page(width=820, height=1180, has_touch=True)
    waiting.opened(page, app + "/losses", "curves", "boundaries")
    for width in (820, 390):
        resized(page, (width, 1180))
        curves, boundaries = (waiting.plane(page, key).evaluate(BOX) for key in ("curves", "boundaries"))
        (cards,) = boxes(page, ".st-key-cards")
        assert curves[3] <= boundaries[1] <= curves[3] + 250 and boundaries[3] <= cards[1]


def test_the_menu_of_a_phone_shows_the_page_that_is_open(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, app + "/papers")
    link = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Papers")
    page.wait_for_function("() => document.querySelector('.st-key-nav').scrollLeft > 0")
    left, _, right, _ = link.evaluate(BOX)
    assert 0 <= left < right <= 390


def test_more_opens_without_a_run_and_closes_and_slider_and_field_say_the_same(page, app):
    runs = waiting.opened(page, app + "/playground?problem=moons", "plane")
    begun = runs.begun
    expect(page.get_by_role("spinbutton", name="Seed", exact=True)).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    expect(page.get_by_role("spinbutton", name="Seed", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("spinbutton", name="Seed", exact=True)).to_be_hidden()
    assert runs.begun == begun

    slider = page.get_by_role("slider", name="C, weight of the loss")
    field = page.get_by_role("spinbutton", name="C, weight of the loss, value")
    with runs.another():
        field.fill("100")
        field.press("Enter")
    assert float(slider.input_value()) == pytest.approx(2.0, abs=0.03) and "C=100" in page.url
    with runs.another():
        field.fill("0.5")
        field.press("Enter")
    assert float(slider.input_value()) == pytest.approx(-0.3, abs=0.03)
    expect(slider).to_have_attribute("aria-valuetext", "0.5")


def test_back_leads_to_the_screen_before(page, app):
    runs = waiting.opened(page, app + "/playground?problem=moons", "plane")
    slider = page.get_by_role("slider", name="C, weight of the loss")
    with runs.another():  # a key that is held: many steps, one entry
        slider.focus()
        page.keyboard.down("ArrowRight")
        for _ in range(5):
            page.keyboard.down("ArrowRight")
        page.keyboard.up("ArrowRight")
    waiting.quiet(page)  # before the live channel is open, keys that are held start runs
    changed = page.url
    assert re.search(r"C=\d", changed)
    page.get_by_test_id("stPageLink-NavLink").filter(has_text="Compare").click()
    waiting.drawn(page, "overlay")
    expect(page).to_have_url(re.compile(r"/compare\?.*problem=moons"))
    expect(page.get_by_role("spinbutton", name="C, weight of the loss, value")).not_to_have_value("1")
    page.go_back()
    waiting.drawn(page, "spectrum")
    assert page.url == changed
    page.go_back()
    expect(page.get_by_role("spinbutton", name="C, weight of the loss, value")).to_have_value("1")
    assert "C=" not in page.url and "problem=moons" in page.url


LEAVING = {
    "Escape": lambda page: page.keyboard.press("Escape"),
    "Escape on a plane": lambda page: waiting.plane(page, "plane").locator(".svm-handle").press("Escape"),
    "the button": lambda page: page.get_by_role("button", name="Leave").click(),
    "Back": lambda page: page.go_back(),
}


def test_presenter_mode_can_be_left(page, app):
    waiting.under_hand(page, app + "/playground?problem=moons")
    leave, menu = page.get_by_role("button", name="Leave"), page.locator(".st-key-nav")
    for left_by in LEAVING.values():
        page.get_by_role("button", name="Present").click()
        expect(menu).to_be_hidden()
        expect(leave).to_have_attribute("data-seen", "")
        expect(leave).not_to_have_attribute("data-seen", "")  # after a while
        page.mouse.move(500, 500)
        page.mouse.move(510, 500)
        expect(leave).to_have_css("opacity", "1")
        left_by(page)
        expect(menu).to_be_visible()
        expect(leave).to_be_hidden()
        expect(page).not_to_have_url(re.compile("present"))


def test_a_key_starts_presenter_mode_and_page_keys_turn_the_scenes(new_page, app):
    page = new_page(width=1920, height=1080)
    scene = "contamination=flip_farthest&losses=least_squares%2Cleast_absolute&scene=least_1_norm_fig1&claims=1"
    runs = waiting.opened(page, f"{app}/compare?{scene}", "overlay")
    drawn = waiting.drawn(page, "overlay")
    menu = page.locator(".st-key-nav")
    expect(menu).to_be_visible()
    with runs.another():
        page.keyboard.press("p")
    expect(menu).to_be_hidden()
    expect(page).to_have_url(re.compile("present=1"))
    waiting.drawn(page, "overlay", drawn + 1)
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    for words in page.locator(".svm-name, .svm-edge, .svm-plane .xtick text").all():
        if words.evaluate(VISIBLE):
            assert words.evaluate(size) >= 23.9, words.inner_text()
    page.keyboard.press("PageDown")
    waiting.drawn(page, "spectrum")
    expect(page).to_have_url(re.compile("scene=ls_svm_fig1"))
    expect(menu).to_be_hidden()
