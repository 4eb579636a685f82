"""Work too long to wait for: it runs in a thread, can be stopped and resumed, and keeps the rows made so far.

The jobs of a process share what its pages leave of the processors, and end with their sessions. `page.job_panel` puts
such work on a page.
"""

import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from itertools import count

from pages.shared.server import run_queue, sessions

GRACE = 10.0  # seconds for which a session may be away, as for a reload, before its jobs are stopped
MOST_JOBS = 4  # of one session
MOST_JOBS_IN_ALL = 64
CORES = os.cpu_count() or 2
WORKERS = max(1, CORES // 2)  # jobs that compute at the same time; the others wait for their next row
ACTING = 2.0  # seconds after a run of a page for which its reader may act again
NICE = 5  # by which threads that compute in the background are set back, as a process by `nice`
YIELD = 0.5  # seconds for which a row of a job waits while readers wait for a page, see `_place`
LOOK = 0.1  # seconds after which a job that waits looks whether a page waits for it
POLL = 0.05  # seconds between two looks of a thread for the row that another one makes
_NO_ROW = object()
_workers = threading.Semaphore(WORKERS)
_jobs: "weakref.WeakKeyDictionary[Job, tuple[str | None, float]]" = weakref.WeakKeyDictionary()  # session, when seen
_lock = threading.Lock()  # of `_jobs`


class Job:
    """Collects what a generator yields in `rows`; the message of an exception is its `error`, `failed` its time.

    key: what was requested, so that a page knows when the rows are out of date; total: how many rows there will be at
    most, infinity where that is not known.
    """

    def __init__(self, key: Hashable, generator: Iterable, total: float):
        self.key, self.total, self.rows, self.error, self.failed = key, total, [], None, None
        self._generator, self._thread, self._waiting = iter(generator), None, []
        self.resume()

    def resume(self) -> None:
        """Continues where it was stopped; no row is made twice."""
        if self._thread and self.is_running:
            return
        self._stop, self._begun = threading.Event(), (time.monotonic(), len(self.rows))
        self._thread = threading.Thread(target=self._work, args=(self._stop, self._thread), daemon=True, name="job")
        self._thread.start()

    def stop(self) -> None:
        """Takes effect on screen at once; the row in progress is kept when it is done."""
        self._stop.set()

    @property
    def is_running(self) -> bool:
        """True if rows are being made and no stop has been requested."""
        return self._thread.is_alive() and not self._stop.is_set()

    @property
    def is_stopped(self) -> bool:
        """Ended before all rows were made."""
        return not self.is_running and len(self.rows) < self.total

    @property
    def is_finished(self) -> bool:
        """Ended with all rows."""
        return not self.is_running and len(self.rows) >= self.total

    @property
    def progress(self) -> float:
        """Share of the rows that are made, 0 to 1."""
        return min(len(self.rows) / max(self.total, 1), 1.0)

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until the end; None until a second has passed and one row in a hundred is made."""
        began, before = self._begun
        seconds, made = time.monotonic() - began, len(self.rows) - before
        if seconds < 1 or made < max(self.total / 100, 1):
            return None
        return seconds / made * (self.total - len(self.rows))

    def wait(self, timeout=None) -> None:
        """Blocks until the work ends, or for `timeout` seconds; meanwhile it is as urgent as the page that waits."""
        self._waiting.append(None)
        try:
            self._thread.join(timeout)
        finally:
            self._waiting.pop()

    def _work(self, stop, before):
        from svmcore.warned import silently  # here: a page is visible before svmcore is loaded

        _lower_priority()
        if before:
            before.join()  # a generator runs in one thread at a time
        try:
            with silently():  # the rows carry the status
                while not stop.is_set():
                    with _place(lambda: bool(self._waiting)):
                        row = next(self._generator, _NO_ROW)
                    if row is _NO_ROW:
                        self.total = len(self.rows)  # until now only an upper limit
                        return
                    self.rows.append(row)
        except Exception as error:  # shown on the page
            self.error, self.failed = str(error), time.monotonic()


def start(
    jobs: MutableMapping[str, Job], page: str, request: Hashable, begin: Callable[[Hashable], Job], again=False
) -> Job:
    """Resumes the job of this request that was stopped, or begins one, `begin(request)`, and stops the page's other.

    again: a finished job of this request is begun anew. All work in the background begins here, and ends with its
    session; of more jobs than a session, or all, may have, the one begun first is stopped.
    """
    job = jobs.get(page)
    if job and job.key == request and not job.error and not (again and job.is_finished):
        job.resume()
    else:
        if job:
            job.stop()
        job = jobs[page] = begin(request)
    mine = sessions.current()
    with _lock:
        _jobs[job] = mine, time.monotonic()
    found = running_jobs()
    own = [one for one, owner in found if owner == mine and mine]
    for extra in [*own[:-MOST_JOBS], *(one for one, _ in found[:-MOST_JOBS_IN_ALL])]:
        extra.stop()
    return job


def running_jobs() -> list[tuple[Job, str | None]]:
    """(job, session) of all that run, in the order in which they began."""
    with _lock:
        return [(job, session) for job, (session, _) in _jobs.items() if job.is_running]


def stop_abandoned(now: float) -> None:
    """Stops the jobs of sessions that have been away for `GRACE` seconds; `now` is that of `time.monotonic`."""
    with _lock:
        for job, (session, seen) in [*_jobs.items()]:
            if session is None or sessions.is_connected(session):
                _jobs[job] = session, now
            elif now - seen > GRACE:
                job.stop()


def threads() -> int:
    """The number of threads that one job may use now: jobs share the processors, and leave one to readers who act."""
    acting = time.monotonic() - run_queue.queue.latest < ACTING
    return max(1, (CORES - acting) // max(1, len(running_jobs())))


def update_interval(seconds: float) -> float:
    """The seconds between two updates of a job on its page: more where many are watched."""
    return seconds * max(1.0, len(running_jobs()) / 4)


def _lower_priority():
    """Leave the processors to the threads of pages: for this thread and those that it starts, on Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            base = os.getpriority(os.PRIO_PROCESS, os.getpid())  # of the first thread
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), base + NICE)


