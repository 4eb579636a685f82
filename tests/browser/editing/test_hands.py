"""For every hand, in Chromium: clicks do what a drag does, no run of a page takes the focus away, targets are large."""

import re

import pytest
import waiting
from playwright.sync_api import expect
from test_gestures import choose, click, key, sentence
from waiting import answered, place, points, spot, under_hand

pytestmark = pytest.mark.slow

TARGETS = """selector => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).map(e => {
    const box = (e.closest('label') ?? e).getBoundingClientRect();
    return [e.title || e.name || e.getAttribute('aria-label') || e.className, box.width, box.height];
})"""


# how many pixels of the canvas of the points have the colour of each class
MARKS = """(root) => {
    const canvas = root.querySelector('.svm-points');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const board = getComputedStyle(document.querySelector('.svm-editor'));
    const found = {};
    for (const name of ['plus', 'minus']) {
        const [r, g, b] = board.getPropertyValue(`--svm-${name}`).match(/\\d+/g).map(Number);
        found[name] = 0;
        for (let k = 0; k < data.length; k += 4)
            if (data[k] === r && data[k + 1] === g && data[k + 2] === b && data[k + 3] === 255) found[name] += 1;
    }
    return found;
}"""


def test_clicks_alone_select_a_rectangle_move_a_point_and_spray(page, app):
    under_hand(page, app + "/playground")
    left = {k for k, (x, _, _) in points(page, "plane").items() if x < 0.5}
    choose(page, "Select")
    band = waiting.plane(page, "plane").locator(".svm-band")
    page.mouse.click(*place(page, "plane", -1.75, -3.2))
    expect(band).to_have_class(re.compile("svm-on"))
    page.mouse.move(*place(page, "plane", 0.0, 0.0))  # the rectangle follows
    assert float(band.get_attribute("width")) > 20
    page.keyboard.press("Escape")
    expect(band).not_to_have_class(re.compile("svm-on"))
    page.mouse.click(*place(page, "plane", -1.75, -3.2))
    page.mouse.click(*place(page, "plane", 0.5, 5.5))
    expect(sentence(page)).to_have_text(f"{len(left)} points selected.")
    expect(band).not_to_have_class(re.compile("svm-on"))
    page.mouse.click(*place(page, "plane", 2.0, -2.0))
    choose(page, "Edit")  # a rectangle that was begun is given up
    expect(band).not_to_have_class(re.compile("svm-on"))

    own = points(page, "plane")
    choose(page, "Move")
    click(page, spot(page, "plane", 3))
    expect(sentence(page)).to_have_text(re.compile("^Point 3, class .*The next click places it"))
    assert points(page, "plane") == own
    click(page, place(page, "plane", 2.0, -2.0))
    assert points(page, "plane")[3][:2] == pytest.approx((2.0, -2.0), abs=0.02)
    expect(sentence(page)).to_have_text(re.compile("^Moved: point 3"))
    click(page, place(page, "plane", 3.0, -2.0))  # nothing is carried: no point is moved, none is added
    assert points(page, "plane").keys() == own.keys()
    assert points(page, "plane")[3][:2] == pytest.approx((2.0, -2.0), abs=0.02)

    choose(page, "Spray")
    for count in (1, 2, 3):
        click(page, place(page, "plane", 3.0, -2.0))
        added = [at for key, at in points(page, "plane").items() if key < 0]
        assert len(added) == count
    assert all(abs(x - 3) < 1.5 and abs(y + 2) < 1.5 for x, y, _ in added)


def test_the_focus_stays_where_it_was(page, app):
    runs = under_hand(page, app + "/playground")
    page.mouse.dblclick(*spot(page, "plane", 5))
    answered(page)
    undo = page.locator(".svm-editor").get_by_role("button", name="Undo", exact=True)
    undo.focus()
    key(page, "Enter")
    expect(undo).to_be_disabled()  # there is nothing left to undo
    expect(undo).to_be_focused()
    key(page, "Enter")  # and it does nothing
    slider = page.get_by_role("slider").first
    slider.focus()
    with runs.another():
        slider.press("ArrowRight")
    answered(page)
    expect(slider).to_be_focused()
    reset = page.get_by_role("button", name="Reset", exact=True)
    expect(reset).to_be_enabled()
    reset.focus()
    with runs.another():
        page.keyboard.press("Enter")
    answered(page)
    expect(reset).to_be_disabled()
    expect(reset).to_be_focused()


