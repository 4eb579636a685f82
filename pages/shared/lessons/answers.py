"""The answer of a prompt, computed by the solvers when it is asked for and stored nowhere."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pages.shared.lessons import quantities, state
from pages.shared.lessons.lesson import Prompt, Watch
from pages.shared.lessons.quantities import Case
from pages.shared.studies.source import Source
from svmcore import deadline


class Late(ValueError):
    """There is no answer yet, because its time was over: what the solvers had by then is none."""


class Answer(NamedTuple):
    """What the solvers say. `value` is as `quantities.KINDS` has it, `text` the same in words.

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

    `changed` are link parameters that the reader has set, laid over both. ValueError, in a sentence, for a table that
    makes no points or machines. A prompt that is asked of one draw stays there.
    """
    source, draw, over = source or state.SOURCE, draw if prompt.any_draw else 0, dict(changed or {})
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
    """The answer of a prompt; the arguments are those of `case`. ValueError, in a sentence, if there is none.

    `Late` if a time limit (`svmcore.deadline`) was over at the end, so that no cut run is ever graded.
    """
    asked = case(prompt, draw, changed, source)
    value = compute(asked, prompt.watch)
    true = next((k for k, option in enumerate(prompt.options) if option.holds(value)), None)
    expected = true == prompt.expected and all(
        claim.holds(value if claim.watch == prompt.watch else compute(asked, claim.watch)) for claim in prompt.claims
    )
    numbers = {name: words(watch, compute(asked, watch)) for name, watch in prompt.numbers.items()}
    if deadline.passed():
        raise Late("The answer could not be computed in time. Try again in a moment.")
    return Answer(
        value, words(prompt.watch, value), true, expected, numbers | {"value": words(prompt.watch, value)}, asked
    )


def compute(asked: Case, watch: Watch) -> Any:
    """The value of a quantity, as JSON has it."""
    value = quantities.REGISTRY[watch.name].compute(asked, **watch.arguments)
    return json.loads(json.dumps(value, default=lambda number: number.item()))


def words(watch: Watch, value) -> str:
    """The value of a quantity as text."""
    quantity = quantities.REGISTRY[watch.name]
    if quantity.kind == "order":
        number = Watch(watch.arguments.get("quantity", "angle"), {})
        return ", ".join(f"{quantities.named(key)} ({words(number, size)})" for key, size in value)
    if watch.name in ("mean", "spread"):  # in the unit of the quantity that they are taken of
        return words(Watch(watch.arguments.get("quantity", "test_error"), {}), value)
    text = quantity.written(value)
    return text.replace("-", "−") if quantity.kind == "number" else text


def measure(watch: Watch) -> dict[str, Any]:
    """How a number is shown: its "unit", and the "factor" for shares and their differences, shown in per cent."""
    sample = words(watch, 1.0)
    factor = 100 if "%" in sample or "percentage" in sample else 1
    return {"unit": "%" if factor == 100 else quantities.REGISTRY[watch.name].unit, "factor": factor}
