"""The feature walk: the errors and the features of its rounds."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER
from pages.shared.lessons.quantities.registry import count, points_of_percent, quantity
from pages.shared.studies import feature_walk
from pages.shared.studies.formatting import percent


@quantity("the error on new points", written=percent)
def walk_error(case, round=1, of=AFTER) -> float:
    """The exact error (0 to 1) of a round of the feature walk; of the 1-norm SVM for round 0."""
    steps = case.steps(of)
    return float(1.0 - (steps.accuracy[round - 1] if round else steps.exact_accuracy))


@quantity("the error of the 1-norm SVM minus that of the 2-norm SVM", written=points_of_percent)
def walk_gain(case, of=AFTER) -> float:
    """The difference of the exact errors (-1 to 1) at the two ends of the feature walk."""
    return walk_error(case, 0, of) - walk_error(case, 1, of)


@quantity("the smallest error of the walk", written=percent)
def best_walk_error(case, of=AFTER) -> float:
    """The smallest exact error (0 to 1) of all rounds."""
    return float(1.0 - case.steps(of).accuracy.max())


@quantity("the number of features that are used", unit="features", written=count)
def walk_features(case, round=1, of=AFTER) -> int:
    """The features whose weight is not negligible; of the 1-norm SVM for round 0."""
    steps = case.steps(of)
    return int(steps.n_features[round - 1]) if round else int(np.sum(np.abs(steps.exact.details.w) > 1e-9))


@quantity("the round with the smallest error", unit="rounds", written=count)
def best_round(case, of=AFTER) -> int:
    """The round of the feature walk with the smallest error on new points."""
    return int(case.steps(of).accuracy.argmax()) + 1


@quantity("the ratio of the two weights")
def plane_ratio(case, round=1, of=AFTER) -> float:
    """In the walk in two features: |weight| of the irrelevant one divided by that of the relevant one."""
    flat = feature_walk.in_the_plane(case.steps(of), case.setup(of).walk)
    relevant, irrelevant = np.abs(flat.w[round - 1] if round else flat.exact.details.w)
    return float(irrelevant / relevant) if relevant else float("inf")


@quantity("the relevant features among the largest weights", unit="features", written=count)
def relevant_found(case, round=1, of=AFTER) -> int:
    """Number of the d largest weights that belong to the d relevant features."""
    steps, d = case.steps(of), case.setup(of).walk.d_rel
    size = np.abs(steps.w[round - 1] if round else steps.exact.details.w)
    return int(np.sum(np.argsort(-size, kind="stable")[:d] < d))
