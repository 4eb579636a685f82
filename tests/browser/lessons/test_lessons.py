"""Lessons in Chromium: what a question does with its picture, its words and the address.

That each can be answered by mouse and by keys is tested in test_lessons_answered.py and test_lessons_spoken.py.
"""

import math
import re

import answering
import pytest
import waiting
from answering import centre, form
from playwright.sync_api import expect

from pages.shared.lessons.reading import built_in_lessons
from pages.shared.studies import glossary

LESSON = built_in_lessons()["errors"]


def asked(page, number):
    """The question with this number (from 0), when its picture is there, too."""
    prompt = LESSON.prompts[number]
    expect(form(page)).to_have_attribute("data-key", f"errors/{prompt.id}/0")
    expect(form(page)).to_have_attribute("data-locked", "false")
    waiting.settled(page)
    waiting.drawn(page, "asked")
    draws = prompt.kind if prompt.kind in ("line", "points", "place") else "none"
    expect(page.locator('.svm-plane[data-name="asked"]')).to_have_attribute("data-draws", draws)
    return prompt


def answered(page):
    """What the feedback says."""
    expect(form(page)).to_have_attribute("data-locked", "true")
    waiting.settled(page)
    names = form(page).locator(".svm-feedback dt").all_inner_texts()
    assert names in (["You said", "It is", "Why"], ["You said", "It is", "Perhaps", "Why"])
    assert all(form(page).locator(".svm-feedback dd").all_inner_texts())


def test_the_first_screen_holds_the_question_and_the_answer(new_page, app):
    page = new_page(width=1280, height=720)
    waiting.open_page(page, f"{app}/lessons?lesson=errors&prompt=flip")
    asked(page, 1)
    for part in (waiting.plane(page, "asked"), form(page)):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 720 and box["x"] + box["width"] <= 1280
    page.locator(".svm-option").nth(0).click()
    page.get_by_role("button", name="Lock in my answer").click()
    answered(page)
    box = form(page).bounding_box()
    assert box["y"] + box["height"] <= 720
    expect(form(page).locator(".svm-feedback")).to_be_focused()


def test_on_a_phone_the_answer_below_two_pictures_is_in_sight(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, f"{app}/lessons?lesson=support&prompt=far")
    form(page).locator(".svm-option").first.tap()
    form(page).locator(".svm-commit").tap()
    answered(page)
    expect(form(page).locator(".svm-feedback dd").first).to_be_in_viewport()


def test_a_choice_that_is_not_locked_in_outlives_a_reload(new_page, app):
    page = new_page()
    waiting.open_page(page, f"{app}/lessons?lesson=errors&prompt=flip")
    asked(page, 1)
    page.locator(".svm-option").nth(1).click()
    page.reload()
    asked(page, 1)
    expect(page.locator(".svm-option input").nth(1)).to_be_checked()
    page.get_by_role("button", name="Lock in my answer").click()
    answered(page)
    page.get_by_role("button", name="Try again on another draw").click()
    expect(form(page)).to_have_attribute("data-locked", "false")
    expect(page.locator(".svm-option input:checked")).to_have_count(0)


@pytest.mark.slow
def test_on_a_phone_a_picture_that_is_alone_stays_in_sight_with_its_reasons(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, f"{app}/lessons?lesson=errors&prompt=draw")
    asked(page, 2)
    page.locator(".svm-grip").first.press("ArrowUp")
    form(page).locator(".svm-commit").tap()
    answered(page)
    why = form(page).locator(".svm-feedback dd").last
    why.evaluate("(e) => e.scrollIntoView({ block: 'end' })")
    plane = waiting.plane(page, "asked").bounding_box()
    assert plane["y"] >= 0 and plane["width"] > 250
    assert why.bounding_box()["y"] >= plane["y"] + plane["height"], "it covers no words"


FIRST_END = """() => {
    const form = document.querySelector('.svm-question'), app = document.querySelector('[data-testid="stApp"]');
    const times = window.turn = {};
    form.addEventListener('click', ({ target }) => {
        if (target.matches('.svm-commit')) times.clicked ??= performance.now();
    }, true);
    new MutationObserver(() => {
        if (times.clicked && form.dataset.locked === 'true') times.shown ??= performance.now();
    }).observe(form, { attributes: true });
    new MutationObserver(() => {
        const state = app.getAttribute('data-test-script-state');
        if (times.clicked && state === 'notRunning') times.done ??= performance.now();
    }).observe(app, { attributes: true });
}"""  # performance.now() of the commitment, of the feedback, and of the end of the run that it starts


