"""Writes the picture of the README and the generated parts of the manual; tests/test_docs.py compares them."""

from pathlib import Path

from docs import picture, tables

FOLDER = Path(__file__).parent

(FOLDER / "flipped_labels.svg").write_text(picture.svg(), encoding="utf-8")
for path in FOLDER.glob("*.md"):
    path.write_text(tables.fill(path.read_text(encoding="utf-8")), encoding="utf-8")
