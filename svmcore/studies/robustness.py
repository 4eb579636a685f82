"""The effect of outliers on a machine: the angle by which its boundary turns, its error on clean points.

`study` fits several machines to many draws of a problem at several levels of its own contamination, as the papers do;
`contamination` has tables, and outliers of any kind.
"""

from collections.abc import Callable, Iterator
from time import thread_time
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from svmcore import problems
from svmcore.studies import at_once


def angle(before, after) -> float:
    """Degrees between two normal vectors w, each of shape (d,): 0 to 180; nan if one of them is zero."""
    lengths = np.linalg.norm(before) * np.linalg.norm(after)
    if lengths == 0.0:
        return float("nan")
    return float(np.degrees(np.arccos(np.clip(np.dot(before, after) / lengths, -1.0, 1.0))))


class Levels(NamedTuple):
    """Levels of contamination: `values`, which are shares (0 to 1) or numbers of points as `unit` says.

    `draw(value, seed)` makes the problem. Levels are nested: with the same seed the points contaminated at one value
    are also contaminated at a larger one.
    """

    label: str
    unit: str
    values: tuple
    draw: Callable


# problem: the kind of contamination, its option, and the values
OWN_LEVELS = {
    "label_flips": ("training labels flipped", "noise", (0.0, 0.05, 0.1, 0.15, 0.2)),
    "leverage_outliers": ("wrong points far away", "outliers", (0, 2, 4, 7, 10, 15, 20)),
}


def own_levels(problem, options=None, values=None) -> Levels:
    """The levels of a problem of `OWN_LEVELS`; `options` are its other options, `values` replace the default ones.

    Raises ValueError for a problem without such an option.
    """
    if problem not in OWN_LEVELS:
        raise ValueError(f"{problem!r} has no option for contamination; choose one of {', '.join(OWN_LEVELS)}.")
    label, name, usual = OWN_LEVELS[problem]
    others = {key: value for key, value in (options or {}).items() if key != name}
    values = tuple(usual if values is None else values)

    def draw(value, seed):
        return problems.load(problem, seed, **others, **{name: value})

    return Levels(label, "share" if isinstance(usual[0], float) else "points", values, draw)


class Row(NamedTuple):
    """One fit of a study. `error` is the measure passed to `study`, `seconds` the processor time of the fit."""

    machine: str
    level: float
    seed: int
    error: float
    n_support: int
    n_iter: int
    seconds: float
    status: str


def clean_error(model, problem) -> float:
    """The share (0 to 1) of the clean test points that the model misclassifies."""
    return 1.0 - np.count_nonzero(model.predict(problem.X_test) == problem.y_test) / len(problem.y_test)


def study(machines, levels, seeds=range(20), error=clean_error, workers=None) -> Iterator[Row]:
    """Fit every machine to every draw at every level; yields a `Row` per fit.

    machines: dict name -> estimator (cloned, never changed); levels: a `Levels`; error(model, problem): the
    measure. Rows come seed by seed, so that a study that is stopped has complete repetitions. The draws are fitted by
    `workers` threads (`at_once.in_order`); the rows are the same for any number, but for `seconds`.
    """

    def fit_task(task):
        level, seed, drawn = task
        return [_row(name, machine, drawn, level, seed, error) for name, machine in machines.items()]

    seeds = list(seeds)
    draws = ((level, seed, levels.draw(level, seed)) for seed in seeds for level in levels.values)
    alone = len(seeds) * len(levels.values) == 1
    for rows in at_once.in_order(fit_task, draws, 1 if alone else workers):
        yield from rows


def _row(name, machine, drawn, level, seed, error):
    model = clone(machine)
    began = thread_time()
    model.fit(drawn.X, drawn.y)
    seconds = thread_time() - began
    measured = float(error(model, drawn))
    return Row(name, level, seed, measured, len(model.support_), int(np.max(model.n_iter_)), seconds, model.status_)
