"""Plans for the classroom: prompts one after the other, chosen by what the lessons say of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pages.shared.lessons.lesson import Lesson, Prompt

JOINING = 2  # minutes until the class has joined the room
EACH = 6  # minutes of a prompt: a vote, a discussion, a second vote, the explanation
FEWEST = 3  # prompts of a lesson: with fewer it has no end


class Step(NamedTuple):
    """A prompt in a plan: minutes after the beginning, its lesson, and whether it is there for a later one alone."""

    begin: int
    lesson: Lesson
    prompt: Prompt
    is_needed: bool

    @property
    def key(self) -> tuple[str, str]:
        """(lesson, prompt)."""
        return self.lesson.id, self.prompt.id


def room_for(minutes: int) -> int:
    """Number of prompts that fit: 3, 7 and 14 for 20, 45 and 90 minutes."""
    return (minutes - JOINING) // EACH


def subjects_that_fit(subjects: Sequence[str], minutes: int) -> list[str]:
    """The first of these lessons, as many as there is time for."""
    return list(subjects)[: max(1, room_for(minutes) // FEWEST)]


def plan(lessons: Mapping[str, Lesson], minutes: int, subjects: Sequence[str]) -> list[Step]:
    """The steps on these lessons, keys of `lessons`, in the order of the course: as many as fit into the minutes.

    The lessons take turns. In each the prompts that are not optional come first, the closing one after two others;
    whatever a prompt needs is there before it, or it is left out itself.
    """
    most, chosen, asked = room_for(minutes), [], set()
    turns = [_by_weight(lessons[key]) for key in subjects_that_fit(subjects, minutes)]
    for rank in range(max(map(len, turns), default=0)):
        for turn in turns:
            for key in turn[rank : rank + 1]:
                found = [one for one in [*needs(lessons, key), key] if one not in chosen]
                if len(chosen) + len(found) <= most:
                    chosen += found
                    asked.add(key)
    order = [(one.id, prompt.id) for one in lessons.values() for prompt in one.prompts]
    return [
        Step(JOINING + EACH * k, lessons[key[0]], lessons[key[0]].prompt(key[1]), key not in asked)
        for k, key in enumerate(sorted(chosen, key=order.index))
    ]


def needs(lessons: Mapping[str, Lesson], key: tuple[str, str]) -> list[tuple[str, str]]:
    """(lesson, prompt) of all that a prompt needs, also through others; what is not among the lessons is left out."""
    prompts, found = {(one.id, prompt.id) for one in lessons.values() for prompt in one.prompts}, [key]
    for lesson, prompt in found:  # which grows meanwhile
        for name in lessons[lesson].prompt(prompt).needs:
            other, _, one = name.rpartition("/")
            need = other or lesson, one
            if need in prompts and need not in found:
                found.append(need)
    return found[1:]


def _by_weight(lesson):
    """Keys of the prompts of a lesson: those to be kept first."""
    core = [prompt for prompt in lesson.prompts if not (prompt.optional or prompt.closing)]
    closing = [prompt for prompt in lesson.prompts if prompt.closing]
    optional = [prompt for prompt in lesson.prompts if prompt.optional and not prompt.closing]
    return [(lesson.id, prompt.id) for prompt in [*core[:2], *closing, *core[2:], *optional]]
