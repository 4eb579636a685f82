"""What the server adds to Streamlit: its preparation begins at once, browsers keep the files of our component and fetch
all that a page needs at once, and Streamlit's scripts are compressed.
"""

import gzip
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import loop
import pytest
import test_gate
from plotly import offline
from starlette.applications import Starlette
from starlette.responses import Response

from pages.shared.plane import component
from pages.shared.server import js_bundle, sessions, startup, static_files

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("base", ["", "/lab"])
def test_the_script_of_the_component_is_kept_without_limit(base, monkeypatch):
    """Its address changes with its content, see test_js_bundle."""
    monkeypatch.setattr(static_files.st, "get_option", lambda name: {"server.baseUrlPath": base}[name])
    site = Starlette(routes=static_files.routes())
    for takes, packed in (("gzip, br", "gzip"), ("identity", None)):
        status, headers, body = answer(lambda _: site, f"{base}/{js_bundle.path()}", accept_encoding=takes)
        assert status == 200 and (gzip.decompress(body) if packed else body).decode() == js_bundle.script()
        assert headers["cache-control"] == static_files.KEPT and headers["vary"] == "Accept-Encoding"
        assert headers.get("content-encoding") == packed and headers["content-type"].startswith("text/javascript")
    assert answer(lambda _: site, f"{base}/plane-00000000.js")[0] == 404


def test_the_preparation_begins_with_the_server(monkeypatch):
    begun, expected = [], ["send_at_once", "raise_limit", "start"]
    for name in expected:
        monkeypatch.setattr(startup, name, lambda name=name: begun.append(name))
    switches = []
    monkeypatch.setattr(sys, "setswitchinterval", switches.append)

    async def serve():
        async with startup.lifespan(None):
            assert begun == expected
            assert switches == [startup.SWITCH] and startup.SWITCH < 0.001, "a fit would keep Python from other readers"

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


def test_a_page_has_its_style_and_names_our_script():
    status, headers, body = answer(static_files.Document, "/playground", accept="text/html,*/*")
    text = body.decode()
    assert status == 200 and headers["content-length"] == str(len(body)) and "etag" not in headers
    assert "last-modified" not in headers, "a browser may not keep the script of an older server"
    style = (ROOT / "pages/shared/page/page.css").read_text(encoding="utf-8")
    assert text.endswith(f"</head><body><style>{style}</style></body></html>")
    assert re.findall(r'(?:href|src)="\./([^"]+)"', text) == [js_bundle.path()]
    assert js_bundle.path() in component._entry(), "what draws the pictures comes first"
    assert f'async fetchpriority="high" src="./{js_bundle.path()}"' in text, "and is run at once"


