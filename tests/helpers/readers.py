"""Readers without browsers, for load: they speak Streamlit's protocol over its websocket, loopback only."""

import asyncio
import http.client
import json
import time
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


def cookies(url) -> str:
    """The cookies with which a browser asks after it has opened a page."""
    parts = urlsplit(url)
    assert parts.hostname in ("127.0.0.1", "localhost"), "loads are for servers of this machine"
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.request("GET", f"{parts.path.rstrip('/')}/", headers={"Accept": "text/html"})
    reply = connection.getresponse()
    reply.read()
    connection.close()
    assert reply.status == 200, reply.status
    return "; ".join(value.partition(";")[0] for value in reply.headers.get_all("Set-Cookie", ()))


class Reader:
    """A session: `async with Reader(url, "playground", "problem=moons") as reader`, after `await reader.opened()`.

    `change(C=3)` is a change of controls. `seconds` holds, for each change, the time until an answer to it or to a
    later one stood; `failures` what went wrong, `runs` how many runs have ended, `bytes` how much was received. `mark`
    is in the strip of this page, and not in that of others.
    """

    def __init__(self, url, page, query="", name="reader", mark=b'"name":"C"'):
        self.url, self.page, self.query, self.name, self.mark = url, page, query, name, mark
        self.hash, self.widgets, self.states, self.fragments = "", {}, {}, {}
        self.sent, self.answered, self.seconds, self.failures = [], 0, [], []
        self.runs, self.bytes, self.ended, self.seen = 0, 0, asyncio.Event(), -1

    async def __aenter__(self):
        self.cookie = await asyncio.to_thread(cookies, self.url)
        address = f"{self.url.replace('http', 'ws', 1).rstrip('/')}/_stcore/stream"
        self.socket = await websockets.connect(
            address, subprotocols=["streamlit"], max_size=None, compression=None, open_timeout=120, ping_interval=None,
            additional_headers={"Cookie": self.cookie},
        )  # fmt: skip
        self.listener = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_):
        self.listener.cancel()
        await self.socket.close()

    async def opened(self, timeout=120.0) -> float:
        """Ask for the page; seconds until a run of it has ended, with all its elements."""
        began = time.perf_counter()
        await self._ask()
        end = began + timeout
        while "strip" not in self.widgets and not self.failures:
            if time.perf_counter() > end:
                self.failures.append("the page did not open in time")
                break
            self.ended.clear()
            try:
                await asyncio.wait_for(self.ended.wait(), 1.0)
            except TimeoutError:
                if self.runs and "strip" not in self.widgets:
                    await self._ask()  # the preparation has been shown
        return time.perf_counter() - began

    async def change(self, **values):
        """Send a change of controls, as the strip does."""
        number = len(self.sent)
        self.sent.append(time.perf_counter())
        update = {"id": self._id(number), "values": values, "action": None}
        self.states[self.widgets["strip"]] = json.dumps({"update": update})
        await self._ask()

    async def settled(self, timeout=60.0):
        """Until the last change has been answered."""
        end = time.perf_counter() + timeout
        while self.answered < len(self.sent) and time.perf_counter() < end:
            await asyncio.sleep(0.01)
        if self.answered < len(self.sent):
            self.failures.append(f"{len(self.sent) - self.answered} changes were never answered")

    def _id(self, number):
        return f"{self.name}-change-{number}."

    async def _ask(self):
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = self.query, self.hash
        if not self.hash:
            rerun.page_name = self.page
        for widget, value in self.states.items():
            state = rerun.widget_states.widgets.add()
            state.id, state.json_value = widget, value
        await self.socket.send(message.SerializeToString())

    async def _listen(self):
        try:
            async for data in self.socket:
                self.bytes += len(data)
                message = ForwardMsg()
                message.ParseFromString(data)
                self._take(message)
        except websockets.ConnectionClosed as error:
            self.failures.append(f"closed: {error}")
            self.ended.set()

    def _take(self, message):
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._element(message.delta.new_element)
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.runs += 1
            now = time.perf_counter()
            while self.answered <= self.seen:
                self.seconds.append(now - self.sent[self.answered])
                self.answered += 1
            self.ended.set()

    def _element(self, element):
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.failures.append(element.exception.message)
        if kind == "bidi_component":
            component = element.bidi_component
            if component.id.endswith("-strip") and self.mark in component.bytes:
                self.widgets["strip"] = component.id
                at = component.bytes.find(f"{self.name}-change-".encode())
                if at >= 0:
                    number = component.bytes[at:].partition(b".")[0].rpartition(b"-")[2]
                    self.seen = max(self.seen, int(number))
