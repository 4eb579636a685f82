"""Coroutines in tests that share their process with an open browser, whose thread has an event loop already; and
middleware that is asked without a server, before a site that notes what it is asked.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """The result of the coroutine, awaited in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def asked(kind="http", path="/", method="GET", **headers):
    """The scope of a request; "_" in the name of a header stands for "-"."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": kind, "path": path, "method": method, "headers": pairs, "scheme": "http"}


class Site:
    """In the place of Streamlit: notes what it is asked, reads the body, and answers with this status and headers."""

    def __init__(self, status=204, headers=(), body=b""):
        self.status, self.headers, self.body, self.asked = status, headers, body, []

    async def __call__(self, scope, receive, send):
        self.asked.append(scope)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.accept"})
        await receive()
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers]})
        await send({"type": "http.response.body", "body": self.body[:9], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[9:]})


async def messages(app, scope):
    """What the app answers."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(scope, receive, send)
    return sent
