"""Limits on how often a visitor may do something, in this process. No Streamlit here."""

import threading
import time
from collections import OrderedDict

MINUTE = 60.0  # seconds
REMEMBERED = 4096  # visitors, those who did something last


class Limit:
    """At most `most` different things a minute, for each of many visitors."""

    def __init__(self, most: int):
        self.most, self._lock = most, threading.Lock()
        self._done: OrderedDict[str, dict[str, float]] = OrderedDict()

    def is_reached(self, who: str) -> bool:
        """True if this visitor has done as much as is allowed within the last minute."""
        with self._lock:
            return len(self._recent(who)) >= self.most

    def note(self, who: str, what: str) -> None:
        """Note that this visitor has done this; the same thing counts once."""
        with self._lock:
            self._done[who] = {**self._recent(who), what: time.monotonic()}
            self._done.move_to_end(who)
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)

    def _recent(self, who):
        begin = time.monotonic() - MINUTE
        return {what: at for what, at in self._done.get(who, {}).items() if at > begin}
