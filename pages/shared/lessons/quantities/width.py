"""The width of a kernel, and the criteria that choose it."""

from functools import lru_cache

import numpy as np

from pages.shared.lessons.quantities.case import AFTER
from pages.shared.lessons.quantities.registry import points_of_percent, quantity
from pages.shared.studies import classification
from pages.shared.studies.formatting import percent
from svmcore.studies.robustness import clean_error
from svmcore.tuning import criteria

SIGMAS = (0.03, 0.1, 0.2, 0.4, 0.7, 1.2, 2.5, 7.0, 20.0)


@quantity("the best width σ")
def best_sigma(case, by="cv", loss="") -> float:
    """The σ of SIGMAS with the smallest value of a key of BY; of equal ones the widest."""
    values = {sigma: _judge_width(case, by, loss, sigma) for sigma in SIGMAS}
    return max(sigma for sigma, value in values.items() if value == min(values.values()))


@quantity("the test error at the σ that a criterion chooses", written=percent)
def chosen_error(case, by="cv", loss="") -> float:
    """The test error (0 to 1) at `best_sigma`."""
    return _judge_width(case, "test", loss, best_sigma(case, by, loss))


@quantity("the test error that the choice costs", written=points_of_percent)
def price_of_choice(case, by="cv", loss="") -> float:
    """The test error at the σ that a criterion chooses minus the smallest test error of SIGMAS."""
    return chosen_error(case, by, loss) - chosen_error(case, "test", loss)


@quantity("the error of cross-validation", written=percent)
def cv_error(case, loss="", of=AFTER) -> float:
    """The error (0 to 1) of ten-fold cross-validation on the training points."""
    return _judge_width(case, "cv", loss, case.setup(of).setting.sigma, of)


@quantity("the VC bound r²‖w‖²")
def vc_bound(case, loss="", of=AFTER) -> float:
    """The bound of the LS-SVM paper, infinite where it does not apply."""
    return _judge_width(case, "vc_bound", loss, case.setup(of).setting.sigma, of)


def errors(case, by, loss="") -> list[float]:
    """The error (0 to 1) at each of SIGMAS: a key of BY, or "train" for that of the training points."""
    return [_judge_width(case, by, loss, sigma) for sigma in SIGMAS]


def _judge_width(case, by, loss, sigma, of=AFTER):
    at = case.setup(of)
    return _criterion(case.source, at.data, at.machine(loss), at.setting._replace(sigma=sigma), by)


@lru_cache(256)
def _criterion(source, data, machine, setting, by):
    problem, model = source.problem(data), classification.estimator(machine, setting)
    if by == "test":  # without the picture that a FittedMachine has
        return clean_error(model.fit(problem.X, problem.y), problem)
    if by == "train":
        return float(np.mean(model.fit(problem.X, problem.y).predict(problem.X) != problem.y))
    points = criteria.Points(model, problem.X, problem.y)
    criterion = {"cv": criteria.CrossValidation, "vc_bound": criteria.VCBound}[by](points)
    return criterion(setting.C, setting.sigma).value
