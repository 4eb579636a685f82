"""Pair updates on two coefficients a point: the same run to the bit, folded; every sentence true of it."""

import re

import numpy as np
import pytest

from svmcore import duals, problems
from svmcore.kernels import Kernel
from svmcore.solvers.box_dual import smo
from svmcore.watch import doubled as watch_doubled
from svmcore.watch import recording, registry, sentences, trace
from svmcore.watch import smo as watch_smo

PARAMS = {"tau": 0.3, "epsilon": 0.2}
every_selection = pytest.mark.parametrize("selection", ["first", "second", "conjugate"])


def given_of(C=2.0, n=80, params=PARAMS):
    drawn = problems.load("moons", 0, n=n, noise=0.3)
    return trace.Given.classification(Kernel("rbf", gamma=1.5), drawn.X, drawn.y, "insensitive_pinball", C, **params)


def recorded(selection, given=None, **options):
    given = given_of() if given is None else given
    description = registry.DESCRIPTIONS[f"halves_{selection}"]
    return given, description, description.record(given, **{"tol": 1e-4, **options})


@every_selection
def test_each_row_is_the_folded_state_after_so_many_steps(selection):
    given, _, seen = recorded(selection, given_of(n=40))
    both = watch_doubled._twice(given)
    for t in range(0, seen.n_iter + 1, 7):
        state = smo.run(both.K, both.qp, tol=1e-4, max_iter=t, selection=selection)
        rise, fall = state.beta[:40], state.beta[40:]
        assert np.array_equal(seen.iterates[t], rise + fall)
        beta = seen.iterates[t]
        assert np.all(np.abs(beta.sum()) < 1e-12) and np.all((given.y * beta <= 2.0) & (given.y * beta >= -0.6 - 1e-12))
        kinks = np.where(given.y * beta > 0.0, 0.2, 0.2 / 0.3) * np.abs(beta)
        objective = 0.5 * beta @ given.K @ beta - given.y @ beta + kinks.sum()
        assert seen.objective[t] == pytest.approx(objective, abs=1e-9)
        alpha, code = given.y * beta, seen.events["state"][t]
        assert np.array_equal(code == duals.ZERO, beta == 0.0)
        at_bound = np.isclose(alpha, 2.0, atol=1e-12) | np.isclose(alpha, -0.6, atol=1e-12)
        assert np.array_equal((code == duals.UPPER) | (code == duals.LOWER), at_bound)


def test_a_point_that_holds_on_both_sides_is_settled():
    given = given_of(n=40)
    both, begun = watch_doubled._twice(given), np.zeros(80)
    plus, minus = (int(np.flatnonzero(given.y == label)[0]) for label in (1.0, -1.0))
    begun[plus], begun[40 + plus], begun[40 + minus] = 0.3, -0.2, -0.1
    run = watch_smo.record(both.K, both.qp, tol=1e-4, max_iter=5, selection="first", beta=begun)
    seen = watch_smo.trace_of(run, both.K, both.qp, tol=1e-4, selection="first", beta=begun)
    first = next(watch_doubled._steps(seen, both, np.arange(6)))
    beta = np.zeros(40)
    beta[plus], beta[minus] = 0.1, -0.1
    kinks = 0.2 * 0.1 + 0.2 * 0.1  # both alphas are above zero
    assert first["beta"] == pytest.approx(beta) and first["step"] != first["step"]
    assert first["objective"] == pytest.approx(0.5 * beta @ given.K @ beta - given.y @ beta + kinks)


@every_selection
def test_the_sentences_on_a_step(selection):
    given, description, seen = recorded(selection)
    assert description.why(seen, 0, given)[0].startswith("The start")
    assert description.marks(seen, 0, given) == trace.Marks()
    cut = 0
    for t in range(1, seen.n_iter + 1):
        text = " ".join(description.why(seen, t, given))
        rising, i, falling, j = re.match(
            r"The (positive|negative) coefficient of point (\d+) rises, "
            r"the (positive|negative) one of point (\d+) falls\.",
            text,
        ).groups()
        i, j = int(i), int(j)
        before, now = seen.iterates[t - 1], seen.iterates[t]
        if selection != "conjugate" and i != j:
            assert np.flatnonzero(before != now).tolist() in (sorted((i, j)), [])
            assert now[i] - before[i] == pytest.approx(seen.events["step"][t], abs=1e-12)
            for point, half in ((i, rising), (j, falling)):  # the other half of it may hold a little of its own
                sides = (before[point], now[point])
                assert max(sides) > -0.3 if half == "positive" else min(sides) < 0.3
        assert ("shortened" in text) == (seen.events["step"][t] != seen.events["wanted"][t])
        cut += "shortened" in text
        assert sentences.objective(seen.objective[t - 1] - seen.objective[t], seen.objective[t]) in text
        assert sentences.state_changes(seen.events["state"][t - 1], seen.events["state"][t]) in text
        marks = description.marks(seen, t, given)
        assert set(marks.points) == {i, j} and (marks.joined != ()) == (i != j)
    assert cut and "converged" in description.why(seen, seen.n_iter, given)[-1]


def test_a_long_run_keeps_what_there_is_room_for(monkeypatch):
    monkeypatch.setattr(recording, "ROOM_BYTES", 60 * 8 * 200)
    given, description, seen = recorded("first", given_of(50.0))
    assert seen.n_iter > 3 * len(seen.iteration) and len(seen.iteration) >= 59
    assert np.array_equal(seen.frame_beta[-1], description.solve(given, tol=1e-4).beta)
    sentence = [description.why(seen, t, given) for t in seen.reachable]
    assert any(text[0].startswith(f"Only some of the {seen.n_iter} steps were kept.") for text in sentence)
