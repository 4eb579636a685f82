"""From bytes to a table: the encoding, and which of the formats it is."""

import re

from pages.shared.files.delimited import read_delimited
from pages.shared.files.document import read_document
from pages.shared.files.libsvm import is_libsvm, read_libsvm
from pages.shared.files.table import MOST_ROWS, Table
from svmcore.problems.tables import text_of

LARGEST = 21_000_000  # bytes or characters of a file
MOST_LINES = 20 * MOST_ROWS  # with blank lines and comments

BINARY = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF",
}


def read_table(raw: bytes | str) -> Table:
    """The table in a file or a pasted text: CSV, LIBSVM text or a document of `json_text`, told apart by content.

    ValueError where it is none of them: one sentence with row and column, counted from 1 as in an editor, and with
    what to do.
    """
    if len(raw) > LARGEST:
        raise ValueError(f"The file has {len(raw) / 1e6:.0f} MB, and at most {LARGEST / 1e6:.0f} are read.")
    text = (raw if isinstance(raw, str) else _decode(raw)).removeprefix("\ufeff")
    if (lines := max(text.count("\n"), text.count("\r"))) > MOST_LINES:
        raise ValueError(
            f"The file has {lines:,} rows; the plane takes at most {MOST_ROWS} points: keep a sample of the rows."
        )
    if text.lstrip().startswith(("{", "[")):
        return read_document(text)
    if "\n@data" in text[:100_000].casefold():
        raise ValueError("The file is ARFF; keep the rows below @data, under one with the names of the columns.")
    return read_libsvm(text) if is_libsvm(text) else read_delimited(text)


def _decode(raw):
    """The text of the bytes; ValueError where they are no text."""
    for start, kind in BINARY.items():
        if raw.startswith(start):
            raise ValueError(f"The file is {kind}, not text; export the table as CSV and load that.")
    text = text_of(raw)
    if "\0" in text:
        row = len(re.split(r"\r\n|\r|\n", text.partition("\0")[0]))
        raise ValueError(f"Row {row} has a zero byte: the file is not text; export it as CSV.")
    return text
