"""One outlier on its way out, and what it does to a machine. No Streamlit here, no figures drawn.

The points are the outlier toy of the Least 1-Norm SVM, with its own C; the outlier bears the label -1. At distance 0 it
lies in the middle of class +1. From there it goes outwards, off the line through the centres of the classes, so that a
boundary has to turn and not only to shift; the unit of distance is that between the centres.
"""

import threading
from typing import NamedTuple

import numpy as np

from pages.shared.choices import Data, Machine, Setting
from pages.shared.studies.classification import make_problem
from svmcore import grid
from svmcore.problems import REGISTRY
from svmcore.solvers import router
from svmcore.studies import robustness

DATA = Data("toy_outliers", 0, ())
DISTANCES = tuple(float(d) for d in np.arange(0.0, 10.25, 0.25))
KERNELS = ("linear", "rbf")
OFF_THE_LINE = np.radians(60.0)
RESOLUTION = 100
TOLERANCE = 1e-4


class Fit(NamedTuple):
    """A machine: f(x) = sum_j beta_j k(X_j, x) + intercept."""

    X: np.ndarray
    beta: np.ndarray
    intercept: float
    status: str


class Step(NamedTuple):
    """The machine with the outlier at one distance: alpha of the outlier and its t = 1 - y f; the angle in degrees
    between w with and without it (nan but for the linear kernel); the share (0 to 1) of the plane that changed sides.
    """

    distance: float
    alpha: float
    t: float
    turned: float
    share: float
    fit: Fit


def setting(kernel) -> Setting:
    """What the problem suggests, with this kernel."""
    return Setting.of(REGISTRY[DATA.problem], kernel)


def points():
    """The clean points X (N, 2) and labels y (N,)."""
    problem = make_problem(DATA)
    return problem.X, problem.y


def place(distance, X, y):
    """Where the outlier stands, (2,)."""
    towards = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    cos, sin = np.cos(OFF_THE_LINE), np.sin(OFF_THE_LINE)
    return X[y > 0].mean(axis=0) + distance * np.array([[cos, -sin], [sin, cos]]) @ towards


def view(X, size=RESOLUTION):
    """Grid coordinates of the plane, xs and ys: the clean points, wherever the outlier is."""
    return grid.axes(X, size, margin=0.2)


def field(fit: Fit, kernel, xs, ys):
    """Decision values of a fit on the grid."""
    return grid.decision(setting(kernel).as_kernel(), fit.X, fit.beta, fit.intercept, xs, ys)


def fitted(machine: Machine, kernel, X, y) -> Fit:
    """The machine on these points."""
    own = setting(kernel)
    found = router.solve(machine.loss, dict(machine.params), own.as_kernel(), X, y, own.C, tol=TOLERANCE)
    return Fit(X, found.beta, found.intercept, found.status)


class Journey:
    """All steps of one machine, done one after the other by whoever asks; `steps` grows up to `DISTANCES`."""

    def __init__(self, machine: Machine, kernel):
        self.machine, self.kernel, self.steps = machine, kernel, []
        self._one = threading.Lock()
        self._clean = None

    @property
    def done(self):
        return len(self.steps) == len(DISTANCES)

    def advance(self):
        """The next step, unless all are done; two readers never do the same one."""
        with self._one:
            if not self.done:
                self.steps.append(self._step(DISTANCES[len(self.steps)]))

    def _step(self, distance):
        X, y = points()
        xs, ys = view(X)
        if self._clean is None:
            clean = fitted(self.machine, self.kernel, X, y)
            self._clean = clean, field(clean, self.kernel, xs, ys)
        clean, before = self._clean
        spoiled, labels = np.vstack([X, place(distance, X, y)]), np.append(y, -1.0)
        fit = fitted(self.machine, self.kernel, spoiled, labels)
        chosen = setting(self.kernel)
        f = float(chosen.as_kernel()(spoiled[-1:], spoiled)[0] @ fit.beta + fit.intercept)
        linear = self.kernel == "linear"
        turned = robustness.angle(clean.beta @ clean.X, fit.beta @ fit.X) if linear else float("nan")
        share = robustness.changed_share(before, field(fit, self.kernel, xs, ys))
        return Step(distance, -float(fit.beta[-1]), 1.0 + f, turned, share, fit)


def travel(journeys):
    """Does what is left of them, a step at a time."""
    for journey in journeys:
        while not journey.done:
            journey.advance()
            yield
