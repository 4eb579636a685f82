"""Progress of a reader as a short text, for the link and for the memory of the browser.

`errors.rn-s` are the four prompts of the lesson `errors`: predicted right, not right, not answered, and right on
another draw after a first answer that was not. Lessons are separated by `~`.
"""

from collections.abc import Mapping
from itertools import zip_longest

OPEN, RIGHT, OFF, LATER = "-", "r", "n", "s"
MARKS = OPEN + RIGHT + OFF + LATER
WORDS = {RIGHT: "Predicted right", OFF: "Not as predicted", LATER: "Right on another draw", OPEN: "Not answered"}
LONGEST = 60  # prompts of a lesson


def read(text: str) -> dict[str, str]:
    """{id of a lesson: a mark for each prompt} from the text; what cannot be read is left out."""
    found = {}
    for part in text.split("~"):
        key, _, marks = part.partition(".")
        if key.isidentifier() and 0 < len(marks) <= LONGEST and set(marks) <= set(MARKS):
            found[key] = marks
    return found


def write(progress: Mapping[str, str]) -> str:
    """The text of `read`, without lessons that have not been begun."""
    return "~".join(f"{key}.{marks}" for key, marks in sorted(progress.items()) if set(marks) - {OPEN})


def merge(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """All answers of both; of a prompt that both have the mark of `one`."""
    found = {}
    for key in {**one, **other}:
        pairs = zip_longest(one.get(key, ""), other.get(key, ""), fillvalue=OPEN)
        found[key] = "".join(b if a == OPEN else a for a, b in pairs)
    return found


def lesson_marks(progress: Mapping[str, str], key: str, count: int) -> str:
    return progress.get(key, "")[:count].ljust(count, OPEN)


def record_answer(
    progress: Mapping[str, str], key: str, count: int, number: int, right: bool, again=False
) -> dict[str, str]:
    """The progress after an answer to the prompt `number` (from 0) of a lesson with `count` prompts: the first one, and
    beside it a later right one to the same question asked `again`, on another draw.
    """
    marks = list(lesson_marks(progress, key, count))
    if marks[number] == OPEN:
        marks[number] = RIGHT if right else OFF
    elif marks[number] == OFF and right and again:
        marks[number] = LATER
    return {**progress, key: "".join(marks)}
