"""A prompt as a question of a room, and the prompt of such a question. No Streamlit here.

The details of the question have what its votes are checked against (`classroom.votes`), and {"asked": {"lesson": id,
"prompt": id, "draw": number, "own": key of the text of the lecturer's own lesson, "" for one of the app}}.
"""

from collections.abc import Callable
from functools import lru_cache
from textwrap import shorten
from typing import Any

from pages.shared.classroom import votes
from pages.shared.classroom.votes import Question
from pages.shared.lessons import answers, own
from pages.shared.lessons.lesson import Lesson, Prompt, plain
from pages.shared.lessons.quantities.case import AFTER, BEFORE, Case
from pages.shared.lessons.quantities.registry import machine_name
from pages.shared.lessons.reading import built_in_lessons


def question(lesson: Lesson, prompt: Prompt, draw: int, case: Case) -> tuple[str, str, dict[str, Any]]:
    """(kind, text, details) for `polls.ask`; `case` is that of this draw."""
    kind, named = prompt.answer_kind, {"lesson": lesson.id, "prompt": prompt.id, "draw": draw}
    return kind, _short(prompt.question), {"asked": named, **DETAILS[kind](prompt, case)}


def prompt(asked: Question, text_of: Callable[[str], str]) -> Prompt:
    """The prompt of a question of a room. `text_of` gives the text of the lecturer's own lesson by its key.

    KeyError for a lesson or a prompt that this server does not have.
    """
    named = asked.lesson_prompt
    lesson = own_lesson(text_of(named["own"])) if named["own"] else built_in_lessons()[named["lesson"]]
    return lesson.prompt(named["prompt"])


@lru_cache(32)
def own_lesson(text: str) -> Lesson:
    """The lesson of a text, checked as one of unknown origin, and read once."""
    return own.read(text)


def _short(text):
    return shorten(plain(text), votes.LONGEST, placeholder=" …")


def _options(prompt, case):
    return {"options": [_short(option.text) for option in prompt.options]}


def _scale(prompt, case):
    slack = 1.05 if prompt.scale.log else 1.0  # a slider of powers of ten has two digits
    return {"low": prompt.scale.low / slack, "high": prompt.scale.high * slack, **answers.measure(prompt.watch)}


def _picture(prompt, case):
    extents = [case.source.extent(case.setup(of).data) for of in (BEFORE, AFTER)]
    ends = {name: [getattr(one, name) for one in extents] for name in ("xs", "ys")}
    return {name: [float(min(a[0] for a in axis)), float(max(a[-1] for a in axis))] for name, axis in ends.items()}


def _points(prompt, case):
    return {"ids": sorted({int(key) for of in (BEFORE, AFTER) for key in case.problem(of).ids})}


def _entries(prompt, case):
    return {"entries": [[machine.loss, machine_name(machine.loss)] for machine in case.after.machines]}


DETAILS = {
    "choose": _options, "number": _scale, "line": _picture, "points": _points, "place": _picture, "order": _entries,
}  # fmt: skip
