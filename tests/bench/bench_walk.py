"""Linear machines: dual coordinate descent against LIBLINEAR, and RW(5) against the linear programme, one thread.

    python tests/bench/bench_walk.py

First table: `coordinate.solve` and scikit-learn's LinearSVC (LIBLINEAR, dual) at the same tolerance 1e-4: the medians
and their ratio, below 1 where ours takes less time. Second table: five rounds of the walk, the linear programme
(HiGHS), and how far the objective of RW(5) lies above the programme's. Both have no intercept, so that they are the
same problem. Last: what the sparse problem adds to the peak memory of the process, each in a process of its own.
"""

import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore.solvers import coordinate, reweighting  # noqa: E402

PROBLEMS = {  # name: (points, features, share of entries that are not zero, C, repetitions)
    "100 x 200": (100, 200, 1.0, 0.05, 50),
    "100 x 200, C = 1": (100, 200, 1.0, 1.0, 50),
    "1000 x 20": (1000, 20, 1.0, 0.01, 20),
    "72 x 5147": (72, 5147, 1.0, 0.05, 20),
    "4000 x 8000, 1 %": (4000, 8000, 0.01, 0.1, 5),
}
LONGEST = 300  # seconds that the linear programme may take of the sparse problem


def problem(name, seed=0):
    """Two Gaussian clouds 3 apart in five features; sparse, with means to match, where entries are left out."""
    n, d, share, _, _ = PROBLEMS[name]
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    if share == 1.0:
        X = rng.standard_normal((n, d))
        X[:, :5] += 1.5 / np.sqrt(5.0) * y[:, None]
        return X, y
    relevant = sparse.csr_array(0.5 * rng.standard_normal((n, 20)) + 0.3 * y[:, None])
    each = int(share * (d - 20))
    columns, starts = rng.integers(0, d - 20, n * each, np.int32), each * np.arange(n + 1, dtype=np.int32)
    others = sparse.csr_array((rng.standard_normal(n * each), columns, starts), shape=(n, d - 20))
    others.sum_duplicates()
    return sparse.hstack([relevant, others], format="csr"), y


def median(run, repetitions):
    run()
    seconds = []
    for _ in range(repetitions):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return float(np.median(seconds))


def descent(name, loss):
    X, y = problem(name)
    C, repetitions = PROBLEMS[name][3:]
    run = dict(tol=1e-4, max_iter=10_000)
    theirs = LinearSVC(loss=loss, dual=True, C=C if loss == "hinge" else 0.5 * C, **run)
    ours = median(lambda: coordinate.solve(coordinate.task(X, y, C, loss=loss), **run), repetitions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ours, median(lambda: theirs.fit(X, y), repetitions)


def rounds(name):
    X, y = problem(name)
    C, repetitions = PROBLEMS[name][3:]
    five = reweighting.solve(X, y, C, n_rounds=5, gap=0.0, bias="none")
    seconds = median(lambda: reweighting.solve(X, y, C, n_rounds=5, gap=0.0, bias="none"), repetitions)
    began = time.perf_counter()
    exact = reweighting.linear_program(X, y, C, bias="none")
    return seconds, time.perf_counter() - began, five, exact


def peak():
    """The most memory that this process has held so far, megabytes; getrusage would count its parent's, too."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return float(line.split()[1]) / 1024


def memory(what):
    """Megabytes that solving the sparse problem adds to the peak of this process; seconds."""
    name = "4000 x 8000, 1 %"
    X, y = problem(name)
    C = PROBLEMS[name][3]
    reweighting.solve(X[:50], y[:50], C, n_rounds=1)  # compiled, and HiGHS loaded
    reweighting.linear_program(X[:50, :50], y[:50], C)
    before = peak()
    began = time.perf_counter()
    solve = {
        "RW(5)": lambda: reweighting.solve(X, y, C, n_rounds=5),
        "programme": lambda: reweighting.linear_program(X, y, C),
    }[what]
    solve()
    added, seconds = peak() - before, time.perf_counter() - began
    print(f"{what:>12}{added:10.1f} MB{seconds:10.2f} s   (X itself {X.nnz * 12 / 1e6:.1f} MB)")


def main():
    with threadpool_limits(1):
        print("dual coordinate descent, tolerance 1e-4, milliseconds")
        print(f"{'problem':>20}{'loss':>16}{'ours':>10}{'LIBLINEAR':>12}{'ratio':>8}")
        for name in PROBLEMS:
            for loss in coordinate.LOSSES:
                ours, theirs = descent(name, loss)
                print(f"{name:>20}{loss:>16}{1e3 * ours:>10.2f}{1e3 * theirs:>12.2f}{ours / theirs:>8.2f}")
        print("\nRW(5) and the linear programme, milliseconds")
        print(f"{'problem':>20}{'RW(5)':>10}{'programme':>12}{'times':>8}{'excess':>10}{'gap':>10}{'nonzero':>12}")
        for name in PROBLEMS:
            five, programme, walked, exact = rounds(name)
            counts = f"{reweighting.nonzero(walked.w)} / {reweighting.nonzero(exact.w)}"
            excess = walked.objective / exact.objective - 1.0
            print(
                f"{name:>20}{1e3 * five:>10.2f}{1e3 * programme:>12.2f}{programme / five:>8.1f}"
                f"{excess:>10.4f}{walked.gap:>10.3f}{counts:>12}"
            )
    print("\nmemory and time on 4000 x 8000, 1 %")
    for what in ("RW(5)", "programme"):
        try:
            command = [sys.executable, __file__, what]
            print(subprocess.run(command, capture_output=True, text=True, timeout=LONGEST).stdout, end="")
        except subprocess.TimeoutExpired:
            print(f"{what:>12}   not done after {LONGEST} s")


if __name__ == "__main__":
    memory(sys.argv[1]) if len(sys.argv) > 1 else main()
