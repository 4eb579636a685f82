"""Numbers as text and as plain HTML tables, one light element each; Streamlit's own tables cost a React tree."""

import math
import re
import string
from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from svmcore import words
from svmcore.words import THIN as THIN
from svmcore.words import join_words as join_words
from svmcore.words import readable as readable
from svmcore.words import spell as spell
from svmcore.words import with_count as with_count

UTF8 = "\ufeff"  # begins a file that Excel is to read in UTF-8
NO_TIPS: Mapping[str, str] = MappingProxyType({})
NUMBER = re.compile(r"[+−±<-]?\s?[\d.]")  # how a number begins
ADDRESS = re.compile(r"(?i)\bhttps?:|\bwww(?=\.)|\bmailto:|\bxmpp:|@")
MARKS = str.maketrans({mark: f"\\{mark}" for mark in string.punctuation})
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # the direction of writing: csv would look like vsc
MARKS |= str.maketrans("", "", TURNING)


def plain(text) -> str:
    """Markdown that shows any text from a file or a link unchanged."""
    return unlink(text).translate(MARKS)


def unlink(text) -> str:
    """The text with an invisible sign where Markdown would make a link of a bare address."""
    return ADDRESS.sub(lambda found: found[0] + "\u2060", text)


def number(value: float | None, form: str = ".3g") -> str:
    """`words.number` in the format `form`; zero as "0"; a dash for one that is not finite, or none."""
    if value is None or not math.isfinite(value):
        return "–"
    return words.number(value, form) if value else "0"


def percent(share: float, form: str = ".1f") -> str:
    """A share (0 to 1) in the format `form`, by default as "12.5 %", see `words.percent`; a dash for nan."""
    return "–" if math.isnan(share) else words.percent(share, form)


def milliseconds(seconds: float) -> str:
    """A time as "1.2 ms" or "120 ms"."""
    return f"{number(1e3 * seconds, '.2g' if seconds < 0.095 else '.0f')} ms"


def pairs(rows, tips: Mapping[str, str] = NO_TIPS) -> str:
    """(name, value) pairs, one below the other; `tips` as in `grid`."""
    lines = "".join(
        f"<tr><th scope='row'>{_name(name, tips)}</th><td>{escape(value)}</td></tr>" for name, value in rows
    )
    return f'<table class="svm-table svm-pairs">{lines}</table>'


def grid(head, rows, tips: Mapping[str, str] = NO_TIPS, version: int | None = None) -> str:
    """A table whose first column names the rows; if it is too wide, it scrolls sideways.

    Columns of words are aligned left, columns of numbers right. `tips` {name in the head: sentence} explain columns
    under the pointer. With a `version`, that of the pictures of its page, the cells follow the live channel, each by
    the number of its row and its name in the head; a new version restores them.
    """
    rows = [list(row) for row in rows]
    columns = enumerate(zip(*rows, strict=True), start=1)
    looks = "".join(f" svm-left-{number}" for number, column in columns if number > 1 and _words(column))
    top = "".join(f"<th scope='col'>{_name(name, tips)}</th>" for name in head)
    following = [[""] * len(head)] * len(rows)
    if version is not None:
        following = [[f' data-live="{escape(f"table-{k}-{name}")}"' for name in head[1:]] for k in range(len(rows))]
        looks += f'" data-version="{version}'
    lines = "".join(
        f"<tr><th scope='row'>{escape(first)}</th>"
        f"{''.join(f'<td{follows}>{escape(cell)}</td>' for cell, follows in zip(rest, live, strict=False))}</tr>"
        for (first, *rest), live in zip(rows, following, strict=True)
    )
    table = f'<table class="svm-table{looks}"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'
    return scrolling_table(table, "Table")


def scrolling_table(table: str, label: str) -> str:
    """The HTML of a table in a place that scrolls sideways if it is too wide; screen readers read its `label`."""
    return f'<div class="svm-scroll" tabindex="0" role="group" aria-label="{label}">{table}</div>'


def _name(name, tips):
    """The name of a column, a row or a number as HTML, with its tip if it has one."""
    return f'<abbr title="{escape(tips[name])}">{escape(name)}</abbr>' if name in tips else escape(name)


def _words(column):
    """True if there are words in a column, and no numbers."""
    return any(cell[:1].isalpha() for cell in column) and not any(NUMBER.match(cell) for cell in column)
