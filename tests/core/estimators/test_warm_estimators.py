"""`warm_start` of the estimators: a refit begins at the last solution, and ends with the same answer."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from svmcore import SVC, SVR, problems
from svmcore.solvers import router

MOONS = problems.load("moons", seed=1, n=300)
SINC = problems.load("sinc", n=200)
PATHS = {"C": [1.0, 1.2, 1.4, 1.6], "gamma": [1.0, 1.2, 1.4, 1.6]}
TOL = 1e-3


def path(model, X, y, name, values):
    """(n_iter_, objective_, f) of the fits of one estimator along the values."""
    found = []
    for value in values:
        model.set_params(**{name: value}).fit(X, y)
        found.append((model.n_iter_, model.objective_, (model.predict if y is SINC.y else model.decision_function)(X)))
    return found


CLASSIFIERS = [SVC(loss, gamma=2.0) for loss in ("hinge", "squared_hinge", "least_absolute", "pinball")]
CLASSIFIERS += [SVC("insensitive_pinball", {"tau": 0.5, "epsilon": 0.1}, gamma=2.0)]
REGRESSORS = [SVR(gamma=1.0), SVR("least_absolute", gamma=1.0)]


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=lambda model: model.loss)
@pytest.mark.parametrize("name", PATHS)
def test_a_path_ends_with_the_same_answers_in_fewer_steps(model, name):
    X, y = (MOONS.X, MOONS.y) if isinstance(model, SVC) else (SINC.X, SINC.y)
    cold, warm = (path(clone(model).set_params(warm_start=on), X, y, name, PATHS[name]) for on in (False, True))
    assert warm[0][0] == cold[0][0]  # the first fit has nothing to begin with
    assert sum(steps for steps, *_ in warm[1:]) < 0.95 * sum(steps for steps, *_ in cold[1:])
    for (_, objective, f), (_, wanted, g) in zip(warm, cold, strict=True):
        assert objective == pytest.approx(wanted, rel=1e-2)
        assert f == pytest.approx(g, abs=10 * TOL)


def test_weights_of_zero_and_other_points_leave_the_answer_as_it_is():
    X, y = MOONS.X, MOONS.y
    weight = np.where(np.arange(len(y)) % 3, 1.0, 0.0)
    for data, options in (
        ((X, y), {"sample_weight": weight}),
        ((X[:200], y[:200]), {}),  # another number of points
        ((X[::-1], y[::-1]), {}),  # as many, but others
        ((X, -y), {}),
        ((X[:, :1], y), {}),
    ):
        model = SVC(gamma=2.0, warm_start=True).fit(X, y)
        cold = SVC(gamma=2.0).fit(*data, **options).decision_function(data[0])
        assert model.fit(*data, **options).decision_function(data[0]) == pytest.approx(cold, abs=10 * TOL)


def test_a_run_that_was_cut_short_goes_on():
    whole = SVC(gamma=2.0, C=10.0).fit(MOONS.X, MOONS.y)
    model = SVC(gamma=2.0, C=10.0, warm_start=True, max_iter=20)
    with pytest.warns(ConvergenceWarning, match="iteration limit"):
        model.fit(MOONS.X, MOONS.y)
    model.set_params(max_iter=1_000_000).fit(MOONS.X, MOONS.y)
    assert model.status_ == "converged" and model.objective_ == pytest.approx(whole.objective_, rel=1e-3)


@pytest.mark.parametrize("loss", sorted({"least_squares", "ramp", "log", "zero_one"} & set(router.SOLVABLE)))
def test_other_solvers_begin_as_ever(loss):
    X, y = MOONS.X[:60], MOONS.y[:60]
    model = SVC(loss, gamma=2.0, warm_start=True).fit(X, y)
    first = model.decision_function(X)
    model.set_params(C=3.0).fit(X, y)
    assert np.array_equal(model.set_params(C=1.0).fit(X, y).decision_function(X), first)
