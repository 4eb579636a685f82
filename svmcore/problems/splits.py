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
        held[rows[: _n_test(hold_out, len(rows))]] = True
    return Problem(X[~held], y[~held], X[held], y[held], ids=np.flatnonzero(~held), classes=classes, **options)


def _n_test(share, n):
    return min(max(round(share * n), 1), n - 1) if share and n else 0
