"""The manual of the folder docs/, as the Help page shows it; the README lists its subjects. No Streamlit here."""

import base64
import re
from collections.abc import Callable
from pathlib import Path

from pages.shared.studies import glossary

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
GLOSSARY = "glossary"
LISTED = re.compile(r"^- \[(.+?)\]\(docs/([\w-]+)\.md\)", re.M)
PICTURE = re.compile(r"!\[([^]]*)\]\((?:docs/)?([\w-]+)\.svg\)")
LINK = re.compile(r"(?<!!)\[([^]]+)\]\(([^)\s]+)\)")
LEFT_OUT = re.compile(r"^# .*\n|^<!--(?s:.*?)-->\n", re.M)
CODE = re.compile(r"(^```.*?^```\n)", re.M | re.S)


def subjects() -> dict[str, str]:
    """{key: title} of the files in docs/, in the order of the README, and of the glossary."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return {key: title for title, key in LISTED.findall(readme)} | {GLOSSARY: "Glossary"}


def text(subject: str, address: Callable[[str], str]) -> str:
    """A subject as Markdown with HTML links; `address(key)` is the address of another subject.

    The title is left out: it is that of the page. Pictures are included in the text. A link to a file outside the
    manual becomes the name of that file. Raises FileNotFoundError for a subject without a file.
    """
    if subject == GLOSSARY:
        return glossary.markdown()
    parts = CODE.split((DOCS / f"{subject}.md").read_text(encoding="utf-8"))
    for k, words in enumerate(parts[::2]):
        words = PICTURE.sub(_picture, LEFT_OUT.sub("", words))
        parts[2 * k] = LINK.sub(lambda found: _link(*found.groups(), address), words)
    return "".join(parts)


def _link(words, target, address):
    path, _, anchor = target.partition("#")
    if path.startswith("https:") or not path:
        return f"[{words}]({target})"
    if path.startswith("../"):
        return f"`{path[3:]}`" if words in path else f"{words} (`{path[3:]}`)"
    if path.endswith(".html"):  # a live picture, which the server of the app does not serve
        return f"{words}: the file `docs/{path}`, which opens without this app"
    place = f"#{anchor}" if anchor else ""
    return f'<a href="{address(path.removesuffix(".md"))}{place}" target="_self">{words}</a>'


def _picture(found):
    words, name = found.groups()
    packed = base64.b64encode((DOCS / f"{name}.svg").read_bytes()).decode()
    return f"![{words}](data:image/svg+xml;base64,{packed})"
