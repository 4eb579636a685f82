"""The place where one point changes the boundary most."""

import numpy as np

from pages.shared.lessons.quantities.registry import quantity
from pages.shared.studies import classification
from pages.shared.studies.formatting import percent
from svmcore import SVC
from svmcore.studies import influence, plane

CELLS = 16  # along each axis, where the most harmful place is sought
VIEW = 40  # grid points along each axis of the plane on which two boundaries are compared


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
