"""The other solvers watched, and what is made of traces: curves, races, paths. Oracles: plain loops, `convex`, SVC."""

import inspect
import re

import numpy as np
import pytest
from variants import VARIANTS, overlapping
from written import NUMBER, number_in

from svmcore import SVC, duals
from svmcore.kernels import Kernel
from svmcore.solvers import convex, linear_system, smo
from svmcore.status import Status
from svmcore.watch import curves, race, recording, registry, trace
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


# ------------------------------------------------------------------------------------------------ conjugate gradients


def states_of(given, tol, max_iter=10_000):
    """One step per call."""
    states = [linear_system.start(given.K, given.qp)]
    while not states[-1].done and states[-1].n_iter < max_iter:
        state = linear_system.advance(given.K, given.qp, states[-1], 1, tol=tol)
        states = [*states[:-1], state] if state.n_iter == states[-1].n_iter else [*states, state]
    return states


@pytest.mark.parametrize("C, tol", [(1.0, 1e-3), (100.0, 1e-6), (1e6, 1e-9)])
def test_watched_conjugate_gradients_are_the_unwatched_ones(C, tol):
    given = problem(C=C, gamma=1.0)
    states, plain = states_of(given, tol), linear_system.solve(given.K, given.qp, tol=tol)
    seen = watch_linear_system.CG.record(given, tol=tol)
    assert seen.status == plain.status and seen.n_iter == plain.n_iter == len(states) - 1
    assert np.array_equal(seen.frame_beta[-1], plain.beta) and seen.frame_intercept[-1] == plain.intercept
    assert np.array_equal(trace.at(seen, seen.iteration, given), [state.beta for state in states])
    now = trace.moments(seen, seen.iteration, given)
    assert np.array_equal(now.intercept, [state.intercept for state in states])
    assert np.array_equal(now.objective, [state.objective for state in states])
    assert np.array_equal(now.violation, [state.violation for state in states])
    assert np.all(now.state[-1] == duals.FREE) and np.all(now.state[0] == duals.ZERO)
    assert np.all(np.diff(seen.objective) <= 1e-9 * np.abs(seen.objective).max())
    residuals = [np.linalg.norm(state.residual) for state in states]
    assert seen.events["residual"] == pytest.approx(residuals, rel=1e-12)


def test_the_words_on_conjugate_gradients_agree_with_the_numbers():
    given = problem(C=100.0)
    H, states = given.K + np.diag(given.qp.ridge), states_of(given, 1e-3)
    seen = watch_linear_system.CG.record(given)
    assert seen.n_iter > 8
    for t in range(1, seen.n_iter + 1):
        before, after = states[t - 1].beta, states[t].beta
        bend, step, residual, gain, violation, *end = watch_linear_system.why(seen, t, given)
        r = [F - F.mean() for F in (-given.qp.linear - H @ beta for beta in (before, after))]
        direction = r[0].copy()
        if t == 1:
            assert bend.startswith("The direction is the residual alone")
        else:
            multiple = re.search(rf"the residual plus {NUMBER} times the last direction", bend)[1]
            last = (before - states[t - 2].beta) / seen.events["length"][t - 1]
            exact = -(r[0] @ H @ last) / (last @ H @ last)
            assert close(multiple, exact, 1e-6)
            direction += seen.events["momentum"][t] * last
        curvature = direction @ H @ direction
        assert close(re.search(rf"along it is {NUMBER}\.", bend)[1], curvature, 1e-9)
        length, was = re.search(rf"has length {NUMBER}: the residual, {NUMBER},", step).groups()
        assert after - before == pytest.approx(seen.events["length"][t] * direction, abs=1e-9)
        assert close(length, r[0] @ r[0] / curvature) and close(was, np.linalg.norm(r[0]))
        goes = re.search(rf"from {NUMBER} to {NUMBER}\.", residual).groups()
        assert close(goes[0], np.linalg.norm(r[0])) and close(goes[1], np.linalg.norm(r[1]), 1e-9)
        fell, objective = re.search(rf"falls by {NUMBER} to {NUMBER}\.", gain).groups()
        assert close(fell, 0.5 * (r[0] @ r[0]) ** 2 / curvature, 1e-9) and close(objective, states[t].objective)
        assert close(re.search(rf"is {NUMBER}, the", violation)[1], np.ptp(r[1]), 1e-9)
        assert bool(end) == (t == seen.n_iter)
    assert "converged" in end[0]


