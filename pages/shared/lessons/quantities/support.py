"""Support values, the points that have them, and the margin."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import count, quantity
from pages.shared.studies.formatting import percent
from svmcore import duals


@quantity("the number of support vectors", unit="points", written=count)
def n_support(case, loss="", of=AFTER) -> int:
    """Number of points with a support value that is not zero."""
    return case.study(of, loss).numbers.n_support


@quantity("the change of the number of support vectors", unit="points", written="{:+,.0f}".format)
def n_support_change(case, loss="") -> int:
    """The number of support vectors after the change minus that before it."""
    return n_support(case, loss) - n_support(case, loss, BEFORE)


@quantity("the share of the points that are support vectors", written=percent)
def support_share(case, loss="", of=AFTER) -> float:
    """Support vectors as a share (0 to 1) of the training points."""
    study = case.study(of, loss)
    return study.numbers.n_support / len(study.points.y)


@quantity("the number of support values at a bound", unit="points", written=count)
def n_at_bound(case, loss="", of=AFTER) -> int:
    """Number of support values at an end of their box."""
    return case.study(of, loss).numbers.n_at_bound


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


@quantity("the number of starts that ended at another minimum", unit="starts", written=count)
def n_disagreed(case, loss="", of=AFTER) -> int:
    """Number of starts, of a solver with several starts, that did not reach the lowest minimum."""
    numbers = case.study(of, loss).numbers
    return numbers.n_starts - numbers.n_agreed


@quantity("the number of starts", unit="starts", written=count)
def n_starts(case, loss="", of=AFTER) -> int:
    """From how many starts the solver ran."""
    return case.study(of, loss).numbers.n_starts


@quantity("the largest support value")
def largest_alpha(case, loss="", of=AFTER) -> float:
    """The largest size of a support value."""
    return float(np.abs(case.study(of, loss).points.alpha).max())


@quantity("y f of the point")
def margin_of(case, point="farthest", loss="", of=AFTER) -> float:
    """y f(x) of a named point; ValueError if it was deleted."""
    row = case.row(point, of)
    if row is None:
        raise ValueError(f"the point {point} was deleted")
    return float(case.study(of, loss).points.margin[row])


@quantity("the points with slack", kind="points")
def with_slack(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points that do not reach their edge of the margin, by more than a hundredth."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(points.margin < 1.0 - 1e-2)).tolist())


@quantity("the sum of the slacks")
def slack_sum(case, loss="", of=AFTER) -> float:
    """The sum of max(0, 1 - y f) over the training points."""
    return float(np.maximum(0.0, 1.0 - case.study(of, loss).points.margin).sum())


@quantity("the support vectors", kind="points")
def support_vectors(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points whose support value is not zero."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(points.alpha)).tolist())


@quantity("the points with a support value between 0 and C", kind="points")
def between_bounds(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points whose support value lies within its box, at neither end."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(points.state == duals.FREE)).tolist())


@quantity("the points that are not support vectors", kind="points")
def not_support(case, loss="", of=AFTER) -> list[int]:
    """The ids of the points whose support value is zero."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(points.alpha == 0.0)).tolist())


@quantity("the points with the largest support values", kind="points")
def largest(case, k=3, loss="", of=AFTER) -> list[int]:
    """The ids of the k points with the largest sizes of support values."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.argsort(-np.abs(points.alpha), kind="stable")[:k]).tolist())


@quantity("the share of the support vectors inside the margin", written=percent)
def inside_margin(case, loss="", of=AFTER) -> float:
    """Share (0 to 1) of the support vectors with |f| < 1, a thousandth more for those on its edge."""
    points = case.study(of, loss).points
    return float(np.mean(np.abs(points.margin[points.alpha != 0.0]) < 1.0 + 1e-3))


@quantity("the support vectors among the largest support values of another machine", unit="points", written=count)
def kept_of_largest(case, loss="", other="least_squares", of=AFTER) -> int:
    """Number of the k support vectors that are among the k largest support values of the machine `other`."""
    kept, points = support_vectors(case, loss, of), case.study(of, other).points
    return len(set(kept) & set(points.ids_of(np.argsort(-np.abs(points.alpha), kind="stable")[: len(kept)]).tolist()))


@quantity("the number of outliers among the largest support values", unit="points", written=count)
def outliers_among_largest(case, k=2, loss="", of=AFTER) -> int:
    """Number of outliers among the k points with the largest sizes of support values."""
    points = case.study(of, loss).points
    return int(points.outlier[np.argsort(-np.abs(points.alpha), kind="stable")[:k]].sum())


@quantity("the misclassified training points", kind="points")
def misclassified(case, loss="", of=AFTER) -> list[int]:
    """The ids of the training points on the wrong side of the boundary."""
    points = case.study(of, loss).points
    return sorted(points.ids_of(np.flatnonzero(points.margin < 0.0)).tolist())


@quantity("the width of the margin")
def margin_width(case, loss="", of=AFTER) -> float:
    """2 / |w|, the distance between the lines f = -1 and f = 1."""
    return 2.0 / case.study(of, loss).numbers.norm


@quantity("the objective")
def objective(case, loss="", of=AFTER) -> float:
    """The quantity that the machine minimises."""
    return case.study(of, loss).numbers.primal
