"""A picture is on the screen before plotly.js is there, and stays where it is when that comes."""

import pytest
import waiting

LOAD = """async () => {
    const modules = [...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href);
    window.axes = await import(modules.find((href) => href.endsWith('/axes.js')));
}"""
AXES = """(root) => {
    const drawn = root.querySelector('.svm-chart')._fullLayout;
    const told = ({ xaxis, yaxis }) => [xaxis, yaxis].flatMap((axis) => {
        const middle = axis.range[0] + 0.3 * (axis.range[1] - axis.range[0]);
        return [axis._offset, axis._length, axis.d2p(middle), axis.p2d(10)];
    });
    return [told(axes.sketched(root.figure.layout, [root.clientWidth, root.clientHeight])), told(drawn)];
}"""
INKED = """(root) => {
    const canvas = root.querySelector('.svm-layers');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value);
}"""
PAGES = {
    "/playground": ("plane", "spectrum"),
    "/playground?problem=moons&n=200": ("plane", "spectrum"),
    "/compare": ("plane-hinge", "overlay"),
    "/sparsity": ("machine-LS-SVM",),
}


@pytest.mark.parametrize("link", waiting.mostly_slow(PAGES, ["/playground"]))
def test_a_sketch_has_the_axes_that_plotly_finds(page, app, link):
    waiting.opened(page, app + link, *PAGES[link])
    page.evaluate(LOAD)
    for key in PAGES[link]:
        sketch, drawn = waiting.ask(page, key, AXES)
        assert sketch == pytest.approx(drawn, abs=0.01), key


def test_the_picture_is_there_before_plotly_and_can_be_edited(new_page, app):
    page, held = new_page(), []
    page.route("**/PlotlyChart.*.js", lambda route: held.append(route))
    page.goto(app + "/playground")
    page.wait_for_selector('.svm-plane[data-name="plane"][data-sketched]')
    assert waiting.ask(page, "plane", INKED) and waiting.ask(page, "spectrum", INKED)
    assert page.evaluate("() => typeof window.Plotly") == "undefined"
    assert not page.locator(".svm-wait").first.is_visible()
    page.wait_for_function("() => document.querySelector('.svm-board')?.dataset.answered")
    box = page.locator('.svm-plane[data-name="plane"]').bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    page.wait_for_function("() => location.search.includes('edits=')")
    for route in held:
        route.continue_()
    waiting.drawn(page, "plane")
    assert len(waiting.points(page, "plane")) == 41
