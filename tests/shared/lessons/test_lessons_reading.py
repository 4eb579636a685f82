"""Lessons of others: what is wrong in a file, and on which line."""

import pytest

from pages.shared.lessons import lesson, reading
from pages.shared.lessons.tables import LessonError

GOOD = """\
id = "mine"
title = "My lesson"
minutes = 10
objectives = ["You can read a boundary."]
prerequisites = []

[teacher]
goal = "g"
equation = 'w'
source = "s"
skip = "k"

[[prompt]]
id = "turn"
kind = "choose"
question = "Does the boundary turn?"
state = { problem = "toy_outliers", loss = "least_squares" }
change = { contamination = "flip_farthest", flips = 2 }
watch = "angle"
why = "It turns by {value}."
[[prompt.option]]
text = "Yes."
low = 4
[[prompt.option]]
text = "No."
high = 4
wrong = "You may have thought of the hinge loss."
"""
CHANGE = 'contamination = "flip_farthest", flips = 2'
STATE = 'loss = "least_squares"'


def test_a_good_file_is_read():
    found = reading.read(GOOD)
    (prompt,) = found.prompts
    assert (found.id, found.minutes, found.deeper) == ("mine", 10, ())
    assert (prompt.kind, prompt.expected_option, prompt.line, prompt.watch.name) == ("choose", 0, 13, "angle")


@pytest.mark.parametrize(
    "old, new, line, words",
    [
        ('title = "My lesson"', "title = ", 2, "not TOML"),
        ('title = "My lesson"', 'title = "My lesson', 2, "a text has no quotation mark at its end"),
        (GOOD, GOOD + GOOD[GOOD.index("[[prompt]]") :], 28, "Two prompts are called 'turn'"),
        ('title = "My lesson"', "", 1, "`title` is missing"),
        ("minutes = 10", 'minutes = "ten"', 3, "must be a whole number, got 'ten'"),
        ('id = "mine"', 'id = "my lesson"', 1, "lower-case letters"),
        ('goal = "g"', 'gaol = "g"', 8, "`gaol` is not known here; expected are goal, equation, source, skip"),
        ('kind = "choose"', 'kind = "guess"', 15, "must be one of choose, number, line"),
        ('kind = "choose"', 'kind = "points"', 19, "a prompt of kind points needs points"),
        ("problem =", "problme =", 17, "has 'problme', which cannot be set here"),
        ('"toy_outliers"', '"toy"', 17, "problem must be one of toy_outliers"),
        ('"flip_farthest", flips = 2', '"flip_farthest", flips = 200', 18, "flips must be a whole number from 0 to 50"),
        ('"flip_farthest", flips = 2', '"flip_farthest", flips = 2.5', 18, "flips must be a whole number from 0 to 50"),
        ("minutes = 10", "minutes = 0", 3, "must be at least 1, got 0"),
        ("minutes = 10", 'minutes = 10\ndeeper = ["play"]', 4, "must name pages of compare, convergence, "),
        ("problem =", "\nproblem =", 17, "is one line"),
        ("[[prompt]]", "[prompt]", 1, "or tables under [[ ]], got"),
        ('"angle"', '"angel"', 19, "names the quantity 'angel'; known are"),
        ('"angle"', '{ name = "angle", point = 3 }', 19, "the argument 'point', but it has the arguments loss"),
        ('"angle"', '{ name = "best_sigma", by = "luck" }', 19, "by = 'luck', but it must be one of test"),
        ('"angle"', '{ name = "mean", quantity = "pair" }', 19, "must be a number of one machine"),
        ('"angle"', '{ name = "mean", draws = 0 }', 19, "draws = 0, but it must be a whole number from 1"),
        ("{value}", "{degrees}", 20, "has {degrees}, but the numbers of this prompt are value"),
        ("low = 4", "", 21, "or `low` is missing"),
        ("low = 4", "is = 'hinge'", 22, "not `is`"),
        ("low = 4", "low = 4\nhigh = 4", 23, "must be smaller than high, got 4 and 4"),
        (GOOD[GOOD.rindex("[[") :], "", 15, "is choose, which needs at least two [[prompt.option]]"),
        ("why =", 'wrong = { too_low = "a" }\nwhy =', 20, "the options of this prompt have their own sentences"),
        ('"angle"', '"angle"\nshows = "violation"', 20, "is violation, which needs `at`"),
        ('["You can read a boundary."]', "[1]", 4, "must be a list of texts, got [1]"),
        ('wrong = "You may have thought of the hinge loss."', "", 21, "exactly one option"),
        ("It turns by", "The [turn](term:turning)", 20, "the term 'turning', which the glossary does not have"),
        ("high = 4", 'hihg = 4', 26, "`hihg` is not known here"),
        ('"My lesson"', "“My lesson”", 2, "a text stands between straight quotation marks"),
        ("minutes = 10", "minutes = 10\nminutes = 10", 4, "this is here a second time"),
        ("low = 4", "low = 0,5", 23, "a number has a point"),
        ('"Yes."', '" "', 22, "`text` is empty"),
        ('"angle"', '{ name = ["angle"] }', 19, "names the quantity ['angle']"),
        (STATE, f"{STATE}, C = 0", 17, "C must be a number from 10⁻⁶ to 10⁶"),
        (STATE, f"{STATE}, edits = 'abc'", 17, "version"),
        (CHANGE, 'edit = [{ point = 1 }]', 18, "an entry needs"),
        (CHANGE, 'edit = [{ point = [3], flip = true }]', 18, "names the point [3]"),
        (CHANGE, 'edit = [{ point = 3, move = [1] }]', 18, "move = [1] in `edit`, but it must be [x, y]"),
        (CHANGE, 'edit = [{ point = 3, beyond = "d" }]', 18, "beyond = 'd' in `edit`"),
        (CHANGE, 'edit = [{ point = 3, delete = "no" }]', 18, "delete = 'no' in `edit`, but it must be true"),
        ('low = 4', 'low = 4\nat = 1', 24, "`at` is not known here; expected are text, low, high, is, wrong; those"),
        # what no screen of the prompt uses
        ('contamination = "flip_farthest", ', "", 18, "'flips', which needs outliers: set contamination to one of f"),
        (STATE, f"{STATE}, share = 0.1", 17, "'share', which needs outliers: set contamination to one of flip_share"),
        (STATE, f"{STATE}, degree = 2", 17, "'degree', which the kernel 'linear' does not use: set kernel to"),
        (STATE, f"{STATE}, tau = 0.2", 17, "'tau', which is a parameter of other losses: set loss to one of pinball"),
        (STATE, f"{STATE}, init = 'literal'", 17, "set loss to one of isls"),
        (STATE, f"{STATE}, noise = 0.2", 17, "'noise', which is not an option of the problem 'toy_outliers'"),
        (STATE, f"{STATE}, walk_n = 50", 17, "'walk_n', which needs the feature walk"),
        (STATE, f"{STATE}, n = 100000", 17, "n must be a whole number from"),
        ('watch = "angle"', 'second = { coef0 = 2.0 }\nwatch = "angle"', 19, "'coef0', which the kernel"),
    ],
)  # fmt: skip
def test_a_broken_file_gives_a_line_and_a_reason(old, new, line, words):
    assert GOOD.count(old) >= 1
    with pytest.raises(LessonError) as caught:
        reading.read(GOOD.replace(old, new, 1))
    assert words in str(caught.value) and caught.value.line == line, caught.value
    assert str(caught.value).startswith(f"Line {line}: ")


