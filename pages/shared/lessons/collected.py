"""The hand-ins of a class, text in and rows out: each code graded with the student's own seed, and shares."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pages.shared.lessons import answers, grading, handin, wording
from pages.shared.lessons.answers import AnswerError
from pages.shared.lessons.handin import CodeError, Handin
from pages.shared.lessons.lesson import Prompt
from pages.shared.lessons.quantities.case import Case
from pages.shared.studies.source import Source
from svmcore.problems.tables import harmless_cell, rows_text
from svmcore.solvers import blas
from svmcore.studies import at_once

MOST = 500  # hand-ins that are read at once
LONGEST_LABEL = 60
DELIMITERS = "\t;,"
BEGIN = re.compile(rf"(?={handin.MARK}[\W_]*(?:\d|[IL][\dO]))", re.IGNORECASE)  # an I or L in place of the version 1

RIGHT, WRONG, LEFT_OUT, UNREADABLE, UNANSWERED = "right", "wrong", "left out", "unreadable", "no answer"
READ = "read"


class HandinText(NamedTuple):
    """A piece of a text that should be a hand-in: its line, counted from 1, what stands before the code, the rest."""

    line: int
    beside: str
    text: str


class Result(NamedTuple):
    """Result of one prompt: RIGHT, WRONG, LEFT_OUT or UNREADABLE, the gap, and the likely misconception.

    UNANSWERED: the prompt itself has no answer on these points; the gap says why.
    """

    outcome: str
    gap: str = ""
    misconception: str = ""


class Row(NamedTuple):
    """One hand-in as the table shows it.

    status: READ, or why the code was not graded (see `CodeError`), or "other lesson", "other edition"; note: a sentence
    on that; results: one for each prompt, none where the code was not graded.
    """

    line: int
    beside: str
    status: str
    note: str = ""
    handin: Handin | None = None
    results: tuple[Result, ...] = ()


# ------------------------------------------------------------------------------------ from a text


def entries(text: str) -> list[HandinText]:
    """The hand-ins in a pasted text, in a CSV file, or in the page of a course.

    A code may stand in any column and be broken over lines. Every line or row that is not blank and belongs to no code
    is an entry, too, except for a header above the first code. ValueError, a sentence, without codes or with too many.
    """
    if len(text) > handin.LARGEST:
        raise ValueError(
            f"The text has {len(text):,} characters, and at most {handin.LARGEST:,} are read: read it in parts."
        )
    text = handin.TAG.sub(" ", handin.unescape(text.removeprefix("\ufeff")))
    none = ValueError(f"There is no hand-in code in this text; a code begins with {handin.MARK}.")
    if not BEGIN.search(text):
        raise none
    found, begun = [], ""
    for line, words in _lines(text):
        beside, *codes = BEGIN.split(words)
        label = " ".join(beside.split()).strip(" \"'“”‘’,;:>|")[:LONGEST_LABEL]
        if codes:
            found += [HandinText(line, label * (k == 0), code) for k, code in enumerate(codes[: MOST + 2])]
            begun = handin.find_code(codes[-1])
        elif begun and handin.continues(begun, words):
            begun += handin.digits(words)
            found[-1] = found[-1]._replace(text=handin.MARK + begun)
        elif label:
            found.append(HandinText(line, label, ""))
            begun = ""
        if len(found) > MOST + 1:
            break
    if found and not found[0].text:
        found = found[1:]  # the header of a table
    if len(found) > MOST:
        raise ValueError(f"The text has more than {MOST} hand-ins, which are read at once: read it in parts.")
    if not any(entry.text for entry in found):
        raise none
    return found


def _lines(text) -> Iterator[tuple[int, str]]:
    """(number, text) of the lines, or of the rows of a table, whose cells may have several lines."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = next((mark for mark in DELIMITERS if mark in first), "")
    if not delimiter or '"' not in text:
        yield from enumerate(text.splitlines(), 1)
        return
    csv.field_size_limit(handin.LARGEST)
    rows, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 1
    for row in rows:
        yield line, "\t".join(" ".join(cell.splitlines()) for cell in row)
        line = rows.line_num + 1


# -------------------------------------------------------------------------------------- graded


@lru_cache(8192)
def _answer_alone(prompt, draw):
    """The answer without the runs that it was computed from, which would take much memory."""
    found = answers.answer(prompt, draw, source=_source(draw))
    return found._replace(case=_with_source(None, found.case))


@lru_cache(2 * at_once.MOST)
def _source(draw):
    """The points and machines of one student, which several prompts share."""
    return Source(entries=32)


def _with_source(source, case):
    return Case(case.before, case.after, case.at, source)


def grade(prompt: Prompt, given, seed: int) -> Result:
    """The Result of an answer to a prompt on the points with this seed; `given` may be anything that JSON can say."""
    prompt = prompt._replace(why="", numbers={}, claims=())  # no explanation is shown: its numbers need more machines
    draw = seed if prompt.any_draw else 0
    try:
        answer = _answer_alone(prompt, draw)
    except AnswerError as error:
        return Result(UNANSWERED, str(error))
    answer = answer._replace(case=_with_source(_source(draw), answer.case))
    try:
        feedback = grading.grade(prompt, given, answer)
    except ValueError as error:
        return Result(UNREADABLE, str(error))
    gap = feedback.gap.removeprefix("+")  # for a spreadsheet the sign would begin a formula
    return Result(RIGHT if feedback.right else WRONG, gap, feedback.misconception)


