"""Work that takes longer than a look: it runs in a thread, can be watched and stopped, and keeps what it has."""

import threading
import warnings
from contextlib import nullcontext

from sklearn.exceptions import ConvergenceWarning


class Job:
    """Collects what a generator yields. `key` says what was asked for, so that a page knows when it is out of date.

    `warns` says that the work may warn of what its rows carry. Warnings are the whole process's own: a job that has
    none leaves them alone.
    """

    def __init__(self, key, generator, total, warns=True):
        self.key, self.total, self.rows, self.error = key, total, [], None
        self._stop, self._warns = threading.Event(), warns
        self._thread = threading.Thread(target=self._work, args=(generator,), daemon=True)
        self._thread.start()

    def stop(self):
        self._stop.set()

    @property
    def running(self):
        return self._thread.is_alive()

    @property
    def stopped(self):
        """Ended before all was done."""
        return not self.running and len(self.rows) < self.total

    @property
    def progress(self):
        """Share done, 0 to 1."""
        return min(len(self.rows) / max(self.total, 1), 1.0)

    def wait(self, timeout=None):
        self._thread.join(timeout)

    def _work(self, generator):
        try:
            with warnings.catch_warnings() if self._warns else nullcontext():
                if self._warns:
                    warnings.simplefilter("ignore", ConvergenceWarning)  # the rows carry the status
                for row in generator:
                    self.rows.append(row)
                    if self._stop.is_set():
                        return
        except Exception as error:  # shown on the page
            self.error = str(error)
