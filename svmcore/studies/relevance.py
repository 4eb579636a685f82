"""Compare the machines of the walk by their predictions: the 2-norm SVM, a few rounds, the 1-norm SVM.

Each machine has its own C, by cross-validation; the same scores choose the number of rounds (end of section 4.2.2 of
the paper). `sweep` varies the number of relevant features.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

from svmcore import problems
from svmcore.problems import features
from svmcore.solvers import reweighting

ROUNDS = (1, 2, 3, 10)
PROGRAMME = "1-norm SVM"
METHODS = (*(f"RW({t})" for t in ROUNDS), PROGRAMME)
VALIDATED = "RW, rounds by cross-validation"
COSTS = tuple(10.0**power for power in range(-4, 2))
FOLDS = 5
NOTHING = 1e-4  # a machine with a smaller |w|_1 counts as w = 0: half of the points are wrong


class Row(NamedTuple):
    """One machine on one draw: `accuracy` (0 to 1) on new points, exact; `n_features`: weights not negligible."""

    method: str
    d_rel: int
    seed: int
    C: float
    accuracy: float
    n_features: int


def sweep(d_rels, seeds, n=100, C=None) -> Iterator[Row]:
    """Fit all `methods` to `relevant_features` for every seed and d_rel, seed by seed; yields a `Row` for each machine.

    C: a number for all, or None: each method has its own, by cross-validation, and VALIDATED is among the methods. The
    protocol of Figure 3 of the paper, except for the range of C, 10^-4 to 10 instead of 10^-5 to 10^5.
    """
    for seed in seeds:
        for d_rel in d_rels:
            made = problems.load("relevant_features", seed=seed, n=n, d_rel=d_rel)
            if C is None:
                found = choose(made.X, made.y, COSTS, seed)
            else:
                found = [(w, b, C) for w, b in machines(made.X, made.y, [C])[C]]
            for method, (w, b, cost) in zip(methods(C), found, strict=True):
                share = features.accuracy(w, b, d_rel) if np.abs(w).sum() >= NOTHING else 0.5
                yield Row(method, d_rel, seed, cost, share, reweighting.nonzero(w))


def methods(C) -> tuple[str, ...]:
    """The methods of a `sweep` with this C: without cross-validation there is no choice of the rounds."""
    return METHODS if C is not None else (*METHODS, VALIDATED)


def machines(X, y, Cs, rounds=ROUNDS, **solver) -> dict:
    """{C: [(w, b), ...]}: RW(t) for every t in `rounds`, then the 1-norm SVM. The intercept costs b^2 / 2,
    in the 1-norm SVM nothing. X (n, d), y (n,) of -1 and +1.

    `solver`: tol and max_iter of each round, as for `reweighting.rounds`.
    """
    solver = {"tol": 1e-3, **solver}
    exact, found = programmes(X, y, Cs), {}
    for C in Cs:
        steps = islice(reweighting.rounds(X, y, C, bias="squared", **solver), max(rounds))
        found[C] = [(step.w, step.intercept) for step in steps if step.iteration in rounds] + [exact[C]]
    return found


def programmes(X, y, Cs) -> dict:
    """{C: (w, b)} of the 1-norm SVM for X (n, d), y (n,) of -1 and +1.

    A solution without errors is the solution for every larger C, and w = 0 that for every smaller C: starting from the
    middle, in both directions, the linear programme is solved only until one of these is found.
    """
    Cs, found = sorted(Cs), {}
    middle = len(Cs) // 2
    for way, last in ((Cs[middle:], "without an error"), (Cs[:middle][::-1], "without a weight")):
        same = None
        for C in way:
            if same is None:
                exact = reweighting.linear_program(X, y, C, bias="free")
                error = reweighting.error_of(X, y, 1.0, exact.details.w, exact.intercept)
                if error < 1e-9 * len(y) if last == "without an error" else not exact.details.w.any():
                    same = exact.details.w, exact.intercept
            found[C] = same or (exact.details.w, exact.intercept)
    return found


def choose(X, y, Cs, seed, nothing=NOTHING, folds=StratifiedKFold, **how) -> list[tuple]:
    """(w, b, C) of each of `machines` with its own C by cross-validation, then of the round that it chooses.

    Arguments as for `count_correct`.
    """
    scores = count_correct(X, y, Cs, seed, nothing, folds, **how)
    chosen = middles(scores, Cs)
    by_C = machines(X, y, set(chosen), **how)
    found = [(*by_C[C][k], C) for k, C in enumerate(chosen)]
    return [*found, found[best_round(scores)]]


def count_correct(X, y, Cs, seed, nothing=NOTHING, folds=StratifiedKFold, **how) -> np.ndarray:
    """(machines, Cs) the number of points that each of `machines` classifies correctly at each C, in 5-fold
    cross-validation.

    `folds` is a class of scikit-learn, drawn by `seed`; a machine with |w|_1 below `nothing` counts as guessing; `how`
    is passed to `machines`.
    """
    scores = []
    for train, test in folds(FOLDS, shuffle=True, random_state=seed).split(X, y):
        fitted = machines(X[train], y[train], Cs, **how)
        Z, labels = X[test], y[test]
        scores.append([[_right(w, b, Z, labels, nothing) * len(test) for w, b in fitted[C]] for C in Cs])
    return np.sum(scores, axis=0).T


def middles(scores, Cs) -> list:
    """The C of each machine: the middle one, rounded down, of those with the best score, as in the paper."""
    best = (np.flatnonzero(score >= score.max() - 1e-9) for score in scores)
    return [Cs[int(rows[(len(rows) - 1) // 2])] for rows in best]


def best_round(scores) -> int:
    """Find the round with the best score at its best C, the earliest of equals; the last machine is no round."""
    tops = scores[:-1].max(axis=1)
    return int(np.flatnonzero(tops >= tops.max() - 1e-9)[0])


def _right(w, b, X, y, nothing):
    """The share (0 to 1) of the points that are classified correctly."""
    return 0.5 if np.abs(w).sum() < nothing else float(np.mean((X @ w + b) * y > 0.0))
