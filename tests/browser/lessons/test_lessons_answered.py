"""Every question of every lesson in Chromium: of each kind right by mouse and wrong by keys, in turns, and by touch.

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
from pages.shared.lessons.reading import built_in_lessons
from pages.shared.lessons.screens.question_form import rows

pytestmark = pytest.mark.slow
LESSONS = built_in_lessons()
KINDS = {}  # the questions of each kind
for lesson in LESSONS.values():
    for prompt in lesson.prompts:
        kind = "step on points" if prompt.kind == "step" and not prompt.options else prompt.kind
        KINDS.setdefault(kind, []).append((lesson, prompt))
RIGHT = {(lesson.id, prompt.id) for found in KINDS.values() for lesson, prompt in found[::2]}


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


def commit(page, prompt, given, hand):
    """This answer is put and locked in by "mouse", "keys" or "touch"."""
    if hand == "keys":
        form(page).locator(".svm-asked").focus()
    answering.put(page, prompt, given, hand)
    pressed(page, ".svm-commit", hand)


def pressed(page, selector, hand):
    if hand == "keys":
        tab_to(page, selector)
        page.keyboard.press("Enter")
    else:
        button = form(page).locator(selector)
        button.click() if hand == "mouse" else button.tap()


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_whole_lesson(new_page, app, lesson):
    page = new_page()
    waiting.open_page(page, f"{app}/lessons?lesson={lesson.id}")
    for prompt in lesson.prompts:
        asked(page, lesson, prompt)
        right, answer = (lesson.id, prompt.id) in RIGHT, answers.answer(prompt)
        hand = "mouse" if right else "keys"
        commit(page, prompt, true_answer(prompt, answer) if right else wrong_answers(prompt, answer)[0], hand)
        told(page, prompt, right)
        pressed(page, ".svm-next .svm-main", hand)
    right = [(lesson.id, prompt.id) in RIGHT for prompt in lesson.prompts]
    expect(page.get_by_text("What you can do now")).to_be_visible()
    expect(page.get_by_role("heading", name=lesson.title)).to_be_focused()
    expect(page.get_by_text("You predicted")).to_have_count(0)  # nothing is scored
    marks = "".join("nr"[one] for one in right)
    expect(page).to_have_url(re.compile(rf"prompt=end.*progress={lesson.id}\.{marks}$"))
    for label, count in (("Predicted right", sum(right)), ("Not as predicted", right.count(False))):
        expect(page.get_by_role("link", name=re.compile(label))).to_have_count(count)


SINGLE = [kind for kind, found in KINDS.items() if len(found) == 1]


@pytest.mark.parametrize(("kind", "hand"), [*((kind, "touch") for kind in KINDS), *((kind, "keys") for kind in SINGLE)])
def test_a_right_answer_of_each_kind(new_page, app, kind, hand):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True) if hand == "touch" else new_page()
    lesson, prompt = KINDS[kind][0]
    waiting.open_page(page, f"{app}/lessons?lesson={lesson.id}&prompt={prompt.id}")
    asked(page, lesson, prompt)
    if hand == "touch":
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
        for target in form(page).locator("button:visible, .svm-option").all():
            assert target.bounding_box()["height"] >= 43.5, target.inner_text()
        first, picture = (part.bounding_box()["y"] for part in (form(page), page.locator(".svm-plane").first))
        assert first < picture, "the question is first"
    commit(page, prompt, true_answer(prompt, answers.answer(prompt)), hand)
    told(page, prompt, right=True)
    if hand == "touch":
        planes = page.locator(".st-key-stage .svm-plane")
        seen = planes if planes.count() == 1 else form(page).locator(".svm-feedback")
        expect(seen).to_be_in_viewport(ratio=0.6)
    pressed(page, ".svm-next .svm-main", hand)
    page.wait_for_url(lambda url: f"prompt={prompt.id}&" not in url)
