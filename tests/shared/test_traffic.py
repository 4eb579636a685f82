"""Many readers: turns, the newest request of a session, jobs that end with their session, the report."""

import json
import os
import sys
import threading
import time
from types import SimpleNamespace

import loop
import pytest

from pages.shared import memory, traffic
from pages.shared.jobs import background
from pages.shared.jobs.background import Job, start
from svmcore.studies import at_once


def until(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


class Run(threading.Thread):
    """A run of a page: waits for its turn, then for `go`."""

    def __init__(self, turns, session, log, gone=lambda: False):
        super().__init__(daemon=True)
        self.turns, self.session, self.log, self.gone = turns, session, log, gone
        self.go, self.entered = threading.Event(), None
        self.start()

    def run(self):
        self.entered = self.turns.enter(self.session, self.gone)
        if self.entered:
            self.log.append(self.session)
            self.go.wait(10)
            self.turns.leave()


def waiting(turns, count):
    until(lambda: turns.counts[1] == count)


def test_as_many_run_as_there_are_turns_in_the_order_of_their_sessions():
    turns, log = traffic.Turns(1), []
    runs = []
    for number, session in enumerate("abc"):
        runs.append(Run(turns, session, log))
        until(lambda number=number: turns.counts == (1, number))
    for run in runs:
        run.go.set()
        run.join(5)
    assert log == ["a", "b", "c"] and turns.counts == (0, 0) and len(turns.seconds) == 3


def test_only_the_newest_request_of_a_session_is_answered_and_it_keeps_its_place():
    turns, log = traffic.Turns(1), []
    first = Run(turns, "a", log)
    until(lambda: turns.counts == (1, 0))
    stale = Run(turns, "b", log)
    waiting(turns, 1)
    third = Run(turns, "c", log)
    waiting(turns, 2)
    newest = Run(turns, "b", log)
    stale.join(5)
    assert stale.entered is False and turns.counts == (1, 2)
    for run in (first, newest, third):
        run.go.set()
        run.join(5)
    assert log == ["a", "b", "c"] and newest.entered


def test_a_thread_that_ends_without_a_word_holds_up_nothing():
    turns = traffic.Turns(1)
    thread = threading.Thread(target=turns.enter, args=("a",))
    thread.start()
    thread.join(5)
    assert turns.enter("b") and turns.counts == (1, 0)
    turns.leave()


def test_a_session_that_has_left_does_not_wait():
    turns, log = traffic.Turns(1), []
    first = Run(turns, "a", log)
    until(lambda: turns.counts == (1, 0))
    left = Run(turns, "b", log, gone=lambda: True)
    left.join(5)
    assert left.entered is False and turns.counts == (1, 0)
    first.go.set()


def test_a_long_run_does_not_hold_up_the_others_for_ever(monkeypatch):
    monkeypatch.setattr(traffic, "LONGEST", 0.05)
    turns, log = traffic.Turns(1), []
    Run(turns, "a", log)
    until(lambda: log == ["a"])
    Run(turns, "b", log)
    until(lambda: log == ["a", "b"])


def test_a_run_beside_one_that_takes_long_but_not_beside_a_short_one():
    turns, log = traffic.Turns(2, short=60.0), []
    runs = [Run(turns, session, log) for session in "ab"]
    waiting(turns, 1)
    turns.short = 0.0
    until(lambda: log == ["a", "b"])
    third = Run(turns, "c", log)
    until(lambda: turns.counts == (2, 1) and turns.awaited)
    for run in (*runs, third):
        run.go.set()
        run.join(5)
    assert log == ["a", "b", "c"] and not turns.awaited


@pytest.fixture
def session(monkeypatch):
    """Jobs are those of this session, which is here; both can be changed."""
    state = {"name": "one", "here": True}
    monkeypatch.setattr(traffic, "session", lambda: state["name"])
    monkeypatch.setattr(traffic, "_here", lambda session: state["here"])
    monkeypatch.setattr(traffic, "_jobs", type(traffic._jobs)())
    monkeypatch.setattr(traffic, "_wardens", [None])  # the test looks itself
    return state


def endless(key):
    def rows():
        while True:
            time.sleep(0.002)
            yield key

    return Job(key, rows(), float("inf"))


def test_a_job_ends_with_its_session(session):
    jobs = {}
    start(jobs, "page", "key", endless)
    now = time.monotonic()
    traffic.look(now)
    session["here"] = False
    traffic.look(now + traffic.GRACE - 1)
    assert jobs["page"].running  # a reload takes a moment
    traffic.look(now + traffic.GRACE + 1)
    jobs["page"].wait(5)
    assert not jobs["page"].running


def test_a_session_has_few_jobs_and_the_oldest_is_stopped(session):
    jobs = {}
    for page in range(traffic.MOST_JOBS + 1):
        start(jobs, page, page, endless)
    assert [jobs[page].running for page in jobs] == [False, *[True] * traffic.MOST_JOBS]
    session["name"] = "two"
    start(others := {}, "page", "key", endless)
    assert others["page"].running and jobs[1].running
    for job in [*jobs.values(), *others.values()]:
        job.stop()


def test_all_sessions_have_a_bounded_number_of_jobs(session, monkeypatch):
    monkeypatch.setattr(traffic, "MOST_JOBS_IN_ALL", 3)
    jobs = {}
    for page in range(5):
        session["name"] = page
        start(jobs, page, page, endless)
    assert [job.running for job in jobs.values()] == [False, False, True, True, True]
    for job in jobs.values():
        job.stop()


def test_few_jobs_compute_at_a_time():
    inside, most = [], []

    def rows():
        for _ in range(5):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.005)
            inside.pop()
            yield 1

    jobs = [Job(k, rows(), 5) for k in range(8)]
    until(lambda: not any(job.running for job in jobs))
    assert max(most) <= traffic.WORKERS and all(len(job.rows) == 5 for job in jobs)


