"""The gate before Streamlit: which sites may ask, and for what, how much readers may upload, and what browsers are told
to refuse.

Another site is one whose name is neither that of the request (Host, or X-Forwarded-Host behind a proxy) nor in
Streamlit's options `server.corsAllowedOrigins` and `browser.serverAddress`. Streamlit itself would look up the address
of the server in the internet before it refuses, and no reader is answered meanwhile.
"""

import asyncio
import os
import time
from collections import defaultdict
from contextlib import suppress
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.shared.server import cache, sessions

FRAMES = tuple(os.environ.get("SVM_LAB_FRAMES", "").split())  # sites whose pages may show the app in a frame
FOREIGN, TOO_LONG = 1008, 1009  # the codes with which a websocket is closed
# what browsers say that no page of the app offers: it would forget what all sessions share, or stop them all for git
COMMANDS = ("clear_cache", "load_git_info")
PACE = 20.0  # messages a second of a session: one takes the server half a millisecond, or more if it is long
AT_ONCE = 120.0  # messages that may come at once
LONG = 200_000  # bytes that count as another message,
MANY = 100  # and controls that do
MOST_CONTROLS = 5000  # in a message, with the files that it names
LONGEST = 6_000_000  # bytes of a message that is read; hand-ins that are pasted have 4 MB
UPLOADS = "/_stcore/upload_file/"
OF_SESSION = 60e6  # bytes of the files that a session has uploaded and not removed
LEAST = 200_000  # bytes for which a file counts: its request is kept, with headers of up to 64 kB
OF_ALL = cache.MOST / 4 * 1e6  # of those of all sessions
LOOK = 5.0  # seconds between two looks whether a session with files has left
PART = 200_000  # bytes of an answer that are sent at once: what a browser does not read waits in memory
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",  # Streamlit writes scripts into the document
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        " ".join(("frame-ancestors 'self'", *FRAMES)),
    )
)


def is_secure(scope: Scope) -> bool:
    """True if the browser asks over HTTPS, also where a proxy ends it."""
    return "https" in (scope.get("scheme"), Headers(scope=scope).get("x-forwarded-proto"))


