"""The readers' own sets of points: in memory, and in the store, so that they survive a restart. No Streamlit here.

What has not been used for `AGE`, by the clock of the store, is deleted. While all together have more than `MOST`, a new
set pushes out those of the same browser, the one that was used longest ago first, and those of others only after them.
A set belongs to the browser that stored it first. Where the store does not work, the sets in memory still do, and
`trouble` says why.
"""

import json
import threading
import zlib
from collections import OrderedDict

import numpy as np

from pages.shared.screen.own_points import MOST_SETS, Own
from pages.shared.server import store
from pages.shared.server.store import StoreError

AGE = 180 * 86400.0  # seconds
MOST = 200_000_000  # bytes
SELDOM = 3600.0  # seconds after which a use is noted again


class Sets:
    """The sets of a server, by their keys, for all threads; the `MOST_SETS` that were used last are in memory."""

    def __init__(self):
        self.trouble, self._recent, self._lock = "", OrderedDict(), threading.Lock()

    def get(self, key: str) -> Own | None:
        with self._lock:
            found = self._recent.get(key)
        if found is None:
            try:
                found = _read(key)
            except StoreError as error:
                self.trouble = str(error)
        if found is not None:
            self._remember(found)
        return found

    def put(self, points: Own, browser: str = "") -> None:
        """Keep a set, which a browser has brought."""
        self._remember(points)
        try:
            _write(points, browser)
            self.trouble = ""
        except StoreError as error:
            self.trouble = str(error)

    def _remember(self, points):
        with self._lock:
            self._recent[points.key] = points
            self._recent.move_to_end(points.key)
            while len(self._recent) > MOST_SETS:
                self._recent.popitem(last=False)

    def delete(self, key: str, browser: str) -> None:
        """Delete a set of this browser, here and in the store; raises StoreError, and leaves the sets of others."""
        if is_owner(key, browser):
            with self._lock:
                self._recent.pop(key, None)
            delete(key)


def is_owner(key: str, browser: str) -> bool:
    """True if this browser was the first to store the set; raises StoreError."""
    with store.transaction() as connection:
        return bool(browser) and connection.value("select browser from sets where key = ?", key) == browser


def list_sets() -> list:
    """(key, size, seconds unused) of all sets in the store, the last used first; raises StoreError."""
    with store.transaction() as connection:
        found = "select key, size, ? - used as unused from sets order by used desc, rowid desc"
        return connection.rows(found, store.now(connection))


def delete(key: str | None = None) -> int:
    """Delete the set with this key, or all: how many there were; raises StoreError."""
    with store.transaction(write=True) as connection:
        if key is None:
            return connection.execute("delete from sets").rowcount
        return connection.execute("delete from sets where key = ?", (key,)).rowcount


def _write(points, browser):
    said = {"X": points.X.tolist(), "y": points.y.tolist(), "features": points.features, "classes": points.classes}
    body = zlib.compress(json.dumps(said | {"source": points.source}).encode())
    with store.transaction(write=True) as connection:
        now = store.tick(connection)
        first = connection.value("select browser from sets where key = ?", points.key)
        connection.execute(
            "insert or replace into sets (key, body, size, used, browser) values (?, ?, ?, ?, ?)",
            (points.key, body, len(body), now, browser if first is None else first),
        )
        connection.execute("delete from sets where used < ?", (now - AGE,))
        excess = connection.value("select sum(size) from sets") - MOST
        if excess <= 0:
            return
        others = "select key, size from sets where key != ? order by browser != ?, used, rowid"
        for key, size in connection.rows(others, points.key, browser):
            if excess <= 0:
                break
            connection.execute("delete from sets where key = ?", (key,))
            excess -= size


def _read(key):
    with store.transaction() as connection:
        row = connection.row("select body, used from sets where key = ?", key)
        now = store.now(connection)
    if row is None:
        return None
    if now - row.used > SELDOM:
        with store.transaction(write=True) as connection:
            connection.execute("update sets set used = ? where key = ?", (now, key))
    try:
        said = json.loads(zlib.decompress(row.body))
        X, y = np.array(said["X"], float).reshape(-1, len(said["features"])), np.array(said["y"], float)
        return Own(X, y, tuple(said["features"]), tuple(said["classes"]), said["source"])
    except (ValueError, KeyError, TypeError, zlib.error):
        return None