def test_the_threads_of_a_job_are_those_that_readers_and_other_jobs_leave(session, monkeypatch):
    turns = traffic.Turns(1)
    monkeypatch.setattr(traffic, "turns", turns)
    monkeypatch.setattr(traffic, "CORES", 8)
    assert traffic.threads() == 8
    turns.enter("part", first=False)
    turns.leave()
    assert traffic.threads() == 8, "what renews itself is not a reader who acts"
    turns.enter("page")
    turns.leave()
    assert traffic.threads() == 7
    jobs, found = {}, []
    for page in range(traffic.MOST_JOBS):
        start(jobs, page, page, endless)
        found.append(traffic.threads())
    session["name"] = "other"
    for page in range(traffic.MOST_JOBS, 9):
        start(jobs, page, page, endless)
        session["name"] = page
    assert found == [7, 3, 2, 1] and traffic.threads() == 1
    monkeypatch.setattr(traffic, "ACTING", 0.0)
    for page in range(1, 9):
        jobs[page].stop()
    assert traffic.threads() == 8
    jobs[0].stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a thread has a priority of its own")
def test_jobs_and_the_threads_they_start_come_after_pages():
    def niceness(_=None):
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    job = Job("key", at_once.in_order(niceness, range(3), workers=2), 3)
    single = Job("key", (niceness() for _ in range(1)), 1)
    until(lambda: not job.running and not single.running)
    assert {*job.rows, *single.rows} == {min(niceness() + traffic.NICE, 19)}  # 19 is the last in the queue


def test_parts_that_renew_themselves_wait_for_the_pages_of_readers():
    turns, log, threads = traffic.Turns(1), [], []
    run = Run(turns, "running", log)
    until(lambda: log == ["running"])

    def enter(session, first):
        turns.enter(session, first=first)
        log.append(session)
        turns.leave()

    for number, (session, first) in enumerate([("part", False), ("other part", False), ("page", True)], 1):
        threads.append(threading.Thread(target=enter, args=(session, first), daemon=True))
        threads[-1].start()
        waiting(turns, number)
    run.go.set()
    for thread in threads:
        thread.join(10)
    assert log == ["running", "page", "part", "other part"]


@pytest.mark.parametrize("fragments, turns_taken", [(["f"], 1), ([], 0), (None, 0)])
def test_a_part_takes_a_turn_only_where_it_is_not_made_with_its_page(monkeypatch, fragments, turns_taken):
    turns = traffic.Turns(1)
    monkeypatch.setattr(traffic, "turns", turns)
    context = SimpleNamespace(session_id="s", fragment_ids_this_run=fragments)
    monkeypatch.setattr(traffic, "get_script_run_ctx", lambda **_: context)
    with pytest.raises(ZeroDivisionError), traffic.update():
        assert turns.counts == (turns_taken, 0)
        raise ZeroDivisionError
    assert turns.counts == (0, 0)


