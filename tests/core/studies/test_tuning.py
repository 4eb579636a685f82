"""Choosing C and sigma: against GridSearchCV, against the loop over all folds, resumed wherever it was stopped."""

import dataclasses
import doctest
import itertools
import json

import joblib
import numpy as np
import pytest
from calls import recorded
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_info, threadpool_limits
from variants import expanded

from svmcore import SVC, SVR, OneNormSVC, SparseLSSVC, SparseLSSVR, problems, tuning
from svmcore.solvers.box_dual import sphere
from svmcore.status import Status
from svmcore.tuning import Evaluation, Search, best, criteria, rank, tune

GRID = {"C": [0.1, 1.0, 10.0], "sigma": [0.5, 2.0]}
TOY = problems.load("toy_outliers", flips=2)
SINC = problems.load("sinc", n=40)
LS = SVC(loss="least_squares")


def places(evaluations):
    return [e.place for e in evaluations]


def measured(evaluations):
    """All that is the same in two runs."""
    return [dataclasses.replace(e, seconds=0.0) for e in evaluations]


@pytest.mark.parametrize("estimator, problem, scoring", [
    (SVC(), TOY, "accuracy"),
    (LS, TOY, "accuracy"),
    (SVC(loss="pinball", loss_params={"tau": 0.3}), TOY, "accuracy"),
    (SVR(epsilon=0.05), SINC, "neg_mean_squared_error"),
    (SVR(loss="least_squares"), SINC, "neg_mean_squared_error"),
])  # fmt: skip
def test_the_values_are_those_of_grid_search(estimator, problem, scoring):
    folds = (StratifiedKFold if scoring == "accuracy" else KFold)(5, shuffle=True, random_state=3)
    grid = {"C": GRID["C"], "gamma": [1.0 / s**2 for s in GRID["sigma"]]}
    oracle = GridSearchCV(estimator, grid, scoring=scoring, cv=folds).fit(problem.X, problem.y).cv_results_
    result = tune(estimator, problem.X, problem.y, cv=5, seed=3, **GRID)
    found = {(e.C, e.gamma): e for e in result.evaluations}
    assert len(found) == 6
    for params, mean, spread in zip(oracle["params"], oracle["mean_test_score"], oracle["std_test_score"], strict=True):
        here = found[params["C"], params["gamma"]]
        assert here.value == pytest.approx((1.0 if scoring == "accuracy" else 0.0) - mean, rel=1e-9)
        assert here.spread == pytest.approx(spread / np.sqrt(4), rel=1e-7) and len(here.folds) == 5
        assert here.spread == pytest.approx(np.std(here.folds, ddof=1) / np.sqrt(5))
        assert here.seconds > 0.0 and here.note == ""
    assert result.best.value == min(e.value for e in result.evaluations)
    assert result.estimator.C == result.best.C and result.estimator.gamma == result.best.gamma


@pytest.mark.parametrize("problem, loss", [(TOY, SVC), (SINC, SVR)], ids=["classes", "curve"])
@pytest.mark.parametrize("method, kernel", [("cv", "rbf"), ("loo", "rbf"), ("cv", "poly"), ("loo", "linear")])
def test_the_closed_form_is_the_naive_loop(method, kernel, problem, loss, monkeypatch):
    machine = loss(loss="least_squares", kernel=kernel, degree=2, coef0=1.0)
    options = {name: values for name, values in GRID.items() if name == "C" or kernel != "linear"}
    fitted = recorded(monkeypatch, criteria, "fold", lambda *task: task)
    quick = tune(machine, problem.X, problem.y, method, **options)
    assert not fitted
    monkeypatch.undo()
    monkeypatch.setattr(criteria.CrossValidation, "_at_once", lambda *place: None)
    slow = tune(machine, problem.X, problem.y, method, **options)
    for one, other in zip(quick.evaluations, slow.evaluations, strict=True):
        assert one.place == other.place
        assert np.array(one.folds) == pytest.approx(np.array(other.folds), rel=1e-5, abs=1e-10)


def test_the_closed_form_wakes_no_threads_of_blas(monkeypatch):
    """On a computer with other work to do they would wait for each other: 700 points took five times as long."""
    k_fold, seen = criteria.fast_cross_validation.k_fold, []

    def threads():
        return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}

    monkeypatch.setattr(criteria.fast_cross_validation, "k_fold", lambda *a: seen.append(threads()) or k_fold(*a))
    with threadpool_limits(2, user_api="blas"):
        criteria.CrossValidation(criteria.Points(LS, TOY.X, TOY.y))(1.0, 1.0)
    assert seen == [{1}]


