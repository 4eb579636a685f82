"""The screen as a file: what was written is restored, and a damaged document is a sentence."""

import json

import numpy as np
import pytest
from people import SETTING, broken, documented, people

import svmcore
from pages.shared.files.document import read_json
from pages.shared.files.reading import read_table
from pages.shared.screen import document as screen_document
from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import MACHINES, Data, Machine, Setting
from pages.shared.screen.edits import FLIPPED, MARKED, MOVED, OFF
from pages.shared.studies import classification, regression


def test_a_document_restores_points_edits_and_controls():
    script = edits.script((-3, -3), [(2, MOVED, 1500, -250), (4, FLIPPED | MARKED), (5, OFF), (-1, 0, 7, 9)])
    text, problem, _ = documented(script, C=2.0, kernel="rbf")
    screen = screen_document.read(text.encode())
    assert screen.values == {"problem": "own", "data": people().key, "C": 2.0, "kernel": "rbf"}
    assert screen.edits == script and screen.points.key == people().key and screen.points.source == "people.csv"
    table = read_table(text)
    assert np.array_equal(np.column_stack([table.column("x1"), table.column("x2")]), problem.X)
    assert table.column("id").tolist() == problem.ids.tolist()
    assert table.column("outlier").tolist() == problem.outlier.tolist()
    assert screen_document.read(json.dumps({**json.loads(text), "settings": {}})) is None, "points alone"


def test_a_document_restores_a_table_of_more_features():
    X, y = np.random.default_rng(4).normal(size=(12, 4)), np.where(np.arange(12) % 2, 1.0, -1.0)
    table = own_points.Own(X, y, tuple("abcd"), source="four.csv")
    problem = own_points.problem(table)
    text = screen_document.text(problem, {"problem": "own", "slice": "w"}, edits.NONE, table)
    screen = screen_document.read(text)
    assert screen.points.key == table.key and screen.points.features == tuple("abcd")
    assert np.array_equal(screen.points.X, X) and screen.values["slice"] == "w"
    assert np.array_equal(read_table(text).column("x4"), problem.X[:, 3])
    broken_one = json.loads(text)
    broken_one["settings"]["own"]["features"] = ["a", "b", "c", "d", "e"]
    with pytest.raises(ValueError, match='The points under "own" in this file are damaged'):
        screen_document.read(json.dumps(broken_one))


def test_a_document_holds_the_model():
    text, problem, studies = documented()
    model = json.loads(text)["model"]
    assert model["kernel"] == {"name": "rbf", "gamma": 1 / 0.8**2} and model["C"] == 2.0
    assert model["svmcore"] == svmcore.__version__
    distance = ((problem.X[:, None] - problem.X) ** 2).sum(-1)
    for said, (machine, found) in zip(model["machines"], studies.items(), strict=True):
        f = np.exp(-model["kernel"]["gamma"] * distance) @ (np.array(said["alpha"]) * problem.y) + said["intercept"]
        assert f == pytest.approx(found.f) and said["loss"] == machine.loss and said["status"] == "converged"
    assert model["machines"][0]["upper"] == 2.0 and "upper" not in model["machines"][1]


@pytest.mark.parametrize("loss", MACHINES["classification"])
def test_every_machine_has_a_document(loss):
    problem, axis = own_points.problem(people()), np.linspace(-2, 2, 5)
    found = classification.fit(problem, Machine(loss), SETTING, axis, axis)
    text = screen_document.text(problem, {"problem": "own"}, edits.NONE, people(), SETTING, {Machine(loss): found})
    (said,) = read_json(text)[2]["machines"]
    assert said["loss"] == loss and said["alpha"] == found.points.alpha.tolist()


def test_a_curve_is_in_its_document():
    data, setting = Data("motorcycle", 0, ()), Setting(10.0, "rbf", 8.0, 3, 1.0)
    problem, machine = classification.make_problem(data), Machine("epsilon_insensitive", (("epsilon", 0.3),))
    found = regression.fit(problem, machine, setting, np.linspace(0, 50, 9), (-100, 50), 10.0)
    text = screen_document.text(problem, {"problem": "motorcycle"}, edits.NONE, None, setting, {machine: found})
    points, settings, model = read_json(text)
    (said,) = model["machines"]
    K = np.exp(-model["kernel"]["gamma"] * (points["x1"][:, None] - points["x1"]) ** 2)
    assert said["unit"] * (K @ said["beta"] + said["intercept"]) == pytest.approx(found.f)
    assert np.array_equal(points["y"], problem.y) and screen_document.read(text).values == {"problem": "motorcycle"}


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"edits": 3}, "are not text"),
        ({"edits": "1AAAA"}, "these edits"),
        ({"own": 3}, "damaged"),
        ({"own": {"x1": [1], "x2": [2, 3], "y": [1]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, None], "y": [1, -1]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, 1e300], "y": [1, -1]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, 10**400], "y": [1, -1]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, 3], "y": [1, 2]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, 3], "y": [1, 1]}}, "damaged"),
        ({"own": {"x1": [1, 2], "x2": [2, 3], "y": [1, -1], "features": ["a"]}}, "damaged"),
        ({"own": {"x1": [1, 2] * 2501, "x2": [2, 3] * 2501, "y": [1, -1] * 2501}}, "damaged"),
    ],
)
def test_a_damaged_document_is_a_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        screen_document.read(broken(**settings))
