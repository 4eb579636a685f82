"""Answers to a question in a real browser, by mouse, by keys and by touch; what locks or hands them in is left to the
test.
"""

import math

import waiting
from playwright.sync_api import expect


def form(page):
    return page.locator(".svm-question")


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tab_to(page, selector, key="Tab", most=16):
    """The focus on the next element of the selector; an error where so many steps do not reach one."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached with {key}")


STEPS = ((0.05, "Control+"), (0.01, ""), (0.002, "Shift+"))  # shares of the plane that an arrow key moves a handle
FORM = "lesson"  # the name of what the browser writes the answer on
SHEET = """async (form) => {
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    const { answerOf } = modules.answer;
    return answerOf(form).given ?? null;
}"""
LIMITS = """(root) => {
    const { xaxis, yaxis } = root.axes;
    return [xaxis.range, yaxis.range];
}"""
WAY = """async ([spots, from, to]) => {
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    const { nearestTowards } = modules.edits;
    const keys = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const known = new Map(spots), ways = new Map([[from, []]]);
    for (const [id, way] of ways) {
        for (const [key, direction] of Object.entries(keys)) {
            const next = nearestTowards(known, id, direction);
            if (!ways.has(next)) ways.set(next, [...way, key]);
        }
    }
    return ways.get(to) ?? null;
}"""


def put(page, prompt, given, hand):
    """Gives this answer, as `grading` has it, by `hand`: "mouse", "keys" or "touch"."""
    kind = prompt.answer_kind
    log = kind == "number" and prompt.scale.log and given > 0.0
    PUT[kind](page, math.log10(given) if log else given, hand)


def now(page):
    """The answer on the sheet of the question, None before there is one."""
    return page.evaluate(SHEET, FORM)


def _drawn_on(page):
    """The name of the plane that is drawn on, scrolled into view."""
    plane = page.locator(".svm-plane").first
    plane.scroll_into_view_if_needed()
    return plane.get_attribute("data-name")


def _pressed(page, hand, x, y):
    page.mouse.click(x, y) if hand == "mouse" else page.touchscreen.tap(x, y)


def _option(page, k, hand):
    option = form(page).locator(".svm-option").nth(k)
    if hand == "keys":
        tab_to(page, ".svm-option input")
        while not option.locator("input").is_checked():  # the arrow keys go round
            page.keyboard.press("ArrowDown")
    else:
        option.click() if hand == "mouse" else option.tap()
    expect(option.locator("input")).to_be_checked()


def _number(page, place, hand):
    slider = form(page).locator(".svm-range")
    low, high, step = (float(slider.get_attribute(name)) for name in ("min", "max", "step"))
    steps = round((min(max(place, low), high) - low) / step)
    if hand == "keys":
        tab_to(page, ".svm-range")
        page.keyboard.press("Home")
        for _ in range(steps):
            page.keyboard.press("ArrowRight")
        return
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    width, aim = box["width"], (place - low) / (high - low) * box["width"]
    if hand == "touch":
        page.touchscreen.tap(box["x"] + aim, box["y"] + box["height"] / 2)
        return
    for turn in range(8):  # the thumb has a width of its own
        page.mouse.move(box["x"] + min(max(aim, 1.0), width - 1.0), box["y"] + box["height"] / 2)
        if not turn:
            page.mouse.down()
        lacking = place - slider.evaluate("(range) => range.valueAsNumber")
        if abs(lacking) <= max(0.51 * step, 1.5 * (high - low) / width):
            break
        aim += lacking / (high - low) * width
    page.mouse.up()
    assert abs(lacking) <= max(step, 3.0 * (high - low) / width), f"the slider does not go to {place}"


def _line(page, ends, hand):
    for number in (0, 1):
        _handle(page, number, ends[2 * number : 2 * number + 2], hand)


def _place(page, place, hand):
    if hand == "keys":
        _handle(page, 0, place, hand)
    else:
        _pressed(page, hand, *waiting.place(page, _drawn_on(page), *place))


def _handle(page, number, target, hand):
    """A handle of the picture goes to a place of the plane."""
    if hand == "keys":
        _nudged(page, number, target)
        return
    end = waiting.place(page, _drawn_on(page), *target)
    start = centre(page.locator(".svm-grip").nth(number))
    if hand == "touch":
        waiting.swipe(page, start, end)
        page.wait_for_timeout(400)  # a browser takes what follows at once for a part of the same gesture
        return
    waiting.drag(page, start, end, steps=5)


def _nudged(page, number, target):
    handle = f'[aria-label^="{("First", "Second")[number]}"]' if page.locator(".svm-grip").count() == 2 else ""
    tab_to(page, f".svm-grip{handle}", "Tab" if number else "Shift+Tab")
    limits = waiting.ask(page, _drawn_on(page), LIMITS)
    page.keyboard.press("Shift+ArrowUp")  # now there is an answer to read
    for share, held in STEPS:
        for axis, keys in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"))):
            lacking = target[axis] - now(page)[2 * number + axis]
            for _ in range(int(abs(lacking) / (share * (limits[axis][1] - limits[axis][0])))):
                page.keyboard.press(held + keys[lacking > 0])


def _points(page, ids, hand):
    plane = _drawn_on(page)
    if hand == "keys":
        tab_to(page, ".svm-grip", "Shift+Tab")
        at = int(page.locator(".svm-grip").get_attribute("aria-label").split(",")[0].removeprefix("Point "))
        spots = [[key, waiting.spot(page, plane, key)] for key in sorted(waiting.points(page, plane))]
    for key in ids:
        if hand == "keys":
            for press in [*page.evaluate(WAY, [spots, at, key]), "Space"]:
                page.keyboard.press(press)
            at = key
        else:
            _pressed(page, hand, *waiting.spot(page, plane, key))
    assert sorted(now(page)) == sorted(ids)


def _order(page, keys, hand):
    entries = form(page).locator(".svm-order li")
    if hand == "keys":
        tab_to(page, ".svm-order button")
    for place, key in enumerate(keys):
        while [entry.get_attribute("data-key") for entry in entries.all()].index(key) > place:
            up = form(page).locator(f'.svm-order button[data-key="{key}"][value="up"]')
            if hand == "keys":
                up.focus()
                page.keyboard.press("Enter")
            else:
                up.click() if hand == "mouse" else up.tap()
    if now(page) is None:  # it stands so: said by moving one there and back
        for way in ("down", "up"):
            form(page).locator(f'.svm-order button[data-key="{keys[0]}"][value="{way}"]').click()


PUT = {"choose": _option, "number": _number, "line": _line, "place": _place, "points": _points, "order": _order}
