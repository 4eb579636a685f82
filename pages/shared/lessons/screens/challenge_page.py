"""The challenge at the end of a lesson: a goal for the reader's own points and settings, which the solver checks."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import streamlit as st

from pages.shared.controls import link
from pages.shared.figures.picture import machine_figure
from pages.shared.lessons import answers, state
from pages.shared.lessons.lesson import Challenge, Claim, Lesson, plain
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.screens import navigation, prompt_charts
from pages.shared.lessons.state import Setup
from pages.shared.live import scene
from pages.shared.live.pictures import PictureSet
from pages.shared.panels import editing
from pages.shared.plane import component
from pages.shared.screen.screen import Screen
from pages.shared.studies import results
from pages.shared.studies.source import Source
from svmcore.words import with_count

BEST = "challenges"  # of the session: {lesson: the best value so far that keeps to the rules}
PLANE = "challenge"


def pictures(source: Source, screen: Screen, moving=False) -> PictureSet:
    data, (machine, *_), setting = screen[:3]
    study = source.fit(data, machine, setting, moving)
    return PictureSet({PLANE: machine_figure(study.field, study.points)}, [study], [], {})


def show(lesson: Lesson) -> None:
    """The goal, what is reached now and the best so far, and the plane, with points to move, or the chart of a walk."""
    given = lesson.challenge
    st.markdown(f"**A challenge.** {plain(given.text)}")
    setup = begin(given, navigation.chosen_controls(given.controls, begin(given)))
    data = editing.with_edits(setup.data) if given.moves else setup.data
    made = Case(setup, setup._replace(data=data), source=results.source)
    link.share(data if given.moves else None)
    with editing.show_toolbar(data) if given.moves else nullcontext():
        _result(lesson, made)
        if setup.walk:
            figure, options = prompt_charts.walk_chart(made.steps(), setup.walk, setup.walk.rounds), {}
        else:
            version = editing.version(data) if given.moves else None
            shown = scene.show(pictures, made.after.screen, points_version=version)
            edit = {"link": editing.POINTS, "edit": True} if given.moves else {}
            figure, options = shown.figures[PLANE], {"live": shown.live, **edit}
        component.show_figure(figure, key=PLANE, height=420, **options)


def _result(lesson, case):
    given = lesson.challenge
    try:
        value, broken = judge(given, case)
    except ValueError as error:
        st.info(answers.readable(str(error)), icon=":material/info:")
        return
    best = st.session_state.setdefault(BEST, {})
    if not broken:
        best[lesson.id] = better(given.goal, best.get(lesson.id, value), value)
    said = f"Now: {value_text(given.goal, value)}."
    if lesson.id in best:
        said += f" Best so far: {answers.words(given.goal.watch, best[lesson.id])}."
    if broken:
        st.warning(f"{said} This does not count: {broken}", icon=":material/rule:")
    elif given.goal.holds(value):
        st.success(f"Reached. {said}", icon=":material/flag:")
    else:
        st.info(f"{said} Wanted: {wanted_text(given.goal)}.", icon=":material/flag:")


# ------------------------------------------------------------------------------------------ what is reached


def begin(challenge: Challenge, changed: Mapping[str, Any] = {}) -> Setup:
    """The set-up of a challenge, with the settings that the reader has changed."""
    return state.setup({**challenge.state, **changed}, source=results.source)


def judge(challenge: Challenge, made: Case) -> tuple[float, str]:
    """The value of the goal, and a sentence on the first rule that is broken or "". ValueError for too few points."""
    reached = answers.compute(made, challenge.goal.watch)
    touched = len(made.after.data.edits.edits)
    if touched > challenge.moves:
        return reached, f"{touched} points are edited, and {with_count(challenge.moves, 'point')} may be."
    for rule in challenge.rules:
        value = answers.compute(made, rule.watch)
        if not rule.holds(value):
            return reached, f"{value_text(rule, value)}, wanted is {wanted_text(rule)}."
    return reached, ""


def better(goal: Claim, one: float, other: float) -> float:
    """The better of two values, by the end at which the goal lies."""
    return max(one, other) if goal.low > -float("inf") else min(one, other)


def value_text(claim: Claim, value: float) -> str:
    return f"{REGISTRY[claim.watch.name].words} is {answers.words(claim.watch, value)}"


def wanted_text(claim: Claim) -> str:
    ends = (("at least", claim.low), ("below", claim.high))
    return " and ".join(f"{word} {answers.words(claim.watch, end)}" for word, end in ends if abs(end) != float("inf"))
