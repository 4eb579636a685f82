"""What the server adds to Streamlit: its preparation begins at once, browsers keep the files of our component and fetch
all that a page needs at once, and Streamlit's scripts are compressed.
"""

import gzip
import re
import sys
from pathlib import Path

import loop
import pytest
from starlette.applications import Starlette

from pages.shared import bundle, traffic, warm
from pages.shared.live import served
from pages.shared.parts import room_watch
from pages.shared.plane import plane

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("base", ["", "/lab"])
def test_the_script_of_the_component_is_kept_without_limit(base, monkeypatch):
    """Its address changes with its content, see test_bundle."""
    monkeypatch.setattr(traffic.config, "get_option", lambda name: {"server.baseUrlPath": base}[name])
    site = Starlette(routes=served.routes())
    for takes, packed in (("gzip, br", "gzip"), ("identity", None)):
        status, headers, body = answer(lambda _: site, f"{base}/{bundle.path()}", accept_encoding=takes)
        assert status == 200 and (gzip.decompress(body) if packed else body).decode() == bundle.script()
        assert headers["cache-control"] == served.KEPT and headers["vary"] == "Accept-Encoding"
        assert headers.get("content-encoding") == packed and headers["content-type"].startswith("text/javascript")
    assert answer(lambda _: site, f"{base}/plane-00000000.js")[0] == 404


def test_the_preparation_begins_with_the_server(monkeypatch):
    begun = []
    monkeypatch.setattr(warm, "start", lambda: begun.append(True))
    switches = []
    monkeypatch.setattr(sys, "setswitchinterval", switches.append)

    async def serve():
        async with warm.lifespan(None):
            assert begun == [True]
            assert switches == [warm.SWITCH] and warm.SWITCH < 0.001, "a fit would keep Python from other readers"

    loop.run(serve())


def answer(
    middleware, path, content=b"<html><head></head><body></body></html>", kind="text/html", status=200, **headers
):
    """(status, headers, body) that a browser gets where the server itself answers with this content."""
    sent, own = [], {"content-type": kind, "content-length": str(len(content)), "etag": "1", "last-modified": "now"}

    async def server(scope, receive, send):
        pairs = [(name.encode(), value.encode()) for name, value in own.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": content[:9], "more_body": True})
        await send({"type": "http.response.body", "body": content[9:]})

    async def send(message):
        sent.append(message)

    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": asked}
    loop.run(middleware(server)(scope, None, send))
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent)


def test_a_page_names_the_files_that_it_needs():
    status, headers, body = answer(served.Ahead, "/playground", accept="text/html,*/*")
    text = body.decode()
    linked = re.findall(r'(?:href|src)="\./([^"]+)"', text)
    assert status == 200 and headers["content-length"] == str(len(body)) and "etag" not in headers
    assert "last-modified" not in headers, "a browser may not keep the links of an older server"
    style = (ROOT / "pages/shared/frame.css").read_text(encoding="utf-8")
    assert text.endswith(f"</head><body><style>{style}</style></body></html>") and linked == warm.needed()
    assert linked[0] == bundle.path() in plane._entry(), "what draws the pictures comes first"
    assert f'async fetchpriority="high" src="./{bundle.path()}"' in text, "and is run at once"
    scripts = [name for name in linked if name.startswith("static/")]
    assert len(scripts) == len(warm.NEEDED), "Streamlit names its files otherwise"
    assert all((warm.STREAMLIT / name).is_file() for name in scripts)


