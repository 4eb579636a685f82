"""LS-SVM: `linear_system.direct` against LAPACK in place and against scipy.linalg.solve, one thread.

    python tests/bench/bench_linear_system.py

All candidates run in turn within one process, and a row shows the medians. The first column is the bare in-place
dpotrf and dpotrs (two right-hand sides), without the ridge, the intercept and the certificate; `direct` should need
at most 1.3 times that. At N = 100 the calls from Python, 15 microseconds, are more.
"""

import sys
import time
from pathlib import Path

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpotrf, dpotrs
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore import duals  # noqa: E402
from svmcore.solvers import linear_system  # noqa: E402

SIZES = {100: 1000, 150: 500, 250: 200, 500: 50, 1000: 15, 2000: 5}  # number of points: repetitions


def problem(n, seed=0, C=10.0):
    """Gram matrix of a Gaussian kernel on n points in the plane, and the LS-SVM dual."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    squares = (X**2).sum(1)
    K = np.exp(-np.maximum(squares[:, None] + squares - 2.0 * X @ X.T, 0.0))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    return 0.5 * (K + K.T), duals.least_squares(y, C)


def lapack(buffer, right):
    dpotrf(buffer.T, lower=1, clean=0, overwrite_a=1)
    dpotrs(buffer.T, right, lower=1, overwrite_b=1)


def medians(candidates, repetitions):
    """Median processor seconds of `run` for each (prepare, run), taken in turn, each after one call to warm up."""
    seconds = np.empty((repetitions, len(candidates)))
    for row in seconds:
        for k, (prepare, run) in enumerate(candidates):
            run(*prepare())
            prepared = prepare()
            began = time.thread_time()
            run(*prepared)
            row[k] = time.thread_time() - began
    return np.median(seconds, axis=0)


def measure(n, repetitions):
    K, qp = problem(n)
    H = K + np.diag(qp.ridge)
    right = np.column_stack([np.ones(n), -qp.linear])
    buffer = np.empty_like(K)

    def fresh(matrix):
        np.copyto(buffer, matrix)
        return (buffer,)

    return medians(
        [
            (lambda: (*fresh(H), np.asfortranarray(right)), lapack),
            (lambda: fresh(K), lambda K: linear_system.direct(K, qp, overwrite=True)),
            (lambda: fresh(K), lambda K: linear_system.direct(K, qp)),
            (lambda: fresh(K), lambda K: scipy.linalg.solve(K + np.diag(qp.ridge), right, assume_a="pos")),
            (lambda: fresh(K), lambda K: linear_system.solve(K, qp, tol=1e-8)),
        ],
        repetitions,
    )


def main():
    columns = "lapack", "overwrite", "copy", "scipy", "cg 1e-8"
    print("milliseconds (times LAPACK in place)")
    print(f"{'N':>6}" + "".join(f"{name:>18}" for name in columns))
    with threadpool_limits(1):
        for n, repetitions in SIZES.items():
            seconds = measure(n, repetitions)
            cells = (f"{1e3 * s:10.3f} ({s / seconds[0]:4.2f})" for s in seconds)
            print(f"{n:>6}" + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main()
