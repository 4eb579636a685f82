"""What is voted on in a room, and what came out. No Streamlit here.

A vote is JSON, by the kind of its question, as the answers of the lessons are:

    choose   the number of an option, 0 ...          details: {"options": [texts]}
    number   a number                                details: {"low", "high", "unit"}, each may be missing
    line     [x0, y0, x1, y1] in data units          details: {}
    points   [numbers of points], in order           details: {"most": how many there are}
"""

import csv
import io
import math
from typing import NamedTuple

KINDS = ("choose", "number", "line", "points")
LONGEST = 500  # characters of a question, and of an option
MOST_OPTIONS = 12
BINS = 8  # of a distribution of numbers


class Question(NamedTuple):
    """A question of a room. `round` is 1, or 2 for the vote after the discussion; `revealed`: no vote is taken."""

    id: int
    kind: str
    text: str
    details: dict
    round: int = 1
    revealed: bool = False


class Tally(NamedTuple):
    """A distribution: the words of each row, and for each round the number of votes in it."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


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
            raise ValueError(f"A choice needs 2 to {MOST_OPTIONS} options, each in a line of its own.")
        if max(map(len, options)) > LONGEST:
            raise ValueError(f"An option has at most {LONGEST} characters.")
        details = {"options": options}
    if kind == "number" and not _bound(details, "low", -math.inf) < _bound(details, "high", math.inf):
        raise ValueError("The smallest number must be below the largest.")
    return kind, text, details


def _bound(details, name, otherwise):
    value = details.get(name)
    return otherwise if value is None else float(value)


def checked(question: Question, value):
    """A vote as it is stored; ValueError, in a sentence, for one that does not answer the question."""
    check = {"choose": _choice, "number": _number, "line": _line, "points": _points}[question.kind]
    return check(question.details, value)


def _choice(details, value):
    if type(value) is not int or not 0 <= value < len(details["options"]):
        raise ValueError("Choose one of the options.")
    return value


def _finite(value):
    return type(value) in (int, float) and abs(value) < 1e15


def _number(details, value):
    low, high = _bound(details, "low", -math.inf), _bound(details, "high", math.inf)
    if not _finite(value) or not low <= value <= high:
        raise ValueError(f"The vote must be a number from {low:g} to {high:g}.")
    return float(value)


def _line(details, value):
    if not isinstance(value, list) or len(value) != 4 or not all(map(_finite, value)) or value[:2] == value[2:]:
        raise ValueError("A line needs two different points: four numbers.")
    return [float(part) for part in value]


def _points(details, value):
    most = details.get("most", 5000)
    if not isinstance(value, list) or not all(type(part) is int and 0 <= part < most for part in value):
        raise ValueError("The vote must be a list of points.")
    return sorted(set(value))


def tally(question: Question, rounds: list[list]) -> Tally:
    """The distribution of the votes of each round: by option, by interval of numbers, or by point.

    Lines have no distribution; it is one row with their number.
    """
    if question.kind == "choose":
        labels = question.details["options"]
        return Tally(tuple(labels), tuple(tuple(votes.count(k) for k in range(len(labels))) for votes in rounds))
    if question.kind == "number":
        return _histogram(rounds, question.details.get("unit") or "")
    if question.kind == "points":
        chosen = sorted({point for votes in rounds for vote in votes for point in vote})
        counts = tuple(tuple(sum(point in vote for vote in votes) for point in chosen) for votes in rounds)
        return Tally(tuple(f"point {point}" for point in chosen), counts)
    return Tally(("lines",), tuple((len(votes),) for votes in rounds))


def _histogram(rounds, unit):
    every = sorted(value for votes in rounds for value in votes)
    if not every:
        return Tally((), tuple(() for _ in rounds))
    exact = sorted(set(every))
    if len(exact) <= BINS:
        labels = tuple(f"{value:g} {unit}".strip() for value in exact)
        return Tally(labels, tuple(tuple(votes.count(value) for value in exact) for votes in rounds))
    low, width = every[0], (every[-1] - every[0]) / BINS
    edges = [low + k * width for k in range(BINS)] + [every[-1]]
    labels = tuple(f"{a:.3g} to {b:.3g} {unit}".strip() for a, b in zip(edges[:-1], edges[1:], strict=True))

    def place(value):
        return min(int((value - low) / width), BINS - 1)

    return Tally(labels, tuple(tuple(sum(place(v) == k for v in votes) for k in range(BINS)) for votes in rounds))


def words(question: Question, value) -> str:
    """A vote as text."""
    if question.kind == "choose":
        return question.details["options"][value]
    return " ".join(f"{part:g}" for part in value) if isinstance(value, list) else f"{value:g}"


def csv_text(rows: list[tuple[Question, int, list]]) -> str:
    """All votes of a room, one a row, without a word on where they come from: (question, round, votes)."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["question", "kind", "round", "vote", "value", "words"])
    for question, number, votes in rows:
        for k, value in enumerate(votes, 1):
            said = words(question, value)
            said = _safe(said) if question.kind == "choose" else said
            out.writerow([_safe(question.text), question.kind, number, k, value, said])
    return text.getvalue()


def _safe(text):
    """A spreadsheet would take some texts for formulas."""
    return f"'{text}" if text.startswith(("=", "+", "@", "-")) else text
