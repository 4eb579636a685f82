"""What the server adds to Streamlit: its preparation begins at once, browsers keep the files of our component and fetch
all that a page needs at once, and Streamlit's scripts are compressed.
"""

import functools
import gzip
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import loop
import pytest
from loop import Site, asked, messages
from plotly import offline
from starlette.applications import Starlette
from starlette.responses import Response

from pages.shared.plane import component
from pages.shared.server import js_bundle, sessions, startup, static_files

ROOT = Path(__file__).parents[3]
CONTENT = b"<html><head></head><body></body></html>"


@pytest.mark.parametrize("base", ["", "/lab"])
def test_the_script_of_the_component_is_kept_without_limit(base, monkeypatch):
    """Its address changes with its content, see test_js_bundle."""
    monkeypatch.setattr(static_files.st, "get_option", lambda name: {"server.baseUrlPath": base}[name])
    site = Starlette(routes=static_files.routes())
    for takes, packed in (("gzip, br", "gzip"), ("identity", None)):
        status, headers, body = answer(site, f"{base}/{js_bundle.path()}", accept_encoding=takes)
        assert status == 200 and (gzip.decompress(body) if packed else body).decode() == js_bundle.script()
        assert headers["cache-control"] == static_files.KEPT and headers["vary"] == "Accept-Encoding"
        assert headers.get("content-encoding") == packed and headers["content-type"].startswith("text/javascript")
    one, two = (loop.run(messages(site, asked(path=f"{base}/{js_bundle.path()}")))[-1]["body"] for _ in range(2))
    assert one is two, "each of those who do not read it would have its own"
    assert answer(site, f"{base}/plane-00000000.js")[0] == 404


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


def answer(app, path, **headers):
    """(status, headers, body) that a browser gets."""
    sent = loop.run(messages(app, asked(path=path, **headers)))
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent)


def page(status=200, kind=b"text/html"):
    """A site whose only document may be kept by browsers."""
    length = str(len(CONTENT)).encode()
    own = {b"content-type": kind, b"content-length": length, b"etag": b"1", b"last-modified": b"now"}
    return Site(status, own.items(), CONTENT)


def test_a_page_has_its_style_and_names_our_script():
    site, packed = page(), {"accept_encoding": "gzip, br"}
    status, headers, body = answer(
        static_files.complete_document(site), "/playground", accept="text/html,*/*", **packed
    )
    text = body.decode()
    assert b"accept-encoding" not in dict(site.asked[0]["headers"]), "what is compressed could not be read"
    assert status == 200 and headers["content-length"] == str(len(body)) and "etag" not in headers
    assert "last-modified" not in headers, "a browser may not keep the script of an older server"
    style = (ROOT / "pages/shared/page/page.css").read_text(encoding="utf-8")
    assert text.endswith(f"</head><body><style>{style}</style></body></html>")
    assert re.findall(r'(?:href|src)="\./([^"]+)"', text) == [js_bundle.path()]
    assert js_bundle.path() in component._entry(), "what draws the pictures comes first"
    assert f'async fetchpriority="high" src="./{js_bundle.path()}"' in text, "and is run at once"


@pytest.mark.parametrize(
    "path, accept, site",
    [
        ("/static/js/index.js", "*/*", page()),
        ("/media/a.html", "text/html", page(kind=b"application/octet-stream")),
        ("/", "text/html", page(404)),
    ],
)
def test_what_is_no_page_is_left_alone(path, accept, site):
    _, headers, body = answer(static_files.complete_document(site), path, accept=accept)
    assert body == CONTENT and headers["etag"] == "1"


@pytest.mark.parametrize("kind, name", [("application/javascript", "one.js"), ("text/css", "one.css")])
def test_scripts_and_styles_of_streamlit_are_compressed_once_they_have_been_sent(kind, name, monkeypatch):
    script, paths = b"const a = 1;" * 100, []

    async def site(scope, receive, send):
        paths.append(scope["path"])
        await Response(script, 404 if "no.js" in scope["path"] else 200, media_type=kind)(scope, receive, send)

    middleware = static_files.Compressed(site)
    get = functools.partial(answer, middleware)
    path = f"/lab/static/{name}"
    assert get(path, accept_encoding="gzip")[2] == script, "not yet compressed"
    middleware._worker.submit(int).result(10)
    status, headers, body = get(path, accept_encoding="gzip, br")
    assert status == 200 and headers["content-encoding"] == "gzip" and "immutable" in headers["cache-control"]
    assert headers["content-type"].startswith(kind) and headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == script and len(body) < len(script) / 3 and paths == [path]
    other = [get(path, accept_encoding="identity"), get(path, accept_encoding="gzip", range="bytes=0-9")]
    for name in ("/static/js/no.js", "/media/one.js", "/static/./one.js", "/static//one.js"):
        for _ in range(2):
            other.append(get(name, accept_encoding="gzip"))
            middleware._worker.submit(int).result(10)
    assert all(body == script for _, _, body in other) and len(paths) == 11
    monkeypatch.setattr(static_files, "MOST_SCRIPTS", 1)
    for _ in range(2):
        assert "content-encoding" not in get("/static/more.js", accept_encoding="gzip")[1], "one is kept already"
        middleware._worker.submit(int).result(10)


def test_plotly_is_served_under_the_name_of_its_version():
    site = Starlette(routes=static_files.routes())
    status, headers, body = answer(site, f"/{static_files.PLOTLY}", accept_encoding="gzip")
    assert status == 200 and "immutable" in headers["cache-control"]
    assert f"plotly.js v{offline.get_plotlyjs_version()}".encode() in gzip.decompress(body)[:500]
    assert static_files.PLOTLY in component._entry()


def cookie(scheme="http", accept="text/html,*/*", **headers):
    """The cookie that a browser with these headers is given, None without one."""
    scope = {**asked(accept=accept, **headers), "scheme": scheme}
    told, *_ = loop.run(messages(static_files.number_browsers(Site(200)), scope))
    return dict(told["headers"]).get(b"set-cookie", b"").decode() or None


def test_a_browser_gets_a_random_number_and_keeps_it(monkeypatch):
    first, second = cookie(), cookie()
    assert first.startswith(f"{sessions.COOKIE}=") and first != second and "HttpOnly" in first and "Lax" in first
    number = first.partition(";")[0]
    others = ("a=b", "svm_lab_process=1")
    assert cookie(cookie="; ".join((*others, number))) == first  # for longer: a lecture may go on
    for wrong in (f"{sessions.COOKIE}=me", f"{sessions.COOKIE}={'x' * 400}", f"not_{number}", f"{sessions.COOKIE}="):
        assert cookie(cookie=wrong).partition(";")[0] not in (wrong, number)
    assert cookie(accept="image/png") is None
    assert "SameSite=Lax" in cookie("https"), "no site may show the app in a frame"
    monkeypatch.setattr(static_files.gate, "FRAMES", ("https://lms.example.org",))
    assert "SameSite=Lax" in cookie()
    for inside in (cookie("https"), cookie(x_forwarded_proto="https")):
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

    loop.run(
        sessions.note_websockets(app)({"type": "websocket", "headers": headers, "client": (socket, 1)}, None, None)
    )
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
