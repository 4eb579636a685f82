"""Files that the server adds to what Streamlit serves: the script of our component and plotly.js, the style of the
pages in their document, scripts compressed, and a random number by which a browser has one vote in a room.
"""

import gzip
import re
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import plotly
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server import gate, js_bundle, sessions

REMEMBERED = 180 * 86400  # seconds for which a browser keeps its number, from its last visit on: as long as its points
KEPT = "public, immutable, max-age=31536000"
STYLE = Path(__file__).parents[1] / "page" / "page.css"
PLOTLY = f"plotly-{plotly.__version__}.js"  # path of plotly.js below the server's root
LEVEL = 5  # of compression: the next one takes twice the time for a hundredth of the size
MOST_SCRIPTS = 400  # that are kept compressed
KINDS = ("text/javascript", "application/javascript", "text/css")  # a script has either name, as the system says


def below_base(path: str) -> str:
    """The path of a route of the app: Streamlit does not put these below its base path."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


def routes() -> list[Route]:
    """The routes of our scripts, which a browser keeps without limit: their names change with their content."""
    return [_route(js_bundle.path(), js_bundle.gzip_script), _route(PLOTLY, plotly_script)]


def _route(path, compressed: Callable[[], bytes]):
    def script(request: Request) -> Response:  # in a thread: to compress plotly.js takes a moment
        return _compressed_answer(KINDS[0], compressed(), request.headers)

    return Route(below_base(path), script)


@lru_cache(1)
def plotly_script() -> bytes:
    """The text of plotly.js by gzip."""
    from plotly.offline import get_plotlyjs  # here: it takes 0.4 s

    return gzip.compress(get_plotlyjs().encode())  # at its best: it is compressed once, in the background


_decompressed = lru_cache(2)(gzip.decompress)  # once for all who do not read what they have asked for


def _compressed_answer(kind, body, asked):
    """The answer with a file that is compressed, for these headers of a request."""
    headers = {"Vary": "Accept-Encoding", "Cache-Control": KEPT}
    if "gzip" in asked.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        body = _decompressed(body)
    return Response(body, headers=headers, media_type=kind)


@sessions.middleware
async def number_browsers(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: gives a browser that opens a page a cookie with a random number, or the one it has for longer."""
    if not _wants_page(scope):
        return await app(scope, receive, send)
    known = Request(scope).cookies.get(sessions.COOKIE, "")
    number = known if re.fullmatch(r"[\w-]{22}", known, re.ASCII) else secrets.token_urlsafe(16)
    # in the frame of another site
    inside = "SameSite=None; Secure; Partitioned" if gate.FRAMES and gate.is_secure(scope) else "SameSite=Lax"

    async def add_cookie(message: Message):
        if message["type"] == "http.response.start" and message["status"] == 200:
            value = f"{sessions.COOKIE}={number}; Path=/; Max-Age={REMEMBERED}; HttpOnly; {inside}"
            MutableHeaders(scope=message).append("Set-Cookie", value)
        await send(message)

    await app(scope, receive, add_cookie)


@sessions.middleware
async def complete_document(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Middleware: the document of a page has its style, and names our script before any other script asks for it.

    Streamlit's own middleware, which lies within, would compress the document: it is asked for it as it is.
    """
    if not _wants_page(scope):
        return await app(scope, receive, send)
    start, content = None, b""

    async def add_head(message: Message):
        nonlocal start, content
        if message["type"] == "http.response.start" and _is(message, "text/html"):
            start = message
        elif start is None:
            await send(message)
        else:
            content += message.get("body", b"")
            if not message.get("more_body"):
                content = _insert_head(content)
                headers = MutableHeaders(scope=start)
                headers["content-length"] = str(len(content))
                del headers["etag"], headers["last-modified"]  # of the document without our additions
                await send(start)
                await send({"type": "http.response.body", "body": content})

    plain = [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]
    await app({**scope, "headers": plain}, receive, add_head)


class Compressed:
    """Middleware: Streamlit sends scripts and styles as they are, three megabytes a reader, which a class has to share.

    A script is compressed after it has been sent for the first time.
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self._answers: dict[str, tuple[str, bytes] | None] = {}  # kind and body by path, None while it is compressed
        self._worker = ThreadPoolExecutor(1, "compress")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers in place of the app for a script that has been compressed, where the browser takes gzip."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _is_script(scope["path"]):
            return await self.app(scope, receive, send)
        path, asked = scope["path"], Headers(scope=scope)
        if "range" in asked:
            return await self.app(scope, receive, send)
        if (known := self._answers.get(path)) and "gzip" in asked.get("accept-encoding", ""):
            return await _compressed_answer(*known, asked)(scope, receive, send)
        parts: list[bytes] | None = None
        kind = ""

        async def copy_script(message: Message):
            nonlocal parts, kind
            if message["type"] == "http.response.start":
                wanted = path not in self._answers and len(self._answers) < MOST_SCRIPTS
                parts = [] if wanted and _is(message, KINDS) else None
                kind = Headers(scope=message).get("content-type", "")
            elif parts is not None:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    self._answers[path] = None
                    self._worker.submit(self._compress, path, kind, b"".join(parts))
            await send(message)

        await self.app(scope, receive, copy_script)

    def _compress(self, path, kind, body):
        self._answers[path] = kind, gzip.compress(body, LEVEL)


def _wants_page(scope):
    return scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")


def _is_script(path):
    """True for the path of a script as browsers spell it: under each other one, as with "./" in it, it would be kept
    once more.
    """
    return "/static/" in path and path.endswith((".js", ".css")) and not {"", "."} & {*path[1:].split("/")}


def _is(message, kind):
    headers = Headers(scope=message)
    plain = "content-encoding" not in headers
    return message["status"] == 200 and plain and headers.get("content-type", "").startswith(kind)


def _insert_head(content):
    """The document with our script in its head; the style lies below what Streamlit adds to the head.

    What draws the pictures is run while Streamlit's own code is still on its way.
    """
    script = f'<script type="module" crossorigin async fetchpriority="high" src="./{js_bundle.path()}"></script>'
    style = b"<style>%s</style></body>" % STYLE.read_bytes()
    return content.replace(b"<head>", f"<head>{script}".encode(), 1).replace(b"</body>", style, 1)


OWN = (sessions.note_websockets, number_browsers, complete_document, Compressed)
MIDDLEWARE = [*gate.MIDDLEWARE, *map(Middleware, OWN)]
