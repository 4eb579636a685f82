"""Runs of pages take turns, so that many readers on one server are all answered.

A run of a page holds Python's lock for most of its time. Where each of fifty sessions started at once, all would end
late, and a session that changes something meanwhile would never see an answer. So one run is made at a time, and
another one beside those that take long. A session keeps its place in the queue when it asks again: only its newest
request is answered, the others end before they have computed anything. Sessions whose last run was short have a turn
that costly ones do not take: twenty costly links held up a slider for eight seconds.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps

import streamlit as st

from pages.shared.server import sessions

MOST = 3  # runs at a time, of which one is of a session whose runs are short
SHORT = 0.2  # seconds; a run that takes longer computes, mostly in compiled code that needs no lock
LONGEST = 15.0  # seconds for which a run may keep the others waiting
REMEMBERED = 4096  # sessions of which it is known that their last run was short
LOOK = 0.1  # seconds after which those who wait look whether a thread has died or takes long


class RunQueue:
    """The runs that are made, and those that wait in the order in which their sessions came.

    One is made at a time, and beside those that take longer than `short` seconds another one, `most` in all.
    """

    def __init__(self, most: int, short: float = SHORT):
        self.most, self.short, self.seconds = most, short, deque(maxlen=500)
        self._lock, self._running, self._waiting = threading.Lock(), {}, OrderedDict()
        self._short = OrderedDict()  # the sessions whose last run was
        self.latest = -math.inf  # when a reader asked last
        self._pictures = 0  # that are being drawn outside of runs

    def enter(self, session: str, gone: Callable[[], bool] = lambda: False, urgent: bool = True) -> bool:
        """Waits for a turn; False if this session has asked again meanwhile, or is `gone`: then there is none.

        A reader waits for what is `urgent`: it goes before the rest.
        """
        with self._lock:
            me = _Run(threading.current_thread(), session, time.monotonic(), urgent, session in self._short)
            if urgent:
                self.latest = me.came
            if me.thread in self._running:  # the newest request of a run that has not begun to compute
                return True
            older = self._waiting.get(session)
            self._waiting[session] = me  # in the place of an older request, if there is one
            if older:
                older.called.set()
            self._call()
        while not me.called.wait(LOOK):
            with self._lock:
                if not me.called.is_set() and gone():
                    del self._waiting[session]
                    return False
                self._call()
        me.computed -= time.thread_time()
        return me.thread in self._running

    def leave(self) -> None:
        """The run of this thread has ended."""
        with self._lock:
            run = self._running.pop(threading.current_thread(), None)
            if run:
                self.seconds.append(time.monotonic() - run.came)
            if run and run.urgent:
                self._short.pop(run.session, None)
                if run.computed + time.thread_time() < self.short:
                    self._short[run.session] = None
                while len(self._short) > REMEMBERED:
                    self._short.popitem(last=False)
            self._call()

    def _call(self):
        """Give turns to those who wait longest, as far as there are any."""
        now = time.monotonic()
        self._tidy(now)
        while self._waiting and len(self._running) < self.most:
            if any(now - run.began < self.short for run in self._running.values()):
                return
            costly = sum(not run.is_short for run in self._running.values())
            able = [run for run in self._waiting.values() if run.is_short or costly < max(1, self.most - 1)]
            if not able:
                return
            run = next((run for run in able if run.urgent), able[0])
            del self._waiting[run.session]
            run.began = now
            self._running[run.thread] = run
            run.called.set()

    def _tidy(self, now):
        """Without threads that ended by themselves, as a run does that Streamlit stops, or that take too long."""
        for thread, run in [*self._running.items()]:
            if not thread.is_alive() or now - run.began > LONGEST:
                del self._running[thread]
        for session, run in [*self._waiting.items()]:
            if not run.thread.is_alive():
                del self._waiting[session]

    def wait_until_quiet(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """Waits until nothing that readers wait for is made, or until it is `enough`, but at most so many seconds."""
        end = time.monotonic() + seconds
        while self.is_busy and time.monotonic() < end and not enough():
            time.sleep(0.005)

    @contextmanager
    def live_picture(self) -> Iterator[None]:
        """Around a live picture: it takes no turn, and jobs wait for it as for a run."""
        with self._lock:
            self._pictures += 1
        try:
            yield
        finally:
            with self._lock:
                self._pictures -= 1

    @property
    def is_busy(self) -> bool:
        """True if a run is made or waits, or a live picture is drawn; it takes no lock."""
        return bool(self._running or self._waiting or self._pictures)

    @property
    def is_awaited(self) -> bool:
        """True if another run waits; asked at each element of a page, so it takes no lock."""
        return bool(self._waiting)

    @property
    def counts(self) -> tuple[int, int]:
        """The number of runs that are made, and of those that wait."""
        with self._lock:
            self._tidy(time.monotonic())
            return len(self._running), len(self._waiting)


class _Run:
    """A run with its thread and session, when it came and began, whether a reader waits for it, and whether that of the
    session before it was short; `computed`: the processor time of its thread.
    """

    def __init__(self, thread: threading.Thread, session: str, came: float, urgent: bool, is_short: bool):
        self.thread, self.session, self.came, self.began, self.urgent = thread, session, came, came, urgent
        self.is_short, self.called, self.computed = is_short, threading.Event(), 0.0


queue = RunQueue(MOST)


def enter(urgent: bool = True) -> None:
    """At the beginning of a run: waits for its turn, ends the run if its answer is no longer asked for."""
    session = sessions.arrive()
    if session and not queue.enter(session, lambda: not sessions.is_connected(session), urgent):
        st.stop()


def leave() -> None:
    """At the end of a run: the next one begins."""
    queue.leave()


def from_the_top() -> AbstractContextManager:
    """Around a page: it begins in no container.

    A page that is asked for while a part that renews itself comes to its end is made in the same thread, and Streamlit
    would draw it into the place of that part.
    """
    main = getattr(st.container, "__self__", None)  # commands of Streamlit are methods of the main container
    return main or nullcontext()


def repeat(part: Callable, every: float | None, *arguments) -> None:
    """A part of a page, `part(*arguments)`, that is made again after so many seconds; the pages that readers wait for
    come first.

    It has a place of its own: when a part begins anew, Streamlit drops what the page has just sent of it and is not on
    its way. Without the place all that follows would move up by one, and the part would then replace what is next.
    """

    @wraps(part)  # Streamlit tells parts by their names
    def take_turn():
        with fragment():
            part(*arguments)

    with st.container():
        st.fragment(take_turn, run_every=every)()


@contextmanager
def fragment() -> Iterator[None]:
    """Around a part of a page that renews itself: the pages that readers wait for come first."""
    if threading.current_thread() in queue._running:  # it is made with its page
        yield
        return
    enter(urgent=False)
    try:
        yield
    finally:
        leave()
