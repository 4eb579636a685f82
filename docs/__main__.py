"""Writes the pictures and the generated parts of the manual, and the script of live files; the tests compare them."""

from pathlib import Path

from docs import live_bundle, live_pictures, picture, tables
from svmcore import live

FOLDER = Path(__file__).parent

(FOLDER / "flipped_labels.svg").write_text(picture.svg(), encoding="utf-8")
live.SCRIPT.write_text(live_bundle.script(), encoding="utf-8")
live_pictures.write()
for path in FOLDER.glob("*.md"):
    path.write_text(tables.fill(path.read_text(encoding="utf-8")), encoding="utf-8")