@contextmanager
def _place(awaited: Callable[[], bool]) -> Iterator[None]:
    """Around each row of a job: few compute at a time, and the pages of readers come first, at each step of a solver.

    A job that is `awaited` by a page is a part of that page: it waits for nothing. The others wait while readers do, in
    all for `YIELD` seconds and as long as the row has computed.
    """
    from svmcore import deadline  # here: as in `Job._work`

    held, waited = False, 0.0
    while not held and not awaited():
        held = _workers.acquire(timeout=LOOK)
    if not held:
        yield
        return
    begun = time.monotonic()

    def pause():
        nonlocal waited
        if run_queue.queue.is_busy:
            began = time.monotonic()
            computed = began - begun - waited
            run_queue.queue.wait_until_quiet(YIELD + computed - waited, awaited)
            waited += time.monotonic() - began

    try:
        pause()
        with deadline.time_limit(deadline.TimeLimit(pause=pause)):
            yield
    finally:
        _workers.release()


class SharedRows:
    """A generator that several threads iterate: each of its `rows` is made once, by the thread that needs it first.

    After an exception every iteration gives the rows before it and raises it again.
    """

    def __init__(self, generator: Iterator):
        self.rows, self._generator, self._error, self._lock = [], generator, None, threading.Lock()

    def __iter__(self):
        for row in count():
            while row == len(self.rows):
                if self._lock.acquire(timeout=POLL) and not self._advance(row):
                    return
            yield self.rows[row]

    def _advance(self, row):
        """Makes this row unless another thread has, and gives the lock back; False at the end."""
        try:
            if row == len(self.rows):
                self.rows.append(next(self._generator))
        except Exception as error:
            self._error = self._error or error  # a generator that has failed says the next time that it is at its end
            if not isinstance(self._error, StopIteration):
                raise self._error from None
            return False
        finally:
            self._lock.release()
        return True
