"""Challenges: what a reader has made of the points and settings of a lesson, judged by the solver."""

from collections.abc import Mapping
from typing import Any

from pages.shared.lessons import answers, state
from pages.shared.lessons.lesson import Challenge, Claim
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.state import Setup
from pages.shared.screen.edits import Edits
from pages.shared.studies import results


def begin(challenge: Challenge, changed: Mapping[str, Any] | None = None) -> Setup:
    """The set-up of a challenge, with the settings that the reader has changed."""
    return state.setup({**challenge.state, **(changed or {})}, source=results.source)


def case(setup: Setup, edits: Edits) -> Case:
    """The case of what the reader has made: before it the points as they are drawn, after it with these edits."""
    moved = setup._replace(screen=setup.screen._replace(data=setup.data._replace(edits=edits)))
    return Case(setup, moved, source=results.source)


def judge(challenge: Challenge, made: Case) -> tuple[float, str]:
    """The value of the goal, and a sentence on the first rule that is broken or "". ValueError for too few points."""
    reached = answers.compute(made, challenge.goal.watch)
    touched = len(made.after.data.edits.edits)
    if touched > challenge.moves:
        points = "1 point" if challenge.moves == 1 else f"{challenge.moves} points"
        return reached, f"{touched} points are edited, and {points} may be."
    for rule in challenge.rules:
        value = answers.compute(made, rule.watch)
        if not rule.holds(value):
            return reached, f"{value_text(rule, value)}, wanted is {wanted_text(rule)}."
    return reached, ""


def better(challenge: Challenge, best: float | None, value: float) -> float:
    """The better of two values, by the end at which the goal lies; the value where there is none before."""
    if best is None:
        return value
    return max(best, value) if challenge.goal.low > -float("inf") else min(best, value)


def value_text(claim: Claim, value: float) -> str:
    return f"{REGISTRY[claim.watch.name].words} is {answers.words(claim.watch, value)}"


def wanted_text(claim: Claim) -> str:
    ends = (("at least", claim.low), ("below", claim.high))
    return " and ".join(f"{word} {answers.words(claim.watch, end)}" for word, end in ends if abs(end) != float("inf"))
