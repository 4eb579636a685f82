"""OneNormSVC: the solvers behind it, sparse data, honest endings."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from svmcore import OneNormSVC, problems
from svmcore.solvers import reweighting
from svmcore.status import Status

DRAWN = problems.load("relevant_features", n=60, d_rel=3)
X, y = DRAWN.X, DRAWN.y


def test_one_round_is_the_two_norm_svm():
    ours = OneNormSVC(C=0.02, n_rounds=1, tol=1e-9).fit(X, y)
    theirs = LinearSVC(loss="hinge", dual=True, C=0.02, tol=1e-9, max_iter=10**6).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-7) and ours.n_iter_ == 1
    assert ours.decision_function(DRAWN.X_test) == pytest.approx(theirs.decision_function(DRAWN.X_test), abs=1e-6)
    assert np.array_equal(ours.predict(DRAWN.X_test), theirs.predict(DRAWN.X_test))


def test_its_numbers_are_those_of_the_walk():
    model = OneNormSVC(C=0.1, n_rounds=4).fit(X, y)
    *_, last = (now for now, _ in zip(reweighting.rounds(X, y, 0.1, tol=1e-8), range(4), strict=False))
    assert model.coef_[0] == pytest.approx(last.w, abs=2e-4)
    assert model.objective_ == pytest.approx(last.objective, rel=1e-4)
    assert model.violation_ == pytest.approx(last.gap, abs=1e-3)
    assert model.lower_bound_ < model.objective_ and model.status_ == Status.ALL_ROUNDS
    long = OneNormSVC(C=0.1, n_rounds=500, tol=1e-3).fit(X, y)
    assert long.status_ == "converged" and long.violation_ <= 1e-3 and 10 < long.n_iter_ < 500


def test_the_intercept_is_the_requested_one():
    some = np.flatnonzero((DRAWN.y > 0) | (np.arange(60) < 20))  # three of four are +1: there is an intercept
    X, y, C = DRAWN.X[some], DRAWN.y[some], 0.1
    for penalty, bias in (("auto", "free"), ("free", "free"), ("absolute", "absolute")):
        model = OneNormSVC(C=C, method="linear_program", intercept_penalty=penalty).fit(X, y)
        assert model.objective_ == pytest.approx(reweighting.linear_program(X, y, C, bias=bias).objective, rel=1e-9)
        assert model.status_ == "converged" and model.violation_ < 1e-8
    for penalty, bias in (("auto", "squared"), ("absolute", "absolute")):
        model = OneNormSVC(C=C, intercept_penalty=penalty, n_rounds=3, tol=1e-8).fit(X, y)
        assert model.objective_ == pytest.approx(reweighting.walk(X, y, C, bias=bias, n_rounds=3, tol=1e-8).objective)
    for method in ("reweighting", "linear_program"):
        model = OneNormSVC(C=C, method=method, fit_intercept=False).fit(X, y)
        assert model.intercept_ == [0.0]
    objectives = [
        OneNormSVC(C=C, method="linear_program", intercept_penalty=p, fit_intercept=f).fit(X, y).objective_
        for p, f in (("free", True), ("absolute", True), ("free", False))
    ]
    assert objectives[0] < objectives[1] < objectives[2]


def test_sparse_input_and_sparse_weights():
    few = np.where(np.abs(X) < 0.7, 0.0, X)
    dense, model = (OneNormSVC(C=0.1, n_rounds=5, tol=1e-8).fit(table, y) for table in (few, sparse.csr_array(few)))
    assert model.decision_function(sparse.csc_array(few)) == pytest.approx(dense.decision_function(few), abs=1e-6)
    exact = OneNormSVC(C=0.1, method="linear_program").fit(sparse.csr_array(few), y)
    before = exact.decision_function(few)
    assert sparse.issparse(exact.sparsify().coef_) and exact.coef_.nnz < 30
    assert exact.decision_function(few) == pytest.approx(before, abs=1e-12)
    assert exact.decision_function(sparse.csr_array(few)) == pytest.approx(before, abs=1e-12)
    assert exact.densify().coef_.shape == (1, 200)


def test_endings_and_that_random_state_is_an_order():
    with pytest.warns(ConvergenceWarning, match="iteration limit of 1, the relative gap is"):
        model = OneNormSVC(C=10.0, max_iter=1, n_rounds=2).fit(X, y)
    assert model.status_ == "iteration limit"
    with pytest.warns(ConvergenceWarning, match="iteration limit of 2"):
        OneNormSVC(C=10.0, max_iter=2, method="linear_program").fit(X, y)
    assert OneNormSVC(n_rounds=2).fit(X, y).status_ == Status.ALL_ROUNDS
    first, again, other = (OneNormSVC(C=0.1, n_rounds=2, random_state=s).fit(X, y) for s in (1, 1, 2))
    assert np.array_equal(first.coef_, again.coef_) and not np.array_equal(first.coef_, other.coef_)
    assert first.coef_ == pytest.approx(other.coef_, abs=1e-3)


def test_errors():
    with pytest.raises(ValueError, match="supports the hinge loss only"):
        OneNormSVC(method="linear_program", loss="squared_hinge").fit(X, y)
    with pytest.raises(ValueError, match="penalty 'squared' of the intercept; choose absolute or free$"):
        OneNormSVC(method="linear_program", intercept_penalty="squared").fit(X, y)
    with pytest.raises(ValueError, match="penalty 'free' of the intercept; choose squared or absolute$"):
        OneNormSVC(intercept_penalty="free").fit(X, y)
    with pytest.raises(ValueError, match="both classes with positive weight"):
        OneNormSVC().fit(X, y, (y > 0).astype(float))
    with pytest.raises(ValueError, match=r"below 1e\+150; scale the inputs"):
        OneNormSVC().fit(1e160 * sparse.csr_array(X), y)
