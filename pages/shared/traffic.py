"""Many readers on one server: runs of pages take turns, work in the background is bounded, and a route reports on it.

A run of a page holds Python's lock for most of its time. Where each of fifty sessions started at once, all would end
late, and a session that changes something meanwhile would never see an answer. So one run is made at a time, and
another one beside those that take long. A session keeps its place in the queue when it asks again: only its newest
request is answered, the others end before they have computed anything.

Only Streamlit is imported here, and `memory`.
"""

import json
import math
import os
import re
import sys
import threading
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit import config, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import memory

COOKIE = "svm_lab_browser"  # holds a random number of a browser
TURNS = 3  # runs at a time, of which one is short
SHORT = 0.2  # seconds; a run that takes longer computes, mostly in compiled code that needs no lock
LONGEST = 15.0  # seconds for which a run may keep the others waiting
LOOK = 0.1  # seconds after which those who wait look whether a thread has died or takes long, or a page waits for them
GRACE = 10.0  # seconds for which a session may be away, as for a reload, before its jobs are stopped
MOST_JOBS = 4  # of one session
MOST_JOBS_IN_ALL = 64
CORES = os.cpu_count() or 2
WORKERS = max(1, CORES // 2)  # jobs that compute at the same time; the others wait for their next row
ACTING = 2.0  # seconds after a run of a page for which its reader may act again
NICE = 5  # by which threads that compute in the background are set back, as a process by `nice`
YIELD = 0.5  # seconds for which a job waits with its next row while readers wait for a page


class Turns:
    """Who may run: one thread, sessions in the order in which they came; beside those that take long, another one.

    most: threads in all; short: seconds after which a run no longer keeps the next one waiting.
    """

    def __init__(self, most: int, short: float = SHORT):
        self.most, self.short, self.seconds = most, short, deque(maxlen=500)
        self._lock, self._running, self._waiting = threading.Lock(), {}, OrderedDict()
        self.latest = -math.inf  # when a run that is `first` was asked for

    def enter(self, session: str, gone: Callable[[], bool] = lambda: False, first: bool = True) -> bool:
        """Waits for a turn; False if this session has asked again meanwhile, or is `gone`: then there is none.

        Those that are `first` go before the others.
        """
        me = Ticket(threading.current_thread(), time.monotonic(), first)
        with self._lock:
            if first:
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
        return me.thread in self._running

    def leave(self) -> None:
        """The run of this thread has ended."""
        with self._lock:
            ticket = self._running.pop(threading.current_thread(), None)
            if ticket:
                self.seconds.append(time.monotonic() - ticket.came)
            self._call()

    def _call(self):
        """Give turns to those who wait longest, as far as there are any."""
        now = time.monotonic()
        self._tidy(now)
        while self._waiting and len(self._running) < self.most:
            if any(now - ticket.began < self.short for ticket in self._running.values()):
                return
            session = next((key for key, ticket in self._waiting.items() if ticket.first), next(iter(self._waiting)))
            ticket = self._waiting.pop(session)
            ticket.began = now
            self._running[ticket.thread] = ticket
            ticket.called.set()

    def _tidy(self, now):
        """Without threads that ended by themselves, as a run does that Streamlit stops, or that take too long."""
        for thread, ticket in [*self._running.items()]:
            if not thread.is_alive() or now - ticket.began > LONGEST:
                del self._running[thread]
        for session, ticket in [*self._waiting.items()]:
            if not ticket.thread.is_alive():
                del self._waiting[session]

    def quiet(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        """Waits until no run is made or waits, or until it is `enough`, but at most so many seconds."""
        end = time.monotonic() + seconds
        while (self._running or self._waiting) and time.monotonic() < end and not enough():
            time.sleep(0.005)

    @property
    def counts(self) -> tuple[int, int]:
        """How many run, and how many wait."""
        with self._lock:
            self._tidy(time.monotonic())
            return len(self._running), len(self._waiting)

    @property
    def awaited(self) -> bool:
        """Whether another run waits; asked at each element of a page, so it takes no lock."""
        return bool(self._waiting)


class Ticket:
    """A place in the queue: the thread, when it came, when it was called, and whether it goes before others."""

    def __init__(self, thread: threading.Thread, came: float, first: bool):
        self.thread, self.came, self.began, self.first, self.called = thread, came, came, first, threading.Event()


turns = Turns(TURNS)
workers = threading.Semaphore(WORKERS)
_jobs: "OrderedDict[weakref.ref, tuple[str | None, float]]" = OrderedDict()  # with the session, and when it was seen
_lock = threading.Lock()  # of `_jobs` and `_wardens`
_wardens: list[threading.Thread] = []  # the thread of `_watch`, once it has been started
_chores: list[Callable[[], None]] = []  # what that thread does, see `regularly`
_empty: list[float] = []  # MB of the process before the first session, once they are known


def enter() -> None:
    """At the beginning of a run: waits for its turn, ends the run if its answer is no longer asked for."""
    asking = session()
    _unshield()
    if asking and not turns.enter(asking, lambda: not _here(asking)):
        st.stop()


def shield() -> None:
    """After `enter` and the first command: while others wait for their turn, this run is made to its end.

    Streamlit ends a run when its session asks again. Where each session asks more often than it has a turn, none would
    ever see an answer. The newest request is answered next.
    """
    context = get_script_run_ctx(suppress_warning=True)
    requests = context and context.script_requests
    if requests is None:
        return

    def patient():
        return None if turns.awaited else type(requests).on_scriptrunner_yield(requests)

    requests.on_scriptrunner_yield = patient


def leave() -> None:
    """At the end of a run: the next one begins."""
    _unshield()
    turns.leave()


def _unshield():
    context = get_script_run_ctx(suppress_warning=True)
    if context and context.script_requests:
        vars(context.script_requests).pop("on_scriptrunner_yield", None)


def adopt(job) -> None:
    """Keep account of a job of this session, which has `running` and `stop()`: it ends with its session.

    Of more than `MOST_JOBS` in a session, and `MOST_JOBS_IN_ALL`, the one that was begun first is stopped.
    """
    mine = session()
    with _lock:
        _jobs[weakref.ref(job)] = mine, time.monotonic()
    running = _running()
    own = [job for job, owner in running if owner == mine and mine]
    for extra in [*own[:-MOST_JOBS], *(job for job, _ in running[:-MOST_JOBS_IN_ALL])]:
        extra.stop()


def threads() -> int:
    """How many threads one job may use now: the jobs share the processors, and leave one to readers who act."""
    acting = time.monotonic() - turns.latest < ACTING
    return max(1, (CORES - acting) // max(1, len(_running())))


def give_way() -> None:
    """This thread and those that it starts get what the threads of pages leave of the processors, on Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            base = os.getpriority(os.PRIO_PROCESS, os.getpid())  # of the first thread
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), base + NICE)


@contextmanager
def working(awaited: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Around each row of a job: few compute at a time, and the pages of readers come first.

    A job that is `awaited` by a page is a part of that page: it waits for nothing.
    """
    held = _place(awaited)
    try:
        yield
    finally:
        if held:
            workers.release()


def _place(awaited):
    """Waits for a place among the workers, and until pages are made; False if none is needed."""
    while not awaited():
        if workers.acquire(timeout=LOOK):
            turns.quiet(YIELD, awaited)
            return True
    return False


@contextmanager
def update() -> Iterator[None]:
    """Around a part of a page that renews itself: the pages that readers wait for come first."""
    context = get_script_run_ctx(suppress_warning=True)
    if not context or not context.fragment_ids_this_run:  # it is made with its page, in the turn of that
        yield
        return
    session = context.session_id
    if not turns.enter(session, lambda: not _here(session), first=False):
        st.stop()
    try:
        yield
    finally:
        turns.leave()


def pace(seconds: float) -> float:
    """The seconds between two updates of a job on its page: more where many are watched."""
    return seconds * max(1.0, len(_running()) / 4)


def regularly(chore: Callable[[], None]) -> None:
    """Registers what a thread of its own does every few seconds."""
    _chores.append(chore)


def _running():
    """(job, session) of all that run, in the order in which they began."""
    with _lock:
        for gone in [ref for ref in _jobs if ref() is None]:
            del _jobs[gone]
        alive = [(ref(), session) for ref, (session, _) in _jobs.items()]
    return [(job, session) for job, session in alive if job is not None and job.running]


def _watch():
    while True:
        time.sleep(2.0)
        with suppress(Exception):  # nothing that is reported here may end it
            look(time.monotonic())


def look(now: float) -> None:
    """Stops the jobs of sessions that have been away for `GRACE` seconds; a full process drops half of its results."""
    with _lock:
        for ref, (session, _) in [*_jobs.items()]:
            if session is None or _here(session):
                _jobs[ref] = session, now
        away = [ref() for ref, (_, seen) in _jobs.items() if now - seen > GRACE]
    for job in away:
        if job is not None and job.running:
            job.stop()
    for chore in _chores:
        chore()
    if memory.of_process() > memory.MOST:
        memory.account.shrink(memory.account.total / 2)


def prepared() -> None:
    """The process has all that it needs without a session; what it takes from now on is for sessions, and watched."""
    with _lock:
        if not _wardens:
            _wardens.append(threading.Thread(target=_watch, daemon=True, name="warden"))
            _wardens[0].start()
    _empty[:] = [memory.of_process()]


def report() -> dict:
    """The state of this process: sessions, runs, jobs, memory, and the times of the last runs with their waiting."""
    running, waiting = turns.counts
    seconds, jobs, now = sorted(turns.seconds), _running(), memory.of_process()
    sessions = len(runtime.get_instance()._session_mgr.list_active_sessions()) if runtime.exists() else 0
    return {
        "status": "ok",
        "process": os.getpid(),
        "sessions": sessions,
        "runs": {
            "running": running,
            "waiting": waiting,
            "p50_ms": _percentile(seconds, 0.5),
            "p95_ms": _percentile(seconds, 0.95),
        },
        "jobs": {"running": len(jobs), "sessions": len({session for _, session in jobs})},
        "threads": threading.active_count(),
        "threads_of": dict(Counter(re.split(r"[-_.]?\d", thread.name)[0] for thread in threading.enumerate())),
        "memory_mb": round(now, 1),
        "memory_most_mb": memory.MOST,
        "memory_per_session_mb": round((now - _empty[0]) / sessions, 1) if sessions and _empty else None,
        "results_mb": round(memory.account.total, 1),
        "results_most_mb": memory.account.in_all,
        "results_of_a_session_mb": round(memory.account.largest, 1),
        "results_of_a_session_most_mb": memory.account.each,
    }


def _percentile(ordered, share):
    return round(1e3 * ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1) if ordered else None


def routes() -> list[Route]:
    """The route /health, below the base path."""

    async def health(request: Request) -> Response:
        return Response(json.dumps(report()), media_type="application/json", headers={"Cache-Control": "no-store"})

    return [Route(below_base("health"), health)]


def below_base(path: str) -> str:
    """The path of a route of the app: Streamlit does not put these below its base path."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


def session() -> str | None:
    """The session whose run this thread makes; None elsewhere."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


def _here(session):
    """Whether the session has a browser; tests have none."""
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
