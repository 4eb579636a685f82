"""Lessons as text files: how one is read and checked, and the ones that come with the app. README of data/: the format.

A text may mark a term of the glossary: `[support values](term:support value)`. `with_terms` replaces the marks.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from pages.shared.lessons import quantities, state
from pages.shared.lessons.tables import LessonError, Places, Table, syntax
from pages.shared.studies import glossary
from svmcore.problems.tables import DATA

FOLDER = DATA / "lessons"
ORDER = ("errors", "support", "width", "outliers", "solvers", "sparsity", "features", "evidence")
SCENES = "scenes"  # the file with a prompt for each scene

# per kind of prompt the kinds of quantity that it can watch, and the mistakes that `wrong` must name
KINDS = {
    "choose": (("number", "key"), ()),
    "number": (("number",), ("too_low", "too_high")),
    "line": (("line",), ("off",)),
    "points": (("points",), ("missed", "extra")),
    "place": (("place",), ("weaker",)),
    "step": (("number", "key", "points"), ("points",)),
    "order": (("order",), ("order",)),
}
ENDS = (("low", "-inf"), ("high", "inf"))
TERM = re.compile(r"\[([^]]+)\]\(term:([^)]+)\)")


class Watch(NamedTuple):
    """A quantity of `quantities.REGISTRY` and its arguments."""

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
        """Whether this option is true for the value of the watched quantity."""
        return value in self.among if isinstance(value, str) else self.low <= value < self.high


class Claim(NamedTuple):
    """What must be true for an explanation to hold: low <= value < high, or the value is `same`, a key or an order."""

    watch: Watch
    low: float = -float("inf")
    high: float = float("inf")
    same: Any = None

    def holds(self, value) -> bool:
        """Whether the claim is true for the value of its quantity."""
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
    `wrong` {mistake: sentence}: see `KINDS`. `second` is the table of a second plane, laid over the first. With
    `any_draw` the prompt holds for any seed, else it is asked of this one draw. `line` is its place in the file.
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
    line: int = 0

    @property
    def expected(self) -> int | None:
        """The index of the option that is expected to hold, None without options."""
        return next((k for k, option in enumerate(self.options) if not option.wrong), None)


class Teacher(NamedTuple):
    """The teacher's part of a lesson: what it is for, its equation in LaTeX, the source, what to leave out."""

    goal: str
    equation: str
    source: str
    skip: str


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

    def prompt(self, key: str) -> Prompt:
        """The prompt with this id; KeyError, with those that there are, for another."""
        found = {prompt.id: prompt for prompt in self.prompts}
        if key not in found:
            raise KeyError(f"lesson {self.id!r} has no prompt {key!r}; it has {', '.join(found)}")
        return found[key]


# ------------------------------------------------------------------------------------------ texts


def with_terms(text: str, written: Callable[[str, str], str]) -> str:
    """The text with each mark of a term replaced by `written(words, term)`."""
    return TERM.sub(lambda mark: written(mark[1], mark[2]), text)


def plain(text: str) -> str:
    """The text without the marks of terms."""
    return with_terms(text, lambda words, term: words)


def placeholders(text: str) -> list[str]:
    """The names in curly brackets. Double brackets are brackets."""
    return re.findall(r"(?<!\{)\{(\w+)\}(?!\})", text)


# ------------------------------------------------------------------------------------------ files


@cache
def shipped() -> dict[str, Lesson]:
    """The lessons that come with the app, {id: lesson} in the order of the course."""
    return {key: _file(key) for key in ORDER}


@cache
def scenes() -> dict[str, Prompt]:
    """The prompt of each scene of `studies.scenes`, by the key of the scene."""
    return {prompt.id: prompt for prompt in _file(SCENES).prompts}


def _file(key):
    return read((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))