def test_a_restart_is_reported():
    """After fifty steps the residual is computed anew; where it has drifted, the direction begins again."""
    given = problem(C=1e5, gamma=0.05)
    seen, states = watch_linear_system.CG.record(given, tol=1e-12), states_of(given, 1e-12)
    again = [t for t in seen.iteration[2:] if seen.events["momentum"][t] == 0.0]
    assert again and again == [
        t for t in seen.iteration[2:] if np.all(states[t - 1].direction == states[t - 1].residual)
    ]
    for t in again:
        assert "the residual alone" in watch_linear_system.why(seen, t, given)[0]
        assert np.isfinite(seen.events["length"][t - 1]) and np.isfinite(seen.events["curvature"][t - 1])


def test_where_no_step_is_left_the_status_says_why():
    X, _ = overlapping(50)
    given = problem()._replace(K=np.tanh(2.0 * X @ X.T - 1.0))
    plain = linear_system.solve(given.K, given.qp)
    assert plain.status == Status.NEGATIVE_CURVATURE
    seen = watch_linear_system.CG.record(given)
    assert seen.status == plain.status and np.all(np.diff(seen.iteration) == 1)
    assert seen.n_iter == plain.n_iter and np.array_equal(seen.frame_beta[-1], plain.beta)
    assert "negative curvature" in watch_linear_system.why(seen, seen.n_iter, given)[-1]


def test_conjugate_gradients_that_have_nothing_to_do():
    given = problem()
    seen = watch_linear_system.CG.record(given, tol=3.0)
    assert (seen.n_iter, seen.status, seen.iteration.tolist()) == (0, "converged", [0])
    assert watch_linear_system.why(seen, 0, given)[-1].startswith("The run ends here, after 0 steps: converged")


def test_the_memory_of_conjugate_gradients_is_bounded(monkeypatch):
    given = problem(C=1e9, gamma=0.05)
    whole = watch_linear_system.CG.record(given, tol=1e-13, max_iter=900)
    monkeypatch.setattr(recording, "ROOM_BYTES", 100 * 8 * 60)
    seen = watch_linear_system.CG.record(given, tol=1e-13, max_iter=900)
    assert (
        seen.n_iter == whole.n_iter
        and seen.status == whole.status
        and np.array_equal(seen.frame_beta[-1], whole.frame_beta[-1])
    )
    assert len(whole.iteration) == whole.n_iter + 1 > 300 and len(seen.iteration) <= 100
    rows = np.searchsorted(whole.iteration, seen.iteration)
    assert np.array_equal(seen.iterates, whole.iterates[rows])
    octaves = [np.sum((seen.iteration > 2**k) & (seen.iteration <= 2 ** (k + 1))) for k in range(9)]
    assert min(octaves[3:]) >= 4 and octaves[:2] == [1, 2]
    assert len(seen.frame_iter) <= 60 and seen.frame_iter[-1] == seen.n_iter
    gap = int(np.flatnonzero(np.diff(seen.iteration) > 1)[0]) + 1
    assert seen.stepwise == seen.iteration[gap - 1] and np.isnan(seen.events["momentum"][gap])
    assert watch_linear_system.why(seen, seen.iteration[gap], given)[0].startswith(
        f"Only some of the {seen.n_iter} steps were kept."
    )


def test_a_direct_method_shows_its_size_and_time_instead_of_steps():
    given = problem()
    seen = watch_linear_system.DIRECT.record(given)
    found = linear_system.direct(given.K, given.qp)
    assert np.array_equal(seen.frame_beta, [found.beta]) and seen.frame_intercept == [found.intercept]
    assert seen.iteration.tolist() == seen.frame_iter.tolist() == [1] and seen.n_iter == seen.stepwise == 1
    assert np.array_equal(trace.at(seen, 1, given), found.beta)
    size, work, status = watch_linear_system.DIRECT.why(seen, 1, given)
    assert size == "One factorisation of a 50 x 50 matrix, 0.02 MB: there are no steps to watch."
    multiplications, ms = re.search(rf"takes {NUMBER} multiplications .* took {NUMBER} ms", work).groups()
    assert close(multiplications, 50**3 / 3) and close(ms, 1e3 * seen.seconds)
    assert "converged" in status


