"""The pictures of a prompt on the page: what is there before the commitment, and what the change made of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.lessons.answers import Answer
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.screens import asked_pictures
from pages.shared.lessons.screens.asked_pictures import PromptView
from pages.shared.panels import player
from pages.shared.plane import component
from pages.shared.studies import feature_walk, results

KEYS = ("asked", "asked-second")  # of the planes; the first is drawn on
FORM = "lesson"  # whose answer the form and the plane write
UNDER = 84  # pixels of the controls under a film


class PromptAttempt(NamedTuple):
    """A prompt with what the reader has made of it: `answer` and `feedback` are None before the commitment.

    `key` tells this question from all others. `form` is the name of the form, whose answer the plane writes, too: under
    another name nothing is begun yet.
    """

    key: str
    look: PromptView
    case: Case
    answer: Answer | None = None
    feedback: Feedback | None = None
    form: str = FORM

    @property
    def prompt(self) -> Prompt:
        return self.look.prompt


def has_two(prompt: Prompt) -> bool:
    """True for a prompt with a second plane, or a chart, beside its plane."""
    return prompt.second is not None or prompt.chart_place == "beside"


@contextmanager
def show_beside(asked: PromptAttempt, live=None, key="stage") -> Iterator[None]:
    """The pictures of the prompt as `show`, and on their right what stands inside, with the sentences of a film."""
    with st.container(key=key):
        left, right = st.columns([0.64, 0.36] if has_two(asked.prompt) else [0.46, 0.54], gap="medium")
        with right:
            yield
            if asked.look.answered and asked_pictures.is_film(asked.prompt, asked.case):
                component.film_sentences(player.FILM)
        with left:
            show(asked, live)


def show(asked: PromptAttempt, live: component.LiveScene | None = None) -> None:
    """The plane and what stands beside it, or the film; the channel of `live` draws while a control is held."""
    if asked_pictures.is_film(asked.prompt, asked.case):
        _film(asked)
        return
    sights = asked_pictures.prompt_planes(asked.look, results.source)
    columns = st.columns(len(sights), gap="small") if len(sights) > 1 else [st.container(key="alone")]
    for column, sight, key in zip(columns, sights, KEYS, strict=False):
        with column:
            ask = _ask(asked) if key == KEYS[0] and asked.prompt.chart_place != "alone" else None
            component.show_figure(sight.drawing, key=key, fill=1, edge=(sight.name, "", ""), ask=ask, live=live)


def _ask(asked) -> dict[str, Any]:
    """Request to the plane, see answer_drawing.js."""
    prompt, locked = asked.prompt, asked.look.answered
    ask = {"form": asked.form, "key": asked.key, "kind": prompt.answer_kind, "given": asked.look.given}
    ask["locked"], ask["marked"] = locked, [] if locked else asked_pictures.marked_points(prompt, asked.case)
    if ask["kind"] == "points":
        ask["most"] = 2 if prompt.watch.name == "pair" else prompt.watch.arguments.get("k")  # None for any number
        ask["points"] = asked.feedback.ids if locked else None
    if ask["kind"] == "number":
        ask["width"] = prompt.watch.name == "best_sigma"
    if ask["kind"] == "place":
        ask["start"], ask["label"] = asked_pictures.moved_point(prompt, asked.case)
        if locked:
            x, y, _ = asked.answer.value
            ask["places"] = [{"at": [x, y], "words": "most harm"}]
    return ask


def _film(asked):
    """The film up to the moment of the question without its sentences, which would tell the answer; with the answer
    all of it, from the next moment on, a walk at its end.
    """
    film, locked = asked_pictures.film(asked.case), asked.look.answered
    ticks, start = film.show.ticks, film.answer_moment
    if not locked:
        ticks, start = [tick._replace(words=[]) for tick in ticks[: film.until]], film.until - 1
    speed = feature_walk.SPEED if asked.case.before.walk is not None else 2
    picture = st.container()
    version = player.transport(ticks, player.FILM, (*film.run, locked), start=start, speed=speed)
    screen = film.show.screens[0]
    with picture:
        frames = component.film_frames(screen.film, player.FILM, version, screen.at[: len(ticks)])
        figure = screen.film.figure if locked else asked_pictures.untold(screen.film.figure)
        component.show_figure(
            figure, key="asked-film", edge=(screen.name, "", ""), frames=frames, ask=_ask(asked), fill=1, less=UNDER
        )
