"""The texts of a lesson as HTML and as plain text: of a lecturer's file only words and simple marks get in."""

import re
from html import escape

from pages.shared.lessons.lesson import plain

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")  # of Markdown; an address is left out, a picture becomes its words
MARKS = (
    (re.compile(r"\*\*(\S(?:.*?\S)?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![*\w])\*(\S(?:.*?\S)?)\*(?!\w)"), r"<em>\1</em>"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"(?<!\$)\$([^$]+)\$(?!\$)"), r"\\(\1\\)"),
)


def words(text: str) -> str:
    """A text of a lesson without control characters, marks of terms and addresses; its Markdown is left in."""
    return LINK.sub(r"\1", plain(CONTROL.sub("", text))).strip()


def to_html(text: str) -> str:
    """The text as paragraphs of HTML: bold, italics, code, and formulas between \\( and \\); all else is escaped."""
    html = escape(words(text), quote=False)
    for mark, written in MARKS:
        html = mark.sub(written, html)
    return "".join(f"<p>{' '.join(part.split())}</p>" for part in re.split(r"\n\s*\n", html) if part.strip())
