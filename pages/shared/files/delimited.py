"""Points as rows of cells: read commas, semicolons or tabs, write commas."""

import csv
import io
import math
import re
from collections import Counter
from contextlib import suppress
from itertools import compress, islice

import numpy as np

from pages.shared.files.table import (
    MISSING,
    MOST_COLUMNS,
    MOST_ROWS,
    Table,
    cell_text,
    check_columns,
    check_rows,
    column_title,
    first_word,
    number,
    number_text,
    point_columns,
)
from svmcore.problems.tables import rows_text
from svmcore.words import with_count

DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}
SAMPLE = 100  # rows that decide on the delimiter
LONGEST = 1_000_000  # characters in a line: no memory is spent on more
WIDEST = 10 * MOST_COLUMNS  # cells in a line, most of them empty
DECIMAL = re.compile(r"[+-]?\d*([.,])\d+(?:[eE][+-]?\d+)?")
SIGNS = re.compile(r"[.,'’\s]")  # in numbers, where the comma does not delimit
WHOLE = re.compile(r"[+-]?(?:\d{1,3}|[1-9]\d{0,2}(?:[.,]\d{3})+)")  # with separators of thousands


def csv_text(X, y, **columns) -> str:
    """Points as CSV with a header: x1, ..., xd, y and further columns (N,), flags as 0 and 1.

    X is (N, d), y (N,). Numbers as `number_text` writes them.
    """
    table = point_columns(X, y, **columns)
    numbers = np.column_stack(list(table.values())).tolist()
    return rows_text([table, *(map(number_text, row) for row in numbers)])


def read_delimited(text) -> Table:
    """The table in a text of delimited cells; ValueError naming row and column where it cannot be one.

    The first row is a header where none of its cells is a number; columns without a name are named by their number,
    and a name that occurs twice gets the number of its column added. Comment lines (#) at the top, blank rows and empty
    columns without a name are skipped. Between semicolons or tabs, the majority decides whether decimals have a comma
    or a point.
    """
    delimiter = _delimiter(text)
    lines, rows = _rows(text, delimiter)
    head, header = lines[0], [] if _numbers_in(rows[0], delimiter) else rows[0]
    if header:
        lines, rows = lines[1:], rows[1:]
    if not rows:
        raise ValueError(f"Row {head} is a header, and no rows of points follow; add them below.")
    check_rows(lines)
    columns = {i: cells for i, cells in enumerate(zip(*rows, strict=True), 1) if any(cells) or any(header[i - 1 : i])}
    check_columns(len(columns), f"Row {head}")
    names = _names(columns, header)
    return _table(names, columns.values(), lines, delimiter, delimiter != "," and _writes_commas(rows))


def _delimiter(text):
    """The delimiter under which rows agree in width and cells read as numbers, judged on the first rows.

    Widths alone cannot tell: with decimal commas "1,5;2,5;1" has as many commas in every row as semicolons.
    """
    row, first = next(((i, line.strip()) for i, line in enumerate(_lines(text), 1) if line.strip()), (0, ""))
    if not first:
        raise ValueError("It is empty; expected rows of numbers, such as 0.5,1.2,+1.")
    scores = {}
    for delimiter in DELIMITERS:
        rows = _first_rows(text, delimiter)
        width, agreeing = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width > 1:
            numbers = sum(_numbers_in(cells, delimiter) for cells in rows)
            scores[delimiter] = (agreeing * (1 + numbers) / sum(map(len, rows)), agreeing)
    if not scores:
        raise ValueError(
            f"Row {row} has one column only, {cell_text(first)}; expected at least two, with a comma, a semicolon "
            "or a tab between the cells."
        )
    return max(scores, key=scores.get)


def _first_rows(text, delimiter):
    rows, room = [], SAMPLE * MOST_COLUMNS
    with suppress(csv.Error):  # the strict reading reports the error, if this delimiter is chosen
        for cells in csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=True):
            if any(map(str.strip, cells)):
                rows.append(cells)
                room -= len(cells)
            if len(rows) == SAMPLE or room <= 0:
                break
    return rows


def _lines(text):
    """The lines of the text. Comments and "sep=" at the top become blank lines: all lines keep their numbers."""
    top = True
    for count, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > LONGEST:
            raise ValueError(f"Row {count} has {len(line)} characters; expected one point a row; break it up.")
        skipped = top and (line.startswith(("#", "sep=")) or not line.strip())
        top = top and skipped
        yield "\n" if skipped else line


