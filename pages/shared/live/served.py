"""How browsers may keep the files of our component: without limit, since their address changes with their content."""

import re

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


MIDDLEWARE = [Middleware(Kept)]
