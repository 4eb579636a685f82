"""An exercise sheet in a real browser: answered, handed in as a code, printed; an own lesson.

The codes of a class, and exports, are tested without one, in test_teach_page.py.
"""

import re

import answering
import pytest
import waiting
from answering import form, put, tab_to
from desk import PHONE
from playwright.sync_api import expect
from questions import true_answer

from pages.shared.lessons import answers, handin, reading, sheet
from pages.shared.lessons.asked import AnsweredPrompt

pytestmark = pytest.mark.slow

ERRORS = reading.built_in_lessons()["errors"]
NUMBER = "4711012"


def opened(page, app, section):
    runs = waiting.open_page(page, f"{app}/teach?section={section}&lesson=errors")
    expect(page.get_by_role("combobox", name="Section")).to_be_visible()
    return runs


def begun(page, app):
    """The sheet of NUMBER, at its first question."""
    runs = opened(page, app, "exercise")
    field = page.get_by_label("Your number (matriculation)")
    field.fill(NUMBER)
    with runs.another():
        field.press("Enter")
    asked(page, 0)
    return runs


def asked(page, number):
    """The question with this number (from 0), when its picture is there, too."""
    prompt = ERRORS.prompts[number]
    expect(form(page)).to_have_attribute("data-key", f"errors/{prompt.id}/{handin.seed(NUMBER)}")
    waiting.settled(page)
    waiting.drawn(page, "asked")
    return prompt


def turned_to(page, part):
    page.locator("[data-testid=stButtonGroup]").get_by_text(str(part), exact=True).click()


def kept(page):
    expect(page.get_by_text("Kept. You can change it until you hand in.")).to_be_visible()


def handed_in(page):
    """The answers in the code."""
    turned_to(page, "Code")
    code = page.get_by_test_id("stCode").locator("code")
    expect(code).to_have_text(re.compile("SVMLAB1"))
    return code.inner_text()


def test_what_is_drawn_or_answered_before_the_reader_goes_on_at_once_goes_into_the_code(page, app):
    begun(page, app)
    form(page).locator(".svm-option").nth(2).click()
    turned_to(page, 2)
    asked(page, 1)
    turned_to(page, 1)
    asked(page, 0)
    kept(page)
    turned_to(page, 3)
    line = true_answer(asked(page, 2), answers.answer(ERRORS.prompts[2], handin.seed(NUMBER)))
    put(page, ERRORS.prompts[2], line, "mouse")
    kept(page)
    turned_to(page, 6)
    asked(page, 5)
    for index in (3, 25):
        page.mouse.click(*waiting.spot(page, "asked", index))
    kept(page)
    given = handin.read(handed_in(page)).given
    assert given[0] == 2 and given[2] == pytest.approx(line, abs=0.1) and sorted(given[5]) == [3, 25]
    turned_to(page, 3)
    asked(page, 2)
    expect(form(page).locator(".svm-given")).to_contain_text("Your line goes through")


def test_a_phone_shows_the_button_that_copies(new_page, app):
    page = new_page(**PHONE)
    begun(page, app)
    handed_in(page)
    expect(page.get_by_role("button", name="Copy to clipboard")).to_be_visible()


def test_a_sheet_by_keys_alone(page, app, monkeypatch):
    monkeypatch.setattr(answering, "FORM", f"exercise {handin.edition(ERRORS)} {NUMBER} 0")
    begun(page, app)
    tab_to(page, ".svm-option input", most=60)
    for number in range(len(ERRORS.prompts)):
        prompt = asked(page, number)
        put(page, prompt, true_answer(prompt, answers.answer(prompt, handin.seed(NUMBER))), "keys")
        kept(page)
        tab_to(page, ".svm-main")
        page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="In your own words")).to_be_visible()
    assert None not in handin.read(handed_in(page)).given


def test_an_own_lesson_is_uploaded_with_an_error_and_without(page, app, tmp_path):
    text = (reading.FOLDER / "errors.toml").read_text(encoding="utf-8").replace('id = "errors"', 'id = "mine"', 1)
    broken = text.replace('kind = "line"', 'kind = "lines"')
    opened(page, app, "own")
    for name, content in (("broken.toml", broken), ("mine.toml", text)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "broken.toml")
    number = broken.splitlines().index('kind = "lines"') + 1
    error = page.get_by_test_id("stAlert")
    expect(error).to_contain_text(f"Line {number}:")
    expect(error).to_contain_text("lines")
    expect(page.get_by_test_id("stCode")).to_have_text('kind = "lines"')
    expect(page.get_by_role("textbox", name="The file")).to_have_value(broken)
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.toml")
    expect(page.get_by_text("can be read: 8 prompts")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Lesson (TOML)").click()
    assert saved.value.path().read_text(encoding="utf-8") == text
    page.reload()  # a new session
    expect(page.get_by_role("textbox", name="The file")).to_have_value(text)
    page.get_by_role("link", name="Try it on the Lessons page").click()
    expect(form(page)).to_have_attribute("data-key", "mine/own_side/0")
    page.go_back()
    editor = page.get_by_role("textbox", name="The file")
    expect(editor).to_have_value(text)
    editor.fill("")
    editor.blur()
    waiting.quiet(page)
    page.reload()
    expect(editor).to_have_value("")


def test_a_sheet_prints_on_one_width(page, app, tmp_path):
    opened(page, app, "sheets")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Sheet with answers (HTML)").click()
    path = tmp_path / "sheet.html"
    saved.value.save_as(path)
    page.goto(path.as_uri())
    page.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 dots an inch
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("figure > svg").count() == len(ERRORS.prompts)
    assert page.locator("math msub").count() and "\\alpha" not in page.content()
    box = page.locator("math").bounding_box()
    assert box["height"] > 15 and box["x"] >= 0 and box["x"] + box["width"] <= 794
    blank = sheet.page(ERRORS, [AnsweredPrompt(prompt, answers.answer(prompt)) for prompt in ERRORS.prompts])
    assert "☒" in page.content() and "☒" not in blank
