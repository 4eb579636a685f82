"""Paths over C and sigma. Oracle: the machine itself at each value."""

import numpy as np
import pytest
from test_watch import problem
from variants import every_variant, overlapping
from written import numbers_in

from svmcore import SVC, duals, problems
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import convex
from svmcore.status import Status
from svmcore.watch import path as watch_path
from svmcore.watch import registry, trace

PATH = registry.DESCRIPTIONS["path_C"]


def path(kernel, X, y, loss, params, *, values, name="C", C=1.0, X_test=None, y_test=None, tol=1e-3):
    test = None if X_test is None else (X_test, y_test)
    given = trace.Given.classification(kernel, X, y, loss, C, test=test, **params)
    return registry.DESCRIPTIONS[f"path_{name}"].record(given, values=values, tol=tol)


@pytest.mark.parametrize("name", watch_path.SYMBOLS)
@every_variant
def test_each_value_of_a_path_is_the_machine_itself(loss, params, name):
    (X, y), (X_test, y_test) = overlapping(50), overlapping(50, seed=1)
    values = np.geomspace(0.05, 50.0, 8) if name == "C" else np.geomspace(0.3, 3.0, 6)
    options = dict(X_test=X_test, y_test=y_test, tol=1e-7)
    seen = path(Kernel("rbf", 0.5), X, y, loss, params, values=values, name=name, C=3.0, **options)
    assert seen.status == "converged" and seen.frame_iter.tolist() == list(range(1, len(values) + 1))
    assert np.array_equal(seen.events["value"], values) and set(seen.events) == set(PATH.words.columns)
    assert registry.solver_of(seen) is registry.DESCRIPTIONS[f"path_{name}"]
    assert seen.events["warm"].any() == (name == "C" and loss != "least_squares")
    for k, value in enumerate(values):
        C, gamma = (value, 0.5) if name == "C" else (3.0, value**-2)
        model = SVC(loss=loss, loss_params=params, C=C, gamma=gamma, tol=1e-7).fit(X, y)
        kernel, beta, b = Kernel("rbf", gamma), seen.frame_beta[k], seen.frame_intercept[k]
        f, f_test = kernel(X) @ beta + b, kernel(X_test, X) @ beta + b
        assert f_test == pytest.approx(model.decision_function(X_test), abs=1e-5)
        assert -seen.objective[k] == pytest.approx(model.objective_, rel=1e-6)
        now = {name: column[k] for name, column in seen.events.items()}
        assert now["n_support"] == np.count_nonzero(beta) and now["ended"] == "converged" and now["steps"] > 0
        assert now["training_error"] == np.mean(np.where(f >= 0, 1, -1) != y)
        assert now["test_error"] == np.mean(np.where(f_test >= 0, 1, -1) != y_test)
        qp = duals.build(loss, y, C, **params)
        assert np.array_equal(now["state"], duals.box_state(qp, beta)) and seen.violation[k] <= 1e-7
        assert abs(beta.sum()) <= 1e-9 * max(np.abs(beta).sum(), 1.0)


def test_a_path_where_a_solver_fails_or_crawls_or_there_are_many_points(monkeypatch):
    X, y = overlapping(50)
    tanh = Kernel("sigmoid", gamma=2.0, coef0=-1.0)
    seen = path(tanh, X, y, "least_squares", {}, values=[1e-3, 10.0])
    assert seen.events["ended"].tolist() == ["converged", Status.STATIONARY]
    assert seen.status == f"1 of 2 values: {Status.STATIONARY}"
    assert "stationary point" in PATH.why(seen, 2, None)[0]
    # one that crawls goes on with other solvers, and so does one of many points
    few = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[1.0, 10.0], tol=1e-6)
    for limit, value in (("PATIENCE", 0), ("SMALL", 40)):
        monkeypatch.setattr(convex, limit, value)
        seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[1.0, 10.0], tol=1e-6)
        monkeypatch.undo()
        assert seen.status == "converged" and seen.objective == pytest.approx(few.objective, rel=1e-6)
        assert seen.events["warm"].tolist() == few.events["warm"].tolist() == [False, True]


def test_no_value_of_a_path_has_a_wide_gap_and_a_start_saves_steps():
    """Of 41 values 14 had objectives up to 50 % apart; a box without an upper end has starts, too."""
    drawn = problems.load("toy_outliers", 0)
    given = trace.Given.classification(Kernel("linear"), drawn.X, drawn.y, "hinge", 1.0)
    seen = PATH.record(given)
    for C, beta, b in zip(seen.events["value"], seen.frame_beta, seen.frame_intercept, strict=True):
        primal = duals.primal_objective("hinge", given.K @ beta + b, given.y, C, beta @ given.K @ beta)
        dual = duals.dual_objective(duals.hinge(given.y, C), given.K @ beta, beta)
        assert primal - dual <= 1.01 * convex.WIDE * primal, C
    X, y = overlapping(50)
    for loss in ("hinge", "squared_hinge"):
        values = np.geomspace(1e-3, 1e3, 20)
        warm = path(Kernel("linear"), X, y, loss, {}, values=values).events["steps"].sum()
        cold = sum(path(Kernel("linear"), X, y, loss, {}, values=[C]).events["steps"].sum() for C in values)
        assert warm < 0.7 * cold, (loss, warm, cold)


def test_a_path_goes_about_the_value_of_the_problem():
    given = problem("hinge", C=0.7, gamma=0.55**-2)
    for name, own, reach in (("C", 0.7, 1e3), ("sigma", 0.55, 10**1.5)):
        values = watch_path.values_around(given, name)
        assert len(values) == 41 and values[20] == own and values[[0, -1]] == pytest.approx([own / reach, own * reach])
        assert np.all(np.diff(values) > 0) and watch_path.problem_at(given, name, 3.0).K is not None
    assert np.array_equal(watch_path.problem_at(given, "C", 3.0).qp.upper, duals.build("hinge", given.y, 3.0).upper)
    assert np.array_equal(watch_path.problem_at(given, "sigma", 3.0).K, Kernel("rbf", 3.0**-2)(given.X))


def test_words_on_a_path():
    (X, y), test = overlapping(50), overlapping(50, seed=2)
    options = dict(X_test=test[0], y_test=test[1])
    seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[0.1, 0.2, 5.0], **options)
    first, second = PATH.why(seen, 1, None), PATH.why(seen, 2, None)
    steps, n_support = seen.events["steps"], seen.events["n_support"]
    assert first[0] == f"C = 0.1: converged after {steps[0]} steps from zero." and len(first) == 2
    assert second[0] == f"C = 0.2: converged after {steps[1]} steps from the previous solution."
    n, *errors = numbers_in(second[1])
    shares = [100 * seen.events[name][1] for name in ("training_error", "test_error")]
    assert n == n_support[1] and errors == pytest.approx(shares, rel=5.1e-3)
    assert second[2].endswith(".") and ("→" in second[2] or "No point" in second[2])
    now = trace.moments(seen, [1, 3], problem("hinge"))
    assert np.array_equal(now.state, seen.events["state"][[0, 2]])
