"""What the server adds to Streamlit: its preparation begins at once, and browsers keep the files of our component."""

import loop
import pytest

from pages.shared import warm
from pages.shared.live import served
from pages.shared.parts import room
from pages.shared.plane import plane


def asked(path, status=200):
    """The headers of the answer to a request, where the server itself says that nothing is to be kept."""

    async def server(scope, receive, send):
        headers = [(b"cache-control", b"public")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    sent = []

    async def send(message):
        sent.append(message)

    loop.run(served.Kept(server)({"type": "http", "path": path}, None, send))
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return dict(sent[0]["headers"])


@pytest.mark.parametrize("base", ["", "/lab"])
def test_a_file_whose_address_changes_with_its_content_is_kept_without_limit(base):
    entry = plane._entry()
    folder = entry[entry.index("component/") :].partition("/${")[0]
    assert asked(f"{base}/{folder}/plane.js") == {b"cache-control": served.KEPT.encode()}


def test_other_files_and_refusals_are_not():
    for path, status in (
        ("/component/plotlyjs/plotly.min.js", 200),
        ("/", 200),
        ("/component/a.plane-01234567/x.js", 404),
    ):
        assert asked(path, status) == {b"cache-control": b"public"}


def test_the_preparation_begins_with_the_server(monkeypatch):
    begun = []
    monkeypatch.setattr(warm, "start", lambda: begun.append(True))

    async def serve():
        async with warm.lifespan(None):
            assert begun == [True]

    loop.run(serve())


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
    assert room.COOKIE == served.COOKIE
    assert cookie([html, ("cookie", first.partition(";")[0])]) is None and cookie([("accept", "image/png")]) is None
    for inside in (cookie([html], scheme="https"), cookie([html, ("x-forwarded-proto", "https")])):
        assert "SameSite=None; Secure; Partitioned" in inside
