"""Which machine of the walk predicts best: machines, rows, choices of C, and the paper's claim on a few draws."""

from itertools import islice, product

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from svmcore import OneNormSVC, problems
from svmcore.papers import sets
from svmcore.problems import features
from svmcore.solvers import reweighting
from svmcore.studies import relevance


def chosen_C(X, y, Cs, seed, **how):
    return relevance.middles(relevance.count_correct(X, y, Cs, seed, **how), Cs)


def test_a_row_is_the_machine_that_it_names_and_draws_come_whole_seed_by_seed():
    rows = list(relevance.sweep((2, 50), (3, 4), n=40, C=0.05))
    assert [(row.seed, row.d_rel, row.method) for row in rows] == [*product((3, 4), (2, 50), relevance.METHODS)]
    assert {row.C for row in rows} == {0.05}
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


@pytest.fixture(scope="module")
def genes():
    X, y = sets.whole("srbct")
    return X[:30, :400], y[:30]


def test_programmes_are_those_of_every_C(genes):
    X, y = genes
    Cs = [10.0**k for k in range(-5, 4)]
    found = relevance.programmes(X, y, Cs)
    assert sorted(found) == Cs
    zero = 0
    for C, (w, b) in found.items():
        exact = reweighting.linear_program(X, y, C, bias="free")
        objective = np.abs(w).sum() + reweighting.error_of(X, y, C, w, b)
        assert objective == pytest.approx(exact.objective, rel=1e-7)
        zero += not w.any()
    assert 2 <= zero < len(Cs)  # both shortcuts were taken


def test_machines_are_the_requested_rounds_and_the_programme(genes):
    X, y = genes
    found, kept = relevance.machines(X, y, [0.1, 1.0], (1, 2, 5), tol=0.1, max_iter=1000), iter((0, 1, 2))
    for step in islice(reweighting.rounds(X, y, 1.0, bias="squared", tol=0.1, max_iter=1000), 5):
        if step.iteration in (1, 2, 5):
            w, b = found[1.0][next(kept)]
            assert np.array_equal(w, step.w) and b == step.intercept
    assert len(found[0.1]) == len(found[1.0]) == 4
    exact = reweighting.linear_program(X, y, 1.0)
    assert np.array_equal(found[1.0][-1][0], exact.details.w)
    strict = next(reweighting.rounds(X, y, 1.0, tol=1e-3))
    assert np.array_equal(relevance.machines(X, y, [1.0])[1.0][0][0], strict.w)


def test_C_is_the_middle_of_the_best_rounded_down_and_the_best_round_the_earliest_of_equals():
    Cs = [0.1, 1.0, 10.0, 100.0]
    best = ([1.0], [0.1, 10.0], Cs, [1.0, 10.0, 100.0], [100.0], [0.1])
    scores = np.array([[C in mine for C in Cs] for mine in best], float)
    assert relevance.middles(scores, Cs) == [1.0, 0.1, 1.0, 10.0, 100.0, 0.1]
    # the last machine, the programme, is no round, however good
    assert relevance.best_round(np.array([[5, 1], [2, 7], [7, 7], [9, 9]])) == 1
    assert relevance.best_round(np.array([[5, 1], [2, 4], [9, 9]])) == 0


def test_folds_count_by_their_points_and_are_those_of_the_seed(monkeypatch):
    """Folds of 3, 2, 2, 2 and 2 points: all of the first weigh more than half of the second and third, and a bit."""
    X, y = np.arange(11.0)[:, None], np.repeat([-1.0, 1.0], [6, 5])
    folds = [test for _, test in StratifiedKFold(5, shuffle=True, random_state=7).split(X, y)]
    assert [len(fold) for fold in folds] == [3, 2, 2, 2, 2]
    share, asked = {1.0: (1, 0, 0, 0, 0), 2.0: (0, 0.6, 0.6, 0, 0)}, {1.0: [], 2.0: []}

    def right(w, C, X, y, nothing):
        asked[C].append(X[:, 0].tolist())
        return share[C][len(asked[C]) - 1]

    monkeypatch.setattr(relevance, "machines", lambda X, y, Cs, tol: {C: [(None, C)] for C in Cs})
    monkeypatch.setattr(relevance, "_right", right)
    assert chosen_C(X, y, (1.0, 2.0), 7, tol=0.1) == [1.0]
    assert asked[1.0] == asked[2.0] == [fold.tolist() for fold in folds]


def test_a_sweep_has_the_chosen_C_of_each_machine(monkeypatch):
    monkeypatch.setattr(relevance, "COSTS", (1e-4, 0.1))
    made = problems.load("relevant_features", n=60, d_rel=2)
    scores = relevance.count_correct(made.X, made.y, relevance.COSTS, 0)
    chosen = relevance.middles(scores, relevance.COSTS)
    assert chosen[-1] == 0.1, "with the small C it has no weights at all"
    rows = list(relevance.sweep((2,), (0,), n=60))
    assert [(row.method, row.C) for row in rows[:-1]] == list(zip(relevance.METHODS, chosen, strict=True))
    best = relevance.best_round(scores)
    assert rows[-1] == rows[best]._replace(method=relevance.VALIDATED), "the rounds with the best score"


def test_what_is_nearly_nothing_counts_as_nothing_and_gets_half_of_the_points_right(monkeypatch):
    made = problems.load("relevant_features", n=30, d_rel=2)
    assert set(chosen_C(made.X, made.y, (0.01, 0.1, 1.0), 0, nothing=1e9)) == {0.1}, "all are as bad: the middle"
    by = {row.method: row for row in relevance.sweep((5,), (0,), n=40, C=1e-4)}
    assert by[relevance.PROGRAMME].accuracy == 0.5 and by[relevance.PROGRAMME].n_features == 0
    assert by["RW(1)"].accuracy > 0.7, "all alpha are C there: w is the difference of the means, however small"
    monkeypatch.setattr(relevance, "NOTHING", 1e9)
    assert {row.accuracy for row in relevance.sweep((2,), (0,), n=30, C=0.1)} == {0.5}
