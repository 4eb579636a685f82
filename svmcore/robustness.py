"""How far outliers move a machine: angle turned, share of the plane that changes sides, error on clean points."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from svmcore import outliers, problems


def angle(before, after) -> float:
    """Degrees between two normal vectors w, each of shape (d,): 0 to 180; nan where one of them is zero."""
    lengths = np.linalg.norm(before) * np.linalg.norm(after)
    if lengths == 0.0:
        return float("nan")
    return float(np.degrees(np.arccos(np.clip(np.dot(before, after) / lengths, -1.0, 1.0))))


def changed_share(before, after) -> float:
    """Share (0 to 1) of the places where two fields of decision values, of one shape, disagree about the class."""
    return float(np.mean((np.asarray(before) >= 0.0) != (np.asarray(after) >= 0.0)))


class Row(NamedTuple):
    """One fit of a sweep; errors are shares (0 to 1) on the clean test points."""

    machine: str
    share: float
    seed: int
    test_error: float
    n_support: int
    status: str


def contamination_sweep(
    machines,
    problem,
    options=None,
    *,
    kind="flip_share",
    shares=(0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3),
    seeds=range(20),
) -> Iterator[Row]:
    """Fit every machine to every draw of a problem at every share of outliers; yields a `Row` per fit.

    machines: dict name -> estimator (cloned, never changed); problem: a key of `problems`, drawn anew for each seed;
    options: of the problem; kind: a key of `outliers.KINDS`, whose amount is the share, or share times the number of
    points. The outliers of a seed are nested: a larger share keeps those of a smaller one. Rows come seed by seed, so
    that a sweep that is stopped has whole repetitions.
    """
    spoil = outliers.KINDS[kind]
    for seed in seeds:
        drawn = problems.load(problem, seed, **(options or {}))
        for share in shares:
            amount = share if spoil.unit == "share" else round(share * len(drawn.y))
            spoiled = spoil.apply(drawn, amount, seed)
            for name, machine in machines.items():
                model = clone(machine).fit(spoiled.X, spoiled.y)
                error = 1.0 - float(model.score(drawn.X_test, drawn.y_test))
                yield Row(name, share, seed, error, len(model.support_), model.status_)
