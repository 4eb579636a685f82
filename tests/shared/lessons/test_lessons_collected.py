"""A class of hand-ins: found in any text, graded with each student's seed, and told what is wrong with the others."""

import csv
import io
import threading
import time

import pytest

from pages.shared.lessons import answers, collected, handin, reading
from pages.shared.lessons.collected import LEFT_OUT, READ, RIGHT, UNANSWERED, UNREADABLE, WRONG, Result
from pages.shared.studies.source import Source
from svmcore.studies import at_once

ERRORS = reading.built_in_lessons()["errors"]
EDITION = handin.edition(ERRORS)
TEXTS = ("The slope of the squared loss has no ceiling.", "", "")


def code(number="4711", given=None, texts=("", "", ""), key="errors", edition=EDITION):
    answers = tuple((given or {}).get(prompt.id) for prompt in ERRORS.prompts)
    return handin.write(handin.Handin(key, edition, number, answers, texts))


def quick(prompt, given, seed):
    """A grading without solvers: 1 is right."""
    return Result(RIGHT) if given == 1 else Result(WRONG, "far", f"You may have thought {given}.")


def read(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collected, "grade", quick)
        return list(collected.rows(collected.entries(text), ERRORS))


def broken(text):
    """The code over several lines."""
    return "\n".join(text[i : i + 76] for i in range(0, len(text), 76))


FIRST, SECOND = code("1", {"flip": 1}), code("2", {"flip": 0}, TEXTS)


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\n{SECOND}\n",
        f"\ufeff{FIRST}\r\n\r\n{SECOND}",
        f"{broken(FIRST)}\n{broken(SECOND)}",
        f"> {broken(FIRST)}\n\n> {broken(SECOND)}".replace("\n", "\n> "),
        f"Name;Code\nAnn;{FIRST}\nBob;{SECOND}\n",
        f'Name,Code,Date\n"Müller, Ann","{FIRST}",2026\n"Bob","{SECOND}",2026',
        f'Name,Text\n"Ann","Hello\n{broken(FIRST)}\nYours"\n"Bob","{SECOND}"',
        f"Ann\t{FIRST.lower()}\nBob\t{SECOND}",
        f"<p>{FIRST}</p>\n<p>{SECOND[:90]}<br>{SECOND[90:]}</p>",
        f"{FIRST} {SECOND}",
        f"SVMLAB{FIRST[6:].replace('0', 'O').replace('1', 'l')}\n{SECOND}",
    ],
)
def test_codes_are_found_in_any_text(text):
    rows = [row for row in read(text) if row.status == READ]
    assert [row.handin.number for row in rows] == ["1", "2"]
    assert [[result.outcome for result in row.results][1] for row in rows] == [RIGHT, WRONG]


def test_what_stands_beside_a_code_and_in_lines_without_one_is_kept():
    rows = read(f'Name,Code\n"Müller, Ann",{FIRST}\nBob,forgot it\nCid,{SECOND[:60]}\n')
    assert [(row.beside, row.status) for row in rows] == [
        ("Müller, Ann", READ), ("Bob forgot it", "no code"), ("Cid", "too short"),
    ]  # fmt: skip
    assert [row.line for row in rows] == [2, 3, 4]


def test_a_name_is_no_continuation_of_a_code():
    rows = read(f"Ann {FIRST}\nBob {SECOND[:80]}\nCid none;\n{broken(SECOND)}")
    assert rows[2].beside == "Cid none"
    assert [(row.line, row.status) for row in rows] == [(1, READ), (2, "too short"), (3, "no code"), (4, READ)]


@pytest.mark.parametrize("mark", ["-", "", " ", "–"])
@pytest.mark.parametrize("width", [20, 60, 76, 78])
def test_a_code_is_put_together_from_lines_of_any_width(mark, width):
    for text in (FIRST, SECOND):
        text = text.replace("-", mark)
        lines = "\n".join(text[i : i + width] for i in range(0, len(text), width))
        assert [row.status for row in read(f"{lines}\n\n> {lines}")] == [READ, READ]


