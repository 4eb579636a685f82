import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.shared import traffic
from pages.shared.jobs.background import LRU, Job, Results, Shared, start
from svmcore import SVC


def test_a_job_collects_and_ends():
    job = Job("key", iter(range(5)), 5)
    job.wait(5)
    assert job.rows == list(range(5)) and job.progress == 1.0
    assert not job.running and not job.stopped and job.finished and job.error is None


def test_a_job_that_is_stopped_keeps_what_it_has():
    gate, first = threading.Event(), threading.Event()

    def slow():
        yield 1
        first.set()
        gate.wait(5)
        yield 2
        pytest.fail("went on after the stop")

    job = Job("key", slow(), 3)
    assert first.wait(5) and job.running
    job.stop()
    gate.set()
    job.wait(5)
    assert job.stopped and job.rows == [1, 2] and job.progress == pytest.approx(2 / 3)


def test_an_error_is_kept_for_the_page():
    def broken():
        yield 1
        raise ValueError("only 3 points can be flipped")

    job = Job("key", broken(), 2)
    job.wait(5)
    assert job.error == "only 3 points can be flipped" and job.rows == [1]


def test_a_job_leaves_the_warning_filters_of_the_process_alone():
    seen = []

    def work():
        seen.append(warnings.filters)
        SVC(C=1e4, max_iter=1).fit([[0.0], [1.0], [0.5], [0.6]], [0, 1, 1, 0])  # would warn of non-convergence
        yield 1

    before = warnings.filters
    job = Job("key", work(), 1)
    job.wait(5)
    assert seen[0] is before and job.error is None and job.rows == [1]


def test_a_job_that_a_page_waits_for_waits_neither_for_pages_nor_for_other_jobs(monkeypatch):
    monkeypatch.setattr(traffic, "YIELD", 1e9)
    monkeypatch.setattr(traffic, "workers", threading.Semaphore(1))
    turns = traffic.Turns(1)
    monkeypatch.setattr(traffic, "turns", turns)
    assert turns.enter("a session")
    other, job = Job("other", iter(range(3)), 3), Job("key", iter(range(3)), 3)
    other.wait(0.0)
    job.wait(60)
    assert job.finished and job.rows == [0, 1, 2]
    turns.leave()
    other.wait(60)
    assert other.finished


def gated(count, *, free=0):
    """A generator of numbers, each of which waits to be let free, and its semaphore."""
    gate = threading.Semaphore(free)

    def numbers():
        for number in range(count):
            assert gate.acquire(timeout=10)
            yield number

    return numbers(), gate


def until(condition):
    for _ in range(5000):
        if condition():
            return
        time.sleep(0.002)
    pytest.fail("it took longer than ten seconds")


def test_a_stop_is_at_once_and_a_resumed_job_loses_and_repeats_nothing():
    numbers, gate = gated(6, free=2)
    job = Job("key", numbers, 6)
    until(lambda: len(job.rows) == 2)
    job.stop()  # while the third is being made
    assert not job.running and job.stopped and not job.finished
    job.resume()
    job.resume()  # nothing more
    assert job.running
    gate.release(2)
    until(lambda: len(job.rows) == 4)
    job.stop()
    gate.release()
    job.wait(10)
    assert job.rows == [0, 1, 2, 3, 4] and not job.running
    job.resume()
    gate.release()
    job.wait(10)
    assert job.rows == list(range(6)) and job.finished and not job.stopped


