"""A time limit for all that is solved inside a `with` block: what has been reached by then is the answer.

    with deadline.time_limit(6.0):
        model.fit(X, y)        # at the limit: fitted, with `Status.TIME_LIMIT`

Solvers look at the clock between their steps, so a run ends up to one step later: a piece of pair updates, a round, a
factorisation. The limit is that of the thread, and of the innermost block that ends first. Without a block there is
none, and a run that ends in time is the same to the last bit with and without one. Time in which numba compiles for the
thread, or the thread waits for that, does not count: the first fit of an installation would end before it begins.

Another thread can end a block earlier, by the `TimeLimit` that it was given.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from numba.core import event

from svmcore.status import Status, is_success


class _Compiling(threading.local):
    """Of each thread: the `seconds` in which it has held numba's lock, or waited for it."""

    depth, begun, seconds = 0, 0.0, 0.0


class _Listener(event.Listener):
    """Hears of numba's lock (https://numba.readthedocs.io/en/stable/developer/event_api.html)."""

    def on_start(self, event):
        if not _compiling.depth:
            _compiling.begun = time.monotonic()
        _compiling.depth += 1

    def on_end(self, event):
        if not _compiling.depth:  # it was held before this module was there
            return
        _compiling.depth -= 1
        if not _compiling.depth:
            _compiling.seconds += time.monotonic() - _compiling.begun


_compiling = _Compiling()
event.register("numba:compiler_lock", _Listener())


class TimeLimit:
    """A limit so many seconds from now, which any thread can bring forward.

    pause: called at each look at the clock; it may wait for what is more urgent.
    """

    def __init__(self, seconds: float = math.inf, pause: Callable[[], None] | None = None):
        self._end, self._pause = time.monotonic() + seconds, pause

    def end(self) -> None:
        """The time is over now."""
        self._end = -math.inf

    def is_over(self, uncounted: float = 0.0) -> bool:
        """True when the time is over, if this many seconds of it do not count."""
        if self._pause:
            self._pause()
        return time.monotonic() - uncounted >= self._end


# of the blocks, the innermost last, with the seconds of compiling before each
_limits: ContextVar[tuple[tuple[TimeLimit, float], ...]] = ContextVar("limits", default=())


@contextmanager
def time_limit(limit: float | TimeLimit) -> Iterator[None]:
    """Ends what is solved inside after so many seconds, or when this limit is over."""
    limit = limit if isinstance(limit, TimeLimit) else TimeLimit(limit)
    token = _limits.set((*_limits.get(), (limit, _compiling.seconds)))
    try:
        yield
    finally:
        _limits.reset(token)


def is_over() -> bool:
    return any(limit.is_over(max(0.0, _compiling.seconds - before)) for limit, before in _limits.get())


def final_status(status: str) -> str:
    """The status of a run that ends now: that of the time limit if the time is over before it succeeded."""
    return Status.TIME_LIMIT if is_over() and not is_success(status) else status
