"""Points of the reader's own: a set out of a file, or none yet, and where a server keeps them. No Streamlit here."""

import hashlib
import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pages.shared.files.table import LARGEST, read_classes, read_features
from svmcore.problems import Entry, Names, Option, Problem, benchmarks, tables

OWN = "own"  # the problem whose points the reader brings
MOST_SETS = 64  # that a server keeps
TITLE = "Your own points"
UNNAMED = (("-1", "1"), ("-1", "+1"), ("1", "2", "3"))  # classes that are called what the app calls them
LONGEST = 24  # letters of a name in a picture
HOLD_OUT = Option(
    "hold_out",
    "Hold out for testing",
    0.0,
    0.0,
    0.5,
    0.05,
    "share of the points of each class, drawn by the seed, that are kept for testing",
)


class Own(NamedTuple):
    """A set of points: X (N, d), y (N,) of -1.0 and 1.0, of more than two classes 1.0, 2.0, ...; and what they are
    called where they come from, the classes in the order of their labels.
    """

    X: np.ndarray
    y: np.ndarray
    features: tuple[str, ...] = ("x1", "x2")
    classes: tuple[str, ...] = ("-1", "+1")
    source: str = ""

    @property
    def key(self) -> str:
        """Twelve letters and digits that name the set by its content; "" for no points."""
        if not len(self.y):
            return ""
        content = hashlib.sha256(np.column_stack([self.X, self.y]).astype("<f8").tobytes())
        content.update(repr((self.features, self.classes)).encode())
        return content.hexdigest()[:12]

    @property
    def picture_names(self) -> Names:
        """The names as pictures have them: short, without Plotly's marks; none that are the app's own."""
        features, classes = (
            tuple(map(_short, names)) for names in (self.features, self.classes[:: -1 if len(self.classes) == 2 else 1])
        )
        return Names(() if self.features == EMPTY.features else features, () if self.classes in UNNAMED else classes)


def _short(name):
    plain = name.replace("<", "‹").replace("%{", "% {")
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"


EMPTY = Own(np.zeros((0, 2)), np.zeros(0))


def from_columns(table, features, label, positive=None, source="") -> Own:
    """The set that a choice of columns of a `table.Table` makes; ValueError, in a sentence, as in `read_classes`."""
    X, y, classes = read_classes(table, features, label, positive)
    X, names = _in_like_units(X, read_features(table, features)[1])
    return Own(X, y, names, tuple(classes[label] for label in sorted(classes)), source)


def _in_like_units(X, names):
    """Two features whose spreads are a factor of ten or more apart, one of them in a power of ten that its name says:
    the plane, the kernels and the norm of w have one scale for both.
    """
    spread = X.std(axis=0)
    if len(names) > 2 or spread.min() < 1 / LARGEST or spread.max() < 10.0 * spread.min():
        return X, names
    odd = int(np.abs(np.log10(spread)).argmax())  # the one that is farther from unit size
    factor = 10.0 ** round(np.log10(spread[1 - odd] / spread[odd]))
    scaled = X * np.where(np.arange(2) == odd, factor, 1.0)
    called = tuple(f"{factor:g} × {name}" if k == odd else name for k, name in enumerate(names))
    return (scaled, called) if np.abs(scaled).max() <= LARGEST else (X, names)


def task_of(n_classes: int) -> str:
    """The key of the `Task` of points of so many classes."""
    return "multiclass" if n_classes > 2 else "classification"


def labels(n_classes: int) -> tuple[float, ...]:
    """The labels of so many classes, in the order of `Problem.classes`."""
    return tuple(k + 1.0 for k in range(n_classes)) if n_classes > 2 else (1.0, -1.0)


def problem(points: Own, seed=0, hold_out=0.0, scaled=True) -> Problem:
    """The set as a problem whose ids are rows of the set. Of each class the seed holds out a share for testing.

    More than two features are standardised by the training points, if they are `scaled`.
    """
    labelled = labels(len(points.classes))
    task, sigma = task_of(len(points.classes)), width(points.X)
    made = tables.split(
        points.X, points.y, seed, hold_out, labelled, name=OWN, sigma=sigma, task=task, named=points.picture_names
    )
    if not scaled or len(points.features) == 2:
        return made
    X, X_test = (benchmarks.standardise(X, made.X) for X in (made.X, made.X_test))
    return replace(made, X=X, X_clean=None, X_test=X_test, sigma=width(X))


def width(X) -> float:
    """A sigma for points X (N, d): the root of the sum of their variances, to two digits; 1 where that says nothing.

    It is what scikit-learn's gamma="scale" comes to for two features of one variance.
    """
    spread = math.sqrt(X.var(axis=0).sum()) if len(X) else 0.0
    return float(f"{min(spread, LARGEST):.2g}") if spread > 1 / LARGEST else 1.0


def entry(points: Own) -> Entry:
    """Registry entry of the reader's own points: their texts, options and suggestions."""
    return Entry(
        OWN,
        TITLE,
        "From a file, from a table, or drawn on the plane.",
        points.source,
        options=(HOLD_OUT,) if len(points.y) > 2 else (),
        kernel="rbf",
        C=1.0,
        sigma=problem(points).sigma,
        task=task_of(len(points.classes)),
        n_inputs=len(points.features),
        make=problem,
        available=lambda: True,
    )
