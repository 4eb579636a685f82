"""Points as LIBSVM text: one per line, "label index:value index:value ..."; indices rise, and zeros may be left out."""

import io
import math
import re
from itertools import islice

import numpy as np

from pages.shared.files.table import MOST_COLUMNS, Table, cell_text, check_rows, number, number_text

SAMPLE = 100  # lines that decide whether a text is LIBSVM's
LINE = re.compile(r"[^\s:,;]+(?:\s+[+-]?\d+:[^\s,;]*)+")


def libsvm_text(X, y) -> str:
    """Points X (N, d), y (N,) as LIBSVM text, numbers as `number_text`; zeros are written too, so no column is lost."""
    rows = zip(np.asarray(X).tolist(), np.asarray(y).tolist(), strict=True)
    return "".join(f"{'+' * (label >= 0)}{number_text(label)} {_entries(row)}\n" for row, label in rows)


def _entries(row):
    return " ".join(f"{index}:{number_text(value)}" for index, value in enumerate(row, 1))


def is_libsvm(text) -> bool:
    """True if most of the first lines are a label and index:value pairs; a label alone is a point at the origin."""
    rows = (line for _, line in islice(_lines(text), SAMPLE))
    seen = [bool(LINE.fullmatch(line)) for line in rows if len(line.split(maxsplit=1)) > 1]
    return bool(seen) and 2 * sum(seen) >= len(seen)


def read_libsvm(text) -> Table:
    """The table x1, ..., xd, y in a LIBSVM text (# starts a comment); ValueError naming row and entry."""
    lines, rows = zip(*_lines(text), strict=True)
    check_rows(lines)
    labels, entries = zip(*(_point(row.split(), line) for line, row in zip(lines, rows, strict=True)), strict=True)
    X = np.zeros((len(rows), max(max(found, default=0) for found in entries)))
    for row, found in zip(X, entries, strict=True):
        row[np.fromiter(found, int) - 1] = list(found.values())
    names = (*(f"x{index}" for index in range(1, X.shape[1] + 1)), "y")
    return Table(names, (*X.T.copy(), np.array(labels)), np.array(lines), {})


def _lines(text):
    """(line number, content) of the lines that hold a point."""
    for count, line in enumerate(io.StringIO(text, newline=""), 1):
        if content := line.partition("#")[0].strip():
            yield count, content


def _point(tokens, line):
    """The label and {index: value} of one line."""
    label = number(tokens[0])
    if math.isnan(label):
        raise ValueError(
            f"Row {line}: expected a number as the label, found {cell_text(tokens[0])}; write -1 or +1 for a class."
        )
    found, last = {}, 0
    for token in tokens[1:]:
        name, colon, value = token.partition(":")
        index = int(name) if colon and name.isascii() and name.isdigit() and len(name) < 18 else -1
        amount = number(value)
        if index <= last or index >= MOST_COLUMNS or math.isnan(amount):
            raise ValueError(f"Row {line}, entry {cell_text(token)}: {_complaint(index, last, name, value)}.")
        found[index] = amount
        last = index
    return label, found


def _complaint(index, last, name, value):
    """Explain what is wrong with an entry, and what to do."""
    if index < 0:
        return "expected feature:value with a whole number from 1 on before the colon, as in 3:0.5; correct the entry"
    if index == 0:
        return "features count from 1 in LIBSVM text; add one to all of them"
    if index == last:
        return f"feature {index} appears twice; delete one of the two entries"
    if index < last:
        return f"feature numbers must increase, but this one follows feature {last}; sort the entries of the row"
    if index >= MOST_COLUMNS:
        return f"at most {MOST_COLUMNS - 1} features and the label are read; delete the features after them"
    return f"expected a number for column 'x{name}', found {cell_text(value)}; correct the entry or delete the row"
