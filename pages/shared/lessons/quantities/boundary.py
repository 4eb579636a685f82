"""Position of the boundary, how it changes, and the place where one point changes it most."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import degrees, quantity, register, unsigned_points_of_percent
from pages.shared.studies import classification
from pages.shared.studies.formatting import percent
from svmcore import SVC
from svmcore.studies import influence, plane, robustness

CELLS = 16  # along each axis, where the most harmful place is sought
VIEW = 40  # grid points along each axis of the plane on which two boundaries are compared

for row in (
    # of the normal vectors, with the linear kernel
    ("angle", "the angle by which the boundary turns",
     lambda case, loss="": robustness.angle(case.normal(BEFORE, loss), case.normal(AFTER, loss)), "°", degrees),
    ("angle_between", "the angle between two boundaries",
     lambda case, loss="", other="", of=AFTER: robustness.angle(case.normal(of, loss), case.normal(of, other)),
     "°", degrees),
    ("changed_share", "the share of the plane that changes class",  # of that of `svmcore.studies.plane`
     lambda case, loss="": classification.changed_share(case.study(BEFORE, loss), case.study(AFTER, loss)),
     "", percent),
):  # fmt: skip
    register(*row)


@quantity("the angle by which the outliers turn the boundary", unit="°", written=degrees)
def turned(case, loss="", of=AFTER) -> float:
    """Degrees between the normal vectors without and with the outliers; ValueError where there are none."""
    at, w = case.setup(of), case.normal(of, loss)
    clean = case.source.fit_before(at.data, at.machine(loss), at.setting)
    if clean is None:
        raise ValueError("there is no outlier")
    return robustness.angle(clean.w, w)


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


@quantity("the standard error of the test error", written=unsigned_points_of_percent)
def test_spread(case, loss="", of=AFTER) -> float:
    """The standard deviation of a share of test points, √(e (1 − e) / M), for the test error e of M points."""
    error = case.study(of, loss).numbers.test_error
    return float(np.sqrt(error * (1.0 - error) / len(case.problem(of).y_test)))


# ------------------------------------------------------------------------------------------ the most harmful place


@quantity("the place where the point does the most harm", kind="place")
def worst_place(case, point="farthest", loss="") -> list[float]:
    """[x, y, share]: the middle of the cell to move the point to, and the share (0 to 1) of the plane that changes."""
    problem, at, row = case.problem(), case.after, case.row(point)
    xs, ys = case.source.view(at.data)
    found = influence.influence_map(
        {"machine": _model(at, loss)}, problem.X, problem.y, row, xs, ys, view=plane.view(problem.X, VIEW), cells=CELLS
    )
    best = max(found, key=lambda cell: (np.nan_to_num(cell.changed), -cell.row, -cell.column))
    across, up = influence.centres(xs, CELLS), influence.centres(ys, CELLS)
    return [float(across[best.column]), float(up[best.row]), float(best.changed)]


@quantity("the largest share of the plane that moving the point changes", written=percent)
def worst_share(case, point="farthest", loss="") -> float:
    """The share (0 to 1) of `worst_place`."""
    return worst_place(case, point, loss)[2]


def harm(case, place, point="farthest", loss="") -> float:
    """The share (0 to 1) of the plane that changes class if the point is moved to `place` (x, y)."""
    problem, at, row = case.problem(), case.after, case.row(point)
    places = np.stack(np.meshgrid(*plane.view(problem.X, VIEW)), axis=-1).reshape(-1, 2)
    moved = problem.X.copy()
    moved[row] = place[:2]
    before, now = (_model(at, loss).fit(X, problem.y).decision_function(places) for X in (problem.X, moved))
    return plane.changed_share(before, now)


def _model(at, loss) -> SVC:
    return classification.estimator(at.machine(loss), at.setting)
