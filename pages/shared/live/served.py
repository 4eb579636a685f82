"""What the server adds to Streamlit's answers: how long browsers may keep the files of our component (without limit,
since their address changes with their content), and a random number by which a browser has one vote in a room.
"""

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "svm_lab_browser"
KEPT = "public, immutable, max-age=31536000"
_HASHED = re.compile(r"/component/[^/]*-[0-9a-f]{8}/[^/]+$")


class Kept:
    """Middleware: Streamlit lets a browser ask again for a component's files with every visit, these need not."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers as the app does, with the header for files whose folder is named after their content."""
        if scope["type"] != "http" or not _HASHED.search(scope["path"]):
            return await self.app(scope, receive, send)

        async def kept(message: Message):
            if message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)["Cache-Control"] = KEPT
            await send(message)

        await self.app(scope, receive, kept)


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


MIDDLEWARE = [Middleware(Kept), Middleware(Browser)]
