import os
import sys
import threading
import time
import warnings

import pytest
from calls import Run, until

from pages.shared.server import jobs as background
from pages.shared.server import run_queue, sessions
from pages.shared.server.jobs import Job, SharedRows, start
from svmcore import SVC, deadline
from svmcore.studies import at_once


def test_an_error_is_kept_for_the_page_and_raised_in_every_job_that_shares_the_rows():
    def broken():
        yield 1
        raise ValueError("broken")

    shared = SharedRows(broken())
    for rows in (broken(), shared, shared):
        job = Job("key", rows, 2)
        job.wait(60)
        assert job.rows == [1] and job.error == "broken"


def test_a_job_leaves_the_warning_filters_of_the_process_alone():
    seen = []

    def work():
        seen.append(warnings.filters)
        SVC(C=1e4, max_iter=1).fit([[0.0], [1.0], [0.5], [0.6]], [0, 1, 1, 0])  # would warn of non-convergence
        yield 1

    before = warnings.filters
    job = Job("key", work(), 1)
    job.wait(60)
    assert seen[0] is before and job.error is None and job.rows == [1]


def test_a_job_that_a_page_waits_for_waits_neither_for_pages_nor_for_other_jobs(monkeypatch):
    monkeypatch.setattr(background, "YIELD", 1e9)
    monkeypatch.setattr(background, "_workers", threading.Semaphore(1))
    turns = run_queue.RunQueue(1)
    monkeypatch.setattr(run_queue, "queue", turns)
    assert turns.enter("a session")
    other, job = Job("other", iter(range(3)), 3), Job("key", iter(range(3)), 3)
    other.wait(0.0)
    job.wait(60)
    assert job.is_finished and job.rows == [0, 1, 2]
    turns.leave()
    other.wait(60)
    assert other.is_finished


def gated(count, *, free=0):
    """A generator of numbers, each of which waits to be let free, and its semaphore."""
    gate = threading.Semaphore(free)

    def numbers():
        for number in range(count):
            assert gate.acquire(timeout=10)
            yield number

    return numbers(), gate


@pytest.mark.parametrize("shared", [iter, SharedRows])
def test_a_stop_is_at_once_and_a_resumed_job_loses_and_repeats_nothing(shared):
    numbers, gate = gated(6, free=2)
    job = Job("key", shared(numbers), 6)
    until(lambda: len(job.rows) == 2)
    job.stop()  # while the third is being made
    assert not job.is_running and job.is_stopped and not job.is_finished
    job.resume()
    job.resume()  # nothing more
    assert job.is_running
    gate.release(2)
    until(lambda: len(job.rows) == 4)
    job.stop()
    gate.release()
    job.wait(60)
    assert job.rows == [0, 1, 2, 3, 4] and not job.is_running
    job.resume()
    gate.release()
    job.wait(60)
    assert job.rows == list(range(6)) and job.progress == 1.0 and job.error is None
    assert Job("key", (), 0).progress == 0.0
    assert job.is_finished and not job.is_stopped and not job.is_running