def test_a_job_lets_the_pages_of_readers_go_first_but_not_for_ever(monkeypatch):
    turns, log = traffic.Turns(1), []
    monkeypatch.setattr(traffic, "turns", turns)
    monkeypatch.setattr(traffic, "YIELD", 60.0)
    run = Run(turns, "reader", log)
    until(lambda: log == ["reader"])
    job = Job("key", iter([1, 2]), 2)
    time.sleep(0.05)
    assert job.rows == [] and job.running
    run.go.set()
    until(lambda: not job.running)
    assert job.rows == [1, 2]
    monkeypatch.setattr(traffic, "YIELD", 0.01)
    endless_run = Run(turns, "reader", log)
    until(lambda: len(log) == 2)
    late = Job("key", iter([1, 2]), 2)
    until(lambda: not late.running)
    assert late.rows == [1, 2] and turns.counts == (1, 0)
    endless_run.go.set()


def test_many_jobs_are_looked_at_less_often(session):
    assert traffic.pace(0.5) == 0.5
    jobs = {}
    for page in range(8):
        session["name"] = page
        start(jobs, page, page, endless)
    assert traffic.pace(0.5) == 1.0
    for job in jobs.values():
        job.stop()


def test_a_full_process_drops_half_of_its_results_the_oldest_first(monkeypatch):
    monkeypatch.setattr(memory, "account", memory.Account(1000.0, 1000.0))
    results = background.Results(16)
    for key in range(4):
        results.get(key, lambda: bytes(10**6))
    traffic.look(time.monotonic())
    assert memory.account.total == pytest.approx(4.0, rel=0.01) and memory.of_process() > 10
    monkeypatch.setattr(memory, "MOST", 1.0)
    traffic.look(time.monotonic())
    again = []
    for key in (3, 2, 1, 0):
        results.get(key, lambda key=key: again.append(key) or b"")
    assert memory.account.total == pytest.approx(2.0, rel=0.02) and again == [1, 0]


def test_the_health_route_reports():
    (route,) = traffic.routes()
    assert route.path == "/health"
    told = json.loads(loop.run(route.endpoint(None)).body)
    assert told["status"] == "ok" and told["memory_mb"] > 10 and told["threads"] >= 1
    assert told["threads_of"]["MainThread"] == 1 and sum(told["threads_of"].values()) == told["threads"]
    assert told["memory_per_session_mb"] is None, "without a session"
    assert set(told) == {
        "status", "process", "sessions", "runs", "jobs", "threads", "threads_of", "memory_mb", "memory_most_mb",
        "memory_per_session_mb", "results_mb", "results_most_mb", "results_of_a_session_mb",
        "results_of_a_session_most_mb",
    }  # fmt: skip
    assert set(told["runs"]) == {"running", "waiting", "p50_ms", "p95_ms"}


class Requests:
    """In the place of Streamlit's, which say at each command whether the run is to end."""

    def on_scriptrunner_yield(self):
        return "another request"


def test_a_run_is_made_to_its_end_while_others_wait_and_only_then(monkeypatch):
    turns, log, requests = traffic.Turns(1), [], Requests()
    monkeypatch.setattr(traffic, "turns", turns)
    context = type("Context", (), {"script_requests": requests, "session_id": "a"})()
    monkeypatch.setattr(traffic, "get_script_run_ctx", lambda suppress_warning: context)
    traffic.enter()
    assert requests.on_scriptrunner_yield() == "another request"
    traffic.shield()
    assert requests.on_scriptrunner_yield() == "another request"
    other = Run(turns, "b", log)
    waiting(turns, 1)
    assert requests.on_scriptrunner_yield() is None
    traffic.leave()
    other.go.set()
    other.join(5)
    assert log == ["b"] and requests.on_scriptrunner_yield() == "another request"


def test_the_newest_request_of_a_run_keeps_its_turn():
    turns, log = traffic.Turns(1), []
    assert turns.enter("a")
    other = Run(turns, "b", log)
    waiting(turns, 1)
    assert turns.enter("a") and turns.counts == (1, 1)
    turns.leave()
    other.go.set()
    other.join(5)
    assert log == ["b"]
