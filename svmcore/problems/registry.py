"""Problems: the record of one, the registry of all, and `load`, which makes one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from svmcore.slices import Slice

TASKS = ("classification", "regression", "multiclass")


class Names(NamedTuple):
    """The names of the features and of the classes of a problem, in their order, where they come from; () for none."""

    features: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Problem:
    """Training and test points of one problem.

    X (N, d) and y (N,) are for training; X_test (M, d) and y_test (M,) stay clean whatever happens to y.
    Labels are -1.0 and +1.0, with more than two classes 1.0, 2.0, ..., the targets of a regression any numbers.
    `classes` are the labels in their order, +1.0 before -1.0, () for a regression; they stay when points are removed.
    `y_clean` (N,) and `X_clean` (N, d) are y and X before any change, and `added` (N,) marks points that were added to
    the problem; together they determine `outlier` (N,). `ids` (N,) identifies points after others are removed: the rows
    of the problem as it was made. C, sigma and kernel are suggestions (the RBF is exp(-|x-z|^2 / sigma^2)).
    `bayes_error` is the smallest error that any classifier can reach on this distribution, None if unknown. `slice`
    is the plane in which points of more than two features are shown.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    y_clean: np.ndarray | None = None
    X_clean: np.ndarray | None = None
    added: np.ndarray | None = None
    ids: np.ndarray | None = None
    bayes_error: float | None = None
    name: str = ""
    task: str = "classification"
    about: str = ""
    kernel: str = "rbf"
    C: float = 1.0
    sigma: float = 1.0
    classes: tuple[float, ...] | None = None
    slice: Slice | None = None
    named: Names = Names()

    def __post_init__(self):
        n = len(self.y)
        usual = {"y_clean": self.y.copy(), "X_clean": self.X, "added": np.zeros(n, dtype=bool), "ids": np.arange(n)}
        found = {name: value for name, value in usual.items() if getattr(self, name) is None}
        vars(self).update(found)
        vars(self)["classes"] = self._classes()

    def _classes(self):
        if self.task != "multiclass":
            return (1.0, -1.0) if self.task == "classification" else ()
        known = self.classes and -1.0 not in self.classes  # not those of the task before
        return self.classes if known else tuple(np.unique(np.concatenate([self.y_clean, self.y_test])).tolist())

    @property
    def outlier(self) -> np.ndarray:
        """(N,) bool: points that were added, and points whose label, target or place differs from the clean one."""
        return self.added | self.restorable

    @property
    def restorable(self) -> np.ndarray:
        """(N,) bool: points whose label, target or place differs from the clean one."""
        moved = False if self.X is self.X_clean else np.any(self.X != self.X_clean, axis=1)
        return moved | (self.y != self.y_clean)

    @property
    def unit(self) -> float:
        """A round unit of the targets: the power of ten nearest to the standard deviation of all, training and test.

        1 for labels, and for targets that are all equal.
        """
        spread = np.std(np.append(self.y, self.y_test)) if self.task == "regression" else 0.0
        return float(f"1e{round(np.log10(spread))}") if spread > 0 else 1.0


class Option(NamedTuple):
    """One option of a problem: a whole number if `step` is an int, else a real one.

    `label` is its name on the screen, the same for all problems with this option; `meaning` explains it for this one.
    """

    name: str
    label: str
    default: float
    low: float
    high: float
    step: float
    meaning: str


class Entry(NamedTuple):
    """An entry of the registry: what the app shows of a problem before making it.

    `available()`: whether its data is present; only sets that are fetched on request can be absent.
    `n_inputs`: the dimension d of its points.
    """

    key: str
    title: str
    about: str
    source: str
    make: Callable
    C: float = 1.0
    sigma: float = 1.0
    options: tuple[Option, ...] = ()
    kernel: str = "rbf"
    task: str = "classification"
    available: Callable = lambda: True
    n_inputs: int = 2

    @property
    def planar(self) -> bool:
        """True if one picture shows it completely: classes in the plane, or a curve."""
        return self.n_inputs <= 2


REGISTRY: dict[str, Entry] = {}


def problem(key, **fields) -> Callable:
    """A decorator that registers `make(seed, **options) -> Problem` under `key`; the fields are those of `Entry`."""

    def register(make):
        REGISTRY[key] = Entry(key, make=make, **fields)
        return make

    return register


def names(task=None, planar=False) -> list[str]:
    """Keys of all problems, or of one task (two classes, "classification"; "regression"; "multiclass"), in the
    order of the menu.

    With `planar` only those that fit into one picture (see `Entry.planar`). ValueError for an unknown task.
    """
    if task is not None and task not in TASKS:
        raise ValueError(f"Unknown task {task!r}; choose one of: {', '.join(TASKS)}.")
    return [key for key, entry in REGISTRY.items() if task in (None, entry.task) and (entry.planar or not planar)]


def available(name) -> bool:
    """True if the data of this problem is present, so that `load` works; ValueError for an unknown name."""
    return _entry(name).available()


def load(name, seed=0, **options) -> Problem:
    """Make the problem `name`; options left out take the default of its registry entry.

    Raises ValueError for an unknown name or option and for a value out of range, FileNotFoundError if a data
    file is missing.
    """
    entry = _entry(name)
    known = [option.name for option in entry.options]
    for key in options:
        if key not in known:
            choices = f"its options are: {', '.join(known)}" if known else "it has no options"
            raise ValueError(f"Problem {name!r} has no option {key!r}; {choices}.")
    if not _is_whole(seed) or seed < 0:
        raise ValueError(f"The seed must be a whole number of at least 0, got {seed!r}.")
    values = {option.name: _check_option(name, option, options.get(option.name)) for option in entry.options}
    told = {field: getattr(entry, field) for field in ("task", "about", "kernel", "C", "sigma")}
    return replace(entry.make(int(seed), **values), name=name, **told)


def _entry(name):
    if name not in REGISTRY:
        raise ValueError(f"Unknown problem {name!r}; choose one of: {', '.join(REGISTRY)}.")
    return REGISTRY[name]


def _check_option(name, option, value):
    """The value as an int or a float (the default for None); ValueError for a wrong kind or range."""
    if value is None:
        return option.default
    whole = isinstance(option.step, int)
    right_kind = _is_whole(value) or (not whole and isinstance(value, (float, np.floating)))
    if not right_kind or not option.low <= value <= option.high:
        raise ValueError(
            f"Option {option.name!r} of problem {name!r} must be a {'whole ' if whole else ''}number "
            f"between {option.low} and {option.high}, got {value!r}."
        )
    return int(value) if whole else float(value)


def _is_whole(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
