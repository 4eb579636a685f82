"""How much the first screen of a page asks of a reader who has never been here: controls and words, beside the menu."""

from pathlib import Path

import pytest
import waiting
from answering import tab_to
from playwright.sync_api import expect

from pages.shared.page import page as frame
from svmcore.losses.registry import GROUPS

pytestmark = pytest.mark.slow

READ = ("papers", "robustness", "lessons", "teach", "help")  # pages of text and tables, which are there to be read
PATHS = [Path(path).stem for path in frame.MENU]
LIMITS = {"home": (9, 80)}
MOST = (18, 90)
FIRST = {  # what the first hint of a page names, the first question of a lesson, and Play wherever there is a film
    "": ".st-key-flip_labels button",
    "playground": '.svm-plane[data-name="plane"] .svm-chart',
    "losses": '.svm-field[data-name="distance"] input[type="range"]',
    "convergence": ".svm-play",
    "convergence?show=race": ".svm-play",
    "convergence?show=path&along=loss": ".svm-play",
    "sparsity": ".svm-play",
    "feature_walk": ".svm-play",
    "robustness": '.svm-field[data-name="spoilt"] select',
    "lessons?lesson=outliers": ".svm-question :is(button, input)",
    "lessons?lesson=solvers": ".svm-question :is(button, input)",
}
# Its middle is seen and under no other part of the page, and so are its edges if it is a control.
IN_REACH = r"""(e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect(), plane = e.matches('.svm-chart');
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return (whole || plane) && Boolean(hit) && (e.contains(hit) || hit.contains(e));
}"""
# What is seen of the first screen: each control, a field with its slider as one, and each word of two or more letters.
COUNTED = r"""() => {
    const inside = ({ left, top, right, bottom, width, height }) =>
        width > 1 && height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    const uncut = (e) => {
        for (let p = e; p; p = p.parentElement) if (getComputedStyle(p).clipPath.startsWith('inset')) return false;
        return true;
    };
    const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && uncut(e)
        && !e.closest('.st-key-nav, [data-testid=stHeader]') && inside(e.getBoundingClientRect());
    const field = '.svm-field:not([data-kind=chips])';
    const controls = `${field}:not([data-kind=text]), a, button, summary, select, input, textarea`;
    const words = [], range = document.createRange(), pattern = /\p{L}{2,}/gu;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest('[data-testid=stIconMaterial], option, script, style, .katex-mathml')) continue;
        if (!seen(node.parentElement)) continue;
        for (const { 0: word, index } of node.data.matchAll(pattern)) {
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (inside(range.getBoundingClientRect())) words.push(word);
        }
    }
    const lists = [...document.querySelectorAll('select')].filter(seen);
    const chosen = lists.flatMap((list) => list.selectedOptions[0].textContent.match(pattern) ?? []);
    const found = [...document.querySelectorAll(controls)].filter(seen);
    return [
        found.filter((e) => !e.parentElement.closest(field)).map((e) => e.ariaLabel || e.title || e.textContent),
        [...words, ...chosen],
    ];
}"""


@pytest.mark.parametrize("path", PATHS)
def test_few_controls_and_words_in_the_first_screen_and_few_tabs_to_the_plane(new_page, app, path):
    page = new_page(first_visit=True, width=1280, height=720)
    waiting.open_page(page, f"{app}/{'' if path == 'home' else path}")
    waiting.quiet(page)
    waiting.settled(page)
    controls, words = page.evaluate(COUNTED)
    assert words and (controls or path == "room"), "nothing is counted"
    most, longest = LIMITS.get(path, MOST)
    assert len(controls) <= most, controls
    assert path in READ or len(words) <= longest, " ".join(words)
    if path in ("home", "playground", "compare", "sparsity"):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # past the menu
        tab_to(page, ".svm-handle", most=12)


PLACES = """() => {
    const box = (e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.width].map(Math.round) };
    const chips = [...document.querySelectorAll('.svm-chip')].map((e) => [e.value, box(e)]);
    return [[...document.querySelectorAll('.svm-bar > *')].map(box), Object.fromEntries(chips)];
}"""
# In each list, unless it is grey, the k-th option, and of one of boxes a few from there on.
CHOSEN = """([names, k]) => {
    for (const e of names.map((name) => document.querySelector(`.svm-field[data-name=${name}]:not([data-off])`))) {
        const list = e?.querySelector('select'), boxes = [...(e?.querySelectorAll('input') ?? [])];
        if (list) list.selectedIndex = k % list.length;
        else boxes.forEach((one, i) => { one.checked = (i + k) % boxes.length < 3 + k % 3; });
        (list ?? boxes[0])?.dispatchEvent(new Event('change'));
    }
}"""


