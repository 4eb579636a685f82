"""ISLS watched: the run of the solver, and every sentence true of it."""

import re

import numpy as np
import pytest
from written import numbers_in

from svmcore import duals, problems
from svmcore.kernels import Kernel
from svmcore.solvers import blas, isls
from svmcore.watch import curves, registry, sentences, trace
from svmcore.watch import isls as watch_isls


def given_of(name="ripley", sigma=0.7, C=10.0):
    drawn = problems.load(name)
    return trace.Given.classification(Kernel("rbf", sigma**-2), drawn.X, drawn.y, "least_squares", C)


@pytest.mark.parametrize("name, sigma, C", [("ripley", 0.7, 10.0), ("sinc", 2.0, 100.0), ("ripley", 1.0, 0.05)])
@pytest.mark.parametrize("options", [{}, {"stop": "paper", "tol": 1e-4, "max_iter": 50, "init": "inverse_square"}])
def test_watched_is_unwatched(name, sigma, C, options):
    given = given_of(name, sigma, C)
    seen, plain = (run(given, **options) for run in (watch_isls.ISLS.record, watch_isls.ISLS.solve))
    with blas.one_thread():  # as both have: more threads round otherwise
        run = list(isls.rounds(given.K, given.y, C, **{"stop": "strict", "tol": 1e-3, "max_iter": 1000, **options}))
    assert np.array_equal(seen.iterates, [now.beta for now in run]) and seen.n_iter == plain.n_iter == len(run) - 1
    assert np.array_equal(seen.intercepts, [now.intercept for now in run])
    assert seen.status == plain.status and seen.objective[-1] == plain.objective and seen.seconds > 0.0
    large = np.abs(seen.iterates) > 1e-6
    assert np.array_equal(np.where(large[-1], seen.iterates[-1], 0.0), plain.beta)
    assert set(seen.events) == set(watch_isls.ISLS.words.columns) and registry.solver_of(seen) is watch_isls.ISLS
    assert np.array_equal(seen.events["state"], np.where(large, duals.FREE, duals.ZERO))
    assert np.array_equal(seen.events["n_support"], large.sum(axis=1))
    assert watch_isls.ISLS.record(given, max_iter=2).status == "iteration limit"


def test_a_kernel_that_is_not_definite_does_not_change_what_is_said_of_the_end():
    drawn = problems.load("toy_outliers")
    given = trace.Given.classification(Kernel("sigmoid", 0.1, coef0=-1.0), drawn.X, drawn.y, "least_squares", 1.0)
    assert not registry.is_definite(given)
    assert registry.record(watch_isls.ISLS.key, given).status == watch_isls.ISLS.record(given).status == "converged"


@pytest.mark.parametrize("init", isls.INITS)
@pytest.mark.parametrize("C", [0.05, 10.0])
def test_every_sentence_is_true(init, C):
    given = given_of(C=C)
    seen = watch_isls.ISLS.record(given, init=init)
    size, pull = np.abs(seen.iterates), np.abs(seen.events["p"])
    assert numbers_in(watch_isls.ISLS.words.meant["ringed"]) == [30]  # the key is that of every round
    for t in range(seen.n_iter + 1):
        said = watch_isls.ISLS.why(seen, t, given)
        text = " ".join(said)
        assert all(sentence.endswith(".") for sentence in said) and "nan" not in text
        count = sentences.with_count(int(np.sum(size[t] > 1e-6)), "support vector")
        if t == 0:
            assert numbers_in(said[0]) == [250, 250]
            continue
        died = np.flatnonzero((size[t - 1] > 1e-6) & (size[t] <= 1e-6))
        assert said[1].startswith(f"{count} ")
        left = np.flatnonzero(size[t] > 1e-6)
        left = tuple(left) if len(left) <= 30 else ()
        assert watch_isls.ISLS.marks(seen, t, given) == trace.Marks(left, ("",) * len(left), crossed=tuple(died))
        if not len(died):
            assert numbers_in(said[0]) == []
            continue
        verb = "was" if len(died) == 1 else "were"
        assert said[0].startswith(f"{sentences.capital(sentences.list_points(died))} {verb} pruned: ")
        if t > 1:
            before, p, after, _ = numbers_in(said[0])[-4:]
            last = died[size[t - 1, died].argmax()]
            assert (before, p, after) == pytest.approx((size[t - 1, last], pull[t, last], size[t, last]), rel=6e-3)
            assert before**2 * p == pytest.approx(after, rel=2e-2)
    assert f"{seen.n_iter} rounds: {seen.status}." in text or f"{seen.status}." in text


def test_the_point_that_shrinks_fastest_is_pruned_next_and_the_curves_are_its_own():
    given = given_of()
    seen = watch_isls.ISLS.record(given)
    said = [" ".join(watch_isls.ISLS.why(seen, t, given)) for t in range(seen.n_iter + 1)]
    found = {t: re.search(r"Point (\d+) shrinks fastest", text) for t, text in enumerate(said)}
    result = {t: int(match[1]) for t, match in found.items() if match}
    assert len(result) >= 5
    early = ((t, point) for t, point in result.items() if t < 7 and t != 1)
    assert all(point in watch_isls.ISLS.marks(seen, t + 1, given).crossed for t, point in early)
    assert seen.n_iter not in result and numbers_in(watch_isls.ISLS.why(seen, seen.n_iter, given)[2])[0] >= 0.9
    # curves of its own, without dual and gap: it does not minimise what the LS-SVM minimises
    drawn = curves.curves(seen, given)
    assert np.all(np.isnan(drawn.dual)) and np.all(np.isnan(drawn.gap))
    rows = np.searchsorted(seen.iteration, seen.frame_iter)
    assert np.array_equal(drawn.violation, seen.violation[rows])
    assert np.array_equal(drawn.n_free, seen.events["n_support"][rows]) and not drawn.n_bound.any()
    assert registry.as_solved(seen, given).qp is None
    cg = registry.DESCRIPTIONS["cg"].record(given)
    assert registry.as_solved(cg, given) is given and np.isfinite(curves.curves(cg, given).dual).all()
    assert [d.key for d in registry.solvers_for(given)][-1] == "isls"
    assert watch_isls.ISLS not in registry.solvers_for(given._replace(loss="hinge"))
