"""The surface of f in Chromium with WebGL in software: it is drawn, turned by keys, saved as seen, and follows C."""

import pytest
import waiting

EYE = "root => { const { x, y, z } = root.querySelector('.svm-chart')._fullLayout.scene.camera.eye; return [x, y, z]; }"
SAVE = """root => {
    Plotly.downloadImage = ({ layout }) => (root.eye = Object.values(layout.scene.camera.eye));
    root.querySelector(".svm-save button").click();
}"""
HEIGHT = "root => Math.max(...root.figure.data.find(({ type }) => type === 'surface').z.map((row) => Math.max(...row)))"


@pytest.mark.slow
def test_a_surface_is_drawn_turned_and_follows(page, app):
    waiting.under_hand(page, app + "/playground?problem=moons&n=100&C=100&surface=true")
    waiting.connected(page)
    waiting.drawn(page, "surface")
    image = waiting.plane(page, "surface").locator(".svm-image")
    assert image.get_attribute("aria-label").startswith("Surface of f over the plane, from")
    image.scroll_into_view_if_needed()
    if image.get_by_text("WebGL is not supported").count():
        pytest.skip("no WebGL in this browser")
    before = waiting.ask(page, "surface", EYE)
    image.focus()
    image.press("ArrowRight")
    waiting.until(page, lambda: waiting.ask(page, "surface", EYE) != before)
    after = waiting.ask(page, "surface", EYE)
    far = [sum(v * v for v in eye) for eye in (before, after)]
    assert far[0] == pytest.approx(far[1]) and after[2] == pytest.approx(before[2])
    waiting.ask(page, "surface", SAVE)
    waiting.until(page, lambda: waiting.ask(page, "surface", "root => root.eye") == pytest.approx(after))
    height = waiting.ask(page, "surface", HEIGHT)
    page.get_by_role("slider", name="C, weight of the loss").press("Home")
    waiting.until(page, lambda: waiting.ask(page, "surface", HEIGHT) < height)
    waiting.answered(page)
    assert waiting.ask(page, "surface", EYE) == pytest.approx(after)
