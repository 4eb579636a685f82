"""One outlier at increasing distances, and its effect on a machine. No Streamlit here, no figures drawn.

The points are those of `toy_outliers`, with the C of that problem; the outlier has the label -1. At distance 0 it lies
at the centre of class +1. From there it moves outwards, off the line through the centres of the classes, so that a
boundary rotates as well as shifts. The unit is the distance between the centres.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pages.shared.screen import schema
from pages.shared.screen.choices import Data, Machine, Setting
from pages.shared.studies.classification import make_problem
from svmcore import grid
from svmcore.problems import REGISTRY
from svmcore.solvers import router
from svmcore.solvers.solution import Solution, Task
from svmcore.studies import plane, robustness

DATA = Data("toy_outliers", 0, ())
DISTANCES = tuple(
    np.arange(schema.DISTANCE.low, schema.DISTANCE.high + schema.DISTANCE.step, schema.DISTANCE.step).tolist()
)
KERNELS = ("linear", "rbf")
IN_SIGHT = 3.0  # a distance up to which the outlier lies inside the picture
OFF_THE_LINE = np.radians(60.0)
RESOLUTION = 100
SMALL = 0.1  # of C: a support value below it
UNMOVED = 0.005  # of the plane
TOLERANCE = 1e-4


class Step(NamedTuple):
    """The machine with the outlier at one distance: alpha of the outlier and its t = 1 - y f; the angle in degrees
    between w with and without it (nan except for the linear kernel); the share of the plane (0 to 1) that differs; and
    the `fit` to the `contaminated_points`.
    """

    distance: float
    alpha: float
    t: float
    turned: float
    share: float
    fit: Solution


def setting(kernel) -> Setting:
    """The C and sigma suggested by the problem, with this kernel."""
    return Setting.from_problem(REGISTRY[DATA.problem], kernel)


def points() -> tuple[np.ndarray, np.ndarray]:
    """The clean points X (N, 2) and labels y (N,)."""
    problem = make_problem(DATA)
    return problem.X, problem.y


def place(distance, X, y) -> np.ndarray:
    """The position (2,) of the outlier at this distance from the centre of class +1; points X (N, 2), labels y (N,)."""
    towards = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    cos, sin = np.cos(OFF_THE_LINE), np.sin(OFF_THE_LINE)
    return X[y > 0].mean(axis=0) + distance * np.array([[cos, -sin], [sin, cos]]) @ towards


def contaminated_points(distance) -> tuple[np.ndarray, np.ndarray]:
    """The points X (N + 1, 2) and labels y (N + 1,) with the outlier, the last one, at this distance."""
    X, y = points()
    return np.vstack([X, place(distance, X, y)]), np.append(y, -1.0)


def sight(X, y, size) -> tuple[np.ndarray, np.ndarray]:
    """Grid coordinates xs, ys of the picture, (size,) each: the clean points and all places up to `IN_SIGHT`."""
    return grid.axes(np.vstack([X, place(IN_SIGHT, X, y)]), size)


def field(fit: Solution, X, kernel, xs, ys) -> np.ndarray:
    """Decision values (k, m) of a fit to the points X (N, 2) on the grid xs (m,), ys (k,)."""
    return grid.decision(setting(kernel).as_kernel(), X, fit.beta, fit.intercept, xs, ys)


def fit_machine(machine: Machine, kernel, X, y) -> Solution:
    """The machine with its own parameters, the problem's C and this kernel, on the points X (N, 2), y (N,)."""
    chosen = setting(kernel)
    task = Task(chosen.as_kernel(), X, y, chosen.C, machine.loss, dict(machine.params))
    return router.solve(task, tol=TOLERANCE)


def sweep(machine: Machine, kernel) -> Iterator[Step]:
    """The machine with the outlier at each of the `DISTANCES` in turn; yields a `Step` for each."""
    kernel_function, (X, y) = setting(kernel).as_kernel(), points()
    xs, ys = plane.view(X)
    clean = fit_machine(machine, kernel, X, y)
    before = field(clean, X, kernel, xs, ys)
    for distance in DISTANCES:
        some, labels = contaminated_points(distance)
        fit = fit_machine(machine, kernel, some, labels)
        f = float(kernel_function(some[-1:], some)[0] @ fit.beta + fit.intercept)
        turned = robustness.angle(clean.beta @ X, fit.beta @ some) if kernel == "linear" else float("nan")
        share = plane.changed_share(before, field(fit, some, kernel, xs, ys))
        yield Step(distance, -float(fit.beta[-1]), 1.0 + f, turned, share, fit)


def ignored_at(steps: list[Step], C: float) -> list[float]:
    """The distances at which a machine ignores the outlier: its support value is small, the boundary nearly as without
    it.
    """
    return [step.distance for step in steps if abs(step.alpha) < SMALL * C and step.share < UNMOVED]


def still_from(steps: list[Step]) -> float | None:
    """The distance from which on support value and boundary stay as at the last; None if they move up to there."""
    last, start = steps[-1], None
    for step in reversed(steps[:-1]):
        if abs(step.alpha - last.alpha) > 1e-3 or abs(step.share - last.share) > 1e-3:
            break
        start = step.distance
    return start


def nearest(distance) -> float:
    """The nearest of the `DISTANCES`, which are evenly spaced from 0."""
    return DISTANCES[round(distance / (DISTANCES[1] - DISTANCES[0]))]


def curve(steps, quantity) -> tuple[np.ndarray, np.ndarray]:
    """The distances (k,) of the steps and one quantity (k,) of each: "alpha", "turned", or "share" in percent."""
    scale = 100.0 if quantity == "share" else 1.0
    return np.array([step.distance for step in steps]), scale * np.array([getattr(step, quantity) for step in steps])
