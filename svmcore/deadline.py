"""A time limit for all that is solved inside a `with` block: what has been reached by then is the answer.

    with deadline.time_limit(6.0):
        model.fit(X, y)        # at the limit: fitted, with `Status.TIME_LIMIT`

Solvers look at the clock between their steps, so a run ends up to one step later: a piece of pair updates, a round, a
factorisation. The limit is that of the thread, and of the innermost block that ends first. Without a block there is
none, and a run that ends in time is the same to the last bit with and without one.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from svmcore.status import Status, is_success

_end: ContextVar[float] = ContextVar("end", default=math.inf)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Ends what is solved inside after so many seconds."""
    token = _end.set(min(_end.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def is_over() -> bool:
    """True if the time is over."""
    return time.monotonic() >= _end.get()


def final_status(status: str) -> str:
    """The status of a run that ends now: that of the time limit if the time is over before it succeeded."""
    return Status.TIME_LIMIT if is_over() and not is_success(status) else status
