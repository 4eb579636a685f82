"""What is watched, and what is made of traces: the registry, curves, races. Oracles: plain loops, `convex`, SVC."""

import inspect

import numpy as np
import pytest
from variants import VARIANTS, overlapping
from written import number_in

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers import smo
from svmcore.watch import curves, race, registry, trace
from svmcore.watch import linear_system as watch_linear_system
from svmcore.watch import path as watch_path
from svmcore.watch import smo as watch_smo


def problem(loss="least_squares", C=10.0, gamma=0.3, n=50, **params):
    return trace.Given.of(Kernel("rbf", gamma), *overlapping(n), loss, C, **params)


def close(word, value, noise=0.0):
    return abs(number_in(word) - value) <= 0.0051 * abs(value) + noise


# ---------------------------------------------------------------------------------------------------- the registry


@pytest.mark.parametrize("loss, params", VARIANTS)
def test_every_solver_that_serves_brings_all_that_a_page_needs(loss, params):
    given = problem(loss, C=2.0, **params)
    keys = [description.key for description in registry.serving(given)]
    assert keys[:3] == ["smo_first", "smo_second", "smo_conjugate"]
    assert keys[3:] == (["cg", "direct", "isls"] if loss == "least_squares" else [])
    for description in registry.serving(given):
        if description.own:  # ISLS goes on to another machine: see test_watch_deaths
            continue
        seen = description.record(given, tol=1e-4, max_iter=100_000)
        plain = description.solve(given, tol=1e-4, max_iter=100_000)
        assert registry.of(seen) is description and np.array_equal(seen.frame_beta[-1], plain.beta)
        assert seen.status == plain.status == "converged" and seen.seconds > 0.0 and seen.tol == 1e-4
        assert set(seen.events) == set(description.words.columns)
        assert len(seen.frame_iter) == len(seen.frame_beta) == len(seen.frame_intercept) <= 60
        assert (
            description.words.title
            and description.words.unit
            and description.words.substeps
            and description.words.source
        )
        for t in (seen.reachable[0], seen.reachable[-1]):
            text = description.why(seen, t, given)
            assert text and all(sentence.endswith(".") and "nan" not in sentence for sentence in text)
            assert isinstance(description.marks(seen, t, given), trace.Marks)
        assert description.one_shot == (description.key == "direct") == (len(seen.iteration) == 1)


@pytest.fixture(scope="module")
def givens():
    return [
        trace.Given.of(kernel, *overlapping(40), loss, 2.0)
        for kernel in (Kernel("rbf", 0.5), Kernel("linear"))
        for loss in ("hinge", "least_squares", "insensitive_pinball", "log", "sigmoid", "ramp", "zero_one")
    ]


@pytest.mark.parametrize("description", registry.DESCRIPTIONS.values(), ids=list(registry.DESCRIPTIONS))
def test_no_entry_of_the_registry_breaks_its_contract(description, givens):
    """Each function of a Description takes each problem that it says it serves, with the arguments of all others."""
    served = [given for given in givens if description.serves(given)]
    assert served and len(served) < len(givens)
    for given in served:
        assert description in registry.serving(given, description.over)
        assert (description in registry.serving(given)) == (description.over == "")
        seen = description.record(given, tol=1e-3, max_iter=2000)
        plain = description.solve(given, tol=1e-3, max_iter=2000)
        assert (
            registry.of(seen) is description and seen.tol == 1e-3 and set(seen.events) == set(description.words.columns)
        )
        assert trace.at(seen, seen.n_iter, given) == pytest.approx(plain.beta, abs=1e-6)  # below that ISLS prunes
        assert description.over or seen.status == plain.status
        assert not description.over or plain.n_iter == seen.events["steps"].sum()
        for t in map(int, seen.frame_iter[[0, -1]]):
            assert description.why(seen, t, given) and isinstance(description.marks(seen, t, given), trace.Marks)
            assert all(isinstance(step, trace.Substep) for step in description.within(seen, t, given))
        assert len(trace.moments(seen, seen.frame_iter, given).beta) == len(seen.frame_iter)


