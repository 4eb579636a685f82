"""The gate before Streamlit: origins, sums of uploads, and headers."""

import asyncio
import runpy
import time

import loop
import pytest
from loop import Site, asked, messages
from starlette.requests import HTTPConnection
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.shared.server import gate, js_bundle, sessions, static_files

OURS = {"server.enableCORS": True, "server.corsAllowedOrigins": [], "browser.serverAddress": "localhost"}
HERE = {"host": "here:8501"}


@pytest.fixture
def options(monkeypatch):
    """Streamlit's options, which a test may change."""
    known = {**OURS, "server.disconnectedSessionTTL": 0.02}
    monkeypatch.setattr(gate.st, "get_option", known.__getitem__)
    return known


async def answer(app, scope):
    """The first message of the app's answer."""
    return (await messages(app, scope))[0]


# ------------------------------------------------------------------------------------------ origins


@pytest.mark.parametrize("origin", ["http://elsewhere:8501", "http://here", "http://here:8502", "null", "humbug", ""])
def test_a_websocket_of_another_site_is_refused_before_streamlit_sees_it(origin, options):
    site = Site()
    refused = loop.run(answer(gate.refuse_other_sites(site), asked("websocket", origin=origin, **HERE)))
    assert (refused["type"], site.asked) == ("websocket.close", [])


@pytest.mark.parametrize(
    "headers, changed",
    [
        ({"origin": "http://here:8501"}, {}),
        ({"origin": "https://Lab.example.org", "x-forwarded-host": "lab.example.org"}, {}),
        ({"origin": "https://lab.example.org"}, {"browser.serverAddress": "lab.example.org"}),
        ({"origin": "https://proxy.example.org"}, {"server.corsAllowedOrigins": ["https://proxy.example.org/"]}),
        ({"origin": "http://elsewhere"}, {"server.enableCORS": False}),
        ({}, {}),
    ],
)
def test_one_of_ours_is_not_asked_again(headers, changed, options):
    """Streamlit gets no Origin: it would look up its address in the internet for one that is not its Host."""
    options |= changed
    site = Site()
    pairs = {name.replace("-", "_"): value for name, value in headers.items()}
    said = loop.run(answer(gate.refuse_other_sites(site), asked("websocket", **pairs, **HERE)))
    assert said["type"] == "websocket.accept"
    assert "origin" not in {name.decode() for name, _ in site.asked[0]["headers"]}


def test_a_request_of_another_site_is_answered_as_any_other(options):
    site = Site(200)
    assert loop.run(answer(gate.refuse_other_sites(site), asked(origin="http://elsewhere", **HERE)))["status"] == 200
    assert [name for name, _ in site.asked[0]["headers"]] == [b"host"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_cookie_of_backslashes_does_not_stop_the_server(kind, options):
    """Python up to 3.11.9 and 3.12.5 takes the square of its length, 36 s for 50 kB."""
    site = Site(200)
    cookie = 'a="' + '\\"' * 25_000 + '"; b=c%20d'
    loop.run(answer(gate.refuse_other_sites(site), asked(kind, cookie=cookie, **HERE)))
    begun = time.process_time()
    assert HTTPConnection(site.asked[0]).cookies["b"] == "c%20d" and time.process_time() - begun < 1.0


def heard(*said):
    """(what Streamlit hears of these messages, what the browser is told, the seconds that this takes)."""
    coming, heard, told = iter([*({"bytes": one} for one in said), {"text": "?"}]), [], []

    async def receive():
        return next(coming)

    async def site(scope, receive, send):
        while not heard or "bytes" in heard[-1]:
            heard.append(await receive())

    async def send(message):
        told.append(message)

    app = site
    for one in reversed(gate.MIDDLEWARE):
        app = one.cls(app)
    begun = time.monotonic()
    loop.run(app(asked("websocket"), receive, send))
    return heard, told, time.monotonic() - begun


RERUN = BackMsg(rerun_script={"query_string": "C=1"}).SerializeToString()


@pytest.mark.parametrize("command", ["clear_cache", "load_git_info"])
def test_a_browser_cannot_clear_what_all_share_or_ask_git(command):
    """A thousand questions about git, 4 kB, let nobody be answered for ten seconds."""
    found, told, _ = heard(BackMsg(**{command: True}).SerializeToString(), b"humbug", RERUN)
    assert found == [{"bytes": b"humbug"}, {"bytes": RERUN}, {"text": "?"}] and not told


def test_a_session_is_heard_at_a_pace(monkeypatch):
    """1.2 MB of short messages on 20 sockets let nobody be answered for 20 seconds; what is long counts for more."""
    monkeypatch.setattr(gate, "PACE", 200.0)
    monkeypatch.setattr(gate, "AT_ONCE", 10.0)
    assert heard(*[RERUN] * 31)[2] > 0.1
    with_text = BackMsg(rerun_script={"query_string": "x" * 20 * gate.LONG}).SerializeToString()
    with_controls = BackMsg(rerun_script={"widget_states": {"widgets": [{"id": "x"}] * 20 * gate.MANY}})
    for long in (with_text, with_controls.SerializeToString()):
        assert heard(long, long, RERUN)[2] > 0.1
    assert heard(*[b""] * 31)[2] > 0.1, "each is a line in the log"


MANY = gate.MOST_CONTROLS + 1
CROWDS = {
    "controls": BackMsg(rerun_script={"widget_states": {"widgets": [{"id": "x"}] * MANY}}).SerializeToString(),
    "files": BackMsg(file_urls_request={"file_names": ["x"] * MANY}).SerializeToString(),
    "what would take long to read": bytes(gate.LONGEST + 1),
}


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=CROWDS)
def test_a_message_with_more_than_a_page_has_ends_the_connection(crowd):
    """300 kB of names of files let nobody be answered for three seconds."""
    found, told, _ = heard(RERUN, crowd, RERUN)
    assert [one["type"] for one in found[1:] + told] == ["websocket.disconnect", "websocket.close"]
    assert found[0] == {"bytes": RERUN}


