"""Long runs, one thread each, kernel evaluation included; `bench_peers.py` has the short ones.

`python tests/bench/bench_svc.py many` prints the curve to a million points of the plane, LIBSVM beside it until a fit
of it takes more than ten seconds; `bench_svc.py cell` one cell of a study of robustness, C and sigma chosen and fitted
for ten machines.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import sklearn.svm
from sklearn.datasets import make_classification, make_moons
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from svmcore import SVC, problems
from svmcore.studies import contamination


def points(name):
    """(X, y, sigma) of a named case."""
    kind, _, size = name.partition(" ")
    if kind in ("ripley", "spirals", "toy"):
        problem = problems.load({"ripley": "ripley", "spirals": "two_spirals", "toy": "toy_outliers"}[kind])
        return problem.X, problem.y, 1.0
    if kind == "moons":
        X, y = make_moons(int(size), noise=0.25, random_state=0)
    else:
        X, y = make_classification(int(size), int(kind[1:]), n_informative=int(kind[1:]) // 2, random_state=0)
    return X, 2.0 * y - 1.0, np.sqrt(X.shape[1] / 2)


def many():
    """Moons with gamma = 1 and C = 1; the violation is computed anew from the coefficients, on a sample of points."""
    limit, theirs = 10.0, 0.0
    print(f"LIBSVM until a fit takes {limit:.0f} s")
    print("points   noise   theirs     ours   steps  violation on a sample, status")
    SVC(gamma=1.0).fit(*make_moons(30_000, noise=0.3))  # reads compiled code
    for noise in (0.2, 0.3):
        for n in (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000):
            X, y = make_moons(n, noise=noise, random_state=1)
            y = 2.0 * y - 1.0
            model = SVC(gamma=1.0)
            ours = seconds(model.fit, X, y)
            if n == 20_000 or theirs < limit:
                theirs = seconds(sklearn.svm.SVC(gamma=1.0, cache_size=500).fit, X, y)
                beside = f"{theirs:7.2f}s"
            else:
                theirs, beside = np.inf, "       -"
            found = f"{violation(model, X, y):.1e}, {model.status_}"
            print(f"{n:8} {noise:5} {beside} {ours:7.2f}s {int(np.sum(model.n_iter_)):7}  {found}", flush=True)


def seconds(action, *args):
    """Processor seconds of one call."""
    start = time.thread_time()
    action(*args)
    return time.thread_time() - start


def violation(model, X, y):
    """The violation of the conditions of the dual at 1000 points and 1000 support vectors, f by the plain sum."""
    rng, beta = np.random.default_rng(0), np.zeros(len(X))
    beta[model.support_] = model.dual_coef_[0]
    some = np.concatenate([rng.choice(len(X), 1000), rng.choice(model.support_, 1000)])
    f = model.kernel_.product(X[some], model.support_vectors_, model.dual_coef_[0])
    F, alpha = y[some] - f, y[some] * beta[some]
    rise = np.where(y[some] > 0, alpha < model.C, alpha > 0)
    fall = np.where(y[some] > 0, alpha > 0, alpha < model.C)
    return max(F[rise].max() - F[fall].min(), 0.0)


def cell():
    """500 training points with 10 features, a tenth of the labels flipped, 25 places of the grid, 5 folds."""
    X, y = make_classification(625, 10, n_informative=6, flip_y=0.1, random_state=0)
    y = 2.0 * y - 1.0
    design = contamination.Design(C=(0.01, 0.1, 1.0, 10.0, 100.0), widths=(0.25, 0.5, 1.0, 2.0, 4.0), folds=5, most=500)
    small, total = design._replace(C=(1.0,), widths=(1.0,), most=60), 0.0
    losses = (
        "hinge squared_hinge least_squares least_absolute pinball huber ramp truncated_least_squares roboss zero_one"
    )
    for loss in losses.split():
        model, at = contamination.machine(loss), contamination.Cell("made", loss, "flip_random", 0.1, 0)
        contamination.choose(model, (X, y), at, small)  # reads compiled code
        given = model, (X, y), at, design
        took = seconds(lambda given=given: contamination.fit(*given, [contamination.choose(*given).place]))
        print(f"{loss:24} {took:6.2f} s", flush=True)
        total += took
    print(f"ten machines             {total:6.2f} s")
    train, labels, _, _ = contamination.split((X, y), at, design)
    grid = {"C": design.C, "gamma": [1.0 / (10.0 * width**2) for width in design.widths]}
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    theirs = GridSearchCV(sklearn.svm.SVC(), grid, cv=folds)
    print(f"hinge, GridSearchCV      {seconds(theirs.fit, train, labels):6.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("many", "cell"))
    what = parser.parse_args().what
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        {"many": many, "cell": cell}[what]()
