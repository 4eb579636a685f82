"""What is kept has a bound, for each session and in all: the oldest results go first, and what runs stays."""

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np
import pytest

from pages.shared.page.job_panel import JobPanel
from pages.shared.server import cache, sessions
from pages.shared.server.cache import shared_cache
from pages.shared.server.jobs import Job
from svmcore import deadline


@pytest.fixture
def results(monkeypatch):
    """Room for ten results of one MB in all, and for four of a session."""
    results = cache.Cache(10.5, 4.5)
    monkeypatch.setattr(cache, "RESULTS", results)
    return results


@pytest.fixture
def session(monkeypatch):
    """The `name` says whose run it is."""
    state = {"name": "one"}
    monkeypatch.setattr(sessions, "current", lambda: state["name"])
    return state


class One(NamedTuple):
    key: str
    kept: bytes


def megabyte():
    return bytes(10**6)


def ask(results, *keys, kind="kind", entries=100):
    """Results of a megabyte each."""
    for key in keys:
        results.compute(kind, key, megabyte, entries)


def found(results, keys, kind="kind"):
    """Those of the keys whose results are there."""
    return [key for key in keys if results.find(kind, key) is not None]


def test_a_result_is_computed_once_by_the_thread_that_comes_first(results):
    made, gate, begun = [], threading.Event(), threading.Event()

    def compute():
        made.append(1)
        begun.set()
        assert gate.wait(10)
        return "result"

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(results.compute, "kind", "key", compute, 2) for _ in range(3)]
        assert begun.wait(10) and results.compute("kind", "other", lambda: "at once", 2) == "at once"
        gate.set()
        assert [one.result(10) for one in asked] == ["result"] * 3
    assert made == [1]


def test_each_kind_has_its_number_and_what_is_not_to_be_kept_or_failed_is_computed_again(results):
    made = []

    def twice(key, keep=True):
        return results.compute("kind", key, lambda: made.append(key) or key * 2, 2, lambda: keep)

    results.put("another kind", 1, "there", 1)
    assert [twice(1, keep=False), *map(twice, (1, 1, 2, 1, 3, 1, 2))] == [2, 2, 2, 4, 2, 6, 2, 4]
    assert made == [1, 1, 2, 3, 2] and results.find("another kind", 1) == "there"
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            results.compute("kind", "key", lambda: 1 / 0, 2)
    results.clear("kind")
    twice(1)
    results.drop("kind", 1)
    twice(1)
    results.put("kind", 3, "nothing", 0)
    assert made == [1, 1, 2, 3, 2, 1, 1] and found(results, [3]) == []


def test_a_function_shares_its_results_unless_the_time_limit_may_have_cut_them_short(results):
    made = []

    @shared_cache(2)
    def double(number, unhashable=()):
        return made.append(number) or 2 * number

    @shared_cache(2, timed=False)
    def treble(number):
        return made.append(number) or 3 * number

    with deadline.time_limit(0.0):
        assert [double(1), double(1), treble(5), treble(5)] == [2, 2, 15, 15]
    assert made == [1, 1, 5]
    assert [double(1), double(1), double(2, [3]), double(2, [3]), double(2, [4])] == [2, 2, 4, 4, 4]
    assert made == [1, 1, 5, 1, 2, 2]
    double.drop(2, [4])
    double.clear()
    assert (double(2, [3]), treble(5), made[6:]) == (4, 15, [2])


def test_a_session_keeps_what_it_has_used_last_and_takes_none_of_the_others(results, session):
    ask(results, "other")
    session["name"] = "two"
    ask(results, *range(6))
    assert results.largest == pytest.approx(4.0, rel=0.01) and results.total == pytest.approx(5.0, rel=0.01)
    assert found(results, ["other", *range(6)]) == ["other", 2, 3, 4, 5]
    ask(results, 2, 6)
    assert found(results, range(7)) == [2, 4, 5, 6]


def test_all_sessions_together_have_a_bound(results, session):
    for name in range(5):
        session["name"] = str(name)
        ask(results, *range(3), kind=f"kind {name}")
    assert results.total == pytest.approx(10.0, abs=0.1)
    assert [len(found(results, range(3), f"kind {name}")) for name in range(5)] == [0, 1, 3, 3, 3]


def test_what_is_gone_counts_no_longer_and_what_is_larger_than_the_bound_is_kept_until_the_next(results, session):
    ask(results, 0, 1, 2, entries=2)
    results.put("other", "key", megabyte(), 100)
    assert results.total == pytest.approx(3.0, rel=0.01), "one of three had no room"
    results.drop("kind", 1)
    results.put("other", "key", b"", 100)
    assert results.total == pytest.approx(1.0, rel=0.01)
    results.clear()
    assert results.total == results.largest == 0.0
    results.compute("kind", "huge", lambda: bytes(20 * 10**6), 100)
    assert found(results, ["huge"]) == ["huge"]
    results.compute("kind", "small", lambda: b"0", 100)
    assert found(results, ["huge", "small"]) == ["small"]


def test_the_rows_of_a_session_count_and_a_job_that_runs_stays(results, session, request, monkeypatch):
    def rows():
        yield megabyte()
        while stay:
            time.sleep(0.001)
        yield megabyte()

    stay, panel, jobs = [True], JobPanel("map", "fits", room=100), WeakValueDictionary()
    monkeypatch.setattr(JobPanel, "jobs", jobs)
    request.addfinalizer(stay.clear)
    panel._start("runs", "runs", lambda key: Job(key, rows(), 2))
    for name in ("first", "second"):
        panel._start(name, name, lambda key: Job(key, iter([megabyte(), megabyte()]), 2)).wait(30)
    for page in ("runs", "first", "second"):
        panel.job(page, None)
    ask(results, *range(4))
    gc.collect()
    assert [*jobs] == ["runs"] and results.largest < 5.0
    stay.clear()
    jobs["runs"].wait(30)
    assert jobs["runs"].rows == [megabyte()] * 2


def test_files_are_refused_while_the_process_is_full(monkeypatch):
    cache.check_room()
    monkeypatch.setattr(cache, "MOST", 1.0)
    with pytest.raises(ValueError, match=r"memory is full at the moment: try again"):
        cache.check_room()


def test_outside_of_a_page_nothing_is_shown_while_one_waits(caplog):
    with cache.wait_spinner("Wait"):
        assert not caplog.records


class Mine:
    """In the place of an object of the app."""

    __module__ = "pages.shared.any"

    def __init__(self, **parts):
        vars(self).update(parts)


X = np.zeros((1000, 125))


@pytest.mark.parametrize(
    "value, megabytes",
    [
        (X, 1.0), (X[:5], 1.0), ([X, X], 1.0), (Mine(X=X, same=X), 1.0), (One("key", bytes(10**6)), 1.0),
        ({"a": [X.copy(), X.copy()]}, 2.0), ([bytes(1000) for _ in range(1000)], 1.0), (Mine(to=print), 0.0),
        (None, 0.0),
    ],
)  # fmt: skip
def test_the_size_of_a_value(value, megabytes):
    assert cache.megabytes(value) == pytest.approx(megabytes, rel=0.05, abs=0.001)
