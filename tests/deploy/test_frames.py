"""The app in a frame of another site, as an LMS shows it: a real browser, the real proxies, and cookies that cross."""

import contextlib
import http.server
from concurrent.futures import ThreadPoolExecutor

import pytest
import serving
import waiting

from deploy import config, serve
from pages.shared.server.sessions import COOKIE

pytestmark = pytest.mark.slow
PATIENCE = 1000 * waiting.PATIENCE  # milliseconds
PAGE = """<!doctype html><title>Course</title><h1>Course</h1>
<iframe src="{}/playground?problem=moons&embed=true" title="SVM Lab" style="width:1200px;height:900px"></iframe>"""


@contextlib.contextmanager
def course(app):
    """The address of a page on 127.0.0.1, which is another site than localhost, with the app in a frame."""

    class Course(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = PAGE.format(app).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with serving.answering(Course) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(params=["caddy", "nginx"])
def framed(request, tmp_path):
    """(address of the course, address of the app) behind each proxy, with its configuration as `deploy` writes it.

    Cookies cross sites only over HTTPS, whose certificate Caddy makes for localhost; it stands before nginx, too.
    """
    inner, port, middle = serve.free_ports(3)
    caddy, domain = serving.tool("caddy"), f"localhost:{port}"
    tmp_path.chmod(0o755)  # nginx reads as another user where root has started it
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(course(f"https://{domain}"))
        made = config.Serving((inner,), port, domain=domain, frame=(address,))
        store = {"SVM_LAB_STORE": str(tmp_path / "store.sqlite3"), **made.environment}
        command = serve.command(made._replace(domain="localhost"), inner)
        app = stack.enter_context(serving.running(command, tmp_path / "app.log", **store))
        text = config.caddy(made)
        if request.param == "nginx":
            behind = tmp_path / "nginx.conf"
            behind.write_text(config.nginx(made._replace(port=middle, domain="", host="127.0.0.1"), tmp_path))
            nginx = [serving.tool(*serve.PROXIES["nginx"]), "-c", str(behind), "-e", str(tmp_path / "error.log")]
            stack.enter_context(serving.running(nginx, tmp_path / "nginx.log"))
            text = f"{{\n\tadmin off\n}}\n{domain} {{\n\treverse_proxy 127.0.0.1:{middle}\n}}\n"
        # its own authority signs, which no system need trust; port 80 is not ours
        text = text.replace("admin off\n", "admin off\n\tskip_install_trust\n\tauto_https disable_redirects\n", 1)
        file = tmp_path / "Caddyfile"
        file.write_text(text)
        home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        front = [caddy, "run", "--config", str(file), "--adapter", "caddyfile"]
        stack.enter_context(serving.running(front, tmp_path / "caddy.log", **home))
        serving.wait_for(app, f"http://127.0.0.1:{inner}", tmp_path / "app.log")
        yield address


def test_the_app_works_in_the_frame_of_another_site(framed):
    """In a thread of its own, since the session's Chromium may be at work in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(_works_in_a_frame, framed).result()


def _works_in_a_frame(framed):
    with serving.chromium() as browser:
        from playwright.sync_api import expect

        context = browser.new_context(ignore_https_errors=True, viewport=dict(width=1300, height=1000))
        context.add_init_script("localStorage.setItem('svm-lab tools', 'open')")
        page, answers, runs = context.new_page(), [], []

        def listen(socket):
            if socket.url.endswith("/live"):
                socket.on("framereceived", lambda data: answers.append(data))
            else:
                socket.on("framereceived", lambda data: runs.append(data))

        page.on("websocket", listen)
        page.goto(framed)
        inside = page.frame_locator("iframe")
        inside.locator('.svm-plane[data-name="plane"]:not([data-drawn="0"])').wait_for(timeout=PATIENCE)
        slider = inside.get_by_role("slider", name="C, weight of the loss")
        before, said = len(answers), slider.get_attribute("aria-valuetext")
        slider.press("ArrowRight")
        frame = page.frames[1]
        frame.wait_for_function("() => new URLSearchParams(location.search).get('C')", timeout=PATIENCE)
        expect(slider).not_to_have_attribute("aria-valuetext", said, timeout=PATIENCE)
        box = inside.locator('.svm-plane[data-name="plane"]').bounding_box()
        assert box["width"] > 200 and runs
        while len(answers) == before:
            slider.press("ArrowRight")
            page.wait_for_timeout(200)
        cookies = {cookie["name"]: cookie for cookie in context.cookies()}
        for name in (config.COOKIE, COOKIE):
            assert name in cookies, [*cookies]
            cookie = cookies[name]
            assert (cookie["sameSite"], cookie["secure"], cookie["httpOnly"]) == ("None", True, True), name
            assert cookie.get("partitionKey"), "kept apart for each site that shows the app"
