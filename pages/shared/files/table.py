"""A table of named columns, as read from a file, and the points given by a choice of its columns."""

import math
from collections import Counter
from itertools import count, takewhile
from typing import NamedTuple

import numpy as np

from svmcore.words import with_count

MOST_ROWS = 5000  # points on the plane
MOST_CLASSES = 3  # that the plane has symbols for
MOST_KINDS = 10  # words of a column that becomes features
MOST_COLUMNS = 99  # label included: a file of 100 columns is refused
LARGEST = 1e9  # of a coordinate: kernels subtract squares, and double precision ends there

MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "?"}
TARGETS = ("y", "label", "labels", "class", "target", "species", "type", "group", "outcome")
POSITIVE = ("+1", "1", "yes", "true", "positive", "pos", "y", "t", "+")


class Table(NamedTuple):
    """The content of a file, before columns are chosen.

    Column i is `names[i]` (all different) with the cells `columns[i]` (N,): floats where every cell is a finite number,
    else an object array of str. `lines` (N,) are the numbers of the rows in the file, counted in `unit`s from 1.
    `flaws` maps the columns of numbers with some other cell to the sentence about the first such cell.
    """

    names: tuple[str, ...]
    columns: tuple[np.ndarray, ...]
    lines: np.ndarray
    flaws: dict[str, str]
    unit: str = "row"

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the columns that can be features: every cell a finite number."""
        return tuple(name for name in self.names if self.column(name).dtype != object)

    def features(self, label) -> tuple[str, ...]:
        """Names of the columns that can be features beside the label: those without a `flaw`."""
        return tuple(name for name in self.names if name != label and not self.flaw(name))

    def flaw(self, name) -> str:
        """The sentence on why a column cannot be a feature, with the place of the cell; "" for one that can."""
        cells = self.column(name)
        if name in self.flaws or cells.dtype != object:
            return self.flaws.get(name, "")
        gaps = [row for row, cell in enumerate(cells) if cell.casefold() in MISSING - {"none"}]  # which may be a word
        kinds = len(set(cells))
        if gaps:
            found = cell_text(cells[gaps[0]])
            return f"{self.place(gaps[0], name)}: expected a word, found {found}; fill it in or delete the row."
        if kinds > MOST_KINDS:
            return (
                f"{column_title(name).capitalize()} has {kinds} different words, such as "
                f"{cell_text(cells[first_word(cells)])}, and those of at most {MOST_KINDS} become features."
            )
        return ""

    def labels(self) -> tuple[str, ...]:
        """Names of the columns that can be the label: those with two different values, or named "y", "class", ... and
        with up to MOST_CLASSES; without any of these, words of up to MOST_CLASSES.
        """
        kinds = {name: set(self.column(name)) for name in self.names if name not in self.flaws}
        fit = {name: len(of) for name, of in kinds.items() if 2 <= len(of) <= MOST_CLASSES and "" not in of}
        first = tuple(name for name, count in fit.items() if count == 2 or name.casefold() in TARGETS)
        return first or tuple(name for name in fit if name not in self.numeric)

    def column(self, name) -> np.ndarray:
        """The cells (N,) of one column; ValueError for a name that the table does not have."""
        if name not in self.names:
            raise ValueError(f"There is no column {name!r}; choose among: {_list_names(self.names)}.")
        return self.columns[self.names.index(name)]

    def place(self, row, name) -> str:
        """The place of a cell, for the start of a sentence."""
        return f"{self.unit.capitalize()} {self.lines[row]}, {column_title(name)}"


def point_columns(X, y, **columns) -> dict[str, np.ndarray]:
    """The columns of a file of points: {"x1": (N,), ..., "y": (N,), and further columns (N,)}, all floats."""
    inputs = {f"x{i}": values for i, values in enumerate(np.asarray(X).T, 1)}
    return {name: np.asarray(values, float) for name, values in {**inputs, "y": y, **columns}.items()}


def suggested_columns(table) -> tuple[tuple[str, ...], str]:
    """The columns most likely meant: (features, label).

    The label is a column of two words, else of words under a name such as "class", else of two numbers; of several the
    one with such a name ("y", "class", ...), else the last. Features are x1, x2, ... where columns have these names,
    else all that can be, without a first column that only numbers the rows if two others are left. Where no choice is
    valid, the error of `read_classes` explains what is wrong with this one.
    """
    labels, text = table.labels(), [name for name in table.names if name not in {*table.numeric, *table.flaws}]
    words = [name for name in labels if name in text]
    candidates = words or _with_target_names(text) or labels or text or table.names
    label = (_with_target_names(candidates) or candidates[-1:])[0]
    features = [name for name in table.numeric if name != label]
    numbered = tuple(takewhile(lambda name: name in features, (f"x{k}" for k in count(1))))
    every = table.features(label)
    first = table.columns[0]
    counts = first.dtype != object and first[0] in (0.0, 1.0) and bool(np.all(np.diff(first) == 1.0))
    unnumbered = every[1:] if len(every) > 2 and every[0] == table.names[0] and counts else every
    return numbered if len(numbered) > 1 else unnumbered, label


def read_features(table, features) -> tuple[np.ndarray, tuple[str, ...]]:
    """X (N, d) of these columns and the d names; a column of words becomes one of 0 and 1 for each word, of two words
    for the second alone. ValueError, naming row and column, for a cell that is not a number or beyond LARGEST.
    """
    columns, names = [], []
    for name in features:
        cells = table.column(name)
        if cells.dtype != object:
            columns.append(_coordinates(table, name))
            names.append(name)
            continue
        if flaw := table.flaw(name):
            raise ValueError(flaw)
        kinds = sorted(set(cells))
        for kind in kinds[1:] if len(kinds) == 2 else kinds:
            columns.append((cells == kind).astype(float))
            names.append(f"{name} = {kind}")
    if len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"These columns make {len(columns)} features, and at most {MOST_COLUMNS} are fitted; leave out some, "
            "such as columns of many words."
        )
    return np.column_stack(columns) if columns else np.zeros((len(table.lines), 0)), tuple(names)


def read_classes(table, features, label, positive=None) -> tuple[np.ndarray, np.ndarray, dict[float, str]]:
    """X (N, d) of `read_features`, y (N,) of -1.0 and +1.0, and the names of the classes {-1.0: str, 1.0: str}; of more
    than two classes, MOST_CLASSES at most, y is of 1.0, 2.0, ..., in the order of the numbers or of the alphabet.

    `positive` is the name of class +1. By default that is the larger of two numbers; of two words the affirmative one
    ("+1", "1", "yes", "true", "positive" and the like), else the second in alphabetical order. ValueError, naming row
    and column, for a cell that is not a number or beyond LARGEST, and for fewer or more classes.
    """
    X = read_features(table, features)[0]
    if X.shape[1] < 2 or len({*features, label}) != len(features) + 1:
        flaws = [flaw for name in table.names if name != label and (flaw := table.flaw(name))]
        others = table.features(label)
        raise ValueError(
            f"Expected two or more different features beside the label {label!r}, got {_list_names(features)}; "
            f"{'choose among' if len(others) > 1 else 'only this can be one'}: "
            f"{' '.join([_list_names(others) + '.', *flaws[:1]])}"
        )
    cells = _label(table, label)
    if cells.dtype != object:
        cells = np.array([number_text(cell + 0.0) for cell in cells], dtype=object)
    kinds = _classes(table, label, cells)
    if len(kinds) > 2:
        return X, np.array([kinds.index(cell) + 1.0 for cell in cells]), {k + 1.0: kind for k, kind in enumerate(kinds)}
    first, second = kinds
    if positive is None:
        says_yes = [label not in table.numeric and kind.casefold() in POSITIVE for kind in kinds]
        positive = first if says_yes == [True, False] else second
    elif positive not in (first, second):
        raise ValueError(f"Class {positive!r} is not in {column_title(label)}; choose {first!r} or {second!r}.")
    return X, np.where(cells == positive, 1.0, -1.0), {-1.0: second if positive == first else first, 1.0: positive}


def column_title(name) -> str:
    """A column in a sentence; one without a name in the file is already named by its number."""
    return name if name.startswith("column ") else f"column {name!r}"


def number(text) -> float:
    """The finite number that a text represents, else nan; Python's own "1_000" does not count as one."""
    try:
        value = float(text.replace("−", "-"))
    except ValueError:
        return math.nan
    return value if math.isfinite(value) and "_" not in text else math.nan