@pytest.mark.parametrize(("path", "losses", "step"), [("playground", "loss", 3), ("compare", "losses", 6)])
def test_no_control_moves_whatever_is_chosen(new_page, app, path, losses, step):
    page, before = new_page(width=1280, height=720), {}
    runs = waiting.open_page(page, f"{app}/{path}")
    sizes = [(1280, 720), (820, 1180), (390, 844)]
    problems = page.locator('.svm-field[data-name="problem"] option').count()
    for k in [*range(-len(sizes), 0), *range(0, problems, step)]:
        width, height = sizes[k // step % len(sizes)]
        page.set_viewport_size({"width": width, "height": height})
        for names, at in ((["problem"], k), ([losses, "kernel", "contamination"], 3 * k // step)) if k >= 0 else ():
            with runs.another():
                page.evaluate(CHOSEN, [names, at])
        waiting.quiet(page)
        bar, chips = page.evaluate(PLACES)
        usual = before.setdefault(width, (bar, chips))
        assert len(bar) > 2 and bar == usual[0], (width, page.url)
        assert chips.items() <= usual[1].items(), (width, page.url)


def test_a_narrow_column_breaks_a_formula(new_page, app):
    page = new_page(width=1024, height=768)
    waiting.open_page(page, f"{app}/playground?loss=truncated_huber")
    beyond = """(formula) => [...formula.querySelectorAll('.base')].filter((part) =>
        part.getBoundingClientRect().right > formula.closest('p').getBoundingClientRect().right)"""
    expect(page.locator("p > .katex")).to_have_count(3)
    assert all(formula.evaluate(beyond) == [] for formula in page.locator("p > .katex").all())


def test_the_toolbar_folds_and_is_one_stop(new_page, app):
    page = new_page(first_visit=True, width=1280, height=720)
    waiting.under_hand(page, app + "/playground?problem=moons")
    tools, spray = page.get_by_role("button", name="Tools"), page.get_by_role("radio", name="Spray")
    expect(spray).to_be_hidden()
    tools.click()
    expect(tools).to_have_attribute("aria-expanded", "true")
    spray.click()
    page.reload()
    expect(spray).to_be_visible()  # the browser remembers it
    stops = "() => [...document.querySelectorAll('.svm-editor button')].filter((e) => e.tabIndex === 0).length"
    assert page.evaluate(stops) == 1
    waiting.under_hand(page, page.url)
    page.locator(".svm-editor button").first.focus()
    for key, name in (("ArrowDown", "−1"), ("ArrowDown", "Undo"), ("End", "Sweep"), ("Home", "+1"), ("ArrowUp", "+1")):
        page.keyboard.press(key)
        expect(page.locator(".svm-editor button:focus")).to_have_text(name, use_inner_text=False)
    assert page.evaluate(stops) == 1
    tools.click()
    expect(spray).to_be_hidden()
    waiting.under_hand(page, app, "live")
    tab_to(page, ".svm-unfold", most=32)  # where Undo is not in sight


@pytest.mark.parametrize("path", FIRST)
def test_what_the_first_hint_names_lies_in_the_first_screen_of_a_hand(new_page, app, path):
    page = new_page(first_visit=True, width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, f"{app}/{path}")
    waiting.quiet(page)
    for width, height in ((390, 844), (820, 1180), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"(control) => ({IN_REACH})(document.querySelector(control))", arg=FIRST[path])


@pytest.mark.parametrize(
    ("path", "chips"),
    [
        ("playground", ["Influence", "Tune"]),
        ("compare?losses=hinge,ramp", ["Influence", "Best possible"]),
    ],
)
def test_a_chip_brings_its_section_beside_the_picture_and_takes_it_back(new_page, app, path, chips):
    page = new_page(width=1280, height=720)
    runs = waiting.open_page(page, f"{app}/{path}")
    names = page.locator(".svm-field:is([data-name=loss], [data-name=losses]) :is(optgroup, .svm-group-name)")
    expect(names).to_have_count(len(GROUPS))
    assert [one.get_attribute("label") or one.text_content() for one in names.all()] == [*GROUPS.values()]
    lines = page.locator(".svm-field:is([data-name=loss], [data-name=losses]) .svm-sketch polyline")
    page.locator(".svm-field:is([data-name=loss], [data-name=losses]) :is(select, summary)").click()
    expect(lines.first).to_be_visible()
    page.keyboard.press("Escape")
    section = page.locator(".st-key-section_brought")
    for name in chips:
        chip = page.get_by_role("button", name=name, exact=True)
        with runs.another():
            chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true")
        expect(chip).to_be_focused()
        expect(section.get_by_role("button").last).to_be_visible()
        assert section.bounding_box()["x"] > 600 and section.bounding_box()["y"] < 200
    waiting.open_page(page, page.url)  # the link has it
    assert section.bounding_box()["y"] < 200
    with runs.another():
        page.get_by_role("button", name=chips[-1], exact=True).click()
    expect(section).to_have_count(0)
    assert "beside" not in page.url
