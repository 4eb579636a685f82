"""The sentence on what an edit did, and the plain table of the points."""

import re

import numpy as np
import pytest

from pages.shared.panels import movement, points_table
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.screen.edits import FLIPPED, MARKED, OFF, script
from pages.shared.studies import classification, results

TOY = Data("toy_outliers", 0, (("n", 40),))
FLIP_5 = TOY._replace(edits=script((-3, -3), [(5, FLIPPED | MARKED, 0, 0)]))
SETTING = Setting(1.0, "linear", 1.0, 3, 1.0)
AXIS = np.linspace(-2.0, 6.0, 9)


def study(data, loss):
    return classification.fit(results.problem(data), Machine(loss, ()), SETTING, AXIS, AXIS)


@pytest.fixture(scope="module")
def hinge():
    return study(TOY, "hinge"), study(FLIP_5, "hinge")


def test_an_edit_is_answered_by_share_support_vector_and_number(hinge):
    before, now = hinge
    assert before.points.alpha[5] == 0.0 < now.points.alpha[5]
    count = int(np.sum(now.points.alpha != 0))
    assert count == now.numbers.n_support != before.numbers.n_support
    changed = r"changed [\d.]+\u202f% of the plane"
    there = movement.response(before, now, {5})
    assert re.fullmatch(f"{changed}, point 5 is now a support vector, {count} of 40 support vectors", there)
    back = movement.response(now, before, {5})
    was = int(np.sum(before.points.alpha != 0))
    assert re.fullmatch(f"{changed}, point 5 is no longer a support vector, {was} of 40 support vectors", back)
    assert "point 5" not in movement.response(*hinge, {5, 6}), "of several points only the number is said"


def test_where_no_support_vector_changes_only_the_share_is_said():
    before, now = study(TOY, "least_squares"), study(FLIP_5, "least_squares")
    assert re.fullmatch(r"changed [\d.]+\u202f% of the plane", movement.response(before, now, {5}))


def test_the_points_as_plain_text():
    off = FLIP_5._replace(edits=script((-3, -3), [(5, FLIPPED | MARKED, 0, 0), (6, OFF, 0, 0)]))
    html = points_table.plain(off)
    rows = re.findall(r"<tr><th scope='row'>(.*?)</th>(.*?)</tr>", html)
    assert len(rows) == 40 and html.startswith("<details><summary>")
    cells = {name: re.findall("<td>(.*?)</td>", row) for name, row in rows}
    problem = results.problem(TOY)
    assert cells["point 5"][:2] == [f"{value:.6g}" for value in problem.X[5]]
    assert cells["point 5"][2:] == [f"{-problem.y[5]:g}", "yes", "yes"]
    assert cells["point 6"][2:] == [f"{problem.y[6]:g}", "no", "no"]
