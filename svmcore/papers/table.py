"""The result of an experiment: a table of our values and the paper's, with the information needed to judge it.

As a file it is csv below header lines `# key: value`, which hold the command, the date, the versions, and every
departure from the paper.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from math import hypot, inf, isfinite, sqrt
from statistics import fmean, stdev

from scipy.stats import t as student

from svmcore.problems.tables import read_head, text_with_head

MEASURED = ("ours", "spread", "runs")
COMPARED = (*MEASURED, "theirs", "their spread", "z", "expected")
AGREES = 2.0  # the largest |z| of numbers that agree
HEAD = ("name", "title", "command", "quick", "seed", "seconds", "date", "versions")  # of a file


@dataclass(frozen=True)
class Table:
    """`columns` name the entries of each row: text, numbers, or None.

    Rows of means end with the columns `MEASURED`, or with `COMPARED` if the paper prints numbers (see `comparison`).
    `notes` list every difference from the protocol of the paper, a sentence each. `seconds` is the total time of all
    splits, including those computed in parallel; `versions` names the software, `command` reproduces the table.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple, ...]
    notes: tuple[str, ...] = ()
    name: str = ""
    title: str = ""
    command: str = ""
    quick: bool = False
    seed: int = 0
    seconds: float = 0.0
    date: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if len(set(self.columns)) < len(self.columns):
            raise ValueError(f"Each column needs its own name, got {', '.join(self.columns)}.")

    def column(self, name) -> list:
        """The entries of one column; ValueError for an unknown name."""
        return [row[self.columns.index(name)] for row in self.rows]

    def records(self) -> list[dict]:
        """Each row as {column: entry}."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_csv(self) -> str:
        """Text for `from_csv`; numbers to six digits."""
        head = {name: getattr(self, name) for name in HEAD}
        head["quick"], head["seconds"] = "yes" if self.quick else "no", f"{self.seconds:.1f}"
        head["versions"] = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        lines = [*head.items(), *(("note", note) for note in self.notes)]
        return text_with_head(lines, [self.columns, *(map(_format_entry, row) for row in self.rows)])

    @classmethod
    def from_csv(cls, text) -> "Table":
        """The table from the text of `to_csv`; ValueError for any other text."""
        lines, rows = read_head(text)
        head = dict(lines)
        missing = {"name", "quick", "seed", "seconds"} - set(head)
        if missing or not rows or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError(
                "Expected the csv file of an experiment: header lines `# key: value`, a line of column names, rows of "
                f"as many entries; got {'no ' + ', '.join(sorted(missing)) if missing else 'rows of another length'}."
            )
        given = {name: head.get(name, "") for name in HEAD}
        given |= {"quick": head["quick"] == "yes", "seed": int(head["seed"]), "seconds": float(head["seconds"])}
        given["versions"] = dict(pair.rsplit(" ", 1) for pair in given["versions"].split(", ") if " " in pair)
        notes = tuple(value for key, value in lines if key == "note")
        return cls(tuple(rows[0]), tuple(tuple(map(_read, row)) for row in rows[1:]), notes, **given)


def summary(values, *, of_mean=False) -> tuple:
    """The entries `MEASURED` of our values: their mean, standard deviation and number.

    Values that are not finite do not count; without any the mean is None.
    of_mean: the spread is that of the mean instead of a single value.
    """
    values = [value for value in values if isfinite(value)]
    mean = fmean(values) if values else None
    spread = stdev(values) if len(values) > 1 else None
    if of_mean and spread is not None:
        spread /= sqrt(len(values))
    return mean, spread, len(values)


def comparison(values, theirs=None, their_spread=None, their_runs=None, *, of_mean=False) -> tuple:
    """The entries `COMPARED`: `summary`, the paper's mean and spread, z, and how probably a perfect copy agrees.

    z is the difference of the means over its standard error. A perfect copy draws its values from the distribution of
    the paper's; its z has Student's t distribution, with the degrees of freedom of Welch and Satterthwaite.
    their_runs: the number of the paper's values; their_spread: their standard deviation (None: as ours), or that of
    their mean with `of_mean`, which applies to both sides. z is None if the paper prints no number or if we have no
    spread; without any spread on either side it is 0 or infinite.
    """
    mean, spread, runs = summary(values, of_mean=of_mean)
    printed = mean, spread, runs, theirs, their_spread
    if mean is None or theirs is None or spread is None:
        return *printed, None, None
    error = spread if of_mean else spread / sqrt(runs)
    if their_spread is None:
        their_error = error * sqrt(runs / their_runs)
    else:
        their_error = their_spread if of_mean else their_spread / sqrt(their_runs)
    apart, both, freedom = mean - theirs, hypot(error, their_error), runs - 1
    if both == 0.0:
        return *printed, 0.0 if abs(apart) <= 1e-9 * abs(theirs) else inf, 1.0
    if their_spread is not None:
        freedom = both**4 / (error**4 / (runs - 1) + their_error**4 / (their_runs - 1))
    return *printed, apart / both, float(1.0 - 2.0 * student.sf(AGREES, freedom))


def means(places, results, machines, measures) -> tuple[tuple, ...]:
    """Rows (*place, machine, measure, *`MEASURED`) of results {machine: one number for each measure}, of which each of
    the places has equally many, in their order.
    """
    size = len(results) // len(places)
    return tuple(
        (*place, machine, measure, *summary([one[machine][k] for one in results[j * size : (j + 1) * size]]))
        for j, place in enumerate(places)
        for machine in machines
        for k, measure in enumerate(measures)
    )


def agrees(record) -> bool | None:
    """True if |z| is at most `AGREES` in a row with the columns `COMPARED`; None without z."""
    return None if record["z"] is None else abs(record["z"]) <= AGREES


def _format_entry(entry):
    if entry is None or (isinstance(entry, float) and entry != entry):
        return ""
    return f"{entry:.6g}" if isinstance(entry, float) else entry


def _read(entry):
    if entry == "":
        return None
    for kind in (int, float):
        with suppress(ValueError):
            return kind(entry)
    return entry
