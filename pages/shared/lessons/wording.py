"""The texts of a lesson as HTML and as plain text: of a lecturer's file only words and simple marks get in."""

import re
from html import escape, unescape
from xml.etree import ElementTree

from latex2mathml import converter

from pages.shared.lessons.lesson import plain

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
LINK = re.compile(r"!?\[([^][]*)\]\([^()]*\)")  # of Markdown; an address is left out, a picture becomes its words
MARKS = (
    (re.compile(r"\*\*(?!\s)((?:[^*\n]|\*(?!\*))+)(?<!\s)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![*\w])\*(?!\s)([^*\n]+)(?<!\s)\*(?!\w)"), r"<em>\1</em>"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
)
OPENS, CLOSES = re.compile(r"\{|\\(?:begin|left)\b"), re.compile(r"\}|\\(?:end|right)\b")
LOOKS = (  # attributes of MathML that LaTeX may set; not its addresses, classes and styles
    "xmlns", "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "accent",
    "movablelimits", "largeop", "columnalign", "linethickness", "width", "minsize", "maxsize",
)  # fmt: skip


def words(text: str) -> str:
    """A text of a lesson without control characters, marks of terms and addresses; its Markdown is left in."""
    return LINK.sub(r"\1", plain(CONTROL.sub("", text))).strip()


def stack_parts(latex: str) -> str:
    """A formula with each of the parts between \\qquad on a line of its own, where none of them is cut."""
    parts = latex.split(r"\qquad")
    if len(parts) == 1 or any(len(OPENS.findall(part)) != len(CLOSES.findall(part)) for part in parts):
        return latex
    return r"\begin{gathered}" + r" \\ ".join(map(str.strip, parts)) + r"\end{gathered}"


def mathml(latex: str) -> str:
    """A formula as MathML on a line of its own; LaTeX that cannot be read stays as it is, as code."""
    try:
        formula = converter.convert_to_element(CONTROL.sub("", latex), display="block")
    except Exception:  # the exceptions of latex2mathml have no class in common
        return f"<code>{escape(latex)}</code>"
    for element in formula.iter():
        element.text = element.text and unescape(element.text)
        element.attrib = {name: value for name, value in element.attrib.items() if name in LOOKS}
    return ElementTree.tostring(formula, encoding="unicode", short_empty_elements=False)


def to_html(text: str) -> str:
    """The text as paragraphs of HTML: bold, italics and code; all else is escaped, dollars are no marks of formulas."""
    html = escape(words(text), quote=False)
    for mark, written in MARKS:
        html = mark.sub(written, html)
    return "".join(f"<p>{' '.join(part.split())}</p>" for part in re.split(r"\n\s*\n", html) if part.strip())
