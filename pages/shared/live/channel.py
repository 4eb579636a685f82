"""The live channel: a websocket beside Streamlit's own, which updates pictures without a run of the script.

A page registers a scene, which can `answer` questions about it. A question needs the id of the scene, which is as hard
to guess as a password and in no link. The session of the page owns the scene, and this module only has a weak
reference: the scenes of a session end with it. Nothing heavy is imported here.

The browser asks {"scene": id, ...} as text, and each question has an answer, as bytes, in the same order. It need not
wait for one: of the questions that come while an answer is made, all but the newest are refused. The socket is closed
with UNKNOWN for an id that leads to no scene, TOO_LONG for a message longer than LONGEST, UNREADABLE for one that is no
JSON object, IDLE if nothing is asked for SILENT seconds, and TOO_MANY if its scene is asked on OF_SCENE others since.

Of a scene one question is in work. A newer one on another socket ends it, as does its browser that goes, and what waits
then is not begun. A fit ends at its next look at `svmcore.deadline`.
"""

import asyncio
import functools
import json
import os
import secrets
import weakref
from collections import Counter
from typing import Protocol

import anyio
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pages.shared.server import run_queue, sessions, static_files

LONGEST = 200_000  # characters of a message
LIMIT = 3.0  # seconds for an answer
AHEAD = 32  # questions that a browser asks before it has an answer, and that are read
SILENT = 600.0  # seconds without a question after which a socket is closed
OF_SCENE = 3  # sockets on which a scene is asked: one, and those that the browser has lost
OF_ADDRESS = 400  # sockets of an address, which may be that of a whole class
UNKNOWN, TOO_LONG, UNREADABLE, IDLE, TOO_MANY = 4004, 1009, 1007, 4008, 4009  # why a socket is closed


class Scene(Protocol):
    """Interface of an object that answers the questions of a browser."""

    def answer(self, question: dict) -> bytes:
        """The answer to a question; refusals are answers, too."""

    def refusal(self, why: str) -> bytes:
        """The answer that there is none."""


_scenes: weakref.WeakValueDictionary[str, Scene] = weakref.WeakValueDictionary()
_newest: weakref.WeakKeyDictionary[Scene, "_Work"] = weakref.WeakKeyDictionary()  # questions not answered yet
_sockets: weakref.WeakKeyDictionary[Scene, list[WebSocket]] = weakref.WeakKeyDictionary()  # the last to ask at the end
_open: Counter[str] = Counter()  # sockets of addresses


def register(scene: Scene) -> str:
    """A new id of the scene, valid as long as the scene exists."""
    scene_id = secrets.token_urlsafe(24)
    _scenes[scene_id] = scene
    return scene_id


def routes() -> list[WebSocketRoute]:
    """The route of the channel, below the base path."""
    places = _Places(max(1, (os.cpu_count() or 2) - 1))  # the scripts of all sessions need a core, too
    return [WebSocketRoute(static_files.below_base("live"), functools.partial(_talk, places))]


class _Places:
    """Threads that answer questions. Of an address no more questions stand in line for them than there are places, so
    that those of other addresses wait for few of them.
    """

    def __init__(self, count):
        self._all, self._count = anyio.CapacityLimiter(count), count
        self._of: weakref.WeakValueDictionary[str, anyio.CapacityLimiter] = weakref.WeakValueDictionary()

    async def run(self, address, act, *args):
        """The result of act(*args) in a thread, when it is the turn of this address."""
        turn = self._of.get(address) or self._of.setdefault(address, anyio.CapacityLimiter(self._count))
        async with turn:
            return await anyio.to_thread.run_sync(act, *args, limiter=self._all)


async def _talk(places, socket):
    address = sessions.address_of(socket.scope)
    if address and _open[address] >= OF_ADDRESS:
        return await socket.close(TOO_MANY)  # not accepted yet: status 403
    _open[address] += 1
    try:
        await socket.accept()
        await _answer_questions(socket, functools.partial(places.run, address))
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes instead of text
        pass
    finally:
        _open[address] -= 1
        if not _open[address]:
            del _open[address]


