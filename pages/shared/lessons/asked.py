"""A prompt with all that paper and other programs need of it: the computed answer, its words, pictures."""

import re
from html import unescape
from typing import NamedTuple

from pages.shared.lessons import grading
from pages.shared.lessons.answers import Answer
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.catalogue import REGISTRY
from pages.shared.lessons.quantities.registry import machine_name
from svmcore.words import readable

MISTAKES = {
    "too_low": "Too low",
    "too_high": "Too high",
    "off": "Another line",
    "missed": "Points missed",
    "extra": "Too many points",
    "weaker": "A place that does less harm",
    "points": "Other points",
    "order": "Another order",
}
KEY = (
    "● class +1, ■ class −1; solid line: f = 0, dashed lines: f = ±1; a coloured ring marks an outlier, a black one "
    "the point of the question."
)


class AnsweredPrompt(NamedTuple):
    """A prompt and its answer; `picture` and `after` are SVG documents of what is shown before and after the answer."""

    prompt: Prompt
    answer: Answer
    picture: str = ""
    after: str = ""

    @property
    def why(self) -> str:
        return grading.why(self.prompt, self.answer)

    @property
    def answer_text(self) -> str:
        true, value = self.answer.true, self.answer.value
        if true is not None:
            return self.prompt.options[true].text
        kind = self.prompt.answer_kind
        if kind == "line":
            return f"{self.answer.text.capitalize()}."
        if kind == "place":
            return readable("The place ({:.3g}, {:.3g}).".format(*value))
        if kind == "points":
            return f"{self.answer.text}: {', '.join(map(str, value))}."
        return self.answer.text

    @property
    def picture_text(self) -> str:
        """Description of the picture, for those who cannot see it."""
        return " ".join(unescape(title) for title in re.findall(r"<title>([^<]*)</title>", self.picture))

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the machines in the right order, of a prompt that asks for one."""
        return tuple(machine_name(key) for key, _ in self.answer.value)

    @property
    def instruction(self) -> str:
        """Sentence that tells what to write down; "" for options, which speak for themselves."""
        kind = self.prompt.answer_kind
        return f"Give a number {ends(self.prompt)}." if kind == "number" else TASKS[kind]


def mistakes(prompt: Prompt) -> list[tuple[str, str]]:
    """The usual wrong answers of a prompt, and what to say to each."""
    said = [(option.text, option.wrong) for option in prompt.options if option.wrong]
    return said + [(MISTAKES[name], text) for name, text in prompt.wrong.items()]


def ends(prompt: Prompt) -> str:
    """Between which ends a number is asked for, with its unit; a share is explained."""
    quantity, (low, high, *_) = REGISTRY[prompt.watch.name], prompt.scale
    share = "%" in quantity.written(high) or "percentage" in quantity.written(high)
    unit = f", where {high:g} stands for {quantity.written(high)}" if share else f" {quantity.unit}".rstrip()
    return f"from {low:g} to {high:g}{unit}"


TASKS = {
    "choose": "",
    "line": "Draw the boundary into the picture, or write down two of its points, (x, y) and (x, y).",
    "points": "Ring the points in the picture, or write down their numbers.",
    "place": "Mark the place in the picture, or write it down as (x, y).",
    "order": "Write down the order, the largest first.",
}
