"""What is kept has a bound, for each session and in all: the oldest results go first, and what runs stays."""

import gc
import time
from typing import NamedTuple

import numpy as np
import pytest

from pages.shared import memory, traffic
from pages.shared.jobs.background import LRU, Job, Jobs, Results, kept


@pytest.fixture
def account(monkeypatch):
    """Room for ten results of one MB in all, and for four of a session; `session` says whose run it is."""
    account = memory.Account(10.5, 4.5)
    monkeypatch.setattr(memory, "account", account)
    return account


@pytest.fixture
def session(monkeypatch):
    state = {"name": "one"}
    monkeypatch.setattr(traffic, "session", lambda: state["name"])
    return state


class One(NamedTuple):
    key: str
    kept: bytes


def megabyte():
    return bytes(10**6)


def found(results, keys):
    """Those of the keys whose results are kept."""
    missing = []
    for key in keys:
        results.get(key, lambda key=key: missing.append(key), keep=lambda: False)
    return [key for key in keys if key not in missing]


def test_a_session_keeps_its_newest_results_and_takes_none_of_the_others(account, session):
    results = Results(100)
    results.get("other", megabyte)
    session["name"] = "two"
    for key in range(6):
        results.get(key, megabyte)
    assert account.largest == pytest.approx(4.0, rel=0.01) and account.total == pytest.approx(5.0, rel=0.01)
    assert found(results, ["other", *range(6)]) == ["other", 2, 3, 4, 5]


def test_what_was_used_longest_ago_goes_first(account, session):
    results = Results(100)
    for key in range(4):
        results.get(key, megabyte)
    results.get(0, megabyte)
    results.get(4, megabyte)
    assert found(results, range(5)) == [0, 2, 3, 4]


def test_all_sessions_together_have_a_bound(account, session):
    several = [Results(100) for _ in range(5)]
    for name, results in enumerate(several):
        session["name"] = name
        for key in range(3):
            results.get(key, megabyte)
    assert account.total == pytest.approx(10.0, abs=0.1)
    assert [len(found(results, range(3))) for results in several] == [0, 1, 3, 3, 3]


def test_a_result_that_is_larger_than_the_bound_is_kept_until_the_next(account, session):
    results = Results(100)
    results.get("huge", lambda: bytes(20 * 10**6))
    assert found(results, ["huge"]) == ["huge"]
    results.get("small", lambda: b"")
    assert found(results, ["huge", "small"]) == ["small"]


def test_what_is_gone_counts_no_longer(account, session):
    results, lru = Results(2), LRU(100, noted=True)
    for key in range(3):
        results.get(key, megabyte)
    lru.put(One("key", megabyte()))
    assert account.total == pytest.approx(3.0, rel=0.01), "one of three had no room"
    results.drop(1)
    lru.put(One("key", b""))
    assert account.total == pytest.approx(1.0, rel=0.01)
    del results
    gc.collect()
    assert account.total == pytest.approx(0.0, abs=0.01) and account.largest < 0.01


def test_the_rows_of_a_session_count_and_a_job_that_runs_stays(account, session, request):
    def rows():
        yield megabyte()
        while stay:
            time.sleep(0.001)
        yield megabyte()

    stay = [True]
    jobs, finished = Jobs(), LRU(100, noted=True)
    runs = Job("runs", rows(), 2)
    request.addfinalizer(stay.clear)
    done = {name: Job(name, iter([megabyte(), megabyte()]), 2) for name in ("first", "second")}
    for job in done.values():
        job.wait(30)
    jobs.update(runs=runs, **done)
    for page in [*jobs]:
        kept(jobs, finished, page, None)
    for key in range(4):
        finished.put(One(key, megabyte()))
    assert [*jobs] == ["runs"] and account.largest < 5.0
    stay.clear()
    runs.wait(30)
    assert kept(jobs, finished, "runs", None).rows == [megabyte()] * 2, "its rows are there until they are the oldest"


def test_files_are_refused_while_the_process_is_full(monkeypatch):
    memory.room_for_files()
    monkeypatch.setattr(memory, "MOST", 1.0)
    with pytest.raises(ValueError, match=r"memory is full at the moment: try again"):
        memory.room_for_files()


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
    assert memory.megabytes(value) == pytest.approx(megabytes, rel=0.05, abs=0.001)
