"""An exercise sheet in a real browser: answered, handed in as a code, read by the lecturer, printed."""

import re

import answering
import pytest
import waiting
from answering import form, put, tab_to
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


def test_a_code_fills_in_the_sheet_that_is_open(page, app):
    runs = begun(page, app)
    form(page).locator(".svm-option").nth(1).click()
    kept(page)
    code = handed_in(page)
    turned_to(page, 1)
    asked(page, 0)
    form(page).locator(".svm-option").nth(0).click()
    expect(form(page).locator("input").nth(0)).to_be_checked()
    waiting.settled(page)
    page.get_by_role("button", name="Continue from a code").click()
    page.get_by_label("A code that you made before").fill(code)
    with runs.another():
        page.get_by_role("button", name="Continue", exact=True).click()
    expect(form(page).locator("input").nth(1)).to_be_checked()


def test_a_sheet_is_answered_handed_in_and_read(page, app):
    runs = begun(page, app)
    prompt = ERRORS.prompts[0]
    right = prompt.options[answers.answer(prompt, handin.seed(NUMBER)).true]
    page.get_by_text(right.text, exact=True).click()
    kept(page)
    page.get_by_role("button", name="Next").click()
    asked(page, 1)
    page.get_by_text(ERRORS.prompts[1].options[0].text, exact=True).click()
    kept(page)
    code = handed_in(page)
    assert handin.read(code).number == NUMBER and handin.read(code).given[1] == 0

    runs = opened(page, app, "handins")
    altered = code[:40] + ("A" if code[40] != "A" else "B") + code[41:]
    page.get_by_label("Hand-in codes").fill(f"Ann: {code.lower()}\nBob: {code[:60]}\nCid: {altered}")
    with runs.another():
        page.get_by_role("button", name="Read hand-ins").click()
    expect(page.get_by_text("1 of 3 hand-ins read")).to_be_visible()
    shares = page.locator(".svm-scroll").filter(has_text="share right")
    for number, cells in ((1, "1001"), (2, "0100"), (3, "001–")):  # right, wrong, left out, the share that was right
        row = shares.get_by_role("row").nth(number)
        expect(row.get_by_role("rowheader")).to_have_text(f"{number}: {ERRORS.prompts[number - 1].id}")
        assert "".join(row.get_by_role("cell").all_inner_texts()).startswith(cells)
    expect(page.get_by_text(ERRORS.prompts[1].options[0].wrong)).to_be_visible()
    expect(page.get_by_text("line 3 (Cid): The code was altered")).to_be_visible()
    table = page.locator(".svm-scroll").filter(has_text="beside the code")
    expect(table.get_by_role("row").nth(1)).to_contain_text(f"Ann{NUMBER}read✓✗")
    expect(table.get_by_role("row").nth(2)).to_contain_text("Bobtoo short")
    expect(table.get_by_role("row").nth(3)).to_contain_text("Cidaltered")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Table (CSV)").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert text.splitlines()[1].startswith(f"1,Ann,{NUMBER},read,,right,")
    assert text.splitlines()[3].startswith("3,Cid,,altered,")


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


def test_questions_are_saved_for_a_course_page_and_sheets_print_on_one_width(page, app, tmp_path):
    opened(page, app, "sheets")
    for kind in ("Moodle XML", "GIFT"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Questions ({kind})").click()
        text = download.value.path().read_text(encoding="utf-8")
        assert all(prompt.id in text for prompt in ERRORS.prompts)
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
