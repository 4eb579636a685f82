"""Which machine of the walk predicts best: the 2-norm SVM, a few rounds, or the 1-norm SVM?

Each machine has a C of its own, by cross-validation; the same table of scores says how many rounds are good (end of
section 4.2.2 of the paper). `sweep` does it over the number of relevant features.
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
NOTHING = 1e-4  # a machine with a smaller |w|_1 is counted as w = 0: half of the points wrong


class Row(NamedTuple):
    """One machine on one draw: `accuracy` (0 to 1) on new points, exact; `n_features` weights that matter."""

    method: str
    d_rel: int
    seed: int
    C: float
    accuracy: float
    n_features: int


def sweep(d_rels, seeds, n=100, C=None) -> Iterator[Row]:
    """Fit all `methods` to `relevant_features` for every seed and d_rel, seed by seed; yields a `Row` for each machine.

    C: a number for all, or None: each method has its own, by cross-validation, and VALIDATED is one of them. The
    protocol of Figure 3 of the paper, but for the range of C, 10^-4 to 10 instead of 10^-5 to 10^5.
    """
    for seed in seeds:
        for d_rel in d_rels:
            made = problems.load("relevant_features", seed=seed, n=n, d_rel=d_rel)
            places, costs = list(range(len(METHODS))), [C] * len(METHODS)
            if C is None:
                scores = scored(made.X, made.y, COSTS, seed)
                costs = middles(scores, COSTS)
                places.append(best_round(scores))
            fitted = machines(made.X, made.y, set(costs))
            for method, k in zip(methods(C), places, strict=True):
                w, b = fitted[costs[k]][k]
                share = features.accuracy(w, b, d_rel) if np.abs(w).sum() >= NOTHING else 0.5
                yield Row(method, d_rel, seed, costs[k], share, reweighting.nonzero(w))


def methods(C) -> tuple[str, ...]:
    """The methods of a `sweep` with this C: without cross-validation there is no choice of the rounds."""
    return METHODS if C is not None else (*METHODS, VALIDATED)


def machines(X, y, Cs, rounds=ROUNDS, **solver) -> dict:
    """{C: [(w, b), ...]}: RW(t) for every t in `rounds`, then the 1-norm SVM. Intercepts: b^2 / 2, and free.

    `solver`: tol and max_iter of each round, as for `reweighting.rounds`.
    """
    solver = {"tol": 1e-3, **solver}
    exact, found = programmes(X, y, Cs), {}
    for C in Cs:
        steps = islice(reweighting.rounds(X, y, C, bias="squared", **solver), max(rounds))
        found[C] = [(step.w, step.intercept) for step in steps if step.iteration in rounds] + [exact[C]]
    return found


def programmes(X, y, Cs) -> dict:
    """{C: (w, b)} of the 1-norm SVM.

    A solution without an error is that of every larger C, and one without a weight that of every smaller C: from the
    middle on, both ways, the linear programme is solved no further than to these.
    """
    Cs, found = sorted(Cs), {}
    middle = len(Cs) // 2
    for way, last in ((Cs[middle:], "without an error"), (Cs[:middle][::-1], "without a weight")):
        same = None
        for C in way:
            if same is None:
                exact = reweighting.linear_program(X, y, C, bias="free")
                error = reweighting.error_of(X, y, 1.0, exact.w, exact.intercept)
                if error < 1e-9 * len(y) if last == "without an error" else not exact.w.any():
                    same = exact.w, exact.intercept
            found[C] = same or (exact.w, exact.intercept)
    return found


def scored(X, y, Cs, seed, nothing=NOTHING, folds=StratifiedKFold, **how) -> np.ndarray:
    """(machines, Cs) how many points each of `machines` gets right at each C in 5-fold cross-validation.

    The `folds` (a class of scikit-learn) are those of `seed`; a machine with |w|_1 below `nothing` only guesses;
    `how` is for `machines`.
    """
    scores = []
    for train, test in folds(FOLDS, shuffle=True, random_state=seed).split(X, y):
        fitted = machines(X[train], y[train], Cs, **how)
        Z, labels = X[test], y[test]
        scores.append([[_right(w, b, Z, labels, nothing) * len(test) for w, b in fitted[C]] for C in Cs])
    return np.sum(scores, axis=0).T


def middles(scores, Cs) -> list:
    """The C of each machine: the middle one, rounded down, of those with the best score, as in the paper."""
    return [Cs[_middle(np.flatnonzero(score >= score.max() - 1e-9))] for score in scores]


def best_round(scores) -> int:
    """Which of the rounds has the best score at its best C, the earliest of equals; the last machine is no round."""
    tops = scores[:-1].max(axis=1)
    return int(np.flatnonzero(tops >= tops.max() - 1e-9)[0])


def _right(w, b, X, y, nothing):
    """Which share of the points is right."""
    return 0.5 if np.abs(w).sum() < nothing else float(np.mean((X @ w + b) * y > 0.0))


def _middle(places):
    return int(places[(len(places) - 1) // 2])
