"""Threads give what a loop gives, in its order, and stop when nobody asks for more."""

import threading
import time

import pytest
from sklearn.exceptions import ConvergenceWarning

from svmcore import SVC
from svmcore.studies import at_once, robustness
from svmcore.warned import silently

MACHINES = {loss: SVC(loss=loss, gamma=1.0) for loss in ("hinge", "least_squares", "pinball")}
LEVELS = robustness.own_levels("label_flips", {"n": 40}, [0.0, 0.1])


def test_results_come_in_the_order_of_the_tasks_and_so_does_an_exception_and_several_run_at_the_same_time():
    def slow_first(k):
        time.sleep(0.02 * (k == 0))
        return k * k

    assert list(at_once.in_order(slow_first, range(50), workers=4)) == [k * k for k in range(50)]
    assert list(at_once.in_order(slow_first, [], workers=4)) == []
    results = at_once.in_order(lambda k: 6 // k, [3, 2, 0, 1], workers=2)
    assert [next(results), next(results)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(results)
    both = threading.Barrier(2, timeout=10.0)  # passed by two threads together only
    assert sorted(at_once.in_order(lambda _: both.wait(), range(2), workers=2)) == [0, 1]


def test_work_that_is_not_asked_for_is_not_done():
    begun = []
    results = at_once.in_order(begun.append, range(1000), workers=2)
    for _ in range(3):
        next(results)
    assert len(begun) <= 3 + 2 * at_once.AHEAD
    next(results)  # resumed
    results.close()
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("at_once")]
    for thread in threads:
        thread.join(10.0)
    assert len(begun) <= 4 + 2 * at_once.AHEAD and not any(thread.is_alive() for thread in threads)


def test_the_number_of_threads_may_change_meanwhile(monkeypatch):
    monkeypatch.setattr(at_once, "WORTH", 0.0)
    allowed, inside = [2], []

    def task(k):
        inside.append((k, threading.current_thread() is threading.main_thread()))
        return k

    results = at_once.in_order(task, range(20), workers=lambda: allowed[0])
    found = [next(results), next(results)]
    allowed[0], begun = 1, at_once.AHEAD * 2
    found += [next(results) for _ in range(8)]
    allowed[0] = 3
    found += results
    mine = [k for k, main in sorted(inside) if main]
    assert found == [*range(20)] and mine == [0, *range(1 + begun, 10)], "the caller computes where there is one thread"


@pytest.mark.parametrize("workers", [None, lambda: 2])
def test_short_tasks_stay_in_the_thread_of_the_caller(monkeypatch, workers):
    monkeypatch.setattr(at_once.joblib, "cpu_count", lambda: 2)
    clock = iter(range(1000))  # each task takes one

    def threads_of(worth):
        monkeypatch.setattr(at_once, "WORTH", worth)
        monkeypatch.setattr(at_once, "perf_counter", lambda: next(clock))
        found = at_once.in_order(lambda _: threading.current_thread() is threading.main_thread(), range(6), workers)
        return list(found)

    assert threads_of(1.5) == [True] * 6
    assert threads_of(0.5) == [True] + [False] * 5


def test_a_study_is_the_same_for_any_number_of_threads():
    one, three = (list(robustness.study(MACHINES, LEVELS, range(3), workers=w)) for w in (1, 3))
    assert [row._replace(seconds=0.0) for row in one] == [row._replace(seconds=0.0) for row in three]
    assert [(row.seed, row.level, row.machine) for row in one] == [
        (seed, level, name) for seed in range(3) for level in LEVELS.values for name in MACHINES
    ]


def test_threads_are_as_silent_as_their_caller():
    def unfinished(_):
        SVC(C=1e4, max_iter=1).fit([[0.0], [1.0], [0.5], [0.6]], [0, 1, 1, 0])

    with silently():
        assert list(at_once.in_order(unfinished, range(4), workers=2)) == [None] * 4
    with pytest.warns(ConvergenceWarning):
        list(at_once.in_order(unfinished, range(4), workers=2))
