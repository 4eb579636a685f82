"""Lessons as text files: how one is read and checked, and those of the app. docs/teaching.md has the format."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from pages.shared.lessons import state
from pages.shared.lessons.lesson import SHOWS, TERM, Challenge, Claim, Lesson, Option, Prompt, Scale, Teacher, Watch
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.quantities.registry import check_quantity
from pages.shared.lessons.tables import CheckedTable, LessonError, Places, syntax
from pages.shared.studies import glossary
from svmcore.problems.tables import DATA

FOLDER = DATA / "lessons"
PAGES = sorted(path.stem for path in Path(__file__).parents[2].glob("[a-z]*.py"))
ORDER = (
    "support", "price", "width", "map", "errors", "outliers", "evidence",
    "solvers", "duality", "sparsity", "features",  # for specialists
)  # fmt: skip
NOTEBOOK = FOLDER / "in_code.ipynb"  # a lesson for those who program
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
PLACEHOLDER = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")  # double brackets are brackets


@lru_cache(1)
def built_in_lessons() -> dict[str, Lesson]:
    """The lessons that come with the app, {id: lesson} in the order of the course."""
    return {key: _file(key) for key in ORDER}


@lru_cache(1)
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
    top = CheckedTable(table, "the lesson", places, ())
    top.only("id title minutes objectives prerequisites deeper teacher challenge prompt")
    found = top.take("prompt", list)
    if not found:
        top.refuse("prompt", "a lesson needs at least one [[prompt]]")
    prompts = tuple(_prompt(CheckedTable(row, f"prompt {k + 1}", places, (k,))) for k, row in enumerate(found))
    for k, prompt in enumerate(prompts):
        _check_place(prompt, [other.id for other in prompts[:k]])
    key, minutes = top.take("id", str), top.take("minutes", int)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", key):
        top.refuse("id", f"must consist of lower-case letters, digits and _, got {key!r}")
    if minutes < 1:
        top.refuse("minutes", f"must be at least 1, got {minutes}")
    deeper = top.texts("deeper", ())
    if not set(deeper) <= set(PAGES):
        top.refuse("deeper", f"must name pages of {', '.join(PAGES)}, got {list(deeper)}")
    teacher = top.table("teacher")
    teacher.only("goal equation source skip")
    return Lesson(
        key,
        top.take("title", str),
        minutes,
        top.texts("objectives"),
        top.texts("prerequisites"),
        deeper,
        Teacher(*(teacher.take(name, str) for name in Teacher._fields)),
        prompts,
        _challenge(top.table("challenge")) if "challenge" in table else None,
    )


def _challenge(table):
    table.only("text state goal rule controls moves")
    rows, anything = [table.take("goal", dict), *table.take("rule", list, [])], Watch("test_error", {})
    goal, *rules = (_claim(table.inner(row, k, "claim"), anything) for k, row in enumerate(rows))
    controls, moves = _controls(table), table.take("moves", int, 0)
    if not controls and moves < 1:
        table.refuse("moves", "or `controls` is needed: else a reader can change nothing")
    if goal.same is not None:
        table.refuse("goal", "must be a number with `low` or `high`")
    text, begin = table.take("text", str), _state(table, "state")
    return Challenge(text, begin, goal, tuple(rules), controls, moves, table.line())


def _check_place(prompt, before):
    """Refuses an id that is there `before`, and a need that is not. Those of other lessons need not be there."""
    if prompt.id in before:
        raise LessonError(f"Two prompts are called {prompt.id!r}; each needs an id of its own.", prompt.line)
    for name in prompt.needs:
        if "/" not in name and name not in before:
            earlier = ", ".join(before) or "none, it is the first"
            raise LessonError(
                f"prompt {prompt.id!r}: `needs` has {name!r}, which must be an earlier prompt of this lesson "
                f'({earlier}) or one of another lesson, as in "errors/flip".',
                prompt.line,
            )


def _prompt(table):
    key = table.take("id", str)
    table.name = f"prompt {key!r}"
    table.only(
        "id kind question state change watch why source draws closing goal option wrong scale close claim numbers "
        "controls second at needs optional shows"
    )
    kind = table.among("kind", KINDS)
    watch = _watch(table, "watch", table.take("watch", (str, dict)))
    suits, mistakes = KINDS[kind]
    quantity = REGISTRY[watch.name]
    if quantity.kind not in suits:
        table.refuse("watch", f"is of kind {quantity.kind}, but a prompt of kind {kind} needs {' or '.join(suits)}")
    if kind == "step" and quantity.kind != "points":
        mistakes = ()
    numbers = {name: _watch(table, "numbers", value) for name, value in table.take("numbers", dict, {}).items()}
    why = table.take("why", str)
    for name in PLACEHOLDER.findall(why):
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
        scale := _scale(table, kind),
        _close(table, kind, scale),
        tuple(_claim(table.inner(row, k, "claim"), watch) for k, row in enumerate(table.take("claim", list, []))),
        numbers,
        _controls(table),
        _state(table, "second", None),
        table.take("at", int, None),
        table.texts("needs", ()),
        table.take("optional", bool, False),
        table.among("shows", ("", *SHOWS), ""),
        table.line(),
    )
    if prompt.shows in ("violation", "objectives") and prompt.at is None:
        drawn = "the number of steps that are drawn before the answer"
        table.refuse("shows", f"is {prompt.shows}, which needs `at`, {drawn}")
    _check_use(table, prompt)
    for _, term in TERM.findall("\n".join(prompt.texts)):
        if term not in glossary.TERMS:
            key = next(key for key, value in table.values.items() if f"(term:{term})" in str(value))
            table.refuse(key, f"marks the term {term!r}, which the glossary does not have")
    return prompt


def _options(table, kind, quantity, mistakes):
    rows = table.take("option", list, [])
    needed = kind in ("choose", "step") and not mistakes
    if not needed and rows:
        table.refuse("option", f"does not belong to the kind {kind} about {quantity.words}")
    if needed and len(rows) < 2:
        table.refuse("kind", f"is {kind}, which needs at least two [[prompt.option]]")
    options = tuple(_option(table.inner(row, k, "option"), quantity) for k, row in enumerate(rows))
    if needed and (right := sum(not option.wrong for option in options)) != 1:
        table.refuse(
            "option", f"must hold exactly one option without `wrong`, the one expected to be true; {right} have none"
        )
    return options


def _option(table, quantity):
    table.only("text low high is wrong")
    among = table.take("is", (str, list), [])
    among = (among,) if isinstance(among, str) else tuple(among)
    if (quantity.kind == "key") != bool(among):
        need = "`is`, a key or a list of keys" if quantity.kind == "key" else "`low` or `high`, not `is`"
        table.refuse("text", f"belongs to an option that needs {need}, because the prompt watches {quantity.words}")
    low, high = (-float("inf"), float("inf")) if among else _ends(table)
    return Option(table.take("text", str), low, high, among, table.take("wrong", str, ""))


def _mistakes(table, mistakes):
    found = table.take("wrong", dict, {})
    if found and not mistakes:
        table.refuse("wrong", "does not belong here: the options of this prompt have their own sentences")
    if found:
        table.table("wrong").only(" ".join(mistakes))
    for name in mistakes:
        if not isinstance(found.get(name), str) or not found[name].strip():
            table.refuse("wrong", f"needs a sentence for the mistake {name!r}: what the reader may have thought")
    return found


def _scale(table, kind):
    if kind != "number" and "scale" not in table.values:
        return None
    found = table.table("scale")
    found.only("low high step log")
    ends = (float(found.take(name, (int, float))) for name in ("low", "high", "step"))
    scale = Scale(*ends, found.take("log", bool, False))
    if not 0 < scale.step <= scale.high - scale.low < float("inf"):
        table.refuse("scale", "needs low < high and a step above 0, at most as wide as the scale")
    if scale.log and scale.low <= 0:
        table.refuse("scale", f"of powers of ten begins above 0, got low = {scale.low:g}")
    return scale


def _close(table, kind, scale):
    """`close`; refused where every answer would count as right, or none that a hand can give."""
    close = float(table.take("close", (int, float), 0.0))
    if kind in ("line", "place") and not 0 < close <= 1:
        table.refuse("close", f"must be a share above 0 and at most 1 for the kind {kind}, got {close:g}")
    least = 1.05 if scale and scale.log else 0
    most = (scale.high / scale.low if scale.log else scale.high - scale.low) if scale else float("inf")
    if close < least:
        table.refuse("close", f"must be at least {least:g}, got {close:g}")
    if close >= most:
        table.refuse("close", f"must be below {most:g}, the width of the scale, got {close:g}")
    return close


def _claim(table, watch):
    table.only("watch low high is")
    if "watch" in table.values:
        watch = _watch(table, "watch", table.take("watch", (str, dict)))
    quantity = REGISTRY[watch.name]
    if quantity.kind == "number":
        return Claim(watch, *_ends(table))
    if quantity.kind not in ("key", "order"):
        table.refuse("watch", f"is of kind {quantity.kind}; a claim needs a number, a key or an order")
    return Claim(watch, same=table.take("is", (str, list)))


def _ends(table):
    low, high = (float(table.take(name, (int, float), end)) for name, end in (("low", "-inf"), ("high", "inf")))
    if not low < high:
        table.refuse("low", f"must be smaller than high, got {low:g} and {high:g}")
    if "low" not in table.values and "high" not in table.values:
        table.refuse("high", "or `low` is missing")
    return low, high


def _controls(table):
    names = table.texts("controls", ())
    for name in names:
        if name not in state.FIELDS:
            table.refuse("controls", f"{name!r} cannot be set here; known are {', '.join(state.FIELDS)}")
    return names


def _watch(table, key, value):
    row = {"name": value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else {}
    name = row.pop("name", "")
    try:
        check_quantity(name, row)
    except ValueError as error:
        table.refuse(key, str(error))
    return Watch(name, row)


def _state(table, key, default=...):
    found = table.take(key, dict, default)
    try:
        return found and state.check(found)
    except ValueError as error:
        table.refuse(key, str(error))


def _check_use(table, prompt):
    """Refuses what a state, change or second plane sets and no screen of the prompt uses, not even by its controls."""
    named = [value for watch in prompt.watches for value in watch.arguments.values()]
    losses = [loss for loss in state.LOSSES if loss in named or "loss" in prompt.controls]
    for key, part in (("state", prompt.state), ("change", prompt.change), ("second", prompt.second or {})):
        try:
            sentence = state.unused_sentence(part, prompt.tables, losses)
        except ValueError as error:
            sentence = str(error)
        if sentence:
            table.refuse(key, sentence)
