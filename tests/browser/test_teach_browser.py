"""An exercise sheet in a real browser: answered, handed in as a code, read by the lecturer, printed."""

import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.lessons import answers, handin, lesson, sheet
from pages.shared.lessons.asked import Asked

pytestmark = pytest.mark.slow
ERRORS = lesson.shipped()["errors"]
NUMBER = "4711012"


def opened(page, app, section):
    runs = waiting.open_page(page, f"{app}/teach?section={section}&lesson=errors")
    expect(page.get_by_role("combobox", name="Section")).to_be_visible(timeout=20_000)
    return runs


def test_a_sheet_is_answered_handed_in_and_read(page, app):
    runs = opened(page, app, "exercise")
    field = page.get_by_label("Your number (matriculation)")
    field.fill(NUMBER)
    with runs.another():
        field.press("Enter")
    waiting.drawn(page, "exercise")
    prompt = ERRORS.prompts[0]
    right = prompt.options[answers.answer(prompt, handin.seed(NUMBER)).true]
    with runs.another():
        page.get_by_text(right.text, exact=True).click()
    expect(page.get_by_text("Kept. You can change it until you hand in.")).to_be_visible()
    with runs.another():
        page.get_by_role("button", name="Next").click()
    with runs.another():
        page.get_by_text(ERRORS.prompts[1].options[0].text, exact=True).click()
    with runs.another():
        page.locator("[data-testid=stButtonGroup]").get_by_text("Code", exact=True).click()
    code = page.get_by_test_id("stCode").locator("code").inner_text()
    assert handin.read(code).number == NUMBER and handin.read(code).given[1] == 0

    runs = opened(page, app, "handins")
    page.get_by_label("Hand-in codes").fill(f"Ann: {code.lower()}\nBob: {code[:60]}")
    with runs.another():
        page.get_by_role("button", name="Read hand-ins").click()
    expect(page.get_by_text("1 of 2 hand-ins read")).to_be_visible(timeout=30_000)
    table = page.locator(".svm-scroll").filter(has_text="beside the code")
    expect(table.get_by_role("row").nth(1)).to_contain_text(f"Ann{NUMBER}read✓✗")
    expect(table.get_by_role("row").nth(2)).to_contain_text("Bobtoo short")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Table (CSV)").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert text.splitlines()[1].startswith(f"1,Ann,{NUMBER},read,,right,")


def test_an_own_lesson_is_copied_and_its_answers_are_computed(page, app):
    runs = opened(page, app, "own")
    with runs.another():
        page.get_by_role("button", name="Copy it into the editor").click()
    expect(page.get_by_text("can be read: 8 prompts")).to_be_visible()
    with runs.another():
        page.get_by_role("button", name="Compute all answers").click()
    row = page.get_by_role("row").filter(has_text="own_side")
    expect(row).to_contain_text("5 of 5", timeout=60_000)


def test_sheets_are_saved_and_print_on_one_width(page, app, tmp_path):
    opened(page, app, "sheets")
    with page.expect_download(timeout=60_000) as saved:
        page.get_by_role("button", name="Sheet with answers (HTML)").click()
    path = tmp_path / "sheet.html"
    saved.value.save_as(path)
    page.goto(path.as_uri())
    page.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 dots an inch
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("figure > svg").count() == len(ERRORS.prompts)
    blank = sheet.page(ERRORS, [Asked(prompt, answers.answer(prompt)) for prompt in ERRORS.prompts])
    assert "☒" in page.content() and "☒" not in blank
