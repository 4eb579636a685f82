"""More than two classes: a machine for each class against the rest, and the largest f decides. No Streamlit here."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from pages.shared.screen.choices import Machine, Setting
from pages.shared.studies import classification
from pages.shared.studies.arrays import FREE, ZERO, Points, Regions
from pages.shared.studies.study import FittedMachine
from svmcore.problems import Names
from svmcore.status import is_success


class OneVsRest(NamedTuple):
    """The `machines` of K classes, a FittedMachine each, and what they decide: for pages like one of its own.

    Of the `points`, `alpha` is the largest |alpha| in any machine, `state` ZERO for a point that is a support vector of
    none and FREE for all others. Errors are shares, nan without test points; `wrong` (n_test,) marks the misclassified
    test points.
    """

    machines: list[FittedMachine]
    points: Points
    field: Regions
    train_error: float
    test_error: float
    wrong: np.ndarray

    task = "multiclass"
    w = None  # there is no single boundary that turns

    def values_on(self, xs, ys) -> np.ndarray:
        """The values (K, k, m) of the machines on another grid xs (m,), ys (k,) of the plane."""
        return np.stack([machine.values_on(xs, ys) for machine in self.machines])

    @property
    def support(self) -> np.ndarray:
        """Mask of the support vectors of each machine, (K, N)."""
        return np.stack([machine.points.state != ZERO for machine in self.machines])

    @property
    def statuses(self) -> list[str]:
        """Statuses with which the runs of the K machines ended."""
        return [machine.numbers.status for machine in self.machines]

    @property
    def all_converged(self) -> bool:
        """True if all runs ended as they should."""
        return all(map(is_success, self.statuses))


def fit(problem, machine: Machine, setting: Setting, xs, ys, unit=1.0) -> OneVsRest:
    """The machines of a problem with a point of each class, evaluated on the grid xs (m,), ys (k,)."""
    each = [classification.fit(_against(problem, label), machine, setting, xs, ys) for label in problem.classes]
    predicted = _predict(problem, [one.f for one in each])
    tested = _predict(problem, [one.f_test for one in each])
    return OneVsRest(
        each,
        _points(problem, each, predicted),
        extent(xs, ys, problem)._replace(values=np.stack([one.field.f for one in each])),
        float(np.mean(predicted != problem.y)),
        float(np.mean(tested != problem.y_test)) if len(tested) else float("nan"),
        tested != problem.y_test,
    )


def _against(problem, label):
    """The problem of one class, +1, against the rest."""
    y, y_test = (np.where(labels == label, 1.0, -1.0) for labels in (problem.y, problem.y_test))
    return replace(problem, y=y, y_clean=y, y_test=y_test, task="classification", named=Names())


def _predict(problem, values):
    return np.array(problem.classes)[np.argmax(values, axis=0)]


def _points(problem, each, predicted):
    alpha = np.abs([one.points.alpha for one in each])
    used = np.any([one.points.state != ZERO for one in each], axis=0)
    bare = classification.bare(problem)
    names = list(bare.class_names.values())
    words = [
        f"the largest of {len(each)} machines, that of class {names[k]}" if most else f"in all {len(each)} machines"
        for k, most in zip(np.argmax(alpha, axis=0), np.max(alpha, axis=0), strict=True)
    ]
    return bare._replace(
        alpha=np.max(alpha, axis=0), state=np.where(used, FREE, ZERO), kkt=np.array(words), predicted=predicted
    )


def extent(xs, ys, problem) -> Regions:
    """The plane without machines."""
    return Regions(xs, ys, slice=problem.slice)


def estimator(machine: Machine, setting: Setting) -> BaseEstimator:
    """scikit-learn's meta-estimator over the `SVC` of this machine, as in the snippet."""
    return sklearn.multiclass.OneVsRestClassifier(classification.estimator(machine, setting))


class MoreClasses(classification.TwoClasses):
    """More than two classes, each against the rest."""

    key = "multiclass"
    extent, estimator, fit = map(staticmethod, (extent, estimator, fit))


TASK = MoreClasses()