def first_word(cells) -> int:
    """The row of the first cell of a column that is no number with a decimal point or comma."""
    return next((row for row, cell in enumerate(cells) if math.isnan(number(cell.replace(",", ".")))), 0)


def cell_text(cell) -> str:
    """A cell in a sentence, shortened if it is long."""
    return repr(cell if len(cell) <= 40 else cell[:39] + "…") if cell else "an empty cell"


def check_rows(lines, unit="row") -> None:
    """ValueError if there are more points than the plane takes; `lines` as in Table."""
    if len(lines) > MOST_ROWS:
        raise ValueError(
            f"The file holds {len(lines)} points, and the plane takes at most {MOST_ROWS}: those from "
            f"{unit} {lines[MOST_ROWS]} on are too many; keep a sample of the rows."
        )


def number_text(value) -> str:
    """The shortest text that is read as this number again, bit by bit."""
    return repr(float(value)).removesuffix(".0")


def check_columns(count, where) -> None:
    """ValueError if there are more columns than can be chosen from."""
    if count > MOST_COLUMNS:
        raise ValueError(
            f"{where} has {count} columns, and at most {MOST_COLUMNS} can be chosen from; delete columns that are not "
            f"needed, such as those from column {MOST_COLUMNS + 1} on."
        )


def _with_target_names(names):
    return [name for name in names if name.casefold() in TARGETS]


