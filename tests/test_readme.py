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
    from svmcore import duals, losses

    named = re.findall(r"^\| `(\w+)`(?: \(([^)]*)\))? \| ([^|]*) \|", README, re.M)[1:]
    assert [key for key, *_ in named] == [*duals.DUALS, *(key for key in losses.LOSSES if key not in duals.DUALS)]
    for key, parameters, machine in named:
        loss = losses.get(key)
        assert machine == loss.machine and parameters == ", ".join(p.name for p in loss.parameters)


def test_every_picture_exists():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / path).stat().st_size > 10_000
