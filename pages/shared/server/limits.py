"""Limits on how often visitors may do something, in this process. No Streamlit here."""

import threading
import time

MINUTE = 60.0  # seconds
REMEMBERED = 16_384  # things, the last: room for 130 addresses that do all they may, two for each guess


class Limit:
    """At most so many different things a minute, `most` for each way in which a visitor is known (browser, address)."""

    def __init__(self, *most: int):
        self.most, self._lock = most, threading.Lock()
        self._done: dict[tuple[str, str], float] = {}  # when who has done what, the last at the end

    def is_reached(self, *who: str) -> bool:
        """True if one of these names of a visitor has done as much as is allowed within the last minute; "" has not."""
        begin = time.monotonic() - MINUTE
        with self._lock:
            recent = [name for (name, _), at in self._done.items() if at > begin]
        return any(name and recent.count(name) >= most for name, most in zip(who, self.most, strict=True))

    def note(self, what: str, *who: str) -> None:
        """Note that the visitor of these names has done this; the same thing counts once."""
        with self._lock:
            for name in filter(None, who):
                self._done.pop((name, what), None)
                self._done[name, what] = time.monotonic()
            for oldest in [*self._done][:-REMEMBERED]:
                del self._done[oldest]
