"""The one cache of what sessions share: results that could be computed again, each computed once, in bounded memory.

Every kind of result states how many of it stay. Beside that the results that one session has asked for take at most
`EACH`, and all together at most `IN_ALL`; what was used longest ago goes first. What a reader has made (points, edits,
lessons, votes) is never stored here: its size is limited where it comes in, and while the process has more than `MOST`,
files are refused instead.

Functions without sessions, whose results are small, take `functools.lru_cache` instead.
"""

import os
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any

import streamlit as st

from pages.shared.server import sessions

MOST = float(os.environ.get("SVM_LAB_MEMORY") or 2000.0)  # MB of the process
IN_ALL = MOST / 4  # MB of results
EACH = IN_ALL / 5  # MB of the results that one session has asked for
SAMPLE = 64  # elements of a long list whose size is measured
OURS = ("pages.", "svmcore.")  # modules whose objects are looked into


@dataclass(slots=True)
class _Entry:
    value: Any
    session: str | None  # that asked for it first
    megabytes: float = 0.0
    length: int | None = None  # of its rows when it was measured


class Cache:
    """Results by their kind and key, the last used at the end; `in_all` and `each` are the bounds in MB.

    They are shared, so do not write to them. None is no result. The newest one stays whatever its size, as a page needs
    it now, and so does a job that runs. What has a list `rows`, such as a job, grows: only these rows are measured,
    again after each growth.
    """

    def __init__(self, in_all: float, each: float):
        self.in_all, self.each = in_all, each
        self._entries: OrderedDict[tuple[str, Hashable], _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._computing: weakref.WeakValueDictionary[tuple, threading.Lock] = weakref.WeakValueDictionary()

    def find(self, kind: str, key: Hashable) -> Any:
        """The result with this key, which has now been used; None if there is none."""
        with self._lock:
            entry = self._entries.get((kind, key))
            if entry is None:
                return None
            self._entries.move_to_end((kind, key))
        self._measure(entry)
        return entry.value

    def put(self, kind: str, key: Hashable, value: Any, entries: int) -> None:
        """Add a result, in the place of one with the same key, and keep the newest `entries` of this kind."""
        if not entries:
            return
        with self._lock:
            entry = self._entries.pop((kind, key), None)
            if entry is None or entry.value is not value:
                entry = _Entry(value, entry.session if entry else sessions.current())
            self._entries[kind, key] = entry
            for name in [name for name in self._entries if name[0] == kind][:-entries]:
                del self._entries[name]
        self._measure(entry)

    def compute(
        self, kind: str, key: Hashable, make: Callable[[], Any], entries: int, keep: Callable[[], bool] = lambda: True
    ) -> Any:
        """The result with this key: `make()` if there is none, while other threads that ask for it wait.

        It stays if `keep()` afterwards. See `put` for `entries`.
        """
        value = self.find(kind, key)
        if value is None:
            with self._lock:
                computing = self._computing.setdefault((kind, key), threading.Lock())
            with computing:
                value = self.find(kind, key)
                if value is None:
                    value = make()
                    if keep():
                        self.put(kind, key, value, entries)
        return value

    def drop(self, kind: str, key: Hashable) -> None:
        """Forget the result with this key."""
        with self._lock:
            self._entries.pop((kind, key), None)

    def clear(self, kind: str | None = None) -> None:
        """Forget all results, or all of a kind."""
        with self._lock:
            for name in [name for name in self._entries if kind in (None, name[0])]:
                del self._entries[name]

    def shrink(self, in_all: float) -> None:
        """Drop the oldest results until the rest has no more than so many MB."""
        with self._lock:
            self._drop_oldest(in_all)

    @property
    def total(self) -> float:
        """MB of all results."""
        with self._lock:
            return sum(entry.megabytes for entry in self._entries.values())

    @property
    def largest(self) -> float:
        """MB of the results of the session that has asked for most."""
        sums: dict[str, float] = {}
        with self._lock:
            for entry in self._entries.values():
                if entry.session:
                    sums[entry.session] = sums.get(entry.session, 0.0) + entry.megabytes
        return max(sums.values(), default=0.0)

    def _measure(self, entry):
        """Note the size of an entry that has just been used, if it is new or has grown; drop what is then too much."""
        rows = getattr(entry.value, "rows", None)
        rows = rows if isinstance(rows, list) else ()
        if len(rows) == entry.length:
            return
        entry.length, entry.megabytes = len(rows), megabytes(rows or entry.value)
        with self._lock:
            if entry.session:
                self._drop_oldest(self.each, entry.session)
            self._drop_oldest(self.in_all)

    def _drop_oldest(self, most, session=None):
        """Of all results, or those of a session."""
        chosen = {name: entry for name, entry in self._entries.items() if session in (None, entry.session)}
        held = sum(entry.megabytes for entry in chosen.values())
        for name in [*self._entries][:-1]:
            if held > most and name in chosen and not getattr(chosen[name].value, "is_running", False):
                held -= self._entries.pop(name).megabytes


RESULTS = Cache(IN_ALL, EACH)


def shared_cache(entries: int, spinner: str = "", timed: bool = True) -> Callable:
    """Decorator, as `functools.lru_cache(entries)`, for results that all sessions share in `RESULTS`.

    Arguments that are not hashable must be told apart by `repr`. A run of a page shows the words `spinner` meanwhile.
    What the time limit of a page may have cut short is not kept; `timed` is false where that limit reaches nothing.
    `clear()` of the function forgets all its results, `drop(*arguments)` one.
    """

    def decorate(function):
        kind = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def call(*arguments):
            def make():
                with wait_spinner(spinner):
                    return function(*arguments)

            return RESULTS.compute(kind, _key(arguments), make, entries, in_time if timed else lambda: True)

        call.clear = lambda: RESULTS.clear(kind)
        call.drop = lambda *arguments: RESULTS.drop(kind, _key(arguments))
        return call

    return decorate


def in_time() -> bool:
    """True if the time limit of this run of a page has cut nothing short."""
    from svmcore import deadline  # here: a page is visible before svmcore is loaded

    return not deadline.is_over()


def wait_spinner(words: str) -> AbstractContextManager:
    """Shows these words with a spinner, in the run of a page."""
    return st.spinner(words) if words and sessions.current() else nullcontext()


def _key(arguments):
    try:
        hash(arguments)
    except TypeError:
        return repr(arguments)
    return arguments


def megabytes(value) -> float:
    """The memory of a value, estimated: arrays, texts, collections and objects of our own; of long lists a sample."""
    seen, total, waiting = set(), 0.0, [(value, 1.0)]
    while waiting:
        one, times = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        total += times * sys.getsizeof(one, 64)
        waiting += [(part, times * share) for part, share in _parts(one)]
    return total / 1e6


def _parts(value):
    """Parts that an object keeps beside itself, with the number of objects that each stands for."""
    if isinstance(value, dict):
        return [(part, 1.0) for pair in value.items() for part in pair]
    if isinstance(value, (list, tuple, set, frozenset)):
        parts = value if len(value) <= SAMPLE else [*value][:: len(value) // SAMPLE]
        return [(part, len(value) / max(len(parts), 1)) for part in parts]
    if getattr(value, "base", None) is not None and hasattr(value, "nbytes"):
        return [(value.base, 1.0)]  # a view keeps the whole array
    if type(value).__module__.startswith(OURS) and hasattr(value, "__dict__"):
        return [(vars(value), 1.0)]
    return []


def process_megabytes() -> float:
    """MB of this process; 0 where the system does not say."""
    with suppress(OSError), open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    return 0.0


def check_room() -> None:
    """Raises ValueError, in a sentence for readers, while the process has more memory than it should."""
    if process_megabytes() > MOST:
        raise ValueError("The server's memory is full at the moment: try again in a minute. Nothing of yours is lost.")
