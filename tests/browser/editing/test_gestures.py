"""Points under the hand, in Chromium, by mouse, by touch and by keys alone: what it did is what the solver saw."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
import waiting
from answering import tab_to
from playwright.sync_api import expect
from scipy.interpolate import RegularGridInterpolator
from waiting import answered, ask, figure, place, points, spot, under_hand

from pages.shared.screen import codec, edits


def link_edits(page):
    """The script that the address carries."""
    return codec.decode(parse_qs(urlsplit(page.url).query).get("edits", [""])[0])


def press(page, name):
    page.locator(".svm-editor").get_by_role("button", name=name, exact=True).click()
    answered(page)


def choose(page, name):
    page.locator(".svm-editor").get_by_role("radio", name=name, exact=True).click()


def drag(page, start, end, steps=8):
    waiting.drag(page, start, end, steps)
    answered(page)


def sentence(page):
    return page.locator(".svm-announcement, .svm-said:not(:empty)")


def click(page, spot):
    page.mouse.click(*spot)
    answered(page)


def key(page, name):
    page.keyboard.press(name)
    answered(page)


def test_the_boundary_follows_a_dragged_point_and_is_where_the_solver_saw_it(page, app):
    under_hand(page, app + "/playground?loss=least_squares")
    before, drawn = waiting.figure(page, "plane", ["field"])["field"]["z"], waiting.drawn(page, "plane")
    x, y = spot(page, "plane", 3)
    with waiting.held(page, (x, y), (x - 90, y - 60)):
        waiting.drawn(page, "plane", drawn + 1)
        moving = waiting.figure(page, "plane", ["field"])["field"]["z"]
        assert len(moving) == 50 and len(before) == 100
        assert "edits" not in page.url  # the link is written when the hand rests
    answered(page)
    new = points(page, "plane")[3]
    assert spot(page, "plane", 3) == pytest.approx([x - 90, y - 60], abs=0.6)
    (edit,) = link_edits(page).edits
    assert edits.place(link_edits(page), edit) == new[:2] and edit.id == 3
    # alpha = C (1 - y f) holds for the LS-SVM at the place where it was solved: alpha by the figure, f by its field
    figure = waiting.figure(page, "plane")
    ((sign, alpha),) = (
        (sign, row[1])
        for name, sign in (("points +1", 1), ("points -1", -1))
        for row in figure[name]["customdata"]
        if row[0] == 3
    )
    field = figure["field"]
    assert len(field["z"]) == 100
    f = RegularGridInterpolator((field["y"], field["x"]), field["z"])([new[1], new[0]])[0]
    assert alpha == pytest.approx(1 - sign * f, abs=2e-3)


@pytest.mark.slow
def test_jitter_spray_flip_delete_undo_redo_snap(page, app):
    under_hand(page, app + "/playground")
    own = points(page, "plane")
    press(page, "Jitter")
    jittered = points(page, "plane")
    assert all(jittered[k][:2] != own[k][:2] for k in own)
    press(page, "Undo")
    choose(page, "Spray")
    with waiting.held(page, place(page, "plane", 3, -2)):
        waiting.until(page, lambda: sum(k < 0 for k in points(page, "plane")) >= 4)
    answered(page)
    new = {k: p for k, p in points(page, "plane").items() if k < 0}
    assert all(abs(x - 3) < 1.2 and abs(y + 2) < 1.2 for x, y, _ in new.values())
    press(page, "Undo")
    assert points(page, "plane") == own
    choose(page, "Edit")
    page.mouse.dblclick(*spot(page, "plane", 5))
    answered(page)
    assert points(page, "plane")[5][2] == -own[5][2]
    expect(sentence(page)).to_have_text(re.compile(r"Flipped: point 5, class \+1.*outlier"))
    assert "ghost" in waiting.figure(page, "plane")  # the boundary before
    press(page, "Delete")
    assert 5 not in points(page, "plane") and len(points(page, "plane")) == 39
    press(page, "Undo")
    press(page, "Undo")
    assert points(page, "plane") == own and "edits" not in page.url
    press(page, "Redo")
    assert points(page, "plane")[5][2] == -own[5][2]
    press(page, "Snap back")
    assert points(page, "plane") == own
    press(page, "Undo")
    assert points(page, "plane")[5][2] == -own[5][2]


@pytest.mark.slow
def test_a_rectangle_selects_and_many_move_and_flip(page, app):
    under_hand(page, app + "/playground")
    own = points(page, "plane")
    left = {k for k, (x, _, _) in own.items() if x < 0.5}
    drag(page, place(page, "plane", -1.75, -3.2), place(page, "plane", 0.5, 5.5))
    expect(sentence(page)).to_have_text(f"{len(left)} points selected.")
    anchor = min(left)
    x, y = spot(page, "plane", anchor)
    drag(page, (x, y), (x + 30, y + 20))
    moved = points(page, "plane")
    shift = moved[anchor][0] - own[anchor][0]
    assert shift > 0.1
    for key in own:
        assert moved[key][0] - own[key][0] == pytest.approx(shift if key in left else 0.0, abs=0.002)
    press(page, "Flip")
    flipped = points(page, "plane")
    assert all(flipped[k][2] == (-own[k][2] if k in left else own[k][2]) for k in own)


@pytest.mark.slow
@pytest.mark.parametrize(("problem", "drawn", "axis"), [("toy_outliers", "boundary", "z"), ("sinc&n=60", "curve", "y")])
def test_an_outlier_by_hand_leaves_a_ghost_and_can_be_switched_off(page, app, problem, drawn, axis):
    under_hand(page, f"{app}/playground?problem={problem}&loss=least_squares")
    page.mouse.click(*spot(page, "plane", 3))
    press(page, "Outlier")
    first = waiting.figure(page, "plane")
    assert first["outliers"]["customdata"] == [[3]]
    x, y = spot(page, "plane", 3)
    drag(page, (x, y), (x, y - 90))
    second = waiting.figure(page, "plane")
    assert second["ghost"][axis] == first["ghost"][axis]  # without the outlier, wherever it stands
    assert second[drawn][axis] != first[drawn][axis]
    press(page, "Off / on")
    third = waiting.figure(page, "plane")
    assert third[drawn][axis] == first["ghost"][axis] and third["switched off"]["customdata"] == [[3]]
    assert "ghost" not in third and 3 not in points(page, "plane")
    page.mouse.click(*spot(page, "plane", 3))
    press(page, "Off / on")
    assert waiting.figure(page, "plane")[drawn][axis] == second[drawn][axis]


@pytest.mark.slow
def test_a_curve_has_no_classes(page, app):
    """Neither a key, nor a double click, nor a class that was chosen before changes more than the place."""
    runs = under_hand(page, app + "/playground")
    choose(page, "−1")
    with runs.another():
        page.get_by_role("combobox", name="Problem").select_option("Regression: Sinc")
    answered(page)
    expect(page.locator(".svm-classes")).to_be_hidden()
    expect(page.get_by_role("button", name="Flip", exact=True)).to_be_hidden()
    own = points(page, "plane")
    for flip in (lambda: page.mouse.dblclick(*spot(page, "plane", 5)), lambda: page.keyboard.press("x")):
        flip()
        answered(page)
        assert points(page, "plane") == own and "edits" not in page.url
    click(page, place(page, "plane", -3.0, 0.9))
    (added,) = link_edits(page).edits
    assert added.id == -1 and added.flags == edits.MOVED
    press(page, "Undo")
    page.mouse.click(*spot(page, "plane", 5))
    expect(waiting.plane(page, "plane").locator(".svm-handle")).to_have_attribute(
        "aria-label", re.compile(r"^point 5, at −?\d+\.\d, −?\d\.\d\d[.;] (?!.*flips)")
    )


@pytest.mark.slow
def test_an_edit_on_any_panel_moves_all(page, app):
    under_hand(page, app + "/compare?losses=hinge,least_squares,least_absolute", "overlay")
    keys = ["plane-hinge", "plane-least_squares", "plane-least_absolute", "overlay"]
    for key in ("plane-least_absolute", "overlay"):
        x, y = spot(page, key, 7)
        drag(page, (x, y), (x - 25, y + 15))
        assert len({points(page, k)[7] for k in keys}) == 1
        assert spot(page, key, 7) == pytest.approx([x - 25, y + 15], abs=0.6)


@pytest.mark.slow
def test_everything_by_keys_alone(page, app):
    under_hand(page, app + "/playground")
    own = points(page, "plane")
    page.locator(".svm-editor button").first.focus()
    tab_to(page, ".svm-handle", most=20)
    handle = waiting.plane(page, "plane").locator(".svm-handle")
    expect(handle).to_be_focused()
    expect(handle).to_have_attribute("aria-label", re.compile("^point 0, class .1, at "))
    assert "none" not in handle.evaluate("(e) => getComputedStyle(e).outlineStyle")
    page.keyboard.press("n")
    expect(sentence(page)).to_have_text(re.compile("^Point 1, class"))
    page.keyboard.press("t")
    expect(sentence(page)).to_have_text(re.compile("^40 points are heard"))
    expect(page.get_by_role("button", name="Tones")).to_have_attribute("aria-pressed", "false")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    key(page, "Control+ArrowUp")
    moved = points(page, "plane")[1]
    assert moved[0] > own[1][0] + 0.1 and moved[1] > own[1][1] + 0.1
    expect(sentence(page)).to_have_text(re.compile("^Moved: point 1"))
    key(page, "x")
    assert points(page, "plane")[1][2] == -own[1][2]
    key(page, "Delete")
    assert 1 not in points(page, "plane")
    key(page, "a")
    assert -1 in points(page, "plane")
    for _ in range(4):
        page.keyboard.press("Control+z")
    answered(page)
    assert points(page, "plane") == own  # three arrow keys in a row are one step
    expect(sentence(page)).to_have_text(re.compile("^Undone"))
    page.keyboard.press("Home")
    for _ in range(2):  # an effect that is the same as before is said again
        key(page, "Shift+ArrowRight")
        expect(sentence(page)).to_have_text(re.compile("^Moved: point 0.* By this change: L1-SVM changed 0.0\u202f%"))
    before = points(page, "plane")
    for pressed in ("Control+a", "Delete"):
        page.keyboard.press(pressed)
    waiting.drawn(page, "bare")
    page.keyboard.press("Control+z")
    waiting.drawn(page, "plane")
    answered(page)
    assert points(page, "plane") == before


@pytest.fixture
def phone(new_page):
    return new_page(width=390, height=844, has_touch=True, is_mobile=True, device_scale_factor=2)


def in_view(page, key="plane"):
    waiting.ask(page, key, "(root) => root.scrollIntoView({ block: 'center' })")
    page.evaluate(waiting.PAINTED)


@pytest.mark.slow
def test_add_drag_flip_delete_undo_by_touch(phone, app):
    page = phone
    under_hand(page, app + "/playground")
    in_view(page)
    own = points(page, "plane")
    page.touchscreen.tap(*place(page, "plane", 2.5, -2.5))
    answered(page)
    assert -1 in points(page, "plane")
    in_view(page)
    start = spot(page, "plane", 3)
    waiting.swipe(page, start, (start[0] + 60, start[1] - 40))
    answered(page)
    moved = points(page, "plane")
    assert moved[3][0] > own[3][0] + 0.5 and moved[3][1] > own[3][1] + 0.3
    at = spot(page, "plane", 3)  # once: between the two taps nothing may take time
    page.touchscreen.tap(*at)
    page.touchscreen.tap(*at)
    answered(page)
    assert points(page, "plane")[3][2] == -own[3][2]
    for name in ("Delete", "Undo", "Undo", "Undo", "Undo"):
        page.locator(".svm-editor").get_by_role("button", name=name, exact=True).tap()
        answered(page)
    assert points(page, "plane") == own


@pytest.mark.slow
def test_a_vertical_swipe_scrolls_the_page_unless_a_point_was_tapped_or_held_or_a_rectangle_is_drawn(phone, app):
    page = phone
    under_hand(page, app + "/playground")
    own = points(page, "plane")

    def top():
        return waiting.plane(page, "plane").bounding_box()["y"]

    for where in (lambda: place(page, "plane", 2.5, -2.5), lambda: spot(page, "plane", 3)):
        in_view(page)
        (x, y), before = where(), top()
        waiting.swipe(page, (x, y), (x, y - 200), steps=16)
        waiting.until(page, lambda before=before: top() < before - 80)
        answered(page)
        assert points(page, "plane") == own
    undo = page.locator(".svm-editor").get_by_role("button", name="Undo", exact=True)
    for k, hold in ((3, 0), (5, 200)):
        in_view(page)
        (x, y), before = spot(page, "plane", k), top()
        if not hold:
            page.touchscreen.tap(x, y)
        waiting.swipe(page, (x, y), (x, y - 60), hold=hold)
        answered(page)
        assert points(page, "plane")[k][1] > own[k][1] + 0.5 and top() == pytest.approx(before, abs=1)
        expect(undo).to_be_in_viewport()
        undo.tap()
        answered(page)
        assert points(page, "plane") == own
    choose(page, "Select")
    in_view(page)
    before = top()
    waiting.swipe(page, place(page, "plane", -1.7, -3), place(page, "plane", 1.5, 5), steps=16)
    expect(sentence(page)).to_have_text(re.compile(r"\d+ points selected."))
    assert top() == pytest.approx(before, abs=1)


@pytest.mark.slow
def test_edits_survive_reload_page_change_and_another_browser(page, new_page, app):
    under_hand(page, app + "/playground?problem=moons&seed=4")
    own = points(page, "plane")
    x, y = spot(page, "plane", 3)
    drag(page, (x, y), (x + 40, y))
    click(page, place(page, "plane", 0, 1.4))
    edited = points(page, "plane")
    page.reload()
    waiting.drawn(page, "plane")
    waiting.answered(page)
    assert points(page, "plane") == edited
    for name in ("Undo", "Undo"):
        press(page, name)
    assert points(page, "plane") == own
    page.reload()
    waiting.drawn(page, "plane")
    waiting.answered(page)
    for name in ("Redo", "Redo"):
        press(page, name)
    assert points(page, "plane") == edited
    waiting.menu(page, "Compare").click()
    waiting.drawn(page, "overlay")
    assert points(page, "overlay") == edited
    waiting.menu(page, "Playground").click()
    waiting.drawn(page, "plane")
    assert points(page, "plane") == edited
    other = new_page()
    under_hand(other, page.url)
    assert points(other, "plane") == edited


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_flip_moves_the_boundaries_to_their_new_place_or_shows_it_at_once(new_page, app, motion):
    page = new_page(reduced_motion=motion)
    under_hand(page, app + "/", "live")
    ask(
        page,
        "live",
        """(root) => {
            const canvas = root.querySelector('.svm-layers'), seen = (window.seen = []);
            const clock = performance.now.bind(performance);
            performance.now = () => clock() / 10; // four seconds: a machine under load draws a few pictures a second
            const look = () => {
                const now = String(canvas.getContext('2d').getImageData(0, canvas.height / 4, canvas.width, 1).data);
                if (now !== seen.at(-1)) seen.push(now);
                requestAnimationFrame(look);
            };
            look();
        }""",
    )
    before = figure(page, "live", ["LS-SVM"])["LS-SVM"]["z"]
    page.mouse.dblclick(*spot(page, "live", 0))
    answered(page)
    page.wait_for_timeout(5000 if motion == "no-preference" else 500)
    assert figure(page, "live", ["LS-SVM"])["LS-SVM"]["z"] != before
    shown = page.evaluate("window.seen.length")
    assert shown > 3 if motion == "no-preference" else shown in (2, 3)  # before, coarse, in full


def test_a_flip_comes_to_its_end_where_drawing_takes_as_long_as_it(new_page, app):
    page = new_page(reduced_motion="no-preference")
    under_hand(page, app + "/", "live")
    page.evaluate("""() => {
        const clock = performance.now.bind(performance), { reset } = CanvasRenderingContext2D.prototype;
        let late = 0;
        performance.now = () => clock() + late;
        CanvasRenderingContext2D.prototype.reset = function () {
            if (this.canvas.matches?.('.svm-layers')) late += 450;
            reset.call(this);
        };
    }""")
    waiting.connected(page)
    for _ in range(3):
        page.get_by_role("slider", name="Flip labels").press("ArrowRight", delay=50)
    page.wait_for_url("**home_flips=3*")
    waiting.quiet(page)
    other = new_page()
    under_hand(other, page.url, "live")
    layers = "(root) => root.querySelector('.svm-layers').toDataURL()"
    shown, fresh = (ask(one, "live", layers) for one in (page, other))
    assert shown == fresh