def read(text: str) -> Lesson:
    """A lesson from the text of its file. LessonError, with the line, for anything that is missing or not known."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise syntax(error, text) from None
    places = Places(text)
    top = Table(table, "the lesson", places, ())
    top.only("id title minutes objectives prerequisites deeper teacher prompt")
    found = top.take("prompt", list)
    if not found:
        top.refuse("prompt", "a lesson needs at least one [[prompt]]")
    prompts = tuple(_prompt(Table(row, f"prompt {k + 1}", places, (k,))) for k, row in enumerate(found))
    for k, prompt in enumerate(prompts):
        if prompt.id in [other.id for other in prompts[:k]]:
            raise LessonError(f"Two prompts are called {prompt.id!r}; each needs an id of its own.", prompt.line)
    key = top.take("id", str)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", key):
        top.refuse("id", f"must be small letters, digits and _, got {key!r}")
    return Lesson(
        key,
        top.take("title", str),
        int(top.take("minutes", int)),
        top.texts("objectives"),
        top.texts("prerequisites"),
        top.texts("deeper", ()),
        _teacher(top.table("teacher")),
        prompts,
    )


def _teacher(table):
    table.only("goal equation source skip")
    return Teacher(*(table.take(name, str) for name in Teacher._fields))


def _prompt(table):
    key = table.take("id", str)
    table.name = f"prompt {key!r}"
    table.only(
        "id kind question state change watch why source draws closing goal option wrong scale close claim numbers "
        "controls second at"
    )
    kind = table.among("kind", KINDS)
    watch = _watch(table, "watch", table.take("watch", (str, dict)))
    suits, mistakes = KINDS[kind]
    quantity = quantities.REGISTRY[watch.name]
    if quantity.kind not in suits:
        table.refuse("watch", f"is a {quantity.kind}, but a prompt of kind {kind} asks for a {' or a '.join(suits)}")
    if kind == "step" and quantity.kind != "points":
        mistakes = ()
    numbers = {name: _watch(table, "numbers", value) for name, value in table.take("numbers", dict, {}).items()}
    why = table.take("why", str)
    for name in placeholders(why):
        if name not in numbers and name != "value":
            known = ", ".join(["value", *numbers])
            table.refuse("why", f"has {{{name}}}, but the numbers of this prompt are {known}")
    prompt = Prompt(
        key,
        kind,
        table.take("question", str),
        _state(table, "state"),
        _state(table, "change", {}),
        watch,
        why,
        table.take("source", str, ""),
        table.among("draws", ("any", "fixed"), "any") == "any",
        table.take("closing", bool, False),
        table.take("goal", str, ""),
        _options(table, kind, quantity, mistakes),
        _mistakes(table, mistakes),
        _scale(table, kind),
        float(table.take("close", (int, float), 0.0)),
        tuple(_claim(table.inner(row, k, "claim"), watch) for k, row in enumerate(table.take("claim", list, []))),
        numbers,
        _controls(table),
        _state(table, "second", None),
        table.take("at", int, None),
        table.line(),
    )
    _terms(table, prompt)
    return prompt


def _options(table, kind, quantity, mistakes):
    rows = table.take("option", list, [])
    needed = kind in ("choose", "step") and not mistakes
    if not needed and rows:
        table.refuse("option", f"a prompt of kind {kind} about {quantity.words} has no options")
    if needed and len(rows) < 2:
        table.refuse("kind", f"a prompt of kind {kind} needs at least two [[prompt.option]]")
    options = tuple(_option(table.inner(row, k, "option"), quantity) for k, row in enumerate(rows))
    if needed and (right := sum(not option.wrong for option in options)) != 1:
        table.refuse(
            "option", f"exactly one option, the one expected to be true, must have no `wrong`; {right} have none"
        )
    return options


def _option(table, quantity):
    table.only("text low high is wrong")
    among = table.take("is", (str, list), [])
    among = (among,) if isinstance(among, str) else tuple(among)
    if (quantity.kind == "key") != bool(among):
        need = "`is`, a key or a list of keys" if quantity.kind == "key" else "`low` or `high`, not `is`"
        table.refuse("text", f"this option needs {need}, because the prompt watches {quantity.words}")
    low, high = (-float("inf"), float("inf")) if among else _ends(table)
    return Option(table.take("text", str), low, high, among, table.take("wrong", str, ""))


def _mistakes(table, mistakes):
    found = table.take("wrong", dict, {})
    for name in found:
        if name not in mistakes:
            table.refuse("wrong", f"has no mistake {name!r}; {_listed(mistakes)}")
    for name in mistakes:
        if not isinstance(found.get(name), str) or not found[name].strip():
            table.refuse("wrong", f"needs a sentence for the mistake {name!r}: what the reader may have thought")
    return found


def _listed(mistakes):
    return f"this kind has {', '.join(mistakes)}" if mistakes else "its options have their own sentences"


def _scale(table, kind):
    found = table.table("scale") if kind == "number" or "scale" in table.values else None
    if found is None:
        return None
    found.only("low high step log")
    scale = Scale(*(float(found.take(name, (int, float))) for name in ("low", "high", "step")))
    if not scale.low < scale.high or scale.step <= 0:
        table.refuse("scale", "needs low < high and a step above 0")
    log = found.take("log", bool, False)
    if log and scale.low <= 0:
        table.refuse("scale", f"a scale of powers of ten begins above 0, got low = {scale.low:g}")
    return scale._replace(log=log)


def _claim(table, watch):
    table.only("watch low high is")
    if "watch" in table.values:
        watch = _watch(table, "watch", table.take("watch", (str, dict)))
    quantity = quantities.REGISTRY[watch.name]
    if quantity.kind == "number":
        return Claim(watch, *_ends(table))
    if quantity.kind not in ("key", "order"):
        table.refuse("watch", f"is a {quantity.kind}; a claim is about a number, a key or an order")
    return Claim(watch, same=table.take("is", (str, list)))


def _ends(table):
    low, high = (float(table.take(name, (int, float), end)) for name, end in ENDS)
    if not low < high:
        table.refuse("low", f"must be smaller than high, got {low:g} and {high:g}")
    if "low" not in table.values and "high" not in table.values:
        table.refuse("high", "or `low` is missing")
    return low, high


def _controls(table):
    names = table.texts("controls", ())
    for name in names:
        if name not in state.NAMES:
            table.refuse("controls", f"{name!r} is no parameter of a link; known are {', '.join(state.NAMES)}")
    return names


def _watch(table, key, value):
    row = {"name": value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else {}
    name = row.pop("name", "")
    try:
        quantities.check(name, row)
    except ValueError as error:
        table.refuse(key, str(error))
    return Watch(name, row)


def _state(table, key, default=...):
    found = table.take(key, dict, default)
    if found:
        try:
            state.check(found)
        except ValueError as error:
            table.refuse(key, str(error))
    return found


def _terms(table, prompt):
    texts = [prompt.question, prompt.why, *prompt.wrong.values()]
    texts += [text for option in prompt.options for text in (option.text, option.wrong)]
    for text in texts:
        for _, term in TERM.findall(text):
            if term not in glossary.TERMS:
                table.refuse("question", f"marks the term {term!r}, which the glossary does not have")
