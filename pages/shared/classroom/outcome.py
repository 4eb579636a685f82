"""The answers of a room to a prompt beside the computed answer: a `RoundScore` for each vote. No Streamlit."""

from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from pages.shared.classroom import ballot
from pages.shared.lessons import grading
from pages.shared.lessons.answers import Answer, words
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.place import harm
from svmcore.words import percent, with_count

NEAR = 10.0  # degrees from the boundary within which a line is counted
MOST_PLACES = 200  # for which a machine is fitted
BARS = 20  # of a histogram, at most


class RoundScore(NamedTuple):
    """One vote: the number of votes, those that are right as the lesson grades them, and a sentence on all of them.

    `scores` are degrees from the boundary for lines, shares of the largest effect for places, else empty.
    """

    votes: int
    right: int
    sentence: str
    scores: tuple[float, ...] = ()


class Histogram(NamedTuple):
    """Numbers in bars: `edges` (n + 1,) in the unit of the answer, `counts` (n,) for each round."""

    edges: np.ndarray
    counts: tuple[np.ndarray, ...]


def outcome(prompt: Prompt, answer: Answer, rounds: list[list]) -> tuple[RoundScore, ...]:
    """The Round of each vote; `rounds` are the values of the votes, as `classroom.votes` checks them."""
    judge = JUDGES.get(ballot.kind(prompt), _grade_votes)
    return tuple(judge(prompt, answer, given) if given else RoundScore(0, 0, "No votes.") for given in rounds)


def histogram(prompt: Prompt, rounds: list[list[float]]) -> Histogram:
    """The numbers of each vote in bars over the slider of the prompt; each bar holds whole steps of the slider."""
    low, high, step, log = prompt.scale
    if log:
        edges = np.geomspace(low, high, BARS + 1)
    else:
        places = round((high - low) / step) + 1
        width = step * -(-places // BARS)
        edges = low - step / 2 + width * np.arange(-(-places * step // width) + 1)
    return Histogram(edges, tuple(np.histogram(np.clip(given, edges[0], edges[-1]), edges)[0] for given in rounds))


def feedback(prompt: Prompt, answer: Answer, given: Any) -> Feedback | None:
    """The feedback on a vote; None for one on a lesson that has changed since."""
    try:
        return grading.grade(prompt, given, answer)
    except ValueError:
        return None


def _count_right(prompt, answer, given):
    return sum(found.right for one in given if (found := feedback(prompt, answer, one)))


def _grade_votes(prompt, answer, given):
    right = _count_right(prompt, answer, given)
    return RoundScore(len(given), right, f"{_share_text(right, given)} right.")


def _number(prompt, answer, given):
    right = _count_right(prompt, answer, given)
    middle = words(prompt.watch, median(given))
    return RoundScore(len(given), right, f"{_share_text(right, given)} close enough; the median is {middle}.")


def _line(prompt, answer, given):
    field = answer.case.study().field
    true = np.reshape(answer.value, (2, 2))
    found = [grading.line_difference(np.reshape(line, (2, 2)), true, field.xs, field.ys) for line in given]
    angles = tuple(apart for apart, _ in found)
    near = sum(apart <= NEAR for apart in angles)
    lines, middle = with_count(len(given), "line"), median(angles)
    sentence = f"{near} of {lines} within {NEAR:g}° of the boundary; the median angle is {middle:.1f}°."
    return RoundScore(len(given), sum(share <= prompt.close for _, share in found), sentence, angles)


def _place(prompt, answer, given):
    every = -(-len(given) // MOST_PLACES)
    seen, best = given[::every], answer.value[2]
    arguments = {name: value for name, value in prompt.watch.arguments.items() if name in ("point", "loss")}
    shares = tuple(harm(answer.case, place, **arguments) / best if best else 0.0 for place in seen)
    right = sum(share >= prompt.close for share in shares)
    sample = f" Only one vote in {every} is evaluated." if every > 1 else ""
    close, middle = percent(prompt.close, ".0f"), percent(median(shares), ".0f")
    sentence = f"{_share_text(right, seen)} with {close} or more of the largest effect; the median is {middle}."
    return RoundScore(len(given), right, sentence + sample, shares)


JUDGES: dict[str, Callable[..., RoundScore]] = {"number": _number, "line": _line, "place": _place}


def _share_text(some, given):
    return f"{some} of {with_count(len(given), 'vote')}"
