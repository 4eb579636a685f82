"""The pictures of a prompt on the page: what is there before the commitment, and what the change made of it."""

from typing import Any, NamedTuple

import streamlit as st

from pages.shared import figures, plane, session
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities import BEFORE, Case
from pages.shared.parts import asked_pictures, player, walk_films
from pages.shared.parts.asked_pictures import Look, drawn
from pages.shared.parts.lesson_flow import At

KEYS = ("asked", "asked-second")  # of the planes; the first is drawn on
SHEET = "lesson"  # on which the form and the plane write the answer
UNDER = 84  # pixels of the controls under a film


class Asked(NamedTuple):
    """A prompt with what the reader has made of it: `feedback` is None before the commitment.

    `sheet` is the name of what the form and the plane write the answer on: under another name nothing is begun yet.
    `late` says that an answer was given that the solvers are not ready to judge.
    """

    at: At
    case: Case
    answer: Answer | None
    feedback: Feedback | None
    sheet: str = SHEET
    late: bool = False

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.at.prompt

    @property
    def locked(self) -> bool:
        """Whether the answer has been given."""
        return self.feedback is not None


def show(asked: Asked, changes: dict[str, float], live: str | None = None) -> None:
    """The plane of the prompt, or two of them where it asks for a second one; a film where it asks for a moment.

    `live` is the token of the scene whose live channel draws the planes while a control is held.
    """
    if asked_pictures.is_film(asked.prompt, asked.case):
        _film(asked)
        return
    sights = asked_pictures.seen(look(asked, changes), session.source)
    columns = st.columns(2, gap="small") if len(sights) > 1 else [st.container()]
    for column, sight, key in zip(columns, sights, KEYS, strict=False):
        with column:
            ask = _ask(asked) if key == KEYS[0] else None
            plane.show(sight.drawing, key=key, fill=1, edge=(sight.name, "", ""), ask=ask, live=live)


def look(asked: Asked, changes: dict[str, float]) -> Look:
    """What the planes of a question are drawn from."""
    given = asked.at.given if asked.locked else None
    return Look(asked.prompt, asked.at.attempt, changes, given, asked.locked)


def words(asked: Asked) -> None:
    """The place of the sentences of a film on its moment."""
    told = asked.locked and not asked_pictures.charted(asked.prompt, asked.case)
    if told and asked_pictures.is_film(asked.prompt, asked.case):
        plane.words(player.FILM, key="film_words")


def _ask(asked) -> dict[str, Any]:
    """What the plane is asked, see pencil.js."""
    prompt, at = asked.prompt, asked.at
    ask = {"sheet": asked.sheet, "key": at.key, "kind": drawn(prompt), "given": at.given, "locked": asked.locked}
    ask["marked"] = [] if asked.locked else asked_pictures.marked(prompt, asked.case)
    if ask["kind"] == "points":
        ask["most"] = most(prompt)
        ask["points"] = asked.feedback.ids if asked.locked else None
    if ask["kind"] == "number":
        ask["width"] = prompt.watch.name == "best_sigma"
    if ask["kind"] == "place":
        problem, row = asked.case.problem(BEFORE), asked.case.row(prompt.watch.arguments.get("point", "farthest"))
        ask["start"], ask["label"] = problem.X[row].tolist(), float(problem.y[row])
        if asked.locked:
            x, y, _ = asked.answer.value
            ask["places"] = [{"at": [x, y], "words": "most harm"}]
    return ask


def most(prompt: Prompt) -> int | None:
    """The number of points that may be chosen, None for any number."""
    return 2 if prompt.watch.name == "pair" else prompt.watch.arguments.get("k")


def _film(asked):
    """The film up to the moment of the question, without its sentences, which would tell the answer; after the
    commitment all of it, from the next moment on, or a chart.

    A walk begins with its first round.
    """
    if asked.locked and asked_pictures.charted(asked.prompt, asked.case):
        shown = asked_pictures.chart(asked.prompt, asked.case, session)
        axes = dict(xlabel=shown.xlabel, ylabel=shown.ylabel, log=shown.log, level=shown.level, log_x=shown.log_x)
        plane.show(figures.history(shown.lines, **axes), key="asked-chart", heading=shown.title, fill=0.8)
        return
    film = asked_pictures.film(asked.case, session)
    ticks, start = film.show.ticks, film.following
    if not asked.locked:
        ticks, start = [tick._replace(words=[]) for tick in ticks[: film.until]], film.until - 1
    speed = walk_films.SPEED if asked.case.before.walk is not None else 2
    picture = st.container()
    rev = player.transport(ticks, player.FILM, (*film.run, asked.locked), start=start, speed=speed)
    screen = film.show.screens[0]
    with picture:
        reel = plane.reel(screen.film, player.FILM, rev, screen.at[: len(ticks)])
        size = dict(fill=1, less=UNDER)
        figure = screen.film.figure if asked.locked else asked_pictures.untold(screen.film.figure)
        plane.show(figure, key="asked-film", edge=(screen.name, "", ""), reel=reel, ask=_ask(asked), **size)
