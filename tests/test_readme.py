"""What the README says: its example prints its numbers, its lists are complete."""

import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from recipes import block as block_of

from docs import picture
from pages.shared.page import page
from svmcore import losses

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
block = functools.partial(block_of, "README.md")


def test_the_example_prints_its_numbers(capsys):
    assert block("python").count("\n") <= 11
    exec(block("python"), {})
    assert capsys.readouterr().out == block("text")


def test_the_words_below_the_picture_are_its_numbers():
    alt, path = re.search(r"!\[([^]]*)\]\(([^)]+)\)", README).groups()
    shown = re.findall(r">([\d.]+) % of the plane changes<", (ROOT / path).read_text(encoding="utf-8"))
    assert re.findall(r"([\d.]+) %", alt) == shown and len(shown) == len(picture.LOSSES)
    assert re.findall(r"([\d.]+) % of the plane", block("text")) == shown
    assert f"{picture.DRAWS} draws" in alt and f"range({picture.DRAWS})" in block("python")
    assert [alt.index(losses.get(key).machine) for key in picture.LOSSES] == sorted(
        alt.index(losses.get(key).machine) for key in picture.LOSSES
    )


def test_the_two_commands_are_there():
    assert "streamlit run app.py" in block("bash start")
    assert "pytest" in block("bash tests")
    assert block("bash start").count("\n") == block("bash tests").count("\n") == 1


@pytest.mark.slow
def test_each_slow_test_is_in_one_of_the_halves():
    def collected(*options):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "slow", *options, "tests/deploy"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        return re.findall(r"^tests/.*::.*", done.stdout, re.M)

    halves = [collected("--half", half) for half in "01"]
    assert sorted(halves[0] + halves[1]) == sorted(collected()) and min(map(len, halves)) > 3


def test_every_page_has_a_line():
    pages = re.search(r"^## Pages\n(.*?)^## ", README, re.M | re.S)[1]
    assert re.findall(r"^- \*\*(.+?)\*\*: .+\.$", pages, re.M) == [label for label, _ in page.MENU.values()]
