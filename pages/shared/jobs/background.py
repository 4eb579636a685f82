"""Work too long to wait for: it runs in a thread, can be stopped and resumed, and keeps the rows made so far.

No Streamlit here; `job_panel` puts such work on a page.
"""

import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from pages.shared import memory, traffic
from svmcore.warned import silently

_NO_ROW = object()
POLL = 0.05  # seconds between two checks of a thread whether another has made the row that it needs


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
        if self._thread and self.running:
            return
        self._stop, self._begun = threading.Event(), (time.monotonic(), len(self.rows))
        self._thread = threading.Thread(target=self._work, args=(self._stop, self._thread), daemon=True, name="job")
        self._thread.start()

    def stop(self) -> None:
        """Takes effect on screen at once; the row in progress is kept when it is done."""
        self._stop.set()

    @property
    def running(self) -> bool:
        """Whether rows are being made and no stop has been requested."""
        return self._thread.is_alive() and not self._stop.is_set()

    @property
    def stopped(self) -> bool:
        """Ended before all rows were made."""
        return not self.running and len(self.rows) < self.total

    @property
    def finished(self) -> bool:
        """Ended with all rows."""
        return not self.running and len(self.rows) >= self.total

    @property
    def kept(self) -> list:
        """What takes memory."""
        return self.rows

    @property
    def progress(self) -> float:
        """Share of the rows that are made, 0 to 1."""
        return min(len(self.rows) / max(self.total, 1), 1.0)

    @property
    def remaining(self) -> float | None:
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
        traffic.give_way()
        if before:
            before.join()  # a generator runs in one thread at a time
        try:
            with silently():  # the rows carry the status
                while not stop.is_set():
                    with traffic.working(lambda: bool(self._waiting)):
                        row = next(self._generator, _NO_ROW)
                    if row is _NO_ROW:
                        break
                    self.rows.append(row)
                else:
                    return
            self.total = len(self.rows)  # until now only an upper limit
        except Exception as error:  # shown on the page
            self.error, self.failed = str(error), time.monotonic()


class Jobs(dict):
    """The jobs of a session by their pages. Those that do not run count in `memory.account`."""

    def drop(self, page: str) -> None:
        """Forgets the job of this page unless it runs."""
        if page in self and not self[page].running:
            self.pop(page, None)


def kept(jobs: Jobs, finished: "LRU", page: str, request: Hashable | None) -> Job | None:
    """The job of a page; a `finished` one of this or another session where it is what is requested.

    jobs: of this session; request: a job's key, None where nothing is requested.
    """
    job = jobs.get(page)
    if job and job.finished and finished.get(job.key) is not job:
        finished.put(job)
    if request is not None and not (job and (job.key == request or job.running)):
        job = finished.get(request) or job
        if job:
            jobs[page] = job
    if job:
        memory.account.note(jobs, page, job.rows, traffic.session())
    return job


def start(jobs: Jobs, page: str, request: Hashable, begin: Callable[[Hashable], Job], again=False) -> None:
    """Resumes the job of this request that was stopped, or begins one, `begin(request)`, and stops the page's other.

    again: a finished job of this request is begun anew. All work in the background begins here.
    """
    job = jobs.get(page)
    if job and job.key == request and not job.error and not (again and job.finished):
        job.resume()
        return traffic.adopt(job)
    if job:
        job.stop()
    jobs[page] = begin(request)
    traffic.adopt(jobs[page])


class Shared:
    """A generator for several threads: each of its `rows` is made once, by the thread that needs it first.

    After an exception every iteration gives the rows before it and raises it again.
    """

    def __init__(self, generator: Iterator):
        self.rows, self._generator, self._error, self._lock = [], generator, None, threading.Lock()

    def __iter__(self):
        row = 0
        while self._has(row):
            yield self.rows[row]
            row += 1

    def _has(self, row):
        """Whether there is such a row; makes it unless another thread does."""
        while row == len(self.rows):
            if self._lock.acquire(timeout=POLL):
                try:
                    if row == len(self.rows) and not self._advance():
                        return False
                finally:
                    self._lock.release()
        return True

    def _advance(self):
        if self._error:
            raise self._error
        try:
            self.rows.append(next(self._generator))
        except StopIteration:
            return False
        except Exception as error:
            self._error = error
            raise
        return True


class LRU:
    """At most `room` objects with a `key`, for all threads; the least recently used is dropped first.

    noted: they can be computed again, and count in `memory.account`.
    """

    def __init__(self, room: int, noted: bool = False):
        self.room, self.noted, self._objects, self._lock = room, noted, OrderedDict(), threading.Lock()

    def get(self, key: Hashable) -> Any:
        """The object with this key, None if there is none."""
        with self._lock:
            if key in self._objects:
                self._objects.move_to_end(key)
            found = self._objects.get(key)
        if found is not None:
            self._note(found)
        return found

    def drop(self, key: Hashable) -> None:
        """Forgets the object with this key."""
        with self._lock:
            self._objects.pop(key, None)
        memory.account.forget(self, key)

    def put(self, added) -> None:
        """Adds an object, in the place of one with the same key."""
        with self._lock:
            self._objects[added.key] = added
            self._objects.move_to_end(added.key)
            beyond = [*self._objects][: -self.room]
        for key in beyond:
            self.drop(key)
        memory.account.forget(self, added.key)  # another object of this key may have another size
        self._note(added)

    def clear(self) -> None:
        """Forgets all objects."""
        with self._lock:
            keys = [*self._objects]
        for key in keys:
            self.drop(key)

    def _note(self, found):
        if self.noted:
            memory.account.note(self, found.key, found.kept, traffic.session())


class Results:
    """Results for all threads, the `room` that were used last: each is computed once, while others wait for it.

    They are shared, so do not write to them.
    """

    def __init__(self, room: int):
        self._kept, self._lock = LRU(room, noted=True), threading.Lock()
        self._computing = weakref.WeakValueDictionary()

    def get(self, key: Hashable, compute: Callable[[], Any], keep: Callable[[], bool] = lambda: True) -> Any:
        """The result with this key; `compute()` if there is none, which stays if `keep()` afterwards."""
        found = self._kept.get(key)
        if found is None:
            with self._lock:
                computing = self._computing.setdefault(key, threading.Lock())
            with computing:
                found = self._kept.get(key)
                if found is None:
                    found = _Result(key, compute())
                    if keep():
                        self._kept.put(found)
        return found.value

    def clear(self) -> None:
        """Forgets all results."""
        self._kept.clear()

    def drop(self, key: Hashable) -> None:
        """Forgets the result with this key."""
        self._kept.drop(key)


class _Result(NamedTuple):
    key: Hashable
    value: Any

    @property
    def kept(self):
        """What takes memory: of a job or a `Shared` the rows, as they grow."""
        return self.value.rows if isinstance(self.value, (Job, Shared)) else self.value
