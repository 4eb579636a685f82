"""A robustness comparison by keys alone, read from the accessibility tree alone."""

import re

import pytest
import waiting
from answering import tab_to
from playwright.sync_api import expect

from pages.shared.screen.choices import LOSSES, Data, Machine, Setting
from pages.shared.studies import classification, results, tasks
from svmcore import grid

pytestmark = pytest.mark.slow

MACHINES = [
    Machine("hinge"),
    Machine("least_squares"),
    Machine("ramp", (("mu", LOSSES["ramp"].parameters[0].default),)),
]
SETTING = Setting(1.0, "linear", 2.0)
CLEAN = Data("toy_outliers", 0, (("n", 40), ("flips", 0)))
FLIPPED = CLEAN._replace(contamination="flip_farthest", amount=2)


def changed(machine):
    """How much of the plane two flipped labels change for a machine, in words, computed without the app."""
    axes = grid.axes(results.problem(CLEAN).X, 100)
    before, now = (classification.fit(results.problem(data), machine, SETTING, *axes) for data in (CLEAN, FLIPPED))
    return tasks.task_of(now).movement(before, now)[1].replace("\u202f", " ")  # as it is read


def test_a_comparison_by_keys_alone_is_heard_completely(page, app):
    runs = waiting.under_hand(page, app + "/compare", "plane-hinge")
    losses = '.svm-field[data-name="losses"]'
    tab_to(page, f"{losses} summary", most=40)
    page.keyboard.press("Enter")
    for value in page.locator(f"{losses} input").evaluate_all("(boxes) => boxes.map((box) => box.value)"):
        page.keyboard.press("Tab")
        box = page.locator(f'{losses} input[value="{value}"]')
        expect(box).to_be_focused()
        if box.is_checked() != (value in {machine.loss for machine in MACHINES}):
            with runs.another():
                page.keyboard.press("Space")
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(f"{losses} summary")).to_be_focused()
    tab_to(page, '.svm-field[data-name="contamination"] select', most=40)
    with runs.another():
        page.keyboard.press("ArrowDown")
    waiting.answered(page)
    expect(page.locator('.svm-field[data-name="contamination"] select')).to_be_focused()

    tree = page.locator("main").aria_snapshot()
    assert 'option "Flip the farthest" [selected]' in tree
    said = re.search(r"- status: (.*)", tree)[1]
    pictures = re.findall(r"""- '?img "(.*)"'?$""", tree, re.MULTILINE)
    for machine in MACHINES:
        name, change = machine.name, changed(machine)
        assert re.fullmatch(r"changed [\d.]+ % of the plane", change)
        assert f"{name} {change}" in said
        (picture,) = (text for text in pictures if text.startswith(f"{name}. "))
        assert change in picture and "2 outliers ringed" in picture
        where = re.search(r"The boundary crosses the axis x2 = 0 at x1 = [\d.−]+ and falls to the right at", picture)
        assert where, picture
        row = re.search(rf'- rowheader "{re.escape(name)}"\n\s+- cell "(.*)"', tree)
        assert f"changed {row[1]} of the plane" == change
    assert 'columnheader "plane changed"' in tree
    assert len([text for text in pictures if "changed" in text]) == len(MACHINES)

    tab_to(page, '.svm-plane[data-name="plane-ramp"] .svm-handle', most=40)
    described = page.locator("#" + page.evaluate("() => document.activeElement.getAttribute('aria-describedby')"))
    expect(described).to_contain_text(re.compile(r"2 marked as outliers\..* The boundary crosses the axis"))
