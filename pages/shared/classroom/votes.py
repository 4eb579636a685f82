"""Questions on which a room votes, and their results. No Streamlit here.

A vote is JSON, by the kind of its question, as the answers of the lessons are:

    choose   the number of an option, 0 ...          details: {"options": [texts]}
    number   a number                                details: {"low", "high", "unit"}, each may be missing
    line     [x0, y0, x1, y1] in data units          details: {"xs", "ys"}, the ends of the picture, may be missing
    points   [numbers of points], in order           details: {"ids"}, or {"most": how many there are}
    place    [x, y] in data units                    details: as those of a line
    order    [keys], the largest first               details: {"entries": [[key, name], ...]}

A prompt of a lesson has {"asked": {"lesson", "prompt", "draw", "own"}} beside these, see `classroom.ballot`.
"""

import json
import math
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from svmcore.problems.tables import harmless_cell, rows_text
from svmcore.words import readable

LONGEST = 500  # characters of a question, and of an option
MOST_OPTIONS = 12
LARGEST = 100_000  # characters of the details of a question
BINS = 8  # of a distribution of numbers
BEYOND = 1e15  # no number of a vote is so large


class Question(NamedTuple):
    """A question of a room. `round` is 1, or 2 for the vote after the discussion.

    `bars`: everyone sees the distribution; `revealed`: the answer, too; `closed`: it has left the screens; `until`: the
    end of its clock, in seconds since 1970; `told` rises when other reasons are shown to the class.
    """

    id: int
    kind: str
    text: str
    details: dict
    round: int = 1
    revealed: bool = False
    bars: bool = False
    closed: bool = False
    until: float | None = None
    told: int = 0

    @property
    def is_open(self) -> bool:
        """True while votes are taken."""
        return not (self.bars or self.revealed or self.closed)

    @property
    def lesson_prompt(self) -> dict | None:
        """Prompt of a lesson that this is; None for a free question."""
        return self.details.get("asked")


def checked_question(kind: str, text: str, details: dict) -> tuple[str, str, dict]:
    """The parts of a new question; ValueError, in a sentence, for what cannot be asked."""
    text = " ".join(text.split())
    if kind not in KINDS:
        raise ValueError(f"A vote is one of {', '.join(KINDS)}, got {kind!r}.")
    if not text or len(text) > LONGEST:
        raise ValueError(f"The question needs 1 to {LONGEST} characters, got {len(text)}.")
    if kind == "choose":
        options = [" ".join(str(option).split()) for option in details.get("options", ())]
        options = [option for option in options if option]
        if not 2 <= len(options) <= MOST_OPTIONS:
            raise ValueError(f"A choice needs 2 to {MOST_OPTIONS} options, each on a line of its own.")
        if len({*options}) < len(options):
            raise ValueError("Two options are the same; a class could not tell them apart.")
        if max(map(len, options)) > LONGEST:
            raise ValueError(f"An option has at most {LONGEST} characters.")
        details = {**details, "options": options}
    if kind == "number" and not _bound(details, "low", -math.inf) < _bound(details, "high", math.inf):
        raise ValueError("The smallest number must be below the largest.")
    if kind == "order" and len(details.get("entries", ())) < 2:
        raise ValueError("An order needs at least two entries.")
    if len(json.dumps(details)) > LARGEST:
        raise ValueError(f"The question is too large: its details have more than {LARGEST} characters.")
    return kind, text, details


def _bound(details, name, otherwise):
    value = details.get(name)
    return otherwise if value is None else float(value)


def _choice(details, value):
    if type(value) is not int or not 0 <= value < len(details["options"]):
        raise ValueError("Choose one of the options.")
    return value


def _finite(value):
    return type(value) in (int, float) and abs(value) < BEYOND


def _number(details, value):
    low, high = _bound(details, "low", -BEYOND), _bound(details, "high", BEYOND)
    if not _finite(value) or not low <= value <= high:
        raise ValueError(readable(f"The vote must be a number from {low:g} to {high:g}."))
    return float(value)


