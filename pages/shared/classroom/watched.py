"""The rooms as this process sees them: sixty phones that ask whether anything is new cost one look. No Streamlit here.

SQLite counts what others have committed to the file. While that number stays, a room is as it was seen last. Browsers
that are there are noted in memory, and written all together.
"""

import threading
import time
from contextlib import suppress

from pages.shared.classroom import rooms
from pages.shared.classroom.rooms import Room
from pages.shared.server import store
from pages.shared.server.store import StoreError

AGAIN = 5.0  # seconds after which a room is looked at again in any case: those that have left are not written down
FLUSH = 10.0  # seconds between two notes of all browsers that are there


class RoomWatch:
    """The rooms of the store, for all threads. `seen` rises with every change of the store that a look has found."""

    def __init__(self):
        self.seen = 0
        self._changes, self._rooms, self._lock = store.Changes(), {}, threading.Lock()
        self._here, self._flushed = {}, time.monotonic()

    def room(self, code: str) -> Room:
        """The room as it is now; raises StoreError, and RoomError where there is none."""
        with self._lock:
            self.seen = self._changes.count()
        now, known = time.monotonic(), self._rooms.get(code)
        if known is None or known[0] != self.seen or now - known[1] > AGAIN:
            self._rooms.pop(code, None)  # one that has been deleted is not kept
            known = self._rooms[code] = self.seen, now, rooms.look(code)
        return known[2]

    def here(self, code: str, browser: str) -> None:
        """Note that this browser is in the room; the next `flush` writes it."""
        self._here[code, browser] = time.time()

    def flush(self) -> None:
        """Writes down the browsers that are there, if the last time is long ago."""
        if not self._here or time.monotonic() - self._flushed < FLUSH:
            return
        self._flushed, (here, self._here) = time.monotonic(), (self._here, {})
        with suppress(StoreError):  # they are noted again soon
            rooms.note(here)


watched = RoomWatch()
