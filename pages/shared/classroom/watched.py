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
TICK = 60.0  # seconds between two moves of the clock of the store
FLUSH = 10.0  # seconds between two notes of all browsers that are there


class RoomWatch:
    """The rooms of the store, for all threads. `seen` rises with every change of the store that a look has found."""

    def __init__(self):
        self.seen = 0
        self._changes, self._rooms, self._lock = store.Changes(), {}, threading.Lock()
        self._here, self._flushed, self._ticked = {}, time.monotonic(), time.monotonic()

    def room(self, code: str) -> Room:
        """The room as it is now; raises StoreError, and RoomError where there is none."""
        with self._lock:
            self.seen = self._changes.count()
        now, known = time.monotonic(), self._rooms.get(code)
        if known is None or known[0] != self.seen or now - known[1] > AGAIN:
            self._rooms.pop(code, None)  # one that has been deleted is not kept
            known = self._rooms[code] = self.seen, now, rooms.look(code)
        return known[2]

    def here(self, code: str, browser: str, place: str = "", done: bool = False) -> None:
        """Note that this browser is in the room, at a place, and done there or not; the next `flush` writes it."""
        self._here[code, browser] = time.monotonic(), place, done

    def flush(self) -> None:
        """Writes down the browsers that are there, if the last time is long ago."""
        if not self._here or time.monotonic() - self._flushed < FLUSH:
            return
        now = self._flushed = time.monotonic()
        here, self._here = self._here, {}
        with suppress(StoreError):  # they are noted again soon
            rooms.note({who: (now - seen, place, done) for who, (seen, place, done) in here.items()})

    def keep_time(self) -> None:
        """Moves the clock of the store on, if the last time is long ago."""
        if time.monotonic() - self._ticked >= TICK:
            self._ticked = time.monotonic()
            with suppress(StoreError):
                rooms.keep_time()


watched = RoomWatch()