def _line(details, value):
    if not _in_picture(details, value, 4) or value[:2] == value[2:]:
        raise ValueError("A line needs two different points of the picture: four numbers.")
    return [float(part) for part in value]


def _place(details, value):
    if not _in_picture(details, value, 2):
        raise ValueError("A place is a point of the picture: two numbers.")
    return [float(part) for part in value]


def _in_picture(details, value, n):
    """True if these are n numbers, x and y in turn, not further from the picture than it is wide."""
    if not isinstance(value, list) or len(value) != n or not all(map(_finite, value)):
        return False
    for name, part in zip(("xs", "ys") * (n // 2), value, strict=True):
        low, high = details.get(name, (-math.inf, math.inf))
        if not 2 * low - high <= part <= 2 * high - low:
            return False
    return True


def _points(details, value):
    if not isinstance(value, list) or not all(type(part) is int for part in value):
        raise ValueError("The vote must be a list of points.")
    known = set(details["ids"]) if "ids" in details else range(details.get("most", 5000))
    if not all(part in known for part in value):
        raise ValueError("The vote must be a list of points of the picture.")
    return sorted(set(value))


def _order(details, value):
    keys = sorted(key for key, _ in details["entries"])
    if not isinstance(value, list) or not all(type(part) is str for part in value) or sorted(value) != keys:
        raise ValueError(f"The vote must have each of {', '.join(keys)} once.")
    return value


# of a question its details and a vote: as it is stored; ValueError, in a sentence, for one that does not answer it
KINDS = {
    "choose": _choice, "number": _number, "line": _line, "points": _points, "place": _place, "order": _order,
}  # fmt: skip


def tally(question: Question, rounds: list[list]) -> list[tuple[str, tuple[int, ...]]]:
    """The distribution of the votes: (words, the number of votes in each round) by option, by interval of numbers, or
    by order.
    """
    if question.kind == "number":
        return _histogram(rounds, question.details.get("unit") or "")
    if question.kind == "choose":
        found = range(len(question.details["options"]))
    else:
        counted = Counter(tuple(vote) for votes in rounds for vote in votes)
        found = [list(order) for order, _ in counted.most_common(MOST_OPTIONS)]
    return [(words(question, one), _count(rounds, one)) for one in found]


def _histogram(rounds, unit):
    exact = sorted({value for votes in rounds for value in votes})
    if len(exact) <= BINS:
        return [(readable(f"{value:g} {unit}".strip()), _count(rounds, value)) for value in exact]
    edges = np.linspace(exact[0], exact[-1], BINS + 1)
    counts = zip(*(np.histogram(votes, edges)[0].tolist() for votes in rounds), strict=True)
    labels = (readable(f"{a:.3g} to {b:.3g} {unit}".strip()) for a, b in pairwise(edges))
    return [*zip(labels, counts, strict=True)]


def _count(rounds, value):
    return tuple(votes.count(value) for votes in rounds)


def words(question: Question, value) -> str:
    details = question.details
    if question.kind == "choose":
        return details["options"][value]
    if question.kind == "order":
        names = dict(details["entries"])
        return ", ".join(names[key] for key in value)
    if question.kind == "points":
        return ", ".join(map(str, value)) or "none"
    if question.kind == "number":
        return f"{details.get('factor', 1) * value:g} {details.get('unit') or ''}".strip()
    seen = [round(part, 6) + 0.0 for part in value]  # a step back to zero leaves 10⁻⁷, which no picture shows
    places = [f"({x:.4g}, {y:.4g})" for x, y in zip(seen[::2], seen[1::2], strict=True)]
    return f"through {' and '.join(places)}" if question.kind == "line" else places[0]


def csv_text(rows: list[tuple[Question, int, list]]) -> str:
    """All votes of a room, one a row, without a word on where they come from: (question, round, votes)."""
    table = [["question", "kind", "round", "vote", "value", "words"]]
    for question, number, votes in rows:
        for k, value in enumerate(votes, 1):
            said = words(question, value)
            said = said if question.kind == "number" else harmless_cell(said)
            table.append([harmless_cell(question.text), question.kind, number, k, json.dumps(value), said])
    return rows_text(table)
