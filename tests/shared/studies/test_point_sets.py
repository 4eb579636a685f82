"""Sets of a reader's own points: keys, held-out points, widths and edits."""

import re

import numpy as np
import pytest
from people import SETTING, people

from pages.shared.figures.drawing import with_films
from pages.shared.live import pictures
from pages.shared.screen import edits, own_points
from pages.shared.screen.choices import OWN, Data, Machine, Reweighting
from pages.shared.screen.screen import Screen
from pages.shared.studies import classification, sparsity
from pages.shared.studies.source import Source
from svmcore import problems


def test_a_key_names_the_content():
    points = people()
    assert re.fullmatch("[0-9a-f]{12}", points.key) and own_points.EMPTY.key == ""
    assert points._replace(source="renamed.csv").key == points.key
    others = [
        points._replace(X=points.X + 1e-12),
        points._replace(y=-points.y),
        points._replace(features=("a", "b")),
        points._replace(classes=("yes", "no")),
    ]
    assert len({other.key for other in [points, *others]}) == 5


CLOUD = problems.load("three_clouds", n=30)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("points", [people(60), own_points.Own(CLOUD.X, CLOUD.y, classes=tuple("uvw"))], ids=["2", "3"])
def test_a_share_of_each_class_is_held_out_by_the_seed(points, share):
    problem = own_points.problem(points, 4, share)
    assert sorted(problem.classes) == sorted({*points.y})
    for label in problem.classes:
        n = np.sum(points.y == label)
        assert np.sum(problem.y_test == label) == (round(share * n) or (share > 0))
    whole = sorted(map(tuple, np.vstack([problem.X, problem.X_test]).tolist()))
    assert whole == sorted(map(tuple, points.X.tolist()))
    assert np.array_equal(problem.X, points.X[problem.ids]) and np.array_equal(problem.y, points.y[problem.ids])
    assert np.array_equal(problem.ids, own_points.problem(points, 4, share).ids)
    assert not share or not np.array_equal(problem.ids, own_points.problem(points, 5, share).ids)


def test_more_held_out_are_those_of_less_and_more_and_never_a_whole_class():
    few, many = (set(own_points.problem(people(60), 4, share).ids) for share in (0.1, 0.4))
    assert many < few
    points = own_points.Own(np.arange(6.0).reshape(3, 2), np.array([1.0, 1.0, -1.0]))
    problem = own_points.problem(points, 0, 0.5)
    assert sorted(problem.y) == [-1.0, 1.0] and problem.y_test.tolist() == [1.0]


def test_the_width_goes_with_the_points():
    X = people().X
    assert own_points.width(1000 * X) == pytest.approx(1000 * own_points.width(X))
    assert own_points.width(X + 50) == own_points.width(X)
    assert own_points.width(X) == pytest.approx(np.sqrt(X[:, 0].var() + X[:, 1].var()), rel=0.05)
    assert own_points.width(X[:0]) == own_points.width(np.ones((4, 2))) == 1.0
    assert 1e-9 <= own_points.width(1e-300 * X) <= 1e9
    assert own_points.width(1e9 * np.array([[-1.0, -1.0], [1.0, 1.0]])) == 1e9


def test_the_empty_plane_reaches_from_minus_three_to_three():
    base = own_points.problem(own_points.EMPTY)
    xs, ys = classification.view(base, Data(OWN, 0, (("data", ""),)), 50)
    assert (xs[0], xs[-1], ys[0], ys[-1]) == pytest.approx((-3, 3, -3, 3))
    far = edits.script((-1, -1), [(-1, 0, 80, 0), (-2, 0, 5, 5)])
    xs, ys = classification.view(base, Data(OWN, 0, (("data", ""),), edits=far), 50)
    assert xs[0] <= -2.5 and xs[-1] > 8


def test_own_edits_belong_to_the_points_and_not_to_the_draw():
    data = Data(OWN, 3, (("data", "abc"), ("hold_out", 0.2)), "flip_random", 2)
    assert data.as_drawn == data._replace(seed=4, options=(("data", "abc"), ("hold_out", 0.4))).as_drawn
    assert data.as_drawn != data._replace(options=(("data", "abd"), ("hold_out", 0.2))).as_drawn
    assert OWN not in problems.REGISTRY


@pytest.mark.parametrize("d", [2, 9])
@pytest.mark.parametrize("classes", [("benign", "malign"), ("a", "b", "<c")])
def test_pictures_have_the_names_of_the_file(d, classes):
    rng = np.random.default_rng(1)
    y = rng.permutation(np.resize(sorted(own_points.labels(len(classes))), 40))
    features = tuple(f"column {k}" for k in range(d))
    points = own_points.Own(rng.normal(size=(40, d)) + y[:, None], y, features, classes)
    data = Data(OWN, 0, (("data", points.key),), n_classes=len(classes), n_features=d, slice="columns")
    source, both = Source(lambda key: points), (Machine("hinge"), Machine("least_squares"))
    shown = pictures.playground(source, Screen(data, both[:1], SETTING)).figures
    drawn = [shown["plane"]]
    if len(classes) == 2:
        drawn.append(pictures.compare(source, Screen(data, both, SETTING)).figures["overlay"])
        given = sparsity.solver_input(source.problem(data), SETTING, 1.0)
        film = with_films(sparsity.rounds(given, Reweighting(), source.frames(data, 2)))
        drawn.append(film.screens[0].film.figure)
    for picture in drawn:
        layout, texts = picture.layout, [str(trace) for trace in picture.traces if "points" in trace["name"]]
        names = [name + ", standardised" * (d > 2) for name in features[:2]]
        assert [layout[axis]["title"]["text"] for axis in ("xaxis", "yaxis")] == names
        assert layout["margin"]["b"] >= 40, "room for the name of the axis"
        for name in classes:
            called = f"({name.replace('<', '‹')})"
            assert called in picture.alt and any(called in text for text in texts)
            assert "key" not in layout["meta"] or any(called in entry for entry in layout["meta"]["key"])
    for unnamed in (own_points.EMPTY, own_points.EMPTY._replace(classes=("-1", "1"))):
        assert unnamed.picture_names == problems.Names()