def rows(found: Iterable[HandinText], lesson, workers=None) -> Iterator[Row]:
    """A Row for each text, in order; there are `workers` threads, see `at_once.in_order`."""
    wanted, seen = handin.edition(lesson), {}

    def results(entry):
        row = _read(entry, lesson, wanted)
        if row.status != READ:
            return row
        found, seed = [], handin.seed(row.handin.number)
        for prompt, given in zip(lesson.prompts, row.handin.given, strict=True):
            found.append(Result(LEFT_OUT) if given is None else grade(prompt, given, seed))
        return row._replace(results=tuple(found))

    with blas.one_thread():  # the threads are those of the students
        for row in at_once.in_order(results, found, workers):
            yield row._replace(note=_again(row, seen)) if row.status == READ else row


def _read(entry, lesson, wanted):
    row = Row(entry.line, entry.beside, READ)
    try:
        sheet = handin.read(entry.text)
    except CodeError as error:
        return row._replace(status=error.status, note=str(error))
    row = row._replace(handin=sheet)
    if sheet.lesson != lesson.id:
        note = f"This code belongs to the lesson “{sheet.lesson}”, not to “{lesson.id}”: choose that lesson to read it."
        return row._replace(status="other lesson", note=note)
    if sheet.edition != wanted or len(sheet.given) != len(lesson.prompts):
        note = (
            "This code belongs to another edition of the lesson, whose prompts differ: load the file of the lesson "
            "that the students had."
        )
        return row._replace(status="other edition", note=note)
    return row


def _again(row, seen):
    """A note on a sheet, a number or short answers that were `seen`, {which: line}, before; adds those of this row."""
    sheet, said = row.handin, tuple(" ".join(text.split()).casefold() for text in row.handin.texts)
    notes = {
        repr(sheet): "The same code as in line {}.",
        sheet.number: "The number also appears in line {}, with different answers.",
    }
    if sum(map(len, said)) >= 20:  # two short answers may agree by chance
        notes[said] = "The same short answers as in line {}, which has another number."
    found = next((note.format(seen[which]) for which, note in notes.items() if which in seen), "")
    seen.update({which: row.line for which in notes if which not in seen})
    return found


# ------------------------------------------------------------------------------------- of a class


class Share(NamedTuple):
    """Statistics of one prompt: the numbers of hand-ins, and the commonest misconception with its number."""

    prompt: str
    right: int
    wrong: int
    left_out: int
    misconception: str = ""
    times: int = 0


def shares(lesson, found: Iterable[Row]) -> list[Share]:
    """A Share for each prompt; a student's last hand-in counts."""
    last = {row.handin.number: row for row in found if row.status == READ}
    result = []
    for k, prompt in enumerate(lesson.prompts):
        answers = [row.results[k] for row in last.values()]
        outcomes = Counter(answer.outcome for answer in answers)
        named = Counter(answer.misconception for answer in answers if answer.misconception)
        wrong = outcomes[WRONG] + outcomes[UNREADABLE]
        result.append(
            Share(prompt.id, outcomes[RIGHT], wrong, outcomes[LEFT_OUT], *next(iter(named.most_common(1)), ()))
        )
    return result


def grades(lesson, found: Iterable[Row], form: str) -> str:
    """The points of each student, one for each prompt that is right or has no answer on the student's points, as CSV
    for a course page; a student's last hand-in counts.

    `form` is "moodle", where students are known by their ID number, or "canvas", by their SIS user ID.
    """
    last = {row.handin.number: row for row in found if row.status == READ}
    title, most = wording.words(lesson.title), str(len(lesson.prompts))
    points = {
        number: str(sum(one.outcome in (RIGHT, UNANSWERED) for one in row.results)) for number, row in last.items()
    }
    if form == "moodle":
        rows = [["ID number", title], *([number, mark] for number, mark in points.items())]
    else:
        rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]]
        rows += [["    Points Possible", "", "", "", "", most]]
        rows += [["", "", number, "", "", mark] for number, mark in points.items()]
    return rows_text(map(harmless_cell, row) for row in rows)


def csv_text(lesson, found: Sequence[Row]) -> str:
    """The table as CSV without formulas: number, status, per prompt the outcome and the gap, the short answers."""
    most = max((len(row.handin.texts) for row in found if row.handin), default=0)
    heads = [f"{prompt.id}{part}" for prompt in lesson.prompts for part in ("", " gap")]
    table = [["line", "beside the code", "number", "status", "note", *heads, *(f"text {k + 1}" for k in range(most))]]
    for row in found:
        cells = [cell for result in row.results for cell in (result.outcome, result.gap)]
        cells += [""] * (len(heads) - len(cells))
        texts = list(row.handin.texts) if row.status == READ else []
        texts += [""] * (most - len(texts))
        number = row.handin.number if row.handin else ""
        table.append([str(row.line), row.beside, number, row.status, row.note, *cells, *texts])
    return rows_text(map(harmless_cell, row) for row in table)
