"""Slices: planes through a space of d features, on which a picture shows f; points are projected onto them.

A slice is {origin + a u + b v} with orthonormal u and v. f on it is the machine's own, f(origin + a u + b v), see
`svmcore.grid.decision`; what it does away from the slice is not seen.
"""

from typing import NamedTuple

import numpy as np


class Slice(NamedTuple):
    """The plane through `origin` (d,) along the orthonormal `directions` (2, d), whose coordinates have `names`.

    `about` is a phrase on the choice of the origin or of the directions.
    """

    origin: np.ndarray
    directions: np.ndarray
    names: tuple[str, str]
    about: str

    def places(self, X) -> np.ndarray:
        """The coordinates (n, 2) of the points X (n, d), projected orthogonally."""
        return (X - self.origin) @ self.directions.T

    def lift(self, places) -> np.ndarray:
        """The points (n, d) of the slice with these coordinates (n, 2)."""
        return self.origin + places @ self.directions

    def residuals(self, X) -> np.ndarray:
        """The vectors (n, d) from the projections to the points X (n, d), orthogonal to the slice."""
        return X - self.lift(self.places(X))

    def away(self, X) -> np.ndarray:
        """The distances (n,) of the points X (n, d) from the slice."""
        return np.linalg.norm(self.residuals(X), axis=1)

    def move(self, x, place) -> np.ndarray:
        """The point x (d,), moved parallel to the slice until its coordinates are `place` (2,)."""
        return self.lift(np.asarray(place)) + self.residuals(x[None])[0]

    def unseen(self, X) -> float:
        """The share (0 to 1) of the variance of the points X (n, d) that is orthogonal to the slice."""
        total = X.var(axis=0).sum()
        return float(self.residuals(X).var(axis=0).sum() / total) if total > 0 else 0.0


def of_columns(X, across, up, names) -> Slice:
    """The slice of two columns of X (n, d), all others at their median; its coordinates are the values of the columns.

    `names` are those of the d columns. Raises ValueError for the same column twice.
    """
    if across == up:
        raise ValueError(f"A slice needs two different features, got {names[across]!r} twice.")
    directions = np.eye(X.shape[1])[[across, up]]
    origin = np.median(X, axis=0)
    origin[[across, up]] = 0.0
    return Slice(origin, directions, (names[across], names[up]), "all others at their median")


def of_components(X) -> Slice:
    """The slice of the first two principal components of X (n, d), through the mean."""
    names = "first principal component", "second principal component"
    return Slice(X.mean(axis=0), _largest(X, 2), names, "through the mean of the points")


def of_normal(X, w) -> Slice:
    """The slice through the mean of X (n, d) along w (d,) and the direction of largest variance orthogonal to it.

    The value of x -> w.x + b at a point and at its projection are the same. For w = 0 as `of_components`.
    """
    length = np.linalg.norm(w)
    if length == 0.0:
        return of_components(X)
    first = w / length
    across = X - np.outer(X @ first, first)
    second = _largest(across, 1)[0]
    if abs(second @ first) > 0.5:  # no variance is left
        second = np.eye(len(first))[np.abs(first).argmin()]
    second = second - (second @ first) * first
    directions = np.stack([first, second / np.linalg.norm(second)])
    names = "along w", "largest variance across w"
    return Slice(X.mean(axis=0), directions, names, "through the mean of the points")


def _largest(X, count):
    """Orthonormal directions (count, d) of the largest variance; the largest entry of each is positive."""
    directions = np.linalg.svd(X - X.mean(axis=0), full_matrices=len(X) < count)[2][:count]
    signs = np.sign(directions[np.arange(count), np.abs(directions).argmax(axis=1)])
    return directions * signs[:, None]
