"""What the server adds to the files that it serves: how long browsers keep those of our component, which files a
page needs, so that they are fetched at once instead of one after the other, where its server is, Streamlit's own
scripts compressed, and a random number by which a browser has one vote in a room.
"""

import re
import secrets
from pathlib import Path
from string import Template

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared import warm
from pages.shared.traffic import COOKIE

KEPT = "public, immutable, max-age=31536000"
STYLE = Path(__file__).parents[1] / "frame.css"
HOST = "/_stcore/host-config"
# Streamlit reads this before it connects. Without it, it first asks at two addresses whether the server is there.
CONNECT = Template(
    "<script>window.__streamlit={BACKEND_BASE_URL:new URL('.',location).href,HOST_CONFIG:$host}</script>"
)
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
    """Middleware: the document of a page has its style, and names the server and the files it will need, before any
    script asks for them.

    Streamlit's own middleware, which lies within, would compress the document: it is asked for it as it is.
    """

    def __init__(self, app: ASGIApp):
        self.app = app
        self._host = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, with more in a whole document."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            return await self.app(scope, receive, send)
        start, content = None, b""

        async def added(message: Message):
            nonlocal start, content
            if message["type"] == "http.response.start" and _is(message, "text/html"):
                start = message
            elif start is None:
                await send(message)
            else:
                content += message.get("body", b"")
                if not message.get("more_body"):
                    content = _filled(content, await self._connection(scope))
                    await send(_resized(start, content))
                    await send({"type": "http.response.body", "body": content})

        await self.app({**scope, "headers": _plain(scope["headers"])}, receive, added)

    async def _connection(self, scope):
        """The script that tells a browser where its server is, with what the server says of itself; asked once."""
        if not self._host:
            json, parts = False, []

            async def told(message: Message):
                nonlocal json
                if message["type"] == "http.response.start":
                    json = _is(message, "application/json")
                elif json:
                    parts.append(message["body"])

            path = scope["path"].rpartition("/")[0] + HOST
            await self.app({**scope, "path": path, "raw_path": path.encode(), "headers": []}, _nothing, told)
            self._host = b"".join(parts).decode()
        return CONNECT.substitute(host=self._host) if self._host else ""


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


def _is(message, kind):
    return message["status"] == 200 and Headers(scope=message).get("content-type", "").startswith(kind)


def _filled(content, script):
    """The document with the script and links in its head; the style lies below what Streamlit adds to the head."""
    head = "".join([script, *map(_link, warm.needed()), "</head>"]).encode()
    style = b"<style>%s</style></body>" % STYLE.read_bytes()
    return content.replace(b"</head>", head, 1).replace(b"</body>", style, 1)


def _plain(headers):
    """The headers of a browser that takes nothing compressed."""
    return [pair for pair in headers if pair[0] != b"accept-encoding"]


async def _nothing():
    return {"type": "http.request", "body": b"", "more_body": False}


def _link(path):
    """A link to a file of this server, from a document in its root as Streamlit's own.

    What draws the pictures is run while Streamlit's own code is still on its way.
    """
    if path.endswith("/view.js"):
        return f'<script type="module" crossorigin async src="./{path}"></script>'
    if path.endswith(".js"):
        return f'<link rel="modulepreload" crossorigin href="./{path}">'
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
