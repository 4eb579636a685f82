"""The parameters of the Lessons page: where the reader is, what was answered. None of them is in the strip."""

from pages.shared import carried
from pages.shared.controls import strip
from pages.shared.controls.kinds import Number, Text

LESSON = Text("lesson", "Lesson", hideable=False, resets=False)
PROMPT = Text("prompt", "Question of the lesson", hideable=False, resets=False)
ATTEMPT = Number("attempt", "Draw of the question", 0, 0, 1000, 1, hideable=False, resets=False)
GIVEN = Text("given", "Answer that was given", hideable=False, resets=False)
PROGRESS = Text("progress", "Answers to all lessons", hideable=False, resets=False)


def place() -> tuple[str, str, int, str, str]:
    """The keys of the lesson and of the prompt, the draw, the answer and the progress, as the link or the page has
    them.
    """
    return tuple(control.at().current() for control in (LESSON, PROMPT, ATTEMPT, GIVEN, PROGRESS))


def keep(*values) -> None:
    """The values of `place` from now on, also in the link."""
    for control, value in zip((LESSON, PROMPT, ATTEMPT, GIVEN, PROGRESS), values, strict=True):
        carried.give(control.name, value)
        strip.put(control, value, visible=False)
