"""The live channel: a websocket beside Streamlit's own, which updates pictures without a run of the script.

A page registers a scene, which can `answer` questions about it. A question needs the id of the scene, which is as hard
to guess as a password and in no link. The session of the page owns the scene, and this module only has a weak
reference: the scenes of a session end with it. Nothing heavy is imported here.

The browser asks {"scene": id, ...} as text, one question at a time, and each has an answer, as bytes. The socket is
closed with UNKNOWN for an id that leads to no scene, TOO_LONG for a message longer than LONGEST, and UNREADABLE for one
that is no JSON object.
"""

import asyncio
import json
import os
import secrets
import weakref
from typing import Protocol

import anyio
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.shared.server import static_files

LONGEST = 200_000  # characters of a message
LIMIT = 3.0  # seconds for an answer
UNKNOWN, TOO_LONG, UNREADABLE = 4004, 1009, 1007  # why a socket is closed


class Scene(Protocol):
    """Interface of an object that answers the questions of a browser."""

    def answer(self, question: dict) -> bytes:
        """The answer to a question; refusals are answers, too."""

    def refusal(self, why: str) -> bytes:
        """The answer that there is none."""


_scenes: weakref.WeakValueDictionary[str, Scene] = weakref.WeakValueDictionary()
_late: weakref.WeakKeyDictionary[Scene, asyncio.Future] = weakref.WeakKeyDictionary()  # answers that took too long


def register(scene: Scene) -> str:
    """A new id of the scene, valid as long as the scene exists."""
    scene_id = secrets.token_urlsafe(24)
    _scenes[scene_id] = scene
    return scene_id


def routes() -> list[WebSocketRoute]:
    """The route of the channel, below the base path."""
    # the scripts of all sessions need a core, too
    limiter = anyio.CapacityLimiter(max(1, (os.cpu_count() or 2) - 1))

    async def talk(socket: WebSocket):
        await _talk(socket, limiter)

    return [WebSocketRoute(static_files.below_base("live"), talk)]


async def _talk(socket, limiter):
    await socket.accept()
    try:
        while True:
            text = await socket.receive_text()
            if len(text) > LONGEST:
                return await socket.close(TOO_LONG)
            question = _read(text)
            if question is None:
                return await socket.close(UNREADABLE)
            scene = _scenes.get(question["scene"])
            if scene is None:
                return await socket.close(UNKNOWN)
            answer = await _answer_in_time(scene, question, limiter)
            del scene  # while nothing is asked, only the session holds it
            await socket.send_bytes(answer)
    except (WebSocketDisconnect, KeyError):  # KeyError: bytes instead of text
        pass


def _read(text):
    """The question in a text; None where there is none."""
    try:
        question = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return question if isinstance(question, dict) and isinstance(question.get("scene"), str) else None


async def _answer_in_time(scene, question, limiter):
    """The scene's answer, in time or not at all; a fit cannot be stopped, so nothing else is begun until it ends."""
    if scene in _late and not _late[scene].done():
        return scene.refusal("The last question is still being answered.")
    work = asyncio.ensure_future(anyio.to_thread.run_sync(scene.answer, question, limiter=limiter))
    done, _ = await asyncio.wait({work}, timeout=LIMIT)
    if done:
        return work.result()
    _late[scene] = work
    return scene.refusal(f"The picture takes longer than {LIMIT:g} seconds.")
