"""What the server adds to the files that it serves: how long browsers keep those of our component, which files a
page needs, so that they are fetched at once instead of one after the other, Streamlit's own scripts compressed, and a
random number by which a browser has one vote in a room.
"""

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared import warm
from pages.shared.traffic import COOKIE

KEPT = "public, immutable, max-age=31536000"
_HASHED = re.compile(r"/component/[^/]*-[0-9a-f]{8}/[^/]+$")
_SCRIPT = re.compile(r"/(static/js/[\w.-]+\.js)$")


class Kept:
    """Middleware: Streamlit lets a browser ask again for a component's files with every visit, these need not."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, with the header for files whose folder is named after their content."""
        if scope["type"] != "http" or not _HASHED.search(scope["path"]):
            return await self.app(scope, receive, send)
        await self.app(scope, receive, _with(send, "Cache-Control", KEPT))


class Browser:
    """Middleware: gives a browser that opens a page a cookie with a random number, for a day."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, with the cookie for a page and a browser that has none."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        asks = "text/html" in headers.get("accept", "") and f"{COOKIE}=" not in headers.get("cookie", "")
        if not asks:
            return await self.app(scope, receive, send)
        secure = "https" in (scope.get("scheme"), headers.get("x-forwarded-proto"))
        inside = "SameSite=None; Secure; Partitioned" if secure else "SameSite=Lax"  # in the frame of another site

        async def marked(message: Message):
            if message["type"] == "http.response.start" and message["status"] == 200:
                value = f"{COOKIE}={secrets.token_urlsafe(16)}; Path=/; Max-Age=86400; HttpOnly; {inside}"
                MutableHeaders(scope=message).append("Set-Cookie", value)
            await send(message)

        await self.app(scope, receive, marked)


class Ahead:
    """Middleware: the document of a page names the files it will need, before any script has asked for them."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, with links at the end of the head of a whole document."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            return await self.app(scope, receive, send)
        start, content = None, b""

        async def added(message: Message):
            nonlocal start, content
            if message["type"] == "http.response.start" and _is_document(message):
                start = message
            elif start is None:
                await send(message)
            else:
                content += message.get("body", b"")
                if not message.get("more_body"):
                    await send(_resized(start, content := _linked(content)))
                    await send({"type": "http.response.body", "body": content})

        await self.app(scope, receive, added)


class Compressed:
    """Middleware: Streamlit sends its scripts as they are, eight megabytes a reader, which a classroom has to share."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers in place of the app for a script that has been compressed, where the browser takes gzip."""
        found = _SCRIPT.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        body = warm.compressed.get(found[1]) if found else None
        if body is None or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return await self.app(scope, receive, send)
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Cache-Control": KEPT}
        await Response(body, headers=headers, media_type="text/javascript")(scope, receive, send)


def _with(send, name, value):
    """`send`, with a header for what is found."""

    async def sends(message: Message):
        if message["type"] == "http.response.start" and message["status"] == 200:
            MutableHeaders(scope=message)[name] = value
        await send(message)

    return sends


def _is_document(message):
    return message["status"] == 200 and Headers(scope=message).get("content-type", "").startswith("text/html")


def _linked(content):
    return content.replace(b"</head>", "".join(map(_link, warm.needed())).encode() + b"</head>", 1)


def _link(path):
    """A link to a file of this server, from a document in its root as Streamlit's own."""
    if path.endswith(".js"):
        rank = ' fetchpriority="low"' if "PlotlyChart" in path else ""  # the largest by far, and the last to be run
        return f'<link rel="modulepreload" crossorigin href="./{path}"{rank}>'
    kind = 'as="style"' if path.endswith(".css") else 'as="fetch" crossorigin'
    return f'<link rel="preload" {kind} href="./{path}">'


def _resized(start, content):
    """The start of the answer for another content, of which a browser may not keep an older one."""
    headers = MutableHeaders(scope=start)
    headers["content-length"] = str(len(content))
    for name in ("etag", "last-modified"):
        if name in headers:
            del headers[name]
    return start


MIDDLEWARE = [Middleware(Kept), Middleware(Browser), Middleware(Ahead), Middleware(Compressed)]
