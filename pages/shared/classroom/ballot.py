"""A prompt as a question of a room, the prompt of such a question, and the answers of the room beside the computed one.
No Streamlit here.

The details of the question have what its votes are checked against (`classroom.votes`), and {"asked": {"lesson": id,
"prompt": id, "draw": number, "own": key of the text of the lecturer's own lesson, "" for one of the app}}.
"""

from collections.abc import Callable
from functools import lru_cache
from statistics import median, median_high, median_low
from typing import Any

import numpy as np

from pages.shared.classroom import votes
from pages.shared.classroom.votes import Question
from pages.shared.lessons import answers, grading, own
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.grading import Feedback
from pages.shared.lessons.lesson import Lesson, Prompt, short
from pages.shared.lessons.quantities.boundary import harm
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.lessons.quantities.registry import machine_name
from pages.shared.lessons.reading import built_in_lessons
from svmcore.words import percent, with_count

NEAR = 10.0  # degrees from the boundary within which a line is counted
MOST_PLACES = 200  # for which a machine is fitted
BARS = 20  # of a histogram, at most
own_lesson = lru_cache(32)(own.read)  # of a text, checked as one of unknown origin, and read once


def question(lesson: Lesson, prompt: Prompt, draw: int, case: Case) -> tuple[str, str, dict[str, Any]]:
    """(kind, text, details) for `polls.ask`; `case` is that of this draw."""
    kind, named = prompt.answer_kind, {"lesson": lesson.id, "prompt": prompt.id, "draw": draw}
    return kind, short(prompt.question, votes.LONGEST), {"asked": named, **DETAILS[kind](prompt, case)}


def prompt(asked: Question, text_of: Callable[[str], str]) -> Prompt:
    """The prompt of a question of a room. `text_of` gives the text of the lecturer's own lesson by its key.

    KeyError for a lesson or a prompt that this server does not have.
    """
    named = asked.lesson_prompt
    lesson = own_lesson(text_of(named["own"])) if named["own"] else built_in_lessons()[named["lesson"]]
    return lesson.prompt(named["prompt"])


def _scale(prompt, case):
    slack = 1.05 if prompt.scale.log else 1.0  # a slider of powers of ten has two digits
    return {"low": prompt.scale.low / slack, "high": prompt.scale.high * slack, **answers.measure(prompt.watch)}


def _picture(prompt, case):
    extents = [case.source.extent(case.setup(of).data) for of in (BEFORE, AFTER)]
    ends = {name: [getattr(one, name) for one in extents] for name in ("xs", "ys")}
    return {name: [float(min(a[0] for a in axis)), float(max(a[-1] for a in axis))] for name, axis in ends.items()}


DETAILS = {
    "choose": lambda prompt, _: {"options": [short(option.text, votes.LONGEST) for option in prompt.options]},
    "number": _scale,
    "line": _picture,
    "points": lambda prompt, case: {
        "ids": sorted({int(key) for of in (BEFORE, AFTER) for key in case.problem(of).ids})
    },
    "place": _picture,
    "order": lambda _, case: {"entries": [[one.loss, machine_name(one.loss)] for one in case.after.machines]},
}


# ------------------------------------------------------------------------------------------ the outcome


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
    low, high = (answers.words(prompt.watch, middle(given)) for middle in (median_low, median_high))
    middle = low if low == high else f"between {low} and {high}"
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
    shares = [harm(answer.case, place, **prompt.watch.arguments) / best if best else 0.0 for place in seen]
    right, votes = sum(share >= prompt.close for share in shares), with_count(len(seen), "vote")
    sample = f" Only one vote in {every} is evaluated." if every > 1 else ""
    close, middle = percent(prompt.close, ".0f"), percent(median(shares), ".0f")
    return f"{right} of {votes} with {close} or more of the largest effect; the median is {middle}.{sample}"


JUDGES: dict[str, Callable[..., str]] = {"number": _number, "line": _line, "place": _place}