@sessions.middleware
async def refuse_other_sites(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: a websocket from another site is closed before it is accepted, which is status 403, and Streamlit
    never sees where a request comes from.

    Backslashes of cookies are not passed on, either: Python 3.11.7 reads 50 kB of them in 36 s, and ours have none.
    """
    if scope["type"] in ("http", "websocket"):
        headers = Headers(scope=scope)
        if scope["type"] == "websocket" and "origin" in headers and not is_ours(headers):
            return await send({"type": "websocket.close", "code": FOREIGN, "reason": ""})
        kept = [(name, value) for name, value in scope["headers"] if name != b"origin"]
        kept = [(name, value.replace(b"\\", b"") if name == b"cookie" else value) for name, value in kept]
        scope = {**scope, "headers": kept}
    await app(scope, receive, send)


def is_ours(headers: Headers) -> bool:
    """True if the page that asks is one of this server, or of a site that the configuration names."""
    if not st.get_option("server.enableCORS"):
        return True
    origin = urlsplit(headers["origin"].lower())
    listed = {site.lower().rstrip("/") for site in st.get_option("server.corsAllowedOrigins")}
    hosts = {headers.get(name, "").lower() for name in ("host", "x-forwarded-host")} - {""}
    known = {st.get_option("browser.serverAddress")} - {"localhost"}
    return origin.netloc in hosts or headers["origin"].lower() in listed or origin.netloc.partition(":")[0] in known


@sessions.middleware
async def pace(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: what comes on a websocket for Streamlit is heard at a `PACE`, and without the `COMMANDS`."""
    due = 0.0  # when the last message would have come at that pace

    async def receive_in_turn():
        nonlocal due
        while True:
            await asyncio.sleep(due - time.monotonic())
            message = await receive()
            if (said := message.get("bytes")) is None:
                return message
            kind, controls = _read(said)
            due = max(due, time.monotonic() - AT_ONCE / PACE) + (1 + len(said) / LONG + controls / MANY) / PACE
            if controls > MOST_CONTROLS:
                await send({"type": "websocket.close", "code": TOO_LONG, "reason": ""})
                return {"type": "websocket.disconnect", "code": TOO_LONG}
            if kind not in COMMANDS:
                return message

    await app(scope, receive_in_turn if scope["type"] == "websocket" else receive, send)


def _read(said):
    """(kind of a message to Streamlit, number of controls and files in it); Streamlit ends the connection for what is
    none.
    """
    if len(said) > LONGEST:  # to read 28 MB of empty controls takes seconds, and a gigabyte
        return None, MOST_CONTROLS + 1
    with suppress(Exception):
        message = BackMsg.FromString(said)
        controls, files = message.rerun_script.widget_states.widgets, message.file_urls_request.file_names
        return message.WhichOneof("type"), len(controls) + len(files)
    return None, 0


class Uploads:
    """Middleware: bounds what sessions upload before it is read, and removes it after they have left.

    Only a session whose browser is here and has a page can upload. What it holds is released `server.
    disconnectedSessionTTL` seconds after it has left, since a browser may come back until then.
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self._held: dict[str, dict[str, tuple[int, Scope]]] = defaultdict(dict)  # by session and file
        self._followers: set[asyncio.Task] = set()

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return sum(size for files in self._held.values() for size, _ in files.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, or with a status of its own."""
        session, _, file = scope.get("path", "").rpartition(UPLOADS)[2].partition("/")
        if scope["type"] != "http" or UPLOADS not in scope["path"] or scope["method"] not in ("PUT", "DELETE"):
            return await self.app(scope, receive, send)
        if scope["method"] == "PUT":
            headers = Headers(scope=scope)
            length = "" if "transfer-encoding" in headers else headers.get("content-length", "")  # which it overrules
            size = max(int(length), LEAST) if length.isdigit() else None
            why, status = self._refusal(session, file, size, headers.get("content-type", ""))
            if why:
                return await _refuse(why, status, receive, send)
            if session not in self._held:
                follower = asyncio.create_task(self._follow(session))
                self._followers.add(follower)
                follower.add_done_callback(self._followers.discard)
            before = self._held[session].get(file)
            self._held[session][file] = size, scope
        done = False

        async def note(message: Message):
            nonlocal done
            done = done or message.get("status", 500) < 300
            await send(message)

        try:
            await self.app(scope, receive, note)
        finally:
            if scope["method"] == "DELETE" and done:
                self._held.get(session, {}).pop(file, None)
            elif scope["method"] == "PUT" and not done and session in self._held:
                self._held[session].pop(file, None)
                if before:
                    self._held[session][file] = before

    def _refusal(self, session, file, size, kind):
        """(why a file is refused, the status); ("", 0) if it is taken."""
        if size is None:
            return "The length of the file is missing.", 411
        if not kind.startswith("multipart/form-data"):  # the other kind of form is read byte by byte, for half a minute
            return "The file is not sent as browsers send one.", 415
        if not sessions.is_here(session):
            return "This session has no page.", 400
        others = {name: size for name, (size, _) in self._held.get(session, {}).items() if name != file}
        if sum(others.values()) + size > OF_SESSION:
            return f"Your files have more than {OF_SESSION / 1e6:.0f} MB in all: remove one, or reload the page.", 413
        if self.total + size > OF_ALL or cache.process_megabytes() > cache.MOST:
            return "The server's memory is full at the moment: try again in a minute.", 413
        return "", 0

    async def _follow(self, session):
        """Waits until a session has left for good, then removes its files by the request of its browser."""
        left = 0.0
        while left < st.get_option("server.disconnectedSessionTTL"):
            await asyncio.sleep(LOOK)
            left = 0.0 if sessions.is_here(session) else left + LOOK
        for _, scope in self._held.pop(session, {}).values():
            asked, told = asyncio.Queue(), asyncio.Queue()
            asked.put_nowait({"type": "http.request", "body": b""})
            await self.app({**scope, "method": "DELETE"}, asked.get, told.put)


async def _refuse(why, status, receive, send):
    """An answer before the file has come; what comes is dropped, as browsers read no answer before they have sent."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(why))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why.encode(), "more_body": True})
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.body", "body": b""})


@sessions.middleware
async def protect(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: headers by which browsers refuse what no page of the app does, and cookies kept to it; a large answer
    is sent as it is read.
    """
    if scope["type"] != "http":
        return await app(scope, receive, send)

    async def add_headers(message: Message):
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"
            if headers.get("content-type", "").startswith("text/html"):
                headers["Content-Security-Policy"] = POLICY
            message["headers"] = [_protect_cookie(name, value, scope) for name, value in message["headers"]]
        body = memoryview(message.get("body", b""))
        while len(body) > PART:
            await send({"type": "http.response.body", "body": bytes(body[:PART]), "more_body": True})
            body = body[PART:]
        await send({**message, "body": bytes(body)} if "body" in message else message)

    await app(scope, receive, add_headers)


def _protect_cookie(name, value, scope):
    """The header; a cookie goes to this site alone, and behind HTTPS only over HTTPS."""
    if name.lower() == b"set-cookie":
        parts = value.lower()
        value += b"; SameSite=Lax" * (b"samesite" not in parts)
        value += b"; Secure" * (is_secure(scope) and b"; secure" not in parts)
    return name, value


MIDDLEWARE = [*map(Middleware, (refuse_other_sites, pace, protect, Uploads))]
