"""The plane component in Chromium: drawn in place, once, in the page's theme; linked, exported."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from waiting import ask, drag, drawn, figure, open_page, pixels, plane, quiet, settled, spot

pytestmark = pytest.mark.slow

APP = "tests/browser/apps/plane_demo_app.py"
PLOTLY = "**/plotly-*.js"


@pytest.fixture
def url(serve):
    return serve(APP)


def slide(page, runs, key="ArrowRight"):
    """Move the slider by one step and wait for the run."""
    with runs.another():
        page.get_by_role("slider", name="log10 C").press(key)


def chart(page, key, script):
    """`script`, a function of the Plotly graph div, evaluated in the plane with `key`."""
    return ask(page, key, f"(root) => ({script})(root.querySelector('.svm-chart'))")


def ring(page, key):
    """Page coordinates of the ring, None where it is off."""
    box = plane(page, key).locator(".svm-ring.svm-on")
    if box.count() == 0:
        return None
    box = box.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_picture_has_a_role_words_height_and_can_be_read_and_saved(page, url, tmp_path):
    open_page(page, url)
    assert drawn(page, "plane") == drawn(page, "spectrum") == 1
    picture = page.get_by_role("img", name="Plane: 200 points")
    expect(picture).to_be_visible()
    assert picture.bounding_box()["height"] == 480
    expect(page.get_by_role("img", name="Support values, ranked")).to_be_visible()
    expect(page.locator(".modebar-btn")).to_have_count(0)

    traces = figure(page, "plane")
    assert list(traces) == ["field", "margins", "boundary", "points +1", "points -1", "outliers"]
    assert np.shape(traces["field"]["z"]) == (100, 100) and traces["field"]["z"] == traces["boundary"]["z"]
    assert len(traces["points +1"]["customdata"]) == len(traces["points -1"]["x"]) == 100

    text = save(page, "plane", "SVG", tmp_path).read_text()
    assert text.startswith("<svg") and len(re.findall('class="point[ "]', text)) == 203  # 200 points, 3 outlier rings
    assert "rgb(213, 94, 0)" in text and "var(" not in text
    assert not plane(page, "plane").get_by_role("button", name="SVG").is_visible()
    plane(page, "plane").get_by_label("Save this picture").press("Enter")
    expect(plane(page, "plane").get_by_role("button", name="PNG")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(plane(page, "plane").get_by_role("button", name="PNG")).to_be_hidden()
    expect(plane(page, "plane").get_by_label("Save this picture")).to_be_focused()


def test_room_is_kept_before_plotly_is_there(page, url):
    held = []
    page.route(PLOTLY, lambda route: held.append(route))
    open_page(page, url)
    expect(plane(page, "plane").and_(page.locator("[data-placeholder]"))).to_be_visible()
    before = page.get_by_role("button", name="Run again").bounding_box()
    for route in held:
        route.continue_()
    assert held
    drawn(page, "spectrum")
    assert page.get_by_role("button", name="Run again").bounding_box() == before
    expect(plane(page, "plane").get_by_text("Drawing")).to_be_hidden()


def test_a_slider_updates_in_place_and_once_and_equal_figures_draw_nothing(page, url):
    runs = open_page(page, url)
    drawn(page, "spectrum")
    page.evaluate("document.querySelector('.svm-chart').mine = true")
    before, field = pixels(page, "plane"), figure(page, "plane", ["field"])
    slide(page, runs)
    assert drawn(page, "plane", 2) == drawn(page, "spectrum", 2) == 2
    assert chart(page, "plane", "(gd) => [gd.mine, gd.layout.title.text]") == [True, "LS-SVM, C = 1.26"]
    assert np.mean(pixels(page, "plane") != before) > 0.01 and figure(page, "plane", ["field"]) != field
    for _ in range(2):
        with runs.another():
            page.get_by_role("button", name="Run again").click()
    settled(page)
    assert drawn(page, "plane") == drawn(page, "spectrum") == 2


def test_never_two_drawings_at_once(page, url):
    """With a Plotly that waits for a sign: of the figures that arrive meanwhile only the last one is drawn.

    The first of them has the axes that are on the screen in the spectrum, where its canvas shows it at once.
    """
    runs = open_page(page, url)
    drawn(page, "spectrum")
    page.evaluate("""() => {
        const react = Plotly.react, busy = new Map(), sign = new Promise((done) => { window.go = done; });
        window.overlaps = 0;
        Plotly.react = async (div, ...rest) => {
            if (busy.get(div)) window.overlaps++;
            busy.set(div, true);
            await sign;
            await react(div, ...rest);
            busy.set(div, false);
        };
    }""")
    shown = "['plane', 'spectrum'].map((name) => document.querySelector(`.svm-plane[data-name=${name}]`).figure)"
    for _ in range(3):
        page.evaluate(f"() => {{ window.before = {shown}; }}")
        slide(page, runs)
        page.wait_for_function(f"() => {shown}.every((figure, k) => figure !== before[k])")
        assert (drawn(page, "plane"), drawn(page, "spectrum", 2)) == (1, 2)
    page.evaluate("go()")
    page.wait_for_function("() => document.querySelector('.svm-chart').layout.title.text === 'LS-SVM, C = 2'")
    settled(page)
    assert page.evaluate("overlaps") == 0
    assert (drawn(page, "plane"), drawn(page, "spectrum")) == (3, 4)


def test_zoom_is_kept_and_the_layers_follow_it(page, url):
    runs = open_page(page, url)
    drawn(page, "spectrum")
    before = pixels(page, "plane")
    chart(page, "plane", "(gd) => Plotly.relayout(gd, { dragmode: 'zoom' })")
    box = plane(page, "plane").bounding_box()
    drag(page, (box["x"] + 150, box["y"] + 150), (box["x"] + 250, box["y"] + 250))
    view = chart(page, "plane", "(gd) => gd._fullLayout.xaxis.range")
    assert view[1] - view[0] < 3
    zoomed = pixels(page, "plane")
    assert np.mean(zoomed != before) > 0.1
    slide(page, runs)
    drawn(page, "plane", 2)
    assert chart(page, "plane", "(gd) => gd._fullLayout.xaxis.range") == view


def test_the_theme_and_its_width_are_followed(page, url):
    runs = open_page(page, url)
    drawn(page, "spectrum")
    finished = runs.finished
    text = "(gd) => getComputedStyle(gd.querySelector('.gtitle')).fill"
    assert chart(page, "plane", text) == "rgb(22, 32, 42)"
    page.emulate_media(color_scheme="dark")
    drawn(page, "plane", 2)
    assert chart(page, "plane", text) == "rgb(240, 244, 248)"
    page.set_viewport_size(dict(width=800, height=900))
    drawn(page, "plane", 3)
    width = plane(page, "plane").bounding_box()["width"]
    assert chart(page, "plane", "(gd) => gd._fullLayout.width") == pytest.approx(width, abs=1)
    assert runs.finished == finished  # the browser did it alone


@pytest.mark.parametrize("scheme, query, shares", [
    ("light", "?n=40", {"plane": 0.002, "spectrum": 0.008}),  # words at the bounds: another font in a file
    ("dark", "?view=more", {"ghost": 0.006, "overlay": 0.05}),  # dashes may begin at the other end of a line
])  # fmt: skip
def test_the_layers_are_plotlys_own_picture(new_page, url, tmp_path, scheme, query, shares):
    """Inside the axes: the canvas on the page against the file that Plotly draws of the same figure."""
    page = new_page(height=2000, color_scheme=scheme, device_scale_factor=2)
    open_page(page, f"{url}/{query}")
    for key, share in shares.items():
        drawn(page, key)
        saved = Image.open(save(page, key, "PNG", tmp_path)).convert("RGB")
        picture = plane(page, key).screenshot(style=".svm-save { visibility: hidden }")
        shown = Image.open(io.BytesIO(picture)).convert("RGB")
        assert shown.width <= saved.width and shown.height == saved.height  # the key in another font may be wider
        area = "({ _fullLayout: { xaxis: x, yaxis: y } }) => [x._offset, y._offset, x._length, y._length]"
        left, top, width, height = (2 * side for side in chart(page, key, area))
        inside = (left + 4, top + 4, left + width - 4, top + height - 4)
        off = np.abs(np.asarray(shown.crop(inside), int) - np.asarray(saved.crop(inside), int)).max(axis=2)
        assert np.mean(off > 24) < share, (key, np.mean(off > 24))
        assert np.median(off) <= 2


def save(page, key, name, folder):
    """The path of the file that the menu of the plane gives."""
    menu = plane(page, key)
    menu.get_by_label("Save this picture").click()
    with page.expect_download() as download:
        menu.get_by_role("button", name=name).click()
    assert download.value.suggested_filename == f"svm-lab-{key}.{name.lower()}"
    path = folder / f"{name}-{key}"
    download.value.save_as(path)
    return path


def test_a_hovered_point_is_ringed_in_both_charts(page, url):
    runs = open_page(page, url + "/?n=40")
    drawn(page, "spectrum")
    settled(page)
    for source, target in (("plane", "spectrum"), ("spectrum", "plane")):
        page.mouse.move(*spot(page, source, 7))
        expect(plane(page, target).locator(".svm-ring.svm-on")).to_have_count(1)
        assert ring(page, target) == pytest.approx(spot(page, target, 7), abs=1.5)
        assert ring(page, source) == pytest.approx(spot(page, source, 7), abs=1.5)
        assert "point 7," in chart(page, source, "(gd) => gd.querySelector('.hoverlayer').textContent")
        page.mouse.move(5, 5)
        expect(page.locator(".svm-ring.svm-on")).to_have_count(0)
    page.mouse.click(*spot(page, "plane", 7))
    page.mouse.move(5, 5)
    assert ring(page, "spectrum") == pytest.approx(spot(page, "spectrum", 7), abs=1.5)
    slide(page, runs)
    drawn(page, "spectrum", 2)
    settled(page)
    assert ring(page, "spectrum") == pytest.approx(spot(page, "spectrum", 7), abs=1.5)
    assert runs.finished == 2  # no trip to the server for a ring


def test_a_hovered_curve_rings_no_point(page, url):
    open_page(page, url + "/?view=more")
    drawn(page, "sweep")
    find = """(gd) => {
        const { xaxis, yaxis } = gd._fullLayout, box = gd.getBoundingClientRect(), line = gd._fullData.at(-1);
        return [box.left + xaxis._offset + xaxis.d2p(line.x[3]), box.top + yaxis._offset + yaxis.d2p(line.y[3])];
    }"""
    line = figure(page, "sweep", ["variant 2"])["variant 2"]
    plane(page, "sweep").scroll_into_view_if_needed()
    quiet(page)
    page.mouse.move(*chart(page, "sweep", find))
    box = "document.querySelector('[data-name=sweep] .hoverlayer').textContent"
    text = page.wait_for_function(f"() => {box}").json_value()
    words = re.fullmatch(r"variant 2 at ([\d.]+): test error ([\d.]+), bar ([\d.]+) to ([\d.]+)", text)
    assert words, text
    place = line["x"][3], line["y"][3], *line["customdata"][3]
    assert [float(word) for word in words.groups()] == pytest.approx(place, rel=1e-3)
    expect(page.locator(".svm-ring.svm-on")).to_have_count(0)


def test_hover_boxes_are_new_after_the_pointer_rests(page, url):
    runs = open_page(page, url + "/?n=40")
    drawn(page, "spectrum")
    told = "(gd) => gd._fullData.map((trace) => [...trace.customdata].map((row) => row[1]))"
    before = chart(page, "plane", told)
    slide(page, runs)
    drawn(page, "plane", 2)
    settled(page)
    assert chart(page, "plane", told) != before


def test_no_plotly_at_all_is_said(page, app):
    page.route("**/*lotly*", lambda route: route.abort())
    open_page(page, f"{app}/playground")
    expect(plane(page, "plane").get_by_text("plotly.js was not found")).to_be_visible()
    page.problems.clear()
