"""Lessons of one's own: the file of a stranger, read with limits so that it can neither harm a page nor hold a server.

Nothing is stored: the lessons of a session are forgotten with it.
"""

import re
from collections.abc import Mapping, MutableMapping

from pages.shared.lessons import lesson
from pages.shared.lessons.lesson import Lesson, LessonError, Prompt

LARGEST = 100_000  # bytes of a file
LONGEST = 2000  # characters of a text
MOST = {"prompt": 12, "option": 8, "number": 8, "loss": 4}
MOST_POINTS = 500
COUNTS = ("n", "walk_n")  # the parameters of a state that say how many points there are
MARKED = (
    (re.compile(r"<[A-Za-z/!?]"), "HTML, which lessons do not have: write plain text with Markdown"),
    (re.compile(r"!\["), "a picture of Markdown, which lessons do not have: pictures are drawn from the state"),
    (re.compile(r"\]\((?!term:)"), "a link of Markdown: only terms of the glossary can be linked, [words](term:name)"),
    (re.compile(r"https?://|www\."), "an address of the web, which lessons do not have"),
)
OWN = "own_lessons"  # {id: Lesson} in the session, which the Lessons page shows as well
TEXTS = "own_lesson_texts"  # {id: text of the file}


def of(state: Mapping) -> dict[str, Lesson]:
    """{id: lesson} of the lessons that come with the app and of those of this session, which may replace them."""
    return lesson.shipped() | state.get(OWN, {})


def keep(state: MutableMapping, text: str) -> Lesson:
    """Adds the lesson in a text to those of the session. LessonError, with the line, if it cannot be read."""
    found = read(text)
    state[OWN] = state.get(OWN, {}) | {found.id: found}
    state[TEXTS] = state.get(TEXTS, {}) | {found.id: text}
    return found


def text_of(raw: bytes) -> str:
    """The text of an uploaded file; LessonError for one that is too large or no text."""
    if len(raw) > LARGEST:
        raise LessonError(f"The file has {len(raw)} bytes, a lesson at most {LARGEST}.")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LessonError("The file is not UTF-8 text: save it as UTF-8 and load it again.", line) from None


def read(text: str) -> Lesson:
    """The lesson in a text of unknown origin; LessonError, with the line, if it cannot be read or exceeds a limit."""
    try:
        found = lesson.read(text)
    except LessonError:
        raise
    except (ValueError, RecursionError) as error:
        raise LessonError(f"The file cannot be read: {error}.") from None
    if len(found.prompts) > MOST["prompt"]:
        raise LessonError(f"The lesson has {len(found.prompts)} prompts, at most {MOST['prompt']} are read.")
    top = (found.title, *found.objectives, *found.prerequisites, *found.deeper, *found.teacher)
    _check_texts("the lesson", top, 0)
    for prompt in found.prompts:
        _check(prompt)
    return found


def _check(prompt: Prompt):
    name = f"prompt {prompt.id!r}"
    options = [text for option in prompt.options for text in (option.text, option.wrong)]
    _check_texts(
        name, [prompt.question, prompt.why, prompt.source, prompt.goal, *prompt.wrong.values(), *options], prompt.line
    )
    if re.search(r"[{}]", re.sub(r"\{\{|\}\}|\{\w+\}", "", prompt.why)):
        raise LessonError(
            f"{name}: `why` has a bracket that names no number; write {{{{ or }}}} for a bracket.", prompt.line
        )
    counts = {"option": len(prompt.options), "number": len(prompt.numbers)}
    for what, count in counts.items():
        if count > MOST[what]:
            raise LessonError(f"{name}: has {count} {what}s, at most {MOST[what]} are read.", prompt.line)
    for table in (prompt.state, prompt.change, prompt.second or {}):
        _check_state(name, table, prompt.line)


def _check_state(name, table, line):
    for key in COUNTS:
        if table.get(key, 0) > MOST_POINTS:
            raise LessonError(f"{name}: has {key} = {table[key]}, a lesson at most {MOST_POINTS} points.", line)
    losses = table.get("losses", ())
    if len(losses.split(",") if isinstance(losses, str) else losses) > MOST["loss"]:
        raise LessonError(f"{name}: compares more than {MOST['loss']} machines.", line)


def _check_texts(name, texts, line):
    for text in texts:
        if len(text) > LONGEST:
            raise LessonError(f"{name}: has a text of {len(text)} characters, at most {LONGEST} are read.", line)
        for mark, what in MARKED:
            if mark.search(text):
                raise LessonError(f"{name}: “{text[:40]}” has {what}.", line)
