"""Every question of every lesson in Chromium, answered right by mouse and wrong by keys; each kind by touch, too.

What to say is computed by the solvers, and what the page says of it is compared with the grading of just that answer.
"""

import json
import re
from urllib.parse import parse_qs, urlsplit

import answering
import pytest
import waiting
from answering import form, tab_to
from playwright.sync_api import expect
from questions import true_answer, wrong_answers

from pages.shared.lessons import answers, grading, wording
from pages.shared.lessons.reading import shipped
from pages.shared.parts.lesson_question import rows

pytestmark = pytest.mark.slow
LESSONS = shipped()
KINDS = {  # a question of each kind
    "choose": ("errors", "flip"),
    "number": ("errors", "pull"),
    "line": ("errors", "draw"),
    "points": ("errors", "who"),
    "order": ("errors", "transfer"),
    "place": ("outliers", "place"),
    "step": ("solvers", "rise"),
    "step on points": ("solvers", "pair"),
}
every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
every_kind = pytest.mark.parametrize("kind", KINDS)


def asked(page, lesson, prompt):
    """Wait until the question and its picture are there, and nothing of the answer is."""
    expect(form(page)).to_have_attribute("data-key", f"{lesson.id}/{prompt.id}/0")
    expect(form(page)).to_have_attribute("data-locked", "false")
    page.wait_for_function("() => +document.querySelector('.svm-plane')?.dataset.drawn >= 1")
    waiting.quiet(page)
    expect(form(page).locator(".svm-feedback")).to_be_hidden()


def told(page, prompt, right):
    """The feedback is that of the answer that was given, and says whether it was right."""
    expect(form(page)).to_have_attribute("data-locked", "true")
    waiting.settled(page)
    page.wait_for_function("() => new URL(location.href).searchParams.has('given')")
    given = json.loads(parse_qs(urlsplit(page.url).query)["given"][0])
    feedback = grading.grade(prompt, given, answers.answer(prompt))
    assert feedback.right == right, f"{given}: {feedback.gap}"
    said = [(name, _bare(text)) for name, text in rows(feedback, wording.words)]
    assert [name for name, _ in said] == ["You said", "It is", *["Perhaps"] * (not right), "Why"]
    shown = zip(*(form(page).locator(f".svm-feedback {part}").all_inner_texts() for part in ("dt", "dd")), strict=True)
    assert [(name, _bare(text)) for name, text in shown] == said
    assert form(page).locator(".svm-feedback").get_attribute("data-right") == str(right).lower()
    assert page.get_by_test_id("stException").count() == 0 and page.get_by_test_id("stAlert").count() == 0


def _bare(text):
    """The text as it is read: without the marks of Markdown, one space between two words."""
    return " ".join(re.sub(r"[*`]", "", text).split())


def summed(page, lesson, right):
    count = len(lesson.prompts)
    expect(page.get_by_text(f"You predicted {count if right else 0} of {count} right.")).to_be_visible()
    marks = ("r" if right else "n") * count
    expect(page).to_have_url(re.compile(rf"prompt=end.*progress={lesson.id}\.{marks}$"))
    label = re.compile("Predicted right" if right else "Not as predicted")
    expect(page.get_by_role("link", name=label)).to_have_count(count)


@every_lesson
def test_a_reader_who_knows_every_answer(new_page, app, lesson):
    page = new_page()
    waiting.open_page(page, f"{app}/lessons?lesson={lesson.id}")
    for prompt in lesson.prompts:
        asked(page, lesson, prompt)
        answering.put(page, prompt, true_answer(prompt, answers.answer(prompt)), "mouse")
        form(page).get_by_role("button", name="Lock in my answer").click()
        told(page, prompt, right=True)
        form(page).locator(".svm-next .svm-main").click()
    summed(page, lesson, right=True)


@every_lesson
def test_a_reader_who_is_wrong_every_time_and_has_no_mouse(new_page, app, lesson):
    page = new_page()
    waiting.open_page(page, f"{app}/lessons?lesson={lesson.id}")
    for prompt in lesson.prompts:
        asked(page, lesson, prompt)
        form(page).locator(".svm-asked").focus()
        answering.put(page, prompt, wrong_answers(prompt, answers.answer(prompt))[0], "keys")
        tab_to(page, ".svm-commit")
        page.keyboard.press("Enter")
        told(page, prompt, right=False)
        tab_to(page, ".svm-main")
        page.keyboard.press("Enter")
    summed(page, lesson, right=False)


@every_kind
def test_a_right_answer_of_each_kind_by_keys(page, app, kind):
    _once(page, app, kind, "keys")


@every_kind
def test_a_right_answer_of_each_kind_by_touch(new_page, app, kind):
    _once(new_page(width=390, height=844, has_touch=True, is_mobile=True), app, kind, "touch")


def _once(page, app, kind, hand):
    lesson, key = KINDS[kind]
    lesson, prompt = LESSONS[lesson], LESSONS[lesson].prompt(key)
    waiting.open_page(page, f"{app}/lessons?lesson={lesson.id}&prompt={key}")
    asked(page, lesson, prompt)
    if hand == "keys":
        form(page).locator(".svm-asked").focus()
    answering.put(page, prompt, true_answer(prompt, answers.answer(prompt)), hand)
    commit = form(page).get_by_role("button", name="Lock in my answer")
    if hand == "keys":
        tab_to(page, ".svm-commit")
        page.keyboard.press("Enter")
    else:
        commit.tap()
    told(page, prompt, right=True)
