"""Visitors of a page without browsers, who ask its live channel; over loopback, or without a server."""

import asyncio
import json
import time

import loop
import screen
import websockets
from starlette.websockets import WebSocketDisconnect, WebSocketState
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.live import channel as live_channel


class Visitor:
    """A session: `run` runs the page, which gives it the id of its `scene` and the payload of its point `editor`.

    `url` begins with ws, `socket` is its open stream, see `stream`.
    """

    def __init__(self, url, socket, page="playground"):
        self.url, self.socket, self.page = url, socket, page
        self.scene, self.editor = None, None

    async def run(self, query=""):
        """Seconds that a run of the page takes, until its last message."""
        begun = time.perf_counter()
        async for told in messages(self.socket, self.page, query):
            if shown := told.delta.new_element.bidi_component.bytes:
                sent = screen.unpacked(shown)
                self.scene = (sent.get("live") or {}).get("scene", self.scene)
                self.editor = sent if "editor" in sent else self.editor
        return time.perf_counter() - begun

    async def ask(self, live, moving, **question):
        """The answer on the open channel `live`, as bytes."""
        await live.send(json.dumps({"scene": self.scene, "moving": moving, **question}))
        return await live.recv()


def stream(url, **headers):
    """The socket of a session that is to be opened, at an address that begins with ws."""
    options = dict(max_size=None, open_timeout=120, additional_headers=headers)
    return websockets.connect(f"{url}/_stcore/stream", subprotocols=["streamlit"], **options)


async def messages(socket, page, query, pressed=""):
    """What a run of a page sends to a session, to its last message; `pressed` is the id of a button."""
    message = BackMsg()
    message.rerun_script.query_string, message.rerun_script.page_name = query, page
    if pressed:
        message.rerun_script.widget_states.widgets.add(id=pressed, trigger_value=True)
    await socket.send(message.SerializeToString())
    told = ForwardMsg()
    while told.WhichOneof("type") != "script_finished":
        told = ForwardMsg.FromString(await socket.recv())
        yield told


def channel(url):
    """The socket of the live channel that is to be opened."""
    return websockets.connect(f"{url}/live", max_size=None, open_timeout=120)


class Socket:
    """A websocket of starlette, without a server: what the browser says, and what it is told.

    It says each text when the one before is answered, or at once if it is `hasty`, and then stays for so many seconds.
    """

    def __init__(self, *questions, hasty=False, stays=0.0, address="127.0.0.1", **headers):
        self.texts = [q if isinstance(q, str) else json.dumps(q) for q in questions]
        self.hasty, self.stays, self.said, self.sent, self.closed = hasty, stays, 0, [], None
        self.scope = {"client": (address, 1), "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
        self.application_state = self.client_state = WebSocketState.CONNECTED

    async def accept(self):
        pass

    async def receive_text(self):
        while self.closed is None and not self.hasty and len(self.sent) < self.said:
            await asyncio.sleep(0.001)
        if self.closed is None and self.texts:
            self.said += 1
            return self.texts.pop(0)
        end = time.monotonic() + self.stays
        while self.closed is None and time.monotonic() < end:
            await asyncio.sleep(0.001)
        self.client_state = WebSocketState.DISCONNECTED
        raise WebSocketDisconnect(1000)

    async def send_bytes(self, data):
        self.sent.append(screen.unpacked(data))

    async def close(self, code):
        self.closed, self.application_state = code, WebSocketState.DISCONNECTED


def talk(*questions, **how):
    """The socket on which a browser has said this, alone."""
    socket = Socket(*questions, **how)
    talk_on(socket)
    return socket


def talk_on(*sockets):
    """The server hears these sockets, one shortly after the other, until all are over."""
    (route,) = live_channel.routes()

    async def all_of_them():
        talks = []
        for socket in sockets:
            talks.append(asyncio.ensure_future(route.endpoint(socket)))
            await asyncio.sleep(0.02)
        await asyncio.gather(*talks)

    loop.run(all_of_them())
