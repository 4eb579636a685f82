"""The L0/1-SVM against LIBLINEAR, LIBSVM and our own hinge, one thread each: `python tests/bench/bench_zero_one.py`.

Time, support vectors and test accuracy of the default (three runs of ADMM and what follows), of one run by the authors'
rules, of `sklearn.svm.LinearSVC` (LIBLINEAR: hinge in the dual, squared hinge in the primal) and of
`sklearn.svm.SVC(kernel="linear")` (LIBSVM, up to 10 000 samples only: its time grows with the square of their number).
A ratio above 1 says that the default was faster. Candidates take turns in one process; a figure is a median of
processor time, of one turn only where a turn takes longer than ten seconds. C = 1 for all, but
C = 16 for ours on Ripley's points.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
import sklearn.svm
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore import duals, kernels, problems
from svmcore.solvers import convex, zero_one

LINEAR = kernels.Kernel("linear")
TURNS, LONG = 3, 10.0  # turns of each candidate, and seconds after which one is enough
LIBSVM_LIMIT = 10_000


def planar(n, rng):
    """Two long parallel clouds (Huang, Shi and Suykens 2014)."""
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return np.outer(-y, (0.5, -3.0)) + rng.standard_normal((n, 2)) * np.sqrt([0.2, 3.0]), y


def diagonal(n, rng, d=100):
    """Standard normal noise around a random point of a diagonal half-line, one for each class (Wang et al.)."""
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return np.outer(y * rng.random(n), np.ones(d)) + rng.standard_normal((n, d)), y


def draw(law, n):
    """Training points of which every tenth has a wrong label, and 20 000 clean test points."""
    rng = np.random.default_rng(0)
    X, y = law(n, rng)
    y[rng.permutation(n)[: n // 10]] *= -1.0
    return X, y, *law(20_000, rng)


def by_zero_one(kernel, X, y, C, **options):
    """f and the number of support vectors of our machine."""
    found = zero_one.solve(kernel, X, y, C, **options)
    idx, beta = np.flatnonzero(found.beta), found.beta[found.beta != 0.0]
    return (lambda Z: kernel.dot(Z, X[idx], beta) + found.intercept), len(idx)


def by_hinge(kernel, X, y, C):
    found = convex.solve(kernel, X, duals.hinge(y, C))
    idx, beta = np.flatnonzero(found.beta), found.beta[found.beta != 0.0]
    return (lambda Z: kernel.dot(Z, X[idx], beta) + found.intercept), len(idx)


def by_sklearn(model, X, y):
    model.fit(X, y)
    if hasattr(model, "support_"):
        return model.decision_function, len(model.support_)
    # LIBLINEAR keeps no coefficients: samples inside the margin or on it are those that have one
    return model.decision_function, int(np.sum(y * model.decision_function(X) <= 1.0 + 1e-6))


def compare(title, candidates, X_test, y_test):
    """One line for each candidate; the first is what the ratios are of."""
    taken, results = {name: [] for name in candidates}, {}
    for turn in range(TURNS):
        for name, action in candidates.items():
            if turn and min(taken[name]) > LONG:
                continue
            start = time.thread_time()
            results[name] = action()
            taken[name].append(time.thread_time() - start)
    print(title)
    medians = {name: float(np.median(times)) for name, times in taken.items()}
    first = next(iter(medians.values()))
    for name, (f, n_support) in results.items():
        accuracy = 100.0 * np.mean(y_test * f(X_test) > 0.0)
        figures = f"{1e3 * medians[name]:10.1f} ms {medians[name] / first:8.2f} {n_support:8d} {accuracy:8.2f} %"
        print(f"  {name:34} {figures}", flush=True)


def linear():
    for law, d in ((planar, 2), (diagonal, 100)):
        for n in (10_000, 100_000):
            X, y, X_test, y_test = draw(law, n)
            candidates = {
                "L0/1, default": lambda: by_zero_one(LINEAR, X, y, 1.0),  # noqa: B023
                "L0/1, one run by authors' rules": lambda: by_zero_one(LINEAR, X, y, 1.0, rules="authors"),  # noqa: B023
                "LIBLINEAR, hinge": lambda: by_sklearn(sklearn.svm.LinearSVC(loss="hinge"), X, y),  # noqa: B023
                "LIBLINEAR, squared hinge, primal": lambda: by_sklearn(sklearn.svm.LinearSVC(dual=False), X, y),  # noqa: B023
            }
            if n <= LIBSVM_LIMIT:
                candidates["LIBSVM, hinge"] = lambda: by_sklearn(sklearn.svm.SVC(kernel="linear"), X, y)  # noqa: B023
            compare(f"linear, N = {n}, d = {d}", candidates, X_test, y_test)


def small():
    """The sizes of the app and its lessons."""
    for title, kernel in (("linear", LINEAR), ("Gaussian kernel", kernels.Kernel("rbf", gamma=1.0))):
        for n in (40, 100, 200):
            problem = problems.load("label_flips", n=n, noise=0.1)
            X, y = problem.X, problem.y
            candidates = {
                "L0/1, default": lambda: by_zero_one(kernel, X, y, 1.0),  # noqa: B023
                "L0/1, one run by authors' rules": lambda: by_zero_one(kernel, X, y, 1.0, rules="authors"),  # noqa: B023
                "our hinge": lambda: by_hinge(kernel, X, y, 1.0),  # noqa: B023
            }
            for action in candidates.values():
                action()  # loads what is compiled
            compare(f"{title}, label_flips, N = {n}", candidates, problem.X_test, problem.y_test)


def gaussian():
    for name, options in (("ripley", {}), ("ripley_mixture", {"n": 1000})):
        problem = problems.load(name, **options)
        X, y, kernel = problem.X, problem.y, kernels.Kernel("rbf", gamma=4.0)
        candidates = {
            "L0/1, default": lambda: by_zero_one(kernel, X, y, 16.0),  # noqa: B023
            "L0/1, one run by authors' rules": lambda: by_zero_one(kernel, X, y, 16.0, rules="authors"),  # noqa: B023
            "our hinge": lambda: by_hinge(kernel, X, y, 1.0),  # noqa: B023
        }
        compare(f"Gaussian kernel, {name}, N = {len(y)}", candidates, problem.X_test, problem.y_test)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(f"{'':36} {'time':>12} {'ratio':>8} {'SVs':>8} {'test':>8}")
    with threadpool_limits(1):
        small()
        gaussian()
        linear()
