"""What this process keeps although it could be computed again: bounded for each session and in all.

Pictures, runs, films, answers and finished jobs are kept by several holders. Each notes here what it has taken, with
the session that asked for it. Where a session has more than `EACH`, or all together more than `IN_ALL`, what was used
longest ago is dropped. What a reader has made (points, edits, lessons, votes) is never noted here: its size is limited
where it comes in, and while the process has more than `MOST`, files are refused instead of something being dropped.

Only the standard library is imported here.
"""

import os
import sys
import threading
import weakref
from collections import OrderedDict, deque
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

MOST = float(os.environ.get("SVM_LAB_MEMORY") or 2000.0)  # MB of the process
IN_ALL = MOST / 4  # MB of results
EACH = IN_ALL / 5  # MB of the results that one session has asked for
SAMPLE = 64  # elements of a long list of which the size is measured
OURS = ("pages.", "svmcore.")  # modules whose objects are looked into


class Holder(Protocol):
    """Something that keeps results by keys."""

    def drop(self, key) -> None:
        """Forget the result with this key."""


class Entry(NamedTuple):
    """A result: its holder (weakly) and key there, the session that asked for it or None, its MB, and its length."""

    holder: weakref.ref
    key: Any
    session: str | None
    size: float
    length: int


class Account:
    """The results of all holders, the last used at the end. `in_all` and `each` are the bounds, in MB."""

    def __init__(self, in_all: float, each: float):
        self.in_all, self.each = in_all, each
        self._entries: OrderedDict[tuple, Entry] = OrderedDict()
        self._of: dict[str | None, list] = {}  # session: MB, and how many results
        self._lock, self._gone = threading.Lock(), deque()

    def note(self, holder: Holder, key, value, session: str | None = None) -> None:
        """`holder` keeps this value, and it has just been used; a list that has grown is measured again."""
        length, name = len(value) if isinstance(value, list) else 0, (id(holder), key)
        with self._lock:
            self._tidy()
            known = self._entries.get(name)
            if known and known.length == length and known.holder() is holder:
                return self._entries.move_to_end(name)
        size = megabytes(value)
        with self._lock:
            if known:
                session = known.session
            self._remove(name)
            place = weakref.ref(holder, self._gone.append)
            self._entries[name] = Entry(place, key, session, size, length)
            sums = self._of.setdefault(session, [0.0, 0])
            self._of[session] = [sums[0] + size, sums[1] + 1]
            dropped = self._beyond(session)
        _drop(dropped)

    def forget(self, holder: Holder, key) -> None:
        """`holder` no longer keeps this."""
        with self._lock:
            self._remove((id(holder), key))

    def shrink(self, in_all: float) -> None:
        """Drop the oldest until the rest has no more than so many MB."""
        with self._lock:
            self._tidy()
            dropped = self._oldest(lambda: self._total > in_all)
        _drop(dropped)

    @property
    def total(self) -> float:
        """MB of all results."""
        with self._lock:
            self._tidy()
            return self._total

    @property
    def largest(self) -> float:
        """MB of the results of the session that has asked for most."""
        with self._lock:
            self._tidy()
            return max((size for session, (size, _) in self._of.items() if session), default=0.0)

    @property
    def _total(self):
        return sum(size for size, _ in self._of.values())

    def _beyond(self, session):
        """Remove, and return, what is beyond the bounds; the newest result stays, as a page needs it now."""
        dropped = []
        if session:
            dropped = self._oldest(lambda: self._of[session][0] > self.each, session)
        return dropped + self._oldest(lambda: self._total > self.in_all)

    def _oldest(self, beyond, session=None):
        dropped = []
        if beyond():
            newest = next(reversed(self._entries), None)
            for name, entry in [*self._entries.items()]:
                if name == newest or not beyond():
                    break
                if session is None or entry.session == session:
                    dropped.append(self._remove(name))
        return dropped

    def _remove(self, name):
        entry = self._entries.pop(name, None)
        if entry:
            size, count = self._of.pop(entry.session)
            if count > 1:
                self._of[entry.session] = [size - entry.size, count - 1]
        return entry

    def _tidy(self):
        """Without the results of holders that have ended: at any moment, in any thread, so it is only written down."""
        if self._gone:
            self._gone.clear()
            for name in [name for name, entry in self._entries.items() if entry.holder() is None]:
                self._remove(name)


def _drop(entries):
    for entry in entries:
        holder = entry.holder()
        if holder is not None:
            holder.drop(entry.key)


def megabytes(value) -> float:
    """The memory of a value, estimated: arrays, texts, collections and objects of our own; of long lists a sample."""
    seen, total, waiting = set(), 0.0, [(value, 1.0)]
    while waiting:
        one, times = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        total += times * sys.getsizeof(one, 64)
        if isinstance(one, dict):
            waiting += [(part, times) for pair in one.items() for part in pair]
        elif isinstance(one, (list, tuple, set, frozenset)):
            parts = one if len(one) <= SAMPLE else [*one][:: len(one) // SAMPLE]
            waiting += [(part, times * len(one) / max(len(parts), 1)) for part in parts]
        elif getattr(one, "base", None) is not None and hasattr(one, "nbytes"):
            waiting.append((one.base, times))  # a view keeps the whole array
        elif type(one).__module__.startswith(OURS) and hasattr(one, "__dict__"):
            waiting.append((vars(one), times))
    return total / 1e6


def of_process() -> float:
    """MB of this process; 0 where the system does not say."""
    with suppress(OSError), open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    return 0.0


def room_for_files() -> None:
    """Raises ValueError, in a sentence, while the process has more memory than it should."""
    if of_process() > MOST:
        raise ValueError("The server's memory is full at the moment: try again in a minute. Nothing of yours is lost.")


account = Account(IN_ALL, EACH)