@pytest.mark.parametrize("key", [key for key, d in registry.DESCRIPTIONS.items() if not d.over])
def test_every_solver_has_source_to_be_read(key):
    functions = registry.DESCRIPTIONS[key].code
    assert functions and all(function.__module__.startswith("svmcore.solvers.") for function in functions)
    assert all(f"def {function.__name__}(" in inspect.getsource(function) for function in functions)


def test_a_loss_without_a_box_has_no_pair_updates():
    assert [description.key for description in registry.serving(problem("log"))] == ["descent_zero"]


@pytest.mark.parametrize("key", ["smo_first", "smo_second", "smo_conjugate", "cg"])
@pytest.mark.parametrize("max_iter", [0, 1, 5])
def test_at_the_cap_no_solver_says_converged(key, max_iter):
    given = problem(C=100.0)
    seen = registry.DESCRIPTIONS[key].record(given, tol=1e-9, max_iter=max_iter)
    assert (seen.n_iter, seen.status) == (max_iter, "iteration limit") and seen.violation[-1] > 1e-9
    assert "iteration limit" in registry.of(seen).why(seen, max_iter, given)[-1]


# ---------------------------------------------------------------------------------------------------- curves


@pytest.mark.parametrize("loss, params", VARIANTS)
def test_curves_are_those_of_plain_loops(loss, params):
    given = problem(loss, C=2.0, **params)
    seen = registry.DESCRIPTIONS["smo_second"].record(given, tol=1e-7)
    drawn = curves.curves(seen, given)
    assert np.array_equal(drawn.iteration, seen.frame_iter)
    for k, beta in enumerate(seen.frame_beta):
        f = given.K @ beta + seen.frame_intercept[k]
        primal = duals.primal_objective(loss, f, given.y, 2.0, beta @ given.K @ beta, **params)
        assert drawn.primal[k] == pytest.approx(primal, rel=1e-9)
        assert drawn.dual[k] == pytest.approx(duals.dual_objective(given.qp, given.K @ beta, beta), abs=1e-9)
        F = smo.residual(given.K, given.qp, beta)
        violation = F[beta < given.qp.upper].max() - F[beta > given.qp.lower].min()
        assert drawn.violation[k] == pytest.approx(max(violation, 0.0), abs=1e-9)
        assert drawn.violation[k] == pytest.approx(seen.violation[seen.frame_iter[k]], abs=1e-9)
        bound = (beta == given.qp.upper) | (beta == given.qp.lower)
        assert drawn.n_zero[k] == np.sum(beta == 0) and drawn.n_bound[k] == np.sum(bound & (beta != 0))
        assert drawn.n_free[k] + drawn.n_bound[k] + drawn.n_zero[k] == 50
        assert drawn.training_error[k] == np.mean(np.where(f >= 0, 1, -1) != given.y)
    assert np.all(drawn.gap >= -1e-9) and np.array_equal(drawn.gap, drawn.primal - drawn.dual)
    assert drawn.gap[-1] <= 2e-5 < drawn.gap[0]


def test_curves_of_a_loss_without_a_box():
    """Rounds of a made-up solver: no dual and no bounds, but the primal objective and the errors."""
    convex_given = problem("hinge", C=2.0)
    seen = registry.DESCRIPTIONS["smo_first"].record(convex_given)
    drawn = curves.curves(seen, convex_given._replace(qp=None))
    same = curves.curves(seen, convex_given)
    assert np.array_equal(drawn.primal, same.primal) and np.array_equal(drawn.n_zero, same.n_zero)
    assert np.all(np.isnan(drawn.dual)) and np.all(np.isnan(drawn.gap)) and np.all(drawn.n_bound == 0)
    assert np.array_equal(drawn.violation, seen.violation[seen.frame_iter])


