"""What the server adds to what Streamlit serves: the script of our component, which files a page needs, so that they
are fetched at once instead of one after the other, where its server is, Streamlit's own scripts compressed, and a
random number by which a browser has one vote in a room.
"""

import re
import secrets
from pathlib import Path
from string import Template

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared import bundle, traffic, warm
from pages.shared.traffic import COOKIE

KEPT = "public, immutable, max-age=31536000"
STYLE = Path(__file__).parents[1] / "frame.css"
HOST = "/_stcore/host-config"
# Streamlit reads this before it connects. Without it, it first asks at two addresses whether the server is there.
CONNECT = Template(
    "<script>window.__streamlit={BACKEND_BASE_URL:new URL('.',location).href,HOST_CONFIG:$host}</script>"
)
_SCRIPT = re.compile(r"/(static/js/[\w.-]+\.js)$")


def routes() -> list[Route]:
    """The route of the component's script, which a browser keeps without limit: its name changes with its content."""

    async def script(request: Request) -> Response:
        headers = {"Vary": "Accept-Encoding", "Cache-Control": KEPT}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(bundle.script(), headers=headers, media_type="text/javascript")
        headers["Content-Encoding"] = "gzip"
        return Response(bundle.compressed(), headers=headers, media_type="text/javascript")

    return [Route(traffic.below_base(bundle.path()), script)]


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


def _is(message, kind):
    return message["status"] == 200 and Headers(scope=message).get("content-type", "").startswith(kind)


def _filled(content, script):
    """The document with the script and links in its head; the style lies below what Streamlit adds to the head."""
    head = "".join(["<head>", script, *map(_link, warm.needed())]).encode()
    style = b"<style>%s</style></body>" % STYLE.read_bytes()
    return content.replace(b"<head>", head, 1).replace(b"</body>", style, 1)


def _plain(headers):
    """The headers of a browser that takes nothing compressed."""
    return [pair for pair in headers if pair[0] != b"accept-encoding"]


async def _nothing():
    return {"type": "http.request", "body": b"", "more_body": False}


def _link(path):
    """A link to a script of this server, from a document in its root as Streamlit's own.

    What draws the pictures is run while Streamlit's own code is still on its way.
    """
    if path == bundle.path():
        return f'<script type="module" crossorigin async fetchpriority="high" src="./{path}"></script>'
    return f'<link rel="modulepreload" crossorigin href="./{path}">'


def _resized(start, content):
    """The start of the answer for another content, of which a browser may not keep an older one."""
    headers = MutableHeaders(scope=start)
    headers["content-length"] = str(len(content))
    for name in ("etag", "last-modified"):
        if name in headers:
            del headers[name]
    return start


MIDDLEWARE = [Middleware(Browser), Middleware(Ahead), Middleware(Compressed)]
