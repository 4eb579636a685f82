"""Given points as a problem: of each class a share is held out for testing."""

import numpy as np

from svmcore.problems.registry import Problem


def split(X, y, seed=0, hold_out=0.3, classes=(1.0, -1.0), **options) -> Problem:
    """The points X (N, d) with labels y (N,) as a problem whose ids are rows of X; the seed draws the test points.

    hold_out: the share (0 to 1) of each of the `classes`; at least one of its points where a share is asked for, never
    all of them. `options`: other fields of the Problem.
    """
    rng = np.random.default_rng(seed)
    held = np.zeros(len(y), dtype=bool)
    for label in classes:
        rows = rng.permutation(np.flatnonzero(y == label))
        n_test = min(max(round(hold_out * len(rows)), 1), len(rows) - 1) if hold_out and len(rows) else 0
        held[rows[:n_test]] = True
    return Problem(X[~held], y[~held], X[held], y[held], ids=np.flatnonzero(~held), classes=classes, **options)
