"""Recording the calls of a function during a test."""

import threading
from collections.abc import Callable


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