def test_a_page_has_them_also_for_a_browser_that_takes_it_compressed():
    async def site(scope, receive, send):
        assert b"accept-encoding" not in dict(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
        await send({"type": "http.response.body", "body": b"<html><head></head></html>"})

    _, _, body = answer(lambda _: static_files.Document(site), "/", accept="text/html", accept_encoding="gzip, br")
    assert js_bundle.path().encode() in body


def test_what_is_no_page_is_left_alone():
    for case in (
        dict(path="/static/js/index.js", accept="*/*"),
        dict(path="/media/a.html", accept="text/html", kind="application/octet-stream"),
        dict(path="/", accept="text/html", status=404),
    ):
        _, headers, body = answer(static_files.Document, **case)
        assert body == b"<html><head></head><body></body></html>" and headers["etag"] == "1"


@pytest.mark.parametrize("kind, name", [("application/javascript", "one.js"), ("text/css", "one.css")])
def test_scripts_and_styles_of_streamlit_are_compressed_once_they_have_been_sent(kind, name, monkeypatch):
    script, asked = b"const a = 1;" * 100, []

    async def site(scope, receive, send):
        asked.append(scope["path"])
        await Response(script, 404 if "no.js" in scope["path"] else 200, media_type=kind)(scope, receive, send)

    middleware = static_files.Compressed(site)
    get = lambda path, **headers: answer(lambda _: middleware, path, **headers)  # noqa: E731
    path = f"/lab/static/{name}"
    assert get(path, accept_encoding="gzip")[2] == script, "not yet compressed"
    middleware._worker.submit(int).result(10)
    status, headers, body = get(path, accept_encoding="gzip, br")
    assert status == 200 and headers["content-encoding"] == "gzip" and "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith(kind) and headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == script and len(body) < len(script) / 3 and asked == [path]
    other = [get(path, accept_encoding="identity"), get(path, accept_encoding="gzip", range="bytes=0-9")]
    for name in ("/static/js/no.js", "/media/one.js"):
        for _ in range(2):
            other.append(get(name, accept_encoding="gzip"))
            middleware._worker.submit(int).result(10)
    assert all(body == script for _, _, body in other) and len(asked) == 7
    monkeypatch.setattr(static_files, "MOST_SCRIPTS", 1)
    for _ in range(2):
        assert "content-encoding" not in get("/static/more.js", accept_encoding="gzip")[1], "one is kept already"
        middleware._worker.submit(int).result(10)


def test_plotly_is_served_under_the_name_of_its_version():
    site = Starlette(routes=static_files.routes())
    status, headers, body = answer(lambda _: site, f"/{static_files.PLOTLY}", accept_encoding="gzip")
    assert status == 200 and "immutable" in headers["cache-control"]
    assert f"plotly.js v{offline.get_plotlyjs_version()}".encode() in gzip.decompress(body)[:500]
    assert static_files.PLOTLY in component._entry()


def cookie(headers, scheme="http"):
    """The cookie that a browser with these headers is given, None without one."""
    scope = {"type": "http", "path": "/", "scheme": scheme, "headers": [(k.encode(), v.encode()) for k, v in headers]}
    told = loop.run(test_gate.answer(static_files.Browser(test_gate.Site(200)), scope))
    return dict(told["headers"]).get(b"set-cookie", b"").decode() or None


def test_a_browser_gets_a_random_number_and_keeps_it(monkeypatch):
    html = ("accept", "text/html,*/*")
    first, second = cookie([html]), cookie([html])
    assert first.startswith(f"{sessions.COOKIE}=") and first != second and "HttpOnly" in first and "Lax" in first
    number = first.partition(";")[0]
    others = ("a=b", "svm_lab_process=1")
    assert cookie([html, ("cookie", "; ".join((*others, number)))]) == first  # for longer: a lecture may go on
    for wrong in (f"{sessions.COOKIE}=me", f"{sessions.COOKIE}={'x' * 400}", f"not_{number}", f"{sessions.COOKIE}="):
        assert cookie([html, ("cookie", wrong)]).partition(";")[0] not in (wrong, number)
    assert cookie([("accept", "image/png")]) is None
    assert "SameSite=Lax" in cookie([html], scheme="https"), "no site may show the app in a frame"
    monkeypatch.setattr(static_files.gate, "FRAMES", ("https://lms.example.org",))
    assert "SameSite=Lax" in cookie([html])
    for inside in (cookie([html], scheme="https"), cookie([html, ("x-forwarded-proto", "https")])):
        assert "SameSite=None; Secure; Partitioned" in inside


@pytest.mark.parametrize(
    "socket, header, address",
    [
        ("8.8.8.8", "6.6.6.6", "8.8.8.8"),  # no proxy of ours: what it says of itself may be a lie
        ("127.0.0.1", "6.6.6.6, 10.1.2.4", "10.1.2.4"),  # what our proxy adds comes last
        ("172.18.0.2", "192.0.2.7", "192.0.2.7"),
        ("10.1.2.3", "", "10.1.2.3"),
        ("127.0.0.1", "", ""),
    ],
)
def test_the_address_of_a_session_is_that_of_its_websocket(monkeypatch, socket, header, address):
    forwarded = [(b"x-forwarded-for", header.encode())] if header else []
    headers = [(sessions.HANDSHAKE.encode(), b"k7"), *forwarded]
    told = SimpleNamespace(headers={sessions.HANDSHAKE: "k7"})
    monkeypatch.setattr("streamlit.context", told)
    found = []

    async def app(scope, receive, send):
        found.append(sessions.address())

    loop.run(sessions.Websockets(app)({"type": "websocket", "headers": headers, "client": (socket, 1)}, None, None))
    assert found == [address] and sessions.address() == ""


def test_the_name_of_a_browser_tells_nothing_of_its_cookie(monkeypatch):
    number = "x" * 22
    with_cookie = SimpleNamespace(cookies=SimpleNamespace(to_dict=lambda: {sessions.COOKIE: number}))
    monkeypatch.setattr("streamlit.context", with_cookie)
    assert sessions.browser() == sessions.browser() and number not in sessions.browser()
    monkeypatch.setattr("streamlit.context", SimpleNamespace(cookies=SimpleNamespace(to_dict=dict)))
    monkeypatch.setattr("streamlit.session_state", {})
    first = sessions.browser()
    assert first == sessions.browser()
    monkeypatch.setattr("streamlit.session_state", {})
    assert sessions.browser() != first


def test_the_start_of_the_server_reaches_the_app():
    """Its message has no path: middleware that fails on it would leave everything unprepared, without a word."""
    reached = []

    async def server(scope, receive, send):
        reached.append(scope["type"])

    app = server
    for middleware in static_files.MIDDLEWARE:
        app = middleware.cls(app)
    loop.run(app({"type": "lifespan"}, None, None))
    assert reached == ["lifespan"]
