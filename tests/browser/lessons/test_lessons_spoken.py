"""A lesson by what a screen reader has of it: roles, names and what is announced, keys and no mouse.

All is found by its role, so what is only drawn does not exist here.
"""

import re

import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.lessons.lesson import plain
from pages.shared.lessons.reading import built_in_lessons

LESSON = built_in_lessons()["errors"]


def heard_words(text):
    """The text of a lesson as it is heard: spaces at which no line is broken are spaces."""
    return plain(text).replace("\u00a0", " ")


def announced(page, text):
    """The live region that says this."""
    return page.get_by_role("status").filter(has_text=text)


def heard(page, prompt):
    """The question, where it stands in the lesson, and the plane, in words."""
    asked = re.escape(heard_words(prompt.question)).replace(r"\?", r" ?\?")  # a term before it is a button of its own
    expect(page.get_by_role("heading", level=2, name=re.compile(f"^{asked}$"))).to_be_visible()
    place = f"question {LESSON.prompts.index(prompt) + 1} of {len(LESSON.prompts)}"
    expect(page.get_by_role("paragraph").filter(has_text=place)).to_contain_text(LESSON.title)
    commit = page.get_by_role("button", name="Lock in my answer")
    expect(commit).to_be_enabled() if prompt.kind == "order" else expect(commit).to_be_disabled()
    expect(pictures(page)).to_have_count(1 + bool(prompt.second) - (prompt.chart_place == "alone"))
    waiting.settled(page)


def pictures(page):
    """The planes; each says how many points of each class it shows."""
    return page.get_by_role("img", name=re.compile(r"\d+ points, \d+ of class \+1 and \d+ of class -1"))


def chosen(page, prompt):
    group = page.get_by_role("radiogroup", name="Your answer")
    expect(group.get_by_role("radio")).to_have_count(len(prompt.options))
    radio = group.get_by_role("radio", name=heard_words(prompt.options[0].text), exact=True)
    radio.press("Space")
    expect(radio).to_be_checked()


def set_on_the_slider(page, prompt):
    expect(announced(page, "Move the slider, then press “Lock in my answer”.")).to_have_count(1)
    page.get_by_role("slider", name="Your answer").press("ArrowRight")
    expect(announced(page, re.compile("Move the slider"))).to_have_count(0)
    expect(announced(page, re.compile(r"^\d+(\.\d+)?$"))).to_have_count(1)


def drawn_as_a_line(page, prompt):
    handle = page.get_by_role("application", name=re.compile("First handle of your line"))
    handle.press("ArrowUp")
    expect(announced(page, re.compile(r"Your line goes through \(.+\) and \(.+\)\."))).to_have_count(1)


def clicked_points(page, prompt):
    grip = page.get_by_role("application", name=re.compile(r"^Point \d+, class [+−]1, at \(.+\), not chosen\."))
    grip.press("ArrowRight")
    expect(announced(page, re.compile(r"^Point \d+, class [+−]1, at \(.+\), not chosen\.$"))).to_have_count(1)
    for press in ("Space", "ArrowLeft", "Space"):
        page.keyboard.press(press)
    expect(announced(page, re.compile(r"^Point \d+, .+, chosen\. 2 points chosen\.$"))).to_have_count(1)


def put_in_order(page, prompt):
    page.get_by_role("button", name="LS-SVM down", exact=True).press("Enter")
    order = "Your order: Least 1-Norm SVM, LS-SVM, Exponential-loss SVM."
    expect(announced(page, order)).to_have_count(1)


ANSWERS = {
    "choose": chosen,
    "number": set_on_the_slider,
    "line": drawn_as_a_line,
    "points": clicked_points,
    "order": put_in_order,
}


def answered(page, prompt):
    """Answers by keys; what was said, what is, and why are announced, and the picture says what it shows now."""
    ANSWERS[prompt.kind](page, prompt)
    page.get_by_role("button", name="Lock in my answer").press("Enter")
    feedback = announced(page, "You said")
    expect(feedback).to_be_focused()
    names = feedback.get_by_role("term").all_inner_texts()
    assert names in (["You said", "It is", "Why"], ["You said", "It is", "Perhaps", "Why"])
    assert all(feedback.get_by_role("definition").all_inner_texts())
    if prompt.options:
        expect(page.get_by_role("radio", name=re.compile("✓ it is"))).to_have_count(1)
    shown = "before the change" if prompt.change else "support value"
    expect(page.get_by_role("img", name=re.compile(shown)).first).to_be_visible()


@pytest.mark.slow
def test_a_lesson_is_spoken(page, app):
    waiting.open_page(page, f"{app}/lessons?lesson=errors")
    for prompt in LESSON.prompts:
        heard(page, prompt)
        answered(page, prompt)
        page.get_by_role("button", name=re.compile("Next question|Summary")).press("Enter")
    expect(page.get_by_role("paragraph").filter(has_text="What you can do now")).to_be_visible()


def test_an_untouched_slider_says_where_it_stands(page, app):
    """Of five features there is no middle."""
    waiting.open_page(page, f"{app}/lessons?lesson=features&prompt=largest")
    slider = page.get_by_role("slider", name="Your answer")
    expect(slider).to_have_attribute("aria-valuetext", "Move the slider, now at 3 features")
    expect(page.locator(".svm-limits span")).to_have_text(["0", "", "5"])  # 2.5 are none
