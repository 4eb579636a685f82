"""Watched pair updates beside an unwatched run, a twin that takes one step per call, and numbers read from words."""

import itertools

import numpy as np
import pytest
from calls import recorded
from test_watch import close
from variants import VARIANTS, every_variant, overlapping
from written import numbers_in

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import smo
from svmcore.watch import registry, sentences, trace
from svmcore.watch import smo as watch_smo


def problem(loss="hinge", C=10.0, gamma=0.3, **params):
    return trace.Given.classification(Kernel("rbf", gamma), *overlapping(40), loss, C, **params)


# every loss with conjugate directions, which say the most; every order with a ridge and without
quick = {(loss, way) for loss in ("hinge", "squared_hinge") for way in smo.SELECTIONS}
every_run = pytest.mark.parametrize(
    "loss, params, selection",
    [
        pytest.param(*one, way, marks=() if way == "conjugate" or (one[0], way) in quick else pytest.mark.slow)
        for one, way in itertools.product(VARIANTS, smo.SELECTIONS)
    ],
)


def watched(given, tol=1e-3, max_iter=10**6, selection="conjugate", beta=None):
    """The last state, and the trace."""
    recorded = watch_smo.record(given.K, given.qp, tol=tol, max_iter=max_iter, selection=selection, beta=beta)
    return recorded[0], watch_smo.trace_of(recorded, given.K, given.qp, tol=tol, selection=selection, beta=beta)


def one_step_per_call(given, tol, selection, beta=None):
    """Every state of the run, the slow way."""
    state = smo.advance(given.K, given.qp, smo.start(given.K, given.qp, beta), 0, tol=tol, selection=selection)
    states = [state._replace(beta=state.beta.copy(), F=state.F.copy())]
    while not state.is_done:
        state = smo.advance(given.K, given.qp, state, 1, tol=tol, selection=selection)
        if state.n_iter > states[-1].n_iter:
            states.append(state._replace(beta=state.beta.copy(), F=state.F.copy()))
    return states


@pytest.mark.parametrize("selection", smo.SELECTIONS)
@every_variant
def test_a_watched_run_is_the_unwatched_one_and_every_row_and_frame_that_of_the_twin(loss, params, selection):
    given = problem(loss, **params)
    plain = smo.run(given.K, given.qp, selection=selection)
    state, seen = watched(given, selection=selection)
    assert np.array_equal(state.beta, plain.beta) and np.array_equal(state.F, plain.F)
    assert state[3:] == plain[3:]  # curvature, objective, top, bottom, steps, code
    assert (seen.n_iter, seen.status, seen.solver) == (plain.n_iter, "converged", f"smo_{selection}")

    states = one_step_per_call(given, 1e-3, selection)
    assert seen.iteration.tolist() == list(range(len(states))) and seen.stepwise == plain.n_iter
    betas = trace.coefficients_at(seen, seen.iteration, given)
    assert np.array_equal(betas, [state.beta for state in states])
    assert np.array_equal(seen.objective, [state.objective for state in states])
    assert np.array_equal(seen.violation, [state.violation for state in states])

    assert 2 <= len(seen.frame_iter) <= 60 and seen.frame_iter[0] == 0 and seen.frame_iter[-1] == plain.n_iter
    assert np.all(np.diff(seen.frame_iter) > 0)
    assert np.array_equal(seen.frame_beta, betas[seen.frame_iter])
    assert np.array_equal(seen.frame_beta[-1], plain.beta)
    expected = [smo.intercept(given.qp, states[t]) for t in seen.frame_iter]
    assert seen.frame_intercept == pytest.approx(expected, abs=1e-11)
    assert trace.moments(seen, seen.frame_iter, given).intercept == pytest.approx(expected, abs=1e-11)
    assert seen.frame_intercept[-1] == smo.intercept(given.qp, plain)


@pytest.mark.parametrize("room", [997, 1000, 2000])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_a_run_that_goes_on_after_looking_at_its_rounding_is_watched_to_the_end(monkeypatch, loss, room):
    """With C = 1e6 and a tolerance of 1e-10 the updated F is wrong by more: a few more steps follow, several times."""
    given = problem(loss, C=1e6, gamma=1.0)
    monkeypatch.setattr(watch_smo, "FIRST_ROOM", room)
    refreshed = recorded(monkeypatch, smo, "refresh", lambda K, qp, state: state.n_iter)
    plain = smo.run(given.K, given.qp, tol=1e-10)
    assert plain.is_done and refreshed[0] < refreshed[1] <= plain.n_iter
    state, seen = watched(given, tol=1e-10)
    assert np.array_equal(state.beta, plain.beta) and np.array_equal(state.F, plain.F)
    ts = np.arange(refreshed[0] - 2, plain.n_iter + 1)
    twins = [smo.run(given.K, given.qp, tol=1e-10, max_iter=t) for t in ts]
    assert np.array_equal(trace.coefficients_at(seen, ts, given), [twin.beta for twin in twins])


