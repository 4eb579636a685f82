"""Many small fits at once: threads of one process, results in order.

The solvers and kernels are compiled code that runs without the interpreter's lock, and the points need not be sent
anywhere, so threads serve tasks of some milliseconds, for which processes would take longer than the tasks. Shorter
tasks, such as the fits of a hundred points, are mostly calls between compiled functions: threads that hand the
interpreter to each other at each of these take longer than one alone. Whole experiments of minutes are run by joblib or
Dask (`svmcore.work`).
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from time import perf_counter

import joblib

MOST = 8  # threads; each is waiting for the interpreter's lock for part of the time
WORTH = 0.01  # seconds: from tasks as long as this, threads are faster
AHEAD = 2  # tasks for each thread that are begun before their results are asked for


def in_order(function: Callable, tasks: Iterable, workers: int | Callable[[], int] | None = None) -> Iterator:
    """`function(task)` for each of the `tasks`, in their order, by as many threads as there are processors.

    workers: another number of threads, or a function that says how many there may be now: it is asked before each
    result, so that a long work gives way to others. With one, the thread of the caller computes; so it does until a
    task has taken `WORTH`, unless a number is given. Only a few tasks are begun before they are asked for: a caller
    that stops asking stops the work, and one that asks again resumes it. Closing the iterator drops what has not begun.
    An exception is raised in place of its result.
    """
    allowed = workers if callable(workers) else lambda: workers or min(joblib.cpu_count(), MOST)
    tasks, begun, pool, size = iter(tasks), deque(), None, 1
    worth = isinstance(workers, int)
    try:
        while True:
            now = allowed() if worth else 1
            if now != size and not begun:  # those that are begun are finished first, by as many as before
                pool, size = _another(pool, now), now
            if now == size > 1:
                for task in islice(tasks, AHEAD * size - len(begun)):
                    begun.append(pool.submit(copy_context().run, function, task))
            if begun:
                yield begun.popleft().result()
                continue
            for task in islice(tasks, 1):
                started = perf_counter()
                result = function(task)
                worth = worth or perf_counter() - started >= WORTH
                yield result
                break
            else:
                return
    finally:
        _another(pool, 1)


def _another(pool, size):
    if pool:
        pool.shutdown(wait=False, cancel_futures=True)
    return ThreadPoolExecutor(size, thread_name_prefix="at_once") if size > 1 else None