@pytest.mark.parametrize(
    "old, new",
    [(STATE, f"{STATE}, flips = 0"), ('watch = "angle"', 'second = { kernel = "poly", coef0 = 2.0 }\nwatch = "angle"')],
    ids=["with the outliers of the change", "on the second plane"],
)
def test_what_one_screen_of_a_prompt_uses_is_taken(old, new):
    assert GOOD.count(old) == 1 and reading.read(GOOD.replace(old, new)).prompts


def test_a_parameter_of_a_machine_that_is_only_watched_is_used():
    text = GOOD.replace(STATE, f"{STATE}, tau = 0.2")
    watched = reading.read(text.replace('"angle"', '{ name = "angle", loss = "pinball" }', 1))
    assert watched.prompts[0].state["tau"] == 0.2
    shown = reading.read(text.replace("[[prompt.option]]", 'controls = ["loss"]\n[[prompt.option]]', 1))
    assert shown.prompts[0].controls == ("loss",)


def test_a_number_needs_a_scale_and_both_sentences():
    number = GOOD[: GOOD.index("[[prompt.option]]")].replace('"choose"', '"number"')
    wrong = 'wrong = { too_low = "a", too_high = "b" }\n'
    with pytest.raises(LessonError, match="Line 13: prompt 'turn': `wrong` needs a sentence for .* 'too_low'"):
        reading.read(number)
    with pytest.raises(LessonError, match="`scale` is missing"):
        reading.read(number + wrong)
    for scale in ("low = 2, high = 1, step = 1", "low = 1, high = 2, step = 3", "low = 1, high = inf, step = 1"):
        with pytest.raises(LessonError, match="Line 21: .*low < high"):
            reading.read(number + f"scale = {{ {scale} }}\n" + wrong)
    with pytest.raises(LessonError, match="Line 21: .* of powers of ten begins above 0, got low = 0"):
        reading.read(number + "scale = { low = 0, high = 9, step = 1, log = true }\n" + wrong)
    with pytest.raises(LessonError, match="Line 24: prompt 'turn', wrong: `to_high` is not known"):
        reading.read(number + 'scale = { low = 1, high = 2, step = 1 }\n[prompt.wrong]\ntoo_low = "a"\nto_high = "b"\n')


@pytest.mark.parametrize(
    "kind, close, words",
    [
        ("number", 1.0, "at least 1.05"), ("number", 9, "below 9, the width"), ("line", 0, "a share above 0"),
        ("line", 5, "a share above 0"), ("points", -1, "at least 0"),
    ],
)  # fmt: skip
def test_an_answer_can_be_close_enough_but_not_every_one_is(kind, close, words):
    watch = {"number": "angle", "line": "boundary", "points": "support_vectors"}[kind]
    prompt = GOOD[: GOOD.index("[[prompt.option]]")].replace('"choose"', f'"{kind}"').replace('"angle"', f'"{watch}"')
    scale = "scale = { low = 1, high = 9, step = 1, log = true }\n" if kind == "number" else ""
    wrong = ", ".join(f'{name} = "s"' for name in reading.KINDS[kind][1])
    with pytest.raises(LessonError, match=f"`close` must be {words}"):
        reading.read(f"{prompt}{scale}close = {close}\nwrong = {{ {wrong} }}\n")


def test_terms_are_marked():
    text = "The [support values](term:support value) of [all](https://a) points"
    assert lesson.plain(text) == "The support values of [all](https://a) points"
    assert lesson.with_terms(text, lambda words, term: f"<{term}|{words}>").startswith("The <support value|support")


def test_a_shortened_text_keeps_numbers_and_their_units_on_one_line():
    text = "With C = 1 it is 12 % of the  [plane](term:share), and some more"
    assert lesson.short(text, 42) == "With C\u00a0=\u00a01 it is 12\u202f% of the plane, and …"
