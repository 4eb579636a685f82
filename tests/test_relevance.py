"""The experiment over the number of relevant features: rows, choices of C, and the paper's claim on a few draws."""

import numpy as np
import pytest

from svmcore import OneNormSVC, problems, relevance
from svmcore.problems import features


def test_a_row_is_the_machine_that_it_names():
    rows = list(relevance.sweep((2, 50), (3,), n=40, C=0.05))
    assert [(row.d_rel, row.method) for row in rows] == [(d, m) for d in (2, 50) for m in relevance.METHODS]
    assert {(row.seed, row.C) for row in rows} == {(3, 0.05)}
    made = problems.load("relevant_features", seed=3, n=40, d_rel=2)
    for row in rows[: len(relevance.METHODS)]:
        if row.method == relevance.PROGRAMME:
            model = OneNormSVC(C=0.05, method="linear_program").fit(made.X, made.y)
        else:
            model = OneNormSVC(C=0.05, n_rounds=int(row.method[3:-1]), tol=1e-6).fit(made.X, made.y)
        exact = features.accuracy(model.coef_[0], model.intercept_[0], 2)
        assert row.accuracy == pytest.approx(exact, abs=2e-3)
        if row.method == relevance.PROGRAMME:
            assert row.n_features == np.count_nonzero(model.coef_)


def test_draws_come_whole_seed_by_seed():
    rows = relevance.sweep((1, 5), range(2), n=30, C=0.1)
    places = [(row.seed, row.d_rel) for row in rows]
    assert places == [(s, d) for s in range(2) for d in (1, 5) for _ in relevance.METHODS]


def test_a_zero_machine_gets_half_of_the_points_right():
    rows = list(relevance.sweep((5,), (0,), n=40, C=1e-4))
    by = {row.method: row for row in rows}
    assert by[relevance.PROGRAMME].accuracy == 0.5 and by[relevance.PROGRAMME].n_features == 0
    assert by["RW(1)"].accuracy > 0.7, "all alpha are C there: w is the difference of the means, however small"


def test_C_is_the_middle_of_the_best_rounded_down(monkeypatch):
    assert [relevance._middle(np.arange(k)) for k in (1, 2, 3, 4)] == [0, 0, 1, 1]
    assert relevance._middle(np.array([2, 5, 9])) == 5
    monkeypatch.setattr(relevance, "COSTS", (1e-4, 0.1))
    made = problems.load("relevant_features", n=60, d_rel=2)
    chosen = relevance.choose(made.X, made.y, 0)
    assert set(chosen) == set(relevance.METHODS)
    assert chosen[relevance.PROGRAMME] == 0.1, "with the small C it has no weights at all"
    assert chosen == relevance.choose(made.X, made.y, 0)
    rows = list(relevance.sweep((2,), (0,), n=60))
    assert {row.method: row.C for row in rows} == chosen


def test_cross_validation_fits_four_fifths_and_counts_the_rest(monkeypatch):
    made, asked = problems.load("relevant_features", n=50, d_rel=2), []

    def machines(X, y, C):
        asked.append((C, len(y), float(y.sum())))
        good = features.mean(2) if C == 0.1 else -features.mean(2)
        return {method: (good, 0.0) for method in relevance.METHODS}

    monkeypatch.setattr(relevance, "machines", machines)
    chosen = relevance.choose(made.X, made.y, 0)
    assert set(chosen.values()) == {0.1}
    assert asked == [(C, 40, 0.0) for _ in range(5) for C in relevance.COSTS]


def test_what_is_nearly_nothing_counts_as_nothing(monkeypatch):
    monkeypatch.setattr(relevance, "NOTHING", 1e9)
    made = problems.load("relevant_features", n=30, d_rel=2)
    monkeypatch.setattr(relevance, "COSTS", (0.01, 0.1, 1.0))
    assert set(relevance.choose(made.X, made.y, 0).values()) == {0.1}, "all are as bad: the middle one"
    assert {row.accuracy for row in relevance.sweep((2,), (0,), n=30, C=0.1)} == {0.5}


def test_re_weighting_once_beats_both_ends_where_few_features_matter():
    """Figure 3 of the paper at one C: RW(2) beats the 2-norm SVM up to 20 relevant features, the LP from 10 on."""
    error = {}
    for row in relevance.sweep((5, 20, 200), range(5), C=0.05):
        error.setdefault((row.method, row.d_rel), []).append(1.0 - row.accuracy)
    mean = {key: float(np.mean(values)) for key, values in error.items()}
    for d_rel in (5, 20):
        assert mean["RW(2)", d_rel] < mean["RW(1)", d_rel] - 0.01
    for d_rel in (20, 200):
        assert mean["RW(2)", d_rel] < mean[relevance.PROGRAMME, d_rel] - 0.01
    assert mean["RW(1)", 200] < mean["RW(2)", 200] < mean["RW(10)", 200]
    ends = [mean["RW(1)", d] for d in (5, 20, 200)]
    assert max(ends) - min(ends) < 0.02, "the 2-norm SVM does not see which features matter"
