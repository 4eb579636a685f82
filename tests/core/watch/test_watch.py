"""What is watched, and what is made of traces: the registry, curves, races. Oracles: plain loops, `convex`, SVC."""

import inspect

import numpy as np
import pytest
from variants import ALL, EACH, every_variant, overlapping

from svmcore import duals, losses
from svmcore.kernels import Kernel
from svmcore.solvers import router
from svmcore.solvers.box_dual import smo
from svmcore.status import is_success
from svmcore.watch import curves, race, recording, registry, trace
from svmcore.watch import path as watch_path


def problem(loss="least_squares", C=10.0, gamma=0.3, n=50, **params):
    return trace.Given.classification(Kernel("rbf", gamma), *overlapping(n), loss, C, **params)


def close(said, value, noise=0.0):
    """Whether a number with three significant digits is this value."""
    return abs(said - value) <= 0.0051 * abs(value) + noise


KERNELS = {"rbf": Kernel("rbf", 0.3), "linear": Kernel("linear")}
NEARLY = 1e-5  # below it ISLS prunes coefficients of its last round

CASES = [
    pytest.param((name, loss), marks=() if name == "rbf" or loss in EACH else pytest.mark.slow, id=f"{name}-{loss}")
    for name in KERNELS
    for loss in router.SOLVABLE
]


@pytest.fixture(scope="module", params=CASES)
def given(request):
    name, loss = request.param
    return trace.Given.classification(KERNELS[name], *overlapping(50), loss, np.linspace(0.5, 2.0, 50), **ALL[loss])


def test_every_watched_run_ends_at_the_answer_of_solve(given):
    """Coefficients, intercepts, objective, violation and status, for every loss and every solver that serves it."""
    served = [description for over in ("", *watch_path.SYMBOLS) for description in registry.solvers_for(given, over)]
    assert registry.solvers_for(given), f"no solver of {given.loss} can be watched"
    for description in served:
        key, limits = description.key, {"tol": 1e-4, "max_iter": 100_000}
        seen, plain = description.record(given, **limits), description.solve(given, **limits)
        digits = NEARLY if description.own else 1e-9
        assert registry.solver_of(seen) is description and seen.tol == 1e-4 and seen.seconds > 0.0, key
        assert seen.frame_iter[-1] == seen.n_iter and len(seen.frame_iter) <= recording.MOST_FRAMES, key
        assert description.own or np.array_equal(seen.frame_beta[-1], plain.beta), key
        assert seen.frame_beta[-1] == pytest.approx(plain.beta, abs=digits), key
        assert seen.frame_intercept[-1] == pytest.approx(plain.intercept, abs=digits), key
        assert seen.objective[-1] == pytest.approx(plain.objective, rel=1e-9, abs=1e-9), key
        assert seen.violation[-1] == pytest.approx(plain.violation, rel=1e-6, abs=1e-9), key
        if description.over:
            assert plain.n_iter == seen.events["steps"].sum(), key
            continue
        if given.qp is not None and not description.own:  # the boundary of each picture, not of the last one only
            F = trace.residuals(given.K, given.qp, seen.frame_beta)
            expected = trace.optimality(given.qp, seen.frame_beta, F)[:, 0]
            assert seen.frame_intercept == pytest.approx(expected, abs=1e-7), key
        assert seen.status == plain.status, key
        assert is_success(seen.status) or not losses.get(given.loss).convex, f"{key} does not converge on {given.loss}"


def test_every_solver_brings_all_that_a_page_needs(given):
    for description in registry.solvers_for(given):
        seen, key = description.record(given, tol=1e-3, max_iter=2000), description.key
        words, n = description.words, len(given.y)
        assert set(seen.events) == set(words.columns), key
        assert words.title and words.unit and words.substeps and words.source, key
        assert len(seen.frame_iter) == len(seen.frame_beta) == len(seen.frame_intercept), key
        assert seen.iteration.dtype == seen.frame_iter.dtype == np.int64, key
        assert np.isin(seen.frame_iter, seen.reachable).all(), key
        assert all(len(column) == len(seen.iteration) == len(seen.objective) for column in seen.events.values()), key
        assert np.array_equal(trace.coefficients_at(seen, seen.frame_iter, given), seen.frame_beta), key
        assert description.one_shot == (len(seen.iteration) == 1), key
        for t in map(int, [*seen.frame_iter[:5], *seen.frame_iter[5:-2:4], *seen.frame_iter[-2:]]):
            text = description.why(seen, t, given)
            assert text and all(sentence.endswith(".") for sentence in text), key
            assert not any(word in " ".join(text) for word in ("nan", "inf ")), key
            marks, steps = description.marks(seen, t, given), description.substeps(seen, t, given)
            assert len(marks.words) == len(marks.points), key
            named = {*marks.points, *marks.crossed, *(k for i, j, _ in marks.joined for k in (i, j))}
            assert named <= set(range(n)) and (not marks.band or marks.band[0] < marks.band[1]), key
            assert all(isinstance(step, trace.Substep) for step in steps), key
        assert np.isfinite(trace.moments(seen, seen.frame_iter, given).intercept).all(), key
        if losses.get(given.loss).solved_by in ("CCCP", "re-weighting", "ADMM", "quasi-Newton"):  # solved by its primal
            drawn, rows = curves.curves(seen, given), np.searchsorted(seen.iteration, seen.frame_iter)
            assert drawn.primal == pytest.approx(seen.objective[rows], rel=1e-7) and np.isnan(drawn.dual).all(), key


def test_no_solver_serves_every_loss_and_none_serves_no_loss():
    every = [problem(loss, n=20) for loss in router.SOLVABLE]
    for description in registry.DESCRIPTIONS.values():
        assert 0 < sum(description.serves(given) for given in every) < len(every), description.key


@pytest.mark.parametrize("key", [key for key, d in registry.DESCRIPTIONS.items() if not d.over])
def test_every_solver_has_source_to_be_read(key):
    functions = registry.DESCRIPTIONS[key].code
    assert functions and all(function.__module__.startswith("svmcore.solvers.") for function in functions)
    assert all(f"def {function.__name__}(" in inspect.getsource(function) for function in functions)


@every_variant
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


def test_an_indefinite_matrix_has_no_dual_objective_that_bounds_the_primal_one():
    given = trace.Given.classification(Kernel("sigmoid", 2.0, coef0=-1.0), *overlapping(50), "hinge", 1.0)
    drawn = curves.curves(registry.DESCRIPTIONS["smo_second"].record(given), given)
    assert np.isnan(drawn.dual).all() and np.isnan(drawn.gap).all() and np.isfinite(drawn.violation).all()


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


def test_a_race_of_one_or_of_a_crowd_is_refused_and_a_run_that_cannot_start_is_named():
    entrants = [race.Entrant("mine", "cg", problem("hinge")), race.Entrant("yours", "cg", problem())]
    for n in (1, 5):
        with pytest.raises(ValueError, match="two to four"):
            race.race(entrants[1:] * n)
    with pytest.raises(ValueError, match="mine: Conjugate gradients cannot take hinge"):
        race.race(entrants)
    fine = race.race([entrants[1], entrants[1]])
    with pytest.raises(ValueError, match="unit must be one of iterations, seconds"):
        fine.clock(0, "laps")
