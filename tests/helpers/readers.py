"""Readers without browsers, for load: they speak Streamlit's protocol over its websocket, loopback only."""

import asyncio
import contextlib
import http.client
import json
import time
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.classroom import polls, rooms


def visited(url, files=()) -> tuple[str, int]:
    """The cookies with which a browser asks after it has opened a page, and the bytes that it has received.

    files: the paths that it fetches, too, as a browser does that has never been here, see `serving.first_visit`.
    """
    parts = urlsplit(url)
    assert parts.hostname in ("127.0.0.1", "localhost"), "loads are for servers of this machine"
    connection, base = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120), parts.path.rstrip("/")
    size = 0

    def get(path, **headers):
        nonlocal size
        headers["Accept-Encoding"] = "gzip, deflate, br, zstd"
        connection.request("GET", f"{base}/{path}", headers=headers)
        reply = connection.getresponse()
        body = reply.read()
        assert reply.status == 200, f"{path}: {reply.status}"
        size += len(body)
        return reply.headers

    try:
        given = get("", Accept="text/html").get_all("Set-Cookie", ())
        cookies = "; ".join(value.partition(";")[0] for value in given)
        for path in files:
            get(path, Accept="*/*", Cookie=cookies)
    finally:
        connection.close()
    return cookies, size


class Reader:
    """A session: `async with Reader(url, "playground", "problem=moons") as reader`, after `await reader.opened()`.

    `change(C=3)` is a change of controls. `seconds` holds, for each change, the time until an answer to it or to a
    later one stood; `failures` what went wrong, `runs` how many runs have ended, `bytes` how much was received. `mark`
    is in the strip of this page, and not in that of others. It begins by fetching `files`, see `visited`.

    `press("Start")` presses a button by the beginning of its label. `await waited(b"text")` is the time at which an
    element with this text has come.
    """

    def __init__(self, url, page, query="", name="reader", mark=b'"name":"C"', files=()):
        self.url, self.page, self.query, self.name, self.mark, self.files = url, page, query, name, mark, files
        self.hash, self.strip, self.update, self.buttons = "", "", "", {}
        self.sent, self.answered, self.seconds, self.failures = [], 0, [], []
        self.runs, self.bytes, self.ended, self.seen = 0, 0, asyncio.Event(), -1
        self.wanted, self.again = None, {}

    async def __aenter__(self):
        self.cookie, self.bytes = await asyncio.to_thread(visited, self.url, self.files)
        address = f"{self.url.replace('http', 'ws', 1).rstrip('/')}/_stcore/stream"
        self.socket = await websockets.connect(
            address, subprotocols=["streamlit"], max_size=None, compression=None, open_timeout=120, ping_interval=None,
            additional_headers={"Cookie": self.cookie},
        )  # fmt: skip
        self.listener = asyncio.create_task(self._listen())
        return self

    async def __aexit__(self, *_):
        for task in (self.listener, *self.again.values()):
            task.cancel()
        await self.socket.close()

    async def opened(self, timeout=120.0) -> float:
        """Ask for the page; seconds until a run of it has ended, with all its elements."""
        began = time.perf_counter()
        await self._ask()
        end = began + timeout
        while not self.strip and not self.failures:
            if time.perf_counter() > end:
                self.failures.append("the page did not open in time")
                break
            self.ended.clear()
            try:
                await asyncio.wait_for(self.ended.wait(), 1.0)
            except TimeoutError:
                if self.runs and not self.strip:
                    await self._ask()  # the preparation has been shown
        return time.perf_counter() - began

    async def change(self, **values):
        """Send a change of controls, as the strip does."""
        number = len(self.sent)
        self.sent.append(time.perf_counter())
        self.update = json.dumps({"update": {"id": self._id(number), "values": values, "action": None}})
        await self._ask()

    async def press(self, label, timeout=60.0):
        """Press the button whose label begins so; until the answer stands."""
        before = self.runs
        await self._ask(pressed=next(key for name, key in self.buttons.items() if name.startswith(label)))
        end = time.perf_counter() + timeout
        while self.runs == before and not self.failures:
            if time.perf_counter() > end:
                self.failures.append(f"{label} was never answered")
            await asyncio.sleep(0.01)

    async def waited(self, text, timeout=30.0) -> float:
        """The time (perf_counter) at which an element with this text has come from now on; infinity if none has."""
        self.wanted = text, asyncio.get_running_loop().create_future()
        try:
            return await asyncio.wait_for(self.wanted[1], timeout)
        except TimeoutError:
            return float("inf")

    async def settled(self, timeout=60.0):
        """Until the last change has been answered."""
        end = time.perf_counter() + timeout
        while self.answered < len(self.sent) and time.perf_counter() < end:
            await asyncio.sleep(0.01)
        if self.answered < len(self.sent):
            self.failures.append(f"{len(self.sent) - self.answered} changes were never answered")

    def _id(self, number):
        return f"{self.name}-change-{number}."

    async def _repeat(self, fragment, interval):
        while True:
            await asyncio.sleep(interval)
            await self._ask(fragment)

    async def _ask(self, fragment="", pressed=""):
        message = BackMsg()
        rerun = message.rerun_script
        rerun.fragment_id, rerun.is_auto_rerun = fragment, bool(fragment)
        rerun.query_string, rerun.page_script_hash = self.query, self.hash
        if not self.hash:
            rerun.page_name = self.page
        if self.update:
            rerun.widget_states.widgets.add(id=self.strip, json_value=self.update)
        if pressed:
            rerun.widget_states.widgets.add(id=pressed, trigger_value=True)
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
        except Exception as error:
            self.failures.append(repr(error))
            raise

    def _take(self, message):
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.hash = message.navigation.page_script_hash
        elif kind == "auto_rerun" and message.auto_rerun.fragment_id not in self.again:
            fragment = message.auto_rerun.fragment_id
            self.again[fragment] = asyncio.create_task(self._repeat(fragment, message.auto_rerun.interval))
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
        if self.wanted and not self.wanted[1].done() and self.wanted[0] in element.SerializeToString():
            self.wanted[1].set_result(time.perf_counter())
        if kind == "exception":
            self.failures.append(element.exception.message)
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        if kind == "bidi_component":
            component = element.bidi_component
            if component.id.endswith("-strip") and self.mark in component.bytes:
                self.strip = component.id
                at = component.bytes.find(f"{self.name}-change-".encode())
                if at >= 0:
                    number = component.bytes[at:].partition(b".")[0].rpartition(b"-")[2]
                    self.seen = max(self.seen, int(number))


@contextlib.asynccontextmanager
async def opened(readers):
    """These readers, whose pages stand."""
    async with contextlib.AsyncExitStack() as stack:
        found = [await stack.enter_async_context(reader) for reader in readers]
        await asyncio.gather(*(reader.opened() for reader in found))
        yield found


@contextlib.asynccontextmanager
async def phones(url, count=60):
    """(code, key, question, phones) of a room in which a question is asked."""
    code, key = rooms.open_room()
    polls.ask(code, key, "choose", "Which?", {"options": ["first", "second"]})
    async with opened(Reader(url, "room", f"join={code}", f"v{k}", mark=b"") for k in range(count)) as found:
        yield code, key, rooms.look(code).question.id, found
