"""The parameters of the Lessons page: where the reader is, what was answered. None of them is in the strip."""

from pages.shared.controls import strip
from pages.shared.controls.widgets import checked_value
from pages.shared.page import url_state
from pages.shared.screen.schema import ATTEMPT, GIVEN, LESSON, PROGRESS, PROMPT

PLACE = (LESSON, PROMPT, ATTEMPT, GIVEN, PROGRESS)


def read_place() -> tuple[str, str, int, str, str]:
    """The keys of the lesson and of the prompt, the draw, the answer and the progress, as the link or the page has
    them.
    """
    return tuple(map(checked_value, PLACE))


def keep_place(*values) -> None:
    """The values of `place` from now on, also in the link."""
    for field, value in zip(PLACE, values, strict=True):
        url_state.give(field.name, value)
        strip.put(field, value, visible=False)
