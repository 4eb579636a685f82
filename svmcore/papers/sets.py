"""Real sets as the tables of the papers use them: all rows together, split at random again and again."""

import numpy as np
from scipy import sparse

from svmcore import problems


def whole(name):
    """X (N, d), sparse for texts, and y (N,) of all rows of a problem, in an order that is always the same.

    The benchmark sets come standardised, each column over all rows.
    """
    points = problems.load(name, 0)
    stack = sparse.vstack if sparse.issparse(points.X) else np.vstack
    return stack([points.X, points.X_test]), np.concatenate([points.y, points.y_test])


def fullest(*names):
    """The first of these sets whose data is here: the paper's own, where the user has fetched it, before ours."""
    return next(name for name in names if problems.available(name))


def standardised(X, like):
    """The columns of X less the mean of `like`, in its standard deviations (N - 1 degrees of freedom)."""
    spread = like.std(axis=0, ddof=1)
    return (X - like.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def split(n, total, *seeds):
    """(train, test) indices: n of `total` rows drawn at random for training, the others for the test."""
    order = np.random.default_rng(seeds).permutation(total)
    return order[:n], order[n:]
