"""A class votes on a line in real browsers: cockpit, wall and phones, the reveal, and the second vote."""

import pytest
import waiting
from desk import PHONE, ask_for_the_line, choose_lesson, cockpit
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def joined(page, app, code, place="room"):
    """A phone that has come to the vote."""
    waiting.open_page(page, f"{app}/{place}?join={code}")
    expect(page.locator(".svm-question")).to_be_visible()
    waiting.drawn(page, "asked")
    return page


def votes(page, *keys):
    """Moves a handle of the line with these keys, and votes."""
    form = page.locator(".svm-question")
    waiting.settled(page)
    page.locator(".svm-grip").first.focus()
    for key in keys:
        page.keyboard.press(key)
    expect(form.locator(".svm-given")).to_contain_text("Your line goes through")
    form.locator(".svm-commit").click()
    expect(form.locator(".svm-commit")).to_have_text("Change my vote")
    expect(form.locator(".svm-commit")).to_be_disabled()  # what is on the screen is what is counted
    expect(page.get_by_text("Your vote is counted")).to_be_visible()


def lines(page, number):
    """The lines of the room in the picture of a round."""
    waiting.drawn(page, f"room-votes-{number}")
    return [name for name in waiting.figure(page, f"room-votes-{number}") if name.startswith("line ")]


def own(page, number):
    return page.locator(f'.svm-plane[data-name="room-votes-{number}"] .svm-answer-drawing .svm-drawn')


def test_a_class_votes_discusses_and_votes_again(new_page, app):
    desk, wall, one, two = new_page(), new_page(width=1280, height=720), new_page(**PHONE), new_page(**PHONE)
    code = cockpit(desk, app)
    waiting.open_page(two, f"{app}/losses?join={code}")  # it follows from another page
    ask_for_the_line(desk)
    waiting.open_page(wall, f"{app}/room?join={code}&projected=1")
    waiting.drawn(wall, "asked")
    form, plane = joined(one, app, code).locator(".svm-question").bounding_box(), waiting.plane(one, "asked")
    assert form["y"] + form["height"] <= plane.bounding_box()["y"], "a phone begins with the question"
    two.wait_for_url("**/room*")
    waiting.drawn(two, "asked")
    votes(one, "ArrowUp")
    votes(two, "ArrowDown")
    votes(two, "ArrowDown", "ArrowDown")  # another one in the place of the first
    for page in (desk, wall, one):
        expect(page.get_by_text("2 of 2 have voted")).to_be_visible()
        assert not page.locator('.svm-plane[data-name^="room-votes"]').count()
    desk.get_by_text("The distribution, for you alone").click()
    waiting.drawn(desk, "peek-votes-1")
    desk.get_by_role("button", name="Show the bars").click()
    for page in (desk, wall, one, two):
        assert lines(page, 1) == ["line 1", "line 2"]
        assert "boundary" not in waiting.figure(page, "room-votes-1")
        expect(page.get_by_text("lines within 10°")).to_have_count(0)
    for page, count in ((desk, 0), (wall, 0), (one, 1), (two, 1)):
        expect(own(page, 1)).to_have_count(count)

    desk.get_by_role("button", name="Second vote").click()
    for page in (wall, one, two):
        waiting.drawn(page, "asked")
    votes(one, "ArrowUp", "ArrowUp", "ArrowUp")
    expect(wall.get_by_text("1 of 2 have voted; first vote: 2 votes")).to_be_visible()
    desk.get_by_role("button", name="Reveal").click()
    for page in (wall, one, two):
        expect(page.get_by_text("of 2 lines within 10°")).to_be_visible()
        assert (lines(page, 1), lines(page, 2)) == (["line 1", "line 2"], ["line 1"])
    left, right = (wall.locator(f'.svm-plane[data-name="room-votes-{k}"]').bounding_box() for k in (1, 2))
    assert left["x"] + left["width"] <= right["x"] and abs(left["y"] - right["y"]) < 2  # side by side
    why = wall.get_by_text("Why", exact=True).bounding_box()
    assert why["y"] + why["height"] <= 720, "the explanation is in view"
    expect(own(one, 2)).to_have_count(1)
    expect(own(two, 2)).to_have_count(0)
    expect(one.get_by_text("You said")).to_be_visible()
    assert one.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390

    desk.get_by_role("button", name="Delete the room").click()
    desk.get_by_role("button", name="Delete it now").click()
    for page in (desk, wall, one, two):
        expect(page.get_by_text(f"There is no room {code}")).to_be_visible()
        expect(page.locator('.svm-plane[data-name^="room-votes"]')).to_have_count(0)


