"""The pictures of a page, and the scene of its live channel: what is on the screen, and the questions about it.

A question: {"scene": its id, "moving", "changes": {name: number}}, and where points are moved {"version", "step",
"edits"}, as the point editor sends them. The answer, packed as for a plane: {"version", "planes": {key: {"data",
"layout"}}, "numbers": {key: text}}, or {"refused": a sentence}. `moving` asks for the coarse picture, with "light" in
few bytes: compressed by zlib, its fields in 8 bits. With "known", the version of full pictures that the browser has,
each plane is what differs from that one, as `component.differences` tells it, and the answer has its version as "of".
The full picture is drawn by the channel when something is released, and the run that follows only registers what it
shows. Measured: the pictures of a released slider are there twice as early as with the run's.
"""

import logging
import threading
import zlib
from collections.abc import Callable
from typing import Any, Protocol

import streamlit as st

from pages.shared.live import channel
from pages.shared.live.pictures import PictureSet, replace_controls
from pages.shared.plane import component
from pages.shared.plane.component import LiveScene
from pages.shared.screen import edits
from pages.shared.server import cache
from pages.shared.studies import results
from pages.shared.studies.source import Source

KEPT = 16  # problems that a scene keeps
LEVEL = 1  # of compression: the best takes twice the time for a twentieth of the size
_logger = logging.getLogger(__name__)


class LiveScreen(Protocol):
    """Content of the screen: a value, equal to another one if their pictures are the same."""

    def replace(self, name: str, value: float) -> "LiveScreen":
        """The same with another value of a control; ValueError, in a sentence without its subject."""


Draw = Callable[[Source, Any, bool], PictureSet]  # the pictures of a screen; coarse ones while something moves


def show(draw: Draw, screen: LiveScreen, *, points_version=None) -> PictureSet:
    """The pictures that a page shows of this screen; from now on its live channel draws them, too.

    points_version: that of the points in the editor, None without one. Pictures that the channel has drawn when a
    control was released are not drawn again.
    """
    scene = _scene(draw)
    live, answered = scene.register(screen, points_version)
    shown = answered or draw(results.source, screen, False)
    scene.full = live.version, _planes(shown)
    return shown._replace(live=live)


def register(draw: Draw, screen: LiveScreen) -> LiveScene:
    """Register what the live channel draws for a page that draws its own pictures; returns what its planes need."""
    return _scene(draw).register(screen)[0]


def _scene(draw):
    scenes = st.session_state.setdefault("scenes", {})
    if draw not in scenes:
        scenes[draw] = Scene(draw)
    return scenes[draw]


class Scene:
    """A page of a session as it was shown last.

    Its pictures have versions, in the order in which they were begun, by a run of the page or by the live channel.
    """

    def __init__(self, draw: Draw):
        self.id = channel.register(self)
        self.draw = draw
        self.source = results.SharedSource(KEPT)
        self.screen: LiveScreen | None = None
        self.points_version: int | None = None
        self._version = self._registered = 0
        self._answered: tuple = (None, None, None)  # the last full answer: its version, its screen, its pictures
        self.full: tuple[int, dict] = (0, {})  # version and planes of what was drawn last that was not moving
        self._lock = threading.Lock()

    def register(self, screen: LiveScreen, points_version: int | None = None) -> tuple[LiveScene, PictureSet | None]:
        """From now on questions refer to this screen. Returns what its planes need to know, and its pictures if the
        browser already has them.
        """
        with self._lock:
            *answered, pictures = self._answered
            known = answered == [self._version, screen]
            if not known and (self._version != self._registered or screen != self.screen):
                self._version += 1
                self._registered = self._version
            self.screen, self.points_version = screen, points_version
            return LiveScene(self.id, self._version, known), pictures if known else None

    def answer(self, question: dict) -> bytes:
        """The pictures, as the module describes; for a faulty question an answer, too."""
        with self._lock:
            self._version += 1
            version = self._version
        moving = bool(question.get("moving"))
        try:
            screen = self._read_question(question)
            shown = self.draw(self.source, screen, moving)
        except ValueError as error:
            return self.refusal(str(error))
        except Exception:
            _logger.exception("the live channel could not draw %s", self.draw)
            return self.refusal("The picture could not be drawn.")
        light = moving and bool(question.get("light"))
        planes = _planes(shown, component.rounded_fields if light else list)
        answer = {"version": version, "planes": planes, "numbers": shown.numbers}
        if not moving and cache.in_time():
            self._answered, self.full = (version, screen, shown), (version, planes)
        known, full = self.full
        if question.get("known") == known:
            told = {key: component.differences(plane, full.get(key)) for key, plane in planes.items()}
            answer |= {"planes": told, "of": known}
        packed = component.pack(answer, light)
        return zlib.compress(packed, LEVEL) if light else packed

    def refusal(self, why: str) -> bytes:
        """The answer that there is none, and why."""
        return component.pack({"refused": why})

    def _read_question(self, question):
        """The screen that the question is about. ValueError, in a sentence, for what no page asks."""
        screen, changes = self.screen, question.get("changes", {})
        if not isinstance(changes, dict):
            raise ValueError("The changes must be an object of names and numbers.")
        if "edits" in question:
            if self.points_version is None or question.get("version") != self.points_version:
                raise ValueError("The edits belong to other points.")
            screen = screen._replace(data=screen.data._replace(edits=edits.from_message(question)))
        return replace_controls(screen, changes)


def _planes(shown, traces=list):
    return {key: {"data": traces(figure.traces), "layout": figure.layout} for key, figure in shown.figures.items()}