# ------------------------------------------------------------------------------------------ uploads


def put(session, file, megabytes, **headers):
    """An upload of so many megabytes, None for one that does not say how many."""
    length = {} if megabytes is None else {"content_length": str(int(megabytes * 1e6))}
    headers = {"content_type": "multipart/form-data; boundary=x", "x_xsrftoken": "one", **length, **headers}
    return asked(path=f"/lab{gate.UPLOADS}{session}/{file}", method="PUT", **headers)


@pytest.fixture
def present(monkeypatch, options):
    """The sessions whose browsers are here."""
    present = {"a", "b"}
    monkeypatch.setattr(sessions, "is_here", present.__contains__)
    monkeypatch.setattr(gate, "LOOK", 0.01)
    monkeypatch.setattr(gate, "OF_ALL", 100e6)
    monkeypatch.setattr(gate.cache, "process_megabytes", lambda: 100.0)
    return present


def test_the_files_of_a_session_and_of_all_have_sums_without_those_that_streamlit_refuses(present):
    async def upload():
        site = Site()
        uploads = gate.Uploads(site)

        async def status(*file):
            return (await answer(uploads, put(*file)))["status"]

        assert [await status("a", f"f{k}", 20) for k in range(4)] == [204, 204, 204, 413]
        assert await status("a", "f0", 20) == 204, "in the place of another one"
        assert [await status("b", f"f{k}", 20) for k in range(3)] == [204, 204, 413], "of all sessions"
        assert len(site.asked) == 6, "what is refused is not read"
        assert (await answer(uploads, {**put("a", "f1", 0), "method": "DELETE"}))["status"] == 204
        assert await status("b", "f2", 20) == 204
        assert await status("c", "f0", 1) == 400, "a session without a page"
        assert await status("a", "f9", None) == 411
        chunked = put("a", "f9", 0.1, transfer_encoding="chunked")
        assert (await answer(uploads, chunked))["status"] == 411, "it may be longer than it says"
        assert (await answer(uploads, {**put("a", "f0", 0), "method": "DELETE"}))["status"] == 204
        assert await status("a", "f8", 0.1) == 204
        gate.cache.process_megabytes = lambda: gate.cache.MOST + 1
        assert await status("a", "f9", 0.1) == 413

    async def refused():
        uploads = gate.Uploads(Site(403))
        assert [(await answer(uploads, put("a", f"f{k}", 20)))["status"] for k in range(9)] == [403] * 9
        assert uploads.total == 0

    loop.run(refused())
    loop.run(upload())


def test_small_files_count_too_and_another_kind_of_form_is_not_read(present):
    """4000 files of one byte took 575 MB; 20 MB of "&" half a minute."""

    async def upload():
        uploads = gate.Uploads(Site())
        small = [(await answer(uploads, put("a", f"f{k}", 1e-6)))["status"] for k in range(301)]
        assert small == [204] * 300 + [413]
        form = put("b", "f0", 1, content_type="application/x-www-form-urlencoded")
        assert (await answer(uploads, form))["status"] == 415

    loop.run(upload())


def test_a_refusal_begins_before_the_file_has_come(present):
    """A client that waits for leave to send (100-continue) then sends nothing."""
    told = []

    async def receive():
        told.append("read")
        return {"type": "http.request"}

    async def send(message):
        told.append(message.get("status", "body"))

    loop.run(gate.Uploads(Site())(put("a", "f0", 1000), receive, send))
    assert told == [413, "body", "read", "body"]


def test_the_files_of_a_session_that_has_left_are_removed(present):
    async def upload():
        site = Site()
        uploads = gate.Uploads(site)
        for file in ("f0", "f1"):
            await answer(uploads, put("a", file, 20))
        await asyncio.sleep(0.1)
        assert uploads.total == 40e6, "its browser is here"
        present.discard("a")
        async with asyncio.timeout(20):
            while len(site.asked) < 4:
                await asyncio.sleep(0.01)
        removed = [(scope["method"], scope["path"][-2:]) for scope in site.asked[2:]]
        assert removed == [("DELETE", "f0"), ("DELETE", "f1")]
        assert (b"x-xsrftoken", b"one") in site.asked[2]["headers"] and uploads.total == 0

    loop.run(upload())