@pytest.mark.slow
def test_feedback_comes_at_once(new_page, app):
    """The feedback is on the screen soon after the run of the page: of four turns the least share of that run."""
    page = new_page()
    waiting.open_page(page, f"{app}/lessons?lesson=errors&prompt=flip")
    asked(page, 1)
    beyond = []
    for turn in range(4):
        page.locator(".svm-option").nth(0).click()
        page.evaluate(FIRST_END)
        page.get_by_role("button", name="Lock in my answer").click()
        answered(page)
        page.wait_for_function("() => window.turn.done && window.turn.shown")
        clicked, shown, done = page.evaluate("() => [window.turn.clicked, window.turn.shown, window.turn.done]")
        beyond.append((shown - done) / (done - clicked))
        if turn < 3:
            page.get_by_role("button", name="Try again on another draw").click()
            expect(form(page)).to_have_attribute("data-locked", "false")
    assert min(beyond) < 1.0, beyond


@pytest.mark.slow
def test_a_lesson_is_presented_with_page_keys_and_digits(new_page, app):
    page = new_page(width=1920, height=1080)
    waiting.open_page(page, f"{app}/lessons?lesson=errors&prompt=own_side&present=1")
    asked(page, 0)
    page.keyboard.press("3")
    expect(page.locator(".svm-option input").nth(2)).to_be_checked()
    page.keyboard.press("PageDown")
    answered(page)
    page.keyboard.press("PageDown")
    asked(page, 1)
    page.keyboard.press("PageDown")  # no answer: the question is left
    asked(page, 2)
    page.keyboard.press("PageUp")
    asked(page, 1)


