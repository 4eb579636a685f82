"""Ranges of numbers: NaN lies in none, the ends lie outside, and it does not matter how the array lies in memory."""

import numpy as np
import pytest

from svmcore.finite import _all_between, all_between, is_finite

SHAPES = {
    "vector": lambda v: v,
    "table": lambda v: v.reshape(4, 3),
    "columns": lambda v: np.asfortranarray(v.reshape(4, 3)),
    "every other": lambda v: np.repeat(v, 2)[::2],
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("writeable", [True, False])
def test_every_number_counts_and_the_ends_lie_outside(shape, writeable):
    for place in range(12):
        for number, inside in ((-0.999, True), (0.999, True), (-1.0, False), (1.0, False), (np.nan, False)):
            values = np.zeros(12)
            values[place] = number
            values = SHAPES[shape](values)
            values.flags.writeable = writeable
            assert all_between(values, -1.0, 1.0) is inside


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_and_a_read_only_array_compiles_no_second_version(number):
    assert is_finite(np.array([1e308, -1e308])) and is_finite(np.empty((0, 2))) and is_finite(np.array(1.0))
    assert not is_finite(np.array([0.0, number])) and not is_finite(np.array(number))
    values, before = np.zeros(3), len(_all_between.signatures)
    values.flags.writeable = False
    assert is_finite(values) and len(_all_between.signatures) == before == 1
