"""Two machines on the same test points, or on the same draws: the mean paired difference and its standard error.

The standard error of one error, sqrt(e (1 - e) / M), says how far that error may be from the truth. It is no measure
for a difference: two machines that are wrong at the same points differ by nothing, however uncertain each error is.
Only points at which exactly one of them is wrong count, as in McNemar's test (McNemar 1947, Psychometrika 12, 153-157).
"""

from typing import NamedTuple

import numpy as np

CLEAR = 2.0  # standard errors from which a difference counts


class Difference(NamedTuple):
    """The mean of paired differences and its `error`, the standard error of that mean, in the same unit."""

    mean: float
    error: float

    @property
    def clear(self) -> bool:
        """True if the mean is at least two standard errors from zero, and not zero itself."""
        return self.mean != 0.0 and abs(self.mean) >= CLEAR * self.error


def difference(first, second=0.0, shared=0.0) -> Difference:
    """The mean of first - second, (n,) each, in pairs: the losses of two machines at n test points (0 and 1 for right
    and wrong), or their errors on n draws. Without `second`, `first` are the differences.

    shared: for errors on random splits of the same points, the number of test points divided by that of training
    points; 0 for test points and for draws of their own. The variance of the mean over J splits is (1 / J + shared)
    times that of one (Nadeau and Bengio 2003, Inference for the generalization error, Machine Learning 52, 239-281).
    The error is nan for a single pair. Raises ValueError for arrays of other shapes, and without a pair.
    """
    first = np.asarray(first, dtype=np.float64)
    other = np.asarray(second, dtype=np.float64)
    if first.ndim != 1 or not len(first) or other.shape not in ((), first.shape):
        raise ValueError(
            f"paired differences need two arrays of one shape (n,), got {first.shape} and {other.shape}; "
            "measure both machines on the same test points or draws"
        )
    gaps = first - other
    error = gaps.std(ddof=1) * np.sqrt(1.0 / len(gaps) + shared) if len(gaps) > 1 else np.nan
    return Difference(float(gaps.mean()), float(error))
