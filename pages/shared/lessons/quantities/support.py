"""Support values, the points that have them, the margin, and the errors of one machine."""

from functools import partial

import numpy as np

from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import REGISTRY, points_of_percent, quantity, register
from pages.shared.studies.formatting import percent
from svmcore import duals
from svmcore.words import count


def _value(value, case, loss="", of=AFTER):
    return value(case.study(of, loss))


def _change(value, case, loss=""):
    return value(case.study(AFTER, loss)) - value(case.study(BEFORE, loss))


def _points(marked, case, loss="", of=AFTER):
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(marked(points))).tolist())


# of a fitted machine m: name, words, the number, its unit, how it is written
for key, words, value, *shown in (
    ("n_support", "the number of support vectors", lambda m: m.numbers.n_support, "points", count),
    ("n_at_bound", "the number of support values at a bound", lambda m: m.numbers.n_at_bound, "points", count),
    ("n_disagreed", "the number of starts that ended at another minimum",
     lambda m: m.numbers.n_starts - m.numbers.n_agreed, "starts", count),
    ("n_starts", "the number of starts", lambda m: m.numbers.n_starts, "starts", count),
    ("support_share", "the share of the points that are support vectors",
     lambda m: m.numbers.n_support / len(m.points.y), "", percent),
    ("inside_margin", "the share of the support vectors inside the margin",  # a thousandth more for those on its edge
     lambda m: np.mean(np.abs(m.points.margin[m.points.alpha != 0.0]) < 1.0 + 1e-3), "", percent),
    ("train_error", "the training error", lambda m: m.numbers.train_error, "", percent),
    ("test_error", "the test error", lambda m: m.numbers.test_error, "", percent),
    ("largest_alpha", "the largest support value", lambda m: np.abs(m.points.alpha).max()),
    ("slack_sum", "the sum of the slacks", lambda m: np.maximum(0.0, 1.0 - m.points.margin).sum()),
    ("margin_width", "the width of the margin", lambda m: 2.0 / m.numbers.norm),  # between the lines f = -1 and f = 1
    ("objective", "the objective", lambda m: m.numbers.primal),  # that the machine minimises
):  # fmt: skip
    register(key, words, partial(_value, value), *shown)

# of such a number, the one after the change minus the one before it
for key, words, value, *shown in (
    ("n_support_change", "the change of the number of support vectors", lambda m: m.numbers.n_support,
     "points", "{:+,.0f}".format),
    ("test_error_change", "the change of the test error", lambda m: m.numbers.test_error, "", points_of_percent),
    ("train_error_change", "the change of the training error", lambda m: m.numbers.train_error, "", points_of_percent),
):  # fmt: skip
    register(key, words, partial(_change, value), *shown)

# of its training points p: name, words, which points
for key, words, marked in (
    ("with_slack", "the points with slack", lambda p: p.margin < 1.0 - 1e-2),  # by more than a hundredth
    ("support_vectors", "the support vectors", lambda p: p.alpha != 0.0),
    ("between_bounds", "the points with a support value between 0 and C", lambda p: p.state == duals.FREE),
    ("not_support", "the points that are not support vectors", lambda p: p.alpha == 0.0),
    ("misclassified", "the misclassified training points", lambda p: p.margin < 0.0),
):
    register(key, words, partial(_points, marked), kind="points")


@quantity("the support value of the point")
def alpha(case, point="farthest", loss="", of=AFTER) -> float:
    """The support value of a named point, 0 if it was deleted."""
    row = case.row(point, of)
    return 0.0 if row is None else float(case.study(of, loss).points.alpha[row])


@quantity("the support value of the outlier")
def outlier_alpha(case, loss="", of=AFTER) -> float:
    """The support value of the first outlier; ValueError without outliers."""
    study = case.study(of, loss)
    if not study.points.outlier.any():
        raise ValueError("there is no outlier")
    return float(study.points.alpha[study.points.outlier.argmax()])


@quantity("y f of the point")
def margin_of(case, point="farthest", loss="", of=AFTER) -> float:
    """y f(x) of a named point; ValueError if it was deleted."""
    row = case.row(point, of)
    if row is None:
        raise ValueError(f"the point {point} was deleted")
    return float(case.study(of, loss).points.margin[row])


@quantity("the points with the largest support values", kind="points")
def largest(case, k=3, loss="", of=AFTER) -> list[int]:
    """The ids of the k points with the largest sizes of support values."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.argsort(-np.abs(points.alpha), kind="stable")[:k]).tolist())


@quantity("the support vectors among the largest support values of another machine", unit="points", written=count)
def kept_of_largest(case, loss="", other="least_squares", of=AFTER) -> int:
    """Number of the k support vectors that are among the k largest support values of the machine `other`."""
    kept = REGISTRY["support_vectors"].compute(case, loss, of)
    return len(set(kept) & set(largest(case, len(kept), other, of)))


@quantity("the number of outliers among the largest support values", unit="points", written=count)
def outliers_among_largest(case, k=2, loss="", of=AFTER) -> int:
    """Number of outliers among the k points with the largest sizes of support values."""
    points = case.study(of, loss).points
    return int(points.outlier[np.argsort(-np.abs(points.alpha), kind="stable")[:k]].sum())