def tall(page, *words):
    """The smallest height of letters, in pixels, of the parts that show these words."""
    sizes = [page.get_by_text(word).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") for word in words]
    return min(sizes)


def test_eight_browsers_vote_twice_and_the_wall_is_legible_from_the_last_row(new_page, app):
    desk, wall = new_page(), new_page(width=1280, height=720)
    code = cockpit(desk, app)
    phones = [new_page(**PHONE, color_scheme=scheme) for scheme in ("light", "dark") * 4]
    waiting.open_page(wall, f"{app}/room?join={code}&projected=1")
    choose_lesson(desk)
    desk.get_by_role("button", name="Next question").click()
    for phone in phones:
        joined(phone, app, code)
    for k, phone in enumerate(phones):
        phone.locator(".svm-option").nth(k % 3).tap()
        phone.locator(".svm-commit").tap()
        expect(phone.get_by_text("Your vote is counted")).to_be_visible()
    expect(wall.get_by_text("8 of 8 have voted")).to_be_visible()
    phones[0].get_by_label("Why?").fill("It lies too far on its own side.")
    words = phones[0].get_by_label("Why?").bounding_box()
    told = phones[0].get_by_text("Press Enter").bounding_box()
    assert told["y"] >= words["y"] + words["height"], "beside the words, not on them"
    desk.get_by_role("button", name="Show the bars").click()
    for page in (wall, *phones):
        expect(page.get_by_text("3 (38 %)").first).to_be_visible()
        expect(page.locator("[data-right]")).to_have_count(0)
    waiting.settled(wall)
    for part in (".svm-wall-code b", ".svm-wall-code span", ".st-key-room_said p", ".svm-votes tr:last-child meter"):
        box = wall.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 720, part
    assert tall(wall, code, "/room", "8 votes", "3 (38 %)") >= 24  # 1/30 of the height

    desk.get_by_role("button", name="Second vote").click()
    for phone in phones:
        expect(phone.locator(".svm-commit")).to_have_text("Vote")
        phone.locator(".svm-option").nth(2).tap()
        phone.locator(".svm-commit").tap()
        expect(phone.get_by_text("Your vote is counted")).to_be_visible()
    expect(wall.get_by_text("8 of 8 have voted; first vote: 8 votes")).to_be_visible()
    desk.get_by_role("button", name="Reveal").click()
    for page in (wall, *phones):
        expect(page.get_by_text("8 (100 %)")).to_be_visible()
        expect(page.get_by_text("2 (25 %)")).to_be_visible()
    waiting.settled(wall)
    box = wall.locator(".svm-pairs tr").filter(has_text="Why").bounding_box()
    assert box["y"] + box["height"] <= 724, "the explanation is on the wall, too"
    meters = [box["y"] for box in map(lambda meter: meter.bounding_box(), wall.locator("[data-right] meter").all())]
    assert len(meters) == 2 and meters[0] == meters[1], "both votes side by side"
    before = desk.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    desk.get_by_role("button", name="Next question").click()  # one press, without scrolling
    for page in (wall, *phones):
        expect(page.locator(".svm-votes")).to_have_count(0)
    assert before == 0 and desk.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


def test_the_votes_on_a_choice_and_its_picture_fit_on_the_wall(new_page, app):
    desk, wall, phone = new_page(), new_page(width=1920, height=1080), new_page(**PHONE)
    code = cockpit(desk, app)
    choose_lesson(desk)
    desk.get_by_role("button", name="Show it to the class").click()
    waiting.open_page(wall, f"{app}/room?join={code}&projected=1&present=1")
    joined(phone, app, code)
    phone.locator(".svm-option").nth(1).tap()
    phone.locator(".svm-commit").tap()
    expect(phone.get_by_text("Your vote is counted")).to_be_visible()
    expect(phone.locator(".svm-commit")).to_be_disabled()
    phone.locator(".svm-option").nth(0).tap()
    expect(phone.locator(".svm-commit")).to_be_enabled()
    desk.get_by_role("button", name="Reveal").click()
    for part in (wall.locator(".svm-votes"), waiting.plane(wall, "asked"), wall.get_by_text("Why", exact=True)):
        expect(part).to_be_visible()
        waiting.settled(wall)
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 1080
    table, picture = phone.locator(".svm-votes"), waiting.plane(phone, "asked")
    expect(table).to_be_visible()
    waiting.settled(phone)
    assert table.bounding_box()["y"] < picture.bounding_box()["y"]  # what was voted comes first on a phone
