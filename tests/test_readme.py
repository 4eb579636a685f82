"""What the README says: its example prints its numbers, its recipes work, its lists are complete."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from docs import picture
from pages.shared import frame
from pages.shared.controls import kinds, points
from svmcore import kernels, losses, problems
from svmcore.losses import smooth
from svmcore.problems import planar
from svmcore.solvers import router
from svmcore.status import succeeded

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(kind):
    return re.search(rf"^```{kind}\n(.*?)^```", README, re.M | re.S)[1]


def recipe(kind, module):
    """The names of a module after the code of a recipe was added to it."""
    names = dict(vars(module))
    exec(block(f"python {kind}"), names)
    return names


def test_the_example_prints_its_numbers(capsys):
    assert block("python").count("\n") <= 11
    exec(block("python"), {})
    assert capsys.readouterr().out == block("text")


def test_the_words_below_the_picture_are_its_numbers():
    alt, path = re.search(r"!\[([^]]*)\]\(([^)]+)\)", README).groups()
    shown = re.findall(r">turned by ([\d.]+)°<", (ROOT / path).read_text(encoding="utf-8"))
    assert re.findall(r"by ([\d.]+?)(?: degrees)?(?:,|$)", alt) == shown
    assert re.findall(r"by ([\d.]+) degrees", block("text")) == shown
    assert [alt.index(losses.get(key).machine) for key in picture.LOSSES] == sorted(
        alt.index(losses.get(key).machine) for key in picture.LOSSES
    )


def test_the_two_commands_are_there():
    assert "streamlit run app.py" in block("bash start")
    assert "pytest" in block("bash tests")
    assert block("bash start").count("\n") == block("bash tests").count("\n") == 1


def test_every_page_has_a_line():
    pages = re.search(r"^## Pages\n(.*?)^## ", README, re.M | re.S)[1]
    assert re.findall(r"^- \*\*(.+?)\*\*: .+\.$", pages, re.M) == [label for label, _ in frame.MENU.values()]


def test_what_contributing_names_is_there():
    section = README[README.index("## Contributing") :]
    paths = re.findall(r"`([\w/]+/[\w/]*(?:\.\w+)?)`", section)
    assert len(paths) > 8 and [path for path in paths if not (ROOT / path).exists()] == []


def test_the_recipe_of_a_loss_makes_a_machine():
    loss = recipe("loss", smooth)["log_cosh"]
    assert loss.key not in losses.LOSSES
    free = min(set(range(1 + len(losses.LOSSES))) - {one.colour for one in losses.LOSSES.values()})
    assert loss.colour == free, f"the recipe of a loss in README.md takes the first free colour, {free}"
    t = np.linspace(-3.0, 3.0, 13)
    for at in t:
        assert loss.slope(at) == pytest.approx(approx_fprime([at], lambda x: float(loss(x[0])))[0], abs=1e-6)
        assert loss.curvature_of(at) == pytest.approx(
            approx_fprime([at], lambda x: float(loss.slope(x[0])))[0], abs=1e-6
        )
    v = loss.prox(t, 2.0)
    assert v + 2.0 * loss.slope(v) == pytest.approx(t)
    problem = problems.load("moons")
    found = router.solve(loss, {}, kernels.Kernel(), problem.X, problem.y, 1.0)
    assert succeeded(found.status)


def test_the_recipe_of_a_control_declares_it(monkeypatch):
    monkeypatch.setattr(kinds, "REGISTRY", dict(kinds.REGISTRY))
    control = recipe("control", points)["TEMPERATURE"]
    assert kinds.REGISTRY["temperature"] is control and control.value == control.default
    assert control.at(high=3.0).high == 3.0 and control.hideable and control.fits("2.5") and not control.fits("6")


def test_the_recipe_of_a_problem_makes_it(monkeypatch):
    monkeypatch.setattr(problems.registry, "REGISTRY", dict(problems.REGISTRY))
    recipe("problem", planar)
    first, again, larger = (problems.load("stripes", 3, n=n) for n in (50, 50, 60))
    assert np.array_equal(first.X, again.X) and np.array_equal(larger.X[:50], first.X)
    assert first.X.shape == (50, 2) and set(first.y) == {-1.0, 1.0} and not np.array_equal(first.X, first.X_test[:50])
