"""Additions of the site to the files of the manual: the README as its first page, the API, formulas as MathML, and
live pictures in place: a paragraph that is a link to one has it in a frame above.
"""

import re
import shutil
from pathlib import Path

import latex2mathml.converter
from mkdocs.structure.files import File

from docs import live_pictures
from svmcore import live

ROOT = Path(__file__).parents[1]
API = """# API

Numbers are float64; X is (n, d), y is (n,).

::: svmcore.SVC
::: svmcore.SVR
::: svmcore.SparseLSSVC
::: svmcore.SparseLSSVR
::: svmcore.OneNormSVC
::: svmcore.estimators.exchange
::: svmcore.problems
::: svmcore.tuning
"""
CODE = re.compile(r"(^```.*?^```\n|`[^`\n]+`)", re.M | re.S)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
INLINE = re.compile(r"\$([^$\n]+)\$")
ELSEWHERE = r"(?:data/|deploy/)?README\.md|notebooks/[\w.]+|LICENSE(?:-CONTENT)?|CITATION\.cff"
LIVE = re.compile(r"^\[([^]]+)\]\(live/([\w-]+\.html)\)$", re.M)  # a line of its own
FRAME = '<iframe src="live/{1}" title="{0}" loading="lazy" style="width: 100%; height: 60rem; border: 0"></iframe>\n\n'
OUTSIDE = re.compile(rf"\[([^]]+)\]\((?:\.\./)?({ELSEWHERE})[^)\s]*\)")


def on_files(files, config):
    """The README as index.md, its links as seen from docs/, and the page of the API."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=readme))
    files.append(File.generated(config, "api.md", content=API))
    return files


def on_page_markdown(markdown, page, config, files):
    """Formulas outside code become MathML; links to files that are not on the site become their names.

    A block of code keeps only its language: the words after it, by which tests find it, are unknown to the site.
    """
    parts = CODE.split(markdown)
    parts[::2] = [_convert(part, page) for part in parts[::2]]
    parts[1::2] = [re.sub(r"^(```\w+) [^\n]*", r"\1", part) for part in parts[1::2]]
    return "".join(parts)


def on_post_build(config):
    """The live pictures find their script beside them."""
    folder = Path(config["site_dir"]) / "live"
    shutil.copy(live.SCRIPT, folder / live.SCRIPT.name)
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8").replace(live_pictures.SCRIPT, live.SCRIPT.name)
        path.write_text(text, encoding="utf-8")


def _convert(text, page):
    text = LIVE.sub(lambda found: FRAME.format(*found.groups()) + found[0], text)
    text = OUTSIDE.sub(lambda found: _outside_link(*found.groups(), page), text)
    text = DISPLAY.sub(lambda found: latex2mathml.converter.convert(found[1], display="block"), text)
    return INLINE.sub(lambda found: latex2mathml.converter.convert(found[1]), text)


def _outside_link(words, target, page):
    if target == "README.md" and page.file.src_path != "index.md":
        return f"[{words}](index.md)"
    return f"{words} (`{target}`)" if target not in words else f"`{target}`"