def test_a_direct_method_that_fails_says_so():
    X, _ = overlapping(50)
    given = problem()._replace(K=np.tanh(2.0 * X @ X.T - 1.0))
    seen = watch_linear_system.DIRECT.record(given)
    assert seen.status == Status.STATIONARY and "stationary point" in watch_linear_system.DIRECT.why(seen, 1, given)[-1]


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


# ---------------------------------------------------------------------------------------------------- paths

PATH = registry.DESCRIPTIONS["path_C"]


def path(kernel, X, y, loss, params, *, values, name="C", C=1.0, X_test=None, y_test=None, tol=1e-3):
    test = None if X_test is None else (X_test, y_test)
    return watch_path.record(
        trace.Given.of(kernel, X, y, loss, C, test=test, **params), values=values, name=name, tol=tol
    )


@pytest.mark.parametrize("name", watch_path.NAMES)
@pytest.mark.parametrize("loss, params", VARIANTS)
def test_each_value_of_a_path_is_the_machine_itself(loss, params, name):
    (X, y), (X_test, y_test) = overlapping(50), overlapping(50, seed=1)
    values = np.geomspace(0.05, 50.0, 8) if name == "C" else np.geomspace(0.3, 3.0, 6)
    options = dict(X_test=X_test, y_test=y_test, tol=1e-7)
    seen = path(Kernel("rbf", 0.5), X, y, loss, params, values=values, name=name, C=3.0, **options)
    assert seen.status == "converged" and seen.frame_iter.tolist() == list(range(1, len(values) + 1))
    assert (
        np.array_equal(seen.events["value"], values)
        and set(seen.events) == set(PATH.words.columns)
        and registry.of(seen) is registry.DESCRIPTIONS[f"path_{name}"]
    )
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


@pytest.mark.parametrize(
    "values", [np.geomspace(0.01, 1000, 12), np.geomspace(1000, 0.01, 12), [1.0, 100.0, 0.1, 50.0]]
)
def test_a_path_may_go_up_and_down(values):
    X, y = overlapping(50)
    seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=values, tol=1e-6)
    assert seen.status == "converged" and np.all(seen.events["warm"][1:]) and np.isnan(seen.events["test_error"]).all()
    for value, beta, objective in zip(values, seen.frame_beta, seen.objective, strict=True):
        cold = convex.solve(Kernel("rbf", 0.5), X, duals.hinge(y, value), tol=1e-6)
        assert objective == pytest.approx(cold.objective, rel=1e-6)
        assert np.all(np.abs(beta) <= value)


def test_a_value_where_the_solver_fails_is_not_called_converged():
    X, y = overlapping(50)
    tanh = Kernel("sigmoid", gamma=2.0, coef0=-1.0)
    seen = path(tanh, X, y, "least_squares", {}, values=[1e-3, 10.0])
    assert seen.events["ended"].tolist() == ["converged", Status.STATIONARY]
    assert seen.status == f"1 of 2 values: {Status.STATIONARY}"
    assert "stationary point" in PATH.why(seen, 2, None)[0]


def test_a_path_that_crawls_goes_on_with_other_solvers(monkeypatch):
    X, y = overlapping(50)
    monkeypatch.setattr(convex, "PATIENCE", 0)
    seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[1.0, 10.0])
    assert seen.status == "converged" and not seen.events["warm"].any()


def test_a_path_of_many_points_begins_each_value_anew(monkeypatch):
    X, y = overlapping(60)
    monkeypatch.setattr(convex, "SMALL", 40)
    seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[1.0, 10.0], tol=1e-6)
    monkeypatch.undo()
    few = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[1.0, 10.0], tol=1e-6)
    assert seen.status == "converged" and seen.objective == pytest.approx(few.objective, rel=1e-6)
    assert (seen.events["warm"].tolist(), few.events["warm"].tolist()) == ([False, False], [False, True])


