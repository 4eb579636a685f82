"""A picture is on the screen before plotly.js is there, which a hand brings, and stays where it is when that comes."""

import pytest
import waiting
from playwright.sync_api import expect

from pages.shared.server import js_bundle

pytestmark = pytest.mark.slow

LOAD = """async () => {
    const { modules } = await import(document.querySelector('script[src*="/plane-"]').src);
    window.axes = modules.axes;
}"""
AXES = """(root) => {
    const drawn = root.querySelector('.svm-chart')._fullLayout;
    const told = ({ xaxis, yaxis }) => [xaxis, yaxis].flatMap((axis) => {
        const middle = axis.range[0] + 0.3 * (axis.range[1] - axis.range[0]);
        return [axis._offset, axis._length, axis.d2p(middle), axis.p2d(10)];
    });
    return [told(axes.placeholderAxes(root.figure.layout, [root.clientWidth, root.clientHeight])), told(drawn)];
}"""
INKED = """(root) => {
    const canvas = root.querySelector('.svm-layers');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value);
}"""
TEXTS = """(root, place) => {
    const origin = root.getBoundingClientRect();
    const host = root.querySelector(place);
    const texts = [...(host.shadowRoot ?? host).querySelectorAll('text')];
    return texts.filter((text) => text.textContent.trim()).map((text) => {
        const { left, top, width, height } = text.getBoundingClientRect();
        const { fill, fontSize } = getComputedStyle(text);
        const own = text.querySelectorAll('tspan[style*=fill], tspan[fill]');
        const colours = [...own].map((words) => getComputedStyle(words).fill);
        const words = text.textContent.replaceAll('\u200b', '');
        return [words, [left - origin.left, top - origin.top, width, height], [fill, fontSize, ...colours].join()];
    }).sort((a, b) => a[0] + a[1] < b[0] + b[1] ? -1 : 1);
}"""
WHOLE = {  # the pictures that need no plotly.js to be whole
    "/playground": ("plane", "spectrum"),
    "/playground?problem=motorcycle&loss=epsilon_insensitive": ("plane", "spectrum"),
    "/playground?problem=moons&n=200": ("plane", "spectrum"),
    "/compare": ("plane-hinge", "overlay"),
    "/": ("live",),
    "/feature_walk": ("balls", "flat-points"),  # their keys beside them
    "/compare?losses=hinge,squared_hinge,ramp,zero_one,huber&n=80": ("overlay",),  # names at its lines, no legend
}


def assert_axes_like_plotlys(page, *keys):
    page.evaluate(LOAD)
    for key in keys:
        sketch, drawn = waiting.ask(page, key, AXES)
        assert sketch == pytest.approx(drawn, abs=0.01), key


def test_a_sketch_that_is_not_whole_has_the_axes_that_plotly_finds(page, app):
    waiting.opened(page, app + "/sparsity", "machine-LS-SVM")
    assert_axes_like_plotlys(page, "machine-LS-SVM")


def before_plotly(page, link, *keys):
    """The page at that address with whole pictures, and what lets plotly.js in, which waits for it."""
    held = []
    page.route("**/plotly-*.js", lambda route: held.append(route))
    page.goto(link)
    for key in keys:
        page.wait_for_selector(f'.svm-plane[data-name="{key}"][data-placeholder="whole"]')
    assert page.evaluate("() => typeof window.Plotly") == "undefined"

    def go_on():
        for route in held:
            route.continue_()
        for key in keys:
            waiting.drawn(page, key)
            page.wait_for_selector(f'.svm-plane[data-name="{key}"] .svm-chart .main-svg')  # a film draws before it, too

    return go_on


@pytest.mark.parametrize("link", WHOLE)
def test_axes_and_texts_stand_where_plotly_writes_them(new_page, app, link):
    page = new_page()
    go_on = before_plotly(page, app + link, *WHOLE[link])
    page.evaluate("() => document.fonts.ready")
    sketches = {key: waiting.ask(page, key, TEXTS, ".svm-placeholder") for key in WHOLE[link]}
    go_on()
    assert_axes_like_plotlys(page, *WHOLE[link])
    for key, sketch in sketches.items():
        drawn = waiting.ask(page, key, TEXTS, ".svm-chart")
        assert [text[0] for text in sketch] == [text[0] for text in drawn], key
        for (words, place, style), (_, there, like) in zip(sketch, drawn, strict=True):
            assert place == pytest.approx(there, abs=1.0), (key, words)
            assert style == like, (key, words)
        assert not waiting.ask(page, key, TEXTS, ".svm-placeholder"), "two texts over each other"


def test_the_document_names_what_the_first_picture_needs_and_plotly_comes_with_a_hand(new_page, app):
    waiting.opened(new_page(), app + "/playground", "plane")
    page, asked = new_page(first_visit=True), []
    page.on("request", lambda request: asked.append(request.url))
    runs = waiting.opened(page, app + "/playground", "plane", "spectrum")
    links = page.evaluate("() => [...document.querySelectorAll('head [src]')].map(({ src }) => src)")
    assert [link for link in links if link.endswith(js_bundle.path())]
    assert len([url for url in asked if url.endswith(js_bundle.path())]) == 1, "fetched twice"
    waiting.quiet(page)
    with runs.another():
        page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
    waiting.quiet(page)
    assert not [url for url in asked if "plotly" in url], "a picture that nobody has touched is whole without"
    page.mouse.move(*waiting.spot(page, "plane", 7))
    box = waiting.plane(page, "plane").locator(".hoverlayer")
    expect(box).to_contain_text("point 7,")
    assert waiting.plane(page, "spectrum").locator(".hoverlayer").count() == 0, "no hand has come near that one"


def test_the_picture_is_there_before_plotly_and_can_be_edited(new_page, app):
    page = new_page()
    go_on = before_plotly(page, app + "/playground", "plane", "spectrum")
    assert waiting.ask(page, "plane", INKED) and waiting.ask(page, "spectrum", INKED)
    assert not page.locator(".svm-wait").first.is_visible()
    page.wait_for_function("() => document.querySelector('.svm-editor')?.dataset.answered")
    box = page.locator('.svm-plane[data-name="plane"]').bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    page.wait_for_function("() => location.search.includes('edits=')")
    go_on()
    assert len(waiting.points(page, "plane")) == 41
