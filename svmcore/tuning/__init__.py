"""Choosing C and sigma: cross-validation, leave-one-out, coupled simulated annealing, and the VC bound.

tune(estimator, X, y, method="cv")          to the end: the best C and sigma, all evaluations, the machine
Search(estimator, X, y, method).run()       one evaluation after another; can be stopped and resumed
"""

from svmcore.tuning.records import BETWEEN, Capacity, Evaluation, Tuning, best, rank
from svmcore.tuning.search import C_VALUES, METHODS, Search, tune, widths

__all__ = [
    "BETWEEN", "C_VALUES", "METHODS", "Capacity", "Evaluation", "Search", "Tuning", "best", "rank", "tune", "widths",
]  # fmt: skip
