"""Plans for the classroom: which lessons, how many minutes each, computed from the minutes that the lessons name."""

from collections.abc import Mapping
from typing import NamedTuple

from pages.shared.lessons.lesson import Lesson

SHORT = ("errors", "support", "outliers", "evidence")  # one lecture: what an error costs, and what follows from it


class Slot(NamedTuple):
    """A lesson in a plan: minutes after the beginning, minutes for it, and whether they are fewer than it needs."""

    begin: int
    minutes: int
    lesson: Lesson
    shortened: bool


def plan(lessons: Mapping[str, Lesson], total: int) -> list[Slot]:
    """Slots that fill at most `total` minutes: four lessons in one lecture of 45, all of them in more.

    Where the lessons need longer, each is shortened in proportion: its teacher's note says what to leave out.
    """
    chosen = [lesson for key, lesson in lessons.items() if total > 45 or key in SHORT]
    needed, slots, begin = sum(lesson.minutes for lesson in chosen), [], 0
    for lesson in chosen:
        minutes = min(lesson.minutes, int(lesson.minutes * total / needed))
        slots.append(Slot(begin, minutes, lesson, minutes < lesson.minutes))
        begin += minutes
    return slots
