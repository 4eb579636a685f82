"""Answers to a question in a real browser, by mouse and by keys; what locks or hands them in is left to the test."""

import waiting
from playwright.sync_api import expect


def form(page):
    return page.locator(".svm-question")


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def by_mouse(page, prompt):
    """Something is answered, drawn on the plane "asked" where the prompt asks for that."""
    if prompt.kind in ("choose", "step"):
        form(page).locator(".svm-option").nth(1).click()
    elif prompt.kind == "number":
        x, y = centre(form(page).locator(".svm-range"))
        page.mouse.click(x + 60, y)
    elif prompt.kind == "line":
        x, y = centre(page.locator(".svm-grip").first)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y - 60, steps=5)
        page.mouse.up()
        expect(form(page).locator(".svm-given")).to_contain_text("Your line goes through")
    elif prompt.kind == "points":
        for index in (3, 25):
            page.mouse.click(*waiting.spot(page, "asked", index))
        expect(form(page).locator(".svm-given")).to_have_text("2 points chosen.")
    elif prompt.kind == "place":
        page.mouse.click(*centre(page.locator(".svm-image").first))
    else:
        form(page).locator('.svm-order button[title$="down"]').first.click()


def tab_to(page, selector, key="Tab", most=16):
    """The focus on the next element of the selector; an error where so many steps do not reach one."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached with {key}")


def by_keys(page, prompt):
    """The same by keys alone, from a place near the form."""
    key = page.keyboard
    if prompt.kind in ("choose", "step"):
        tab_to(page, ".svm-option input")
        key.press("ArrowDown")
    elif prompt.kind == "number":
        tab_to(page, ".svm-range")
        key.press("ArrowRight")
    elif prompt.kind in ("line", "place"):
        tab_to(page, ".svm-grip", "Shift+Tab")
        for press in ("ArrowUp", "Shift+ArrowRight", "ArrowUp"):
            key.press(press)
    elif prompt.kind == "points":
        tab_to(page, ".svm-grip", "Shift+Tab")
        for press in ("Space", "ArrowRight", "Space"):
            key.press(press)
    else:
        tab_to(page, ".svm-order button")
        key.press("Enter")
