"""The result of an experiment: a table of our values and the paper's, with the information needed to judge it.

As a file it is csv below header lines `# key: value`, which hold the command, the date, the versions, and every
departure from the paper.
"""

import csv
from dataclasses import dataclass, field
from math import hypot, isfinite, sqrt
from statistics import fmean, stdev

from svmcore.problems.tables import rows_text

COMPARED = ("ours", "spread", "runs", "theirs", "their spread")


@dataclass(frozen=True)
class Table:
    """`columns` name the entries of each row: text, numbers, or None.

    Rows that compare end with the columns `COMPARED` (see `compared`). `notes` list every difference from the protocol
    of the paper, a sentence each. `seconds` is the total time of all splits, including those computed in parallel;
    `versions` names the software, `command` reproduces the table.
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
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        head = [
            ("name", self.name),
            ("title", self.title),
            ("command", self.command),
            ("quick", "yes" if self.quick else "no"),
            ("seed", self.seed),
            ("seconds", f"{self.seconds:.1f}"),
            ("date", self.date),
            ("versions", versions),
            *(("note", note) for note in self.notes),
        ]
        comments = "".join(f"# {key}: {value}\n" for key, value in head)
        return comments + rows_text([self.columns, *(map(_written, row) for row in self.rows)])

    @classmethod
    def from_csv(cls, text) -> "Table":
        """The table from the text of `to_csv`; ValueError for any other text."""
        head, notes, body = {}, [], []
        for line in text.splitlines():
            if not line.startswith("# "):
                body.append(line)
                continue
            key, _, value = line[2:].partition(": ")
            if key == "note":
                notes.append(value)
            else:
                head[key] = value
        rows = list(csv.reader(body))
        missing = {"name", "quick", "seed", "seconds"} - set(head)
        if missing or not rows or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError(
                "Expected the csv file of an experiment: header lines `# key: value`, a line of column names, rows of "
                f"as many entries; got {'no ' + ', '.join(sorted(missing)) if missing else 'rows of another length'}."
            )
        versions = dict(pair.rsplit(" ", 1) for pair in head.get("versions", "").split(", ") if " " in pair)
        return cls(
            columns=tuple(rows[0]),
            rows=tuple(tuple(_read(entry) for entry in row) for row in rows[1:]),
            notes=tuple(notes),
            name=head["name"],
            title=head.get("title", ""),
            command=head.get("command", ""),
            quick=head["quick"] == "yes",
            seed=int(head["seed"]),
            seconds=float(head["seconds"]),
            date=head.get("date", ""),
            versions=versions,
        )


def compared(values, theirs=None, their_spread=None, *, of_mean=False) -> tuple:
    """The entries `COMPARED` of our values: their mean, standard deviation and number, then the paper's numbers.

    Values that are not finite do not count; without any the mean is None.
    of_mean: the spread is that of the mean instead of a single value, as in the paper.
    """
    values = [value for value in values if isfinite(value)]
    mean = fmean(values) if values else None
    spread = stdev(values) if len(values) > 1 else None
    if of_mean and spread is not None:
        spread /= sqrt(len(values))
    return mean, spread, len(values), theirs, their_spread


def within(record) -> bool | None:
    """Whether ours and theirs differ by at most the spread of a difference, sqrt(spread^2 + their spread^2).

    `record` is a row with the columns `COMPARED`. If the paper prints no spread, ours alone counts. None if the paper
    prints no number, or if neither side has a spread.
    """
    ours, theirs = record["ours"], record["theirs"]
    if ours is None or theirs is None:
        return None
    spread = hypot(record["spread"] or 0.0, record["their spread"] or 0.0)
    if record["spread"] is None and record["their spread"] is None:
        return None
    return abs(ours - theirs) <= spread + 1e-9 * abs(theirs)


def _written(entry):
    if entry is None or (isinstance(entry, float) and entry != entry):
        return ""
    return f"{entry:.6g}" if isinstance(entry, float) else entry


def _read(entry):
    if entry == "":
        return None
    try:
        return int(entry)
    except ValueError:
        pass
    try:
        return float(entry)
    except ValueError:
        return entry
