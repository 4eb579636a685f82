"""Real sets as the tables of the papers use them: all rows together, with repeated random splits."""

import numpy as np
from scipy import sparse

from svmcore import problems


def whole(name) -> tuple[np.ndarray | sparse.sparray, np.ndarray]:
    """X (N, d), sparse for texts, and y (N,) of all rows of a problem, in a fixed order.

    The benchmark sets come standardised, each column over all rows.
    """
    points = problems.load(name, 0)
    stack = sparse.vstack if sparse.issparse(points.X) else np.vstack
    return stack([points.X, points.X_test]), np.concatenate([points.y, points.y_test])


def fullest(*names) -> str:
    """The first of these sets whose data is present: that of the paper, if it has been fetched, else a substitute."""
    return next(name for name in names if problems.available(name))


def split(n, total, *seeds) -> tuple[np.ndarray, np.ndarray]:
    """(train, test) indices: n of `total` rows drawn at random for training, the others for testing."""
    order = np.random.default_rng(seeds).permutation(total)
    return order[:n], order[n:]
