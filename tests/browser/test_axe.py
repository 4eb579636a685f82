"""axe-core finds nothing on any page, in light and dark, on a desktop and on a phone."""

from itertools import product
from pathlib import Path

import pytest
import waiting
from axe_playwright_python.base import AXE_FILE_PATH

from pages.shared.page import page as frame

AXE = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
SIZES = {"desktop": (1280, 720), "phone": (390, 844)}
PAGES = [Path(page).stem for page in frame.MENU if page != "home.py"]
PATHS = ["", *PAGES, "playground?problem=three_clouds", "lessons?lesson=beginning"]
EVERY = list(product(PATHS, ("light", "dark"), SIZES))
QUICK = [("playground", "light", "desktop")]


@pytest.mark.parametrize("case", waiting.mostly_slow(EVERY, QUICK), ids=str)
def test_axe_finds_nothing(app, new_page, case):
    path, scheme, size = case
    width, height = SIZES[size]
    page = new_page(width=width, height=height, color_scheme=scheme)
    waiting.open_page(page, f"{app}/{path}")
    waiting.quiet(page)  # pictures, the menu, the focus of wide formulas; while a page runs, its old parts are pale
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
