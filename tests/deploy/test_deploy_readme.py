"""The figures of deploy/README.md are those that its bench prints."""

import re
import sys
from importlib import util

import pytest
from serving import ROOT


@pytest.fixture(scope="module")
def bench():
    spec = util.spec_from_file_location("bench_class", ROOT / "tests/bench/bench_class.py")
    found, path = util.module_from_spec(spec), sys.path[:]
    spec.loader.exec_module(found)
    sys.path[:] = path
    return found


def test_the_table_has_the_rows_of_the_bench_and_figures(bench):
    text = (ROOT / "deploy/README.md").read_text(encoding="utf-8")
    _, _, rest = text.partition(bench.HEAD)
    rows = [line.strip("| ").split(" | ") for line in rest.partition("\n\n")[0].splitlines()]
    assert [(what, wanted) for what, _, wanted in rows] == [row[:2] for row in bench.ROWS.values()]
    assert all(re.search(r"\d", figure) for _, figure, _ in rows)


def test_the_bench_writes_its_table_and_nothing_else(bench, monkeypatch, tmp_path):
    place = tmp_path / "README.md"
    place.write_text(f"before\n\n{bench.HEAD}| a | b | c |\n\n| after | |\n", encoding="utf-8")
    monkeypatch.setattr(bench, "README", place)
    figures = {name: bench.Figure(f"{k} \\1", True) for k, name in enumerate(bench.ROWS)}
    bench.write(figures)
    assert place.read_text(encoding="utf-8") == f"before\n\n{bench.table(figures)}\n| after | |\n"
    assert bench.table(figures).count("\n") == 2 + len(bench.ROWS)
