import threading
import warnings

import pytest

from pages.shared.background import Job


def test_a_job_collects_and_ends():
    job = Job("key", iter(range(5)), 5)
    job.wait(5)
    assert job.rows == list(range(5)) and job.progress == 1.0
    assert not job.running and not job.stopped and job.error is None


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


def test_a_job_that_does_not_warn_leaves_the_warnings_of_the_process_alone():
    seen = []

    def work():
        seen.append(warnings.filters)
        yield 1

    before = warnings.filters
    Job("key", work(), 1, warns=False).wait(5)
    Job("key", work(), 1).wait(5)
    assert seen[0] is before and seen[1] is not before
