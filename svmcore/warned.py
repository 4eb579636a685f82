"""ConvergenceWarning of a run that did not end as it should, and the way to go without it.

`warnings.catch_warnings` changes the filters of all threads: in an app, one reader's fit would decide whether another
reader's fit warns. `silently` holds in its own thread alone.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sklearn.exceptions import ConvergenceWarning

_silent = ContextVar("silent", default=False)


@contextmanager
def silently() -> Iterator[None]:
    """No ConvergenceWarning from the runs of svmcore inside: the caller shows their status or their gap."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def warn(message: str, *, skipped: int) -> None:
    """Issues a ConvergenceWarning that points `skipped` callers up."""
    if not _silent.get():
        warnings.warn(message, ConvergenceWarning, stacklevel=skipped + 2)
