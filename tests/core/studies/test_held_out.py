"""Cross-validation of a box dual on one Gram matrix, against a machine fitted to each training set alone."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from svmcore import duals, problems
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import convex, held_out

RBF = Kernel("rbf", 1.5)
PROBLEM = problems.load("ripley")
X, Y = PROBLEM.X[::2], PROBLEM.y[::2]
FOLDS = [test for _, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, Y)]


@pytest.mark.parametrize("loss", [name for name in duals.DUALS if name != "least_squares"])
@pytest.mark.parametrize("C", [0.1, 10.0, 1e3])
def test_the_machines_are_those_of_the_training_sets(loss, C):
    tol = 1e-6
    found = held_out.k_fold(RBF(X), duals.build(loss, Y, C), FOLDS, tol=tol)
    assert len(found) == len(FOLDS)
    for fold, one in zip(FOLDS, found, strict=True):
        rest = np.setdiff1d(np.arange(len(Y)), fold)
        alone = convex.solve(RBF, X[rest], duals.build(loss, Y[rest], C), tol=tol)
        assert not one.beta[fold].any() and abs(one.beta.sum()) < 1e-9 * C
        assert one.status == "converged" and one.violation <= tol
        assert one.objective == pytest.approx(alone.objective, rel=1e-6)
        expected = RBF(X[fold], X[rest]) @ alone.beta + alone.intercept
        assert one.details.image[fold] + one.intercept == pytest.approx(expected, abs=2e-5)
        assert one.details.image == pytest.approx(RBF(X) @ one.beta, abs=1e-9 * max(C, 1.0))


def test_a_machine_does_not_depend_on_the_other_folds():
    K, qp = RBF(X), duals.hinge(Y, 100.0)
    one = held_out.k_fold(K, qp, FOLDS[2:3])[0]
    assert np.array_equal(one.beta, held_out.k_fold(K, qp, FOLDS)[2].beta)
    assert held_out.k_fold(K, qp, FOLDS, max_iter=5) is None  # too few steps


def test_the_gap_is_as_narrow_as_a_fit_makes_it():
    """C is so large that a violation of 0.1 leaves the objectives apart."""
    qp = duals.hinge(Y, 1e5)
    for one in held_out.k_fold(Kernel("rbf", 20.0)(X), qp, FOLDS, tol=0.1):
        assert one.status == "converged"
        assert one.details.gap <= 1e-2 * max(abs(one.objective), abs(one.details.gap - one.objective))


def test_a_finer_tolerance_leaves_the_last_solution_as_it_was(monkeypatch):
    """It is the answer where the finer one has no narrower gap."""

    def close(reach, qp, tol):
        coarse = reach(tol)
        before = coarse.beta.copy()
        assert reach(1e-3 * tol).violation <= 1e-3 * tol and np.array_equal(coarse.beta, before)
        return coarse

    monkeypatch.setattr(convex, "close", close)
    assert held_out.k_fold(RBF(X), duals.hinge(Y, 10.0), FOLDS[:1], tol=0.1)
