"""Visitors of a page without browsers, who ask its live channel; loopback only."""

import json
import time

import screen
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class Visitor:
    """A session: `run` runs the page, which gives it the id of its `scene` and the payload of its point `editor`.

    `url` begins with ws, `socket` is its open stream, see `stream`.
    """

    def __init__(self, url, socket, page="playground"):
        self.url, self.socket, self.page = url, socket, page
        self.scene, self.editor = None, None

    async def run(self, query=""):
        """Seconds that a run of the page takes, until its last message."""
        message = BackMsg()
        message.rerun_script.query_string, message.rerun_script.page_name = query, self.page
        begun = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(await self.socket.recv())
            if told.WhichOneof("type") == "script_finished":
                return time.perf_counter() - begun
            if shown := told.delta.new_element.bidi_component.bytes:
                sent = screen.unpacked(shown)
                self.scene = (sent.get("live") or {}).get("scene", self.scene)
                self.editor = sent if "editor" in sent else self.editor

    async def ask(self, live, moving, **question):
        """The answer on the open channel `live`, as bytes."""
        await live.send(json.dumps({"scene": self.scene, "moving": moving, **question}))
        return await live.recv()


def stream(url):
    """The socket of a session that is to be opened, at an address that begins with ws."""
    return websockets.connect(f"{url}/_stcore/stream", subprotocols=["streamlit"], max_size=None, open_timeout=120)


def channel(url):
    """The socket of the live channel that is to be opened."""
    return websockets.connect(f"{url}/live", max_size=None, open_timeout=120)
