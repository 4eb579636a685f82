"""The snippets print the numbers of the page, from a problem that is drawn and from the downloaded files."""

import re
from itertools import cycle, product

import numpy as np
import pytest
from people import SCRIPT, people
from variants import ALL
from waiting import mostly_slow

from pages.shared.controls import download
from pages.shared.files.delimited import csv_text
from pages.shared.screen import edits
from pages.shared.screen.choices import MACHINES, OWN, Data, Machine, Setting
from pages.shared.screen.edits import MOVED
from pages.shared.studies import classification, regression, snippet
from svmcore import kernels
from svmcore.solvers import router
from svmcore.status import Status
from svmcore.warned import silently

DATA = [
    Data("moons", 1, (("n", 60), ("noise", 0.2))),
    Data("toy_outliers", 2, (("n", 40),), "flip_farthest", 2),
    Data("moons", 1, (("n", 60), ("noise", 0.2)), "flip_share", 0.1),
    Data("moons", 1, (("n", 60), ("noise", 0.2)), "leverage_cluster", 3, on=False),
    Data("label_flips", 1, (("n", 60), ("noise", 0.1)), on=False),
]
OFFERED = [name for name in kernels.KERNELS if name != "precomputed"]
PARTS = [(data, "hinge") for data in DATA] + [(DATA[1], loss) for loss in router.SOLVABLE if loss != "hinge"]
PRINTED = list(product(PARTS, OFFERED))
QUICK = list(zip(PARTS, cycle(OFFERED), strict=False))  # each loss, kernel and problem, not each with each
QUICK.append(((DATA[1], "squared_hinge"), "sigmoid"))  # its objective has no bound
# each loss with a kernel, and each kernel with a loss
SOME = MACHINES["regression"]
DIAGONAL = [(SOME[k % len(SOME)], OFFERED[k % len(OFFERED)]) for k in range(max(len(SOME), len(OFFERED)))]
CURVES = [(name, *pair) for name in ("sinc", "motorcycle") for pair in DIAGONAL]


def printed(source, capsys):
    """{name: number} of what the code prints."""
    with silently():  # the tanh kernel, where the matrix is not definite
        exec(source, {})
    found = re.findall(r"^([a-zA-Z ]+) (-?\d[\d.e+-]*)", capsys.readouterr().out, re.M)
    return {name: float(value) for name, value in found}


def those_of(numbers, measure):
    """What the code prints of a machine with these numbers; without test points nothing about them."""
    errors = {f"training {measure}": numbers.train_error, f"test {measure}": numbers.test_error}
    errors = {name: error for name, error in errors.items() if np.isfinite(error)}
    objective = numbers.primal if numbers.dual is None else numbers.dual
    return pytest.approx(errors | {"support vectors": numbers.n_support, "objective": objective})


@pytest.mark.parametrize(
    "case", mostly_slow(PRINTED, QUICK), ids=lambda case: f"{case[0][0].problem}-{case[0][1]}-{case[1]}"
)
def test_the_snippet_prints_the_numbers_of_the_page(case, capsys):
    (data, loss), kernel = case
    machine, setting = Machine(loss, tuple(ALL[loss].items())), Setting(0.5, kernel, 1.3, 2, 0.7)
    problem = classification.make_problem(data)
    axis = np.linspace(-3, 3, 5)
    numbers = classification.fit(problem, machine, setting, axis, axis).numbers
    told = printed(snippet.code(data, machine, setting), capsys)
    if numbers.status == Status.UNBOUNDED:  # no machine: the page shows no numbers of it, the code prints 1e60
        shown = (numbers.train_error, numbers.test_error, numbers.primal)
        assert np.isnan(shown).all() and numbers.dual is numbers.gap is None and abs(told["objective"]) > 1e20
        return
    assert told == those_of(numbers, "error")


@pytest.mark.parametrize("name, loss, kernel", CURVES)
def test_the_snippet_of_a_curve_prints_the_numbers_of_the_page(name, loss, kernel, capsys):
    machine, setting = Machine.from_loss(loss, {"epsilon": 0.05}), Setting(0.5, kernel, 11.0, 2, 0.7)
    data = Data(name, 2, (("n", 40),))
    problem = classification.make_problem(data)
    found = regression.fit(problem, machine, setting, np.linspace(0, 1, 5), (0.0, 1.0), problem.unit)
    assert printed(snippet.code(data, machine, setting, problem.unit), capsys) == those_of(found.numbers, "RMSE")


@pytest.mark.parametrize("loss", mostly_slow(MACHINES["classification"], ("hinge", "pinball", "ramp", "zero_one")))
@pytest.mark.parametrize("kind", ["own", "held out", "edited", "off"])
def test_the_snippet_reads_the_downloaded_files(kind, loss, tmp_path, monkeypatch, capsys):
    points = people()
    options = {"own": (("data", points.key),), "held out": (("data", points.key), ("hold_out", 0.3))}
    moons = Data("moons", 1, (("n", 60), ("noise", 0.2)), "flip_share", 0.1, on=kind != "off", edits=SCRIPT)
    data = Data(OWN, 2, options[kind], "flip_random", 2, edits=SCRIPT) if kind in options else moons
    machine, setting = Machine(loss), Setting(0.5, "rbf", 1.3, 2, 0.7)
    problem = classification.make_problem(data, points)
    axis = np.linspace(-3, 3, 5)
    found = classification.fit(problem, machine, setting, axis, axis)
    (tmp_path / "mine.csv").write_text(download.points_csv(found.points))
    (tmp_path / "mine-test.csv").write_text(csv_text(problem.X_test, problem.y_test))
    monkeypatch.chdir(tmp_path)
    assert printed(snippet.code(data, machine, setting, stem="mine"), capsys) == those_of(found.numbers, "error")
    assert np.isfinite(found.numbers.test_error) == (kind != "own")


@pytest.mark.parametrize("loss", ["least_squares", "epsilon_insensitive"])
def test_the_snippet_of_an_edited_curve(loss, tmp_path, monkeypatch, capsys):
    script = edits.script((-2, -1), [(2, MOVED, 1500, -250), (-1, 0, 700, 9)])
    data, setting = Data("motorcycle", 0, (), edits=script), Setting(10.0, "rbf", 8.0, 3, 1.0)
    problem, machine = classification.make_problem(data), Machine(loss)
    found = regression.fit(problem, machine, setting, np.linspace(0, 50, 9), (-100, 50), 10.0)
    (tmp_path / "points.csv").write_text(download.points_csv(found.points))
    monkeypatch.chdir(tmp_path)
    assert printed(snippet.code(data, machine, setting, 10.0), capsys) == those_of(found.numbers, "RMSE")
