"""The pictures of a page, and the scene of its live channel: what is on the screen, and the questions about it.

A question: {"token", "seq", "moving", "changes": {name: number}}, and where points are moved {"rev", "step", "edits"},
as the board sends them. The answer, packed as for a plane: {"seq", "planes": {key: {"data", "layout"}}, "numbers":
{key: text}}, or {"seq", "refused": a sentence}. `moving` asks for the coarse picture.
"""

import logging
from functools import lru_cache
from typing import NamedTuple

import streamlit as st

from pages.shared import figures, session
from pages.shared.live import channel, drawn
from pages.shared.plane import plane
from pages.shared.points import edits
from pages.shared.studies.source import Source
from pages.shared.studies.study import Study

KEPT = 16  # problems that a scene keeps
_logger = logging.getLogger(__name__)


class Shown(NamedTuple):
    """The fields of `drawn.Drawn`, and the token with which the planes of the page ask the live channel."""

    figures: dict[str, figures.Drawing]
    studies: list[Study]
    before: list[Study | None]
    numbers: dict[str, str]
    token: str


def show(page: str, screen: drawn.Screen | drawn.Sweep, *, moving=False, rev=None) -> Shown:
    """The pictures of the page, and from now on what its live channel answers.

    page: a key of `drawn.PAGES`; rev: the revision of the points on the board, None without a board.
    """
    found = token(page, screen, rev)
    return Shown(*drawn.PAGES[page](session.source, screen, moving), found)


def token(page: str, screen: drawn.Screen | drawn.Sweep | drawn.Look, rev=None) -> str:
    """The token with which the planes of the page ask the live channel, which answers about this screen from now on."""
    scenes = st.session_state.setdefault("scenes", {})
    if page not in scenes:
        scenes[page] = Scene(page)
    scenes[page].show(screen, rev)
    return scenes[page].token


class Scene:
    """A page of a session as it was shown last."""

    def __init__(self, page: str):
        self.token = channel.register(self)
        self.page = page
        self.source = Source(session.points_of, lru_cache(KEPT), session.kept)
        self.screen: drawn.Screen | drawn.Sweep | drawn.Look | None = None
        self.rev: int | None = None

    def show(self, screen: drawn.Screen | drawn.Sweep | drawn.Look, rev: int | None) -> None:
        """From now on questions refer to this screen."""
        self.screen, self.rev = screen, rev

    def answer(self, question: dict) -> bytes:
        """The pictures, as the module describes; for a faulty question an answer, too."""
        try:
            screen = self._asked(question)
            shown = drawn.PAGES[self.page](self.source, screen, bool(question.get("moving")))
        except ValueError as error:
            return self.refusal(question, str(error))
        except Exception:
            _logger.exception("the live channel could not draw %s", self.page)
            return self.refusal(question, "The picture could not be drawn.")
        planes = {key: {"data": figure.traces, "layout": figure.layout} for key, figure in shown.figures.items()}
        return plane.pack({"seq": _number(question), "planes": planes, "numbers": shown.numbers})

    def refusal(self, question: dict, why: str) -> bytes:
        """The answer that there is none, and why."""
        return plane.pack({"seq": _number(question), "refused": why})

    def _asked(self, question):
        """The screen that the question is about. ValueError, in a sentence, for what no page asks."""
        screen, changes = self.screen, question.get("changes", {})
        if not isinstance(changes, dict):
            raise ValueError("The changes must be an object of names and numbers.")
        if "edits" in question:
            if self.rev is None or question.get("rev") != self.rev:
                raise ValueError("The edits are those of other points.")
            script = edits.script(*_rows(question))
            screen = screen._replace(data=screen.data._replace(edits=script))
        return drawn.changed(screen, changes)


def _rows(question):
    """(step, rows) of the edits in a question, all of them whole numbers."""
    step, rows = question.get("step"), question["edits"]
    well = _whole(step, 2) and isinstance(rows, list) and all(_whole(row, 4) for row in rows)
    if not well:
        raise ValueError("The edits must be rows of four whole numbers, and their step two.")
    return step, rows


def _whole(values, count):
    return isinstance(values, list) and len(values) == count and all(type(value) is int for value in values)


def _number(question):
    seq = question.get("seq")
    return seq if type(seq) is int and abs(seq) < 2**53 else None
