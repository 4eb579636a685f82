"""What tuning finds: one record a place of the (C, sigma) plane, and the best of them."""

from dataclasses import dataclass
from typing import NamedTuple

from sklearn.base import BaseEstimator

BETWEEN = " / "  # different notes on one place


@dataclass(frozen=True)
class Evaluation:
    """What was measured for one C and sigma (None where the kernel has no gamma = 1 / sigma^2).

    value : what is made small: the share of wrong labels (0 to 1) or the mean squared error (unit: y^2) on points that
        were held out, the mean over the folds; for the VC bound r^2 |w|^2. Infinite where no machine could be fitted
    spread : standard error of `value`, from the standard deviation over the folds; 0 for the VC bound
    folds : the value of each fold; empty for the VC bound
    seconds : time taken
    note : "" if all fits ended as they should, else what happened, in words, `BETWEEN` different words of its fits
    """

    C: float
    sigma: float | None
    value: float
    spread: float = 0.0
    folds: tuple[float, ...] = ()
    seconds: float = 0.0
    note: str = ""

    @property
    def place(self):
        """(C, sigma): the same place is never evaluated twice."""
        return self.C, self.sigma

    @property
    def gamma(self):
        """1 / sigma^2, or None."""
        return None if self.sigma is None else 1.0 / self.sigma**2


@dataclass(frozen=True)
class Capacity(Evaluation):
    """An evaluation of the VC bound: `value` = squared_radius * squared_norm, `bound` as `sphere.vc_bound`."""

    squared_radius: float = 0.0
    squared_norm: float = 0.0
    bound: int = 0


class Tuning(NamedTuple):
    """What `tune` found: the best place, all that were looked at in their order, and the machine with its parameters.

    `estimator` is a copy of the one that was given, with the best C and gamma, and not fitted.
    """

    best: Evaluation
    evaluations: list[Evaluation]
    estimator: BaseEstimator


def best(evaluations) -> Evaluation:
    """The lowest value; among equals the smoothest machine, with the smallest C and then the largest sigma.

    Raises ValueError where no machine could be fitted anywhere.
    """
    fitted = ranked(evaluations)
    if not fitted:
        notes = {evaluation.note for evaluation in evaluations}
        raise ValueError(f"tuning found no place where a machine could be fitted: {'; '.join(sorted(notes)) or 'none'}")
    return fitted[0]


def ranked(evaluations) -> list[Evaluation]:
    """The evaluations from the best on, as `best` orders them, without those where no machine could be fitted."""
    found = [evaluation for evaluation in evaluations if evaluation.value < float("inf")]
    return sorted(found, key=lambda e: (e.value, e.C, -(e.sigma or 0.0)))