# ------------------------------------------------------------------------------------------ headers


def headers_of(scope, *headers):
    return loop.run(answer(gate.protect(Site(200, headers)), scope))["headers"]


def test_every_answer_has_headers_that_refuse_what_no_page_does(monkeypatch):
    page = dict(headers_of(asked(), (b"content-type", b"text/html; charset=utf-8")))
    file = dict(headers_of(asked(), (b"content-type", b"text/javascript")))
    for told in (page, file):
        assert told[b"x-content-type-options"] == b"nosniff" and told[b"referrer-policy"] == b"same-origin"
    assert b"frame-ancestors 'self'" in page[b"content-security-policy"] and b"content-security-policy" not in file
    monkeypatch.setenv("SVM_LAB_FRAMES", "https://lms.example.org")
    assert "frame-ancestors 'self' https://lms.example.org" in runpy.run_path(gate.__file__)["POLICY"].split("; ")


def test_a_large_answer_is_sent_in_parts():
    """The server waits between them until the browser has read: 100 that read nothing took 380 MB."""
    body = bytes(range(256)) * 3000
    _, *parts = loop.run(messages(gate.protect(Site(200, body=body)), asked()))
    assert b"".join(part["body"] for part in parts) == body and len(parts) == 5
    assert max(len(part["body"]) for part in parts) <= gate.PART
    assert [part.get("more_body", False) for part in parts] == [True] * 4 + [False]


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_kept_to_the_site(secure):
    scope = asked(x_forwarded_proto="https" if secure else "http")
    given = ((b"set-cookie", b"_streamlit_xsrf=1; Path=/"), (b"set-cookie", b"b=2; SameSite=None; Secure"))
    first, second = (value for name, value in headers_of(scope, *given) if name == b"set-cookie")
    assert first == b"_streamlit_xsrf=1; Path=/; SameSite=Lax" + b"; Secure" * secure
    assert second == given[1][1]


def test_the_app_stands_behind_all_of_it(options):
    site = Site(200, [(b"content-type", b"text/html")])

    async def server(scope, receive, send):
        assert scope["type"] != "websocket" or "k9" in sessions._open
        await site(scope, receive, send)

    for middleware in reversed(static_files.MIDDLEWARE):
        server = middleware.cls(server)
    said = loop.run(answer(server, asked("websocket", origin="http://elsewhere", **HERE)))["type"]
    status = loop.run(answer(server, put("nobody", "f0", 1)))["status"]
    assert (said, status, site.asked) == ("websocket.close", 400, [])
    assert loop.run(answer(server, asked("websocket", sec_websocket_key="k9")))["type"] == "websocket.accept"
    told = dict(loop.run(answer(server, asked(accept="text/html")))["headers"])
    assert b"content-security-policy" in told and told[b"set-cookie"].startswith(sessions.COOKIE.encode())
    begin = {"type": "lifespan"}  # it has no path: middleware that fails on it leaves everything unprepared, in silence
    loop.run(answer(server, begin))
    assert site.asked[-1] == begin


# ------------------------------------------------------------------------------------------ loops of sessions


def test_the_loop_of_a_session_that_has_left_is_closed(monkeypatch):
    monkeypatch.setattr(sessions, "AWAY", 0.01)
    for name in ("_open", "_handshakes", "_loops"):
        monkeypatch.setattr(sessions, name, type(getattr(sessions, name))())
    one, two = asyncio.new_event_loop(), asyncio.new_event_loop()

    async def leave():
        sessions._handshakes |= {"gone": "k1", "back": "k1"}
        sessions._loops["gone"], sessions._loops["back"] = one, two
        await answer(sessions.note_websockets(Site()), asked("websocket", sec_websocket_key="k1"))
        sessions._handshakes["back"] = "k2"
        sessions._open["k2"] = ""
        await asyncio.sleep(0.1)

    loop.run(leave())
    assert one.is_closed() and not two.is_closed()
    two.close()


def test_a_browser_that_asks_whether_a_socket_is_open_is_answered_before_the_app():
    heard, said = [], []
    coming = [
        {"type": "websocket.receive", **told} for told in ({"text": sessions.PULSE}, {"bytes": b"a"}, {"text": "b"})
    ]

    async def app(scope, receive, send):
        heard.extend([await receive(), await receive()])

    async def receive():
        return coming.pop(0)

    async def send(message):
        said.append(message["text"])

    loop.run(sessions.note_websockets(app)(asked("websocket", sec_websocket_key="k1"), receive, send))
    assert [message.get("bytes", message.get("text")) for message in heard] == [b"a", "b"] and said == [sessions.PULSE]
    assert f'"{sessions.PULSE}"' in js_bundle.script()
