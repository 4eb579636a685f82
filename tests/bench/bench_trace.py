"""What watching costs: `python tests/bench/bench_trace.py`.

"recorded" is the watched run, `watch.pairs.record` or `watch.linear.record`, over the plain solve: a ratio of medians
of processor time, candidates taking turns in one process, one thread; it should be at most 1.05. "trace" is what it
takes afterwards to rebuild the frames and their intercepts, "curves" to compute the curves of them, in milliseconds.
"""

import sys
from pathlib import Path

from sklearn.datasets import make_moons
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench_svc import medians

from svmcore import problems
from svmcore.kernels import Kernel
from svmcore.solvers import linear_system, smo, trace
from svmcore.watch import curves, linear, pairs


def points(n):
    """(X, y): the toy of 40 points, two spirals of 200 and 360, moons."""
    if n in (40, 200, 360):
        problem = problems.load("toy_outliers") if n == 40 else problems.load("two_spirals", n=n)
        return problem.X, problem.y
    X, y = make_moons(n, noise=0.25, random_state=0)
    return X, 2.0 * y - 1.0


def row(name, n, given, solve, record, build):
    plain, recorded = medians(solve, record, seconds=3.0, least=15)
    kept = record()
    seen = build(kept)
    building, drawing = medians(lambda: build(kept), lambda: curves.curves(seen, given), least=5)
    print(
        f"{n:5d} {name:34} {seen.n_iter:7d} {1e3 * plain:9.3f}ms  {recorded / plain:6.3f}  "
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
                    n,
                    given,
                    lambda: smo.solve(K, qp, selection=selection),  # noqa: B023
                    lambda: pairs.record(K, qp, selection=selection),  # noqa: B023
                    lambda recording: pairs.trace_of(recording, K, qp, tol=1e-3, selection=selection),  # noqa: B023
                )
        given = trace.Given.of(Kernel("rbf"), X, y, "least_squares", 10.0)
        for tol in (1e-3, 1e-8):
            row(
                f"conjugate gradients to {tol:g}",
                n,
                given,
                lambda: linear_system.solve(given.K, given.qp, tol=tol),  # noqa: B023
                lambda: linear.record(given.K, given.qp, tol=tol),  # noqa: B023
                lambda states: linear.trace_of(states, tol=tol),  # noqa: B023
            )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