def test_a_control_under_more_and_a_point_keep_the_focus(new_page, app):
    page = new_page(width=900, height=800)
    runs = under_hand(page, app + "/playground")
    page.get_by_text("More", exact=True).click()
    for field in page.locator(".svm-panel .svm-number").all():
        if not field.is_visible():
            continue
        field.focus()
        name = field.evaluate("e => e.closest('.svm-field').dataset.name")
        with runs.another():
            page.keyboard.press("ArrowUp")
            page.keyboard.press("Enter")
        answered(page)
        assert field.evaluate("e => document.activeElement === e"), name
    page.keyboard.press("Escape")
    handle = waiting.plane(page, "plane").locator(".svm-handle")
    handle.focus()
    for name in ("n", "x", "ArrowUp", "o", "Delete", "Control+z"):
        key(page, name)
        expect(handle).to_be_focused()


@pytest.mark.parametrize("language, C", [("de-DE", "0.5"), ("en-US", "05")])
def test_a_comma_that_the_browser_drops_is_a_point_for_those_who_write_numbers_with_one(new_page, app, language, C):
    """It was 5; with a comma between thousands, as in 1,000, what an English browser makes of it stays."""
    page = new_page(locale=language)
    under_hand(page, app + "/playground")
    field = page.locator(".svm-field[data-name=C] .svm-number")
    field.press("Control+a")
    field.press_sequentially("0,5", delay=50)
    expect(field).to_have_value(C)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<input class=copied value=0,5>')")
    page.locator(".copied").press("Control+a")
    page.keyboard.press("Control+c")
    field.fill("3")
    field.press("Control+a")
    page.keyboard.press("Control+v")
    expect(field).to_have_value(C)


def test_arrow_keys_go_to_the_nearest_point_with_alt_and_are_finer_with_shift_and_coarser_with_control(page, app):
    under_hand(page, app + "/playground")
    own = points(page, "plane")
    handle = waiting.plane(page, "plane").locator(".svm-handle")
    handle.focus()
    page.keyboard.press("Home")

    def walked(name):
        page.keyboard.press(f"Alt+{name}")
        waiting.settled(page)  # the label follows with the next picture
        label = handle.get_attribute("aria-label")
        assert "with Alt they go to the nearest point that way" in label
        return int(re.match(r"point (\d+),", label)[1])

    chosen = min(own)
    for name, axis, sign in (("ArrowRight", 0, 1), ("ArrowUp", 1, 1), ("ArrowLeft", 0, -1), ("ArrowDown", 1, -1)):
        found = walked(name)
        assert sign * (own[found][axis] - own[chosen][axis]) > 0, name
        chosen = found
    for _ in own:  # until there is none further to the right
        chosen = walked("ArrowRight")
    assert own[chosen][0] == max(x for x, _, _ in own.values())
    assert points(page, "plane") == own and "/playground" in page.url  # nothing moved, and the page is the same

    page.keyboard.press("Home")
    steps = []
    for name in ("Shift+ArrowRight", "ArrowRight", "Control+ArrowRight"):
        before = points(page, "plane")[min(own)][0]
        key(page, name)
        steps.append(points(page, "plane")[min(own)][0] - before)
    assert 0 < steps[0] < steps[1] / 2 < steps[2] / 8