def _list_names(names):
    return ", ".join(map(repr, names)) or "none"


def _coordinates(table, name):
    values = table.column(name)
    beyond = np.flatnonzero(np.abs(values) > LARGEST)
    if len(beyond):
        raise ValueError(
            f"{table.place(beyond[0], name)}: expected at most {LARGEST:g} in size, found {values[beyond[0]]:g}; "
            "use a larger unit, or subtract what all values have in common."
        )
    return values


def _label(table, name):
    cells = table.column(name)
    if name in table.flaws:
        raise ValueError(table.flaws[name])
    if cells.dtype == object:
        gaps = MISSING - {"none"} if len(set(cells)) > 2 else {""}  # of two names each is one
        if (row := next((row for row, cell in enumerate(cells) if cell.casefold() in gaps), None)) is not None:
            raise ValueError(
                f"{table.place(row, name)}: expected the name of a class, found {cell_text(cells[row])}; "
                "fill it in or delete the row."
            )
    return cells


def _classes(table, label, cells):
    """The names in their order: that of the numbers in a column of numbers, else the alphabet's."""
    counts = Counter(cells)
    if 2 <= len(counts) <= MOST_CLASSES:
        return sorted(counts, key=float if label in table.numeric else None)
    found = [f"{name!r} ({with_count(count, table.unit)})" for name, count in counts.most_common(6)]
    rest = f" and {len(counts) - 6} more" if len(counts) > 6 else ""
    first, last = table.lines[0], table.lines[-1]
    span = f"{table.unit}s {first} to {last}" if last > first else f"{table.unit} {first}"
    number = len(counts) if len(counts) > 1 else "only one"
    many = f"keep the rows of at most {MOST_CLASSES}, or choose another label"
    advice = "choose another label" if len(counts) < 2 else many
    raise ValueError(
        f"Expected two or three classes in {column_title(label)}, {span}, "
        f"found {number}: {', '.join(found)}{rest}; {advice}."
    )
