"""The app in a real Chromium: deep links, controls, console, scenes, themes, a phone, a sweep."""

import re
from urllib.parse import unquote

import pytest
import serving
import waiting
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.screen import codec, edits

PAGES = {  # by their titles, with planes of each
    "Home": ["live"],
    "Playground": ["plane", "spectrum"],
    "Compare": ["plane-hinge", "plane-least_squares", "plane-least_absolute", "overlay"],
    "Convergence": ["film-0", "chart-Training error"],
    "Losses": ["curves", "alpha", "moved", "boundaries"],
    "Sparsity": ["machine-LS-SVM", "film-0", "chart-Support vectors left"],
    "Feature walk": ["balls", "flat-points", "weights", "walk-objective"],
    "Robustness": ["errors", "ranks", "heat"],
    "Papers": ["ls_svm.fig1-0", "ls_svm.fig2-0"],
    "Teach": [],
    "Help": [],
}


@pytest.mark.slow
def test_the_menu_leads_everywhere_and_pages_stand_whole_and_in_words(page, app):
    waiting.opened(page, app)
    for title in [*list(PAGES)[1:], "Home"]:
        waiting.menu(page, title).click()
        for key in PAGES[title]:
            waiting.drawn(page, key)
            assert waiting.plane(page, key).get_by_role("img").first.get_attribute("aria-label")
        heading = "SVM Lab" if title == "Home" else title
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)


QUICK = """() => {
    const { bar } = document.querySelector('.svm-field').field;
    for (const [name, value] of [['kernel', 'linear'], ['problem', 'two_spirals'], ['kernel', 'poly']])
        bar.change(name, value);
}"""


@pytest.mark.slow
def test_what_a_problem_suggests_is_outlasted_by_what_is_changed_after_it_alone(page, app):
    """The second and third change reach the server as one, while it answers the first."""
    waiting.opened(page, app + "/playground", "plane")
    page.evaluate(QUICK)
    page.wait_for_url("**problem=two_spirals**")
    waiting.quiet(page)
    assert "kernel=poly" in page.url