def test_the_remaining_time_follows_the_pace_since_the_start(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    numbers, gate = gated(200, free=1)
    job = Job("key", numbers, 200)
    until(lambda: len(job.rows) == 1)
    now[0] += 10
    assert job.remaining is None  # one of 200 is too few
    gate.release(3)
    until(lambda: len(job.rows) == 4)
    assert job.remaining == pytest.approx(10 / 4 * 196)
    now[0] += 1000
    job.stop()
    gate.release()
    job.wait(10)
    job.resume()
    gate.release(15)
    until(lambda: len(job.rows) == 20)
    assert job.remaining is None  # less than a second since
    now[0] += 3
    assert job.remaining == pytest.approx(3 / 15 * 180)
    job.stop()
    gate.release()
    job.wait(10)


def test_an_lru_keeps_what_was_used_last():
    lru, jobs = LRU(2), [Job(key, iter(()), 0) for key in "abc"]
    for job in jobs[:2]:
        lru.put(job)
    assert lru.get("a") is jobs[0] and lru.get("c") is None
    lru.put(jobs[2])
    assert lru.get("b") is None and lru.get("a") is jobs[0] and lru.get("c") is jobs[2]
    lru.put(jobs[2])
    assert lru.get("a") is jobs[0]


def test_rows_that_are_shared_are_made_once_by_whichever_thread_comes_first(monkeypatch):
    monkeypatch.setattr(traffic, "workers", threading.Semaphore(2))  # one of them is held up by the gate
    gate, made = threading.Semaphore(0), []

    def numbers():
        for number in range(4):
            assert gate.acquire(timeout=10)
            made.append(number)
            yield number

    shared = Shared(numbers())
    jobs = [Job(key, shared, 4) for key in "ab"]
    gate.release(2)
    until(lambda: all(len(job.rows) == 2 for job in jobs))
    assert shared.rows == [0, 1]
    gate.release(2)
    for job in jobs:
        job.wait(10)
        assert (job.rows, job.error) == ([0, 1, 2, 3], None) and job.finished
    assert made == shared.rows == list(shared) == [0, 1, 2, 3]


def test_shared_rows_that_fail_raise_in_every_job():
    def broken():
        yield 1
        raise ValueError("no second row")

    shared = Shared(broken())
    for _ in range(2):
        job = Job("key", shared, 2)
        job.wait(10)
        assert job.rows == [1] and job.error == "no second row"


def test_a_finished_job_is_begun_anew_only_where_that_is_wanted():
    jobs, begun = {}, []

    def begin(key):
        begun.append(key)
        return Job(key, iter([1]), 1)

    for again in (False, False, True):
        start(jobs, "page", "key", begin, again)
        jobs["page"].wait(10)
        assert jobs["page"].finished and jobs["page"].rows == [1]
    assert len(begun) == 2


def test_a_resumed_job_goes_on_in_what_others_may_read_from_the_beginning():
    numbers, gate = gated(3, free=1)
    job = Job("key", Shared(numbers), 3)
    until(lambda: job.rows == [0])
    job.stop()
    gate.release()
    job.wait(10)
    job.resume()
    gate.release()
    job.wait(10)
    assert job.rows == [0, 1, 2] and job.finished


def test_a_result_is_computed_once_by_the_thread_that_comes_first():
    results, made, gate, begun = Results(2), [], threading.Event(), threading.Event()

    def compute():
        made.append(1)
        begun.set()
        assert gate.wait(10)
        return "result"

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(results.get, "key", compute) for _ in range(3)]
        assert begun.wait(10) and results.get("other", lambda: "at once") == "at once"
        gate.set()
        assert [one.result(10) for one in asked] == ["result"] * 3
    assert made == [1]


def test_results_are_bounded_and_those_that_failed_or_are_not_to_be_kept_are_computed_again():
    results, made = Results(2), []

    def ask(key, keep=True):
        return results.get(key, lambda: made.append(key) or key * 2, lambda: keep)

    assert [ask(1, keep=False), ask(1), ask(1), ask(2), ask(1), ask(3), ask(1), ask(2)] == [2, 2, 2, 4, 2, 6, 2, 4]
    assert made == [1, 1, 2, 3, 2]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            results.get("key", lambda: 1 / 0)
    results.clear()
    ask(1)
    assert made == [1, 1, 2, 3, 2, 1]
