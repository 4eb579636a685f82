"""Real data: the files of the project, tables as problems, and rows as csv text.

A csv file has a comment line, a header line, and the label or target in its last column; a file of the reader's own
may leave out either line. A file of texts has lines `label word:count ...` (the LIBSVM format) below its comment lines.
Either may be compressed (gzip).
"""

import codecs
import csv
import gzip
import io
import re
import tomllib
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import sklearn
from scipy.sparse import csr_matrix

from svmcore.problems.registry import Option, Problem

HERE = Path(__file__).resolve().parents[1]
DATA = HERE / "data" if (HERE / "data").is_dir() else HERE.parent / "data"  # installed, or in a checkout
# where a spreadsheet finds a formula: at the beginning of a cell, which in many countries a semicolon ends
FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[=+\-@\t\r])")
PLAIN = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?")  # a number, which it takes for a number


def load_texts(name) -> dict[str, dict]:
    """The tables of a file of data/texts/, in its order."""
    return tomllib.loads((DATA / "texts" / f"{name}.toml").read_text(encoding="utf-8"))


def load_shipped(file) -> tuple[np.ndarray | csr_matrix, np.ndarray]:
    """X (N, d), y (N,) from a file in data/, X sparse (CSR) for texts; FileNotFoundError if the file is missing."""
    path = DATA / file
    if not path.is_file():
        raise FileNotFoundError(f"The data file {file} is missing from the project's folder data; restore that folder.")
    try:
        return sklearn.datasets.load_svmlight_file(str(path)) if ".svm" in path.suffixes else read(path)
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise ValueError(
            f"The data file {file} in the project's folder data is damaged; restore that folder."
        ) from error


def text_of(raw: bytes) -> str:
    """The text of a file: UTF-8 or, as spreadsheets save tables too, UTF-16 with a mark or CP1252."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def read(path) -> tuple[np.ndarray, np.ndarray]:
    """X (N, d), y (N,) from a csv file in the format of data/; ValueError for another format."""
    with gzip.open(path) if str(path).endswith(".gz") else open(path, "rb") as file:
        lines = [line for line in text_of(file.read()).splitlines() if line.partition("#")[0].strip()]
    if lines and not _is_row(lines[0]):
        del lines[0]
    if not lines:  # NumPy would warn
        raise ValueError("expected rows of at least two numbers below a comment and a header, found none")
    table = np.loadtxt(lines, delimiter=",", ndmin=2)
    if table.shape[1] < 2:
        raise ValueError(f"expected rows of at least two numbers, found an array of shape {table.shape}")
    return np.ascontiguousarray(table[:, :-1]), np.ascontiguousarray(table[:, -1])


def _is_row(line):
    try:
        return bool([float(cell) for cell in line.partition("#")[0].split(",")])
    except ValueError:
        return False


def rows_text(rows: Iterable[Iterable]) -> str:
    """Rows of cells as csv text; the first row is the header, None an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def text_with_head(head: Iterable[tuple], rows: Iterable[Iterable]) -> str:
    """`rows_text` below lines `# key: value`, for `read_head`."""
    return "".join(f"# {key}: {value}\n" for key, value in head) + rows_text(rows)


def read_head(text) -> tuple[list[tuple[str, str]], list[list[str]]]:
    """The (key, value) of the first lines of a `text_with_head`, and the rows of cells, the first the header."""
    lines = text.splitlines()
    head = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    return [(key, value) for key, _, value in head], [*csv.reader(line for line in lines if not line.startswith("# "))]


def harmless_cell(cell: str) -> str:
    """A text from readers as a cell of a CSV file; an apostrophe keeps a spreadsheet from taking it for a formula."""
    return cell if PLAIN.fullmatch(cell) else FORMULA.sub("'", cell)


def n_training(total, default=None) -> Option:
    """The option n of `held_out`; by default two thirds are for training, as in the tables of López et al. (2011)."""
    default = default or round(2 * total / 3)
    return Option("n", "Points", default, 20, total, 1, f"training points drawn from the {total}; the others test")


def held_out(X, y, n, seed) -> Problem:
    """A Problem with n random points for training and the others as test set; if n is all, the test set is all as well.

    The points for n are the first ones for every larger n.
    """
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[:n], order[n:] if n < len(y) else order
    return Problem(X[train], y[train], X[test], y[test])


def split(X, y, seed=0, hold_out=0.3, classes=(1.0, -1.0), **options) -> Problem:
    """The points X (N, d) with labels y (N,) as a problem whose ids are rows of X; the seed draws the test points.

    hold_out: the share (0 to 1) of each of the `classes`; at least one of its points where a share is asked for, never
    all of them. `options`: other fields of the Problem.
    """
    rng = np.random.default_rng(seed)
    held = np.zeros(len(y), dtype=bool)
    for label in classes:
        rows = rng.permutation(np.flatnonzero(y == label))
        n_test = min(max(round(hold_out * len(rows)), 1), len(rows) - 1) if hold_out and len(rows) else 0
        held[rows[:n_test]] = True
    return Problem(X[~held], y[~held], X[held], y[held], ids=np.flatnonzero(~held), classes=classes, **options)