def test_one_gram_matrix_serves_all_machines_of_a_width(monkeypatch):
    problem, made, fits = problems.load("ripley"), [], []
    monkeypatch.setattr(criteria, "fold", lambda *task: fits.append(task) or (0.0, ""))
    whole = criteria.kernels.Kernel.__call__
    monkeypatch.setattr(criteria.kernels.Kernel, "__call__", lambda *given: made.append(given) or whole(*given))
    tune(SVC(), problem.X, problem.y, C=[0.1, 1.0, 10.0], sigma=[0.5, 1.0], cv=5)
    assert len(made) == 2 and not fits
    tune(SVC(kernel="linear", gamma=1.0), problem.X, problem.y, C=[1.0], cv=5)
    assert len(fits) == 5  # that kernel has faster methods


@pytest.mark.slow
def test_the_examples_are_true():
    for thing in (Search, tune, SparseLSSVC, SparseLSSVR):
        for example in doctest.DocTestFinder().find(thing, thing.__name__):
            assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize(
    "cv", [ShuffleSplit(2, test_size=0.2, train_size=0.5, random_state=0), LeaveOneOut(), KFold(4)], ids=str
)
def test_any_splitter_serves(cv):
    """Also one whose training parts are not all the rest, where the closed form would not be the same."""
    found = tune(LS, TOY.X, TOY.y, cv=cv, C=[2.0], sigma=[1.0]).best
    naive = []
    for train, test in cv.split(TOY.X, TOY.y):
        model = clone(LS).set_params(C=2.0, gamma=1.0).fit(TOY.X[train], TOY.y[train])
        naive.append(1.0 - model.score(TOY.X[test], TOY.y[test]))
    assert found.folds == pytest.approx(naive)
    assert found.spread == pytest.approx(np.std(naive, ddof=1) / np.sqrt(len(naive)))
    given = tune(LS, TOY.X, TOY.y, cv=list(cv.split(TOY.X, TOY.y)), C=[2.0], sigma=[1.0]).best
    assert given.folds == found.folds


@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_folds_at_the_same_time_are_the_same(backend):
    options = {"C": [1.0, 3.0], "sigma": [2.0], "cv": 4}
    alone = tune(SVC(), TOY.X, TOY.y, **options).evaluations
    with joblib.parallel_config(backend):
        assert measured(tune(SVC(), TOY.X, TOY.y, n_jobs=2, **options).evaluations) == measured(alone)


def test_a_precomputed_gram_matrix_is_cut_both_ways_and_a_machine_may_stand_in_a_pipeline():
    machine = SVC(kernel="precomputed")
    K = TOY.X @ TOY.X.T
    found = tune(machine, K, TOY.y, C=GRID["C"], cv=5).evaluations
    linear = tune(SVC(kernel="linear"), TOY.X, TOY.y, C=GRID["C"], cv=5).evaluations
    assert [e.folds for e in found] == [e.folds for e in linear] and {e.sigma for e in found} == {None}
    pipeline = make_pipeline(StandardScaler(), SVC(loss="least_squares"))
    result = tune(pipeline, TOY.X, TOY.y, cv=5, **GRID)
    assert result.estimator.named_steps["svc"].C == result.best.C
    assert result.estimator.named_steps["svc"].gamma == result.best.gamma
    assert pipeline.named_steps["svc"].C == 1.0


def test_annealing_is_at_least_as_good_as_the_grid_it_spans():
    options = {"C": np.logspace(-2, 3, 6), "sigma": np.logspace(-0.5, 1, 4), "cv": 5}
    machine = SVR(loss="least_squares")
    annealed, grid = (tune(machine, SINC.X, SINC.y, method, **options) for method in ("csa", "cv"))
    assert annealed.best.value <= grid.best.value
    C, sigma = zip(*places(annealed.evaluations), strict=True)
    assert 0.01 <= min(C) and max(C) <= 1000.0 and 0.3161 <= min(sigma) and max(sigma) <= 10.0
    assert len(set(places(annealed.evaluations))) == len(annealed.evaluations) <= 5 * 21 + 30


def test_the_simplex_starts_at_the_best_that_annealing_found():
    """Its first new corner is a tenth of the box of log C away from there."""
    found = list(Search(SVR(loss="least_squares"), SINC.X, SINC.y, "csa", cv=5, rounds=3).run())
    start = best(found[:20])
    assert len(found) > 30 and found[20].sigma == start.sigma
    assert abs(np.log10(found[20].C / start.C)) == pytest.approx(0.5, abs=1e-3)
    assert best(found).value < start.value


