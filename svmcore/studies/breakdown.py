"""The number of flipped labels that a machine bears: they are flipped one after another until it has changed a given
share of the plane.

The finite-sample breakdown point is the smallest share of the points that, put anywhere, can carry an estimate beyond
all bounds (Donoho and Huber 1983, The notion of breakdown point, A Festschrift for Erich L. Lehmann, 157-184).
What is counted here is neither the worst case nor a limit: the points stay where they are, their labels are flipped in
one order, and the share of the plane that counts as broken is chosen. For this share it is an upper bound on the
smallest number of flips.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from svmcore.problems import outliers
from svmcore.studies import at_once, plane

LEVELS = 40  # numbers of flipped labels on the way to half of the points, at most


class Row(NamedTuple):
    """One fit: `flips` labels of a draw are flipped, and the share (0 to 1) of the plane has changed class."""

    machine: str
    seed: int
    flips: int
    share: float
    status: str


def levels(n) -> list[int]:
    """Numbers of flipped labels from 0 to half of n points, evenly spaced: every one up to 2 `LEVELS` points."""
    step = -(-(n // 2) // LEVELS) or 1
    return list(range(0, n // 2 + 1, step))


def way(problem, order, seed=0) -> Iterator[tuple[int, object]]:
    """(flips, the problem with so many labels flipped) for all `levels`, in an order of `outliers.ORDERS`; outliers
    that the problem has are undone first.
    """
    clean = outliers.without_outliers(problem)
    rows = outliers.ORDERS[order][1](clean, seed)
    for flips in levels(len(rows)):
        yield flips, outliers.flip(clean, rows[:flips])


def race(machines, draw: Callable, order="farthest", seeds=range(20), workers=None) -> Iterator[Row]:
    """Fit every machine to every draw with more and more flipped labels; yields a `Row` per fit, seed by seed.

    machines: dict name -> estimator (cloned, never changed); draw(seed): a problem of the plane with labels -1 and +1;
    order: a key of `outliers.ORDERS`; workers as in `at_once.in_order`.
    """

    def fit_task(task):
        seed, name = task
        return list(_run(name, machines[name], way(draw(seed), order, seed), seed))

    tasks = ((seed, name) for seed in seeds for name in machines)
    for rows in at_once.in_order(fit_task, tasks, workers):
        yield from rows


def _run(name, machine, problems, seed):
    before = places = None
    for flips, problem in problems:
        model = clone(machine).fit(problem.X, problem.y)
        if places is None:
            places = np.stack(np.meshgrid(*plane.view(problem.X)), axis=-1).reshape(-1, 2)
            before = model.predict(places)
        yield Row(name, seed, flips, float(np.mean(model.predict(places) != before)), model.status_)


def broken_at(rows, share) -> dict[str, np.ndarray]:
    """{machine: (draws,)} the smallest number of flips at which at least this share (0 to 1) of the plane has changed,
    inf where none of the `rows` of a draw has; draws in their order.
    """
    found = {}
    for row in rows:
        runs = found.setdefault(row.machine, {})
        runs[row.seed] = min(runs.get(row.seed, np.inf), row.flips if row.share >= share else np.inf)
    return {machine: np.array([*runs.values()], float) for machine, runs in found.items()}
