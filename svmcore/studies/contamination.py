"""Machines on tables of any number of features: trained on contaminated points, tested on clean ones.

A *cell* is one machine on one table, at one level of a kind of outliers, on one split. A split draws the test points,
of each class the same share; a problem in the place of a table is drawn anew. The training points are standardised,
contaminated in units of their standard deviations (`outliers.contaminate`), and standardised again: what is known
before training is the contaminated points. The test points are moved along and stay clean. C and sigma have the lowest
error of cross-validation inside the contaminated training points. Splits, folds and outliers are the same for all
machines, which are therefore compared in pairs.

The same C and sigma for all splits, the median choice of the first few, are those of G. Rätsch, T. Onoda, K.-R. Müller
(2001), Soft margins for AdaBoost, Machine Learning 42, 287-320, section 5.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from svmcore import losses, problems
from svmcore.estimators import SVC
from svmcore.problems import benchmarks, outliers, tables
from svmcore.solvers import router
from svmcore.studies import at_once, robustness
from svmcore.tuning import criteria, records
from svmcore.warned import silently

KINDS = ("flip_random", "leverage_cluster")
CLEAN = "none"  # the kind of level 0, which all kinds share
PROBLEM = "problem"  # the kind of the outliers that a problem of `robustness.OWN_LEVELS` has itself
LEVELS = (0.0, 0.05, 0.1, 0.2, 0.3)
MOST_FEATURES = 99
ONE_START = ("hinge",)
DRAWN = tuple(
    name
    for name in problems.names("classification", planar=True)
    if name not in benchmarks.SETS and problems.available(name)
)
SHIPPED = tuple(
    name
    for name, (_, d) in benchmarks.SETS.items()
    if d <= MOST_FEATURES and (tables.DATA / f"{name}.csv.gz").is_file()
)

FEWER_FOLDS = "fewer where the smaller class has fewer training points"


class Design(NamedTuple):
    """The making of the cells.

    C and widths: the grid; a width is sigma divided by the square root of the number of features. folds: of the
    cross-validation. most: training points, the others test; at least the share `hold_out` of the points does. tuned:
    the number of first splits whose median choice of C and of sigma all splits take; 0: each split has its own choice;
    None: the machines keep theirs. all_starts: whether fits of a loss that is not convex begin at all its starts, and
    not at the machine of the hinge loss alone, as cross-validation does. scaled: whether points are standardised.
    """

    C: tuple[float, ...] = (0.1, 1.0, 10.0)
    widths: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0)
    folds: int = 3
    most: int = 150
    hold_out: float = 0.2
    tuned: int | None = 3
    all_starts: bool = False
    scaled: bool = True


class Cell(NamedTuple):
    """The place of a fit; `level` is a share of the training points, 0 to 1, or of their entries."""

    table: str
    machine: str
    kind: str
    level: float
    split: int


class Drawn(NamedTuple):
    """In the place of a table, a problem with two classes and its (name, value) options: each split is another draw."""

    problem: str
    options: tuple[tuple[str, float], ...] = ()

    def draw(self, cell) -> problems.Problem:
        """The clean draw of a cell, or with the outliers of the problem itself, for the kind `PROBLEM`.

        Raises ValueError and FileNotFoundError as `problems.load` does.
        """
        options = dict(self.options)
        if cell.kind != PROBLEM:
            return outliers.without_outliers(problems.load(self.problem, cell.split, **options))
        levels = robustness.own_levels(self.problem, options)
        clean = levels.draw(levels.values[0], cell.split)
        return levels.draw(cell.level if levels.unit == "share" else round(cell.level * len(clean.y)), cell.split)


Table = tuple[np.ndarray, np.ndarray] | Drawn  # X (N, d), y (N,) of -1 and +1, or the problem


class Choice(NamedTuple):
    """The place of the grid that cross-validation chooses in a cell: the number of C, and of the width."""

    cell: Cell
    place: tuple[int, int]


class Row(NamedTuple):
    """One fit of a study: `error` (0 to 1) on the clean test points; sigma is None for a kernel without one."""

    table: str
    machine: str
    kind: str
    level: float
    split: int
    error: float
    n_support: int
    C: float
    sigma: float | None
    status: str


def lines(design: Design) -> dict[str, str]:
    """{name: text} of a design, for the head of a file of its rows."""
    texts = {name: " ".join(map(str, np.atleast_1d(value))) for name, value in design._asdict().items()}
    return texts | {"folds": f"{design.folds}, {FEWER_FOLDS}"}


def conditions(kinds, levels) -> list[tuple[str, float]]:
    """(kind, level) of each condition: the clean points first, once for all kinds, then kind by kind."""
    above = [level for level in levels if level > 0.0]
    return [(CLEAN, 0.0), *product(kinds, above)]


def cells(tables, machines, kinds, levels, n_splits) -> list[Cell]:
    """All cells with these names, table by table, and of each table split by split: a study that is stopped has whole
    repetitions. Machines come last. A name that is given twice counts once.
    """
    places = product(tables, range(n_splits), conditions(kinds, levels), machines)
    made = (Cell(table, machine, kind, level, split) for table, split, (kind, level), machine in places)
    return list(dict.fromkeys(made))


def tuned_cells(made: Iterable[Cell], design: Design) -> list[Cell]:
    """The cells in which C and sigma are chosen, of those that are made."""
    if design.tuned is None:
        return []
    return [cell for cell in made if not design.tuned or cell.split < design.tuned]


def held_share(n, design) -> float:
    """The share (0 to 1) of the n points of a table that is held out from training."""
    return max(design.hold_out, 1.0 - design.most / n)


def split(table: Table, cell, design) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """X, y for training and X, y for testing, of a cell; ValueError as `check_points` and `Drawn.draw`."""
    if isinstance(table, Drawn):
        drawn = table.draw(cell)
    else:
        X, y = table
        check_points(cell.table, y)
        drawn = tables.split(X, y, cell.split, held_share(len(y), design))
    train, labels, test = drawn.X, drawn.y, drawn.X_test
    if design.scaled:
        train, test = benchmarks.standardise(train), benchmarks.standardise(test, train)
    if cell.level > 0.0 and cell.kind != PROBLEM:
        train, labels = outliers.contaminate(cell.kind, train, labels, cell.level, cell.split)
    if design.scaled:
        train, test = benchmarks.standardise(train), benchmarks.standardise(test, train)
    return train, labels, test, drawn.y_test


def check_points(table, y) -> None:
    """Raises ValueError for a table with fewer than ten points, or with fewer than two in a class."""
    smallest = min(np.count_nonzero(y == label) for label in (1.0, -1.0))
    if len(y) < 10 or smallest < 2:
        raise ValueError(
            f"The study needs at least 10 points, and 2 of each class; the table {table!r} has {len(y)}, and "
            f"{smallest} of its smaller class."
        )


def choose(model, table: Table, cell, design) -> Choice:
    """C and sigma of an estimator in a cell, by cross-validation inside its training points.

    Of equal errors the smallest C, then the largest sigma.
    """
    train, labels, _, _ = split(table, cell, design)
    points = criteria.Points(_with_one_start(model), train, labels)
    fewest = min(np.count_nonzero(labels == label) for label in (1.0, -1.0))
    measure = criteria.CrossValidation(points, max(2, min(design.folds, fewest)), cell.split)
    with silently():
        found = [measure(*place) for place in grid(design, train.shape[1], points.has_sigma)]
    best = records.best(found)
    k = found.index(best)
    wide = len(design.widths) if points.has_sigma else 1
    return Choice(cell, (k // wide, k % wide))


def _with_one_start(model):
    """The estimator, or a copy that begins at the machine of the hinge loss alone if its loss is not convex."""
    return model if losses.get(model.loss).convex else clone(model).set_params(solver_params={"starts": ONE_START})


def grid(design, d, has_sigma=True) -> list[tuple[float, float | None]]:
    """(C, sigma) of each place for d features, C by C; sigma is None for a kernel without one."""
    return list(product(design.C, [width * sqrt(d) for width in design.widths] if has_sigma else [None]))


def fit(model, table: Table, cell, design, places) -> Row:
    """Fit an estimator in a cell with the median of the chosen `places`, of C and of sigma each, and test it; without
    places, with its own C and kernel.
    """
    train, labels, X_test, y_test = split(table, cell, design)
    points = criteria.Points(model if design.all_starts else _with_one_start(model), train, labels)
    if places:
        k, width = (sorted(numbers)[(len(numbers) - 1) // 2] for numbers in zip(*places, strict=True))
        C, sigma = design.C[k], design.widths[width] * sqrt(train.shape[1]) if points.has_sigma else None
        made = points.machine(C, sigma)
    else:
        made, C, sigma = clone(points.estimator), model.C, model.gamma**-0.5 if points.has_sigma else None
    with silently():
        fitted = made.fit(train, labels)
    error = float(np.count_nonzero(fitted.predict(X_test) != y_test) / len(y_test))
    return Row(*cell, error, len(fitted.support_), C, sigma, str(fitted.status_))


def machine(loss, kernel="rbf", **params) -> SVC:
    """The estimator with a loss and its parameters, or the default ones; C and `gamma` are replaced in each cell."""
    return SVC(loss=loss, loss_params=params or None, kernel=kernel, gamma=1.0)


def of_all(choices: Iterable[Choice], design: Design) -> dict[Cell, list[tuple[int, int]]]:
    """{cell: the places whose median it takes}; with `tuned` splits, the cell stands for its split -1."""
    found = {}
    for cell, place in choices:
        found.setdefault(_group(cell, design), []).append(place)
    return found


def places_of(found, cell, design) -> list[tuple[int, int]]:
    """The places of `of_all` that hold for a cell."""
    return [] if design.tuned is None else found[_group(cell, design)]


def _group(cell, design):
    return cell._replace(split=-1) if design.tuned else cell


def study(points, machines, kinds, levels, n_splits, design=None, workers=None) -> Iterator[Choice | Row]:
    """A study in this process: of each table the `Choice` of each tuned cell, then a `Row` of each cell.

    points: {name: `Table`}; machines: {name: `SVC`}, cloned; kinds: keys of
    `outliers.KINDS`; levels: shares, of which 0 is always among them; workers: as for `at_once.in_order`.
    """
    design = design or Design()

    def choose_task(cell):
        return choose(machines[cell.machine], points[cell.table], cell, design)

    def fit_task(cell):
        return fit(machines[cell.machine], points[cell.table], cell, design, places_of(found, cell, design))

    for table in points:
        every, chosen = cells([table], machines, kinds, levels, n_splits), []
        for choice in at_once.in_order(choose_task, tuned_cells(every, design), workers):
            chosen.append(choice)
            yield choice
        found = of_all(chosen, design)
        yield from at_once.in_order(fit_task, every, workers)


# ------------------------------------------------------------------------------- by name, for `svmcore.work`


@lru_cache(32)
def read_table(name) -> Table:
    """X (N, d), y (N,) of -1 and +1 of a shipped table, or of a csv file in the format of data/; or one of `DRAWN`.

    Raises ValueError, or FileNotFoundError, for a name that is neither, and for labels other than two numbers.
    """
    if name in benchmarks.SETS:
        return benchmarks.table(name)
    if name in DRAWN:
        return Drawn(name)
    if not str(name).endswith((".csv", ".csv.gz")):
        raise ValueError(
            f"Unknown table {name!r}; give the path of a csv file, or choose one of "
            f"{', '.join([*benchmarks.SETS, *DRAWN])}."
        )
    try:
        X, y = tables.read(name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; expected rows of numbers with decimal points and commas between") from error
    found = np.unique(y)
    if len(found) != 2 or not np.isfinite(X).all():
        raise ValueError(
            f"The study needs finite numbers, and two classes in the last column of {name}; found {len(found)} labels "
            f"and {np.count_nonzero(~np.isfinite(X))} entries that are not finite."
        )
    return X, np.where(y == found[1], 1.0, -1.0)


def check(tables, machines, kinds, levels, n_splits=1, design=None) -> None:
    """Raises ValueError for a machine, kind, table or level that does not exist, and for a number of splits, a design
    or a table that cannot be computed, before anything is.
    """
    _check_design(n_splits, design or Design())
    for name in machines:
        if name not in router.SOLVABLE:
            raise ValueError(f"Unknown machine {name!r}; choose one of {', '.join(router.SOLVABLE)}.")
    for name in kinds:
        if name not in outliers.KINDS:
            raise ValueError(f"Unknown kind of outliers {name!r}; choose one of {', '.join(outliers.KINDS)}.")
    for level in levels:
        if not 0.0 <= level < 0.5:
            raise ValueError(f"A level is a share of at least 0 and below 0.5, got {level:g}.")
    for name in tables:
        table = read_table(name)
        if not isinstance(table, Drawn):
            check_points(name, table[1])


def _check_design(n_splits, design):
    said = {
        "number of splits": (n_splits, n_splits >= 1, "at least 1"),
        "number of splits that tune": (design.tuned, (design.tuned or 0) >= 0, "at least 0"),
        "number of folds": (design.folds, design.folds >= 2, "at least 2"),
        "number of training points": (design.most, design.most >= 8, "at least 8"),
        "share of points that test": (design.hold_out, 0.0 < design.hold_out < 1.0, "above 0 and below 1"),
    }
    for name, values in ("C", design.C), ("width", design.widths):
        said |= {f"{name} {value:g}": (value, 0.0 < value < np.inf, "finite and above 0") for value in values}
    for name, (value, fits, words) in said.items():
        if not fits:
            raise ValueError(f"The {name} must be {words}, got {value:g}.")


def _digest(name):
    """Of the points of a csv file, so that cells that are kept for a file hold for these points alone; else ""."""
    table = read_table(name)
    if name in benchmarks.SETS or isinstance(table, Drawn):
        return ""
    return hashlib.sha256(b"".join(part.tobytes() for part in table)).hexdigest()


def named_choice(cell, design, kernel, digest="") -> tuple[int, int]:
    """The place of `choose` in a named table: a task of `work.Work`. digest: part of its key, see `_digest`."""
    return choose(machine(cell.machine, kernel), read_table(cell.table), cell, design).place


def named_fit(cell, design, kernel, places, digest="") -> tuple:
    """The entries of the `Row` of `fit` that are not those of its cell: a task of `work.Work`, as `named_choice`."""
    return fit(machine(cell.machine, kernel), read_table(cell.table), cell, design, places)[len(cell) :]


def run(work, tables, machines, kinds, levels, n_splits, design, kernel="rbf") -> Iterator:
    """Yields the progress of a `work.Work`, one table after another; the value of the generator is the list of rows."""
    rows = []
    for table in dict.fromkeys(tables):
        every = cells([table], machines, kinds, levels, n_splits)
        given = {"design": design, "kernel": kernel, "digest": _digest(table)}
        tuned = tuned_cells(every, design)
        tasks = [{"cell": cell, **given} for cell in tuned]
        places = yield from work(f"{table}: C and sigma", named_choice, tasks)
        found = of_all(map(Choice, tuned, map(tuple, places)), design)
        tasks = [{"cell": cell, **given, "places": places_of(found, cell, design)} for cell in every]
        made = yield from work(f"{table}: fits", named_fit, tasks)
        rows += [Row(*cell, *entries) for cell, entries in zip(every, made, strict=True)]
    return rows


# --------------------------------------------------------------------------------------------- files


# of the entries of a Row
READERS = (str, str, str, float, int, float, int, float, lambda text: float(text) if text else None, str)


def to_csv(rows, about: dict) -> str:
    """Rows as csv text below lines `# key: value` of `about`, for `from_csv`."""
    cells = ([f"{entry:.6g}" if isinstance(entry, float) else entry for entry in row] for row in rows)
    return tables.text_with_head(about.items(), [Row._fields, *cells])


def from_csv(text) -> tuple[list[Row], dict[str, str]]:
    """The rows and the lines of `about`; ValueError for a text that is not one of `to_csv`."""
    about, (header, *rows) = tables.read_head(text)
    if tuple(header) != Row._fields or any(len(row) != len(Row._fields) for row in rows):
        raise ValueError(f"Expected a file of the study, with the columns {', '.join(Row._fields)}; got {header}.")
    return [Row(*(read(entry) for read, entry in zip(READERS, row, strict=True))) for row in rows], dict(about)