def test_annealing_follows_its_seed():
    def way(seed):
        # the same folds: what differs is the way
        return places(tune(LS, TOY.X, TOY.y, "csa", seed=seed, cv=KFold(5), rounds=3).evaluations)

    assert way(1) == way(1) != way(2)


def test_the_vc_bound_does_not_apply_where_a_point_is_misclassified():
    ripley = problems.load("ripley")
    (found,) = Search(LS, ripley.X, ripley.y, "vc_bound", sigma=[1.0]).run()
    assert found.value == np.inf and found.note == criteria.NOT_SEPARATED
    with pytest.raises(ValueError, match="could be fitted and measured: a point is misclassified"):
        tune(LS, ripley.X, ripley.y, "vc_bound", sigma=[1.0])


def test_the_vc_bound():
    result = tune(SVC(loss="least_squares", C=10.0), TOY.X, TOY.y, "vc_bound", sigma=[0.3, 0.5, 1.0])
    assert [e.sigma for e in sorted(result.evaluations, key=lambda e: e.sigma)] == [0.3, 0.5, 1.0]
    for found in result.evaluations:
        model = SVC(loss="least_squares", C=10.0, gamma=found.gamma).fit(TOY.X, TOY.y)
        beta = expanded(model, len(TOY.y))
        smallest = np.min(TOY.y * model.decision_function(TOY.X))
        # |w|^2 = beta'y - |beta|^2 / C
        assert found.squared_norm == pytest.approx((beta @ TOY.y - beta @ beta / 10.0) / smallest**2, rel=1e-6)
        assert found.squared_radius == pytest.approx(sphere.smallest(model.kernel_(TOY.X)).squared_radius)
        assert found.value == pytest.approx(found.squared_radius * found.squared_norm)
        assert found.bound == min(int(found.value), len(TOY.y)) + 1 and found.C == 10.0 and found.folds == ()


@pytest.mark.parametrize("method", tuning.METHODS)
def test_a_run_resumed_anywhere_is_the_whole_run(method, monkeypatch):
    options = {"cv": 4} if method in ("cv", "csa") else {}
    options |= {"sigma": GRID["sigma"]} if method != "csa" else {}
    options |= {"rounds": 2, "refinement": 8} if method == "csa" else {}
    search = Search(LS, TOY.X, TOY.y, method, **options)
    whole = list(search.run())
    assert len(set(places(whole))) == len(whole) <= search.most and (method == "csa" or len(whole) == search.most)
    for stop in (1, len(whole) - 1):
        before = list(itertools.islice(Search(LS, TOY.X, TOY.y, method, **options).run(), stop))
        rest = list(Search(LS, TOY.X, TOY.y, method, **options).run(before))
        assert measured(before + rest) == measured(whole)
    monkeypatch.setattr(search, "criterion", None)  # all are known: nothing is computed
    assert list(search.run(whole)) == []


def test_evaluations_survive_a_file():
    search = Search(LS, TOY.X, TOY.y, "csa", cv=4, rounds=2)
    found = list(itertools.islice(search.run(), 7))
    text = json.dumps([dataclasses.asdict(e) for e in found])
    again = [Evaluation(**{**e, "folds": tuple(e["folds"])}) for e in json.loads(text)]
    assert again == found and measured(search.run(again)) == measured(search.run(found))


def test_the_grid_comes_coarse_first_and_its_widths_follow_the_spread_of_the_points():
    corners = places(itertools.islice(Search(LS, TOY.X, TOY.y, cv=2).run(), 9))
    assert {C for C, _ in corners} == {0.01, 1.0, 100.0} and len({sigma for _, sigma in corners}) == 3

    near, far = (Search(LS, k * TOY.X, TOY.y).sigma for k in (1.0, 1000.0))
    assert np.array(far) == pytest.approx(1000.0 * np.array(near), rel=1e-3)
    assert near[6] == pytest.approx(1.0 / np.sqrt(1.0 / (2 * TOY.X.var())), rel=1e-3)


def test_where_no_machine_can_be_fitted_is_a_note_and_among_equals_the_smoothest_is_best():
    overflowing = SVC(kernel=lambda X, Z: np.full((len(X), len(Z)), np.inf))
    search = Search(overflowing, TOY.X, TOY.y, C=[1.0, 2.0], cv=3)
    found = list(search.run())
    assert [e.value for e in found] == [np.inf, np.inf] and all(e.note for e in found)
    assert rank(found) == []
    with pytest.raises(ValueError, match="which a machine could be fitted and measured: .*NaN or infinity"):
        best(found)
    equal = [Evaluation(C, sigma, value) for C, sigma, value in [(1, 2, 0.5), (3, 1, 0.1), (2, 1, 0.1), (2, 4, 0.1)]]
    assert best(equal) == equal[3] and rank(equal) == [equal[3], equal[2], equal[1], equal[0]]
    assert best([Evaluation(1.0, None, 0.2), Evaluation(0.5, None, 0.2)]).C == 0.5


