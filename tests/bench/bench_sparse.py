"""ISLS: `solvers.sparse` in the fast exact form against the algorithm as the paper prints it, one thread.

    python tests/bench/bench_sparse.py

Both run to the paper's stopping rule, in turn within one process; a row shows the medians and their ratio. At N = 1000
the fast form should take at most a fifteenth of the time.
"""

import sys
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "helpers")]

from literal_isls import literal  # noqa: E402

from svmcore import problems  # noqa: E402
from svmcore.kernels import Kernel  # noqa: E402
from svmcore.solvers import isls  # noqa: E402

SIZES = {250: 9, 500: 7, 1000: 5}  # number of points: repetitions
C, SIGMA = 10.0, 0.5


def run(K, y, way):
    """(processor seconds, rounds, last coefficients)."""
    began = time.thread_time()
    if way is literal:
        last = list(literal(K, y, C))
        return time.thread_time() - began, len(last), last[-1][0]
    last = list(isls.rounds(K, y, C))
    return time.thread_time() - began, len(last), last[-1].beta


def main():
    print(f"{'N':>6}{'rounds':>8}{'literal ms':>12}{'fast ms':>10}{'ratio':>8}{'difference':>12}")
    with threadpool_limits(1):
        for n, repetitions in SIZES.items():
            drawn = problems.load("ripley_mixture", n=n)
            K = Kernel("rbf", SIGMA**-2)(drawn.X)
            slow, fast = [], []
            for _ in range(repetitions):
                slow.append(run(K, drawn.y, literal))
                fast.append(run(K, drawn.y, None))
            assert slow[0][1] == fast[0][1]
            a, b = (1e3 * np.median([taken for taken, *_ in runs]) for runs in (slow, fast))
            apart = np.abs(slow[0][2] - fast[0][2]).max()
            print(f"{n:>6}{fast[0][1]:>8}{a:>12.1f}{b:>10.1f}{a / b:>8.1f}{apart:>12.1e}")


if __name__ == "__main__":
    main()
