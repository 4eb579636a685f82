"""The table of peers: what it measures is true, and it says which software is absent."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest

from svmcore.solvers.box_dual import convex


def test_every_bench_answers_help_before_it_measures():
    for path in Path("tests/bench").glob("bench_*.py"):
        assert "ArgumentParser(description=__doc__" in path.read_text(encoding="utf-8"), path


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # which the script sets, too
    monkeypatch.syspath_prepend("tests/bench")
    import bench_peers

    return bench_peers


@pytest.mark.parametrize("kernel, loss", [("rbf", "hinge"), ("rbf", "least_absolute"), ("linear", "hinge")])
def test_an_answer_is_measured_from_scratch(bench, kernel, loss):
    case = bench.Case("toy 40", kernel, loss, 10.0)
    found = convex.solve(case.kernel, case.X, case.qp, tol=1e-4)
    off, violation = case.judged(found.beta)
    assert 0.0 <= off < 1e-4 and violation == pytest.approx(found.violation, abs=1e-6)
    worse, larger = case.judged(0.5 * found.beta)
    assert worse > 0.01 and larger > 0.1


def test_absent_software_is_named(bench, monkeypatch):
    def version(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    found, absent = bench.peers()
    assert list(found) == ["scikit-learn"]
    assert {"scikit-learn-intelex", "libsvm-official", "liblinear-official", "rehline", "qpsolvers"} == set(absent)


def test_a_row_for_each_program_that_takes_the_case(bench, monkeypatch):
    monkeypatch.setattr(bench, "TURNS", 1)
    candidates = {"zero": lambda case: (lambda: 0, lambda _: np.zeros(len(case.y))), "shy": lambda case: None}
    candidates["mute"] = lambda case: (lambda: None, None)
    rows = bench.compared(bench.Case("toy 40", "rbf", "hinge", 1.0), candidates)
    assert [name for name, *_ in rows] == ["svmcore", "zero", "mute"]
    (_, one, (off, violation)), (_, ratio, (far, much)), (*_, nothing) = rows
    assert one == 1.0 and off < 1e-3 and violation <= 1.1e-3
    assert 0.0 < ratio < 1.0 and far == pytest.approx(1.0) and much > 1.0 and nothing is None


def test_a_row_in_which_a_peer_wins_says_by_how_much(bench, monkeypatch):
    assert bench.told(2.0) == "2" and bench.told(0.25) == "**0.25**, 4 times faster"
    assert [bench.told(ratio) for ratio in (163.0, 0.999, 0.96)] == ["160", "1", "**0.96**"]
    monkeypatch.setattr(bench, "TURNS", 1)
    monkeypatch.setattr(bench, "CASES", [("toy 40", "rbf", "hinge", 1.0)])
    *_, alone = bench.lines({bench.ALONE: bench.solver_alone})
    assert bench.ALONE in alone and alone.count("|") == 9 and "e-" not in alone