def test_memory_is_bounded_whatever_the_limit_and_the_rest_is_still_drawn(monkeypatch):
    monkeypatch.setattr(watch_smo, "MAX_STEPS", 100)
    monkeypatch.setattr(watch_smo, "FIRST_ROOM", 30)
    given = problem("least_absolute", C=100.0)
    sizes = []
    for tol, max_iter in [(1e-2, 10**9), (1e-9, 10**12)]:
        state, seen = watched(given, tol=tol, max_iter=max_iter, selection="first")
        _, records, checkpoints = watch_smo.record(given.K, given.qp, tol=tol, max_iter=max_iter, selection="first")
        assert seen.n_iter > 1000 and sum(map(len, records)) == 100 == seen.stepwise
        assert len(checkpoints) < 12 + np.log(seen.n_iter / 100) / np.log(1.25)
        arrays = [x for x in (*seen, *seen.events.values()) if isinstance(x, np.ndarray)]
        sizes.append(sum(x.nbytes for x in arrays) / 60 / len(given.y))
    assert max(sizes) < 8 * 1.8  # sixty vectors, and less than that again

    assert seen.iteration[100:103].tolist() == [100, 125, 156] and seen.iteration[-1] == seen.n_iter
    assert len(seen.frame_iter) <= 60 and np.all(np.isin(seen.frame_iter, seen.reachable))
    assert np.array_equal(trace.coefficients_at(seen, seen.n_iter, given), state.beta)
    for t, beta in zip(seen.frame_iter, seen.frame_beta, strict=True):
        limit = t if t < seen.n_iter else 10**12
        state = smo.run(given.K, given.qp, tol=tol, max_iter=limit, selection="first")
        row = np.searchsorted(seen.iteration, t)
        assert np.array_equal(beta, state.beta)
        assert (seen.violation[row], seen.objective[row]) == (state.violation, state.objective)
        assert np.array_equal(trace.coefficients_at(seen, t, given), state.beta)
    mixed = np.array([0, 7, 100, seen.frame_iter[-2], seen.n_iter])
    assert np.array_equal(trace.coefficients_at(seen, mixed, given)[-2:], seen.frame_beta[-2:])
    assert np.array_equal(trace.coefficients_at(seen, mixed, given)[1], trace.coefficients_at(seen, 7, given))
    at_the_edge = smo.run(given.K, given.qp, tol=tol, max_iter=100, selection="first")
    assert np.array_equal(trace.coefficients_at(seen, mixed, given)[2], at_the_edge.beta)
    assert seen.violation[100] == at_the_edge.violation
    with pytest.raises(ValueError, match=f"iteration 101 of {seen.n_iter} was not kept; the nearest that was is 100"):
        trace.coefficients_at(seen, 101, given)
    with pytest.raises(ValueError, match="the nearest that was is 0"):
        trace.coefficients_at(seen, -1, given)
    late = int(seen.frame_iter[-2])
    (sentence,) = watch_smo.DESCRIPTIONS[0].why(seen, late, given)
    assert sentence.startswith("Only the first 100 steps were recorded one by one")
    for t in (late, 0):
        assert watch_smo.DESCRIPTIONS[0].marks(seen, t, given) == trace.Marks()
    assert seen.events["i"][101] == -1 and np.isnan(seen.events["step"][101])


@pytest.mark.parametrize("max_steps", [1, 5, 100])
@pytest.mark.parametrize("max_iter", [0, 1, 5, 6, 7])
def test_at_the_cap_it_is_never_converged_and_says_so(monkeypatch, max_iter, max_steps):
    monkeypatch.setattr(watch_smo, "MAX_STEPS", max_steps)
    monkeypatch.setattr(watch_smo, "FIRST_ROOM", min(max_steps, 2))
    given = problem()
    state, seen = watched(given, max_iter=max_iter)
    plain = smo.run(given.K, given.qp, max_iter=max_iter)
    assert np.array_equal(state.beta, plain.beta)
    assert (seen.n_iter, seen.status) == (max_iter, "iteration limit") and seen.violation[-1] > seen.tol
    assert seen.iteration.tolist() == list(range(max_iter + 1)) and seen.violation[-1] == plain.violation
    said = watch_smo.DESCRIPTIONS[0].why(seen, max_iter, given)[-1]
    assert "iteration limit" in said and "converged" not in said