@pytest.mark.slow
def test_a_term_opens_its_meaning_in_place(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.open_page(page, f"{app}/lessons?lesson=support&prompt=click")
    meaning = form(page).locator(".svm-asked .svm-meaning")
    expect(meaning).to_be_hidden()
    form(page).get_by_role("button", name="support vectors").tap()
    expect(meaning).to_contain_text(glossary.TERMS["support vector"].text)
    box = meaning.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and len(page.context.pages) == 1
    word = form(page).get_by_role("button", name="support vectors").bounding_box()
    assert abs(box["y"] - word["y"] - word["height"]) < 24, "it stands below its word"
    assert "glossary" in meaning.get_by_role("link").get_attribute("href")
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()


@pytest.mark.slow
def test_machines_are_ordered_by_dragging_too(page, app):
    waiting.opened(page, f"{app}/lessons?lesson=errors&prompt=transfer", "asked")
    entries = form(page).locator(".svm-order li")
    expect(entries).to_have_count(3)
    names = [text.split("\n")[0] for text in entries.all_inner_texts()]
    box = entries.nth(0).bounding_box()
    start, end = (box["x"] + 60, box["y"] + box["height"] / 2), centre(entries.nth(2))
    waiting.drag(page, start, (start[0], end[1] + 10), steps=6)
    expect(entries.nth(2)).to_contain_text(names[0])
    assert [text.split("\n")[0] for text in entries.all_inner_texts()] == [*names[1:], names[0]]
    expect(form(page).get_by_role("button", name="Lock in my answer")).to_be_enabled()


@pytest.mark.slow
def test_a_width_is_shown_on_the_picture_while_its_slider_moves(new_page, app):
    page = new_page()
    waiting.opened(page, f"{app}/lessons?lesson=width&prompt=slider", "asked")
    waiting.settled(page)
    drawn = page.locator('.svm-plane[data-name="asked"] .svm-answer-drawing')
    slider, width = form(page).locator(".svm-range"), drawn.locator(".svm-width")
    expect(width).to_have_count(0)
    slider.press("ArrowRight")
    expect(width).to_have_count(1)
    radius = float(width.get_attribute("r"))
    for _ in range(20):
        slider.press("ArrowRight")
    expect(drawn.locator("text")).to_have_text("you")
    assert float(width.get_attribute("r")) > 1.3 * radius
    form(page).get_by_role("button", name="Lock in my answer").click()
    expect(width).to_have_count(2)
    expect(drawn.locator("text").filter(has_text="it is")).to_have_count(1)
    expect(drawn.locator("line")).to_have_count(0)  # no scale, which would lie on the key or the points


def test_a_point_that_is_clicked_as_an_answer_has_no_ring_of_another_kind(new_page, app):
    page = new_page()
    waiting.opened(page, f"{app}/lessons?lesson=width&prompt=errors", "asked")
    waiting.settled(page)
    x, y = waiting.spot(page, "asked", 3)
    page.mouse.move(x - 4, y)
    page.mouse.move(x, y)
    ring = page.locator(".svm-ring.svm-on")  # of the point under the pointer
    expect(ring).to_have_count(1)
    page.mouse.down()
    page.mouse.up()
    expect(form(page).locator(".svm-given")).to_have_text("1 point chosen.")
    page.mouse.move(*centre(form(page)), steps=4)
    expect(ring).to_have_count(0)
    waiting.opened(page, f"{app}/lessons?lesson=solvers&prompt=pair", "asked-film")  # nor followed through the film
    assert page.locator(".svm-chosen").evaluate("part => getComputedStyle(part, '::before').content") == "none"


def test_a_step_back_in_the_browser_forgets_no_answer(new_page, app):
    page = new_page()
    runs = waiting.opened(page, f"{app}/lessons?lesson=errors&prompt=flip", "asked")
    page.locator(".svm-option").nth(0).click()
    form(page).get_by_role("button", name="Lock in my answer").click()
    answered(page)
    waiting.quiet(page)
    with runs.another():
        page.go_back()
    expect(form(page)).to_have_attribute("data-locked", "false")
    expect(page).to_have_url(re.compile(r"progress=errors\.-n------"))
    page.goto(app + "/lessons")
    expect(page.get_by_text("1 of 8 answered")).to_be_visible()


def test_a_chart_shows_all_of_its_line_after_a_question_with_another_chart(new_page, app):
    page = new_page()
    waiting.opened(page, f"{app}/lessons?lesson=evidence&prompt=bound", "asked")
    waiting.settled(page)
    page.locator(".svm-option").nth(0).click()
    form(page).get_by_role("button", name="Lock in my answer").click()
    answered(page)
    form(page).get_by_role("button", name="Next question").click()
    expect(form(page)).to_have_attribute("data-key", "evidence/spirals/0")
    waiting.quiet(page)
    waiting.settled(page)
    line = waiting.figure(page, "asked", ["training error"])["training error"]
    (left, right), (low, high) = waiting.ask(page, "asked", answering.LIMITS)
    assert [left, right] == pytest.approx([math.log10(end(line["x"])) for end in (min, max)])
    assert low <= min(line["y"]) and max(line["y"]) <= high


@pytest.mark.slow
@pytest.mark.parametrize("touch", [False, True])
def test_a_number_may_lie_where_the_slider_stands(new_page, app, touch):
    page = new_page(has_touch=touch)
    waiting.opened(page, f"{app}/lessons?lesson=width&prompt=slider", "asked")
    waiting.settled(page)
    commit = form(page).get_by_role("button", name="Lock in my answer")
    expect(commit).to_be_disabled()
    slider = form(page).locator(".svm-range")
    slider.scroll_into_view_if_needed()
    (page.touchscreen.tap if touch else page.mouse.click)(*centre(slider))
    expect(commit).to_be_enabled()


@pytest.mark.slow
def test_the_tour_waits_behind_a_link_and_is_left_with_escape(new_page, app):
    page = new_page(first_visit=True, width=390, height=844)
    waiting.opened(page, app, "live")
    expect(page.locator(".svm-tour")).to_be_hidden()
    page.get_by_role("button", name="Show me round").click()
    tour, marked = page.locator(".svm-tour"), page.locator(".svm-toured")
    expect(tour).to_contain_text("1 of 5")
    for number in range(2, 6):
        expect(marked).to_be_in_viewport()
        tour.get_by_role("button", name="Next").click()
        expect(tour).to_contain_text(f"{number} of 5")
    tour.get_by_role("button", name="Done").click()
    expect(tour).to_be_hidden()
    expect(page.get_by_role("button", name="Show me round")).to_be_focused()
    expect(marked).to_have_count(0)
    page.keyboard.press("Enter")
    expect(tour).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
