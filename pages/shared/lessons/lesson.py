"""The parts of a lesson, and the marks of glossary terms in its texts: `[support values](term:support value)`."""

import re
from collections.abc import Callable
from textwrap import shorten
from typing import Any, NamedTuple

from svmcore.words import keep_units, with_count

TERM = re.compile(r"\[([^][]+)\]\(term:([^][()]+)\)")  # a bracket ends each search, so its time is linear
SHOWS = {  # what a prompt can show with its points, and where: beside the plane, on it or in its place
    "loss": "beside",
    "points_on_loss": "beside",
    "disputed": "on",
    "violation": "alone",
    "objectives": "alone",
    "width": "alone",
    "walk": "alone",
}


class Watch(NamedTuple):
    """A quantity of `quantities.registry.REGISTRY` and its arguments."""

    name: str
    arguments: dict[str, Any]


class Option(NamedTuple):
    """One choice. It holds if low <= value < high, or, for a value that is a key, if the value is one of `among`.

    `wrong` is what to say to a reader who chose it in error; it is "" for the one option that is expected to hold.
    """

    text: str
    low: float = -float("inf")
    high: float = float("inf")
    among: tuple[str, ...] = ()
    wrong: str = ""

    def holds(self, value) -> bool:
        """True if this option is true for the value of the watched quantity."""
        return value in self.among if isinstance(value, str) else self.low <= value < self.high


class Claim(NamedTuple):
    """Condition for an explanation to hold: low <= value < high, or the value is `same`, a key or an order."""

    watch: Watch
    low: float = -float("inf")
    high: float = float("inf")
    same: Any = None

    def holds(self, value) -> bool:
        """True if the claim is true for the value of its quantity."""
        if isinstance(value, list):
            value = [key for key, _ in value]
        return value == self.same if self.same is not None else self.low <= value < self.high


class Scale(NamedTuple):
    """The slider of a number: its ends and its step; with `log` it is a slider of powers of ten."""

    low: float
    high: float
    step: float
    log: bool = False


class Prompt(NamedTuple):
    """One question: `state` is the table before the commitment, `change` is what is then laid over it.

    `close` is the gap that counts as right: for a number a difference, or with a scale of powers of ten a factor; for
    a line a share of the plane; for points the number of wrong points; for a place the share of the largest effect
    that must be reached; for an order the pairs of machines in the wrong order. `why` is true where the option without
    `wrong` and all the `claims` hold. `numbers` {name: Watch} fills {name} in `why`.
    `needs` are the prompts that must come before, "id" or "lesson/id"; `optional` ones are left out first.
    `wrong` {mistake: sentence}: see `reading.KINDS`. `second` is the table of a second plane, laid over the first. With
    `any_draw` the prompt holds for any seed, else it is asked of this one draw. `shows` is a key of
    SHOWS, "" for none. `line` is its place in the file.
    """

    id: str
    kind: str
    question: str
    state: dict[str, Any]
    change: dict[str, Any]
    watch: Watch
    why: str
    source: str = ""
    any_draw: bool = True
    closing: bool = False
    goal: str = ""
    options: tuple[Option, ...] = ()
    wrong: dict[str, str] = {}
    scale: Scale | None = None
    close: float = 0.0
    claims: tuple[Claim, ...] = ()
    numbers: dict[str, Watch] = {}
    controls: tuple[str, ...] = ()
    second: dict[str, Any] | None = None
    at: int | None = None
    needs: tuple[str, ...] = ()
    optional: bool = False
    shows: str = ""
    line: int = 0

    def __hash__(self):  # for caches: the tables in it have none
        return hash((self.id, self.question))

    @property
    def answer_kind(self) -> str:
        """Kind of the answer, as in `grading`: that of the prompt; of a step it is an option, or else points."""
        return "choose" if self.options else "points" if self.kind == "step" else self.kind

    @property
    def chart_place(self) -> str:
        """Place of what it `shows`, a value of SHOWS; "" where it shows the points alone."""
        return SHOWS.get(self.shows, "")

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The tables of its set-ups: of one plane or of both, before the change and after it."""
        planes = [self.state, *([{**self.state, **self.second}] if self.second else [])]
        return [{**table, **change} for change in ({}, self.change) for table in planes]

    @property
    def watches(self) -> list[Watch]:
        """Everything that the prompt computes: its answer first."""
        return [self.watch, *self.numbers.values(), *(claim.watch for claim in self.claims)]

    @property
    def texts(self) -> list[str]:
        """The texts that a reader may see, in which terms are marked."""
        options = [text for option in self.options for text in (option.text, option.wrong)]
        return [self.question, self.why, *self.wrong.values(), *options]

    @property
    def expected_option(self) -> int | None:
        """The index of the option that is expected to hold, None without options."""
        return next((k for k, option in enumerate(self.options) if not option.wrong), None)


class Teacher(NamedTuple):
    """The teacher's part of a lesson: what it is for, its equation in LaTeX, the source, what to leave out."""

    goal: str
    equation: str
    source: str
    skip: str


class Challenge(NamedTuple):
    """An open task at the end of a lesson. The reader changes `controls` and edits up to `moves` points of the `state`
    until the `goal` holds, and all `rules`. `line` is its place in the file.
    """

    text: str
    state: dict[str, Any]
    goal: Claim
    rules: tuple[Claim, ...] = ()
    controls: tuple[str, ...] = ()
    moves: int = 0
    line: int = 0


class Lesson(NamedTuple):
    """A lesson: `objectives` name abilities, `deeper` the pages that go deeper."""

    id: str
    title: str
    minutes: int
    objectives: tuple[str, ...]
    prerequisites: tuple[str, ...]
    deeper: tuple[str, ...]
    teacher: Teacher
    prompts: tuple[Prompt, ...]
    challenge: Challenge | None = None

    @property
    def time(self) -> str:
        """The time that it takes, in words."""
        return with_count(self.minutes, "minute")

    def prompt(self, key: str) -> Prompt:
        """The prompt with this id; KeyError, with those that there are, for another."""
        found = {prompt.id: prompt for prompt in self.prompts}
        if key not in found:
            raise KeyError(f"lesson {self.id!r} has no prompt {key!r}; it has {', '.join(found)}")
        return found[key]


# ------------------------------------------------------------------------------------------ texts


def with_terms(text: str, written: Callable[[str, str], str]) -> str:
    """The text as it is shown: each mark of a term replaced by `written(words, term)`, each share kept on one line."""
    return keep_units(TERM.sub(lambda mark: written(mark[1], mark[2]), text))


def plain(text: str) -> str:
    """The text without the marks of terms."""
    return with_terms(text, lambda words, term: words)


def short(text: str, most: int) -> str:
    """The same in at most so many characters, cut after a word."""
    return keep_units(shorten(plain(text), most, placeholder=" …"))  # which makes usual spaces of all
