"""One quantity of several machines, of several draws, or before and after a change."""

import numpy as np

from pages.shared.lessons.quantities.case import AFTER, BEFORE
from pages.shared.lessons.quantities.registry import (
    REGISTRY,
    points_of_percent,
    quantity,
    register,
    unsigned_points_of_percent,
)
from svmcore.studies import paired
from svmcore.words import count


@quantity("the order of the machines", kind="order")
def order(case, quantity="angle", draws=1) -> list:
    """The pairs [loss, value] after the change, the largest first: means of a quantity over this and later draws."""
    if len(case.after.machines) < 2:
        raise ValueError("`losses` of the state must be at least two machines, to compare them")
    found = [[machine.loss, mean(case, quantity, machine.loss, draws)] for machine in case.after.machines]
    return sorted(found, key=lambda row: -row[1])


@quantity("the mean over several draws")
def mean(case, quantity="test_error", loss="", draws=10) -> float:
    """The mean of another quantity over so many draws, this one and those that follow."""
    return float(np.mean([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the spread over several draws")
def spread(case, quantity="test_error", loss="", draws=10) -> float:
    """The difference between the largest and the smallest value of another quantity over so many draws."""
    return float(np.ptp([value_of(case.redrawn(k), quantity, loss) for k in range(draws)]))


@quantity("the ratio of the two")
def ratio(case, quantity="angle", loss="", other="") -> float:
    """A quantity of the machine `loss` divided by that of the machine `other`; infinite for a zero below."""
    above, below = value_of(case, quantity, loss), value_of(case, quantity, other)
    return above / below if below else float("inf")


@quantity("the standard error of the difference of the test errors", written=unsigned_points_of_percent)
def paired_error(case, loss="", other="", draws=1) -> float:
    """The standard error of a paired difference: of one draw over its test points, of several over the draws."""
    return _pair_errors(case, loss, other, draws).error


@quantity("the difference of the test errors in standard errors", written="{:.1f}".format)
def paired_ratio(case, loss="", other="", draws=1) -> float:
    """The paired difference of the test errors, `loss` minus `other`, divided by its standard error; 0 without one."""
    found = _pair_errors(case, loss, other, draws)
    return found.mean / found.error if found.error else 0.0


def _pair_errors(case, loss, other, draws):
    if draws == 1:
        return paired.difference(case.study(AFTER, loss).wrong, case.study(AFTER, other).wrong)
    return paired.difference(
        *([value_of(case.redrawn(k), "test_error", key) for k in range(draws)] for key in (loss, other))
    )


def value_of(case, quantity, loss) -> float:
    """Another quantity of the machine with this loss."""
    return REGISTRY[quantity].compute(case, loss=loss)


@quantity("the factor by which it grows", written="{:.2g}".format)
def growth(case, quantity="n_support", loss="") -> float:
    """A quantity after the change divided by the same before it; infinite for a zero below."""
    compute = REGISTRY[quantity].compute
    now, before = compute(case, loss=loss), compute(case, loss=loss, of=BEFORE)
    return now / before if before else float("inf")


for row in (
    # the loss of the machine with the largest or smallest value of another quantity, as in `order`
    ("most", "the machine with the largest value",
     lambda case, quantity="angle", draws=1: order(case, quantity, draws)[0][0], "", None, "key"),
    ("least", "the machine with the smallest value",
     lambda case, quantity="angle", draws=1: order(case, quantity, draws)[-1][0], "", None, "key"),
    # of the machines `loss` and `other`
    ("difference", "the difference of the two", lambda case, quantity="angle", loss="", other="":
     value_of(case, quantity, loss) - value_of(case, quantity, other)),
    ("error_difference", "the difference of the test errors",  # of several draws the mean
     lambda case, loss="", other="", draws=1: _pair_errors(case, loss, other, draws).mean, "", points_of_percent),
    ("n_disputed", "the number of test points on which the two disagree", lambda case, loss="", other="", of=AFTER:
     np.count_nonzero(case.study(of, loss).wrong != case.study(of, other).wrong), "", count),
):  # fmt: skip
    register(*row)
