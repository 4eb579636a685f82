"""The main paths under what hosts impose: options of Streamlit, a path, a proxy with another Host, no channel."""

import contextlib
import re

import pytest
import serving
import waiting
from desk import without_workers
from playwright.sync_api import expect

pytestmark = pytest.mark.slow
CLOUD = dict(RUNNER_FAST_RERUNS="true", BROWSER_GATHER_USAGE_STATS="true", SERVER_RUN_ON_SAVE="true",
             SERVER_FILE_WATCHER_TYPE="auto", CLIENT_SHOW_ERROR_DETAILS="none")  # fmt: skip
HOSTS = {
    "fast reruns": dict(RUNNER_FAST_RERUNS="true"),
    "Streamlit Community Cloud": CLOUD,
    "a path": {},
    "no channel": {},
    "another Host": {},
    "another Host without a word": dict(SERVER_CORS_ALLOWED_ORIGINS="http://127.0.0.1:{port}"),
}
HEADERS = {"another Host": "", "another Host without a word": "\n\t\theader_up -X-Forwarded-Host"}
CSV = "a,b,class\n" + "".join(f"{k / 10},{(k * 7 % 13) / 10},{'uv'[k % 2]}\n" for k in range(24))


@contextlib.contextmanager
def proxied(app, port, folder, headers):
    """Caddy on this port, which asks the app under another name."""
    file = folder / "Caddyfile"
    file.write_text(
        f"{{\n\tadmin off\n}}\nhttp://:{port} {{\n\treverse_proxy {app.removeprefix('http://')} {{\n"
        f"\t\theader_up Host inside.example.org{headers}\n\t}}\n}}\n"
    )
    command = [serving.tool("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    with serving.running(command, folder / "caddy.log") as process:
        serving.wait_for(process, url := f"http://127.0.0.1:{port}", folder / "caddy.log")
        yield url


@pytest.fixture(scope="module", params=HOSTS)
def host(request, tmp_path_factory):
    """(name, address) of the app on a host."""
    folder, port = tmp_path_factory.mktemp("host"), serving.free_port()
    options = {f"STREAMLIT_{name}": value.replace("{port}", str(port)) for name, value in HOSTS[request.param].items()}
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        for name, value in options.items():
            patch.setenv(name, value)
        base = "lab/svm" * (request.param == "a path")
        _, url = stack.enter_context(serving.server("app.py", folder / "log", base=base))
        if request.param in HEADERS:
            url = stack.enter_context(proxied(url, port, folder, HEADERS[request.param]))
        yield request.param, url


@pytest.fixture
def visitor(host, new_page):
    """visitor(**options) -> a page of a new visitor of the host."""

    def come(**options):
        page = new_page(**options)
        if host[0] == "Streamlit Community Cloud":  # what Streamlit would send to its makers stays here
            page.expected = re.compile("Content Security Policy|metrics config")
        if host[0] == "no channel":
            without_workers(page)
            page.route_web_socket(re.compile("/live$"), lambda socket: socket.close(code=1011))
        return page

    return come


def test_a_control_and_a_point_move_the_picture_and_a_missing_channel_is_told(host, visitor):
    page = visitor()
    runs = waiting.under_hand(page, f"{host[1]}/playground?problem=moons")
    told = page.get_by_text("pictures change when you let go")
    expect(told).to_have_count(1 if host[0] == "no channel" else 0)
    before = waiting.figure(page, "plane")["field"]["z"]
    with runs.another():
        page.get_by_role("slider", name="C, weight of the loss").press("ArrowRight")
    waiting.until(page, lambda: waiting.figure(page, "plane")["field"]["z"] != before)
    expect(page).to_have_url(re.compile(r"C=1\.12"))
    before = waiting.points(page, "plane")
    waiting.drag(page, waiting.spot(page, "plane", 3), waiting.place(page, "plane", 0.0, 0.0), steps=5)
    waiting.answered(page)
    assert waiting.points(page, "plane")[3] != before[3]
    expect(page).to_have_url(re.compile("edits="))


def test_a_file_is_taken(host, visitor):
    page = visitor()
    waiting.under_hand(page, f"{host[1]}/playground?problem=own", "bare")
    if not page.get_by_test_id("stFileUploader").is_visible():
        page.get_by_role("button", name="Load points").click()
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(
        dict(name="mine.csv", mimeType="text/plain", buffer=CSV.encode())
    )
    expect(page.get_by_text("mine.csv: 24 points")).to_be_visible()
    waiting.until(page, lambda: len(waiting.points(page, "plane")) == 24)


def test_a_question_is_answered_and_a_film_plays(host, visitor):
    page = visitor()
    waiting.open_page(page, f"{host[1]}/lessons?lesson=errors")
    waiting.drawn(page, "asked")
    page.locator(".svm-option").nth(1).click()
    page.locator(".svm-commit").click()
    expect(page.locator(".svm-question[data-locked=true] .svm-feedback")).to_be_visible()
    waiting.open_page(page, f"{host[1]}/convergence?problem=moons&n=60")
    waiting.drawn(page, "film-0")


def test_a_class_follows_and_sees_what_is_shown(host, visitor):
    desk, hand = visitor(), visitor()
    waiting.open_page(desk, f"{host[1]}/room")
    desk.get_by_role("button", name="Open a room").click()
    expect(desk.locator("img.svm-qr").first).to_be_visible()
    code = re.search(r"join=([A-Z0-9]{5})", desk.url)[1]
    waiting.open_page(hand, f"{host[1]}/losses?join={code}")
    expect(hand.get_by_text(f"Room {code}").first).to_be_visible()
    waiting.menu(desk, "Playground").click()
    desk.wait_for_url("**/playground*")
    hand.wait_for_url("**/playground*")
    waiting.drawn(hand, "plane")
