"""The main paths in Firefox: a point is dragged, a slider held, a link opened, a film played, a question answered."""

import pytest
import waiting

pytestmark = pytest.mark.slow

NUMBERS = "() => document.querySelector('.svm-numbers')?.textContent"
TRANSPORT = "() => ({ ...document.querySelector('.svm-transport')?.dataset })"
VALUE = """(name) => {
    const field = document.querySelector(`.svm-field[data-name="${name}"]`);
    return field?.querySelector('select, .svm-number, input')?.value;
}"""


@pytest.fixture
def page(fox):
    fox.events.clear()
    page = fox.page()
    yield page
    page.close()
    assert fox.problems() == ([], [])


def under_hand(page, url, key="plane"):
    page.goto(url)
    waiting.drawn(page, key)
    page.wait_for_function("() => document.querySelector('.svm-editor')?.dataset.answered")
    waiting.answered(page)


def changed(page, script, before):
    """The value of `script` once it is another one than `before`."""
    return page.wait_for_function(
        f"(before) => {{ const now = ({script})(); return now !== before && now; }}", arg=before
    ).json_value()


def test_a_point_is_dragged_and_undone_and_keys_choose_and_move_another(page, app):
    under_hand(page, app + "/playground")
    before, numbers = waiting.points(page, "plane"), page.evaluate(NUMBERS)
    page.move(waiting.spot(page, "plane", 3))
    page.down()
    page.move(waiting.place(page, "plane", 0.0, 0.0), steps=8)
    live = changed(page, NUMBERS, numbers)  # the numbers follow the hand
    page.up()
    waiting.answered(page)
    after = waiting.points(page, "plane")
    assert after[3][:2] == pytest.approx((0.0, 0.0), abs=0.05)
    assert {key: at for key, at in after.items() if key != 3} == {key: at for key, at in before.items() if key != 3}
    assert live != numbers
    page.wait_for_function("() => location.href.includes('edits=')")
    page.focus(".svm-handle")
    page.press("Control+z")
    page.wait_for_function("() => document.querySelector('.svm-editor [data-command=undo]').ariaDisabled === 'true'")
    waiting.answered(page)
    assert waiting.points(page, "plane") == before
    for key in ("Home", "n", "Control+ArrowUp"):
        page.press(key)
    waiting.answered(page)
    page.wait_for_function(
        "() => document.querySelector('.svm-announcement')?.textContent.startsWith('Moved: point 1')"
    )
    after = waiting.points(page, "plane")
    assert after[1][0] == pytest.approx(before[1][0], abs=1e-3) and after[1][1] > before[1][1]


def test_a_held_slider_is_followed_and_ends_in_the_link(page, app):
    under_hand(page, app + "/playground?problem=moons")
    numbers, field = page.evaluate(NUMBERS), waiting.figure(page, "plane", ["field"])
    x, y = page.centre('.svm-field[data-name="C"] [type=range]')
    page.move((x, y))
    page.down()
    page.move((x - 25, y), steps=5)
    changed(page, NUMBERS, numbers)
    assert waiting.figure(page, "plane", ["field"]) != field
    assert "C=" not in page.evaluate("() => location.search")
    page.up()
    waiting.answered(page)
    page.wait_for_function("() => new URLSearchParams(location.search).get('C')")
    assert float(page.evaluate("() => new URLSearchParams(location.search).get('C')")) < 1


def test_a_link_restores_the_screen(page, app):
    link = "/playground?problem=two_spirals&loss=least_squares&kernel=rbf&sigma=0.5&C=20&n=60"
    under_hand(page, app + link)
    wanted = {"problem": "two_spirals", "loss": "least_squares", "kernel": "rbf", "C": "20"}
    assert {name: page.evaluate(VALUE, name) for name in wanted} == wanted
    points, numbers = waiting.points(page, "plane"), page.evaluate(NUMBERS)
    assert len(points) == 60
    under_hand(page, app + "/playground")
    assert waiting.points(page, "plane") != points
    under_hand(page, app + link)
    assert (waiting.points(page, "plane"), page.evaluate(NUMBERS)) == (points, numbers)


def test_a_film_plays(page, app):
    page.goto(app + "/convergence?problem=moons&n=100")
    waiting.drawn(page, "film-0")
    last = page.wait_for_function("() => +document.querySelector('.svm-scrub')?.max").json_value()
    page.focus(".svm-plane[data-name=film-0] .svm-image")
    page.press("Home")
    first = waiting.figure(page, "film-0", ["field"])
    assert page.evaluate(TRANSPORT)["tick"] == "0"
    page.press("ArrowRight")
    assert page.evaluate(TRANSPORT)["tick"] == "1"
    page.click(".svm-transport [data-act=play]")
    page.wait_for_function("() => +document.querySelector('.svm-transport').dataset.tick > 1")
    page.wait_for_function(f"() => document.querySelector('.svm-transport').dataset.tick === '{last}'")
    page.wait_for_function("() => document.querySelector('.svm-transport').dataset.playing !== 'true'")
    assert page.evaluate(TRANSPORT)["playing"] == "false"
    assert waiting.figure(page, "film-0", ["field"]) != first


def test_a_question_of_a_lesson_is_answered(page, app):
    page.goto(app + "/lessons?lesson=errors")
    page.wait_for_function("() => document.querySelector('.svm-question')?.dataset.locked === 'false'")
    waiting.drawn(page, "asked")
    assert page.evaluate("() => document.querySelector('.svm-commit').disabled")
    page.click(".svm-option:nth-of-type(2)")
    page.wait_for_function("() => !document.querySelector('.svm-commit').disabled")
    page.click(".svm-commit")
    page.wait_for_function("() => document.querySelector('.svm-question').dataset.locked === 'true'")
    said = page.wait_for_function(
        "() => [...document.querySelectorAll('.svm-feedback dt')].map((e) => e.textContent).join('|')"
    ).json_value()
    assert said.startswith("You said|It is") and said.endswith("Why")