def test_a_run_that_does_not_converge_and_an_indefinite_kernel_are_a_note():
    search = Search(SVC(max_iter=2), TOY.X, TOY.y, C=[10.0], sigma=[2.0], cv=3)
    with pytest.warns(ConvergenceWarning):
        (found,) = search.run()
    assert found.note == "iteration limit" and found.value < 1.0
    (quiet,) = tune(SVC(max_iter=2), TOY.X, TOY.y, C=[10.0], sigma=[2.0], cv=3).evaluations
    with pytest.warns(ConvergenceWarning):
        (bound,) = Search(SVC(max_iter=2), TOY.X, TOY.y, "vc_bound", sigma=[2.0]).run()
    assert quiet.note == "iteration limit" and bound.note.startswith("iteration limit / a point is misclassified")
    indefinite = SVC(loss="least_squares", kernel="sigmoid", coef0=-1.0)  # falls back on fits
    found = tune(indefinite, TOY.X, TOY.y, C=[100.0], sigma=[1.0], cv=3).best
    assert found.note == Status.STATIONARY and np.isfinite(found.value)


@pytest.mark.parametrize("arguments, options, sentence", [
    ((LS, TOY.X, TOY.y, "newton"), {}, "method must be one of cv, loo, csa, vc_bound"),
    ((StandardScaler(), TOY.X, TOY.y), {}, "a parameter C"),
    ((LS, TOY.X, TOY.y), {"C": [1.0, -1.0]}, "C must be one or more positive"),
    ((LS, TOY.X, TOY.y), {"C": []}, "C must be one or more positive"),
    ((LS, TOY.X, TOY.y), {"sigma": "wide"}, "sigma must be one or more positive"),
    ((LS, TOY.X, TOY.y), {"cv": 1}, "cv must be from 2 to 20, as many folds as there are points of each class"),
    ((LS, TOY.X, TOY.y), {"cv": 21}, "cv must be from 2 to 20"),
    ((SVR(), SINC.X, SINC.y), {"cv": 41}, "cv must be from 2 to 40, as many folds as there are points, got 41"),
    ((LS, TOY.X, TOY.y), {"cv": []}, "cv must be a number of folds, a splitter"),
    ((LS, TOY.X, TOY.y, "loo"), {"cv": 5}, "leave out cv"),
    ((SVC(kernel="linear"), TOY.X, TOY.y), {"sigma": [1.0]}, "sigma is given"),
    ((LS, TOY.X, TOY.y, "csa"), {"starters": 1}, "csa needs starters >= 2"),
    ((SVR(), SINC.X, SINC.y, "vc_bound"), {}, "the VC bound needs a svmcore.SVC"),
    ((LS, TOY.X, TOY.y, "vc_bound"), {"C": [1.0, 2.0]}, "at one C"),
    ((LS, TOY.X, TOY.y, "vc_bound"), {"cv": 5}, "at one C"),
    ((SVC(kernel="linear"), TOY.X, TOY.y, "vc_bound"), {}, "widths sigma, which this kernel does not have"),
    ((LS, TOY.X[:5], TOY.y), {}, "inconsistent numbers of samples"),
])  # fmt: skip
def test_what_cannot_be_searched_is_a_sentence(arguments, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Search(*arguments, **options)


@pytest.mark.parametrize("estimator, problem, sigma", [
    (SparseLSSVC(), TOY, [1.0, 2.0]),
    (SparseLSSVR(), SINC, [1.0, 2.0]),
    (OneNormSVC(n_rounds=3), TOY, None),
    (SVC(loss="ramp"), TOY, [2.0]),
    (LinearSVC(), TOY, None),
])  # fmt: skip
def test_any_estimator_with_a_C_can_be_tuned(estimator, problem, sigma):
    result = tune(estimator, problem.X, problem.y, cv=3, C=[30.0, 100.0], sigma=sigma)
    assert len(result.evaluations) == 2 * (len(sigma) if sigma else 1) and np.isfinite(result.best.value)
    assert result.estimator.C == result.best.C and type(result.estimator) is type(estimator)
    assert {e.sigma for e in result.evaluations} == set(sigma or [None])
    assert not [e.note for e in result.evaluations if e.note]