async def _answer_questions(socket, run):
    """Answers questions until the browser has gone or the socket is closed."""
    inbox = _Inbox(socket)
    try:
        while True:
            if not await inbox.wait(SILENT):
                return await socket.close(IDLE)
            if inbox.reading.done() and inbox.reading.exception():
                return
            text, older = inbox.take()
            if len(text) > LONGEST:
                return await socket.close(TOO_LONG)
            question = _read(text)
            if question is None:
                return await socket.close(UNREADABLE)
            scene = _scenes.get(question["scene"])
            if scene is None:
                return await socket.close(UNKNOWN)
            await _note_socket(scene, socket)
            for _ in range(older):
                await socket.send_bytes(scene.refusal("A newer question has come."))
            answer = await _answer_in_time(scene, question, run, inbox.reading)
            del scene  # while nothing is asked, only the session holds it
            if inbox.reading.done() and inbox.reading.exception() or not _is_open(socket):
                return
            await socket.send_bytes(answer)
    finally:
        inbox.reading.cancel()
        await asyncio.gather(inbox.reading, return_exceptions=True)


class _Inbox:
    """Texts that come while an answer is made: the newest waits, and those before it are counted.

    `reading` ends when the browser goes, or says what is too long; it rests when AHEAD texts wait.
    """

    def __init__(self, socket):
        self._text, self._older, self._told, self._taken = None, 0, asyncio.Event(), asyncio.Event()
        self.reading = asyncio.ensure_future(self._read(socket))

    async def wait(self, seconds):
        """True when a text has come, or `reading` has ended, within that time."""
        told = asyncio.ensure_future(self._told.wait())
        await asyncio.wait({told, self.reading}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        return self._text is not None or self.reading.done()

    def take(self):
        """(the newest text, how many came before it)."""
        found = self._text, self._older
        self._text, self._older = None, 0
        self._told.clear()
        self._taken.set()
        return found

    async def _read(self, socket):
        while True:
            text = await socket.receive_text()
            self._older += self._text is not None
            self._text = text
            self._told.set()
            if len(text) > LONGEST:
                return
            if self._older >= AHEAD:
                self._taken.clear()
                await self._taken.wait()


async def _note_socket(scene, socket):
    """The scene is asked on this socket; of too many, the one that has not asked for longest is closed."""
    asking = _sockets.setdefault(scene, [])
    asking[:] = [*(other for other in asking if other is not socket and _is_open(other)), socket]
    while len(asking) > OF_SCENE:
        await asking.pop(0).close(TOO_MANY)


def _is_open(socket):
    return socket.client_state == socket.application_state == WebSocketState.CONNECTED


def _read(text):
    """The question in a text; None where there is none."""
    try:
        question = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return question if isinstance(question, dict) and isinstance(question.get("scene"), str) else None


async def _answer_in_time(scene, question, run, reading):
    """The scene's answer, in time or not at all. It is given up when `reading` has ended: the browser has gone."""
    work = _Work(scene, question, run)
    await asyncio.wait({work.task, reading}, timeout=LIMIT, return_when=asyncio.FIRST_COMPLETED)
    answer = work.task.result() if work.task.done() else None
    if answer is not None:
        return answer
    work.limit.end()
    if work.replaced or reading.done():
        return scene.refusal("A newer question has come.")
    if not work.begun:
        return scene.refusal("Other pictures are still being drawn.")
    return scene.refusal(f"The picture takes longer than {LIMIT:g} seconds.")


class _Work:
    """The work on a question, the newest of its scene: older ones end, and it begins when they have ended."""

    def __init__(self, scene, question, run):
        from svmcore import deadline  # here: it is heavy, and loaded where there is a scene

        self.limit = deadline.TimeLimit(LIMIT)
        self.begun = self.replaced = False
        before = _newest.get(scene)
        _newest[scene] = self
        if before:
            before.replaced = True
            before.limit.end()
        self.task = asyncio.ensure_future(self._do(before, scene, question, run))

    async def _do(self, before, scene, question, run):
        """The answer; None if there is none in time."""
        try:
            if before:
                await asyncio.wait({before.task})
            if self.limit.is_over():
                return None
            return await run(self._ask, scene, question)
        finally:
            if _newest.get(scene) is self:
                del _newest[scene]

    def _ask(self, scene, question):
        from svmcore import deadline

        if self.limit.is_over():  # nobody has waited for its turn
            return None
        self.begun = True
        with run_queue.queue.live_picture(), deadline.time_limit(self.limit):
            answer = scene.answer(question)
        return None if self.limit.is_over() else answer