# ---------------------------------------------------------------------------------------------------- races


def test_a_race_has_one_clock():
    given = problem(C=100.0)
    keys = ["smo_first", "smo_second", "cg", "direct"]
    run = race.race([race.Entrant(key, key, given) for key in keys], tol=1e-4)
    assert run.labels == tuple(keys) and all(0.0 < seconds < 1.0 for seconds in run.seconds)
    for key, seen in zip(keys, run.traces, strict=True):
        alone = registry.DESCRIPTIONS[key].record(given, tol=1e-4)
        assert seen.solver == key and np.array_equal(seen.frame_beta, alone.frame_beta)
    for unit in race.CLOCKS:
        times, frames = run.ticks(unit)
        assert frames.shape == (4, len(times)) and len(times) <= 60 and np.all(np.diff(times) > 0)
        assert times[0] == 0.0 and frames[:3, 0].tolist() == [0, 0, 0] and frames[3, 0] == -1
        assert np.all(np.diff(frames, axis=1) >= 0)
        assert [row[-1] for row in frames] == [len(seen.frame_iter) - 1 for seen in run.traces]
        for k in range(4):
            clock = run.clock(k, unit)
            for time, frame in zip(times, frames[k], strict=True):
                assert frame == np.sum(clock <= time) - 1
    assert np.array_equal(run.clock(0), run.traces[0].frame_iter)
    assert run.clock(1, "seconds")[-1] == pytest.approx(run.seconds[1])
    assert run.ticks(most=7)[0][[0, -1]].tolist() == [0.0, run.traces[0].n_iter] and len(run.ticks(most=7)[0]) <= 7


def test_machines_race_too():
    """Least 1-Norm against LS-SVM: each has a problem of its own."""
    entrants = [race.Entrant(loss, "smo_first", problem(loss)) for loss in ("least_absolute", "least_squares")]
    run = race.race(entrants)
    assert [seen.status for seen in run.traces] == ["converged", "converged"]
    assert run.traces[0].n_iter != run.traces[1].n_iter


@pytest.mark.parametrize("n", [1, 5])
def test_a_race_of_one_or_of_a_crowd_is_refused(n):
    with pytest.raises(ValueError, match="two to four"):
        race.race([race.Entrant("a", "cg", problem())] * n)


def test_a_run_that_cannot_start_is_named():
    entrants = [race.Entrant("mine", "cg", problem("hinge")), race.Entrant("yours", "cg", problem())]
    with pytest.raises(ValueError, match="mine: Conjugate gradients cannot take hinge"):
        race.race(entrants)
    fine = race.race([entrants[1], entrants[1]])
    with pytest.raises(ValueError, match="unit must be one of iterations, seconds"):
        fine.clock(0, "laps")


def test_pairs_and_rounds_share_one_shape():
    """What a page reads is there for each kind of trace, in the same types."""
    given = problem()
    kinds = [
        watch_smo.DESCRIPTIONS[0].record(given),
        watch_linear_system.CG.record(given),
        watch_linear_system.DIRECT.record(given),
        watch_path.record(problem("hinge", C=1.0), values=[1.0, 2.0]),
    ]
    for seen in kinds:
        n, frames = len(seen.iteration), len(seen.frame_iter)
        assert seen.iteration.dtype == seen.frame_iter.dtype == np.int64
        assert seen.objective.shape == seen.violation.shape == (n,) and seen.frame_beta.shape == (frames, 50)
        assert seen.frame_intercept.shape == (frames,) and isinstance(seen.status, str)
        assert all(len(column) == n for column in seen.events.values())
        assert np.all(np.isin(seen.frame_iter, seen.reachable)) and np.all(np.isin(seen.reachable, seen.iteration))
        assert np.array_equal(trace.at(seen, seen.frame_iter, given), seen.frame_beta)