def test_every_trouble_is_told():
    altered = FIRST[:50] + ("A" if FIRST[50] != "A" else "B") + FIRST[51:]
    codes = [
        FIRST, altered, FIRST, code("1", {"flip": 0}), SECOND, code("3", {"flip": 1}, TEXTS),
        code("4", key="support"), code("5", edition="00000000"),
    ]  # fmt: skip
    rows = read("\n".join(codes))
    assert [row.status for row in rows] == [READ, "altered", READ, READ, READ, READ, "other lesson", "other edition"]
    notes = [row.note for row in rows]
    assert "same code as in line 1" in notes[2] and "in line 1," in notes[3] and "answers as in line 5" in notes[5]
    assert notes[0] == notes[4] == "" and all(note.endswith(".") for note in notes if note)


def test_a_class_has_shares_of_the_last_hand_ins():
    answers = (("1", 0), ("1", 1), ("2", 0), ("3", 0), ("4", 2))
    texts = [*(code(number, {"flip": given}) for number, given in answers), code("5")]
    share = collected.shares(ERRORS, read("\n".join(texts)))[1]
    assert (share.prompt, share.right, share.wrong, share.left_out) == ("flip", 1, 3, 1)
    assert (share.misconception, share.times) == (quick(None, 0, 0).misconception, 2)


def test_a_table_goes_out_as_harmless_csv():
    second = code("2", {"flip": 1}, ("=1+1", "two;=1+1;\t@SUM(A1)", "-12.5"))
    rows = read(f'=HYPERLINK("x");{FIRST}\n{second}')
    points = {row.handin.number: sum(one.outcome == "right" for one in row.results) for row in rows if row.results}
    moodle, canvas = (
        list(csv.reader(io.StringIO(collected.grades(ERRORS, rows, form)))) for form in ("moodle", "canvas")
    )
    assert moodle[0] == ["ID number", ERRORS.title] and {key: int(mark) for key, mark in moodle[1:]} == points
    assert canvas[0][2:] == ["SIS User ID", "SIS Login ID", "Section", ERRORS.title]
    assert canvas[1][0].strip() == "Points Possible" and canvas[1][-1] == str(len(ERRORS.prompts))
    assert {row[2]: int(row[-1]) for row in canvas[2:]} == points
    table = list(csv.reader(io.StringIO(collected.csv_text(ERRORS, rows))))
    assert len(table) == 3 and {len(row) for row in table} == {5 + 2 * len(ERRORS.prompts) + 3}
    assert table[0][5:7] == ["own_side", "own_side gap"]
    assert table[2][-3:] == ["'=1+1", "two;'=1+1;'\t'@SUM(A1)", "-12.5"]
    error = collected.grade(ERRORS.prompt("error"), 0, handin.seed("2"))
    assert error.gap == "0.2 percentage points", "no sign, which begins a formula"
    assert not [cell for row in table for cell in row if cell.startswith(("=", "@", "+"))]


def test_a_text_without_codes_is_refused_and_too_much():
    for text in ("", "nothing", "Name;Code\nAnn;"):
        with pytest.raises(ValueError, match="no hand-in code"):
            collected.entries(text)
    for head, joint in ("", "\n"), ("Name;Code\n", "\n"), ("", " "), ("Name;Code\n", " "):
        assert len(collected.entries(head + joint.join([FIRST] * 500))) == 500
        with pytest.raises(ValueError, match="more than 500 hand-ins"):
            collected.entries(head + joint.join([FIRST] * 501))
    with pytest.raises(ValueError, match="in parts"):
        collected.entries("x" * 4_000_001)


