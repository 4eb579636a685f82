"""What is done on Streamlit's own widgets after the line has broken, and before the browser has heard of it."""

import re

import pytest
import waiting
from answering import put
from desk import PHONE, choose_lesson, cockpit
from playwright.sync_api import expect
from questions import true_answer
from test_away import EXPECTED, SAYS
from wire import wire

from pages.shared.lessons import answers
from pages.shared.lessons.reading import FOLDER, built_in_lessons

pytestmark = pytest.mark.slow


def broken(page, line):
    """The break is noticed, and over."""
    line.cut()
    said = page.locator(".svm-away")
    expect(said).to_have_text(SAYS)
    line.mend()
    expect(said).to_have_text("")
    page.expected = EXPECTED


def chosen(page, file):
    """As by hand: the field itself takes no notice of a file that it has already been given."""
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("stFileUploader").get_by_role("button").last.click()
    chooser.value.set_files(file)


def asked(desk, kind):
    if kind == "number":
        desk.get_by_text("A number", exact=True).click()
        desk.get_by_label("Largest number").fill("9")
    desk.get_by_label("Question", exact=True).fill("What turns?")
    if kind == "choose":
        desk.get_by_label("Options, one in each line").fill("one\ntwo")
        desk.get_by_label("Options, one in each line").blur()
    desk.get_by_role("button", name="Ask", exact=True).click()
    expect(desk.get_by_role("button", name="Show the bars")).to_be_visible()


@pytest.mark.parametrize("kind", ["choose", "number"])
def test_a_free_vote_that_the_server_has_never_heard_of_is_counted(new_page, app, kind):
    desk, phone = new_page(), new_page(**PHONE)
    code = cockpit(desk, app)
    asked(desk, kind)
    with wire(app) as line:
        waiting.open_page(phone, f"{line.address}/room?join={code}")
        field = phone.get_by_label("Your vote")
        expect(field).to_be_visible()
        line.lose()
        if kind == "choose":
            phone.get_by_text("two", exact=True).click()
        else:
            field.fill("7")
            field.blur()
        broken(phone, line)
        expect(desk.get_by_text("1 of 1 have voted")).to_be_visible()
        expect(phone.get_by_text("Your vote is counted")).to_be_visible()


@pytest.mark.parametrize("question", ["1.", "4.", "8."])  # a choice, a number, an order
def test_a_vote_on_a_question_of_a_lesson_that_the_server_has_never_heard_of_is_counted(new_page, app, question):
    desk, phone = new_page(), new_page(**PHONE)
    code = cockpit(desk, app)
    choose_lesson(desk)
    desk.get_by_label("Question of the lesson").click()
    begins = re.compile(f"^{re.escape(question)}")
    desk.get_by_role("option", name=begins).click()
    expect(desk.get_by_label("Question of the lesson")).to_have_value(begins)
    waiting.quiet(desk)
    desk.get_by_role("button", name="Show it to the class").click()
    with wire(app) as line:
        waiting.open_page(phone, f"{line.address}/room?join={code}")
        waiting.drawn(phone, "asked")
        waiting.settled(phone)
        prompt = built_in_lessons()["errors"].prompts[int(question[0]) - 1]
        line.lose()
        put(phone, prompt, true_answer(prompt, answers.answer(prompt)), "mouse")
        phone.locator(".svm-commit").click()
        broken(phone, line)
        expect(desk.get_by_text("1 of 1 have voted")).to_be_visible()
        expect(phone.get_by_text("Your vote is counted")).to_be_visible()


def test_a_file_that_the_server_has_never_heard_of_can_be_sent_again(new_page, app):
    page, file = new_page(), FOLDER / "errors.toml"
    with wire(app) as line:
        waiting.open_page(page, f"{line.address}/teach?section=own")
        expect(page.get_by_test_id("stFileUploader")).to_be_visible()
        waiting.quiet(page)
        line.lose()
        chosen(page, file)
        broken(page, line)  # it was said that an upload without effect is to be made again
        waiting.quiet(page)
        chosen(page, file)
        expect(page.get_by_label("The file", exact=True)).to_have_value(re.compile('^id = "errors"'))


def test_a_press_that_the_server_has_never_heard_of_can_be_made_again(new_page, app):
    """Streamlit forgets a press when it has sent it: the button stands there as before."""
    desk = new_page()
    cockpit(desk, app)
    asked(desk, "choose")
    with wire(app) as line:
        waiting.open_page(desk, desk.url.replace(app, line.address))
        reveal = desk.get_by_role("button", name="Reveal")
        expect(reveal).to_be_visible()
        waiting.quiet(desk)
        desk.wait_for_load_state("networkidle")  # Streamlit fetches the code of a widget when it first draws one
        line.lose()
        reveal.click()
        broken(desk, line)
        reveal.click()
        expect(reveal).to_have_count(0)
