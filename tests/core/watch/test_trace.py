"""A Trace without a particular solver: which iterations are kept, rounds turned into rows, words for any of them."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st
from written import numbers_in

from svmcore import duals
from svmcore.kernels import Kernel
from svmcore.status import Status
from svmcore.watch import recording, sentences, trace


@settings(deadline=None)
@for_all(st.integers(0, 10**12), st.integers(2, 80))
def test_spread_numbers_keep_both_ends_and_the_room(last, most):
    stops = recording.spread(last, most)
    assert stops[0] == 0 and stops[-1] == last and np.all(np.diff(stops) > 0)
    assert len(stops) == min(last + 1, most) if most > 5 else len(stops) <= most


def test_spread_numbers_are_dense_at_first_and_then_even_on_a_log_axis():
    stops = recording.spread(100_000)
    assert stops[:8].tolist() == list(range(8))
    growth = stops[30:] / stops[29:-1]
    assert growth.max() / growth.min() < 1.03
    assert recording.spread(1000, 12).tolist() == [0, 2, 4, 7, 13, 24, 45, 84, 156, 290, 539, 1000]


@settings(deadline=None, max_examples=40)
@for_all(st.integers(0, 3000), st.integers(4, 200))
def test_a_sieve_keeps_both_ends_and_the_room(n, room):
    kept = recording.sieve(range(n), room)
    assert len(kept) <= room
    if n:
        assert kept[0] == 0 and kept[-1] == n - 1 and kept == sorted(set(kept))
    if n < room:
        assert kept == list(range(n))


def test_a_sieve_keeps_all_of_the_first_and_then_some_of_each_octave():
    kept = np.array(recording.sieve(range(10_000), 100))
    assert kept[:8].tolist() == list(range(8))
    octaves = [np.sum((kept >= 2**k) & (kept < 2 ** (k + 1))) for k in range(3, 13)]
    assert min(octaves) >= 2 and np.all(np.diff(kept) <= np.maximum(0.5 * kept[1:], 1))
    longer = np.array(recording.sieve(range(50_000), 100))
    assert np.all(np.diff(longer) <= np.maximum(0.5 * longer[1:], 1)) and len(longer) >= 30


class Round(NamedTuple):
    iteration: int
    objective: float
    violation: float
    beta: np.ndarray
    intercept: float
    capped: np.ndarray
    chosen: np.ndarray
    mood: str
    many: int
    rate: float
    helper: tuple = ()


Y = np.array([1.0, -1.0, 1.0])


def rounds(n, result=None, tol=0.5):
    """A made-up solver that changes its vectors in place, as solvers do."""
    beta, capped = np.zeros(3), np.zeros(3, bool)
    for k in range(n):
        chosen = np.arange(k)
        yield Round(k + 1, -float(k), 1.0 / (k + 1), beta, 0.1 * k, capped, chosen, "calm", k, 0.5**k, ({}, "x"))
        beta[k % 3] += Y[k % 3]
        capped[k % 3] = True
    return result


def test_rounds_become_rows_and_words():
    seen = recording.of_rounds(rounds(5), "made_up", tol=0.01)
    assert seen.solver == "made_up" and seen.iteration.tolist() == [1, 2, 3, 4, 5] and seen.n_iter == 5
    assert seen.objective.tolist() == [0.0, -1.0, -2.0, -3.0, -4.0] and seen.stepwise == 5
    assert seen.violation == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]) and seen.seconds >= 0.0
    betas = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [2, -1, 1]]
    assert seen.frame_beta.tolist() == betas == seen.iterates.tolist()
    assert seen.frame_iter.tolist() == [1, 2, 3, 4, 5] and seen.frame_intercept == pytest.approx(0.1 * np.arange(5))
    assert set(seen.events) == {"capped", "chosen", "mood", "many", "rate"}  # what is no number, word or array is not
    assert seen.events["capped"].tolist()[2] == [True, True, False] and seen.events["capped"].dtype == bool
    assert seen.events["many"].tolist() == [0, 1, 2, 3, 4] and seen.events["many"].dtype.kind == "i"
    assert seen.events["mood"][4] == "calm" and seen.events["chosen"][3].tolist() == [0, 1, 2]
    assert seen.status == Status.STOPPED
    first, violation, *others = sentences.of_round(seen, 1, given())
    assert first == sentences.objective(np.nan, 0.0) and numbers_in(violation) == [1, 0.01]
    assert others == ["Capped: no point.", "Chosen: none.", "Mood: calm.", "Many: 0.", "Rate: 1."]
    objective, *told = sentences.of_round(seen, 3, given())
    assert objective == sentences.objective(1.0, -2.0)
    assert told[:1] + told[2:4] == ["Point 1: zero → free.", "Capped: points 0 and 1.", "Chosen: 2 values from 0 to 1."]
    assert sentences.of_round(seen, 5, given())[-1] == sentences.end_sentence(seen)
    with pytest.raises(ValueError, match="made_up: no round was yielded"):
        recording.of_rounds(iter(()), "made_up")


@pytest.mark.parametrize(
    "n, options, status",
    [
        (5, dict(tol=0.2), "converged"),
        (5, dict(tol=0.19), "stopped before the tolerance was met"),
        (5, {}, "ended by itself"),
        (5, dict(tol=0.2, max_rounds=5), "converged"),
        (5, dict(tol=0.2, max_rounds=4), "iteration limit"),
        (5, dict(tol=0.9, max_rounds=4), "iteration limit"),
        (10**9, dict(tol=0.9, max_rounds=4), "iteration limit"),
    ],
)
def test_the_status_of_rounds(n, options, status):
    seen = recording.of_rounds(rounds(n), "made_up", **options)
    assert seen.status == status and seen.n_iter == options.get("max_rounds", 5)


def test_a_generator_may_say_itself_how_it_ended():
    assert recording.of_rounds(rounds(3, "all done"), "made_up", tol=9.0).status == "all done"
    assert recording.of_rounds(rounds(3, "never heard"), "made_up", max_rounds=2).status == "iteration limit"

    class Telling(NamedTuple):
        beta: np.ndarray
        intercept: float
        status: str

    seen = recording.of_rounds((Telling(np.zeros(2), 0.0, word) for word in ("on the way", "stalled")), "made_up")
    assert seen.status == "stalled" and isinstance(seen.status, str) and "status" not in seen.events
    shown = recording.of_rounds((Telling(np.zeros(2), 0.0, "fine") for _ in range(3)), "made_up", max_rounds=2)
    assert shown.status == "iteration limit" and shown.n_iter == 1
    assert seen.iteration.tolist() == [0, 1] and np.all(np.isnan(seen.objective)) and np.isnan(seen.violation[0])


def test_many_rounds_are_thinned_and_say_so(monkeypatch):
    monkeypatch.setattr(recording, "ROOM_BYTES", 16_000)

    def short(n):
        return (one._replace(chosen=np.zeros(1, int)) for one in rounds(n))

    sizes = {}
    for n in (70, 1000, 5000):
        seen = recording.of_rounds(short(n), "made_up", tol=1e-9)
        sizes[n] = len(seen.iteration)
        assert seen.iteration[0] == 1 and seen.iteration[-1] == n == seen.n_iter
        assert len(seen.frame_iter) <= 60 and seen.frame_iter[0] == 1 and seen.frame_iter[-1] == n
        assert np.array_equal(seen.reachable, seen.iteration)
        for t, beta in zip(seen.iteration, seen.iterates, strict=True):
            assert np.abs(beta).sum() == t - 1
    row = 8 * (4 + 3 + 3 + 1 + 3)  # four numbers, beta, capped, chosen, the other three
    assert 60 <= sizes[1000] <= 16_000 / row >= sizes[5000] >= 60 and sizes[70] == 70
    assert 8 <= seen.stepwise < 40
    lost = int(np.setdiff1d(np.arange(1, 5001), seen.iteration)[-1])
    nearest = seen.iteration[np.abs(seen.iteration - lost).argmin()]
    with pytest.raises(ValueError, match=f"iteration {lost} of 5000 was not kept; the nearest that was is {nearest}"):
        trace.coefficients_at(seen, lost, None)


def given():
    return trace.Given.classification(Kernel("precomputed"), np.eye(3), Y, "hinge", 1.0)._replace(qp=None)


def test_moments_of_rounds_need_no_box_and_one_that_moves_says_where_its_points_stand():
    seen = recording.of_rounds(rounds(5), "made_up")
    now = trace.moments(seen, [2, 5], given())
    assert now.intercept == pytest.approx([0.1, 0.4]) and now.objective.tolist() == [-1.0, -4.0]
    assert now.state.tolist() == [[duals.FREE, duals.ZERO, duals.ZERO], [duals.FREE] * 3]
    assert trace.coefficients_at(seen, 5, given()).tolist() == [2.0, -1.0, 1.0]

    class Boxed(NamedTuple):
        beta: np.ndarray
        intercept: float
        state: np.ndarray

    state = np.array([duals.UPPER, duals.LOWER])
    seen = recording.of_rounds((Boxed(np.ones(2), 0.0, state) for _ in range(2)), "made_up")
    for problem in (given(), given()._replace(qp=duals.hinge(np.array([1.0, -1.0]), 1.0))):
        assert trace.moments(seen, 1, problem).state.tolist() == [state.tolist()]
