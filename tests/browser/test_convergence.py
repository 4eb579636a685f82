"""The Convergence page in Chromium: play, step, scrub, keys, every step, less motion, a film that plays offline."""

import numpy as np
import pytest
import waiting
from playwright.sync_api import expect

from svmcore.words import number

pytestmark = pytest.mark.slow  # the gestures themselves are tested by default, in test_gestures.py

RUN = "/convergence?problem=moons&n=100"
TICK = "() => +document.querySelector('.svm-transport').dataset.tick"


def opened(page, url, *keys):
    return waiting.opened(page, url, *(keys or ("film-0", "chart-Training error")))


def transport(page):
    return page.locator(".svm-transport")


def tick(page):
    return page.evaluate(TICK)


def last(page):
    return int(page.locator(".svm-scrub").get_attribute("max") or page.locator(".svm-scrub").evaluate("(e) => e.max"))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    page.evaluate(waiting.PAINTED)


def slowly(page):
    """The film plays so slowly that it is not over before it is stopped."""
    page.get_by_label("Frames a second").select_option("5 a second")


def cursors(page):
    """Across which share of its axis the cursor of each curve stands."""
    return page.evaluate("""() => [...document.querySelectorAll('.svm-plane[data-scrubs]')].map((root) => {
        const { _offset, _length } = root.axes.xaxis;
        return (root.querySelector('.svm-cursor').getAttribute('x1') - _offset) / _length;
    })""")


def test_play_advances_everything_and_pause_holds(new_page, app):
    page = new_page(reduced_motion="no-preference")
    opened(page, app + RUN)
    assert tick(page) == last(page)  # it opens on a frame that shows something
    press(page, "First")
    assert tick(page) == 0 and cursors(page) == pytest.approx([0, 0, 0, 0], abs=0.01)
    slowly(page)
    before, drawn = waiting.pixels(page, "film-0"), waiting.drawn(page, "film-0")
    press(page, "Play")
    page.wait_for_function(f"() => ({TICK})() > 5")
    press(page, "Pause")
    stopped = tick(page)
    assert 5 < stopped < last(page) and waiting.drawn(page, "film-0") >= drawn + 3
    page.wait_for_timeout(600)
    assert tick(page) == stopped and np.any(waiting.pixels(page, "film-0") != before)
    assert len(set(np.round(cursors(page), 2))) == 1 and cursors(page)[0] > 0.1
    assert page.locator(".svm-label").inner_text().startswith("pair update ")
    page.get_by_label("Frames a second").select_option("30 a second")
    press(page, "Play")
    page.wait_for_function("() => document.querySelector('.svm-transport').dataset.playing === 'false'")
    assert tick(page) == last(page)
    expect(page.locator(".svm-why:visible")).to_contain_text("converged")
    slowly(page)
    press(page, "Play")  # from the end it begins anew
    page.wait_for_function(f"() => ({TICK})() < {last(page)} && ({TICK})() > 0")


def test_back_returns_the_same_picture_pixel_by_pixel(page, app):
    opened(page, app + RUN)
    assert tick(page) == last(page) > 10  # less motion begins at the end
    assert cursors(page) == pytest.approx([1, 1, 1, 1], abs=0.01)
    press(page, "First")
    seen = []
    for _ in range(6):
        press(page, "Forward")
        seen.append((waiting.pixels(page, "film-0"), page.locator(".svm-why:visible").inner_text(), cursors(page)))
    assert all(np.any(a[0] != b[0]) for a, b in zip(seen, seen[1:], strict=False))
    press(page, "Last")
    press(page, "First")
    page.locator(".svm-scrub").fill("6")
    for picture, words, places in reversed(seen):
        page.evaluate(waiting.PAINTED)
        assert np.array_equal(waiting.pixels(page, "film-0"), picture)
        assert page.locator(".svm-why:visible").inner_text() == words and cursors(page) == places
        press(page, "Back")
    assert tick(page) == 0


def test_clicks_jump_and_follow_a_point(page, app):
    opened(page, app + RUN)
    box = page.locator(".svm-plane[data-scrubs] .nsewdrag").first.bounding_box()
    for share in (0.5, 0.0, 0.8):
        page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.evaluate(waiting.PAINTED)
        assert cursors(page)[0] == pytest.approx(share, abs=0.06)
    expect(page.get_by_role("button", name="Tones")).to_have_attribute("aria-pressed", "false")
    chosen = page.locator(".svm-chosen")
    assert chosen.inner_text() == ""
    press(page, "Last")
    page.mouse.click(*waiting.spot(page, "film-0", 4))
    expect(chosen).to_contain_text("Point 4: α = ")
    press(page, "First")
    expect(chosen).to_contain_text("Point 4: α = 0, zero; y f = ")


