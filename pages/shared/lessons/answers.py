"""The answer of a prompt, computed by the solvers when it is asked for and stored nowhere."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from pages.shared.lessons import state
from pages.shared.lessons.lesson import Prompt, Watch
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.quantities.registry import machine_name, points_of_percent
from pages.shared.studies.source import Source
from svmcore import deadline
from svmcore.words import readable

TROUBLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)  # of a state that suits no quantity

NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?")


class AnswerError(ValueError):
    """A prompt has no answer: a sentence for its reader that says which prompt, what is wrong, and what to do."""


class Late(AnswerError):
    """There is no answer yet, because its time was over: what the solvers had by then is none."""


class Answer(NamedTuple):
    """Answer of the solvers. `value` is as `quantities.registry.KINDS` has it, `text` the same in words.

    `true` is the index of the option that holds, None without options. `expected`: whether it is the answer that the
    lesson's explanation is written for. `numbers` {name: text} fill the explanation. `case` has the set-ups before
    and after the change.
    """

    value: Any
    text: str
    true: int | None
    expected: bool
    numbers: dict[str, str]
    case: Case


def case(prompt: Prompt, draw: int = 0, changed: Mapping[str, Any] | None = None, source=None) -> Case:
    """The set-ups of a prompt before and after its change, on the draw with this number.

    `changed` are link parameters that the reader has set, laid over both. AnswerError for a table that makes no points
    or machines. A prompt that is asked of one draw stays there.
    """
    source, draw, over = source or state.SOURCE, draw if prompt.any_draw else 0, dict(changed or {})
    with explain_errors(prompt):
        before = state.setup({**prompt.state, **over}, draw, source)
        after = state.setup({**prompt.state, **prompt.change, **over}, draw, source, before)
    return Case(before, after, prompt.at, source)


def second(prompt: Prompt, draw: int = 0, changed: Mapping[str, Any] | None = None, source=None) -> Case | None:
    """The same for the second plane of a prompt, None if it has none."""
    if prompt.second is None:
        return None
    return case(prompt._replace(state={**prompt.state, **prompt.second}), draw, changed, source)


def answer(
    prompt: Prompt, draw: int = 0, changed: Mapping[str, Any] | None = None, source: Source | None = None
) -> Answer:
    """The answer of a prompt; the arguments are those of `case`. AnswerError if there is none, whatever the reason; one
    of these is `Late`, when a time limit (`svmcore.deadline`) is over at the end, so that no cut run is ever graded.
    """
    asked = case(prompt, draw, changed, source)
    with explain_errors(prompt):
        value = compute(asked, prompt.watch)
        true = next((k for k, option in enumerate(prompt.options) if option.holds(value)), None)
        expected = true == prompt.expected_option and all(
            claim.holds(value if claim.watch == prompt.watch else compute(asked, claim.watch))
            for claim in prompt.claims
        )
        numbers = {name: words(watch, compute(asked, watch)) for name, watch in prompt.numbers.items()}
        numbers["value"] = words(prompt.watch, value)
    if deadline.is_over():
        raise Late("The answer could not be computed in time. Try again in a moment.")
    return Answer(value, numbers["value"], true, expected, numbers, asked)


def off_scale(prompt: Prompt, answer: Answer) -> str:
    """A sentence for the author if no reader can give this answer, for the ends or the steps of its scale; else ""."""
    if prompt.scale is None:
        return ""
    low, high, step, log = prompt.scale
    if not low <= answer.value <= high:
        return (
            f"The answer, {answer.text}, lies outside the scale from {low:g} to {high:g}, so it cannot be given. Widen "
            "the `scale` of this prompt."
        )
    apart = abs(answer.value - low - step * round((answer.value - low) / step))
    if log or apart <= prompt.close + 1e-9:
        return ""
    return f"The answer, {answer.text}, lies between two steps of the slider: make `close` at least {step / 2:g}."


@contextmanager
def explain_errors(prompt) -> Iterator[None]:
    """Every error of what is computed inside for a prompt becomes an AnswerError."""
    try:
        yield
    except AnswerError:
        raise
    except TROUBLE as error:
        line = f" (line {prompt.line} of its file)" if prompt.line else ""
        raise AnswerError(
            f"The answer of the prompt “{prompt.id}”{line} cannot be computed: {_reason(prompt, error)}. Choose other "
            "settings; in a lesson of your own, change the state of this prompt or the quantity that it watches."
        ) from error


def _reason(prompt, error):
    if isinstance(error, np.linalg.LinAlgError):
        return f"a linear system cannot be solved ({error})".lower()
    if type(error) is ValueError:
        return str(error).rstrip(".")
    return f"the quantity {prompt.watch.name!r} is not defined for this state ({type(error).__name__}: {error})"


def compute(asked: Case, watch: Watch) -> Any:
    """The value of a quantity, as JSON has it."""
    value = REGISTRY[watch.name].compute(asked, **watch.arguments)
    return json.loads(json.dumps(value, default=lambda number: number.item()))


def words(watch: Watch, value) -> str:
    written = _writer(watch)
    if REGISTRY[watch.name].kind == "order":
        return readable(", ".join(f"{machine_name(key)} ({written(size)})" for key, size in value))
    return readable(written(value))


def _writer(watch):
    """The way in which values are written: of an order, a mean or a spread as those that it is taken of."""
    usual = {"order": "angle", "mean": "test_error", "spread": "test_error"}.get(watch.name)
    return _writer(Watch(watch.arguments.get("quantity", usual), {})) if usual else REGISTRY[watch.name].written


def difference(watch: Watch, size) -> str:
    """The size of a difference of two values of a quantity as text: of two shares in percentage points."""
    shares = measure(watch)["factor"] == 100
    return (readable(points_of_percent(size)) if shares else words(watch, size)).removeprefix("+")


def round_value(watch: Watch, value) -> float:
    """A number as `words` writes it, for pictures that show it beside these."""
    return float(NUMBER.search(_writer(watch)(value).replace(",", ""))[0]) / measure(watch)["factor"]


def measure(watch: Watch) -> dict[str, Any]:
    """Display of a number: its "unit", and the "factor" for shares and their differences, shown in per cent."""
    sample = words(watch, 1.0)
    unit = next((unit for unit in ("%", "percentage points") if unit in sample), "")
    return {"unit": unit or REGISTRY[watch.name].unit, "factor": 100 if unit else 1}
