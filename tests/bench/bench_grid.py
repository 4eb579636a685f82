"""Decision values on a plane: svmcore.grid against one product and np.exp, single thread.

    python tests/bench/bench_grid.py

Prints medians of interleaved runs in one process; the ratio is the result, the milliseconds depend on the machine.
The goal is 30 times at N = 250 on 200 x 200.
"""

import sys
from pathlib import Path
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from svmcore import grid  # noqa: E402
from svmcore.kernels import Kernel  # noqa: E402

CHUNK = 512  # grid points at a time; measured best for the usual way: 1 MB of kernel values at N = 250


def product_and_exp(X, beta, intercept, gamma, xs, ys):
    """The usual way: |p|^2 + |x|^2 - 2 p'x by matrix products of a few thousand grid points, then np.exp."""
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    norms = (X**2).sum(axis=1)
    f = np.empty(len(points))
    for start in range(0, len(points), CHUNK):
        some = points[start : start + CHUNK]
        K = some @ X.T
        K *= -2.0
        K += norms
        K += (some**2).sum(axis=1)[:, None]
        K *= -gamma
        np.exp(K, out=K)
        f[start : start + CHUNK] = K @ beta + intercept
    return f.reshape(len(ys), len(xs))


def medians(jobs, repeats):
    """Median CPU seconds of each job, the jobs taking turns so that a busy moment hits all of them."""
    times = {name: [] for name in jobs}
    for _ in range(repeats + 1):
        for name, job in jobs.items():
            start = process_time()
            job()
            times[name].append(process_time() - start)
    return {name: np.median(seconds[1:]) for name, seconds in times.items()}


def compare(N, size, repeats=15, gamma=1.0):
    rng = np.random.default_rng(0)
    X, beta = rng.normal(size=(N, 2)), rng.normal(size=N)
    kernel, (xs, ys) = Kernel("rbf", gamma), grid.axes(X, size)
    jobs = {
        "usual": lambda: product_and_exp(X, beta, 0.5, gamma, xs, ys),
        "ours": lambda: grid.decision(kernel, X, beta, 0.5, xs, ys),
        "points": lambda: grid.decision_at(kernel, X, beta, 0.5, np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)),
    }
    error = np.abs(jobs["usual"]() - jobs["ours"]()).max() / np.abs(beta).sum()
    return medians(jobs, repeats), error


def main():
    print("    N  grid     product + np.exp  separable grid  ratio  decision_at  ns/value   error/|beta|_1")
    for N, size in [(40, 100), (250, 100), (250, 200), (1000, 200)]:
        t, error = compare(N, size)
        usual, ours, points = 1e3 * t["usual"], 1e3 * t["ours"], 1e3 * t["points"]
        print(
            f"{N:5d}  {size} x {size}  {usual:11.2f} ms  {ours:11.3f} ms  {usual / ours:5.0f}"
            f"  {points:8.2f} ms  {1e6 * points / (N * size**2):8.2f}  {error:15.1e}"
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
