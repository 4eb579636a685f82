"""Conjugate gradients and the single factorisation, watched. Oracles: the unwatched run, plain loops."""

import numpy as np
import pytest
from test_watch import close, problem
from variants import overlapping
from written import numbers_in

from svmcore import duals
from svmcore.solvers.box_dual import linear_system
from svmcore.status import Status
from svmcore.watch import linear_system as watch_linear_system
from svmcore.watch import recording, trace


def states_of(given, tol, max_iter=10_000):
    """One step per call."""
    states = [linear_system.start(given.K, given.qp)]
    while not states[-1].is_done and states[-1].n_iter < max_iter:
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
    assert np.array_equal(trace.coefficients_at(seen, seen.iteration, given), [state.beta for state in states])
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
        said = watch_linear_system.CG.why(seen, t, given)
        told = numbers_in(" ".join(said[:5]))
        r = [F - F.mean() for F in (-given.qp.linear - H @ beta for beta in (before, after))]
        direction = r[0].copy()
        if t > 1:
            last = (before - states[t - 2].beta) / seen.events["length"][t - 1]
            exact = -(r[0] @ H @ last) / (last @ H @ last)
            assert close(told.pop(0), exact, 1e-6)
            direction += seen.events["momentum"][t] * last
        curvature, (was, now) = direction @ H @ direction, np.linalg.norm(r, axis=1)
        assert after - before == pytest.approx(seen.events["length"][t] * direction, abs=1e-9)
        true = [curvature, was**2 / curvature, was, was, now, was**4 / curvature / 2, states[t].objective]
        assert told == pytest.approx([*true, np.ptp(r[1]), 1e-3], rel=5.1e-3, abs=1e-9) and "falls by" in said[3]
        assert len(said) == 5 + (t == seen.n_iter)
    assert "converged" in said[-1]


def test_a_restart_is_reported():
    """After fifty steps the residual is computed anew; where it has drifted, the direction begins again."""
    given = problem(C=1e5, gamma=0.05)
    seen, states = watch_linear_system.CG.record(given, tol=1e-12), states_of(given, 1e-12)
    again = [t for t in seen.iteration[2:] if seen.events["momentum"][t] == 0.0]
    begun = [t for t in seen.iteration[2:] if np.all(states[t - 1].direction == states[t - 1].residual)]
    assert again and again == begun
    assert [t for t in seen.iteration[2:] if "alone" in watch_linear_system.CG.why(seen, t, given)[0]] == again
    for t in again:
        assert np.isfinite(seen.events["length"][t - 1]) and np.isfinite(seen.events["curvature"][t - 1])


def test_where_no_step_is_left_or_there_was_none_the_status_says_why():
    X, _ = overlapping(50)
    given = problem()._replace(K=np.tanh(2.0 * X @ X.T - 1.0))
    plain = linear_system.solve(given.K, given.qp)
    assert plain.status == Status.NEGATIVE_CURVATURE
    seen = watch_linear_system.CG.record(given)
    assert seen.status == plain.status and np.all(np.diff(seen.iteration) == 1)
    assert seen.n_iter == plain.n_iter and np.array_equal(seen.frame_beta[-1], plain.beta)
    assert "negative curvature" in watch_linear_system.CG.why(seen, seen.n_iter, given)[-1]
    seen = watch_linear_system.DIRECT.record(given)
    assert seen.status == Status.STATIONARY and "stationary point" in watch_linear_system.DIRECT.why(seen, 1, given)[-1]
    given = problem()
    seen = watch_linear_system.CG.record(given, tol=1e-9, max_iter=5)
    assert (seen.n_iter, seen.status) == (5, "iteration limit") and seen.violation[-1] > 1e-9
    seen = watch_linear_system.CG.record(given, tol=3.0)
    assert (seen.n_iter, seen.status, seen.iteration.tolist()) == (0, "converged", [0])
    assert watch_linear_system.CG.why(seen, 0, given)[-1].startswith("The run ends here, after 0 steps: converged")


def test_the_memory_of_conjugate_gradients_is_bounded(monkeypatch):
    given = problem(C=1e9, gamma=0.05)
    whole = watch_linear_system.CG.record(given, tol=1e-13, max_iter=900)
    monkeypatch.setattr(recording, "ROOM_BYTES", 100 * 8 * 60)
    seen = watch_linear_system.CG.record(given, tol=1e-13, max_iter=900)
    assert (seen.n_iter, seen.status) == (whole.n_iter, whole.status)
    assert np.array_equal(seen.frame_beta[-1], whole.frame_beta[-1])
    assert len(whole.iteration) == whole.n_iter + 1 > 300 and len(seen.iteration) <= 100
    rows = np.searchsorted(whole.iteration, seen.iteration)
    assert np.array_equal(seen.iterates, whole.iterates[rows])
    octaves = [np.sum((seen.iteration > 2**k) & (seen.iteration <= 2 ** (k + 1))) for k in range(9)]
    assert min(octaves[3:]) >= 4 and octaves[:2] == [1, 2]
    assert len(seen.frame_iter) <= 60 and seen.frame_iter[-1] == seen.n_iter
    gap = int(np.flatnonzero(np.diff(seen.iteration) > 1)[0]) + 1
    assert seen.stepwise == seen.iteration[gap - 1] and np.isnan(seen.events["momentum"][gap])
    said = watch_linear_system.CG.why(seen, seen.iteration[gap], given)[0]
    assert said.startswith(f"Only some of the {seen.n_iter} steps were kept.")


def test_a_direct_method_shows_its_size_and_time_instead_of_steps():
    given = problem()
    seen = watch_linear_system.DIRECT.record(given)
    found = linear_system.direct(given.K, given.qp)
    assert np.array_equal(seen.frame_beta, [found.beta]) and seen.frame_intercept == [found.intercept]
    assert seen.iteration.tolist() == seen.frame_iter.tolist() == [1] and seen.n_iter == seen.stepwise == 1
    assert np.array_equal(trace.coefficients_at(seen, 1, given), found.beta)
    size, work, status = watch_linear_system.DIRECT.why(seen, 1, given)
    assert numbers_in(size) == [50, 50, 0.02]
    multiplications, *_, ms = numbers_in(work)
    assert close(multiplications, 50**3 / 3) and close(ms, 1e3 * seen.seconds)
    assert "converged" in status
