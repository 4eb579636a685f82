"""The watch over a process: a thread that looks after its jobs and its memory, and a route that reports on it."""

import gc
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.shared.server import cache, jobs, run_queue, sessions
from pages.shared.server.static_files import below_base

EVERY = 2.0  # seconds between two looks
_tasks: list[Callable[[], None]] = []
MOST_FILES = 100  # that are opened before sessions which have left are looked for
_files: list[int] = []  # the least number of open files since they were
_before: list[float] = []  # MB of the process before the first session, once they are known


def add_task(task: Callable[[], None]) -> None:
    """Calls `task` at every look from now on."""
    _tasks.append(task)


def start() -> None:
    """Begins the watch: the process has all that it needs without a session. Once; later calls measure again."""
    begun = bool(_before)
    _before[:] = [cache.process_megabytes()]
    if not begun:
        threading.Thread(target=_watch, daemon=True, name="watch").start()


def _watch():
    while True:
        time.sleep(EVERY)
        with suppress(Exception):  # nothing that is reported here may end it
            look(time.monotonic())


def look(now: float) -> None:
    """Stops the jobs of sessions that have left, does the tasks; a full process drops what connections that are gone
    have left, and if it is full nevertheless half of its results.
    """
    jobs.stop_abandoned(now)
    for task in _tasks:
        task()
    collect_sessions()
    if cache.process_megabytes() > cache.MOST:
        gc.collect()
    if cache.process_megabytes() > cache.MOST:
        cache.RESULTS.shrink(cache.RESULTS.total / 2)


def collect_sessions() -> None:
    """Ends the sessions that have left and hold files: a collection at the end of each run would delay its answer."""
    with suppress(OSError):
        now = len(os.listdir("/proc/self/fd"))
        if now > min(_files, default=now) + MOST_FILES:
            gc.collect()
            _files.clear()
            now = len(os.listdir("/proc/self/fd"))
        _files[:] = [min([now, *_files])]


def report() -> dict:
    """The state of this process: sessions, runs, jobs, memory, and the times of the last runs with their waiting."""
    running, waiting = run_queue.queue.counts
    seconds, found, now = sorted(run_queue.queue.seconds), jobs.running_jobs(), cache.process_megabytes()
    count = sessions.count()
    return {
        "status": "ok",
        "process": os.getpid(),
        "sessions": count,
        "runs": {
            "running": running,
            "waiting": waiting,
            **{f"p{p}_ms": round(1e3 * seconds[len(seconds) * p // 100], 1) if seconds else None for p in (50, 95)},
        },
        "jobs": {"running": len(found), "sessions": len({session for _, session in found})},
        "threads": threading.active_count(),
        "threads_of": dict(Counter(re.split(r"[-_.]?\d", thread.name)[0] for thread in threading.enumerate())),
        "memory_mb": round(now, 1),
        "memory_most_mb": cache.MOST,
        "memory_per_session_mb": round((now - _before[0]) / count, 1) if count and _before else None,
        "results_mb": round(cache.RESULTS.total, 1),
        "results_most_mb": cache.RESULTS.in_all,
        "results_of_a_session_mb": round(cache.RESULTS.largest, 1),
        "results_of_a_session_most_mb": cache.RESULTS.each,
    }


def routes() -> list[Route]:
    """The route /health, below the base path."""

    async def health(request: Request) -> JSONResponse:
        return JSONResponse(report(), headers={"Cache-Control": "no-store"})

    return [Route(below_base("health"), health)]
