"""Numbers as text, and as plain HTML tables: one light element each, where Streamlit's own would cost a React tree."""

import math
import re
import string
from html import escape

COUNTED = re.compile(r"[+−±<-]?\s?[\d.]")  # how a number begins
MARKS = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation})


def plain(text) -> str:
    """Markdown that shows the text letter by letter, whatever a file or a link has in it."""
    return text.translate(MARKS)


def number(value: float | None, digits="g") -> str:
    """A number with the format `digits`; a dash for one that is not finite, or none."""
    return "–" if value is None or not math.isfinite(value) else f"{value:{digits}}"


def percent(share: float) -> str:
    """A share (0 to 1) with one decimal, "12.5 %"; a dash for nan."""
    return "–" if math.isnan(share) else f"{100 * share:.1f} %"


def milliseconds(seconds: float) -> str:
    """A time as "1.2 ms" or "120 ms"."""
    return f"{1e3 * seconds:.2g} ms" if seconds < 0.1 else f"{1e3 * seconds:.0f} ms"


def cards(pairs) -> str:
    """(name, value) pairs as a row of big numbers under small names."""
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs)
    return f'<dl class="svm-cards">{cells}</dl>'


def pairs(rows) -> str:
    """(name, value) pairs, one below the other."""
    lines = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="svm-table svm-pairs">{lines}</table>'


def grid(head, rows) -> str:
    """A table whose first column names the rows; it scrolls sideways where it is too wide.

    Columns of words begin at the left, of numbers end at the right.
    """
    rows = [list(row) for row in rows]
    columns = enumerate(zip(*rows, strict=True), start=1)
    looks = "".join(f" svm-left-{number}" for number, column in columns if number > 1 and _words(column))
    top = "".join(f"<th scope='col'>{escape(name)}</th>" for name in head)
    lines = "".join(
        f"<tr><th scope='row'>{escape(first)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    table = f'<table class="svm-table{looks}"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'
    return f'<div class="svm-scroll">{table}</div>'


def _words(column):
    """Whether there are words in a column, and no numbers."""
    return any(cell[:1].isalpha() for cell in column) and not any(COUNTED.match(cell) for cell in column)
