"""The committed results of the papers' experiments, and their numbers in words: ours, theirs, and how far apart."""

import re
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np

from svmcore.papers import COMPARED, Table, within

FOLDER = Path(__file__).resolve().parents[3] / "data" / "results"
NONE = "–"
VERDICTS = {True: "✓ within", False: "✗ beyond"}
LETTERS = {"alpha": "α", "beta": "β", "gamma": "γ", "epsilon": "ε", "lambda": "λ", "sigma": "σ", "^2": "²"}
SPELLED = re.compile(r"\b(?:alpha|beta|gamma|epsilon|lambda|sigma)\b|\^2")


def symbols(text) -> str:
    """A text of the files, which spell letters out, as the pages write it: "sigma = 1" is "σ = 1"."""
    return SPELLED.sub(lambda found: LETTERS[found[0]], text)


def stored(name) -> Table | None:
    """The result of an experiment that comes with the project; None where its file has gone."""
    path = FOLDER / f"{name}.csv"
    return Table.from_csv(path.read_text(encoding="utf-8")) if path.is_file() else None


def missing(name) -> str:
    """What to do where the result of an experiment is missing."""
    command = f"python -m svmcore.papers run {name} --out data/results"
    return f"The file data/results/{name}.csv is missing; `{command}` makes it."


def number(value) -> str:
    """Text for the eye: few digits, a true minus sign, nothing for nothing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return symbols(value)
    if not isfinite(value):
        return NONE
    size = abs(value)
    if value == int(value) and size < 1e7:
        text = f"{value:.0f}"
    elif size >= 1000:
        text = f"{value:.0f}"
    elif size >= 10:
        text = f"{value:.1f}"
    elif size >= 0.095:
        text = f"{value:.2f}"
    else:
        text = f"{value:.1e}" if size < 1e-4 else f"{value:.2g}"
    return text.replace("-", "−")


def setting(value) -> str:
    """A text, or a number as it was chosen."""
    return symbols(value) if isinstance(value, str) else f"{value:g}"


def with_spread(mean, spread) -> str:
    """A mean with its spread, if known: "12 ± 1"; a dash without a mean."""
    if mean is None:
        return NONE
    return number(mean) + ("" if spread is None else f" ± {number(spread)}")


def difference(record) -> str:
    """Ours less theirs, and whether it lies within the spread; a dash where the paper prints no number."""
    if record["ours"] is None or record["theirs"] is None:
        return NONE
    apart = record["ours"] - record["theirs"]
    inside = within(record)
    signed = ("+" if apart > 0 else "") + number(apart)
    return signed if inside is None else f"{signed}, {VERDICTS[inside]}"


def sheet(table) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts: of a table that compares ours beside the paper's, of any other table as it is."""
    if table.columns[-len(COMPARED) :] != COMPARED:
        return [symbols(name) for name in table.columns], [[number(entry) for entry in row] for row in table.rows]
    keys = table.columns[: -len(COMPARED)]  # numbers among them are settings: written as they are
    printed = any(theirs is not None for theirs in table.column("theirs"))
    rows = []
    for record in table.records():
        row = [setting(record[key]) for key in keys] + [with_spread(record["ours"], record["spread"])]
        if printed:
            row += [with_spread(record["theirs"], record["their spread"]), difference(record)]
        rows.append([*row, number(record["runs"])])
    return [*map(symbols, keys), "ours", *(["paper", "ours less paper, spread"] if printed else []), "runs"], rows


def tally(table) -> str:
    """How many of the paper's numbers ours meet, as a sentence; "" where the paper prints none."""
    if table.columns[-len(COMPARED) :] != COMPARED:
        return ""
    verdicts = [within(record) for record in table.records()]
    counted = [verdict for verdict in verdicts if verdict is not None]
    if not counted:
        return ""
    return f"Ours meet {sum(counted)} of the {len(counted)} numbers that the paper prints within the spread."


def made(table) -> str:
    """Which command made it, when, with what, in how long."""
    minutes, seconds = divmod(round(table.seconds), 60)
    took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    software = ", ".join(f"{name} {version}" for name, version in table.versions.items())
    return f"`{table.command}`  \n{table.date}, {took} of work; {software}"


def series(table: Table, x, by, value, **where) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """{entry of column `by`: (x (k,), value (k,))}, sorted by x, of the rows whose columns have the entries `where`.

    x, by, value and the names in `where` are columns of the table; rows without a value are left out.
    """
    found = {}
    for record in table.records():
        if all(record[name] == wanted for name, wanted in where.items()) and record[value] is not None:
            found.setdefault(record[by], []).append((record[x], record[value]))
    return {name: tuple(np.array(sorted(pairs), dtype=float).T) for name, pairs in found.items()}


class Square(NamedTuple):
    """A square of a long table: one of its columns goes `down` and one `across`; `cell(record)` writes an entry of the
    records whose columns have the entries `where`.
    """

    title: str
    down: str
    across: str
    cell: Callable[[dict], str]
    where: dict = {}


def square(table: Table, of: Square) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts; entries that the table does not have are a dash."""
    records = [r for r in table.records() if all(r[name] == wanted for name, wanted in of.where.items())]
    cells = {(r[of.down], r[of.across]): of.cell(r) for r in records}
    down, across = (list(dict.fromkeys(keys)) for keys in zip(*cells, strict=True))
    rows = [[setting(key), *(cells.get((key, other), NONE) for other in across)] for key in down]
    return ["", *(setting(key) for key in across)], rows


def beside(record) -> str:
    """Ours and theirs in a few letters, with the verdict: "73.1 | 73.3 ✓"."""
    if record["theirs"] is None:
        return number(record["ours"])
    verdict = within(record)
    mark = "" if verdict is None else f" {VERDICTS[verdict][0]}"
    return f"{number(record['ours'])} | {number(record['theirs'])}{mark}"
