"""Tones in Chromium, with an AudioContext that writes down what it is asked for."""

import pytest
import waiting
from playwright.sync_api import expect
from waiting import answered, under_hand

pytestmark = pytest.mark.slow

RECORDER = """() => {
    window.heard = [];
    window.AudioContext = class {
        currentTime = 0;
        resume() {}
        createOscillator() {
            const frequency = {
                setValueAtTime: (value, at) => window.heard.push([value, at]), cancelScheduledValues() {},
            };
            return { frequency, connect: (next) => next, start() {} };
        }
        createGain() {
            const gain = { setTargetAtTime() {}, cancelScheduledValues() {} };
            return { gain, connect: (next) => next };
        }
    };
}"""
LOW, HIGH = 220, 880


def heard(page):
    """The tones since the last question, in hertz, in the order in which they sound."""
    tones = page.evaluate("() => window.heard.splice(0)")
    assert tones == sorted(tones, key=lambda tone: tone[1])
    return [hertz for hertz, _ in tones]


def switch(page, root):
    return page.locator(root).get_by_role("button", name="Tones", exact=True)


def test_a_chosen_point_sounds_as_high_as_its_support_value_is_large(new_page, app):
    page = new_page()
    page.add_init_script(f"({RECORDER})()")
    under_hand(page, app + "/playground")
    handle = waiting.plane(page, "plane").locator(".svm-handle")
    button = switch(page, ".svm-editor")
    expect(button).to_have_attribute("aria-pressed", "false")
    handle.focus()
    page.keyboard.press("n")
    assert heard(page) == []
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    assert heard(page) == [LOW, HIGH]
    answered(page)
    handle.focus()
    page.keyboard.press("t")
    traces = waiting.figure(page, "plane", ["points +1", "points -1"]).values()
    order = {int(row[0]): abs(row[1]) for trace in traces for row in trace["customdata"]}  # |support value|
    wanted = [LOW * 4 ** (order[key] / max(order.values())) for key in sorted(order)]
    assert heard(page) == pytest.approx(wanted, rel=1e-6)
    assert min(wanted) == LOW and max(wanted) == HIGH
    largest = max(order, key=order.get)
    page.keyboard.press("Home")
    for _ in range(sorted(order).index(largest)):
        page.keyboard.press("n")
    assert heard(page) == pytest.approx(wanted[: sorted(order).index(largest) + 1], rel=1e-6)


def test_the_switch_of_a_film_lets_its_steps_sound(new_page, app):
    page = new_page()
    page.add_init_script(f"({RECORDER})()")
    waiting.opened(page, app + "/convergence?problem=moons&n=100", "film-0")
    switch(page, ".svm-transport").click()
    heard(page)
    waiting.plane(page, "film-0").locator(".svm-image").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    first, second = heard(page)
    assert first == HIGH and LOW < second < HIGH
