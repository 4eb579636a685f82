"""Reasons why a run ended: each once, with the words that a reader sees and whether the run ended as it should.

A `Status` is a string: `model.status_ == "converged"` holds, and it is printed, pickled and stored in an array as one.
A reason that is composed (a path of many runs, a foreign solver) is a plain string; `is_success` takes both. This
module is pure Python and imports nothing of svmcore, so that every other module can import it.
"""

from collections.abc import Callable
from enum import StrEnum, unique


@unique
class Status(StrEnum):
    """A reason for ending; `success` where the answer is what was asked for."""

    success: bool

    def __new__(cls, message, success=False):
        self = str.__new__(cls, message)
        self._value_, self.success = message, success
        return self

    __repr__ = str.__repr__  # in a notebook `status_` is a word, as scikit-learn's attributes are

    CONVERGED = "converged", True
    LOCAL_MINIMUM = "local minimum", True  # of a loss that is not convex
    ALL_ROUNDS = "all rounds taken", True  # of a method whose number of rounds is chosen in advance

    # a limit of the caller
    ITERATION_LIMIT = "iteration limit"
    ROUND_LIMIT = "round limit"
    TIME_LIMIT = "time limit: the solver was ended before it met the tolerance; choose fewer points or a smaller C"
    WORK_LIMIT = "work limit: too many coefficients between their bounds"
    STOPPED = "stopped before the tolerance was met"
    ENDED = "ended by itself"

    # the kernel matrix
    NOT_POSITIVE = "the kernel matrix is not positive semidefinite"
    UNBOUNDED = "unbounded: the kernel is not positive semidefinite"
    STATIONARY = "stationary point: the kernel matrix is not positive semidefinite"
    NEGATIVE_CURVATURE = (
        "negative curvature: the kernel matrix is not positive semidefinite, or C too large for rounding"
    )
    LOW_RANK = "the kernel matrix was approximated: its rank is too large for so many points"
    OVERFLOW = "overflow: the kernel matrix is not finite; scale the features or change the kernel parameters"

    # rounding errors
    NO_PROGRESS = "no further progress in double precision"
    ROUNDING = "rounding errors exceed the tolerance"
    ROUNDING_OF_F = "rounding errors exceed the tolerance; choose a smaller C or a larger tolerance"
    INACCURATE = "inaccurate: rounding errors exceed the tolerance; choose a smaller C or a larger tolerance"
    WIDE_GAP = (
        "inaccurate: the violation is within the tolerance, but primal and dual objective are far apart; choose a "
        "smaller C or scale the features"
    )
    INACCURATE_FEATURES = "inaccurate: rounding errors exceed the tolerance; scale the features"
    INACCURATE_ISLS = "inaccurate: the coefficients are so large that f drowns in rounding errors; choose a smaller C"
    SINGULAR = "singular: the linear system has no unique solution in double precision; choose a smaller C"
    SINGULAR_ROUND = "singular: a round has no unique solution in double precision; choose a smaller C"
    STALLED = "stalled: rounding decides which points are cut off; choose a smaller tolerance"

    # losses that are not convex
    FLAT = "saddle point or plateau: the curvature is not positive in all directions"
    TRIVIAL = "the trivial solution, w = 0, is the best found; a larger C gives the points more weight"
    ONE_CLASS = "one class: f is the same everywhere; a larger C gives the points more weight"
    UNCERTIFIED = "no local minimum: only the rules' own stopping test was met"
    CYCLING = "cycling: the working set keeps coming back"
    EMPTY_WORKING_SET = "empty working set: w = 0, the trivial solution"
    ONE_CLASS_WORKING_SET = "one-class working set: w = 0, the trivial solution"

    # the sparse LS-SVM
    CONSTANT = "constant: no coefficient survived and f is the mean of y everywhere; choose a larger C"
    VANISHING = "vanishing: every coefficient converges to zero, and f to a constant; choose a larger C"


AT_ZERO = (Status.ONE_CLASS, Status.EMPTY_WORKING_SET, Status.ONE_CLASS_WORKING_SET)  # single runs that end at w = 0
SUCCESS = tuple(status for status in Status if status.success)
ROUNDED = {  # what it means where the matrix is positive semidefinite and its numbers are rounded
    Status.STATIONARY: Status.SINGULAR,
    Status.NOT_POSITIVE: Status.INACCURATE_FEATURES,
    Status.UNBOUNDED: Status.INACCURATE_FEATURES,
    Status.NEGATIVE_CURVATURE: Status.INACCURATE,
}


def is_success(status: str) -> bool:
    """True if a run with this status, a `Status` or its words, ended as it should."""
    return status in SUCCESS


def qualify(status: str, definite: Callable[[], bool]) -> str:
    """The true words for a run with this status: `definite()` says whether its kernel matrix is positive semidefinite.

    Where it is not, a solver that has met its tolerance has found a stationary point, and others may be better; where
    it is, no reason can be that it is not. All losses and solvers are judged here.
    """
    if not (is_success(status) or status in ROUNDED):
        return status
    if definite():
        return ROUNDED.get(status, status)
    return Status.STATIONARY if is_success(status) else status
