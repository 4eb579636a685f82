"""What threads do during a test: recorded calls, a condition that comes true, runs that wait for their turn."""

import threading
import time
from collections.abc import Callable

import pytest


def recorded(monkeypatch, owner, name: str, entry: Callable) -> list:
    """`entry(*arguments)` of every later call of `owner.name`, in a list that grows; the function works as before.

    Only calls by the thread of the test count: a background job of another test may still be computing.
    """
    function, thread, entries = getattr(owner, name), threading.get_ident(), []

    def record(*arguments, **options):
        if threading.get_ident() == thread:
            entries.append(entry(*arguments, **options))
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, record)
    return entries


def until(condition):
    end = time.monotonic() + 120.0
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


def refused(error, act, *arguments) -> str:
    """The words of the error with which a call ends."""
    try:
        act(*arguments)
    except error as said:
        return str(said)
    pytest.fail(f"{act} does not raise {error}")
