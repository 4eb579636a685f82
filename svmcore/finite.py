"""Tests whether all numbers of an array are finite, or in a range; inputs pass them more than once on their way.

For forty points NumPy takes as long for it as a solver for twenty pair updates.
"""

import numpy as np
from numba import njit


def all_between(values, low, high) -> bool:
    """True if low < v < high for every number of a float64 array of any shape; False if one is NaN."""
    flat = values.ravel()
    if not flat.flags.writeable:  # a second version would have to be compiled
        return bool(((low < flat) & (flat < high)).all())
    return _all_between(flat, low, high)


def is_finite(values) -> bool:
    """True if no number of a float64 array of any shape is NaN or infinite."""
    return all_between(values, -np.inf, np.inf)


@njit(cache=True, nogil=True)
def _all_between(values, low, high):
    inside = True
    for k in range(values.size):
        inside &= low < values[k] < high
    return inside
