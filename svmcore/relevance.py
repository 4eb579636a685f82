"""How the number of relevant features decides between the 2-norm SVM, the walk and the 1-norm SVM."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

from svmcore import problems
from svmcore.problems import features
from svmcore.solvers import walk

ROUNDS = (1, 2, 3, 10)
PROGRAMME = "1-norm SVM"
METHODS = (*(f"RW({t})" for t in ROUNDS), PROGRAMME)
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
    """Fit all METHODS to `relevant_features` for every seed and d_rel, seed by seed; yields a `Row` for each machine.

    C: a number for all, or None: each method has its own, by `choose`. The protocol of Figure 3 of the paper, but for
    the range of C, 10^-4 to 10 instead of 10^-5 to 10^5.
    """
    for seed in seeds:
        for d_rel in d_rels:
            made = problems.load("relevant_features", seed=seed, n=n, d_rel=d_rel)
            costs = choose(made.X, made.y, seed) if C is None else dict.fromkeys(METHODS, C)
            for method in METHODS:
                w, b = machines(made.X, made.y, costs[method], [method])[method]
                share = features.accuracy(w, b, d_rel) if np.abs(w).sum() >= NOTHING else 0.5
                yield Row(method, d_rel, seed, costs[method], share, walk.nonzero(w))


def machines(X, y, C, methods=METHODS) -> dict:
    """(w, b) of every method; the rounds of one walk serve all that are asked for. Intercepts: b^2 / 2, and free."""
    rounds = [t for t in ROUNDS if f"RW({t})" in methods]
    found = {}
    for now in islice(walk.rounds(X, y, C, tol=1e-3), max(rounds, default=0)):
        if now.iteration in rounds:
            found[f"RW({now.iteration})"] = now.w, now.intercept
    if PROGRAMME in methods:
        exact = walk.linear_program(X, y, C)
        found[PROGRAMME] = exact.w, exact.intercept
    return found


def choose(X, y, seed) -> dict:
    """C of every method: the middle one, rounded down, of those with the fewest errors in 5-fold cross-validation."""
    errors = {method: np.zeros(len(COSTS)) for method in METHODS}
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(X, y):
        for k, C in enumerate(COSTS):
            for method, (w, b) in machines(X[train], y[train], C).items():
                wrong = np.mean((X[test] @ w + b >= 0.0) != (y[test] > 0.0)) if np.abs(w).sum() >= NOTHING else 0.5
                errors[method][k] += wrong
    return {method: COSTS[_middle(np.flatnonzero(e <= e.min() + 1e-12))] for method, e in errors.items()}


def _middle(places):
    return int(places[(len(places) - 1) // 2])
