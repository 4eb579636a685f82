"""The five papers, the stored results of their experiments, and numbers as text: ours, the paper's, the difference."""

import re
from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

import numpy as np

from svmcore.papers import COMPARED, MEASURED, REGISTRY, Experiment, Table, agrees, least_1_norm
from svmcore.problems.tables import DATA, load_texts
from svmcore.words import GREEK, readable

FOLDER = DATA / "results"
NONE = "–"
VERDICTS = {True: "✓ agrees", False: "✗ differs"}
AGREEMENT = "z is the difference of the means divided by its standard error; two numbers agree if |z| ≤ 2."
LETTERS = GREEK | {"^2": "²", "<=": "≤"}
COLUMNS = {"gamma": "γ (our C)"}  # what the columns of one paper are called; its γ is not 1/σ²
SPELLED = re.compile("|".join(rf"\b{name}\b" if name.isalpha() else re.escape(name) for name in LETTERS))


class Paper(NamedTuple):
    """One of the five: its title, its source, its `idea` in a few sentences; its experiments begin with its key."""

    title: str
    source: str
    idea: str


PAPERS = {key: Paper(**entry) for key, entry in load_texts("papers").items()}


def experiments(key: str) -> list[Experiment]:
    return [entry for entry in REGISTRY.values() if entry.name.startswith(f"{key}.")]


def symbols(text) -> str:
    """A text without formulas, with Greek letters instead of their names: "sigma = 1" becomes "σ = 1"."""
    return SPELLED.sub(lambda match: LETTERS[match[0]], text)


def column(name) -> str:
    """The name of a column as the pages write it."""
    return COLUMNS.get(name) or symbols(name)


def load_result(name) -> Table | None:
    """The stored result of an experiment; None if its file is missing."""
    path = FOLDER / f"{name}.csv"
    return Table.from_csv(path.read_text(encoding="utf-8")) if path.is_file() else None


def missing_sentence(name) -> str:
    """The sentence on a missing result, with the command that makes it."""
    command = f"python -m svmcore.papers run {name} --out data/results"
    return f"The file data/results/{name}.csv is missing; `{command}` makes it."


def number(value) -> str:
    """A value for reading: few digits, a true minus sign, "" for None, a dash for nan."""
    if value is None:
        return ""
    if isinstance(value, str):
        return symbols(value)
    if not isfinite(value):
        return NONE
    size = abs(value)
    if size >= 1000 or value == int(value):
        text = f"{value:.0f}"
    elif size >= 10:
        text = f"{value:.1f}"
    elif size >= 0.095:
        text = f"{value:.2f}"
    else:
        text = f"{value:.1e}" if size < 1e-4 else f"{value:.2g}"
    return readable(text)


def setting_text(value) -> str:
    """A text, or a number with the digits that were chosen."""
    return symbols(value) if isinstance(value, str) else f"{value:g}"


def with_spread(mean, spread) -> str:
    """A mean with its spread, if known: "12 ± 1"; a dash without a mean."""
    if mean is None:
        return NONE
    return number(mean) + ("" if spread is None else f" ± {number(spread)}")


def difference(record) -> str:
    """Our number minus the paper's, z, and whether they agree; a dash if the paper has none."""
    if record["ours"] is None or record["theirs"] is None:
        return NONE
    apart = record["ours"] - record["theirs"]
    signed = ("+" if apart > 0 else "") + number(apart)
    verdict = agrees(record)
    return signed if verdict is None else f"{signed}, z = {_z(record)}, {VERDICTS[verdict]}"


def _z(record):
    """z with the digits that show on which side of the limit of agreement it lies."""
    z = record["z"]
    if not isfinite(z):
        return "∞"
    digits = next(d for d in range(1, 17) if (abs(round(z, d)) <= 2.0) == (abs(z) <= 2.0))
    return readable(f"{z:.{digits}f}")


def sheet(table) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts, with our numbers beside the paper's if the table compares them."""
    columns = COMPARED if compares(table) else MEASURED
    if table.columns[-len(columns) :] != columns:
        return [column(name) for name in table.columns], [[number(entry) for entry in row] for row in table.rows]
    keys = table.columns[: -len(columns)]  # numbers among them are settings, which are not rounded
    rows = []
    for record in table.records():
        row = [setting_text(record[key]) for key in keys] + [with_spread(record["ours"], record["spread"])]
        if columns is COMPARED:
            row += [with_spread(record["theirs"], record["their spread"]), difference(record)]
        rows.append([*row, number(record["runs"])])
    return [*map(column, keys), "ours", *(["paper", "ours − paper"] if columns is COMPARED else []), "runs"], rows


