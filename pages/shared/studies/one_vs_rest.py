"""More than two classes: a machine for each class against the rest, and the largest f decides. No Streamlit here."""

from typing import NamedTuple

import numpy as np
from sklearn.multiclass import OneVsRestClassifier

from pages.shared.choices import Machine, Setting
from pages.shared.studies import classification
from svmcore import SVC
from svmcore.status import succeeded
from svmcore.warned import silently


class OneVsRest(NamedTuple):
    """The machines of the K `classes` on the points X (N, 2) of the classes y (N,), and what they decide.

    `values` (K, k, m) are their f over the grid xs (m,), ys (k,), `predicted` (N,) the classes of the points, `support`
    (K, N) says which points are support vectors of which machine. Errors are shares, nan without test points;
    `statuses` and `violations` are those of the K machines.
    """

    classes: np.ndarray
    X: np.ndarray
    y: np.ndarray
    xs: np.ndarray
    ys: np.ndarray
    values: np.ndarray
    predicted: np.ndarray
    support: np.ndarray
    train_error: float
    test_error: float
    statuses: list[str]
    violations: list[float]

    @property
    def leads(self) -> np.ndarray:
        """By how much the f of each class exceeds the largest of the others, (K, k, m): its region is where it does."""
        others = (np.max(np.delete(self.values, k, axis=0), axis=0) for k in range(len(self.classes)))
        return self.values - np.stack(list(others))

    @property
    def contested(self) -> float:
        """The share of the picture where the number of positive f is not one."""
        return float(np.mean(np.sum(self.values > 0.0, axis=0) != 1))

    @property
    def converged(self) -> bool:
        """Whether all runs ended as they should."""
        return all(succeeded(status) for status in self.statuses)


def estimator(machine: Machine, setting: Setting) -> OneVsRestClassifier:
    """scikit-learn's meta-estimator over the `SVC` of this machine, as in the snippet."""
    return OneVsRestClassifier(classification.estimator(machine, setting))


def fit(problem, machine: Machine, setting: Setting, xs, ys) -> OneVsRest:
    """The machines of a problem with labels 1, 2, ..., evaluated on the grid xs (m,), ys (k,)."""
    model = estimator(machine, setting)
    with silently():  # the page shows the statuses
        model.fit(problem.X, problem.y)
    machines: list[SVC] = model.estimators_
    support = np.zeros((len(machines), len(problem.y)), bool)
    for row, one in zip(support, machines, strict=True):
        row[one.support_] = True
    predicted, tested = model.predict(problem.X), len(problem.y_test)
    return OneVsRest(
        model.classes_,
        problem.X,
        problem.y,
        xs,
        ys,
        np.stack([_values(one, xs, ys) for one in machines]),
        predicted,
        support,
        float(np.mean(predicted != problem.y)),
        float(np.mean(model.predict(problem.X_test) != problem.y_test)) if tested else float("nan"),
        [one.status_ for one in machines],
        [one.violation_ for one in machines],
    )


def _values(model, xs, ys):
    expansion = model.support_vectors_, model.dual_coef_[0], float(model.intercept_[0])
    return classification.values(model.kernel_, *expansion, xs, ys)