def _rows(text, delimiter):
    """Line numbers of all rows that are not blank, and their stripped cells, every row as wide as the first.

    Cells are only kept for as many rows as can be used, because a file may have millions.
    """
    lines, rows, line = [], [], 1
    reader = csv.reader(_lines(text), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                lines.append(line)
                if len(rows) <= MOST_ROWS:
                    rows.append(_as_wide([cell.strip() for cell in cells], line, rows, lines, delimiter))
            line = reader.line_num + 1
    except csv.Error:
        raise ValueError(
            f"Row {line} cannot be split into cells: a quotation mark opens a cell and does not close it; delete it or "
            "close it, and write a mark inside a cell twice."
        ) from None
    return lines, rows


def _as_wide(cells, line, rows, lines, delimiter):
    check_columns(len(cells) if len(cells) > WIDEST else 0, f"Row {line}")
    if not rows:
        check_columns(sum(map(bool, cells)), f"Row {line}")
        return cells
    width = len(rows[0])
    widths = f"Row {line} has {with_count(len(cells), 'cell')}, but row {lines[0]} has {width}"
    if any(rows[0][len(cells) :]):
        raise ValueError(f"{widths}: column {len(cells) + 1} is missing; add what is missing or delete the row.")
    if any(cells[width:]):
        raise ValueError(
            f"{widths}: nothing is expected in column {width + 1}; delete it, or put a cell that contains a "
            f"{DELIMITERS[delimiter]} in quotation marks."
        )
    return cells[:width] + [""] * (width - len(cells))


def _names(places, header):
    """A name for each of these columns, counted from 1, no two alike."""
    names = []
    for place in places:
        name = header[place - 1] if header and header[place - 1] else f"column {place}"
        while name in names:
            name += f" (column {place})"
        names.append(name)
    return names


def _writes_commas(rows):
    signs = (found[1] for row in rows for cell in row if (found := DECIMAL.fullmatch(cell)))
    signs = Counter(islice(signs, 1000))
    return signs[","] > signs["."]


def _numbers_in(cells, delimiter):
    """Count the cells that read as numbers, with any commas, points and gaps where the comma does not delimit."""
    return sum(_parses(cell if delimiter == "," else SIGNS.sub("", cell)) for cell in cells)


def _parses(cell):
    """True if float reads the cell; "nan" and "inf" count, so that a broken first row is not taken for a header."""
    with suppress(ValueError):
        float(cell)
        return True
    return False


def _number(cell, comma):
    """The finite number in a cell, else nan; where decimals have a comma, a point cannot be part of a number."""
    if comma:
        return math.nan if "." in cell else number(cell.replace(",", "."))
    return number(cell)


def _table(names, columns, lines, delimiter, comma):
    arrays, flaws = [], {}
    for name, cells in zip(names, columns, strict=True):
        grouped = _find_thousands(cells) & (delimiter != ",")
        values = np.array([_number(cell, comma) for cell in cells])
        broken = np.isnan(values) | grouped
        arrays.append(np.array(cells, dtype=object) if broken.any() else values)
        if grouped.any() or broken.any() and _meant_as_numbers(cells, broken):
            row = int(broken.argmax())
            style = " without separators of thousands" if grouped.any() else " with a decimal comma" if comma else ""
            flaws[name] = (
                f"Row {lines[row]}, {column_title(name)}: expected a number{style}, "
                f"found {cell_text(cells[row])}; correct the cell or delete the row."
            )
    return _usable(Table(tuple(names), tuple(arrays), np.array(lines), flaws))


def _find_thousands(cells):
    """Mark the whole numbers with separators of thousands, if all others are below 1000: no "1.234" becomes 1.234."""
    signed = np.array(["." in cell or "," in cell for cell in cells])
    return signed & (not signed.all() and all(map(WHOLE.fullmatch, cells)))


def _meant_as_numbers(cells, broken):
    """True if a column was meant as numbers: it has at least as many numbers as words, and is no label of two names."""
    bad = list(compress(cells, broken))
    missing = {cell for cell in bad if cell.casefold() in MISSING or _parses(cell)}
    words = sum(cell not in missing for cell in bad)
    return np.sum(~broken) >= words and (len(set(cells)) != 2 or bool(missing))


def _usable(table):
    """The table, if points can be made of it without its broken columns; otherwise the flaw of the first is raised."""
    numeric, whole = table.numeric, {*table.numeric, *table.labels()}
    if table.flaws and (len(numeric) < 2 or len(whole) < 3):
        raise ValueError(next(iter(table.flaws.values())))
    if len(table.names) < 2:
        raise ValueError(
            f"Row {table.lines[0]} has cells in one column only; expected at least two, fill in the others."
        )
    if len(numeric) < 2:
        text = next(name for name in table.names if name not in numeric)
        cells = table.column(text)
        row = first_word(cells)
        raise ValueError(
            f"{table.place(row, text)}: expected a number, found {cell_text(cells[row])}, and the file has "
            f"{'no column' if not numeric else 'one column'} of numbers; add columns until it has two."
        )
    return table