@pytest.mark.slow
def test_share_stands_beside_the_sign_of_a_run(new_page, app):
    page = new_page(width=1280, height=800)
    page.route_web_socket(re.compile("/_stcore/stream"), _without_end)
    page.goto(f"{app}/playground")
    share, sign = page.get_by_role("button", name="Share"), page.get_by_test_id("stStatusWidget")
    for width in (1280, 820, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(waiting.PAINTED)
        expect(share).to_be_visible()
        expect(sign).to_be_visible()
        left, right = share.bounding_box(), sign.bounding_box()
        assert left["x"] >= 0
        assert left["x"] + left["width"] <= right["x"], width


def _without_end(socket):
    """Run after run that never ends, as far as the browser is told."""

    def ends(message):
        change = message.session_status_changed
        return message.WhichOneof("type") == "script_finished" or (
            message.WhichOneof("type") == "session_status_changed" and not change.script_is_running
        )

    server = socket.connect_to_server()
    server.on_message(lambda message: None if ends(ForwardMsg.FromString(message)) else socket.send(message))


@pytest.mark.slow
def test_a_cold_deep_link(new_page, tmp_path, monkeypatch):
    """The first request to a fresh server, which compiles, is a link into a page with everything in it.

    The progress that it shows meanwhile leaves no gap, which the next run would close.
    """
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with serving.server("app.py", tmp_path / "log.txt") as (_, url):
        page = new_page()
        link = "/playground?problem=two_spirals&loss=least_squares&C=2.5&seed=3"
        runs = waiting.opened(page, url + link, "plane")
        expect(page.locator(".svm-numbers div").filter(has_text="Support vectors")).to_contain_text("360 of 360")
        expect(page.get_by_role("spinbutton", name="C, weight of the loss, value")).to_have_value("2.5")
        assert "C=2.5" in page.url and "loss=least_squares" in page.url
        top = waiting.plane(page, "plane").bounding_box()["y"]
        with runs.another():
            page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
        assert waiting.plane(page, "plane").bounding_box()["y"] == top
        page.close()  # before its server: else it may complain of the silence


def test_a_slider_moves_the_picture_and_the_link_which_shows_another_browser_the_same(page, new_page, app):
    link = "/playground?problem=moons&seed=4&contamination=flip_random&flips=6&loss=least_squares&sigma=0.5"
    runs = waiting.opened(page, app + link, "plane")
    before, drawn = waiting.figure(page, "plane")["field"]["z"], waiting.drawn(page, "plane")
    with runs.another():
        page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
    waiting.drawn(page, "plane", drawn + 1)
    expect(page).to_have_url(re.compile(r"C=1\.12"))
    shown, other = waiting.figure(page, "plane"), new_page()
    assert shown["field"]["z"] != before
    waiting.opened(other, page.url, "plane")
    assert waiting.figure(other, "plane") == shown


@pytest.mark.slow
def test_an_address_without_a_page_says_so(page, app):
    page.expected = re.compile("does not seem to exist")
    waiting.opened(page, app + "/humbug", "live")
    expect(page.get_by_role("dialog")).to_contain_text("does not seem to exist")


@pytest.mark.slow
def test_reset_says_what_it_resets_and_what_stays(page, app):
    runs = waiting.under_hand(page, app + "/playground?problem=moons&C=7&loss=least_squares")
    reset = page.get_by_role("button", name="Reset")
    expect(reset).to_have_attribute("title", "Reset: Loss, C")
    with runs.another():
        reset.click()
    expect(page.locator(".svm-announcement")).to_contain_text("Reset: Loss, C. Edited points stay")
    expect(reset).to_have_attribute("aria-disabled", "true")


SHARING = """() => {
    navigator.clipboard.writeText = () => Promise.reject();  // as at an address that is not secure
    document.execCommand = (command) => { window.copied = [command, document.activeElement.value]; return true; };
}"""


@pytest.mark.slow
def test_a_screen_is_shared_by_touch(new_page, app):
    page = new_page(width=390, height=844, has_touch=True, is_mobile=True)
    waiting.opened(page, app + "/playground?C=7", "plane")
    page.get_by_role("button", name="Share").tap()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    expect(page.get_by_text("at an address that no phone can reach")).to_be_visible()  # the test's address is local
    page.evaluate(SHARING)
    page.get_by_role("button", name="Copy the link").tap()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    command, text = page.evaluate("window.copied")
    assert command == "copy" and text == page.locator("[data-testid=stPopoverBody] code").inner_text()
    assert text.endswith("/playground?C=7")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the picture").tap()
    assert download.value.suggested_filename == "svm-lab-playground-plane.png"


@pytest.mark.slow
def test_the_code_of_a_long_link_has_squares_that_a_phone_can_tell_apart(new_page, app):
    moved = edits.script((-3, -3), [(k, edits.MOVED, 100 + 7 * k, k - 250) for k in range(130)])
    page = new_page(width=1280, height=720)
    waiting.opened(page, f"{app}/playground?edits={codec.encode(moved)}", "plane")
    page.get_by_role("button", name="Share").click()
    code = page.get_by_role("img", name="QR code of this link")
    expect(code).to_be_visible()
    assert len(page.locator("[data-testid=stPopoverBody] code").inner_text()) > 1000
    width, scale = (
        int(re.search(text, unquote(code.get_attribute("src")))[1]) for text in (r"width='(\d+)'", r"scale\((\d+)\)")
    )
    assert code.bounding_box()["width"] >= 3 * width / scale > 300


@pytest.mark.slow
def test_everything_can_be_taken_along(page, app):
    waiting.opened(page, app + "/playground", "plane")
    page.get_by_text("Download: ").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Figure (HTML").click()
    html = download.value.path().read_text()
    assert "Plotly.newPlot" in html and 'src="http' not in html
    expect(page.get_by_text("problems.load('toy_outliers', seed=0, n=40)").first).to_be_visible()