class Site:
    """A server that compresses what a browser takes compressed, and says of itself what Streamlit's says."""

    HOST = b'{"allowedOrigins":["https://one.test"],"useExternalAuthToken":false}'

    def __init__(self, base=""):
        self.base, self.asked = base, []

    async def __call__(self, scope, receive, send):
        self.asked.append(scope["path"])
        host = scope["path"] == f"{self.base}/_stcore/host-config"
        takes = dict(scope["headers"]).get(b"accept-encoding", b"")
        body = self.HOST if host else b"<html><head></head></html>"
        headers = [(b"content-type", b"application/json" if host else b"text/html")]
        if b"gzip" in takes:
            body, headers = gzip.compress(body), [*headers, (b"content-encoding", b"gzip")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@pytest.mark.parametrize("base", ["", "/lab"])
def test_a_page_says_where_its_server_is_also_to_a_browser_that_takes_it_compressed(base):
    site, sent = Site(base), []
    middleware = served.Ahead(site)

    async def send(message):
        sent.append(message)

    headers = [(b"accept", b"text/html"), (b"accept-encoding", b"gzip, br")]
    for page in ("playground", ""):
        sent.clear()
        scope = {"type": "http", "method": "GET", "path": f"{base}/{page}", "headers": headers}
        loop.run(middleware(scope, None, send))
        text = b"".join(message.get("body", b"") for message in sent).decode()
        assert f"BACKEND_BASE_URL:new URL('.',location).href,HOST_CONFIG:{Site.HOST.decode()}" in text
        assert text.index("window.__streamlit") < text.index("</head>")
    assert site.asked == [f"{base}/playground", f"{base}/_stcore/host-config", f"{base}/"], "asked once"


def test_streamlit_still_reads_where_its_server_is():
    index, *_ = (warm.STREAMLIT / "static/js").glob("index.*.js")
    assert {"__streamlit", "BACKEND_BASE_URL", "HOST_CONFIG", "enableBypass"} <= set(
        re.findall(r"\w+", index.read_text(encoding="utf-8"))
    )


def test_what_is_no_page_is_left_alone():
    for case in (
        dict(path="/static/js/index.js", accept="*/*"),
        dict(path="/media/a.html", accept="text/html", kind="application/octet-stream"),
        dict(path="/", accept="text/html", status=404),
    ):
        _, headers, body = answer(served.Ahead, **case)
        assert body == b"<html><head></head><body></body></html>" and headers["etag"] == "1"


def test_scripts_of_streamlit_are_compressed_for_browsers_that_take_it(monkeypatch):
    monkeypatch.setattr(warm, "compressed", {})
    (name,) = warm.chunks("PlotlyChart")
    own = b"<html><head></head><body></body></html>"
    assert answer(served.Compressed, f"/{name}", accept_encoding="gzip")[2] == own, "not yet compressed"
    warm._compress()
    assert len(warm.compressed) > 30 and all(path.startswith("static/js/") for path in warm.compressed)
    whole = (warm.STREAMLIT / name).read_bytes()
    status, headers, body = answer(served.Compressed, f"/lab/{name}", accept_encoding="gzip, br")
    assert status == 200 and headers["content-encoding"] == "gzip" and "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith("text/javascript") and headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == whole and len(body) < len(whole) / 3
    for path, takes in ((name, "identity"), ("static/js/no.js", "gzip")):
        assert answer(served.Compressed, f"/{path}", accept_encoding=takes)[2] == own


def cookie(headers, scheme="http", path="/"):
    """The cookie that a browser with these headers is given, None without one."""

    async def server(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "scheme": scheme, "headers": [(k.encode(), v.encode()) for k, v in headers]}
    loop.run(served.Browser(server)(scope, None, send))
    return dict(sent[0]["headers"]).get(b"set-cookie", b"").decode() or None


def test_a_browser_gets_a_random_number_once():
    html = ("accept", "text/html,*/*")
    first, second = cookie([html]), cookie([html])
    assert first.startswith(f"{served.COOKIE}=") and first != second and "HttpOnly" in first and "Lax" in first
    assert room_watch.COOKIE == served.COOKIE
    assert cookie([html, ("cookie", first.partition(";")[0])]) is None and cookie([("accept", "image/png")]) is None
    for inside in (cookie([html], scheme="https"), cookie([html, ("x-forwarded-proto", "https")])):
        assert "SameSite=None; Secure; Partitioned" in inside