def test_the_remaining_time_follows_the_pace_since_the_start(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    numbers, gate = gated(200, free=1)
    job = Job("key", numbers, 200)
    until(lambda: len(job.rows) == 1)
    now[0] += 10
    assert job.seconds_left is None  # one of 200 is too few
    gate.release(3)
    until(lambda: len(job.rows) == 4)
    assert job.seconds_left == pytest.approx(10 / 4 * 196)
    now[0] += 1000
    job.stop()
    gate.release()
    job.wait(60)
    job.resume()
    gate.release(15)
    until(lambda: len(job.rows) == 20)
    assert job.seconds_left is None  # less than a second since
    now[0] += 3
    assert job.seconds_left == pytest.approx(3 / 15 * 180)
    job.stop()
    gate.release()
    job.wait(60)


def test_rows_that_are_shared_are_made_once_by_whichever_thread_comes_first(monkeypatch):
    monkeypatch.setattr(background, "_workers", threading.Semaphore(2))  # one of them is held up by the gate
    numbers, gate = gated(4)
    shared = SharedRows(numbers)
    jobs = [Job(key, shared, 4) for key in "ab"]
    gate.release(2)
    until(lambda: all(len(job.rows) == 2 for job in jobs))
    assert shared.rows == [0, 1]
    gate.release(2)
    for job in jobs:
        job.wait(60)
        assert (job.rows, job.error) == ([0, 1, 2, 3], None) and job.is_finished
    assert shared.rows == list(shared) == [0, 1, 2, 3]


def test_a_finished_job_is_begun_anew_only_where_that_is_wanted():
    jobs, begun = {}, []

    def begin(key):
        begun.append(key)
        return Job(key, iter([1]), 1)

    for again in (False, False, True):
        start(jobs, "page", "key", begin, again)
        jobs["page"].wait(60)
        assert jobs["page"].is_finished and jobs["page"].rows == [1]
    assert len(begun) == 2


@pytest.fixture
def session(monkeypatch):
    """Jobs are those of this session, which is here; both can be changed. They end with the test."""
    state = {"name": "one", "here": True}
    monkeypatch.setattr(sessions, "current", lambda: state["name"])
    monkeypatch.setattr(sessions, "is_connected", lambda session: state["here"])
    monkeypatch.setattr(background, "_jobs", type(background._jobs)())
    yield state
    for job, _ in background.running_jobs():
        job.stop()


def endless(key):
    def rows():
        while True:
            time.sleep(0.002)
            yield key

    return Job(key, rows(), float("inf"))


def test_a_job_ends_with_its_session(session):
    start(jobs := {}, "page", "key", endless)
    now = time.monotonic() + 3600.0  # counted from when it was seen last, not from its beginning
    background.stop_abandoned(now)
    session["here"] = False
    background.stop_abandoned(now + background.GRACE - 1)
    assert jobs["page"].is_running  # a reload takes a moment
    background.stop_abandoned(now + background.GRACE + 1)
    jobs["page"].wait(60)
    assert not jobs["page"].is_running


def test_a_session_has_few_jobs_and_the_oldest_is_stopped(session):
    jobs = {}
    for page in range(background.MOST_JOBS + 1):
        start(jobs, page, page, endless)
    assert [jobs[page].is_running for page in jobs] == [False, *[True] * background.MOST_JOBS]
    session["name"] = "two"
    start(others := {}, "page", "key", endless)
    assert others["page"].is_running and jobs[1].is_running
    before = others["page"]
    after = start(others, "page", "another key", endless)
    assert after.is_running and not before.is_running and others == {"page": after}


def test_all_sessions_have_a_bounded_number_of_jobs(session, monkeypatch):
    monkeypatch.setattr(background, "MOST_JOBS_IN_ALL", 3)
    jobs = {}
    for page in range(5):
        session["name"] = page
        start(jobs, page, page, endless)
    assert [job.is_running for job in jobs.values()] == [False, False, True, True, True]


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
    until(lambda: not any(job.is_running for job in jobs))
    assert max(most) <= background.WORKERS and all(len(job.rows) == 5 for job in jobs)


def test_the_threads_of_a_job_are_those_that_readers_and_other_jobs_leave(session, monkeypatch):
    turns = run_queue.RunQueue(1)
    monkeypatch.setattr(run_queue, "queue", turns)
    monkeypatch.setattr(background, "CORES", 8)
    assert background.threads() == 8
    turns.enter("part", urgent=False)
    turns.leave()
    assert background.threads() == 8, "what renews itself is not a reader who acts"
    turns.enter("page")
    turns.leave()
    assert background.threads() == 7
    jobs, found = {}, []
    for page in range(background.MOST_JOBS):
        start(jobs, page, page, endless)
        found.append(background.threads())
    session["name"] = "other"
    for page in range(background.MOST_JOBS, 9):
        start(jobs, page, page, endless)
        session["name"] = page
    assert found == [7, 3, 2, 1] and background.threads() == 1
    monkeypatch.setattr(background, "ACTING", 0.0)
    for page in range(1, 9):
        jobs[page].stop()
    assert background.threads() == 8


@pytest.mark.skipif(sys.platform != "linux", reason="only there a thread has a priority of its own")
def test_jobs_and_the_threads_they_start_come_after_pages():
    def niceness(_=None):
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    job = Job("key", at_once.in_order(niceness, range(3), workers=2), 3)
    single = Job("key", (niceness() for _ in range(1)), 1)
    until(lambda: not job.is_running and not single.is_running)
    assert {*job.rows, *single.rows} == {min(niceness() + background.NICE, 19)}  # 19 is the last in the queue


def test_a_job_lets_the_pages_of_readers_go_first(monkeypatch):
    turns, log = run_queue.RunQueue(1), []
    monkeypatch.setattr(run_queue, "queue", turns)
    monkeypatch.setattr(background, "YIELD", 60.0)
    run = Run(turns, "reader", log)
    until(lambda: log == ["reader"])
    job = Job("key", iter([1, 2]), 2)
    time.sleep(0.05)
    assert job.rows == [] and job.is_running
    run.go.set()
    until(lambda: not job.is_running)
    assert job.rows == [1, 2]


def test_a_row_gives_way_between_the_steps_of_a_solver_but_not_for_longer_than_it_computes(monkeypatch):
    turns, log, looks = run_queue.RunQueue(1), [], []
    monkeypatch.setattr(run_queue, "queue", turns)
    monkeypatch.setattr(background, "YIELD", 60.0)
    computing, reader_came = threading.Event(), threading.Event()

    def work():
        computing.set()
        assert reader_came.wait(10)
        deadline.is_over()
        looks.append(turns.counts)
        yield 1

    job = Job("key", work(), 1)
    assert computing.wait(10)
    run = Run(turns, "reader", log)
    until(lambda: log == ["reader"])
    reader_came.set()
    time.sleep(0.1)
    assert not looks and job.is_running
    run.go.set()
    until(lambda: not job.is_running)
    assert looks == [(0, 0)]

    monkeypatch.setattr(background, "YIELD", 0.01)
    endless_run = Run(turns, "reader", log)
    until(lambda: len(log) == 2)
    late = Job("key", (any(deadline.is_over() for _ in range(10_000)) for _ in range(1)), 1)
    until(lambda: not late.is_running)
    assert late.rows == [False] and turns.counts == (1, 0)
    endless_run.go.set()


def test_many_jobs_are_looked_at_less_often(session):
    assert background.update_interval(0.5) == 0.5
    jobs = {}
    for page in range(8):
        session["name"] = page
        start(jobs, page, page, endless)
    assert background.update_interval(0.5) == 1.0