def test_high_contrast_of_the_system_has_its_colours_and_outlines(page, app):
    page.emulate_media(forced_colors="active", color_scheme="dark")
    try:
        under_hand(page, app + "/playground")
        look = waiting.ask(
            page,
            "plane",
            """(root) => {
                const read = (selector, name) => getComputedStyle(root.querySelector(selector))[name];
                const layers = root.querySelector('.svm-layers');
                const { data } = layers.getContext('2d').getImageData(0, 0, layers.width, layers.height);
                const inks = new Map();
                for (let k = 0; k < data.length; k += 4) {
                    if (data[k + 3] < 255) continue;
                    const ink = `rgb(${data[k]}, ${data[k + 1]}, ${data[k + 2]})`;
                    inks.set(ink, (inks.get(ink) ?? 0) + 1);
                }
                const probe = Object.assign(document.createElement('i'), { style: 'color: Canvas' });
                document.body.append(probe);
                const page = getComputedStyle(probe).color;
                probe.style.color = 'CanvasText';
                return {
                    page, ink: getComputedStyle(probe).color, outline: read('.svm-image', 'outlineStyle'),
                    tick: read('.xtick text', 'fill'), drawn: [...inks].sort((a, b) => b[1] - a[1]).slice(0, 2),
                };
            }""",
        )
        assert look["page"] != look["ink"] and look["outline"] == "solid" and look["tick"] == look["ink"]
        assert [ink for ink, _ in look["drawn"]] == [look["page"], look["ink"]]  # no tint, and the line
        chosen = page.locator('.svm-editor [aria-checked="true"]').first
        assert chosen.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        outlined = "e => [getComputedStyle(e).outlineStyle, getComputedStyle(e).outlineWidth]"
        here = page.locator(".st-key-nav a[aria-current=page]")
        expect(here).to_have_text(re.compile("Playground"))
        assert here.evaluate(outlined) == ["solid", "2px"]
        off = page.locator('.svm-editor [data-command="undo"][aria-disabled="true"]')
        assert off.evaluate("e => getComputedStyle(e).opacity") == "1"
        handle = waiting.plane(page, "plane").locator(".svm-handle")
        handle.focus()
        page.keyboard.press("Home")
        assert handle.evaluate(outlined) == ["solid", "3px"]
        marks = waiting.ask(page, "plane", MARKS)
        assert marks["plus"] > 50 and marks["minus"] > 50  # the classes keep their colours
    finally:
        page.emulate_media(forced_colors="none", color_scheme="light")


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
@pytest.mark.parametrize("path", ["/playground", "/convergence"])
def test_targets_are_large_enough(new_page, app, path, touch, least):
    page = new_page(width=390 if touch else 1300, height=844, has_touch=touch, is_mobile=touch)
    waiting.open_page(page, app + path)
    page.wait_for_selector(".svm-transport, .svm-editor")
    waiting.settled(page)
    page.locator(".svm-more summary").click()
    ours = ":is(.svm-control-bar, .svm-editor, .svm-transport, .svm-plane) :is(button, select, input, summary)"
    if touch:  # the number of a slider has an equivalent of that size: the slider
        ours += ":not(.svm-field:has([type=range]) .svm-number)"
    small = [target for target in page.evaluate(TARGETS, ours) if min(target[1:]) < least - 0.5]
    assert not small, small


def test_the_plane_says_what_is_there_after_a_control_has_changed_the_labels(new_page, app):
    page = new_page(first_visit=True)  # no hand near the planes, for which Plotly would draw them once more
    page.add_init_script("""
        const later = setTimeout;
        setTimeout = (act, time) => later(act, time === 150 ? 20000 : time); // the run waits for the live pictures
    """)
    under_hand(page, app + "/compare?contamination=flip_farthest&flips=3", "plane-hinge")
    summary = waiting.plane(page, "plane-hinge").locator(".svm-summary")
    expect(summary).to_contain_text("40 points, 19 of class +1, 21 of class −1, 3 marked as outliers")
    waiting.connected(page)
    for _ in range(3):
        page.get_by_role("slider", name="Number of outliers").press("ArrowRight", delay=50)
    expect(summary).to_contain_text("6 marked as outliers")


def test_each_handle_of_a_comparison_speaks_of_its_own_machine(page, app):
    under_hand(page, app + "/compare?losses=hinge,least_squares", "plane-hinge")
    first = waiting.plane(page, "plane-hinge").locator(".svm-handle")
    first.focus()
    key(page, "Home")
    expect(sentence(page)).to_have_text(re.compile("^Point 0, .*; L1-SVM: support value .*; LS-SVM: support"))
    for name, own, other in (("plane-hinge", "L1-SVM", "LS-SVM"), ("plane-least_squares", "LS-SVM", "L1-SVM")):
        handle = waiting.plane(page, name).locator(".svm-handle")
        expect(handle).to_have_attribute("aria-label", re.compile(f"^point 0, .*; {own}: support value "))
        assert f"{other}:" not in handle.get_attribute("aria-label")
    overlay = waiting.plane(page, "overlay").locator(".svm-handle")
    expect(overlay).to_have_attribute("aria-label", re.compile("^point 0, "))
    assert "support value" not in overlay.get_attribute("aria-label").partition("Arrow")[0]