def test_ending_at_the_very_cap_is_an_end(monkeypatch):
    given = problem()
    whole = smo.run(given.K, given.qp)
    for max_steps in (whole.n_iter, whole.n_iter - 1, 10**6):
        monkeypatch.setattr(watch_smo, "MAX_STEPS", max_steps)
        monkeypatch.setattr(watch_smo, "FIRST_ROOM", 5)
        _, seen = watched(given, max_iter=whole.n_iter)
        assert (seen.n_iter, seen.status) == (whole.n_iter, "converged")
        assert seen.violation[-1] == whole.violation <= seen.tol and len(seen.iteration) == whole.n_iter + 1


def test_no_step_is_a_trace_too():
    given = trace.Given.classification(Kernel(), *overlapping(40), "least_squares", 1.0)
    given = given._replace(qp=duals.least_squares(given.y + 0.5, 1.0))
    _, seen = watched(given, tol=2.5)
    assert (seen.status, seen.n_iter, seen.frame_iter.tolist()) == ("converged", 0, [0])
    assert (seen.violation[0], seen.frame_intercept[0]) == pytest.approx((2.0, 0.5)) and not seen.frame_beta.any()
    said = watch_smo.DESCRIPTIONS[0].why(seen, 0, given)
    assert said[0].startswith("The start") and "converged" in said[1]


def test_intercept_of_frames_with_few_free_points_or_none():
    """Two points at their bounds, boxes that leave one side only, a single free point and two of them."""
    low, high = np.array([0.0, -1e-3]), np.array([1e-3, 0.0])
    qp, betas = duals.BoxQP(low, high, np.zeros(2), np.array([-1.0, 0.6])), np.array([[1e-3, -1e-3], [0.0, 0.0]])
    F = trace.residuals(np.eye(2), qp, betas)
    assert trace.optimality(qp, betas, F)[:, 0] == pytest.approx([0.2, 0.2])
    one_side = duals.BoxQP(np.zeros(2), np.ones(2), np.zeros(2), np.array([0.3, -0.2]))
    assert trace.optimality(one_side, np.zeros((1, 2)), np.array([[-0.3, 0.2]]))[:, 0] == pytest.approx([0.2])
    other = one_side._replace(lower=-np.ones(2), upper=np.zeros(2))
    assert trace.optimality(other, np.zeros((1, 2)), np.array([[-0.3, 0.2]]))[:, 0] == pytest.approx([-0.3])
    betas, F = np.array([[0.5, 1.0], [0.5, 0.5]]), np.array([[-0.3, 0.2]] * 2)
    assert trace.optimality(one_side, betas, F)[:, 0] == pytest.approx([-0.3, -0.05])


@pytest.mark.parametrize(
    "first, second, text",
    [
        (1.785678, 1.784304, ("1.7857", "1.7843")),  # both were 1.79 or 1.78, beside a difference of 0.00137
        (8.979, 8.114, ("8.98", "8.11")),
        (0.5, -0.5, ("0.5", "−0.5")),
        (2.0, 2.0, ("2", "2")),
        (np.inf, 1.0, ("inf", "1")),
    ],
)
def test_two_numbers_are_told_apart(first, second, text):
    assert sentences.format_pair(first, second) == text


def test_a_pair_without_curvature_is_not_said_to_have_a_minimum():
    """The same place twice, in two classes: along this pair the objective is linear."""
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])
    given = trace.Given.classification(Kernel("rbf", gamma=1.0), X, np.array([1.0, -1.0, 1.0, -1.0]), "hinge", 1.0)
    seen = registry.DESCRIPTIONS["smo_first"].record(given)
    along = [watch_smo.DESCRIPTIONS[0].why(seen, t, given)[2] for t in range(1, seen.n_iter + 1)]
    twins = [{i, j} == {0, 1} for i, j in zip(seen.events["i"][1:], seen.events["j"][1:], strict=True)]
    assert any(twins) and not all(twins)
    assert ["bound" in sentence for sentence in along] == twins
    assert ["lowest" in sentence for sentence in along] == [not twin for twin in twins]


