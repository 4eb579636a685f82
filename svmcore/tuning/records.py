"""Results of tuning: one record per pair (C, sigma), and the best of them."""

from dataclasses import dataclass
from typing import NamedTuple

from sklearn.base import BaseEstimator

BETWEEN = " / "  # separates different notes of one evaluation


@dataclass(frozen=True)
class Evaluation:
    """The measurement at one C and sigma (None if the kernel has no gamma = 1 / sigma^2).

    value : to be minimised: the share of wrong labels (0 to 1) or the mean squared error (unit: y^2) on held-out
        points, the mean over the folds; for the VC bound r^2 |w|^2. Infinite if no machine could be fitted, or if the
        bound does not apply
    spread : standard error of `value`, from the standard deviation over the folds; 0 for the VC bound
    folds : the value of each fold; empty for the VC bound
    seconds : time taken
    note : "" if all fits ended as they should, else their different statuses, separated by `BETWEEN`
    """

    C: float
    sigma: float | None
    value: float
    spread: float = 0.0
    folds: tuple[float, ...] = ()
    seconds: float = 0.0
    note: str = ""

    @property
    def place(self) -> tuple[float, float | None]:
        """(C, sigma), which identifies the evaluation: no pair is evaluated twice."""
        return self.C, self.sigma

    @property
    def gamma(self) -> float | None:
        """1 / sigma^2, or None without sigma."""
        return None if self.sigma is None else 1.0 / self.sigma**2


@dataclass(frozen=True)
class Capacity(Evaluation):
    """An evaluation of the VC bound: `value` = squared_radius * squared_norm, with w in the canonical scaling, y f >= 1
    at all points; `bound` as `sphere.vc_bound`.
    """

    squared_radius: float = 0.0
    squared_norm: float = 0.0
    bound: int = 0


class Tuning(NamedTuple):
    """The result of `tune`: the best evaluation, all evaluations in order, and the estimator.

    `estimator` is an unfitted copy of the given one with the best C and gamma.
    """

    best: Evaluation
    evaluations: list[Evaluation]
    estimator: BaseEstimator


def best(evaluations) -> Evaluation:
    """The evaluation with the lowest value; among equals the smoothest machine: the smallest C, then the largest sigma.

    Raises ValueError if no evaluation is finite.
    """
    fitted = rank(evaluations)
    if not fitted:
        notes = "; ".join(sorted({evaluation.note for evaluation in evaluations})) or "none"
        raise ValueError(f"tuning found no C and sigma for which a machine could be fitted and measured: {notes}")
    return fitted[0]


def rank(evaluations) -> list[Evaluation]:
    """The evaluations in the order of `best`, best first, without those whose machine could not be fitted."""
    found = [evaluation for evaluation in evaluations if evaluation.value < float("inf")]
    return sorted(found, key=lambda e: (e.value, e.C, -(e.sigma or 0.0)))
