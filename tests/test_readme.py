"""The README's example prints what the README says."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()


def block(kind):
    return re.search(rf"^```{kind}\n(.*?)^```", README, re.M | re.S)[1]


def test_the_example_prints_its_numbers(capsys):
    exec(block("python"), {})
    assert capsys.readouterr().out == block("text")


def test_the_two_commands_are_there():
    assert "streamlit run app.py" in block("bash start")
    assert "pytest" in block("bash tests")
    assert block("bash start").count("\n") == block("bash tests").count("\n") == 1


def test_every_loss_stands_in_the_table():
    from svmcore import duals

    assert re.findall(r"^\| `(\w+)`", README, re.M)[1:] == list(duals.DUALS)


def test_every_picture_exists():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / path).stat().st_size > 10_000