def test_a_path_goes_about_the_value_of_the_problem():
    given = problem("hinge", C=0.7, gamma=0.55**-2)
    for name, own, reach in (("C", 0.7, 1e3), ("sigma", 0.55, 10**1.5)):
        values = watch_path.around(given, name)
        assert len(values) == 41 and values[20] == own and values[[0, -1]] == pytest.approx([own / reach, own * reach])
        assert np.all(np.diff(values) > 0) and watch_path.at(given, name, 3.0).K is not None
    assert np.array_equal(watch_path.at(given, "C", 3.0).qp.upper, duals.build("hinge", given.y, 3.0).upper)
    assert np.array_equal(watch_path.at(given, "sigma", 3.0).K, Kernel("rbf", 3.0**-2)(given.X))


def test_words_on_a_path():
    (X, y), test = overlapping(50), overlapping(50, seed=1)
    options = dict(X_test=test[0], y_test=test[1])
    seen = path(Kernel("rbf", 0.5), X, y, "hinge", {}, values=[0.1, 0.2, 5.0], **options)
    first, second = PATH.why(seen, 1, None), PATH.why(seen, 2, None)
    steps, n_support = seen.events["steps"], seen.events["n_support"]
    assert first[0] == f"C = 0.1: converged after {steps[0]} steps from zero." and len(first) == 2
    assert second[0] == f"C = 0.2: converged after {steps[1]} steps from the previous solution."
    share = rf"{n_support[1]} support vectors, training error {NUMBER}\u202f%, test error {NUMBER}\u202f%\."
    errors = re.fullmatch(share, second[1]).groups()
    assert close(errors[0], 100 * seen.events["training_error"][1])
    assert close(errors[1], 100 * seen.events["test_error"][1])
    assert second[2].endswith(".") and ("→" in second[2] or "No point" in second[2])
    now = trace.moments(seen, [1, 3], problem("hinge"))
    assert np.array_equal(now.state, seen.events["state"][[0, 2]])


@pytest.mark.parametrize(
    "options, sentence",
    [
        (dict(values=[1.0], name="gamma"), "runs over C or sigma, got 'gamma'"),
        (dict(values=[1.0, -1.0]), "positive finite values of C"),
        (dict(values=[]), "1 to 60"),
        (dict(values=np.ones(61)), "1 to 60"),
        (dict(values=[1.0, np.inf]), "positive finite"),
        (dict(values=[1.0], loss="ramp"), "ramp"),
        (dict(values=[1.0], name="sigma", kernel=Kernel("linear")), "needs a kernel with a width"),
        (dict(values=[1.0], name="sigma", kernel=Kernel(lambda X, Z: X @ Z.T)), "needs a kernel with a width"),
    ],
)
def test_paths_that_cannot_be(options, sentence):
    options = dict(kernel=Kernel(), loss="hinge", params={}) | options
    with pytest.raises(ValueError, match=sentence):
        path(X=overlapping(50)[0], y=overlapping(50)[1], **options)


def test_pairs_and_rounds_share_one_shape():
    """What a page reads is there for each kind of trace, in the same types."""
    given = problem()
    kinds = [
        watch_smo.DESCRIPTIONS[0].record(given),
        watch_linear_system.CG.record(given),
        watch_linear_system.DIRECT.record(given),
    ]
    kinds.append(path(Kernel("rbf", 0.3), *overlapping(50), "hinge", {}, values=[1.0, 2.0]))
    for seen in kinds:
        n, frames = len(seen.iteration), len(seen.frame_iter)
        assert seen.iteration.dtype == seen.frame_iter.dtype == np.int64
        assert seen.objective.shape == seen.violation.shape == (n,) and seen.frame_beta.shape == (frames, 50)
        assert seen.frame_intercept.shape == (frames,) and isinstance(seen.status, str)
        assert all(len(column) == n for column in seen.events.values())
        assert np.all(np.isin(seen.frame_iter, seen.reachable)) and np.all(np.isin(seen.reachable, seen.iteration))
        assert np.array_equal(trace.at(seen, seen.frame_iter, given), seen.frame_beta)