@every_run
def test_the_words_agree_with_the_numbers(monkeypatch, loss, params, selection):
    """Every number and every name in the sentences is computed anew here, from two iterates and K alone."""
    monkeypatch.setattr(smo, "_plan", lambda name, n: (name == "first", 0 if name == "conjugate" else smo.NEVER))
    given = problem(loss, C=5.0, **params)
    qp, H = given.qp, given.K + np.diag(given.qp.ridge)
    states = one_step_per_call(given, 1e-3, selection)
    _, seen = watched(given, selection=selection)
    stopped = stopped_by_others = 0
    for t in range(1, seen.n_iter + 1):
        before, after = states[t - 1].beta, states[t].beta
        F = -qp.linear - H @ before
        rise, fall = np.where(before < qp.upper, F, -np.inf), np.where(before > qp.lower, F, np.inf)
        pair, largest, along, stop, gain, changes, *end = watch_smo.DESCRIPTIONS[0].why(seen, t, given)

        i, F_i, j, F_j, *lowest = numbers_in(pair)
        i, j = int(i), int(j)
        assert F[i] == pytest.approx(rise.max(), abs=1e-9) and close(F_i, F[i], 1e-12) and close(F_j, F[j], 1e-12)
        if lowest:
            assert F[int(lowest[0])] == fall.min() and close(lowest[1], fall.min(), 1e-12) and selection != "first"
        else:
            assert F[j] == pytest.approx(fall.min(), abs=1e-8)
        violation, tolerance = numbers_in(largest)
        assert close(violation, rise.max() - fall.min(), 1e-12) and tolerance == 1e-3

        direction, steps, exact = np.zeros(len(before)), numbers_in(along), seen.events["momentum"][t]
        if exact:
            last = (before - states[t - 2].beta) / seen.events["step"][t - 1]
            assert close(steps.pop(0), exact) and selection == "conjugate"
            direction += exact * last
            # directions are conjugate: d'H last = 0
            pull = H[i] @ last - H[j] @ last
            assert exact * (last @ H @ last) + pull == pytest.approx(0.0, abs=1e-6 * abs(pull))
        direction[i] += 1.0
        direction[j] -= 1.0
        wanted = (direction @ F) / max(direction @ H @ direction, 1e-12)
        if steps:
            assert close(*steps, wanted, 1e-6 * abs(wanted))
        else:  # no minimum along it
            assert direction @ H @ direction <= 1.02e-12 and numbers_in(stop)

        taken = float(np.abs(after - before).max() / np.abs(direction[np.abs(after - before).argmax()]))
        outside = (before + wanted * direction > qp.upper + 1e-9) | (before + wanted * direction < qp.lower - 1e-9)
        if not numbers_in(stop):  # no bound is reached
            assert not outside.any() and after == pytest.approx(before + wanted * direction, abs=1e-9)
        else:
            stopped += 1
            whose = [int(point) for point in numbers_in(stop.split(" stop")[0])]
            with np.errstate(divide="ignore", invalid="ignore"):
                room = np.where(direction > 0, qp.upper - before, before - qp.lower) / np.abs(direction)
            assert np.all(np.abs(room[whose] - room[direction != 0].min()) <= 1e-9)
            stopped_by_others += not set(whose) <= {i, j}
            assert np.all((after[whose] == qp.upper[whose]) | (after[whose] == qp.lower[whose]))
            if "slightly" not in stop:
                assert close(numbers_in(stop)[-1], taken, 1e-12)
            assert ("new direction" in stop) == bool(exact)
        values = [-duals.dual_objective(qp, given.K @ beta, beta) for beta in (before, after)]
        fell, objective = numbers_in(gain)
        assert close(fell, values[0] - values[1], 1e-12 * abs(values[1])) and close(objective, values[1])
        was, now = duals.box_state(qp, before), duals.box_state(qp, after)
        assert changes == sentences.state_changes(was, now)
        assert sorted(numbers_in(changes)) == np.flatnonzero(was != now).tolist()
        marked = watch_smo.DESCRIPTIONS[0].marks(seen, t, given)
        assert marked.points == (i, j) and marked.words == ("up", "down")
        assert marked.joined == ((i, j, seen.events["step"][t]),)
        assert bool(end) == (t == seen.n_iter)
    assert end == [sentences.end_sentence(seen)] and numbers_in(end[0])[::2] == [seen.n_iter, 1e-3]
    assert stopped > 0 or loss == "least_squares"
    assert stopped_by_others > 0 or selection != "conjugate" or loss == "least_squares"


def test_states_that_change_are_named_or_counted():
    before, after = np.zeros(9, int), np.zeros(9, int)
    assert sentences.state_changes(before, after) == "No point changes its state."
    after[[2, 4, 8]], after[5] = duals.FREE, duals.LOWER
    changes = "Points 2, 4 and 8: zero → free; point 5: zero → at the lower bound."
    assert sentences.state_changes(before, after) == changes
    after[:] = duals.UPPER
    assert sentences.state_changes(before, after) == "9 points: zero → at the upper bound."
    assert sentences.objective(-2.0, 3.0) == "The objective rises by 2 to 3."
    assert numbers_in(sentences.objective(np.nan, 3.0)) == [3]
