"""Lessons of one's own, for the time of a session: the file of a stranger, limited so that it does a server no harm."""

import re
from collections.abc import Mapping, MutableMapping

from pages.shared.lessons import reading
from pages.shared.lessons.lesson import Lesson
from pages.shared.lessons.tables import LessonError
from pages.shared.screen.choices import ISLS
from svmcore import duals
from svmcore.problems import REGISTRY

LARGEST = 100_000  # bytes of a file
LONGEST = 2000  # characters of a text
MOST_DOTS = 200  # of a line: tomllib takes the square of their number for a key with many dots
MOST = {"prompt": 12, "option": 8, "number": 8, "loss": 4}
LARGEST_C = 1000.0
QUICK_KERNELS = ("linear", "rbf")
SLOW_KERNEL = {"C": (0.0, 10.0), "degree": (1, 3), "coef0": (-1.0, 1.0), "sigma": (0.3, 10.0)}  # for any other kernel
POINTS = 1000  # at most
SLOW_POINTS = 300  # with a loss or a kernel that has no quick solver
MANY_POINTS = 400  # for quantities that fit many machines
MANY = ("mean", "spread", "best_sigma", "chosen_error", "price_of_choice", "cv_error", "vc_bound")
MAP_POINTS = 100  # for quantities that fit a machine for each cell of a map
MAP = ("worst_place", "worst_share")
COUNTED = {"draws": 20, "k": 50, "round": 50}  # the largest values of arguments that are numbers
MARKED = (
    (re.compile(r"<[A-Za-z/!?]"), "HTML, which lessons cannot contain: write plain text, and a space after a “<”"),
    (re.compile(r"!\["), "a Markdown picture, which lessons cannot contain: pictures are drawn from the state"),
    (re.compile(r"\]\((?!term:)"), "a Markdown link: only terms of the glossary can be linked, [words](term:name)"),
    (re.compile(r"https?://|www\."), "a web address, which lessons cannot contain"),
    (
        re.compile(r"\$[^$]*\\[A-Za-z]"),
        "a formula in LaTeX, which is not drawn in a text: write α, ‖w‖² or Σ themselves",
    ),
)
OWN = "own_lessons"  # {id: Lesson} in the session, which the Lessons page shows as well
# of the session: the file in the editor, the same after a look at another page, and the one that stood there before
EDITOR, KEPT, REPLACED = "own_text", "own_kept", "own_replaced"
TEXTS = "own_lesson_texts"  # {id: text of the file}
MOST_KEPT = 30  # of a session


def available_lessons(session: Mapping) -> dict[str, Lesson]:
    """{id: lesson} of the lessons that come with the app and of those of this session, which may replace them."""
    return reading.built_in_lessons() | session.get(OWN, {})


def titles(lessons: Mapping[str, Lesson]) -> dict[str, str]:
    """{id: title}, with the id where several have one title: a menu would take each for the last of them."""
    found = [lesson.title for lesson in lessons.values()]
    return {key: one.title + f" ({key})" * (found.count(one.title) > 1) for key, one in lessons.items()}


def keep(session: MutableMapping, text: str) -> Lesson:
    """Adds the lesson in a text to those of the session; LessonError, with the line, if it cannot be read or kept."""
    found = read(text)
    if len(session.get(OWN, {}).keys() - {found.id}) >= MOST_KEPT:
        raise LessonError(
            f"A session has at most {MOST_KEPT} own lessons. Give this one the id of one that you no longer need, or "
            "save this file and load it in a new window."
        )
    session[OWN] = session.get(OWN, {}) | {found.id: found}
    session[TEXTS] = session.get(TEXTS, {}) | {found.id: text}
    return found


def text_of(raw: bytes) -> str:
    """The text of an uploaded file; LessonError for one that is too large or no text."""
    if len(raw) > LARGEST:
        raise LessonError(f"The file has {len(raw):,} bytes, and a lesson has at most {LARGEST:,}.")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LessonError("The file is not UTF-8 text: save it as UTF-8 and load it again.", line) from None


def read(text: str) -> Lesson:
    """The lesson in a text of unknown origin; LessonError, with the line, if it cannot be read or exceeds a limit."""
    _check_size(text)
    try:
        found = reading.read(text)
    except LessonError:
        raise
    except (ValueError, RecursionError) as error:
        raise LessonError(f"The file cannot be read: {error}.") from None
    if len(found.prompts) > MOST["prompt"]:
        raise LessonError(f"The lesson has {len(found.prompts)} prompts, and at most {MOST['prompt']} are read.")
    top = (found.title, *found.objectives, *found.prerequisites, *found.deeper, *found.teacher)
    _check_texts("the lesson", top, 1, text)
    for prompt in found.prompts:
        _check_prompt(prompt, text)
    if task := found.challenge:
        watches = [claim.watch for claim in (task.goal, *task.rules)]
        _check("the challenge", task.line, [task.text], watches, [task.state], text)
    return found


