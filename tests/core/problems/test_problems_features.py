"""Relevant features: what the paper says of the law, and the exact accuracy against the test points."""

import numpy as np
import pytest

from svmcore import problems
from svmcore.problems import features


@pytest.mark.parametrize("d_rel", [1, 5, 200])
def test_the_classes_are_three_apart_in_the_first_features(d_rel):
    mean = features.mean(d_rel)
    assert np.count_nonzero(mean) == d_rel and np.all(mean[:d_rel] == mean[0])
    assert 2.0 * np.linalg.norm(mean) == pytest.approx(3.0, rel=1e-12)
    made = problems.load("relevant_features", seed=1, n=4000, d_rel=d_rel)
    assert made.X.shape == (4000, 200) and made.X_test.shape == (1000, 200) and made.y.sum() == 0.0
    noise = made.X - made.y[:, None] * mean
    assert abs(noise.mean()) < 0.005 and noise.std() == pytest.approx(1.0, abs=0.005)
    assert (made.y[:, None] * made.X).mean(0) == pytest.approx(mean, abs=0.08)


def test_d_rel_moves_the_means_only_and_n_only_adds():
    one, many = (problems.load("relevant_features", d_rel=d_rel) for d_rel in (1, 50))
    assert one.X[:, 60:] == pytest.approx(many.X[:, 60:], abs=0.0)
    longer = problems.load("relevant_features", d_rel=1, n=300)
    assert np.array_equal(longer.X[:100], one.X) and np.array_equal(longer.X_test, one.X_test)
    assert not np.array_equal(problems.load("relevant_features", seed=1, d_rel=1).X, one.X)


def test_the_exact_accuracy_is_that_of_many_points():
    rng = np.random.default_rng(0)
    made = problems.load("relevant_features", n=5000, d_rel=20)
    X, y = np.vstack([made.X, made.X_test]), np.append(made.y, made.y_test)
    for b in (0.0, 0.7, -2.0):
        w = rng.normal(size=200) + 3.0 * features.mean(20)
        counted = np.mean(np.where(X @ w + b >= 0.0, 1.0, -1.0) == y)
        assert features.accuracy(w, b, 20) == pytest.approx(counted, abs=0.018)


def test_accuracy_where_it_is_known():
    for d_rel in (1, 7, 200):  # the best rule, Phi(1.5) = 93.32 %
        best = features.accuracy(features.mean(d_rel), 0.0, d_rel)
        assert best == pytest.approx(0.9331927987, abs=1e-9)
        assert problems.load("relevant_features", d_rel=d_rel).bayes_error == pytest.approx(1.0 - best, abs=1e-12)
    w = features.mean(4)
    assert features.accuracy(np.zeros(200), 3.0, 4) == 0.5
    assert features.accuracy(w, 1e9, 4) == 0.5  # all in one class
    assert features.accuracy(-w, 0.0, 4) == pytest.approx(1.0 - 0.9331927987, abs=1e-9)
    assert features.accuracy(5.0 * w, 5.0, 4) == pytest.approx(features.accuracy(w, 1.0, 4), abs=1e-14)
    other = np.zeros(200)
    other[150] = 1.0
    assert features.accuracy(other, 0.0, 4) == 0.5
