"""Many small fits at once: threads of one process, results in order.

The solvers and kernels are compiled code that runs without the interpreter's lock, and the points need not be sent
anywhere, so threads serve fits of a millisecond, for which processes would take longer than the fits. Whole experiments
of minutes are run by joblib or Dask (`svmcore.papers.work`).
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import joblib

MOST = 8  # threads; each is waiting for the interpreter's lock for part of the time
AHEAD = 2  # tasks for each thread that are begun before their results are asked for


def in_order(function: Callable, tasks: Iterable, workers: int | None = None) -> Iterator:
    """`function(task)` for each of the `tasks`, in their order, by as many threads as there are processors.

    Only a few tasks are begun before they are asked for: a caller that stops asking stops the work, and one that asks
    again resumes it. Closing the iterator drops what has not begun. An exception is raised in place of its result.
    """
    workers = min(joblib.cpu_count(), MOST) if workers is None else workers
    tasks = iter(tasks)
    if workers == 1:
        yield from map(function, tasks)
        return
    pool, begun = ThreadPoolExecutor(workers, thread_name_prefix="at_once"), deque()
    try:
        while True:
            for task in tasks:
                begun.append(pool.submit(copy_context().run, function, task))
                if len(begun) >= AHEAD * workers:
                    break
            if not begun:
                return
            yield begun.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