def test_keys_step_and_play(new_page, app):
    page = new_page(reduced_motion="no-preference")
    opened(page, app + RUN)
    slowly(page)
    for where in (
        ".svm-plane[data-name=film-0] .svm-image",
        ".svm-plane[data-scrubs] .svm-image >> nth=1",
        ".svm-scrub",
    ):
        page.locator(where).focus()
        scrolled = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
        for key, expected in (("End", last(page)), ("ArrowLeft", last(page) - 1), ("Home", 0), ("ArrowRight", 1)):
            page.keyboard.press(key)
            assert tick(page) == expected, key
        page.keyboard.press("Space")
        page.wait_for_function(f"() => ({TICK})() > 1")
        page.keyboard.press("Space")
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == scrolled
    stopped = tick(page)
    page.get_by_role("button", name="Forward", exact=True).focus()
    page.keyboard.press("Space")  # on a button it presses the button
    assert tick(page) == stopped + 1 and transport(page).get_attribute("data-playing") == "false"
    page.get_by_role("button", name="Back", exact=True).click()
    page.keyboard.press("Space")  # after the pointer the keys are the film's
    assert transport(page).get_attribute("data-playing") == "true"


def test_every_step_crosses_the_edges_of_its_windows(page, app):
    runs = opened(page, app + "/convergence?problem=two_spirals")
    iteration = lambda: int(transport(page).get_attribute("data-iteration"))  # noqa: E731
    press(page, "First")
    for _ in range(30):
        press(page, "Forward")
    start, label = iteration(), page.locator(".svm-label").inner_text()
    picture = waiting.pixels(page, "film-0")
    with runs.another():
        press(page, "Every step")
    waiting.quiet(page)
    assert iteration() == start and page.locator(".svm-label").inner_text() == label
    assert np.array_equal(waiting.pixels(page, "film-0"), picture)
    expect(page.get_by_role("button", name="Every step")).to_have_attribute("aria-pressed", "true")
    for expected in range(start + 1, start + 30):
        press(page, "Forward")
        assert iteration() == expected
    with runs.another():
        press(page, "Forward")
    page.wait_for_function(f"() => document.querySelector('.svm-transport').dataset.iteration == {start + 30}")
    with runs.another():
        press(page, "Every step")
    waiting.quiet(page)
    assert start < iteration() <= start + 30 and last(page) == 59  # the nearest moment of the whole run
    with runs.another():  # what was asked of one run is not asked of the next
        page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
    waiting.quiet(page)
    assert last(page) == 59 and page.get_by_role("button", name="Every step").get_attribute("aria-pressed") == "false"


def test_the_window_of_an_iteration_and_the_ignored_points(page, app):
    """The strips follow the sub-steps, and words tell them to those who cannot see."""
    runs = opened(page, app + "/convergence?problem=leverage_outliers&outliers=20&loss=zero_one")
    picture = waiting.plane(page, "film-0")
    page.locator(".svm-scrub").fill("10")
    with runs.another():
        press(page, "Every step")
    waiting.quiet(page)
    for name in ("update T", "solve w and b", "update lambda"):
        expect(page.locator(".svm-why:visible li").last).to_contain_text(f"Next: {name}")
        press(page, "Forward")
        expect(page.locator(".svm-label")).to_contain_text(name)
        label = picture.locator(".svm-image").get_attribute("aria-label")
        assert "points ringed (working set T)" in label and "crossed (ignored" in label
        traces = waiting.ask(
            page,
            "film-0",
            """(root) => Object.fromEntries(root.figure.data.map(
            ({ name, z, contours }) => [name, { z: z?.map((row) => [...row]), value: contours?.value }]
        ))""",
        )
        (low, high), (below, above) = (traces[name]["value"] for name in ("band +1", "band -1"))
        assert high == -below == 1.0 and low == -above < 1.0 and f"{number(low)} to 1" in label
        assert traces["band +1"]["z"] == traces["field"]["z"]


def test_the_theme_may_change_while_it_plays(new_page, app):
    page = new_page(reduced_motion="no-preference", color_scheme="dark")
    opened(page, app + RUN)
    page.get_by_label("Frames a second").select_option("12 a second")
    press(page, "Play")
    page.wait_for_function(f"() => ({TICK})() > 3")
    dark = waiting.pixels(page, "film-0")[5, 60, :3]
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => ({TICK})() > 15")
    press(page, "Pause")
    light = waiting.pixels(page, "film-0")
    assert light[light[..., 3] > 0][:, :3].mean() > 180 and dark.mean() < 200
    press(page, "Back")
    press(page, "Forward")
    assert np.array_equal(waiting.pixels(page, "film-0"), light)


def test_the_exported_film_plays_offline(page, new_page, app, tmp_path):
    opened(page, app + "/convergence?problem=toy_outliers")
    page.get_by_text("Download: ").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="(HTML, about").click()
    file = tmp_path / "film.html"
    download.value.save_as(file)
    other = new_page()
    asked = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    field = "() => document.querySelector('.js-plotly-plot')._fullData[0].z.flat().join()"
    other.wait_for_function("() => document.querySelector('.js-plotly-plot')?._transitionData._frames.length > 1")
    before = other.evaluate(field)
    other.wait_for_timeout(300)
    assert other.evaluate(field) == before  # it waits
    other.evaluate("() => Plotly.animate(document.querySelector('.js-plotly-plot'), ['0'])")
    other.get_by_text("▶ play").click()
    other.wait_for_function(f"(before) => ({field})() !== before", arg=before)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
