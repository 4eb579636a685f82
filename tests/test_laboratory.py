"""The bands of a sweep against numpy on the rows, and what a stopped sweep may show."""

import numpy as np
import pytest

from pages.shared import laboratory
from svmcore.robustness import Row


def rows(stop=None):
    rng = np.random.default_rng(0)
    found = [
        Row(machine, share, seed, float(rng.random()), 3, "converged")
        for seed in range(5)
        for share in (0.0, 0.1, 0.2)
        for machine in ("a", "b")
    ]
    return found[:stop]


def test_bands_are_mean_and_percentiles():
    shares, (a, b) = laboratory.bands(rows(), {"a": 4, "b": 1})
    assert shares.tolist() == [0.0, 0.1, 0.2]
    assert (a.name, a.index, b.index) == ("a", 4, 1)
    at = [row.test_error for row in rows() if row.machine == "b" and row.share == 0.1]
    assert b.mean[1] == pytest.approx(np.mean(at))
    assert (b.low[1], b.high[1]) == pytest.approx(np.percentile(at, [10, 90]))


@pytest.mark.parametrize("stop, shares", [(1, [0.0]), (2, [0.0]), (3, [0.0]), (4, [0.0, 0.1]), (6, [0.0, 0.1, 0.2])])
def test_a_stopped_sweep_shows_what_every_machine_has_reached(stop, shares):
    found, lines = laboratory.bands(rows(stop), {"a": 0, "b": 1})
    if stop == 1:
        assert [line.name for line in lines] == ["a"]
    assert found.tolist() == shares and all(len(line.mean) == len(shares) for line in lines)


def test_the_table_of_rows_is_csv():
    lines = laboratory.sweep_csv(rows()).splitlines()
    assert lines[0] == "machine,share,seed,test_error,n_support,status" and len(lines) == 31
    assert lines[1].startswith("a,0.0,0,0.6369")
