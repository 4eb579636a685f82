"""Position of the boundary, the points that it misclassifies, and how both change."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import (
    degrees,
    points_of_percent,
    quantity,
    unsigned_points_of_percent,
)
from pages.shared.studies import classification
from pages.shared.studies.formatting import percent
from svmcore.studies import robustness


@quantity("the angle by which the boundary turns", unit="°", written=degrees)
def angle(case, loss="") -> float:
    """Degrees between the normal vectors before and after the change (linear kernel)."""
    return robustness.angle(case.normal(BEFORE, loss), case.normal(AFTER, loss))


@quantity("the angle by which the outliers turn the boundary", unit="°", written=degrees)
def turned(case, loss="", of=AFTER) -> float:
    """Degrees between the normal vectors without and with the outliers; ValueError where there are none."""
    at, w = case.setup(of), case.normal(of, loss)
    clean = case.source.fit_before(at.data, at.machine(loss), at.setting)
    if clean is None:
        raise ValueError("there is no outlier")
    return robustness.angle(clean.w, w)


@quantity("the angle between two boundaries", unit="°", written=degrees)
def angle_between(case, loss="", other="", of=AFTER) -> float:
    """Degrees between the normal vectors of the machines `loss` and `other` on the same points."""
    return robustness.angle(case.normal(of, loss), case.normal(of, other))


@quantity("the share of the plane that changes class", written=percent)
def changed_share(case, loss="") -> float:
    """The share (0 to 1) of the plane (`svmcore.studies.plane`) whose class differs before and after the change."""
    return classification.changed_share(case.study(BEFORE, loss), case.study(AFTER, loss))


@quantity("the boundary", kind="line")
def boundary(case, loss="", of=AFTER) -> list[float]:
    """The ends of the line f = 0 within the picture (linear kernel); ValueError if it does not cross the picture."""
    study = case.study(of, loss)
    return ends_in_frame(case.normal(of, loss), study.intercept, study.field.xs, study.field.ys)


@quantity("the radius of the circle")
def circle_radius(case, loss="", of=AFTER) -> float:
    """The distance from 0 at which w·(x1², x2²) + b = 0 on the diagonal x1 = x2; ValueError without such a place."""
    w, intercept = case.normal(of, loss), case.study(of, loss).intercept
    square = -2.0 * intercept / w.sum()
    if not square > 0:
        raise ValueError("the line does not cross the diagonal")
    return float(np.sqrt(square))


def ends_in_frame(w, intercept, xs, ys) -> list[float]:
    """[x0, y0, x1, y1] of the line w·x + intercept = 0 within the rectangle of xs and ys, ascending."""
    low, high = np.array([xs[0], ys[0]], float), np.array([xs[-1], ys[-1]], float)
    found = []
    for axis in (0, 1):
        if w[1 - axis] != 0.0:
            for at in (low[axis], high[axis]):
                across = -(intercept + w[axis] * at) / w[1 - axis]
                if low[1 - axis] <= across <= high[1 - axis]:
                    found.append((at, across) if axis == 0 else (across, at))
    if not found:
        raise ValueError("the boundary lies outside the picture")
    first, last = min(found), max(found)
    return [float(value) for value in (*first, *last)]


# ------------------------------------------------------------------------------------------ errors


@quantity("the change of the test error", written=points_of_percent)
def test_error_change(case, loss="") -> float:
    """The test error after the change minus that before it (-1 to 1)."""
    return case.study(AFTER, loss).numbers.test_error - case.study(BEFORE, loss).numbers.test_error


@quantity("the change of the training error", written=points_of_percent)
def train_error_change(case, loss="") -> float:
    """The training error after the change minus that before it (-1 to 1)."""
    return case.study(AFTER, loss).numbers.train_error - case.study(BEFORE, loss).numbers.train_error


@quantity("the standard error of the test error", written=unsigned_points_of_percent)
def test_spread(case, loss="", of=AFTER) -> float:
    """The standard deviation of a share of test points, √(e (1 − e) / M), for the test error e of M points."""
    error = case.study(of, loss).numbers.test_error
    return float(np.sqrt(error * (1.0 - error) / len(case.problem(of).y_test)))
