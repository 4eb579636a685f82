"""Work that takes longer than a look: in a thread, it can be watched, stopped and resumed, and keeps what it has."""

import threading
import time
import warnings
from collections import OrderedDict
from contextlib import nullcontext

from sklearn.exceptions import ConvergenceWarning


class Job:
    """Collects what a generator yields. `key` says what was asked for, so that a page knows when it is out of date.

    `warns` says that the work may warn of what its rows carry. Warnings are the whole process's own: a job that has
    none leaves them alone.
    """

    def __init__(self, key, generator, total, warns=True):
        self.key, self.total, self.rows, self.error = key, total, [], None
        self._generator, self._thread, self._warns = generator, None, warns
        self.resume()

    def resume(self):
        """Go on where it was stopped, without a row twice."""
        if self._thread and self.running:
            return
        self._stop, self._begun = threading.Event(), (time.monotonic(), len(self.rows))
        self._thread = threading.Thread(target=self._work, args=(self._stop, self._thread), daemon=True)
        self._thread.start()

    def stop(self):
        """At once, for those who watch; a row that is being made is still kept when it is there."""
        self._stop.set()

    @property
    def running(self):
        return self._thread.is_alive() and not self._stop.is_set()

    @property
    def stopped(self):
        """Ended before all was done."""
        return not self.running and len(self.rows) < self.total

    @property
    def finished(self):
        """Ended with all that was asked for."""
        return not self.running and len(self.rows) >= self.total

    @property
    def progress(self):
        """Share done, 0 to 1."""
        return min(len(self.rows) / max(self.total, 1), 1.0)

    @property
    def remaining(self):
        """Seconds to go at the pace so far; None before a second has passed and one row in a hundred is there."""
        began, before = self._begun
        seconds, made = time.monotonic() - began, len(self.rows) - before
        if seconds < 1 or made < max(self.total / 100, 1):
            return None
        return seconds / made * (self.total - len(self.rows))

    def wait(self, timeout=None):
        self._thread.join(timeout)

    def _work(self, stop, before):
        if before:
            before.join()  # a generator has one reader at a time
        try:
            with warnings.catch_warnings() if self._warns else nullcontext():
                if self._warns:
                    warnings.simplefilter("ignore", ConvergenceWarning)  # the rows carry the status
                for row in self._generator:
                    self.rows.append(row)
                    if stop.is_set():
                        return
            self.total = len(self.rows)  # of some work only the most is known beforehand
        except Exception as error:  # shown on the page
            self.error = str(error)


def kept(jobs, shelf, page, asked):
    """The job of this page; one that was finished before, here or in another session, where it is asked for again.

    `jobs` are those of this session, by the names of their pages. `asked` is the key, None where nothing is asked for.
    """
    job = jobs.get(page)
    if job and job.finished:
        shelf.put(job)
    if asked and not (job and (job.running or job.key == asked)):
        job = shelf.get(asked) or job
        if job:
            jobs[page] = job
    return job


def start(jobs, page, asked, begin):
    """The job that was stopped goes on, else a new one, `begin(asked)`; any other of this page ends."""
    job = jobs.get(page)
    if job and job.key == asked and not job.error:
        return job.resume()
    if job:
        job.stop()
    jobs[page] = begin(asked)


class Shelf:
    """Finished jobs, and other things with a `key`, at most `room`: those that nobody asked for longest leave first."""

    def __init__(self, room):
        self.room, self._things, self._lock = room, OrderedDict(), threading.Lock()

    def get(self, key):
        """The thing of this key, None where there is none."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, thing):
        with self._lock:
            self._things[thing.key] = thing
            self._things.move_to_end(thing.key)
            while len(self._things) > self.room:
                self._things.popitem(last=False)
