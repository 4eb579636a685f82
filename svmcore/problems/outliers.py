"""Outliers: flip training labels of a problem, spoil its features or add distant points, and undo all of it.

Every function returns a new problem and changes neither its argument nor the test set. Nothing is lost: a
problem keeps the clean label and place of each point (`y_clean`, `X_clean`) and marks the points that were `added`.
Every kind is nested: with the same seed, the outliers of amount k are among those of amount k + 1. The number of
features is any. A seed may also be a `numpy.random.Generator`. `contaminate` does the same to arrays.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from svmcore.problems.registry import Problem


def flip(problem, rows) -> Problem:
    """Reverse the labels of the training points `rows` (indices); flipping twice restores them.

    Raises ValueError for a regression problem.
    """
    _needs_classes(problem)
    y = problem.y.copy()
    y[rows] = -y[rows]
    return replace(problem, y=y)


def add(problem, X, y) -> Problem:
    """Append the points X (k, d) with labels or targets y (k,) as outliers; `without_outliers` removes them again."""
    return replace(
        problem,
        X=np.vstack([problem.X, X]),
        X_clean=np.vstack([problem.X_clean, X]),
        y=np.append(problem.y, y),
        y_clean=np.append(problem.y_clean, y),
        added=np.append(problem.added, np.ones(len(X), dtype=bool)),
        ids=np.append(problem.ids, problem.ids.max(initial=-1) + 1 + np.arange(len(X))),
    )


def without_outliers(problem) -> Problem:
    """The problem without its outliers: labels and places are restored, added points removed."""
    keep = ~problem.added
    clean, X = problem.y_clean[keep], problem.X_clean[keep]
    return replace(
        problem, X=X, X_clean=X, y=clean.copy(), y_clean=clean, added=problem.added[keep], ids=problem.ids[keep]
    )


def at_random(problem, seed=0) -> np.ndarray:
    """The rows (k,) of the points that are not outliers, in a random order."""
    return np.random.default_rng(seed).permutation(np.flatnonzero(~problem.outlier))


def farthest_first(problem, seed=0) -> np.ndarray:
    """The rows (k,) of the points that are not outliers: those farthest from the other class's mean first, the classes
    taking turns (+1 first). If one class is exhausted, the rest comes from the other.
    """
    return _in_turn(problem, -_distance(problem, -problem.y))


def central_first(problem, seed=0) -> np.ndarray:
    """The rows (k,) of the points that are not outliers: those nearest to their own class's mean first, the classes
    taking turns as in `farthest_first`.
    """
    return _in_turn(problem, _distance(problem, problem.y))


def _distance(problem, y):
    """The distance (N,) of each point from the mean of the class y (N,)."""
    means = _class_means(problem)
    return np.linalg.norm(problem.X - np.where(y[:, None] > 0, means[1.0], means[-1.0]), axis=1)


def _in_turn(problem, rank):
    """The rows that are no outliers, in each class those of the smallest `rank` (N,) first."""
    turn = np.full(len(problem.y), len(problem.y))
    for label in (1.0, -1.0):
        members = np.flatnonzero(~problem.outlier & (problem.y == label))
        turn[members[np.argsort(rank[members], kind="stable")]] = np.arange(len(members))
    return np.lexsort((-problem.y, turn))[: np.count_nonzero(~problem.outlier)]


def flip_random(problem, k, seed=0) -> Problem:
    """Flip k labels at random, among the points that are not outliers; ValueError if there are fewer than k."""
    rows = at_random(problem, seed)
    return flip(problem, rows[: _count(k, len(rows))])


def flip_share(problem, share, seed=0) -> Problem:
    """Flip the given share (0 to 1) of the labels of points that are not outliers, at random."""
    return flip_random(problem, _count_share(share, np.count_nonzero(~problem.outlier)), seed)


def flip_class(problem, share, seed=0) -> Problem:
    """Flip the given share (0 to 1) of the labels +1 of points that are not outliers, at random."""
    _needs_classes(problem)
    members = np.random.default_rng(seed).permutation(np.flatnonzero(~problem.outlier & (problem.y > 0)))
    return flip(problem, members[: _count_share(share, len(members))])


def flip_farthest(problem, k, seed=0) -> Problem:
    """Flip the first k points of `farthest_first`, which does not depend on the `seed`.

    k = 2 flips one point of each class, as in Fig. 1 of the Least 1-Norm SVM paper (López, Dorronsoro).
    """
    rows = farthest_first(problem)
    return flip(problem, rows[: _count(k, len(rows))])


def leverage_cluster(problem, k, seed=0) -> Problem:
    """Add a tight cluster of k points of label -1, far outside the data, on the side of class +1.

    Its centre is twice as far from the mean of the data as any point, in the direction of the +1 point that is
    farthest from class -1: off the line through the class means, so that a boundary rotates as well as shifts.
    """
    k = _count(k)
    clean = ~problem.outlier
    X, y = problem.X[clean], problem.y[clean]
    means = _class_means(problem)
    middle = X.mean(axis=0)
    radius = np.linalg.norm(X - middle, axis=1).max()
    positive = X[y > 0]
    corner = positive[np.linalg.norm(positive - means[-1.0], axis=1).argmax()] - middle
    centre = middle + 2 * radius * corner / max(np.linalg.norm(corner), np.finfo(float).tiny)
    scatter = np.random.default_rng(seed).standard_normal((k, X.shape[1]))
    return add(problem, centre + 0.05 * radius * scatter, np.full(k, -1.0))


def feature_noise(problem, share, seed=0) -> Problem:
    """Multiply one feature, drawn at random, by 10 at the given share (0 to 1) of the points that are not outliers.

    As in the experiments of M. Akhtar, M. Tanveer and M. Arshad on the RoBoSS loss (arXiv 2309.02250).
    """
    rng = np.random.default_rng(seed)
    column, clean = rng.integers(problem.X.shape[1]), np.flatnonzero(~problem.outlier)
    rows = rng.permutation(clean)[: _count_share(share, len(clean))]
    X = problem.X.copy()
    X[rows, column] *= 10.0
    return replace(problem, X=X)


def cell_outliers(problem, share, seed=0) -> Problem:
    """Shift the given share (0 to 1) of all cells of X, at random, by 10 standard deviations of their column, up or
    down: each point can have some, as in the model of F. Alqallaf et al., Annals of Statistics 37 (2009) 311-331.
    """
    rng, X = np.random.default_rng(seed), problem.X.copy()
    rows, columns = np.unravel_index(rng.permutation(X.size)[: _count_share(share, X.size)], X.shape)
    signs = rng.choice([-1.0, 1.0], X.shape)
    X[rows, columns] += (10.0 * signs * problem.X_clean.std(axis=0))[rows, columns]
    return replace(problem, X=X)


class Kind(NamedTuple):
    """One kind of outliers, with the texts of its control: `apply(problem, amount, seed) -> Problem`."""

    label: str
    apply: Callable
    unit: str
    default: float
    maximum: float
    meaning: str


_FAR_FIRST = "labels flipped: farthest from the other class first, classes in turn"
_CELLS = "share of the cells of the table, each shifted by 10 standard deviations"
_BESIDE = "points of label -1 added far out on the side of class +1"
KINDS = {
    "flip_farthest": Kind("Flip the farthest", flip_farthest, "points", 2, 50, _FAR_FIRST),
    "flip_random": Kind("Flip at random", flip_random, "points", 2, 50, "labels flipped, drawn at random"),
    "flip_share": Kind("Flip a share", flip_share, "share", 0.1, 0.4, "share of all labels flipped, drawn at random"),
    "flip_class": Kind("Flip in one class", flip_class, "share", 0.1, 0.4, "share of the labels +1 flipped, at random"),
    "leverage_cluster": Kind("Leverage cluster", leverage_cluster, "points", 5, 50, _BESIDE),
    "feature_noise": Kind("Feature noise", feature_noise, "share", 0.1, 0.4, "share of points, one feature times 10"),
    "cell_outliers": Kind("Cell-wise outliers", cell_outliers, "share", 0.05, 0.4, _CELLS),
}


ORDERS = {  # in which labels are flipped one after another: what it is called, and the rows, of (problem, seed)
    "farthest": ("farthest from the other class first", farthest_first),
    "random": ("at random", at_random),
    "central": ("nearest to the mean of their class first", central_first),
}


def contaminate(kind, X, y, share, seed=0) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d), y (N,) of -1.0 and 1.0 with outliers of a key of `KINDS`, as new arrays.

    share (0 to 1): what the kind counts as its share, or the number of points as a share of N; a leverage cluster adds
    these. seed: a whole number or a Generator.
    """
    found, problem = KINDS[kind], Problem(X, y, X[:0], y[:0])
    spoilt = found.apply(problem, share if found.unit == "share" else round(share * len(y)), seed)
    return spoilt.X, spoilt.y


def _count_share(share, n):
    if not 0 <= share <= 1:
        raise ValueError(f"The share of outliers must lie between 0 and 1, got {share!r}.")
    return round(share * n)


def _count(k, most=None):
    """k as an int; ValueError if it is not a whole number from 0 to `most` (None: no limit)."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 0:
        raise ValueError(f"The number of outliers must be a whole number of at least 0, got {k!r}.")
    if most is not None and k > most:
        raise ValueError(f"Only {most} points can still be flipped, got {k}; ask for fewer.")
    return int(k)


def _needs_classes(problem):
    if problem.task != "classification":
        raise ValueError(
            f"Flips and clusters of outliers need two classes, but {problem.name!r} is a {problem.task} problem; "
            "add points instead."
        )


def _class_means(problem):
    """Mean of each class over the points that are not outliers, keyed by label."""
    _needs_classes(problem)
    clean = ~problem.outlier
    means = {}
    for label in (1.0, -1.0):
        members = problem.X[clean & (problem.y == label)]
        if not len(members):
            raise ValueError(
                f"This kind of outliers needs clean points of both classes, but class {label:+.0f} has none; "
                "use more points or fewer outliers."
            )
        means[label] = members.mean(axis=0)
    return means
