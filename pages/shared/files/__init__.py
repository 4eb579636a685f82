"""Points as files: CSV, LIBSVM text and the app's own JSON, in and out. A bad file is a ValueError of one sentence."""

from pages.shared.files.delimited import csv_text, harmless
from pages.shared.files.document import json_text, read_json
from pages.shared.files.libsvm import libsvm_text
from pages.shared.files.reading import read
from pages.shared.files.table import (
    LARGEST,
    MOST_CLASSES,
    MOST_COLUMNS,
    MOST_ROWS,
    Table,
    classification,
    points,
    regression,
    suggested,
)
from svmcore.problems.tables import rows_text

__all__ = [
    "LARGEST",
    "MOST_CLASSES",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "Table",
    "classification",
    "csv_text",
    "harmless",
    "json_text",
    "libsvm_text",
    "points",
    "read",
    "read_json",
    "regression",
    "rows_text",
    "suggested",
]
