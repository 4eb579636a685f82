"""What watching costs: `python tests/bench/bench_trace.py`.

"recorded" is the watched run, `record` of `watch.smo` or `watch.linear_system`, over the plain solve: a ratio of
medians of processor time, candidates taking turns in one process, one thread; it should be at most 1.05. "trace" is
what it takes afterwards to rebuild the frames and their intercepts, "curves" to compute the curves of them, in
milliseconds.

Where in a cache line the vectors of a run begin makes up to a quarter of its time, and one array more moves them all;
so other arrays are made, and some given back, before each sample, and the medians are over many such places.
"""

import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore import problems
from svmcore.kernels import Kernel
from svmcore.solvers import linear_system, smo
from svmcore.watch import curves, trace
from svmcore.watch import linear_system as watch_linear_system
from svmcore.watch import smo as watch_smo


def points(n):
    """(X, y): the toy of 40 points, two spirals of 200 and 360, moons."""
    if n in (40, 200, 360):
        problem = problems.load("toy_outliers") if n == 40 else problems.load("two_spirals", n=n)
        return problem.X, problem.y
    X, y = make_moons(n, noise=0.25, random_state=0)
    return X, 2.0 * y - 1.0


def medians(*actions, seconds=1.0):
    """Median processor seconds of each action, taking turns in random order and at random places in memory."""
    rng, taken, repeats = np.random.default_rng(0), [[] for _ in actions], []
    for action in actions:
        action()
        began = time.thread_time()
        action()
        repeats.append(max(1, int(0.002 / max(time.thread_time() - began, 1e-6))))
    begin = time.monotonic()
    while time.monotonic() - begin < seconds or len(taken[0]) < 9:
        for k in rng.permutation(len(actions)):
            arrays = [np.empty(size, np.uint8) for size in rng.integers(100, 16_000, 12)]
            kept = [arrays[i] for i in rng.permutation(12)[:6]]
            del arrays
            actions[k]()
            began = time.thread_time()
            for _ in range(repeats[k]):
                actions[k]()
            taken[k].append((time.thread_time() - began) / repeats[k])
            del kept
    return [float(np.median(times)) for times in taken]


def row(name, given, solve, record, build):
    plain, recorded = medians(solve, record, seconds=4.0)
    kept = record()
    seen = build(kept)
    building, drawing = medians(lambda: build(kept), lambda: curves.curves(seen, given), seconds=0.5)
    print(
        f"{len(given.y):5d} {name:34} {seen.n_iter:7d} {1e3 * plain:9.3f}ms  {recorded / plain:6.3f}  "
        f"{1e3 * building:8.2f}ms {1e3 * drawing:8.2f}ms",
        flush=True,
    )


def main():
    print("    N                                      steps      plain  recorded     trace     curves")
    for n in (40, 200, 360, 1000):
        X, y = points(n)
        for loss, C in (("hinge", 1.0), ("hinge", 100.0), ("least_squares", 10.0), ("least_absolute", 1.0)):
            given = trace.Given.of(Kernel("rbf"), X, y, loss, C)
            K, qp = given.K, given.qp
            for selection in smo.SELECTIONS:
                row(
                    f"{loss} C={C:g} {selection}",
                    given,
                    lambda: smo.solve(K, qp, selection=selection),  # noqa: B023
                    lambda: watch_smo.record(K, qp, selection=selection),  # noqa: B023
                    lambda recorded: watch_smo.trace_of(recorded, K, qp, tol=1e-3, selection=selection),  # noqa: B023
                )
        given = trace.Given.of(Kernel("rbf"), X, y, "least_squares", 10.0)
        for tol in (1e-3, 1e-8):
            row(
                f"conjugate gradients to {tol:g}",
                given,
                lambda: linear_system.solve(given.K, given.qp, tol=tol),  # noqa: B023
                lambda: watch_linear_system.record(given.K, given.qp, tol=tol),  # noqa: B023
                lambda recorded: watch_linear_system.trace_of(recorded, tol=tol),  # noqa: B023
            )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
