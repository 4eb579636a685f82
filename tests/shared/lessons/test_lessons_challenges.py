"""The challenges of the lessons: none is reached at its beginning, each can be, and its rules are kept."""

import pytest
from written import numbers_in

from pages.shared.lessons import answers, reading, state
from pages.shared.lessons.lesson import Claim, Watch
from pages.shared.lessons.quantities.case import Case
from pages.shared.lessons.screens.challenge_page import begin, better, judge, wanted_text
from pages.shared.screen import edits

LESSONS = reading.built_in_lessons()
GIVEN = {key: found.challenge for key, found in LESSONS.items() if found.challenge}
FLIP_AND_MOVE = edits.MOVED | edits.FLIPPED
REACHED = {  # by settings, and by moved points, (id, flags, place)
    "support": ({}, [(0, edits.MOVED, (2.5, 5.0))]),
    "price": ({"C": 10.0}, []),
    "width": ({"C": 1e5, "sigma": 2.5}, []),
    "map": ({"degree": 3, "C": 100.0}, []),
    "errors": ({}, [(1, FLIP_AND_MOVE, (7.5, -2.5))]),
    "outliers": ({}, [(1, FLIP_AND_MOVE, (2.5, 5.0))]),
    "evidence": ({"seed": 8}, []),
    "solvers": ({"C": 1000.0}, []),
    "duality": ({"C": 1.0, "sigma": 0.7}, []),
    "sparsity": ({"C": 1.0, "sigma": 0.7}, []),
    "features": ({"walk_C": 0.05}, []),
}


def made(key, settings, moved):
    setup = begin(GIVEN[key], settings)
    step = edits.steps(state.SOURCE.base(setup.data.base).X)
    rows = [[row, flags, *(round(v / 10.0**p) for v, p in zip(at, step, strict=True))] for row, flags, at in moved]
    data = setup.data._replace(edits=edits.script(step, rows) if rows else edits.NONE)
    return Case(setup, setup._replace(data=data))


def test_each_lesson_has_a_challenge():
    assert LESSONS.keys() == GIVEN.keys() == REACHED.keys()


@pytest.mark.parametrize("key", GIVEN)
def test_a_challenge_is_not_reached_at_its_beginning_and_can_be(key):
    given, (settings, moved) = GIVEN[key], REACHED[key]
    value, broken = judge(given, made(key, {}, []))
    assert broken or not given.goal.holds(value)
    value, broken = judge(given, made(key, settings, moved))
    assert given.goal.holds(value) and not broken, (answers.words(given.goal.watch, value), broken)
    assert set(settings) <= set(given.controls) and len(moved) <= given.moves
    assert bool(given.controls) or given.moves > 0


def test_a_rule_that_is_broken_is_named():
    broken = judge(GIVEN["price"], made("price", {"C": 1e4}, []))[1]
    assert "test error" in broken and " 6." in broken and "below 4.5" in broken
    two = [(0, edits.MOVED, (2.5, 5.0)), (2, edits.MOVED, (2.0, 4.0))]
    assert numbers_in(judge(GIVEN["support"], made("support", {}, two))[1]) == [2, 1]


def test_the_best_so_far_is_the_one_nearer_to_the_goal():
    fewer, more = Claim(Watch("n_support", {}), high=10.0), Claim(Watch("n_support", {}), low=10.0)
    assert better(fewer, 12, 12) == better(fewer, 14, 12) == 12
    assert (better(fewer, 9, 12), better(more, 9, 12)) == (9, 12)
    assert wanted_text(fewer) == "below 10" and wanted_text(more) == "at least 10"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("goal = { low = 1.0 }", "moves"),
        ('moves = 1\ngoal = { watch = "boundary", low = 1.0 }', "number"),
        ('moves = 1\ncontrols = ["widths"]\ngoal = { low = 1.0 }', "controls"),
    ],
)
def test_a_challenge_that_cannot_be_judged_is_refused(line, told):
    text = (reading.FOLDER / "price.toml").read_text(encoding="utf-8")
    begin, end = text.index("[challenge]"), text.index("[[prompt]]")
    table = f'[challenge]\ntext = "Try."\nstate = {{ problem = "moons", loss = "hinge" }}\n{line}\n\n'
    with pytest.raises(ValueError, match=told):
        reading.read(text[:begin] + table + text[end:])
