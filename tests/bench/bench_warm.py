"""One point of a thousand moved, from the last solution and from the beginning: `python tests/bench/bench_warm.py`.

The kernel is Gaussian, as where a point is dragged over the plane. Both runs take turns in one process, on the same
points; "share" is the ratio of the medians of processor time, and the time of `warm.moved` counts.
"""

import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore import duals, kernels
from svmcore.solvers import convex, warm

N, MOVES, FAR = 1000, 100, 0.1  # points, turns, and the standard deviation of a move
KERNEL = kernels.Kernel("rbf", gamma=1.0)


def seconds(action):
    """Processor seconds of one call, and what it returns."""
    start = time.thread_time()
    result = action()
    return time.thread_time() - start, result


def turns(C):
    """(seconds from the beginning, from the last solution, steps of both) for each move, (MOVES, 4)."""
    rng = np.random.default_rng(1)
    X, y = make_moons(N, noise=0.25, random_state=0)
    qp = duals.hinge(2.0 * y - 1.0, C)
    first, rows = convex.solve(KERNEL, X, qp), []
    for k in rng.integers(N, size=MOVES):
        after = X.copy()
        after[k] += rng.normal(scale=FAR, size=2)
        cold, whole = seconds(lambda after=after: convex.solve(KERNEL, after, qp))
        near, again = seconds(
            lambda after=after: convex.solve(KERNEL, after, qp, start=warm.moved(KERNEL, X, after, first))
        )
        rows.append((cold, near, whole.n_iter, again.n_iter))
    return np.array(rows)


if __name__ == "__main__":
    with threadpool_limits(1):
        turns(1.0)  # compiled
        print("     C   from the beginning   from the last solution   share   steps")
        for C in (1.0, 10.0, 100.0):
            cold, near, whole, again = np.median(turns(C), axis=0)
            figures = f"{1e6 * cold:15.0f} us {1e6 * near:21.0f} us {near / cold:9.2f}"
            print(f"{C:6g} {figures}   {whole:.0f} and {again:.0f}")