def _check_size(text):
    """Refuses, before anything is parsed, what would cost more than it is long."""
    if len(text) > LARGEST:
        raise LessonError(f"The text has {len(text):,} characters, and a lesson has at most {LARGEST:,}.")
    for number, line in enumerate(text.split("\n"), 1):  # as TOML does: a key may contain other ends of lines
        if line.count(".") > MOST_DOTS:
            raise LessonError(f"the line has {line.count('.'):,} dots, and at most {MOST_DOTS} are read.", number)


def _check_prompt(prompt, text):
    name = f"prompt {prompt.id!r}"
    texts = [prompt.id, *prompt.texts, prompt.source, prompt.goal]
    _check(name, prompt.line, texts, prompt.watches, prompt.tables, text)
    if re.search(r"[{}]", re.sub(r"\{\{|\}\}|\{\w+\}", "", prompt.why)):
        raise LessonError(
            f"{name}: `why` has a bracket that names no number; write {{{{ or }}}} for a bracket.", prompt.line
        )
    counts = {"option": len(prompt.options), "number": len(prompt.numbers)}
    for what, count in counts.items():
        if count > MOST[what]:
            raise LessonError(f"{name}: has {count} {what}s, and at most {MOST[what]} are read.", prompt.line)


def _check(name, line, texts, watches, tables, file):
    """Limits on the texts of a prompt or of the challenge, and on what it computes from which tables."""
    _check_texts(name, texts, line, file)
    for watch in watches:
        for key, value in watch.arguments.items():
            if key in COUNTED and value > COUNTED[key]:
                raise LessonError(f"{name}: has {key} = {value!r}, but here it is at most {COUNTED[key]}.", line)
            if key == "quantity" and value in MANY + MAP:
                raise LessonError(
                    f"{name}: {watch.name!r} cannot take {value!r}, which fits many machines itself.", line
                )
    names = {part for watch in watches for part in (watch.name, watch.arguments.get("quantity"))}
    for table in tables:
        _check_state(name, table, names, line)


def _check_state(name, table, names, line):
    """Limits on what has to be solved, so that an answer takes seconds; `names` are the quantities of the prompt."""
    losses = table.get("losses") or [table.get("loss", "hinge")]
    losses = losses.split(",") if isinstance(losses, str) else list(losses)
    if len(losses) > MOST["loss"]:
        raise LessonError(f"{name}: compares more than {MOST['loss']} machines.", line)
    quick = all(loss in duals.DUALS or loss == ISLS for loss in losses)
    common = table.get("kernel", QUICK_KERNELS[0]) in QUICK_KERNELS
    for key, (low, high) in ({"C": (0.0, LARGEST_C)} if common else SLOW_KERNEL).items():
        if not low <= table.get(key, high) <= high:
            raise LessonError(f"{name}: has {key} = {table[key]}, but here it must be from {low:g} to {high:g}.", line)
    most = POINTS if quick and common else SLOW_POINTS
    most = min(most, MANY_POINTS) if names & {*MANY} else most
    if names & {*MAP}:
        most = MAP_POINTS
        if not quick:
            known = ", ".join(duals.DUALS)
            raise LessonError(f"{name}: the most harmful place can be sought for the losses {known} only.", line)
    usual = {option.name: option.default for option in REGISTRY[table.get("problem", "toy_outliers")].options}
    n = table.get("n", usual.get("n", 0))
    if n > most:
        raise LessonError(f"{name}: has {n} points, but this loss, kernel and quantity allow at most {most}.", line)


def _check_texts(name, texts, begin, file):
    """Refuses a text with the line in which it begins; that of its table, `begin`, if it is written otherwise there."""
    for text in texts:
        flaws = [f"has a text of {len(text)} characters, and at most {LONGEST} are read"] * (len(text) > LONGEST)
        for mark, what in MARKED:
            if marked := mark.search(text):
                at = max(marked.start() - 20, 0)
                flaws.append(f"“{text[at : at + 40]}” has {what}")
        if flaws:
            rows = enumerate(file.split("\n")[begin - 1 :], begin)
            first = text.splitlines()[0]
            raise LessonError(f"{name}: {flaws[0]}.", next((k for k, row in rows if first in row), begin))


def replace(session: MutableMapping, text: str) -> None:
    """Puts a text into the editor of a session; the one that stands there is kept as REPLACED."""
    before = session.get(EDITOR) or session.get(KEPT, "")
    if before.strip() and before != text:
        session[REPLACED] = before
    session[EDITOR] = text
