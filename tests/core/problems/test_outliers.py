"""Outliers: exactly as many as asked, where they were asked, the rest untouched, and all of it reversible."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from svmcore import problems
from svmcore.problems import outliers


def assert_same(first, second):
    for field in dataclasses.fields(problems.Problem):
        assert_array_equal(getattr(first, field.name), getattr(second, field.name), err_msg=field.name)


def amount(kind, k, problem):
    """k outliers in the unit of the kind; of cells, k cells."""
    whole = {outliers.flip_class: np.sum(problem.y > 0), outliers.cell_outliers: problem.X.size}
    return k / whole.get(kind.apply, len(problem.y)) if kind.unit == "share" else k


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(["toy_outliers", "ripley", "two_spirals", "circles"]),
    st.lists(st.sampled_from(sorted(outliers.KINDS)), min_size=1, max_size=3),
    st.integers(0, 8),
    st.integers(0, 1000),
)
def test_any_chain_of_kinds_is_undone(key, kinds, k, seed):
    problem = problems.load(key)
    before = {field: np.array(getattr(problem, field)) for field in ("X", "y", "y_clean", "added")}
    spoilt = problem
    for kind in kinds:
        found = outliers.KINDS[kind]
        spoilt = found.apply(spoilt, k / 40 if found.unit == "share" else k, seed)
    assert_same(outliers.without_outliers(spoilt), problem)
    assert_array_equal(spoilt.X_test, problem.X_test)
    assert_array_equal(spoilt.y_test, problem.y_test)
    for field, value in before.items():
        assert_array_equal(getattr(problem, field), value, err_msg=f"{field} of the argument was changed")


@pytest.mark.parametrize("key", outliers.KINDS)
@pytest.mark.parametrize("k", [0, 1, 2, 13])
def test_exactly_k_outliers_and_the_same_ones_again(key, k):
    kind, problem = outliers.KINDS[key], problems.load("toy_outliers")
    spoilt = kind.apply(problem, amount(kind, k, problem), 4)
    assert (np.sum(spoilt.X != spoilt.X_clean) or spoilt.outlier.sum()) == k  # cells that have changed, or points
    assert_same(spoilt, kind.apply(problem, amount(kind, k, problem), 4))
    assert_same(outliers.without_outliers(outliers.without_outliers(spoilt)), problem)


@pytest.mark.parametrize("key", outliers.KINDS)
def test_more_outliers_contain_fewer(key):
    kind, problem = outliers.KINDS[key], problems.load("toy_outliers")
    few, many = (kind.apply(problem, amount(kind, k, problem), 4) for k in (3, 8))
    assert not (few.outlier & ~many.outlier[: len(few.y)]).any()
    spoilt = few.X != few.X_clean
    assert_array_equal(few.X[spoilt], many.X[: len(few.X)][spoilt])
    if not spoilt.any():
        assert_array_equal(few.X, many.X[: len(few.X)])


def test_switching_off_the_outliers_of_the_problems():
    noise = problems.load("label_flips", noise=0.3)
    assert_same(outliers.without_outliers(noise), problems.load("label_flips", noise=0.0))
    assert_same(outliers.flip_share(problems.load("label_flips", noise=0.0), 0.3, seed=0), noise)
    toy = problems.load("toy_outliers")
    assert_same(problems.load("toy_outliers", flips=7), outliers.flip_farthest(toy, 7))
    leverage = problems.load("leverage_outliers", outliers=7)
    assert_same(outliers.without_outliers(leverage), problems.load("leverage_outliers", outliers=0))


def test_flip_farthest_goes_on_when_a_class_runs_out_and_outliers_do_not_move_the_class_means():
    X = np.array([[0.0, 0], [1, 0], [2, 0], [9, 0]])
    problem = problems.Problem(X, np.array([1.0, 1, 1, -1]), X, np.ones(4))
    assert_array_equal(outliers.flip_farthest(problem, 3).y, [-1, -1, 1, 1])
    assert_array_equal(outliers.flip_farthest(problem, 4).y, [-1, -1, -1, 1])
    # the farthest clean points are the same before and after a cluster is added
    toy = problems.load("toy_outliers")
    together = outliers.flip_farthest(outliers.leverage_cluster(toy, 30), 6)
    assert_array_equal(together.y[:40], outliers.flip_farthest(toy, 6).y)


@pytest.mark.parametrize("key", sorted(outliers.KINDS.keys() - {"flip_farthest"}))
def test_seed_draws_other_outliers(key):
    kind, toy = outliers.KINDS[key], problems.load("toy_outliers")
    first, second = (kind.apply(toy, kind.default, seed) for seed in (0, 1))
    assert not (np.array_equal(first.X, second.X) and np.array_equal(first.y, second.y))


@pytest.mark.parametrize("key", outliers.KINDS)
def test_arrays_of_any_number_of_features_are_contaminated(key):
    heart = problems.load("heart")
    X, y = outliers.contaminate(key, heart.X, heart.y, 0.1, np.random.default_rng(3))
    again = outliers.contaminate(key, heart.X, heart.y, 0.1, 3)
    assert_array_equal(X, again[0])
    assert_array_equal(y, again[1])
    rows, columns = np.nonzero(X[: len(heart.X)] != heart.X)
    spoilt, N = X[rows, columns] / heart.X[rows, columns], len(heart.y)
    match key:
        case "feature_noise":
            assert len(set(columns)) == 1 and len(rows) == round(0.1 * N) and np.allclose(spoilt, 10.0)
        case "cell_outliers":
            away = np.abs(X - heart.X)[rows, columns] / heart.X.std(axis=0)[columns]
            assert len(rows) == round(0.1 * heart.X.size) and len(set(columns)) == 13 and np.allclose(away, 10.0)
        case "leverage_cluster":
            assert len(y) - N == round(0.1 * N) and not len(rows)
        case _:
            assert not len(rows) and len(y) == N
    flips = y[:N] != heart.y
    assert set(heart.y[flips]) == {"flip_class": {1.0}}.get(key, {1.0, -1.0} if "flip" in key else set())


@pytest.mark.parametrize("key", [k for k in problems.names("classification", planar=True) if problems.available(k)])
def test_leverage_cluster_is_tight_far_out_and_wrong(key):
    problem = outliers.without_outliers(problems.load(key))
    spoilt = outliers.leverage_cluster(problem, 6, seed=2)
    cluster = spoilt.X[spoilt.added]
    assert (spoilt.y[spoilt.added] == -1).all() and len(cluster) == 6 and len({*spoilt.ids}) == len(spoilt.ids)
    middle = problem.X.mean(axis=0)
    radius = np.linalg.norm(problem.X - middle, axis=1).max()
    assert np.linalg.norm(cluster - middle, axis=1).min() > 1.5 * radius
    assert np.linalg.norm(cluster - cluster.mean(axis=0), axis=1).max() < 0.3 * radius
    positive = problem.X[problem.y > 0]
    corner = positive[np.linalg.norm(positive - problem.X[problem.y < 0].mean(axis=0), axis=1).argmax()] - middle
    assert np.all((cluster - middle) @ corner > 0.0)  # on the side of class +1


def test_kinds_tell_the_controls_what_they_need():
    problem = problems.load("toy_outliers")
    for kind in outliers.KINDS.values():
        assert kind.label and kind.meaning and kind.unit in ("points", "share")
        assert isinstance(kind.default, int) == (kind.unit == "points")
        assert 0 < kind.default < kind.maximum
        assert kind.apply(problem, kind.default, 0).outlier.any()


ONE_CLASS = problems.Problem(np.eye(2), np.ones(2), np.eye(2), np.ones(2))


@pytest.mark.parametrize("call, sentence", [
    (lambda toy: outliers.flip_random(toy, 41), "Only 40 points can still be flipped, got 41"),
    (lambda toy: outliers.flip_farthest(toy, 41), "Only 40 points can still be flipped, got 41"),
    (lambda toy: outliers.flip_random(toy, -1), "whole number of at least 0, got -1"),
    (lambda toy: outliers.flip_farthest(toy, 1.5), "whole number of at least 0, got 1.5"),
    (lambda toy: outliers.leverage_cluster(toy, True), "whole number of at least 0, got True"),
    (lambda toy: outliers.flip_share(toy, 1.1), "between 0 and 1, got 1.1"),
    (lambda toy: outliers.flip_share(toy, float("nan")), "between 0 and 1, got nan"),
    (lambda toy: outliers.leverage_cluster(ONE_CLASS, 2), "both classes, but class -1 has none"),
    (lambda toy: outliers.flip_farthest(ONE_CLASS, 2), "both classes, but class -1 has none"),
])  # fmt: skip
def test_errors_say_what_to_do(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(problems.load("toy_outliers"))
