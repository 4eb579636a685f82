"""The feature walk: the errors and the features of its rounds; round 0 is the 1-norm SVM."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER
from pages.shared.lessons.quantities.registry import points_of_percent, quantity, register
from pages.shared.studies import feature_walk
from pages.shared.studies.formatting import percent
from svmcore.words import count


@quantity("the error on new points", written=percent)
def walk_error(case, round=1, of=AFTER) -> float:
    """The exact error (0 to 1) of a round of the feature walk."""
    steps = case.steps(of)
    return float(1.0 - (steps.accuracy[round - 1] if round else steps.exact_accuracy))


@quantity("the number of features that are used", unit="features", written=count)
def walk_features(case, round=1, of=AFTER) -> int:
    """The features whose weight is not negligible."""
    steps = case.steps(of)
    return int(steps.n_features[round - 1]) if round else int(np.sum(np.abs(steps.exact.details.w) > 1e-9))


@quantity("the ratio of the two weights")
def plane_ratio(case, round=1, of=AFTER) -> float:
    """In the walk in two features: |weight| of the irrelevant one divided by that of the relevant one."""
    relevant, irrelevant = _sizes(feature_walk.in_the_plane(case.steps(of), case.setup(of).walk), round)
    return float(irrelevant / relevant) if relevant else float("inf")


@quantity("the relevant features among the largest weights", unit="features", written=count)
def relevant_found(case, round=1, of=AFTER) -> int:
    """Number of the d largest weights that belong to the d relevant features."""
    d = case.setup(of).walk.d_rel
    return int(np.sum(np.argsort(-_sizes(case.steps(of), round), kind="stable")[:d] < d))


def _sizes(steps, round):
    return np.abs(steps.w[round - 1] if round else steps.exact.details.w)


for row in (
    ("walk_gain", "the error of the 1-norm SVM minus that of the 2-norm SVM",
     lambda case, of=AFTER: walk_error(case, 0, of) - walk_error(case, 1, of), "", points_of_percent),
    ("best_walk_error", "the smallest error of the walk",
     lambda case, of=AFTER: 1.0 - case.steps(of).accuracy.max(), "", percent),
    ("best_round", "the round with the smallest error",
     lambda case, of=AFTER: case.steps(of).accuracy.argmax() + 1, "rounds", count),
):  # fmt: skip
    register(*row)