def compares(table) -> bool:
    return table.columns[-len(COMPARED) :] == COMPARED


def tally(table) -> str:
    """Count the numbers of the paper that ours agree with, and those of a perfect copy; "" if the paper prints none."""
    known = [record for record in table.records() if compares(table) and agrees(record) is not None]
    if not known:
        return ""
    same, expected = sum(map(agrees, known)), sum(record["expected"] for record in known)
    return (
        f"Agree with the paper: {same} of the {len(known)} numbers that can be compared; a perfect copy "
        f"would be expected to agree in {number(expected)}. {AGREEMENT}"
    )


def origin_text(table) -> str:
    """The command, date, working time and software versions of a result, as Markdown."""
    minutes, seconds = divmod(round(table.seconds), 60)
    took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    software = ", ".join(f"{name} {version}" for name, version in table.versions.items())
    return f"`{table.command}`  \n{table.date}, working time {took}; {software}"


def series(table: Table, x, by, value, **where) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """{entry of column `by`: (x (k,), value (k,))}, sorted by x, of the rows with the entries `where` and with a value.

    x, by, value and the names in `where` are columns of the table.
    """
    pairs = {}
    for record in _records(table, where):
        if record[value] is not None:
            pairs.setdefault(record[by], []).append((record[x], record[value]))
    return {name: tuple(np.array(sorted(own), dtype=float).T) for name, own in pairs.items()}


def nearest_beside_chosen(places: Table) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts for the places of table 2 that are nearest to the paper's numbers: for each set and machine
    the chosen place and the nearest one, with our error, support vectors and iterations at each, and the paper's.
    """
    table = load_result("least_1_norm.table2")
    chosen = least_1_norm.chosen_places(table) if table is not None else {}
    there = {(row["set"], row["machine"], row["measure"]): row["ours"] for row in (table.records() if table else ())}
    rows = {}
    for row in places.records():
        key = row["set"], row["machine"]
        of = rows.setdefault(key, ([chosen.get(key[0], {}).get(key[1])], [(row["C"], row["sigma"])], []))
        for numbers, value in zip(of, (there.get((*key, row["measure"])), row["ours"], row["theirs"]), strict=True):
            numbers.append(value)
    head = ["set", "machine", "chosen: C, σ", "ours there", "nearest: C, σ", "ours there", "paper"]
    return head, [[*key, *_place(one), *_place(other), _numbers(paper)] for key, (one, other, paper) in rows.items()]


def _place(found):
    """A place (C, sigma) and the numbers there, as texts."""
    place, *numbers = found
    return NONE if place is None else ", ".join(map(number, place)), _numbers(numbers)


def _numbers(values):
    return "; ".join(number(value) or NONE for value in values)


def square(table: Table, down, across, cell: Callable[[dict], str], **where) -> tuple[list[str], list[list[str]]]:
    """(head, rows) of texts of a long table as a square: its column `down` gives the rows and `across` the columns;
    `cell(record)` writes an entry, of the records that have the entries `where`. Missing entries are a dash.
    """
    cells = {(record[down], record[across]): cell(record) for record in _records(table, where)}
    lines, columns = (list(dict.fromkeys(keys)) for keys in zip(*cells, strict=True))
    rows = [[setting_text(key), *(cells.get((key, other), NONE) for other in columns)] for key in lines]
    return [column(down), *map(setting_text, columns)], rows


def _records(table, where):
    return [record for record in table.records() if all(record[name] == entry for name, entry in where.items())]


def comparison_text(record) -> str:
    """Our number and the paper's with the verdict, in short: "73.1 | 73.3 ✓"."""
    if record["theirs"] is None:
        return number(record["ours"])
    verdict = agrees(record)
    mark = "" if verdict is None else f" {VERDICTS[verdict][0]}"
    return f"{number(record['ours'])} | {number(record['theirs'])}{mark}"
