"""The readers' own sets of points: in memory, and in the store, so that they survive a restart. No Streamlit here.

What has not been used for `AGE` is deleted, and what was used longest ago while all together have more than `MOST`.
Where the store does not work, the sets in memory still do, and `trouble` says why.
"""

import json
import time
import zlib
from typing import NamedTuple

import numpy as np

from pages.shared.jobs.background import LRU
from pages.shared.points.own_points import MOST_SETS, Own
from pages.shared.rooms import store
from pages.shared.rooms.store import StoreError

AGE = 180 * 86400.0  # seconds
MOST = 200_000_000  # bytes
SELDOM = 3600.0  # seconds after which a use is noted again


class Kept(NamedTuple):
    """A set in the store: its key, bytes, and when it was last used, in seconds since 1970."""

    key: str
    size: int
    used: float


class Sets:
    """The sets of a server, by their keys."""

    def __init__(self, room: int = MOST_SETS):
        self.room, self.trouble, self._memory = room, "", LRU(room)

    def get(self, key: str) -> Own | None:
        """The set with this key; None where there is none."""
        found = self._memory.get(key)
        if found is None:
            try:
                found = _read(key)
            except StoreError as error:
                self.trouble = str(error)
            if found is not None:
                self._memory.put(found)
        return found

    def put(self, points: Own) -> None:
        """Keep a set."""
        self._memory.put(points)
        try:
            _write(points)
            self.trouble = ""
        except StoreError as error:
            self.trouble = str(error)

    def delete(self, key: str) -> None:
        """Delete a set, here and in the store; raises StoreError."""
        self._memory.drop(key)
        delete(key)


def listed() -> list[Kept]:
    """All sets in the store, the last used first; raises StoreError."""
    with store.opened() as connection:
        rows = connection.execute("select key, size, used from sets order by used desc").fetchall()
    return [Kept(*row) for row in rows]


def delete(key: str | None = None) -> int:
    """Delete the set with this key, or all: how many there were; raises StoreError."""
    with store.opened(write=True) as connection:
        if key is None:
            return connection.execute("delete from sets").rowcount
        return connection.execute("delete from sets where key = ?", (key,)).rowcount


def _write(points):
    body, now = _packed(points), time.time()
    with store.opened(write=True) as connection:
        connection.execute("insert or replace into sets values (?, ?, ?, ?)", (points.key, body, len(body), now))
        connection.execute("delete from sets where used < ?", (now - AGE,))
        kept = connection.execute("select key, size from sets order by used desc, rowid desc").fetchall()
        total = 0
        for key, size in kept:
            total += size
            if total > MOST and key != points.key:
                connection.execute("delete from sets where key = ?", (key,))


def _read(key):
    with store.opened() as connection:
        row = connection.execute("select body, used from sets where key = ?", (key,)).fetchone()
    if row is None:
        return None
    if time.time() - row["used"] > SELDOM:
        with store.opened(write=True) as connection:
            connection.execute("update sets set used = ? where key = ?", (time.time(), key))
    try:
        return _unpacked(row["body"])
    except (ValueError, KeyError, TypeError, zlib.error):
        return None


def _packed(points):
    said = {"X": points.X.tolist(), "y": points.y.tolist(), "features": points.features, "classes": points.classes}
    return zlib.compress(json.dumps(said | {"source": points.source}).encode())


def _unpacked(body):
    said = json.loads(zlib.decompress(body))
    X, y = np.array(said["X"], float).reshape(-1, 2), np.array(said["y"], float)
    return Own(X, y, tuple(said["features"]), tuple(said["classes"]), said["source"])