def test_answers_are_computed_with_the_seed_of_the_student():
    mine, other = (answers.answer(ERRORS.prompt("who"), seed).value for seed in (3, 4))
    assert mine != other and collected.grade(ERRORS.prompt("who"), mine, 3).outcome == RIGHT
    assert collected.grade(ERRORS.prompt("who"), other, 3).outcome == WRONG
    fixed = ERRORS.prompt("who")._replace(any_draw=False)
    assert collected.grade(fixed, answers.answer(fixed, 0).value, 3).outcome == RIGHT
    assert collected.grade(ERRORS.prompt("flip"), None, 3).outcome == UNREADABLE
    assert collected.grade(ERRORS.prompt("who"), [10**9], 3).outcome == UNREADABLE


def test_a_prompt_that_was_left_out_stays_left_out():
    assert [result.outcome for result in read(code("1"))[0].results] == [LEFT_OUT] * len(ERRORS.prompts)


def test_a_hundred_codes_take_less_than_a_second():
    """With known answers: every third student has the same points."""
    right = {prompt.id: 0 for prompt in ERRORS.prompts if prompt.options}
    text = "\n".join(broken(code(str(k % 3), right, (f"Because of {k}.", "", ""))) for k in range(100))
    list(collected.rows(collected.entries(code("0", right) + code("1", right) + code("2", right)), ERRORS))
    began = time.process_time()
    rows = list(collected.rows(collected.entries(text), ERRORS))
    assert len(rows) == 100 and {row.status for row in rows} == {READ}
    assert collected.csv_text(ERRORS, rows).count("\n") == 101
    assert time.process_time() - began < 0.8


def test_a_prompt_without_an_answer_is_no_mistake_of_the_student():
    prompt = ERRORS.prompt("flip")._replace(state={"problem": "toy_outliers", "loss": "hinge", "kernel": "rbf"})
    result = collected.grade(prompt, 0, 5)
    assert result.outcome == UNANSWERED and "“flip”" in result.gap and "'rbf'" in result.gap
    lesson_ = ERRORS._replace(prompts=(prompt,))
    text = handin.write(handin.Handin("errors", handin.edition(lesson_), "5", (0,)))
    rows = list(collected.rows(collected.entries(text), lesson_))
    (share,) = collected.shares(lesson_, rows)
    assert (share.right, share.wrong, share.left_out) == (0, 0, 0)
    assert collected.grades(lesson_, rows, "moodle").splitlines()[1:] == ["5,1"]


def test_students_are_graded_side_by_side_and_told_in_order(monkeypatch):
    monkeypatch.setattr(at_once.joblib, "cpu_count", lambda: 4)
    monkeypatch.setattr(at_once, "WORTH", 0.0)
    together = threading.Barrier(4)

    def graded(prompt, given, seed):
        if seed != handin.seed("0"):  # the first one shows how long it takes
            together.wait(timeout=60)  # four at once, or none goes on
        return Result(RIGHT, str(seed))

    numbers = [str(k) for k in range(9)]
    lesson_ = ERRORS._replace(prompts=ERRORS.prompts[:1])
    codes = [handin.write(handin.Handin("errors", handin.edition(lesson_), number, (1,))) for number in numbers]
    monkeypatch.setattr(collected, "grade", graded)
    rows = list(collected.rows(collected.entries("\n".join(codes)), lesson_))
    assert [row.handin.number for row in rows] == numbers
    assert [row.results[0].gap for row in rows] == [str(handin.seed(number)) for number in numbers]


def test_the_prompts_of_a_student_share_points_and_machines(monkeypatch):
    fitted, fit = [], Source._fit
    monkeypatch.setattr(Source, "_fit", lambda self, *key: (fitted.append(key), fit(self, *key))[1])
    prompt, seed = ERRORS.prompt("flip"), 90_001
    for one in (prompt, prompt._replace(id="again", question="Again?")):
        collected.grade(one, 0, seed)
    assert len(fitted) == len(set(fitted)) == 2, "before and after the change"
