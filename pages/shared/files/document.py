"""Everything on the screen as one JSON object, which a later version can still read.

    {"format": "svm-lab", "version": 1,
     "points": {"x1": [...], "x2": [...], "y": [...], further columns: [...]},
     "settings": {...}, "model": {...}}

Columns are lists of N finite numbers; `y` is -1.0 and 1.0, or the target where the points have `x1` alone. `settings`
and `model` are objects of numbers, texts, lists and objects, which the pages fill and check. Floats keep every bit.
"""

import json
import sys

import numpy as np

from pages.shared.files.table import MOST_COLUMNS, MOST_ROWS, Table, cell_text, check_columns, check_rows, column_title

FORMAT = "svm-lab"
MOST_BRACKETS, MOST_COMMAS = 10_000, 2 * MOST_ROWS * MOST_COLUMNS  # each part takes ten times its text in memory
VERSION = 1


def json_text(points, settings, model) -> str:
    """The document of points ({name: (N,)}, see `table.point_columns`), settings and model (dicts of plain values).

    Arrays become lists. ValueError where a number is not finite, because JSON cannot represent it.
    """
    sections = {"points": dict(points), "settings": dict(settings), "model": dict(model)}
    for name, section in sections.items():
        try:
            sections[name] = json.dumps(section, allow_nan=False, default=_plain)
        except ValueError:
            raise ValueError(f"Expected finite numbers in {name!r}, got nan or inf; leave such values out.") from None
    body = "".join(f',\n "{name}": {text}' for name, text in sections.items())
    return f'{{"format": "{FORMAT}", "version": {VERSION}{body}}}\n'


def read_json(text) -> tuple[dict, dict, dict]:
    """(points, settings, model) of a document: {name: (N,) floats}, and two dicts with lists where arrays were.

    ValueError where it is not JSON, not a document of this app, of another version, or where its points are not columns
    of finite numbers.
    """
    document = _parse(text)
    if document.get("format") != FORMAT:
        raise ValueError(
            f'Expected JSON that SVM Lab wrote, with "format": "{FORMAT}", found {_quote(document.get("format"))}; '
            "save the points as CSV or LIBSVM text and load that."
        )
    if document.get("version") != VERSION:
        raise ValueError(
            f"Expected version {VERSION} of the format, found {_quote(document.get('version'))}; "
            "open the file with the version of SVM Lab that wrote it and save the points as CSV."
        )
    points, settings, model = (_object(document, name) for name in ("points", "settings", "model"))
    return _check_columns(points), settings, model


def read_document(text) -> Table:
    """The points of a document as a Table, whose rows count points."""
    points, _, _ = read_json(text)
    return Table(tuple(points), tuple(points.values()), np.arange(1, len(points["y"]) + 1), {}, "point")


def _parse(text):
    if sum(map(text.count, "[{")) > MOST_BRACKETS or text.count(",") > MOST_COMMAS:
        raise ValueError(
            f"This JSON has more parts than a document of SVM Lab with {MOST_ROWS} points; download the file again."
        )
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"Row {error.lineno}, character {error.colno}: this is not JSON ({error.msg}); download the file again."
        ) from None
    except (ValueError, RecursionError):
        raise ValueError(
            "A number in this JSON is too long, or its nesting too deep; download the file again."
        ) from None
    if not isinstance(document, dict):
        raise ValueError(f"Expected a JSON object in braces, found {_quote(document)}; download the file again.")
    return document


def _object(document, name):
    section = document.get(name)
    if not isinstance(section, dict):
        raise ValueError(f'Expected an object under "{name}", found {_quote(section)}; download the file again.')
    return section


def _check_columns(points):
    for needed in ("x1", "y"):
        if needed not in points:
            raise ValueError(
                f'Expected x1 and y at least under "points", found no column {needed!r}; download the file again.'
            )
    check_columns(len(points), 'The object under "points"')
    for name, cells in points.items():
        if not isinstance(cells, list) or not cells:
            raise ValueError(f"Expected a list of numbers in {column_title(name)}, found {_quote(cells)}; fill it in.")
    n = len(points["y"])
    check_rows(range(1, n + 1), "point")
    for name, cells in points.items():
        if len(cells) != n:
            raise ValueError(
                f"Expected {n} numbers in {column_title(name)}, as in 'y', found {len(cells)}; correct it."
            )
        for number, cell in enumerate(cells, 1):
            if not isinstance(cell, (int, float)) or not abs(cell) <= sys.float_info.max:
                raise ValueError(
                    f"Point {number}, {column_title(name)}: expected a number, found {_quote(cell)}; "
                    "correct it or delete the point."
                )
    return {name: np.array(cells, dtype=float) for name, cells in points.items()}


def _quote(value):
    return "nothing" if value is None else cell_text(json.dumps(value))


def _plain(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"Expected numbers, texts, lists and dicts, got {type(value).__name__}; convert it first.")
