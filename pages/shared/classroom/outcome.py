"""The answers of a room to a prompt beside the computed answer: a sentence on each vote. No Streamlit."""

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from pages.shared.lessons import grading
from pages.shared.lessons.answers import Answer, words
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.place import harm
from svmcore.words import percent, with_count

NEAR = 10.0  # degrees from the boundary within which a line is counted
MOST_PLACES = 200  # for which a machine is fitted
BARS = 20  # of a histogram, at most


def outcome(prompt: Prompt, answer: Answer, rounds: list[list]) -> tuple[str, ...]:
    """A sentence on each vote; `rounds` are the values of the votes, as `classroom.votes` checks them."""
    judge = JUDGES.get(prompt.answer_kind, _grade_votes)
    return tuple(judge(prompt, answer, given) if given else "No votes." for given in rounds)


def histogram(prompt: Prompt, rounds: list[list[float]]) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """The numbers of each vote in bars over the slider of the prompt: (edges (n + 1,), counts (n,) of each round).

    Each bar holds whole steps of the slider.
    """
    low, high, step, log = prompt.scale
    if log:
        edges = np.geomspace(low, high, BARS + 1)
    else:
        places = round((high - low) / step) + 1
        width = step * -(-places // BARS)
        edges = low - step / 2 + width * np.arange(-(-places * step // width) + 1)
    return edges, tuple(np.histogram(np.clip(given, edges[0], edges[-1]), edges)[0] for given in rounds)


def feedback(prompt: Prompt, answer: Answer, given: Any) -> Feedback | None:
    """The feedback on a vote; None for one on a lesson that has changed since."""
    try:
        return grading.grade(prompt, given, answer)
    except ValueError:
        return None


def _share_right(prompt, answer, given):
    right = sum(found.right for one in given if (found := feedback(prompt, answer, one)))
    return f"{right} of {with_count(len(given), 'vote')}"


def _grade_votes(prompt, answer, given):
    return f"{_share_right(prompt, answer, given)} right."


def _number(prompt, answer, given):
    middle = words(prompt.watch, median(given))
    return f"{_share_right(prompt, answer, given)} close enough; the median is {middle}."


def _line(prompt, answer, given):
    field = answer.case.study().field
    true = np.reshape(answer.value, (2, 2))
    angles = [grading.line_difference(np.reshape(line, (2, 2)), true, field.xs, field.ys)[0] for line in given]
    near = sum(apart <= NEAR for apart in angles)
    lines, middle = with_count(len(given), "line"), median(angles)
    return f"{near} of {lines} within {NEAR:g}° of the boundary; the median angle is {middle:.1f}°."


def _place(prompt, answer, given):
    every = -(-len(given) // MOST_PLACES)
    seen, best = given[::every], answer.value[2]
    arguments = {name: value for name, value in prompt.watch.arguments.items() if name in ("point", "loss")}
    shares = [harm(answer.case, place, **arguments) / best if best else 0.0 for place in seen]
    right, votes = sum(share >= prompt.close for share in shares), with_count(len(seen), "vote")
    sample = f" Only one vote in {every} is evaluated." if every > 1 else ""
    close, middle = percent(prompt.close, ".0f"), percent(median(shares), ".0f")
    return f"{right} of {votes} with {close} or more of the largest effect; the median is {middle}.{sample}"


JUDGES: dict[str, Callable[..., str]] = {"number": _number, "line": _line, "place": _place}
