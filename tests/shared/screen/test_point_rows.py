"""Points as a table: what its rows say is what is fitted, whatever was done in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.screen import edits, point_rows
from pages.shared.screen.edits import FLIPPED, GONE, MARKED, MOVED, OFF
from svmcore import problems
from svmcore.problems import outliers
from svmcore.problems.registry import Problem

TOY = outliers.flip_farthest(problems.load("toy_outliers", 1), 4)
ROWS = st.lists(
    st.tuples(st.integers(-9, 42), st.integers(0, 31), st.integers(-9999, 9999), st.integers(-9999, 9999)),
    max_size=20,
    unique_by=lambda row: row[0],
)
NUMBER = st.floats(-99, 99).map(lambda value: round(value, 3))
CELLS = st.fixed_dictionaries(
    {},
    optional={"x1": NUMBER, "x2": NUMBER, "class": st.sampled_from([-1, 1])}
    | dict.fromkeys(["outlier", "on"], st.booleans()),
)
NEW = st.fixed_dictionaries(
    {"x1": NUMBER, "x2": NUMBER, "class": st.sampled_from([-1, 1])},
    optional={"outlier": st.booleans(), "on": st.sampled_from([True, False, None]), "point": st.none()},
)


def deltas(edited=None, added=(), deleted=()):
    return {"edited_rows": edited or {}, "added_rows": list(added), "deleted_rows": list(deleted)}


def empty(task="classification"):
    X = np.zeros((0, 2 if task == "classification" else 1))
    return Problem(X, np.zeros(0), X, np.zeros(0), task=task)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_the_rows_are_the_points_that_the_script_makes(rows):
    script = edits.script((-3, -3), rows)
    found, made = point_rows.rows(TOY, script), edits.apply(TOY, script)
    assert found.ids[found.on].tolist() == sorted(made.problem.ids.tolist(), key=lambda key: (key < 0, abs(key)))
    fitted = {int(key): row for row, key in enumerate(made.problem.ids)}
    for key, place, label, outlier, on in zip(*found[:5], strict=True):
        assert on == (int(key) in fitted)
        if on:
            row = fitted[int(key)]
            assert tuple(place) == tuple(made.problem.X[row]) and label == made.problem.y[row]
            assert outlier == made.problem.outlier[row]


@given(ROWS)
def test_a_table_that_was_not_touched_changes_nothing(rows):
    script = edits.script((-3, -3), rows)
    assert point_rows.apply_changes(TOY, script, deltas()) == (script, [])


@settings(max_examples=60, deadline=None)
@given(
    ROWS, st.dictionaries(st.integers(0, 19), CELLS, max_size=8), st.lists(NEW, max_size=4), st.sets(st.integers(0, 19))
)
def test_what_the_cells_say_is_what_the_next_table_shows(rows, edited, added, deleted):
    script = edits.script((-3, -3), rows)
    before = point_rows.rows(TOY, script)
    now, sentences = point_rows.apply_changes(TOY, script, deltas(edited, added, deleted))
    assert sentences == []
    after = point_rows.rows(TOY, now)
    assert len(after.ids) == len(before.ids) - len(deleted) + len(added)
    shown = [dict(zip(after.columns, row, strict=True)) for row in zip(*after.columns.values(), strict=True)]
    was = [dict(zip(before.columns, row, strict=True)) for row in zip(*before.columns.values(), strict=True)]
    kept = [(row, cells) for row, cells in enumerate(was) if row not in deleted]
    for (row, cells), seen in zip(kept, shown, strict=False):
        wanted = cells | edited.get(row, {})
        places = [wanted.pop(name) for name in ("x1", "x2")], [seen.pop(name) for name in ("x1", "x2")]
        assert wanted == seen
        touched = {"x1", "x2"} & edited.get(row, {}).keys()
        assert places[0] == pytest.approx(places[1], abs=0.0006) if touched else places[0] == places[1]
    for cells, seen in zip(added, shown[len(kept) :], strict=True):
        for name in ("x1", "x2", "class"):
            assert seen[name] == pytest.approx(cells[name], abs=1e-9)
        assert seen["on"] == (cells.get("on") is not False) and seen["outlier"] == cells.get("outlier", False)


def test_the_script_says_no_more_than_was_done():
    changes = deltas({2: {"x1": 1.5}, 3: {"on": False}, 5: {"outlier": True}}, deleted=[7])
    script, sentences = point_rows.apply_changes(TOY, edits.NONE, changes)
    x, y = TOY.X[2]
    assert sentences == [] and [edit[:2] for edit in script.edits] == [(2, MOVED), (3, OFF), (5, MARKED), (7, GONE)]
    assert edits.place(script, script.edits[0]) == (1.5, round(y, 3))
    script = edits.script((-3, -3), [(4, FLIPPED | OFF)])
    changes = deltas({4: {"class": int(TOY.y[4]), "on": True}})
    assert point_rows.apply_changes(TOY, script, changes)[0] == edits.NONE


def test_an_added_point_can_be_changed_and_deleted():
    script = edits.script((-2, -2), [(-1, 0, 100, 100), (-2, FLIPPED, 200, 200)])
    n = len(TOY.y)
    changes = deltas({n: {"class": -1, "x1": 3.0}}, [{"x1": 0, "x2": 1, "class": 1}], [n + 1])
    now, _ = point_rows.apply_changes(TOY, script, changes)
    assert now.edits == (edits.Edit(-3, MOVED, 0, 100), edits.Edit(-1, MOVED | FLIPPED, 300, 100))


@pytest.mark.parametrize(
    "edited, added, words",
    [
        ({0: {"x1": None, "x2": 2.0}}, [], "Point 0, x1: expected a number"),
        ({0: {"x1": float("nan"), "x2": 2.0}}, [], "Point 0, x1"),
        ({0: {"x1": "1,5", "x2": 2.0}}, [], "Point 0, x1"),
        ({0: {"x2": 2.0, "class": None}}, [], "Point 0: expected class −1 or +1"),
        ({0: {"x2": 2.0}, 1: {"x1": 1e12}}, [], "too far out"),
        ({0: {"x2": 2.0}}, [{"x1": 1.0, "class": 1}], "New row 1 becomes a point when it has a number for x2"),
        ({0: {"x2": 2.0}}, [{"x1": 1.0, "x2": 2.0}], "class 1 or -1"),
        ({0: {"x2": 2.0}}, [{"x1": 1e12, "x2": 2.0, "class": 1}], "too far out"),
    ],
)
def test_a_bad_cell_is_a_sentence_and_the_rest_is_kept(edited, added, words):
    script, sentences = point_rows.apply_changes(TOY, edits.NONE, deltas(edited, added))
    assert len(sentences) == 1 and words in sentences[0]
    (edit,) = script.edits
    assert edit.id == 0 and edits.place(script, edit) == (round(TOY.X[0, 0], 3), 2.0)


def test_many_bad_cells_are_counted_and_an_empty_new_row_is_none():
    _, sentences = point_rows.apply_changes(TOY, edits.NONE, deltas({row: {"x1": None} for row in range(9)}))
    assert len(sentences) == 4 and sentences[-1] == "And 6 more."
    rows = [{}, {"class": 1, "outlier": False, "on": True}]
    assert point_rows.apply_changes(TOY, edits.NONE, deltas(added=rows)) == (edits.NONE, [])


def test_the_plane_takes_five_thousand_points():
    rows = [{"x1": 0.001 * k, "x2": 0.0, "class": 1 - 2 * (k % 2)} for k in range(5001)]
    script, sentences = point_rows.apply_changes(empty(), edits.NONE, deltas(added=rows))
    assert len(script.edits) == 5000 and "5000" in sentences[0]
    assert len(edits.apply(empty(), script).problem.y) == 5000


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e5])
def test_on_an_empty_plane_the_step_suits_what_was_brought(scale):
    X = np.random.default_rng(0).normal(size=(20, 2)) * scale
    rows = [{"x1": a, "x2": b, "class": 1} for a, b in X.tolist()]
    script, sentences = point_rows.apply_changes(empty(), edits.NONE, deltas(added=rows))
    found = point_rows.rows(empty(), script)
    assert sentences == [] and np.abs(found.places - X).max() <= 0.001 * scale
    assert found.ids.tolist() == list(range(-1, -21, -1))


def test_a_regression_has_x_and_y_and_no_class():
    X = np.arange(4.0)[:, None]
    base = Problem(X, np.array([0.0, 1.0, 4.0, 9.0]), X, np.zeros(4), task="regression")
    found = point_rows.rows(base, edits.NONE)
    assert list(found.columns) == ["point", "x", "y", "outlier", "on"] and found.columns["y"].tolist() == [0, 1, 4, 9]
    script, sentences = point_rows.apply_changes(base, edits.NONE, deltas({1: {"y": 2.5}}, [{"x": 1.5, "y": 3.0}], [3]))
    made = edits.apply(base, script).problem
    assert sentences == [] and made.X[:, 0].tolist() == [0, 1, 2, 1.5] and made.y.tolist() == [0, 2.5, 4, 3]
    assert list(point_rows.rows(empty("regression"), edits.NONE).columns)[1:3] == ["x", "y"]


def test_points_have_the_names_of_the_plane():
    script = edits.script((-3, -3), [(-2, 0, 1, 1)])
    assert point_rows.rows(TOY, script).columns["point"][-2:] == ["point 39", "added point 2"]
