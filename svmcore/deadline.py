"""A time limit for all that is solved inside a `with` block: what has been reached by then is the answer.

    with deadline.time_limit(6.0):
        model.fit(X, y)        # at the limit: fitted, with `Status.TIME_LIMIT`

Solvers look at the clock between their steps, so a run ends up to one step later: a piece of pair updates, a round, a
factorisation. The limit is that of the thread, and of the innermost block that ends first. Without a block there is
none, and a run that ends in time is the same to the last bit with and without one.

Another thread can end a block earlier, by the `TimeLimit` that it was given.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from svmcore.status import Status, is_success


class TimeLimit:
    """A limit so many seconds from now, which any thread can bring forward."""

    def __init__(self, seconds: float = math.inf):
        self._end = time.monotonic() + seconds

    def end(self) -> None:
        """The time is over now."""
        self._end = -math.inf

    def is_over(self) -> bool:
        return time.monotonic() >= self._end


_limits: ContextVar[tuple[TimeLimit, ...]] = ContextVar("limits", default=())  # of the blocks, the innermost last


@contextmanager
def time_limit(limit: float | TimeLimit) -> Iterator[None]:
    """Ends what is solved inside after so many seconds, or when this limit is over."""
    limit = limit if isinstance(limit, TimeLimit) else TimeLimit(limit)
    token = _limits.set((*_limits.get(), limit))
    try:
        yield
    finally:
        _limits.reset(token)


def is_over() -> bool:
    return any(limit.is_over() for limit in _limits.get())


def final_status(status: str) -> str:
    """The status of a run that ends now: that of the time limit if the time is over before it succeeded."""
    return Status.TIME_LIMIT if is_over() and not is_success(status) else status
